/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - one job in the decision log.
 *
 * The verdict is looked for from the log's end: by the commit or the start of
 * the job's id, or by what the record says.  From there what happened to its
 * ticket is read forward.  So what is read is what the log has since the
 * verdict.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/log_lines.h"
#include "plugin/cli/print.h"

/* A clock may be set back: what is older by so much was before, all the same.
 */
#define CLOCK_S 86400.0

struct reader {
	const struct cli_cluster *cluster;
	const struct cli_job *job; /* NULL = by the id alone */
	uint32_t id;
	char id_field[32];     /* "id":7, as the log has it */
	char submit_field[48]; /* of the record; "" = none */
	uint64_t ticket;       /* of the job in this run; 0 = not known */
	char ticket_field[40];
	uint64_t epoch; /* of this run; 0 = not known */
	double at_s;	/* of the last schedule: actions have no time */
	struct cli_history *h;
};

static void set_tested(struct cli_history *h, const json_t *line)
{
	const json_t *beside = json_object_get(line, "beside");
	const json_t *ends = json_object_get(line, "ends_s");

	h->beside = json_is_number(beside) ? json_number_value(beside) : NAN;
	h->ends_s = json_is_number(ends) ? json_number_value(ends) : NAN;
}

static uint64_t whole(const json_t *line, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(line, name));
}

static void set_ticket(struct reader *r, uint64_t ticket)
{
	r->ticket = ticket;
	snprintf(r->ticket_field, sizeof(r->ticket_field),
		 "\"ticket\":%" PRIu64, ticket);
}

/* Does a placement, a list of [FIRST,COUNT], have a processor? */
static bool has(const json_t *placement, json_int_t proc)
{
	size_t i;
	const json_t *range;

	json_array_foreach(placement, i, range)
	{
		json_int_t first = json_integer_value(json_array_get(range, 0));

		if (proc >= first &&
		    proc < first + json_integer_value(json_array_get(range, 1)))
			return true;
	}
	return false;
}

/* Does an offer have the processors of the job's record? */
static bool same_place(const struct reader *r, const json_t *placement)
{
	struct cli_part *parts;
	int64_t n = cli_job_parts(r->cluster, r->job, &parts);
	bool same = n >= 0;

	for (int64_t i = 0; same && i < n; i++)
		for (uint32_t c = 0; same && c < parts[i].count; c++)
			same = has(placement,
				   r->cluster->nodes[parts[i].node].first +
					   parts[i].first + c);
	if (n >= 0)
		free(parts);
	return same;
}

/* ---- backward: its verdict ---- */

/* Tasks of an array are committed under the array's id, and start under their
 * own; until then they differ by their processors alone.
 */
static int read_id(struct reader *r, const struct cli_log_line *line,
		   struct libra_error *err)
{
	bool array = r->job && r->job->array_id;
	json_t *json;

	if (r->ticket || (array && !cli_log_is(line, "started")) ||
	    !cli_log_has(line, r->id_field))
		return 0;
	json = cli_log_parse(line, err);
	if (!json)
		return -1;
	if (json_integer_value(json_object_get(json, "rc")) == 0)
		set_ticket(r, whole(json, "ticket"));
	json_decref(json);
	return 0;
}

static bool is_its_offer(const struct reader *r, const json_t *offer)
{
	const json_t *placement = json_object_get(offer, "placement");

	if (!placement)
		return false;
	if (r->ticket)
		return whole(offer, "ticket") == r->ticket;
	return *r->submit_field && same_place(r, placement);
}

/* Result: 1 if it is the job's verdict, 0, or -1. */
static int read_offer(struct reader *r, const struct cli_log_line *line,
		      struct libra_error *err)
{
	const char *field = r->ticket ? r->ticket_field : r->submit_field;
	json_t *json;

	if (!*field || !cli_log_has(line, field))
		return 0;
	json = cli_log_parse(line, err);
	if (!json)
		return -1;
	if (!is_its_offer(r, json)) {
		json_decref(json);
		return 0;
	}
	r->h->offer = json;
	set_tested(r->h, json);
	set_ticket(r, whole(json, "ticket"));
	return 1;
}

/* Where the run begins, tickets of another one end. */
static int read_opening(struct reader *r, const struct cli_log_line *line,
			struct libra_error *err)
{
	json_t *json = cli_log_parse(line, err);

	if (!json)
		return -1;
	if (r->h->offer && !r->h->run) {
		r->h->run = json;
		r->epoch = whole(json, "epoch");
		return 1;
	}
	if (!json_object_get(json, "continues"))
		set_ticket(r, 0);
	json_decref(json);
	return 0;
}

/* Is a line from before the job was there? */
static bool is_before(const struct reader *r, const struct cli_log_line *line)
{
	return *r->submit_field &&
	       cli_log_time(line) < r->job->promise.submit_s - CLOCK_S;
}

/* Result: the place of the verdict's line, -1 if there is none or on failure;
 *         then the text is set.
 */
static off_t find_offer(struct reader *r, struct cli_log *log,
			struct libra_error *err)
{
	struct cli_log_line line;
	int rc;

	while ((rc = cli_log_before(log, &line, err)) > 0) {
		rc = 0;
		if (cli_log_is(&line, "commit") || cli_log_is(&line, "started"))
			rc = read_id(r, &line, err);
		else if (cli_log_is(&line, "engine"))
			rc = read_opening(r, &line, err);
		else if (cli_log_is(&line, "offer"))
			rc = is_before(r, &line) ? -2
						 : read_offer(r, &line, err);
		if (rc != 0)
			break;
	}
	return rc > 0 ? line.at : -1;
}

/* The policy is in the line; in a log of before 0.2, in that which opens the
 * run.
 */
static int find_policy(struct reader *r, struct cli_log *log,
		       struct libra_error *err)
{
	struct cli_log_line line;
	int rc = 0;

	if (json_object_get(r->h->offer, "policy")) {
		r->h->policy = cli_json_text(r->h->offer, "policy");
		return 0;
	}
	while (!r->h->run && (rc = cli_log_before(log, &line, err)) > 0)
		if (cli_log_is(&line, "engine") &&
		    read_opening(r, &line, err) < 0)
			return -1;
	if (r->h->run)
		r->h->policy = cli_json_text(r->h->run, "policy");
	return rc < 0 ? -1 : 0;
}

/* ---- forward: what became of it ---- */

static void event_at(struct reader *r, const char *what, double at_s)
{
	json_array_append_new(r->h->events, json_pack("{s:s, s:f}", "what",
						      what, "at_s", at_s));
}

static void event(struct reader *r, const char *what, const json_t *line)
{
	event_at(r, what, json_number_value(json_object_get(line, "now_s")));
}

static void read_change(struct reader *r, json_t *line)
{
	const char *reason = cli_json_text(line, "reason");
	char refused[64];

	if (strcmp(cli_json_text(line, "answer"), "accept") != 0) {
		snprintf(refused, sizeof(refused), "change refused%s%.40s%s",
			 *reason ? " (" : "", reason, *reason ? ")" : "");
		event(r, refused, line);
		return;
	}
	event(r, "change accepted", line);
	json_decref(r->h->changed);
	r->h->changed = json_incref(line);
	set_tested(r->h, line);
}

static void read_event(struct reader *r, json_t *line)
{
	const char *call = cli_json_text(line, "call");

	if (strcmp(call, "offer") == 0)
		event(r, "promised", line);
	else if (strcmp(call, "commit") == 0)
		event(r, "committed", line);
	else if (strcmp(call, "started") == 0)
		event(r, "started", line);
	else if (strcmp(call, "modify") == 0)
		read_change(r, line);
	else if (strcmp(call, "departed") == 0)
		event(r, "departed", line);
	else if (strcmp(call, "withdraw") == 0)
		event(r, "released its promise", line);
	else if (strcmp(cli_json_text(line, "action"), "late") == 0)
		event_at(r, "promise broken", r->at_s);
	else
		return;
	if (strcmp(call, "departed") == 0 || strcmp(call, "withdraw") == 0)
		set_ticket(r, 0);
}

/* A run ends with its tickets, and may be followed by one that restores them.
 */
static void read_run(struct reader *r, const json_t *line)
{
	uint64_t epoch = whole(line, "epoch");

	if (!json_object_get(line, "continues") ||
	    (r->epoch && epoch != r->epoch))
		set_ticket(r, 0);
	r->epoch = epoch;
}

static void read_restore(struct reader *r, const json_t *line)
{
	if (json_integer_value(json_object_get(line, "rc")) != 0)
		return;
	set_ticket(r, whole(line, "ticket"));
	event(r, "restored", line);
}

static int read_forward(struct reader *r, const struct cli_log_line *line,
			struct libra_error *err)
{
	bool run = cli_log_is(line, "engine");
	bool again = (cli_log_is(line, "restore") ||
		      cli_log_is(line, "restore_waiting")) &&
		     cli_log_has(line, r->id_field);
	json_t *json;

	if (r->ticket && cli_log_is(line, "schedule"))
		r->at_s = cli_log_time(line);
	if (!run && !again &&
	    (!r->ticket || !cli_log_has(line, r->ticket_field)))
		return 0;
	json = cli_log_parse(line, err);
	if (!json)
		return -1;
	if (run)
		read_run(r, json);
	else if (again)
		read_restore(r, json);
	else
		read_event(r, json);
	json_decref(json);
	return 0;
}

static int read_log(struct reader *r, struct cli_log *log,
		    struct libra_error *err)
{
	struct cli_log_line line;
	off_t at = find_offer(r, log, err);
	int rc;

	if (at < 0)
		return *err->text ? -1 : 0;
	if (find_policy(r, log, err) < 0 || cli_log_seek(log, at, err) < 0)
		return -1;
	while ((rc = cli_log_after(log, &line, err)) > 0)
		if (read_forward(r, &line, err) < 0)
			return -1;
	return rc;
}

int cli_history_read(FILE *fp, const struct cli_cluster *cluster,
		     const struct cli_job *job, uint32_t id,
		     struct cli_history *h, struct libra_error *err)
{
	struct reader r = {.cluster = cluster, .job = job, .id = id, .h = h};
	struct libra_error none = {""};
	struct cli_log log;
	int rc = -1;

	*h = (struct cli_history){.beside = NAN, .ends_s = NAN};
	h->events = json_array();
	if (!err)
		err = &none;
	snprintf(r.id_field, sizeof(r.id_field), "\"id\":%" PRIu32, id);
	if (job && job->promised && job->promise.offer)
		snprintf(r.submit_field, sizeof(r.submit_field),
			 "\"submit_s\":%.17g", job->promise.submit_s);
	if (cli_log_init(&log, fp, err) == 0)
		rc = read_log(&r, &log, err);
	cli_log_fini(&log);
	return rc;
}

void cli_history_fini(struct cli_history *h)
{
	json_decref(h->offer);
	json_decref(h->changed);
	json_decref(h->events);
	json_decref(h->run);
	*h = (struct cli_history){.beside = NAN, .ends_s = NAN};
}
