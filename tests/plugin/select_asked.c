/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_asked.c - what the host is told of slurmctld's jobs, nodes and
 * reservations, beside records that the case fills in; and without memory.
 *
 * Lists, bitmaps and strings are Slurm's own, of its library; the time is ours.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/access.h"
#include "plugin/select/slurm_ops.h"
#include "plugin/select/power_save.h"
#include "plugin/select/job_env.h"
#include "plugin/select/ordinary.h"
#include "plugin/select/rules.h"
#include "plugin/select/pending.h"
#include "plugin/select/wake.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

enum { NODES = 4, JOBS = 3, FIRST = 7, NOW = 1000000 };

__typeof__(acct_db_conn) acct_db_conn;
__typeof__(job_list) job_list;
__typeof__(last_job_update) last_job_update;
__typeof__(last_node_update) last_node_update;
__typeof__(last_resv_update) last_resv_update;
__typeof__(node_record_count) node_record_count = NODES;
__typeof__(node_record_table_ptr) node_record_table_ptr;
__typeof__(resv_list) resv_list;

static job_record_t jobs[JOBS];
static __typeof__(*((job_record_t *)0)->details) details[JOBS];
static part_record_t part = {.name = "main", .max_time = 90};
static slurmdb_qos_rec_t qos;
static node_record_t nodes[NODES];
static node_record_t *table[NODES];

/* What the case says, and what was seen. */
static struct {
	time_t planned;
	bool old_job; /* is in the way: of oldest() */
	uint32_t vetoed;
	int changes, begins;
	/* of each reservation */
	struct libra_host_reservation told[16];
	uint8_t on[16][NODES];
	int ntold;
} w;

extern time_t __wrap_time(time_t *at);

time_t __wrap_time(time_t *at)
{
	if (at)
		*at = NOW;
	return NOW;
}

/* ---- slurmctld ---- */

extern job_record_t *find_job_record(uint32_t id)
{
	return id >= FIRST && id < FIRST + JOBS ? &jobs[id - FIRST] : NULL;
}

extern bool validate_operator(uid_t uid)
{
	return uid == 1;
}

extern bool assoc_mgr_is_user_acct_coord LIBRA_COORDINATES_PARAMS
{
	return uid == 2 && account && strcmp(account, "physics") == 0;
}

extern double assoc_mgr_tres_weighted(uint64_t *count, double *weights,
				      uint16_t flags, bool locked)
{
	return weights[0] * (double)count[0];
}

/* ---- the rest of the plugin ---- */

double libra_cleared_s(void)
{
	return 361;
}

time_t libra_planned_begin(const struct job_record *job)
{
	return w.planned;
}

void libra_set_begin(struct job_record *job, time_t was)
{
	w.begins += was == w.planned;
}

void libra_job_env_set(struct job_record *job,
		       const struct libra_host_record *record)
{
	w.changes++;
}

bool libra_waits_for_place(const struct job_record *job)
{
	return IS_JOB_PENDING(job) && job->details;
}

bool libra_parts_of(const struct job_record *job, struct libra_host_job *seen)
{
	return false;
}

bool libra_wants_alone(const struct job_record *job)
{
	return false;
}

bool libra_is_alone(const struct job_record *job)
{
	return false;
}

void libra_rules(const struct libra_host_request *request,
		 struct libra_host_rules *rules)
{
}

void libra_default_qos(const struct libra_host_request *request, char name[64])
{
	name[0] = '\0';
}

bool libra_memory(struct libra_host_memory *of, uint32_t n)
{
	return false;
}

void libra_hold(uint64_t of, struct libra_host_job *job)
{
}

void libra_with_gpus(const struct job_record *job, struct libra_host_job *seen)
{
}

const char *libra_usable(const struct libra_host_request *request,
			 uint8_t *usable, uint32_t n)
{
	return NULL;
}

const char *libra_barrier(uint32_t job_id)
{
	return NULL;
}

uint32_t libra_wakes_s(uint32_t node)
{
	return 0;
}

void libra_wake(void)
{
}

/* ---- cases ---- */

/* Three that wait, without a record. */
static void setup(void)
{
	memset(jobs, 0, sizeof(jobs));
	memset(details, 0, sizeof(details));
	memset(&w, 0, sizeof(w));
	for (uint32_t i = 0; i < JOBS; i++) {
		details[i].submit_time = NOW - 100;
		jobs[i].job_id = FIRST + i;
		jobs[i].job_state = JOB_PENDING;
		jobs[i].priority = 10;
		jobs[i].details = &details[i];
		jobs[i].part_ptr = &part;
		jobs[i].time_limit = 60;
	}
}

static bitstr_t *on(const char *which)
{
	bitstr_t *set = bit_alloc(NODES);

	for (int i = 0; which[i]; i++)
		bit_set(set, which[i] - '0');
	return set;
}

static void tell(void *arg, const struct libra_host_reservation *r)
{
	*(int *)arg += 1;
	w.told[w.ntold] = *r;
	memcpy(w.on[w.ntold++], r->nodes, NODES);
}

static bool ask_reservations(int *n)
{
	*n = w.ntold = 0;
	return libra_slurm_ops.reservations(tell, n, NOW);
}

static bool was_told(int i, double from_s, double to_s,
		     enum libra_host_repeat repeat, const char *which)
{
	bitstr_t *set = on(which);
	bool good = w.told[i].from_s == from_s && w.told[i].to_s == to_s &&
		    w.told[i].repeat == repeat;

	for (int k = 0; k < NODES; k++)
		good = good && w.on[i][k] == (bit_test(set, k) != 0);
	bit_free(set);
	return good;
}

static void try_reservations(void)
{
	static const struct {
		uint64_t flag;
		enum libra_host_repeat repeat;
	} repeats[] = {
		{RESERVE_FLAG_HOURLY, LIBRA_HOURLY},
		{RESERVE_FLAG_DAILY, LIBRA_DAILY},
		{RESERVE_FLAG_WEEKDAY, LIBRA_WEEKDAYS},
		{RESERVE_FLAG_WEEKEND, LIBRA_WEEKEND},
		{RESERVE_FLAG_WEEKLY, LIBRA_WEEKLY},
	};
	enum { REPEATS = sizeof(repeats) / sizeof(repeats[0]) };
	slurmctld_resv_t list[4 + REPEATS] = {0};
	uint8_t reserved[NODES] = {9, 9, 9, 9};
	bool good = true;
	int n;

	setup();
	ok(ask_reservations(&n) && n == 0 &&
		   !libra_slurm_ops.reserved(reserved, NODES),
	   "without a list nothing is reserved");
	resv_list = list_create(NULL);
	ok(ask_reservations(&n) && n == 0 &&
		   !libra_slurm_ops.reserved(reserved, NODES) &&
		   reserved[0] == 9,
	   "nor with an empty one");

	list[0].node_bitmap = on("13");
	list[0].start_time = NOW + 60;
	list[0].end_time = NOW + 120;
	list[1].node_bitmap = on("0"); /* over */
	list[1].end_time = NOW;
	list[2].end_time = NOW + 120;  /* of licences alone */
	list[3].node_bitmap = on("2"); /* floats */
	list[3].flags = RESERVE_FLAG_TIME_FLOAT;
	list[3].start_time = NOW + 300;
	list[3].end_time = NOW + 600;
	for (int i = 0; i < REPEATS; i++) {
		list[4 + i].node_bitmap = on("3");
		list[4 + i].flags = repeats[i].flag;
		list[4 + i].start_time = NOW - 60;
		list[4 + i].end_time = NOW + 1;
	}
	for (int i = 0; i < 4 + REPEATS; i++)
		list_append(resv_list, &list[i]);
	ok(ask_reservations(&n) && n == 2 + REPEATS &&
		   was_told(0, NOW + 60, NOW + 120, LIBRA_ONCE, "13"),
	   "a reservation is told with its nodes, what is over or has none not");
	ok(was_told(1, 0, NOW + 600, LIBRA_ONCE, "2"),
	   "one that floats has begun");
	for (int i = 0; i < REPEATS; i++)
		good = good && was_told(2 + i, NOW - 60, NOW + 1,
					repeats[i].repeat, "3");
	ok(good, "how often one comes again");
	ok(libra_slurm_ops.reserved(reserved, NODES) && reserved[0] == 0 &&
		   reserved[1] && reserved[2] && reserved[3],
	   "which nodes any has");

	fail_at(0);
	good = !ask_reservations(&n) && n == 0 && memory.calls == 1;
	fail_no_more();
	ok(good && ask_reservations(&n) && n == 2 + REPEATS &&
		   memory.blocks == 0,
	   "without memory none is told, and it says so; later all are");
	last_resv_update = 5;
	last_node_update = 3;
	ok(libra_slurm_ops.reservations_stamp() == 5 &&
		   libra_slurm_ops.nodes_stamp() == ((uint64_t)3 << 32) + 5,
	   "when reservations and nodes have changed");
	for (int i = 0; i < 4 + REPEATS; i++)
		FREE_NULL_BITMAP(list[i].node_bitmap);
	list_destroy(resv_list);
	resv_list = NULL;
}

static enum libra_host_job_state state(void)
{
	return libra_slurm_ops.job_state(FIRST);
}

static void try_states(void)
{
	job_record_t *job = &jobs[0];

	setup();
	ok(state() == LIBRA_JOB_PENDING &&
		   libra_slurm_ops.job_state(FIRST + JOBS) == LIBRA_JOB_GONE,
	   "a job waits, another is not known");
	job->job_state = JOB_COMPLETE;
	ok(state() == LIBRA_JOB_GONE && libra_slurm_ops.ended_by_itself(FIRST),
	   "it is complete: gone, by itself");
	job->job_state = JOB_TIMEOUT;
	ok(state() == LIBRA_JOB_GONE && libra_slurm_ops.ended_by_itself(FIRST),
	   "at its limit: likewise");
	job->job_state = JOB_CANCELLED;
	ok(state() == LIBRA_JOB_GONE &&
		   !libra_slurm_ops.ended_by_itself(FIRST) &&
		   !libra_slurm_ops.ended_by_itself(FIRST + JOBS),
	   "cancelled, or not known: not by itself");
	job->job_state = JOB_RUNNING;
	ok(state() == LIBRA_JOB_ALIVE, "it runs");
	job->job_state = JOB_SUSPENDED;
	ok(state() == LIBRA_JOB_ALIVE, "it is suspended");
	job->job_state = JOB_PENDING;
	job->priority = 0;
	ok(state() == LIBRA_JOB_BLOCKED, "it is held");
	job->priority = 10;
	details[0].dependency = (char *)"afterok:1";
	ok(state() == LIBRA_JOB_BLOCKED, "it depends on another");
	details[0].dependency = NULL;
	details[0].begin_time = NOW;
	ok(state() == LIBRA_JOB_PENDING, "its begin has come");
	details[0].begin_time = NOW + 1;
	ok(state() == LIBRA_JOB_BLOCKED, "its begin is to come");
	w.planned = NOW + 1;
	ok(state() == LIBRA_JOB_PENDING, "it begins as it was planned");
	w.planned = NOW + 2;
	ok(state() == LIBRA_JOB_PENDING, "or before, as another task of it");
	w.planned = NOW;
	job->restart_cnt = 1;
	ok(state() == LIBRA_JOB_PENDING, "it was requeued, and starts soon");
	details[0].begin_time = NOW + LIBRA_AGAIN_S;
	ok(state() == LIBRA_JOB_PENDING, "after the longest pause, too");
	details[0].begin_time = NOW + LIBRA_AGAIN_S + 1;
	ok(state() == LIBRA_JOB_BLOCKED, "but not later");
}

static void try_claims(void)
{
	char other[] = "libra:1 offer=4.22 job=8", its[] = "libra:1 offer=4.2 ",
	     text[] = "hello";

	setup();
	job_list = list_create(NULL);
	for (int i = 0; i < JOBS; i++)
		list_append(job_list, &jobs[i]);
	jobs[0].admin_comment = text;
	jobs[1].admin_comment = other;
	ok(!libra_slurm_ops.find_claim(4, 2) &&
		   libra_slurm_ops.find_claim(4, 22) == FIRST + 1 &&
		   !libra_slurm_ops.has_claim(FIRST, 4, 22) &&
		   libra_slurm_ops.has_claim(FIRST + 1, 4, 22),
	   "whose record names an offer, to the last digit");
	jobs[2].admin_comment = its;
	ok(libra_slurm_ops.find_claim(4, 2) == FIRST + 2 &&
		   !libra_slurm_ops.find_claim(3, 2) &&
		   !libra_slurm_ops.has_claim(FIRST + 1, 4, 2) &&
		   !libra_slurm_ops.has_claim(FIRST + JOBS, 4, 2),
	   "and of its epoch");
	jobs[2].job_state = JOB_FAILED;
	ok(!libra_slurm_ops.find_claim(4, 2) &&
		   !libra_slurm_ops.has_claim(FIRST + 2, 4, 2),
	   "what Slurm could not take has no record");
	list_destroy(job_list);
}

static bool may_be(const void *arg, double submit_s, uint32_t id,
		   const char *partition)
{
	return id != w.vetoed && strcmp(partition, "main") == 0;
}

static void try_oldest(void)
{
	struct libra_host_job seen = {0};

	setup();
	job_list = list_create(NULL);
	for (int i = 0; i < JOBS; i++)
		list_prepend(job_list, &jobs[i]);
	ok(libra_slurm_ops.oldest(may_be, NULL, NOW, &seen) &&
		   seen.job_id == FIRST && !seen.look_only,
	   "of equally old jobs the first is the oldest");
	details[1].submit_time = NOW - 101;
	ok(libra_slurm_ops.oldest(may_be, NULL, NOW, &seen) &&
		   seen.job_id == FIRST + 1,
	   "else the one that was submitted first");
	w.vetoed = FIRST + 1;
	ok(libra_slurm_ops.oldest(may_be, NULL, NOW, &seen) &&
		   seen.job_id == FIRST,
	   "that may be it");
	w.vetoed = 0;
	ok(!libra_slurm_ops.oldest(may_be, NULL, NOW - 101, &seen),
	   "before an instant none was");
	w.planned = NOW + 60;
	ok(!libra_slurm_ops.oldest(may_be, NULL, NOW, &seen),
	   "what has a planned start waits for no place");
	w.planned = 0;
	for (int i = 0; i < JOBS; i++)
		jobs[i].job_state = JOB_RUNNING;
	ok(!libra_slurm_ops.oldest(may_be, NULL, NOW, &seen) &&
		   libra_slurm_ops.running(FIRST, &seen) &&
		   seen.job_id == FIRST,
	   "nor what runs");
	jobs[0].job_state = JOB_COMPLETE;
	jobs[1].job_state = JOB_PENDING;
	ok(!libra_slurm_ops.running(FIRST, &seen) &&
		   !libra_slurm_ops.running(FIRST + 1, &seen) &&
		   !libra_slurm_ops.running(FIRST + JOBS, &seen),
	   "what is over, waits or is not known does not run");
	list_destroy(job_list);
}

static void try_minutes(void)
{
	slurmctld_resv_t resv = {.end_time = NOW + 1799};

	setup();
	slurm_conf.resv_over_run = 0;
	ok(libra_slurm_ops.job_minutes(FIRST) == 60 &&
		   !libra_slurm_ops.job_minutes(FIRST + JOBS),
	   "a job has its limit");
	jobs[0].resv_ptr = &resv;
	ok(libra_slurm_ops.job_minutes(FIRST) == 29,
	   "and no more than until its reservation ends");
	slurm_conf.resv_over_run = 2;
	ok(libra_slurm_ops.job_minutes(FIRST) == 31, "and a while");
	slurm_conf.resv_over_run = INFINITE16;
	ok(libra_slurm_ops.job_minutes(FIRST) == 60, "or as long as it likes");
	slurm_conf.resv_over_run = 0;
	resv.flags = RESERVE_FLAG_FLEX;
	ok(libra_slurm_ops.job_minutes(FIRST) == 60,
	   "one that is FLEX ends none");
	resv.flags = RESERVE_FLAG_DAILY;
	ok(libra_slurm_ops.job_minutes(FIRST) == 60,
	   "nor one that comes again");
	resv.flags = 0;
	resv.end_time = NOW + 59;
	ok(libra_slurm_ops.job_minutes(FIRST) == 1, "a minute is the least");
	jobs[0].job_state = JOB_RUNNING;
	jobs[0].start_time = NOW - 600;
	ok(libra_slurm_ops.job_minutes(FIRST) == 10,
	   "of a job that runs, in all");
	jobs[0].job_state = JOB_COMPLETE;
	ok(!libra_slurm_ops.job_minutes(FIRST), "what is over has none");
}

/* What Slurm tests with a shorter limit than it may have in the end. */
static void try_longest(void)
{
	struct libra_host_job seen;

	setup();
	seen = libra_view(&jobs[0], true);
	ok(seen.minutes == 60 && !seen.longest && seen.look_only,
	   "a job is seen with its limit");
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	qos.flags = QOS_FLAG_NO_RESERVE;
	jobs[0].qos_ptr = &qos;
	seen = libra_view(&jobs[0], false);
	ok(seen.minutes == 60 && !seen.longest, "and so of such a QOS");
	jobs[0].time_limit = 1;
	seen = libra_view(&jobs[0], false);
	ok(seen.minutes == 90 && seen.longest,
	   "but a minute may become the partition's limit");
	qos.flags |= QOS_FLAG_PART_TIME_LIMIT;
	ok(libra_view(&jobs[0], false).minutes == INFINITE,
	   "or no limit at all");
	qos.flags = 0;
	jobs[0].start_time = NOW - 2;
	jobs[0].job_state = JOB_RUNNING;
	ok(libra_view(&jobs[0], false).minutes == 1,
	   "what has run for a while has the limit that it has");
	slurm_conf.preempt_mode = 0;
}

static void try_rights(void)
{
	char account[] = "physics";
	const void *job = &jobs[0];

	setup();
	jobs[0].user_id = 100;
	jobs[0].account = account;
	ok(libra_slurm_ops.right(job, 1) == LIBRA_RIGHT_OPERATOR,
	   "an operator has a right to a job");
	ok(libra_slurm_ops.right(job, 100) == LIBRA_RIGHT_OWNER,
	   "its user has");
	ok(libra_slurm_ops.right(job, 2) == LIBRA_RIGHT_OWNER,
	   "its account's coordinator has");
	ok(libra_slurm_ops.right(job, 3) == LIBRA_RIGHT_NONE,
	   "nobody else has");
	jobs[0].account = NULL;
	ok(libra_slurm_ops.right(job, 2) == LIBRA_RIGHT_NONE,
	   "nor a coordinator of another one");
}

static void try_charge(void)
{
	uint64_t count[] = {10};
	double weights[] = {3};

	setup();
	jobs[0].total_cpus = 8;
	jobs[0].billable_tres = 7;
	libra_slurm_ops.charge(FIRST, 0.5);
	libra_slurm_ops.charge(FIRST + JOBS, 0.5);
	ok(jobs[0].billable_tres == 7, "what waits is charged nothing");
	jobs[0].job_state = JOB_RUNNING;
	libra_slurm_ops.charge(FIRST, 0.5);
	ok(jobs[0].billable_tres == 7, "nor what Slurm has not counted");
	jobs[0].tres_alloc_cnt = count;
	libra_slurm_ops.charge(FIRST, 0.5);
	ok(jobs[0].billable_tres == 4, "a half of a job's processors");
	part.billing_weights = weights;
	libra_slurm_ops.charge(FIRST, 0.5);
	ok(jobs[0].billable_tres == 15, "or of what the partition makes of it");
	part.billing_weights = NULL;
}

static void try_records(void)
{
	struct libra_host_placement placement = {0};
	struct libra_host_record record = {.comment = (char *)"libra:1 b"};

	setup();
	jobs[0].admin_comment = xstrdup("libra:1 a");
	jobs[0].billable_tres = 3;
	last_job_update = 0;
	libra_slurm_ops.write_record(FIRST, &record);
	ok(strcmp(jobs[0].admin_comment, "libra:1 b") == 0 && w.changes == 1 &&
		   w.begins == 1 && last_job_update == NOW &&
		   jobs[0].billable_tres == (double)NO_VAL,
	   "a record is written, and what a waiting job was charged forgotten");
	libra_slurm_ops.write_record(FIRST + JOBS, &record);
	libra_take_record(&jobs[0], &placement);
	ok(w.changes == 1, "of no job, or with a place without one, none is");
	placement.record.comment = strdup("libra:1 c");
	jobs[0].job_state = JOB_RUNNING;
	jobs[0].billable_tres = 3;
	memory.blocks =
		placement.record.comment != NULL; /* strdup() is not counted */
	libra_take_record(&jobs[0], &placement);
	ok(strcmp(jobs[0].admin_comment, "libra:1 c") == 0 &&
		   !placement.record.comment && memory.blocks == 0 &&
		   jobs[0].billable_tres == 3,
	   "one that came with a place is taken, and freed");
	xfree(jobs[0].admin_comment);
}

static void try_nodes(void)
{
	setup();
	node_record_table_ptr = table;
	for (int i = 1; i < NODES; i++)
		table[i] = &nodes[i];
	nodes[1].node_state = NODE_STATE_IDLE;
	nodes[2].node_state = NODE_STATE_DOWN;
	nodes[3].node_state = NODE_STATE_ALLOCATED | NODE_STATE_DRAIN;
	ok(libra_slurm_ops.node_state(0) == LIBRA_NODE_DOWN &&
		   libra_slurm_ops.node_state(2) == LIBRA_NODE_DOWN,
	   "a node that is not there, or down, is down");
	ok(libra_slurm_ops.node_state(1) == LIBRA_NODE_UP, "an idle one is up");
	ok(libra_slurm_ops.node_state(3) == LIBRA_NODE_DRAIN, "one drains");
	nodes[3].node_state = NODE_STATE_ALLOCATED | NODE_STATE_FAIL;
	ok(libra_slurm_ops.node_state(3) == LIBRA_NODE_DRAIN,
	   "one fails: likewise");
	nodes[1].node_state = NODE_STATE_UNKNOWN;
	nodes[2].node_state = NODE_STATE_FUTURE;
	ok(libra_slurm_ops.node_state(1) == LIBRA_NODE_UP &&
		   libra_slurm_ops.node_state(2) == LIBRA_NODE_DOWN,
	   "one not heard of is up, one of the future down");
}

/* Nodes that come back by themselves. */
static void try_away(void)
{
	static const struct {
		uint32_t state, next_state;
		enum libra_host_away_kind kind;
		enum libra_node_state counts;
		const char *name;
	} seen[] = {
		{NODE_STATE_IDLE | NODE_STATE_COMPLETING, NO_VAL,
		 LIBRA_AWAY_COMPLETING, LIBRA_NODE_DRAIN, "completing"},
		{NODE_STATE_MIXED | NODE_STATE_COMPLETING | NODE_STATE_DRAIN,
		 NO_VAL, LIBRA_AWAY_NOT, LIBRA_NODE_DRAIN,
		 "drained while it completes: not back by itself"},
		{NODE_STATE_MIXED | NODE_STATE_DRAIN |
			 NODE_STATE_REBOOT_REQUESTED,
		 NODE_RESUME | NODE_STATE_UNDRAIN, LIBRA_AWAY_REBOOT_ASKED,
		 LIBRA_NODE_DRAIN, "reboot ASAP"},
		{NODE_STATE_MIXED | NODE_STATE_DRAIN |
			 NODE_STATE_REBOOT_REQUESTED,
		 NODE_STATE_DOWN, LIBRA_AWAY_NOT, LIBRA_NODE_DRAIN,
		 "reboot ASAP nextstate=DOWN: not back by itself"},
		{NODE_STATE_MIXED | NODE_STATE_REBOOT_REQUESTED, NO_VAL,
		 LIBRA_AWAY_NOT, LIBRA_NODE_UP,
		 "reboot when it is idle: jobs start"},
		{NODE_STATE_DOWN | NODE_STATE_REBOOT_ISSUED, NO_VAL,
		 LIBRA_AWAY_REBOOT, LIBRA_NODE_DOWN, "it reboots"},
		{NODE_STATE_DOWN | NODE_STATE_REBOOT_ISSUED | NODE_STATE_DRAIN,
		 NO_VAL, LIBRA_AWAY_NOT, LIBRA_NODE_DOWN,
		 "a drained one reboots: not back by itself"},
		{NODE_STATE_DOWN, NO_VAL, LIBRA_AWAY_NOT, LIBRA_NODE_DOWN,
		 "down"},
		{NODE_STATE_ALLOCATED | NODE_STATE_POWERING_UP, NO_VAL,
		 LIBRA_AWAY_BOOTS, LIBRA_NODE_DRAIN, "it boots"},
		{NODE_STATE_IDLE | NODE_STATE_POWERED_DOWN, NO_VAL,
		 LIBRA_AWAY_NOT, LIBRA_NODE_UP, "powered down: jobs start"},
		{NODE_STATE_IDLE | NODE_STATE_MAINT | NODE_STATE_PLANNED |
			 NODE_STATE_CLOUD,
		 NO_VAL, LIBRA_AWAY_NOT, LIBRA_NODE_UP, "of a reservation"},
	};
	struct libra_host_away away;

	setup();
	node_record_table_ptr = table;
	table[1] = &nodes[1];
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++) {
		bool is;

		nodes[1].node_state = seen[i].state;
		nodes[1].next_state = seen[i].next_state;
		is = libra_slurm_ops.node_away(1, &away);
		ok(is == (seen[i].kind != LIBRA_AWAY_NOT) &&
			   (!is || (away.kind == seen[i].kind && away.text)) &&
			   (seen[i].kind != LIBRA_AWAY_COMPLETING ||
			    away.longest_s == 361) &&
			   libra_slurm_ops.node_state(1) == seen[i].counts,
		   seen[i].name);
	}
	ok(!libra_slurm_ops.node_away(0, &away),
	   "one that is not there is not away");
}

int main(void)
{
	try_reservations();
	try_states();
	try_claims();
	try_oldest();
	try_minutes();
	try_longest();
	try_rights();
	try_charge();
	try_records();
	try_nodes();
	try_away();
	return finish();
}
