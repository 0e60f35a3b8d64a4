/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offers.c - see offers.h.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/cli/log_lines.h"
#include "plugin/cli/offers.h"
#include "plugin/cli/print.h"

/* A ticket whose later lines were read, but not yet its offer. */
struct closed {
	uint64_t ticket;
	bool over;   /* or begun */
	uint32_t id; /* else: committed to this job */
};

struct reader {
	const struct cli_cluster *cluster;
	struct cli_offers *offers;
	double after_s; /* older lines do not count */
	double by_s;	/* nor offers that the list of jobs cannot know */
	struct closed *closed;
	size_t nclosed, cap;
	uint32_t *ids; /* of the jobs in the queue, and of their arrays */
	size_t nids;
};

/* ---- jobs in the queue ---- */

static int by_id(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void list_jobs(struct reader *r)
{
	const struct cli_cluster *cluster = r->cluster;

	r->ids = calloc(2 * (size_t)cluster->njobs + 1, sizeof(*r->ids));
	if (!r->ids)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		if (cluster->jobs[i].state == CLI_JOB_OVER)
			continue;
		r->ids[r->nids++] = cluster->jobs[i].id;
		r->ids[r->nids++] = cluster->jobs[i].array_id;
	}
	qsort(r->ids, r->nids, sizeof(*r->ids), by_id);
}

/* Who may not see the jobs of others takes them to be there. */
static bool is_queued(const struct reader *r, uint32_t id)
{
	return r->cluster->hidden ||
	       bsearch(&id, r->ids, r->nids, sizeof(id), by_id);
}

/* ---- what became of offers ---- */

static void add_closed(struct reader *r, const struct closed *closed)
{
	size_t cap = r->cap ? 2 * r->cap : 64;
	struct closed *more;

	if (r->nclosed == r->cap) {
		more = realloc(r->closed, cap * sizeof(*more));
		if (!more)
			cli_no_memory();
		r->closed = more;
		r->cap = cap;
	}
	r->closed[r->nclosed++] = *closed;
}

/* Did it end, or become a job that is there?  Forget what was read of it: the
 * offer is its first line.  The last that were read are looked at first, as
 * most offers are committed at once.
 */
static bool take_closed(struct reader *r, uint64_t ticket)
{
	bool is = false;

	for (size_t i = r->nclosed; i > 0; i--) {
		struct closed *c = &r->closed[i - 1];

		if (c->ticket != ticket)
			continue;
		is = is || c->over || is_queued(r, c->id);
		*c = r->closed[--r->nclosed];
		if (is)
			break;
	}
	return is;
}

/* Note a line that closes an offer.  Slurm may refuse a submission after its
 * job was committed, so a commit closes the offer of an existing job only.
 */
static void read_closing(struct reader *r, const struct cli_log_line *line)
{
	struct closed closed = {
		.ticket = cli_log_number(line, "\"ticket\":"),
		.over = !cli_log_is(line, "commit"),
		.id = (uint32_t)cli_log_number(line, "\"id\":"),
	};

	if (cli_log_number(line, "\"rc\":") == 0)
		add_closed(r, &closed);
}

/* ---- offers ---- */

static void add_range(struct reader *r, const json_t *range, double share)
{
	struct cli_offers *o = r->offers;
	json_int_t first = json_integer_value(json_array_get(range, 0));
	json_int_t count = json_integer_value(json_array_get(range, 1));
	json_int_t nprocs = r->cluster->nprocs;

	if (first < 0 || first > nprocs || count > nprocs - first)
		return;
	for (json_int_t i = first; i < first + count; i++) {
		o->nprocs += o->shares[i] == 0;
		o->shares[i] += share;
	}
}

/* Add the processors of an accepted offer. */
static int read_offer(struct reader *r, const json_t *line)
{
	double share = json_number_value(json_object_get(line, "share"));
	const json_t *range;
	size_t i;

	if (cli_json_double(line, "now_s") > r->by_s)
		return 0;
	if (cli_cluster_in_turn(r->cluster) ||
	    libra_host_conf_plans(&r->cluster->conf))
		share = 1;
	r->offers->n++;
	json_array_foreach(json_object_get(line, "placement"), i, range)
		add_range(r, range, share);
	return 0;
}

/* ---- the log, from its end ---- */

static int not_enough(struct reader *r)
{
	char ttl[32];

	libra_host_duration_text(r->cluster->conf.offer_ttl_s, ttl);
	return libra_errf(&r->offers->why, ENODATA,
			  "the decision log does not go back %s", ttl);
}

static int read_opening(struct reader *r, const json_t *line)
{
	return json_object_get(line, "continues") ? not_enough(r) : 1;
}

/* What was before a step of the clock has the times of before. */
static int read_clock(struct reader *r, const json_t *line)
{
	double by_s =
		cli_json_double(line, "now_s") - cli_json_double(line, "was_s");

	if (json_integer_value(json_object_get(line, "rc")) != 0)
		return 0;
	r->after_s -= by_s;
	r->by_s -= by_s;
	return 0;
}

static bool is_expired(const struct cli_log_line *line)
{
	static const char mark[] = "{\"action\":\"reject\"";

	return line->len > sizeof(mark) &&
	       memcmp(line->text, mark, sizeof(mark) - 1) == 0;
}

static bool is_closing(const struct cli_log_line *line)
{
	return cli_log_is(line, "commit") || cli_log_is(line, "withdraw") ||
	       cli_log_is(line, "started") || cli_log_is(line, "departed") ||
	       is_expired(line);
}

/* Return true if a line accepts an offer that no later line closes. */
static bool is_open_offer(struct reader *r, const struct cli_log_line *line)
{
	uint64_t ticket;

	if (!cli_log_is(line, "offer") ||
	    !cli_log_has(line, "\"answer\":\"accept\""))
		return false;
	ticket = cli_log_number(line, "\"ticket\":");
	return ticket != 0 && !take_closed(r, ticket);
}

/* Result: 0 to go on, 1 where the run begins, or -1.  Only the few lines that
 * need more than numbers are parsed.
 */
static int read_line(struct reader *r, const struct cli_log_line *line)
{
	int (*read)(struct reader *, const json_t *) = NULL;
	json_t *json;
	int rc;

	if (cli_log_is(line, "gap"))
		return libra_errf(&r->offers->why, ENODATA,
				  "lines are missing in the decision log");
	if (is_closing(line))
		read_closing(r, line);
	else if (is_open_offer(r, line))
		read = read_offer;
	else if (cli_log_is(line, "engine"))
		read = read_opening;
	else if (cli_log_is(line, "clock"))
		read = read_clock;
	if (!read)
		return 0;
	json = cli_log_parse(line, &r->offers->why);
	if (!json)
		return -1;
	rc = read(r, json);
	json_decref(json);
	return rc;
}

static int read_log(struct reader *r, struct cli_log *log)
{
	struct cli_log_line line;
	int rc;

	while ((rc = cli_log_before(log, &line, &r->offers->why)) > 0) {
		if (cli_log_time(&line) < r->after_s)
			return 0;
		rc = read_line(r, &line);
		if (rc != 0)
			return rc < 0 ? -1 : 0;
	}
	return rc < 0 ? -1 : not_enough(r);
}

int cli_offers_read(FILE *fp, const struct cli_cluster *cluster,
		    struct cli_offers *offers)
{
	struct reader r = {
		.cluster = cluster,
		.offers = offers,
		.after_s = cluster->now_s - cluster->conf.offer_ttl_s,
		.by_s = cluster->now_s,
	};
	struct cli_log log = {NULL};
	int rc;

	*offers = (struct cli_offers){
		.shares = calloc(cluster->nprocs + 1u, sizeof(double))};
	if (!offers->shares)
		cli_no_memory();
	list_jobs(&r);
	rc = cli_log_init(&log, fp, &offers->why);
	if (rc == 0)
		rc = read_log(&r, &log);
	cli_log_fini(&log);
	free(r.closed);
	free(r.ids);
	offers->known = rc == 0;
	return rc;
}

void cli_offers_fini(struct cli_offers *offers)
{
	free(offers->shares);
	*offers = (struct cli_offers){0};
}
