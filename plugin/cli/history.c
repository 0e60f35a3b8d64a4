/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - one job in the decision log, and the last refusals.
 *
 * The log is read once, from the beginning.  The promises that hold at each
 * line are kept, so that the shares beside a new one can be added up, as they
 * were promised.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

struct reader {
	const struct cli_cluster *cluster;
	const struct cli_job *job; /* NULL = by the id alone */
	uint32_t id;
	json_t *live;	 /* ticket -> line of its offer */
	uint64_t ticket; /* of the job in this run; 0 = not yet */
	uint64_t epoch;
	json_t *run;
	struct cli_history *h;
};

static uint64_t ticket_of(const json_t *line)
{
	return (uint64_t)json_integer_value(json_object_get(line, "ticket"));
}

static void key_of(uint64_t ticket, char key[24])
{
	snprintf(key, 24, "%" PRIu64, ticket);
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

static double promised_on(const json_t *live, json_int_t proc)
{
	const char *key;
	const json_t *line;
	double sum = 0;

	json_object_foreach(
		(json_t *)live, key,
		line) if (has(json_object_get(line, "placement"), proc)) sum +=
		cli_json_double(line, "share");
	return sum;
}

/* The most that is promised on one of a placement's processors. */
static double most_promised(const json_t *live, const json_t *placement)
{
	size_t i;
	const json_t *range;
	double most = 0;

	json_array_foreach(placement, i, range)
	{
		json_int_t first = json_integer_value(json_array_get(range, 0));
		json_int_t n = json_integer_value(json_array_get(range, 1));

		for (json_int_t p = first; p < first + n; p++)
			most = fmax(most, promised_on(live, p));
	}
	return most;
}

static void event(struct reader *r, const char *what, const json_t *line)
{
	json_array_append_new(
		r->h->events,
		json_pack("{s:s, s:f}", "what", what, "at_s",
			  json_number_value(json_object_get(line, "now_s"))));
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

static void take(struct reader *r, json_t *offer)
{
	json_decref(r->h->offer);
	json_decref(r->h->run);
	r->h->offer = json_incref(offer);
	r->h->run = json_incref(r->run);
	r->h->policy = cli_json_text(r->run, "policy");
	r->h->beside = cli_json_double(offer, "beside");
	r->ticket = ticket_of(offer);
}

static void read_offer(struct reader *r, json_t *line)
{
	const json_t *placement = json_object_get(line, "placement");
	char key[24];

	if (!placement)
		return;
	/* Logs of before 0.2 have it not: then as once promised. */
	if (!json_object_get(line, "beside"))
		json_object_set_new(
			line, "beside",
			json_real(most_promised(r->live, placement)));
	key_of(ticket_of(line), key);
	json_object_set(r->live, key, line);
	if (r->job && r->job->promised && r->job->promise.offer &&
	    cli_json_double(line, "submit_s") == r->job->promise.submit_s &&
	    same_place(r, placement)) {
		take(r, line);
		event(r, "promised", line);
	}
}

/* A restored job: its parts are its placement. */
static void read_restore(struct reader *r, json_t *line)
{
	char key[24];

	if (json_integer_value(json_object_get(line, "rc")) != 0)
		return;
	json_object_set(line, "placement", json_object_get(line, "parts"));
	json_object_set_new(line, "share",
			    json_real(cli_json_double(line, "estimate_s") /
				      (cli_json_double(line, "deadline_s") -
				       cli_json_double(line, "submit_s"))));
	key_of(ticket_of(line), key);
	json_object_set(r->live, key, line);
	if ((uint32_t)json_integer_value(json_object_get(line, "id")) ==
	    r->id) {
		r->ticket = ticket_of(line);
		event(r, "restored", line);
	}
}

static void read_commit(struct reader *r, const json_t *line)
{
	char key[24];
	json_t *offer;

	key_of(ticket_of(line), key);
	offer = json_object_get(r->live, key);
	if (!r->job && !r->h->offer && offer &&
	    (uint32_t)json_integer_value(json_object_get(line, "id")) ==
		    r->id) {
		take(r, offer);
		event(r, "promised", offer);
	}
	if (r->ticket && ticket_of(line) == r->ticket)
		event(r, "committed", line);
}

static void read_end(struct reader *r, const char *what, const json_t *line)
{
	char key[24];

	key_of(ticket_of(line), key);
	json_object_del(r->live, key);
	if (r->ticket && ticket_of(line) == r->ticket) {
		event(r, what, line);
		r->ticket = 0;
	}
}

static void read_run(struct reader *r, json_t *line)
{
	uint64_t epoch =
		(uint64_t)json_integer_value(json_object_get(line, "epoch"));

	if (r->run && epoch == r->epoch)
		return;
	json_decref(r->run);
	r->run = json_incref(line);
	r->epoch = epoch;
	r->ticket = 0;
	json_object_clear(r->live);
}

static void read_line(struct reader *r, json_t *line)
{
	const char *call = cli_json_text(line, "call");
	bool ours = r->ticket && ticket_of(line) == r->ticket;

	if (strcmp(call, "engine") == 0)
		read_run(r, line);
	else if (strcmp(call, "offer") == 0)
		read_offer(r, line);
	else if (strcmp(call, "restore") == 0)
		read_restore(r, line);
	else if (strcmp(call, "commit") == 0)
		read_commit(r, line);
	else if (strcmp(call, "started") == 0 && ours)
		event(r, "started", line);
	else if (strcmp(call, "departed") == 0)
		read_end(r, "departed", line);
	else if (strcmp(call, "withdraw") == 0)
		read_end(r, "released its promise", line);
	else if (strcmp(call, "modify") == 0 && ours)
		event(r,
		      strcmp(cli_json_text(line, "answer"), "accept") == 0
			      ? "change accepted"
			      : "change refused",
		      line);
}

/* The objects of a log, one a line.
 * Result: 1 and the line, 0 at the end, or -1.
 */
static int next_line(FILE *log, char **data, size_t *cap, uint64_t *number,
		     json_t **line, struct libra_error *err)
{
	ssize_t n = getline(data, cap, log);

	if (n < 0)
		return ferror(log)
			       ? libra_errf(err, errno, "the decision log: %s",
					    strerror(errno))
			       : 0;
	++*number;
	/* The last line may not be written to its end yet. */
	if ((*data)[n - 1] != '\n')
		return 0;
	*line = json_loadb(*data, (size_t)n, 0, NULL);
	if (json_is_object(*line))
		return 1;
	json_decref(*line);
	return libra_errf(err, EINVAL,
			  "line %" PRIu64 " of the decision log is damaged",
			  *number);
}

int cli_history_read(FILE *log, const struct cli_cluster *cluster,
		     const struct cli_job *job, uint32_t id,
		     struct cli_history *h, struct libra_error *err)
{
	struct reader r = {.cluster = cluster, .job = job, .id = id, .h = h};
	char *data = NULL;
	size_t cap = 0;
	uint64_t number = 0;
	json_t *line;
	int rc;

	*h = (struct cli_history){.beside = NAN};
	h->events = json_array();
	r.live = json_object();
	while ((rc = next_line(log, &data, &cap, &number, &line, err)) > 0) {
		read_line(&r, line);
		json_decref(line);
	}
	free(data);
	json_decref(r.live);
	json_decref(r.run);
	return rc;
}

void cli_history_fini(struct cli_history *h)
{
	json_decref(h->offer);
	json_decref(h->events);
	json_decref(h->run);
	*h = (struct cli_history){.beside = NAN};
}

/* ---- refusals ---- */

static void print_refusal(const json_t *line, FILE *out)
{
	char at[32], by[32];
	double now_s = cli_json_double(line, "now_s");
	double deadline_s = cli_json_double(line, "deadline_s");
	double earliest_s = cli_json_double(line, "earliest_s");

	cli_clock_text(floor(now_s), at);
	cli_clock_text(deadline_s, by);
	fprintf(out,
		"%s  refused (%s): %.0f processors for %.0f s by %s, a share "
		"of %.2f each",
		at, cli_json_text(line, "reason"),
		cli_json_double(line, "nprocs"),
		cli_json_double(line, "estimate_s"), by,
		cli_json_double(line, "estimate_s") / (deadline_s - now_s));
	if (isfinite(earliest_s)) {
		cli_clock_text(earliest_s, at);
		fprintf(out, "; earliest deadline then: %s", at);
	}
	fputc('\n', out);
}

/* Keep a refusal, and the earliest deadline that was computed for it. */
static void keep_refusal(json_t *list, json_t *line, uint32_t user, size_t n)
{
	const char *call = cli_json_text(line, "call");
	json_t *last = json_array_get(list, json_array_size(list) - 1);

	if (strcmp(call, "earliest") == 0 && last &&
	    cli_json_double(last, "now_s") == cli_json_double(line, "now_s")) {
		json_object_set(last, "earliest_s",
				json_object_get(line, "earliest_s"));
		return;
	}
	if (strcmp(call, "offer") != 0 ||
	    strcmp(cli_json_text(line, "answer"), "reject") != 0)
		return;
	if (user != UINT32_MAX &&
	    (uint32_t)json_integer_value(json_object_get(line, "user")) != user)
		return;
	/* A submission may ask twice; users see one answer. */
	if (last &&
	    cli_json_double(last, "now_s") == cli_json_double(line, "now_s"))
		return;
	json_array_append(list, line);
	if (json_array_size(list) > n)
		json_array_remove(list, 0);
}

int cli_print_refusals(FILE *log, uint32_t user, uint32_t n, bool json,
		       FILE *out, struct libra_error *err)
{
	json_t *list = json_array(), *line;
	char *data = NULL;
	size_t cap = 0, i;
	uint64_t number = 0;
	int rc;

	while ((rc = next_line(log, &data, &cap, &number, &line, err)) > 0) {
		keep_refusal(list, line, user, n);
		json_decref(line);
	}
	free(data);
	if (rc < 0) {
		json_decref(list);
		return CLI_FAILED;
	}
	if (json)
		return cli_json_print(json_pack("{s:o}", "refused", list), out);
	if (json_array_size(list) == 0)
		fputs("No refusal in the decision log\n", out);
	json_array_foreach(list, i, line) print_refusal(line, out);
	json_decref(list);
	return CLI_DONE;
}
