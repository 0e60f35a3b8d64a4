/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_question.c - what sbatch --test-only is answered, beside a slurmctld
 * and a host that say what the case wants, and remember what they were asked.
 *
 * Bitmaps are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/node_conf.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/core_bitmap.h"
#include "plugin/select/limits.h"
#include "plugin/select/forecast.h"
#include "plugin/select/test_only.h"
#include "plugin/select/shared_capacity.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

enum { NODES = 4, ALL = 0xb, CORES = 8, ME = 7 };

__typeof__(node_record_count) node_record_count = NODES;

/* What the case says, and what was seen. */
static struct {
	/* of the host */
	enum libra_host_place place;
	bool tracks, manages, limited, blocked;
	double hole_s, starts_s, last_end_s;
	size_t nahead;
	/* of Slurm */
	int rc[2];     /* of the first look and of the next ones */
	bool ever;     /* each test is a look */
	time_t found;  /* the start of a look that succeeds */
	int room_lost; /* nodes whose memory is promised */
	bool no_nodes; /* of the placement */

	int looks, empties, ordinary, forgotten, flushed, told, views;
	int bitmaps; /* not freed yet */
	int hole_nodes, last_looks, tests;
	uint32_t hole_nnodes, hole_nahead, counts[3];
	bool later, later_ahead, stale_view;
	int nodes[2], cores;	 /* of the first and the second look */
	time_t told_start, from; /* from: what a look was given */
	const void *arg;
} w;

static part_record_t part = {.name = "main"};
static job_record_t job = {.job_id = ME, .part_ptr = &part};

/* ---- all bitmaps are freed ---- */

extern bitstr_t *__real_slurm_bit_alloc(bitoff_t n);
extern bitstr_t *__wrap_slurm_bit_alloc(bitoff_t n);
extern bitstr_t *__real_slurm_bit_copy(bitstr_t *b);
extern bitstr_t *__wrap_slurm_bit_copy(bitstr_t *b);
extern void __real_slurm_bit_free(bitstr_t **b);
extern void __wrap_slurm_bit_free(bitstr_t **b);

bitstr_t *__wrap_slurm_bit_alloc(bitoff_t n)
{
	w.bitmaps++;
	return __real_slurm_bit_alloc(n);
}

bitstr_t *__wrap_slurm_bit_copy(bitstr_t *b)
{
	w.bitmaps++;
	return __real_slurm_bit_copy(b);
}

void __wrap_slurm_bit_free(bitstr_t **b)
{
	w.bitmaps -= *b != NULL;
	__real_slurm_bit_free(b);
}

static int bits(bitstr_t *b, int n)
{
	int found = 0;

	for (int i = 0; b && i < n; i++)
		found |= bit_test(b, i) ? 1 << i : 0;
	return found;
}

static bitstr_t *bitmap(int n, int of)
{
	bitstr_t *b = bit_alloc(n);

	for (int i = 0; i < n; i++)
		if (of & 1 << i)
			bit_set(b, i);
	return b;
}

/* ---- the host ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

static enum libra_host_job_state job_state(uint32_t job_id)
{
	return w.blocked && job_id == ME ? LIBRA_JOB_BLOCKED
					 : LIBRA_JOB_PENDING;
}

const struct libra_host_ops libra_slurm_ops = {.job_state = job_state};

/* The record names the promise once it was taken over. */
struct libra_host_job libra_view(const job_record_t *record, bool look_only)
{
	if (record == &job)
		w.later = look_only;
	else
		w.later_ahead = look_only;
	w.views++;
	return (struct libra_host_job){
		.job_id = record->job_id,
		.comment = record->admin_comment,
		.look_only = look_only,
	};
}

void libra_take_record(job_record_t *record,
		       struct libra_host_placement *placement)
{
	static char comment[16];

	snprintf(comment, sizeof(comment), "%s", placement->record.comment);
	record->admin_comment = comment;
	free(placement->record.comment);
	placement->record.comment = NULL;
}

bool libra_host_tracks(struct libra_host *host,
		       const struct libra_host_job *seen)
{
	return w.tracks;
}

enum libra_host_place libra_host_place(struct libra_host *host,
				       const struct libra_host_job *seen,
				       struct libra_host_placement *placement)
{
	placement->record.comment = __real_calloc(1, sizeof("promised"));
	memcpy(placement->record.comment, "promised", sizeof("promised"));
	memory.blocks++;
	w.tracks = true;
	return w.place;
}

static void look_at(const struct libra_host_job *seen)
{
	w.stale_view |= !seen->comment || strcmp(seen->comment, "promised");
}

double libra_host_earliest_fit_s(struct libra_host *host,
				 const struct libra_host_job *seen,
				 const uint8_t *nodes, uint32_t nnodes,
				 const struct libra_host_job *ahead,
				 uint32_t nahead)
{
	look_at(seen);
	for (uint32_t i = 0; i < nnodes; i++)
		w.hole_nodes |= nodes[i] == 1 ? 1 << i : 0;
	w.hole_nnodes = nnodes;
	for (uint32_t i = 0; i < nahead; i++)
		w.hole_nahead += ahead[i].job_id == ME + 1 + i;
	return w.hole_s;
}

double libra_host_starts_s(struct libra_host *host,
			   const struct libra_host_job *seen)
{
	look_at(seen);
	return w.starts_s;
}

double libra_host_last_end_s(struct libra_host *host)
{
	w.last_looks++;
	return w.last_end_s;
}

bool libra_host_manages(struct libra_host *host, const char *partition)
{
	return w.manages && !strcmp(partition, "main");
}

void libra_host_forget(struct libra_host *host,
		       const struct libra_host_job *seen)
{
	w.forgotten += seen->job_id == ME;
}

bool libra_host_flush_records(struct libra_host *host)
{
	w.flushed++;
	return true;
}

/* ---- the other files of the plugin ---- */

bool libra_limits_hold(const job_record_t *record)
{
	return w.limited;
}

void libra_shared_memory(const job_record_t *record,
			 const struct libra_host_job *seen, bitstr_t *nodes)
{
	look_at(seen);
	for (int i = 0; i < NODES; i++)
		if (w.room_lost & 1 << i)
			bit_clear(nodes, i);
}

bool libra_cores_nodes(const struct libra_host_placement *placement,
		       bitstr_t *nodes, uint32_t *min_nodes,
		       uint32_t *max_nodes, uint32_t *req_nodes)
{
	bit_clear(nodes, 0);
	*min_nodes = *max_nodes = *req_nodes = 2;
	return !w.no_nodes;
}

bitstr_t *libra_cores_but(const struct libra_host_placement *placement)
{
	return bitmap(CORES, 0xf0);
}

/* Each look tries twice: all its nodes are there again. */
int libra_forecast(job_record_t *record, const struct libra_forecast_test *test,
		   bool ordinary, time_t *start)
{
	bitstr_t *cores = ordinary ? bitmap(CORES, 0x3) : NULL;
	int look = w.looks++, rc;

	w.ordinary += ordinary;
	w.from = *start;
	for (int i = 0; i < 2; i++)
		rc = test->test(test->arg, cores, start);
	FREE_NULL_BITMAP(cores);
	return rc == 42 ? w.rc[look > 0] : -1;
}

int libra_forecast_empty(const struct libra_forecast_test *test)
{
	time_t start;

	w.empties++;
	return test->test(test->arg, NULL, &start) == 42 ? w.rc[0] : -1;
}

double libra_forecast_queue_s(const job_record_t *record)
{
	return 500;
}

size_t libra_forecast_ahead(const job_record_t *record,
			    const job_record_t **ahead, size_t cap)
{
	static job_record_t others[LIBRA_FIT_AHEAD];
	size_t n = w.nahead < cap ? w.nahead : cap;

	for (size_t i = 0; i < n; i++) {
		others[i].job_id = ME + 1 + (uint32_t)i;
		ahead[i] = &others[i];
	}
	return n;
}

void libra_forecast_tell(job_record_t *record, time_t start)
{
	w.told++;
	w.told_start = start;
}

/* ---- Slurm's test ---- */

static int slurms_test(const struct libra_test_only *q, bitstr_t *not_these)
{
	int look = w.looks > 1;

	w.tests++;
	w.nodes[look] = bits(q->nodes, NODES);
	w.cores = not_these ? bits(not_these, CORES) : -1;
	w.counts[0] = q->min_nodes;
	w.counts[1] = q->max_nodes;
	w.counts[2] = q->req_nodes;
	w.arg = q->arg;
	for (int i = 0; i < NODES; i++)
		bit_clear(q->nodes, i);
	q->job->start_time = w.found;
	if (w.ever)
		return w.rc[w.tests > 1];
	return 42;
}

/* An ordinary job that nothing is in the way of. */
static void reset(void)
{
	memset(&w, 0, sizeof(w));
	fail_no_more();
	w.place = LIBRA_PLACE_STOCK;
	w.hole_s = NAN;
	w.starts_s = NAN;
	w.last_end_s = INFINITY;
	w.found = 1000;
	job.admin_comment = NULL;
	job.start_time = 0;
}

static struct libra_test_only question(bitstr_t *nodes)
{
	return (struct libra_test_only){
		.job = &job,
		.nodes = nodes,
		.min_nodes = 1,
		.max_nodes = 3,
		.req_nodes = 0,
		.test = slurms_test,
		.arg = &w,
	};
}

static int ask(void)
{
	struct libra_host_placement room = {0};
	bitstr_t *nodes = bitmap(NODES, ALL);
	struct libra_test_only q = question(nodes);
	int rc = libra_test_only_answer(&q, &room);

	FREE_NULL_BITMAP(nodes);
	return rc;
}

/* The question is answered so, once; nothing is left behind, and a record only
 * where the host knew the job.
 */
static bool answered(int rc, time_t start)
{
	bool known = w.tracks;
	int got = ask();

	return got == rc && (job.admin_comment != NULL) == known &&
	       w.told == (rc == SLURM_SUCCESS) &&
	       w.told_start == (rc == SLURM_SUCCESS ? start : 0) &&
	       w.flushed == 1 && w.bitmaps == 0 && memory.blocks == 0 &&
	       !w.stale_view;
}

static void ordinary_jobs(void)
{
	reset();
	ok(answered(SLURM_SUCCESS, 1000), "an ordinary job: as Slurm finds");
	ok(w.looks == 1 && w.ordinary == 1 && w.tests == 2 &&
		   w.nodes[0] == ALL && w.cores == 0x3 && w.from == 0,
	   "each test has all nodes and the cores to leave alone");
	ok(w.counts[0] == 1 && w.counts[1] == 3 && w.counts[2] == 0 &&
		   w.arg == &w,
	   "and what Slurm asked for");
	ok(w.forgotten == 1, "who was not known before is not afterwards");
	reset();
	w.tracks = true;
	ok(answered(SLURM_SUCCESS, 1000) && w.forgotten == 0,
	   "who was known before stays known");
	reset();
	w.place = LIBRA_PLACE_LOST;
	ok(answered(SLURM_SUCCESS, 1000) && w.ordinary == 1,
	   "one whose promise was lost is an ordinary one");
	reset();
	w.rc[0] = w.rc[1] = ESLURM_NODES_BUSY;
	ok(answered(ESLURM_NODES_BUSY, 0) && w.looks == 1,
	   "what Slurm finds no start for is not asked again");
	reset();
	w.manages = true;
	ok(answered(SLURM_SUCCESS, 1500), "beside others the queue counts");
}

static void plans_in_the_way(void)
{
	reset();
	w.hole_s = 1200.25;
	w.nahead = LIBRA_FIT_AHEAD + 1;
	ok(answered(SLURM_SUCCESS, 1201), "a hole among plans, rounded up");
	ok(w.hole_nodes == ALL && w.hole_nnodes == NODES,
	   "is looked for on the nodes of the question");
	ok(w.hole_nahead == LIBRA_FIT_AHEAD && w.later_ahead && !w.later,
	   "behind those ahead, who are looked at only");
	ok(w.last_looks == 0, "and not behind the last end");
	reset();
	w.hole_s = 900;
	w.manages = true;
	ok(answered(SLURM_SUCCESS, 1000),
	   "a hole that is there sooner than room; the queue was counted");
	reset();
	w.hole_s = INFINITY;
	ok(answered(ESLURM_NODES_BUSY, 0), "no hole ever: no start");
	reset();
	w.hole_s = 1200;
	fail_at(0);
	ok(answered(ESLURM_NODES_BUSY, 0) && w.hole_nnodes == 0,
	   "without memory for the nodes no start is known");
}

static void promised_memory(void)
{
	reset();
	w.room_lost = 0x1;
	ok(answered(SLURM_SUCCESS, 1000) && w.looks == 1 && w.nodes[0] == 0xa,
	   "nodes whose memory is promised are left alone");
	ok(w.last_looks == 0 && w.hole_nodes == ALL,
	   "where there is room on others, that is all");
	reset();
	w.room_lost = 0x1;
	w.rc[0] = ESLURM_NODES_BUSY;
	w.last_end_s = 2000.5;
	ok(answered(SLURM_SUCCESS, 2001) && w.looks == 2 && w.ordinary == 2 &&
		   w.nodes[1] == ALL,
	   "else all of them once the last promise is over");
	reset();
	w.room_lost = 0x1;
	w.rc[0] = ESLURM_NODES_BUSY;
	w.last_end_s = 700;
	ok(answered(SLURM_SUCCESS, 1000), "but not before Slurm's start");
	reset();
	w.room_lost = 0x1;
	w.rc[0] = ESLURM_NODES_BUSY;
	w.last_end_s = 2000;
	w.hole_s = 3000;
	ok(answered(SLURM_SUCCESS, 3000), "nor before the hole");
	reset();
	w.room_lost = 0x1;
	w.rc[0] = ESLURM_NODES_BUSY;
	w.last_end_s = 2000;
	w.hole_s = 1500;
	ok(answered(SLURM_SUCCESS, 2000), "nor, with a hole, before that end");
	reset();
	w.room_lost = 0x1;
	w.rc[0] = ESLURM_NODES_BUSY;
	w.rc[1] = ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	ok(answered(ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE, 0) &&
		   w.looks == 2,
	   "or what Slurm says then");
}

static void waiting_jobs(void)
{
	time_t now = time(NULL);

	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.starts_s = (double)now + 1000.5;
	ok(answered(SLURM_SUCCESS, now + 1001) && w.empties == 1 &&
		   w.looks == 0,
	   "a promised start that is to come, rounded up");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.starts_s = (double)now - 100;
	ask();
	ok(w.told == 1 && w.told_start >= now && w.told_start < now + 600,
	   "one that is over is now");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.starts_s = INFINITY;
	ok(answered(ESLURM_NODES_BUSY, 0) && w.empties == 0,
	   "one that never comes is no start");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	ok(answered(ESLURM_NODES_BUSY, 0) && w.empties == 0,
	   "nor is one that nobody knows");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.limited = true;
	ask();
	ok(w.told == 1 && w.told_start >= now && w.told_start < now + 600 &&
		   w.later,
	   "who is held by a limit asks later: now, and Slurm adds to it");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.blocked = true;
	ask();
	ok(w.told == 1 && w.later, "so does who waits for its begin");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.blocked = true;
	w.starts_s = INFINITY;
	ok(answered(ESLURM_NODES_BUSY, 0),
	   "but what it is promised by now counts");
	reset();
	w.place = LIBRA_PLACE_WAIT;
	w.starts_s = (double)now + 1000;
	w.rc[0] = ESLURM_NODE_NOT_AVAIL;
	ok(answered(ESLURM_NODE_NOT_AVAIL, 0),
	   "what Slurm would not start on an empty machine has no start");
}

static void promised_places(void)
{
	reset();
	w.place = LIBRA_PLACE_HERE;
	ok(answered(SLURM_SUCCESS, 1000), "a promised job that may start");
	ok(w.looks == 1 && w.ordinary == 0 && w.nodes[0] == 0xa &&
		   w.cores == 0xf0,
	   "is looked for on its nodes and cores alone");
	ok(w.counts[0] == 2 && w.counts[1] == 2 && w.counts[2] == 2,
	   "with as many nodes");
	reset();
	w.place = LIBRA_PLACE_HERE;
	w.no_nodes = true;
	ok(answered(ESLURM_NODES_BUSY, 0) && w.looks == 0,
	   "and not if one of them is not to be had");
	reset();
	w.place = LIBRA_PLACE_HERE;
	w.rc[0] = ESLURM_NODE_NOT_AVAIL;
	ok(answered(ESLURM_NODE_NOT_AVAIL, 0) && w.looks == 1,
	   "nor if Slurm does not find it possible");
	reset();
	w.place = LIBRA_PLACE_END;
	ok(answered(ESLURM_NODES_BUSY, 0) && w.tests == 0,
	   "one that cannot meet its deadline has no start");
}

/* Of a job with so many parts.  Result: as answered(). */
static bool ever(size_t nparts, int rc, int tests)
{
	struct libra_host_placement place = {.nparts = nparts};
	bitstr_t *nodes = bitmap(NODES, ALL);
	struct libra_test_only q = question(nodes);
	int got;

	w.ever = true;
	got = libra_test_only_ever(&q, &place);
	FREE_NULL_BITMAP(nodes);
	return got == rc && w.tests == tests && w.bitmaps == 0 &&
	       w.cores == -1 && w.arg == &w;
}

static void ever_at_all(void)
{
	reset();
	ok(ever(0, SLURM_SUCCESS, 1) && w.nodes[0] == ALL && w.counts[0] == 1,
	   "could it ever run: without a place all nodes are asked");
	reset();
	w.rc[0] = ESLURM_NODE_NOT_AVAIL;
	ok(ever(0, ESLURM_NODE_NOT_AVAIL, 1), "once");
	reset();
	ok(ever(2, SLURM_SUCCESS, 1) && w.nodes[0] == 0xa && w.counts[0] == 2 &&
		   w.counts[1] == 2 && w.counts[2] == 2,
	   "with a place its nodes alone, and as many");
	reset();
	w.rc[0] = ESLURM_NODE_NOT_AVAIL;
	ok(ever(2, SLURM_SUCCESS, 2) && w.nodes[0] == ALL && w.counts[0] == 1 &&
		   w.counts[1] == 3 && w.counts[2] == 0,
	   "where that is a no, all are, as Slurm asked");
	reset();
	w.rc[0] = w.rc[1] = ESLURM_NODE_NOT_AVAIL;
	ok(ever(2, ESLURM_NODE_NOT_AVAIL, 2), "and what they say counts");
	reset();
	w.no_nodes = true;
	ok(ever(2, SLURM_SUCCESS, 1) && w.nodes[0] == ALL && w.counts[0] == 1,
	   "so it is where one of its nodes is not to be had");
}

int main(void)
{
	ordinary_jobs();
	plans_in_the_way();
	promised_memory();
	waiting_jobs();
	promised_places();
	ever_at_all();
	return finish();
}
