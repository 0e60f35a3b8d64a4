/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusals.c - the last refusals of the decision log, read from its end.
 */
#include <math.h>
#include <string.h>

#include "plugin/base/units.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/log_lines.h"
#include "plugin/cli/print.h"

struct refusals {
	json_t *list;	  /* newest first */
	json_t *earliest; /* line of the last search that was read; or NULL */
	uint32_t user, n;
};

/* Do jobs of a policy get shares? */
static bool divides(const char *name)
{
	const struct libra_policy_type *policy = libra_policy_find(name, NULL);

	return !policy || (policy->mode == LIBRA_SHARE && !policy->ranked);
}

/* Only for one job that shares has the earliest deadline a formula. */
static bool is_bound(const json_t *line)
{
	const struct libra_policy_type *policy =
		libra_policy_find(cli_json_text(line, "policy"), NULL);

	return !policy || policy->mode != LIBRA_SHARE || policy->ranked ||
	       policy->needs_budget ||
	       json_integer_value(json_object_get(line, "earliest_jobs")) > 1;
}

static void print_refusal(const json_t *line, double page_s, FILE *out)
{
	char at[32], by[32], run[32];
	double now_s = cli_json_double(line, "now_s");
	double deadline_s = cli_json_double(line, "deadline_s");
	double earliest_s = cli_json_double(line, "earliest_s");
	double nprocs = cli_json_double(line, "nprocs");
	/* The last instant of the line names its zone. */
	double zone_s = isfinite(earliest_s) ? earliest_s : deadline_s;

	libra_host_clock_text(floor(now_s), page_s, zone_s, at);
	libra_host_clock_text(deadline_s, page_s,
			      isfinite(earliest_s) ? zone_s : NAN, by);
	libra_host_duration_text(cli_json_double(line, "estimate_s"), run);
	fprintf(out, "%s  refused (%s): %.0f processor%s for %s by %s", at,
		cli_json_text(line, "reason"), nprocs, nprocs == 1 ? "" : "s",
		run, by);
	if (divides(cli_json_text(line, "policy")))
		fprintf(out, " need%s a share of %.2f each",
			nprocs == 1 ? "s" : "",
			cli_json_double(line, "estimate_s") /
				(deadline_s - now_s));
	cli_print_ahead(line, page_s, zone_s, out);
	if (isfinite(earliest_s)) {
		libra_host_clock_text(earliest_s, page_s, NAN, at);
		fprintf(out, "; earliest deadline then: %s%s", at,
			is_bound(line) ? " (a nearer one may have done)" : "");
	}
	fputc('\n', out);
}

static bool at_once(const json_t *a, const json_t *b)
{
	return a && b &&
	       cli_json_double(a, "now_s") == cli_json_double(b, "now_s");
}

static bool is_users(const struct refusals *r, const json_t *line)
{
	return r->user == UINT32_MAX ||
	       (uint32_t)json_integer_value(json_object_get(line, "user")) ==
		       r->user;
}

/* A submission may ask twice at one instant; users see the first answer.
 * Result: false when there are enough.
 */
static bool keep(struct refusals *r, json_t *line)
{
	size_t n = json_array_size(r->list);

	if (!is_users(r, line))
		return true;
	if (at_once(json_array_get(r->list, n - 1), line))
		json_array_remove(r->list, n - 1);
	else if (n == r->n)
		return false;
	if (at_once(r->earliest, line)) {
		json_object_set(line, "earliest_s",
				json_object_get(r->earliest, "earliest_s"));
		json_object_set(line, "earliest_jobs",
				json_object_get(r->earliest, "jobs"));
		json_object_set(line, "free",
				json_object_get(r->earliest, "free"));
		json_object_set(line, "ahead",
				json_object_get(r->earliest, "ahead"));
	}
	json_array_append(r->list, line);
	return true;
}

/* Result: 1 to go on, 0 when there are enough, or -1. */
static int read_line(struct refusals *r, const struct cli_log_line *line,
		     struct libra_error *err)
{
	bool search = cli_log_is(line, "earliest");
	json_t *json;
	int rc = 1;

	if (!search && !(cli_log_is(line, "offer") &&
			 cli_log_has(line, "\"answer\":\"reject\"")))
		return 1;
	json = cli_log_parse(line, err);
	if (!json)
		return -1;
	if (search) {
		json_decref(r->earliest);
		r->earliest = json_incref(json);
	} else {
		rc = keep(r, json);
	}
	json_decref(json);
	return rc;
}

static int read_refusals(struct refusals *r, FILE *fp, struct libra_error *err)
{
	struct cli_log log;
	struct cli_log_line line;
	int rc = cli_log_init(&log, fp, err);

	while (rc == 0 && (rc = cli_log_before(&log, &line, err)) > 0) {
		rc = read_line(r, &line, err);
		if (rc <= 0)
			break;
		rc = 0;
	}
	cli_log_fini(&log);
	return rc;
}

static json_t *json_refusal(const json_t *line)
{
	json_t *json = json_object();
	double now_s = cli_json_double(line, "now_s");
	double deadline_s = cli_json_double(line, "deadline_s");
	double estimate_s = cli_json_double(line, "estimate_s");
	double earliest_s = cli_json_double(line, "earliest_s");

	cli_json_time(json, "at", now_s);
	json_object_update_new(
		json,
		json_pack("{s:I, s:s, s:s, s:I, s:o}", "user",
			  json_integer_value(json_object_get(line, "user")),
			  "policy", cli_json_text(line, "policy"), "reason",
			  cli_json_text(line, "reason"), "procs",
			  json_integer_value(json_object_get(line, "nprocs")),
			  "estimate_s", cli_json_number(estimate_s)));
	cli_json_time(json, "deadline", deadline_s);
	json_object_set_new(
		json, "share_needed",
		cli_json_number(divides(cli_json_text(line, "policy"))
					? estimate_s / (deadline_s - now_s)
					: NAN));
	cli_json_time(json, "earliest_deadline", earliest_s);
	json_object_set_new(
		json, "nearer_may_do",
		json_boolean(isfinite(earliest_s) && is_bound(line)));
	return json;
}

static void add_json(const json_t *newest_first, struct cli_output *o)
{
	json_t *list;

	if (!o->data) {
		o->data = json_pack("{s:n, s:[]}", "job", "refused");
		o->rows = json_incref(json_object_get(o->data, "refused"));
		o->columns = "at,user,policy,reason,procs,estimate_s,deadline,"
			     "earliest_deadline";
	}
	list = json_object_get(o->data, "refused");
	for (size_t i = json_array_size(newest_first); i > 0; i--)
		json_array_append_new(list, json_refusal(json_array_get(
						    newest_first, i - 1)));
}

static void print_text(const json_t *newest_first, double now_s, FILE *out)
{
	if (json_array_size(newest_first) == 0)
		fputs("No refusal in the decision log\n", out);
	for (size_t i = json_array_size(newest_first); i > 0; i--)
		print_refusal(json_array_get(newest_first, i - 1), now_s, out);
}

int cli_print_refusals(FILE *fp, uint32_t user, uint32_t n, double now_s,
		       struct cli_output *o, struct libra_error *err)
{
	struct refusals r = {.list = json_array(), .user = user, .n = n};
	int rc = read_refusals(&r, fp, err);

	json_decref(r.earliest);
	if (rc >= 0 && cli_for_programs(o))
		add_json(r.list, o);
	else if (rc >= 0)
		print_text(r.list, now_s, o->out);
	json_decref(r.list);
	return rc < 0 ? CLI_FAILED : CLI_DONE;
}
