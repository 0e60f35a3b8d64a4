/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.c - see metrics.h.
 *
 * counts:
 *   "samples":    FAMILY: LABELS: number, of counters
 *   "histograms": FAMILY: how many in each bucket, behind them their sum; of a
 *                 family with labels, LABELS: the same
 *   "waits":      PATH: the place, and where sacct's columns stand
 *   "logs":       PATH: the place (follow.h); policy, label and nodes of the
 *                 run, and what is promised: "promises" and "procs"
 * The two numbers of promises begin anew with each run of slurmctld's engine,
 * which reports each promise that it restores.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/text.h"
#include "plugin/cli/events/metrics.h"
#include "plugin/cli/past.h"
#include "plugin/cli/print.h"
#include "revision.h"

#define BUCKETS 10

/* In the order of printing. */
static const struct family {
	const char *name, *type, *help;
	double buckets[BUCKETS]; /* of a histogram; 0 behind the last */
	size_t nbuckets;
	bool labelled; /* a histogram for each partition; it has no sum, which
			  would be one series more for each */
} families[] = {
	{.name = "libra_build_info",
	 .type = "gauge",
	 .help = "Release of slurm-libra and Slurm, and the policy."},
	{.name = "libra_decisions_total",
	 .type = "counter",
	 .help = "Answers to requests for a promise."},
	{.name = "libra_decision_seconds",
	 .type = "histogram",
	 .help = "Time that slurmctld took for an answer.",
	 .buckets = {1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1},
	 .nbuckets = 6},
	{.name = "libra_promises",
	 .type = "gauge",
	 .help = "Jobs and array tasks with a promise."},
	{.name = "libra_promises_ended_total",
	 .type = "counter",
	 .help = "Promises that are over, with their outcome."},
	{.name = "libra_promise_slack_seconds",
	 .type = "histogram",
	 .help = "Deadline less estimate and submission, of accepted jobs.",
	 .buckets = {60, 300, 900, 3600, 14400, 43200, 86400, 604800},
	 .nbuckets = 8},
	{.name = "libra_finish_error_seconds",
	 .type = "histogram",
	 .help = "End of a job less its deadline.",
	 .buckets = {-86400, -14400, -3600, -600, -60, 0, 60, 600, 3600},
	 .nbuckets = 9},
	{.name = "libra_processors",
	 .type = "gauge",
	 .help = "Processors that a policy has; nodes, if it plans these."},
	{.name = "libra_promised_processors",
	 .type = "gauge",
	 .help = "Processors of the jobs with a promise."},
	{.name = "libra_estimate_ratio",
	 .type = "histogram",
	 .help = "Run time of a job in parts of its estimate.",
	 .buckets = {0.1, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.5},
	 .nbuckets = 8},
	{.name = "libra_wait_seconds",
	 .type = "histogram",
	 .help = "Waits of jobs, promised or not, from eligible to start.",
	 .buckets = {60, 3600, 86400},
	 .nbuckets = 3,
	 .labelled = true},
	{.name = "libra_log_errors_total",
	 .type = "counter",
	 .help = "Lines of the logs that are missing or damaged."},
};

enum { NFAMILIES = sizeof(families) / sizeof(families[0]) };

/* ---- counting ---- */

static void add_to(json_t *object, const char *name, double n)
{
	json_t *old = json_object_get(object, name);

	json_object_set_new(object, name,
			    json_real(json_number_value(old) + n));
}

/* Add to a number of promises, which is a difference of events: missing lines
 * leave none below 0.
 */
static void add_level(json_t *object, const char *name, double n)
{
	add_to(object, name, n);
	if (json_number_value(json_object_get(object, name)) < 0)
		json_object_set_new(object, name, json_real(0));
}

/* Count a value; labels: "" of a family without. */
static void observe_of(json_t *counts, const char *name, const char *labels,
		       double value)
{
	json_t *all = cli_saved_member(counts, "histograms"), *bins;
	const struct family *f = families;
	size_t i;

	if (!isfinite(value))
		return;
	while (strcmp(f->name, name) != 0)
		f++;
	if (f->labelled) {
		all = cli_saved_member(all, name);
		name = labels;
	}
	bins = json_object_get(all, name);
	if (json_array_size(bins) != f->nbuckets + 2) {
		bins = json_array();
		for (i = 0; i < f->nbuckets + 2; i++)
			json_array_append_new(bins, json_real(0));
		json_object_set_new(all, name, bins);
	}
	for (i = 0; i < f->nbuckets && value > f->buckets[i]; i++)
		;
	json_array_set_new(
		bins, i,
		json_real(json_number_value(json_array_get(bins, i)) + 1));
	i = f->nbuckets + 1;
	json_array_set_new(
		bins, i,
		json_real(json_number_value(json_array_get(bins, i)) + value));
}

static void observe(json_t *counts, const char *name, double value)
{
	observe_of(counts, name, "", value);
}

/* Append name="value" to a list of labels. */
static void add_label(struct host_text *to, const char *name, const char *value)
{
	host_text_add(to, "%s%s=\"", to->len > 0 ? "," : "", name);
	for (; *value; value++)
		if (*value == '\n')
			host_text_add(to, "\\n");
		else
			host_text_add(to, "%s%c",
				      strchr("\\\"", *value) ? "\\" : "",
				      *value);
	host_text_add(to, "\"");
}

/* Result: the labels, for free(): pairs of name and value up to NULL. */
static char *labels(const char *name, ...)
{
	struct host_text text = {0};
	va_list ap;

	va_start(ap, name);
	for (; name; name = va_arg(ap, const char *))
		add_label(&text, name, va_arg(ap, const char *));
	va_end(ap);
	host_text_add(&text, "%s", "");
	if (text.cut)
		cli_no_memory();
	return text.text;
}

static void count(json_t *counts, const char *family, char *owned_labels,
		  double n)
{
	add_to(cli_saved_member(cli_saved_member(counts, "samples"), family),
	       owned_labels, n);
	free(owned_labels);
}

/* ---- events ---- */

struct reader {
	json_t *counts, *log;
};

static bool is(const json_t *line, const char *name, const char *text)
{
	return strcmp(cli_json_text(line, name), text) == 0;
}

/* Add to what is promised in a state ("waiting"). */
static void add_promise(struct reader *r, const json_t *line, const char *state,
			double n)
{
	const char *partition = cli_json_text(line, "partition");
	json_t *states = cli_saved_member(cli_saved_member(r->log, "promises"),
					  partition);

	/* Both are there from the first promise on. */
	add_level(states, "waiting", 0);
	add_level(states, "running", 0);
	add_level(states, state, n);
	if (is(line, "event", "started"))
		return;
	add_level(cli_saved_member(r->log, "procs"), partition,
		  n * cli_json_double(line, "nprocs"));
}

static void read_decision(struct reader *r, const json_t *line)
{
	double slack_s = cli_json_double(line, "deadline_s") -
			 cli_json_double(line, "now_s") -
			 cli_json_double(line, "estimate_s");

	count(r->counts, "libra_decisions_total",
	      labels("partition", cli_json_text(line, "partition"), "reason",
		     cli_json_text(line, "reason"), "verdict",
		     cli_json_text(line, "verdict"), NULL),
	      1);
	observe(r->counts, "libra_decision_seconds",
		cli_json_double(line, "took_s"));
	if (is(line, "verdict", "accept"))
		observe(r->counts, "libra_promise_slack_seconds", slack_s);
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The kind of a cause, as the host words it. */
static const char *kind_of(const char *cause)
{
	if (!*cause)
		return "none";
	if (begins(cause, "requeued"))
		return "requeue";
	if (begins(cause, "slurmctld") || begins(cause, "Slurm") ||
	    begins(cause, "the_clock"))
		return "slurmctld";
	if (begins(cause, "a_job_before") || begins(cause, "it_ran"))
		return "overrun";
	return begins(cause, "node") ? "node" : "none";
}

static void read_end(struct reader *r, const json_t *line)
{
	bool ran = is(line, "event", "kept") || is(line, "event", "late");
	bool failed = is(line, "event", "late") || is(line, "event", "lost");
	const char *cause = failed ? cli_json_text(line, "cause") : "";

	add_promise(r, line, cli_json_text(line, "state"), -1);
	if (is(line, "event", "replaced"))
		return;
	count(r->counts, "libra_promises_ended_total",
	      labels("cause", kind_of(cause), "outcome",
		     cli_json_text(line, "event"), "partition",
		     cli_json_text(line, "partition"), NULL),
	      1);
	if (!ran)
		return;
	observe(r->counts, "libra_finish_error_seconds",
		cli_json_double(line, "now_s") -
			cli_json_double(line, "deadline_s"));
	observe(r->counts, "libra_estimate_ratio",
		cli_json_double(line, "ran_s") /
			cli_json_double(line, "estimate_s"));
}

static void read_event(struct reader *r, const json_t *line)
{
	static const char *const ends[] = {"kept",     "late",	    "lost",
					   "released", "cancelled", "replaced"};

	if (is(line, "event", "decision"))
		read_decision(r, line);
	else if (is(line, "event", "promised") || is(line, "event", "restored"))
		add_promise(r, line, cli_json_text(line, "state"), 1);
	else if (is(line, "event", "started")) {
		add_promise(r, line, "waiting", -1);
		add_promise(r, line, "running", 1);
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (is(line, "event", ends[i]))
			read_end(r, line);
}

/* ---- other lines ---- */

static void read_run(struct reader *r, const json_t *line)
{
	json_t *nodes, *node;
	size_t i;

	if (json_object_get(line, "continues") &&
	    json_object_get(r->log, "nodes"))
		return;
	nodes = json_array();
	json_array_foreach(json_object_get(line, "nodes"), i, node)
		json_array_append_new(
			nodes,
			json_pack("[sf]", "up",
				  json_number_value(json_array_get(node, 1))));
	json_object_set_new(r->log, "nodes", nodes);
	json_object_set(r->log, "policy", json_object_get(line, "policy"));
	json_object_del(r->log, "promises");
	json_object_del(r->log, "procs");
}

static void read_node(struct reader *r, const json_t *line)
{
	json_t *node = json_array_get(
		json_object_get(r->log, "nodes"),
		(size_t)json_integer_value(json_object_get(line, "node")));

	if (node)
		json_array_set_new(node, 0,
				   json_string(cli_json_text(line, "state")));
}

static void count_errors(struct reader *r, double n)
{
	count(r->counts, "libra_log_errors_total", labels(NULL), n);
}

static int read_line(void *arg, const struct cli_log_line *line,
		     struct libra_error *err)
{
	struct reader *r = arg;
	json_t *json = NULL;

	(void)err;
	if (line->len < 2 || line->text[0] != '{' ||
	    line->text[line->len - 1] != '}') {
		count_errors(r, 1);
		return 0;
	}
	if (!cli_log_is_event(line) && !cli_log_is(line, "engine") &&
	    !cli_log_is(line, "node") && !cli_log_is(line, "gap"))
		return 0;
	json = cli_log_parse(line, NULL);
	if (!json)
		count_errors(r, 1);
	else if (cli_log_is_event(line))
		read_event(r, json);
	else if (cli_log_is(line, "engine"))
		read_run(r, json);
	else if (cli_log_is(line, "node"))
		read_node(r, json);
	else
		count_errors(r, cli_json_double(json, "lines"));
	json_decref(json);
	return 0;
}

int cli_metrics_read(json_t *counts, const struct cli_followed *log,
		     struct libra_error *err)
{
	struct reader r = {counts, NULL};
	int rc;

	r.log = cli_saved_member(cli_saved_member(counts, "logs"), log->path);
	json_object_set_new(r.log, "label", json_string(log->label));
	json_object_set_new(r.log, "current", json_true());
	rc = cli_follow(log->path, cli_saved_member(r.log, "place"), read_line,
			&r, err);
	count_errors(&r, rc > 0);
	return rc < 0 ? -1 : 0;
}

/* ---- waits ---- */

struct waits {
	json_t *counts, *columns;
	struct cli_past past;
};

static int read_wait(void *arg, const struct cli_log_line *line,
		     struct libra_error *err)
{
	struct waits *w = arg;
	struct cli_run run;
	char *text = strndup(line->text, line->len), *part;
	int rc;

	(void)err;
	if (!text)
		cli_no_memory();
	rc = cli_past_line(&w->past, text, &run);
	free(text);
	if (rc < 0)
		count(w->counts, "libra_log_errors_total", labels(NULL), 1);
	if (rc <= 0)
		return 0;
	part = labels("partition", run.part, NULL);
	observe_of(w->counts, "libra_wait_seconds", part,
		   run.start_s - run.eligible_s);
	free(part);
	return 0;
}

int cli_metrics_read_waits(json_t *counts, const char *path,
			   struct libra_error *err)
{
	json_t *log = cli_saved_member(cli_saved_member(counts, "waits"), path);
	struct waits w = {.counts = counts};
	json_t *columns = json_object_get(log, "columns");
	int rc;

	w.past.heading = json_array_size(columns) == CLI_PAST_NCOLUMNS;
	for (size_t i = 0; i < CLI_PAST_NCOLUMNS; i++)
		w.past.column[i] =
			(int)json_integer_value(json_array_get(columns, i));
	rc = cli_follow(path, cli_saved_member(log, "place"), read_wait, &w,
			err);
	columns = json_array();
	for (size_t i = 0; w.past.heading && i < CLI_PAST_NCOLUMNS; i++)
		json_array_append_new(columns, json_integer(w.past.column[i]));
	json_object_set_new(log, "columns", columns);
	count(counts, "libra_log_errors_total", labels(NULL), rc > 0);
	return rc < 0 ? -1 : 0;
}

/* ---- levels: what the logs that were read now have ---- */

static void set_level(json_t *to, char *owned_labels, double n)
{
	add_to(to, owned_labels, n);
	free(owned_labels);
}

static void add_build(json_t *to, const json_t *log)
{
	static const char mark[] = ", for Slurm ";
	const char *slurm = LIBRA_FOR_SLURM;

	slurm = strncmp(slurm, mark, strlen(mark)) == 0 ? slurm + strlen(mark)
							: "";
	set_level(to,
		  labels("policy", cli_json_text(log, "policy"), "slurm", slurm,
			 "version", LIBRA_VERSION, NULL),
		  1);
}

static void add_promises(json_t *to, json_t *log)
{
	const char *partition, *state;
	json_t *states, *n;

	json_object_foreach(json_object_get(log, "promises"), partition, states)
	{
		json_object_foreach(states, state, n)
		{
			set_level(to,
				  labels("partition", partition, "state", state,
					 NULL),
				  json_number_value(n));
		}
	}
}

static void add_procs(json_t *to, json_t *log)
{
	const char *partition;
	json_t *n;

	json_object_foreach(json_object_get(log, "procs"), partition, n)
	{
		set_level(to, labels("partition", partition, NULL),
			  json_number_value(n));
	}
}

static void add_nodes(json_t *to, json_t *log)
{
	static const char *const states[] = {"up", "drain", "down"};
	const char *label = cli_json_text(log, "label"), *state;
	json_t *node;
	size_t i;

	for (i = 0; i < 3; i++)
		set_level(to,
			  labels("partition", label, "state", states[i], NULL),
			  0);
	json_array_foreach(json_object_get(log, "nodes"), i, node)
	{
		state = json_string_value(json_array_get(node, 0));
		set_level(to, labels("partition", label, "state", state, NULL),
			  json_number_value(json_array_get(node, 1)));
	}
}

static void add_levels(json_t *to, const char *family, json_t *log)
{
	if (strcmp(family, "libra_build_info") == 0)
		add_build(to, log);
	else if (strcmp(family, "libra_promises") == 0)
		add_promises(to, log);
	else if (strcmp(family, "libra_promised_processors") == 0)
		add_procs(to, log);
	else
		add_nodes(to, log);
}

/* Result: LABELS: number; for json_decref(). */
static json_t *levels(const json_t *counts, const char *family)
{
	json_t *all = json_object(), *log;
	const char *path;

	json_object_foreach(json_object_get(counts, "logs"), path, log)
	{
		if (json_object_get(log, "current"))
			add_levels(all, family, log);
	}
	return all;
}

/* ---- printing ---- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_number(const char *before, double n, FILE *out)
{
	fprintf(out, "%s %.15g\n", before, n);
}

/* The names of an object's members in order, for free(). */
static const char **sorted_names(json_t *object, size_t *n)
{
	const char **names =
		calloc(json_object_size(object) + 1, sizeof(*names));
	const char *name;
	json_t *value;

	*n = 0;
	if (!names)
		cli_no_memory();
	json_object_foreach(object, name, value)
	{
		names[(*n)++] = name;
	}
	qsort(names, *n, sizeof(*names), compare_names);
	return names;
}

static void print_samples(const char *family, json_t *samples, FILE *out)
{
	size_t n;
	const char **names = sorted_names(samples, &n);

	for (size_t k = 0; k < n; k++) {
		fprintf(out, *names[k] ? "%s{%s}" : "%s", family, names[k]);
		print_number(
			"",
			json_number_value(json_object_get(samples, names[k])),
			out);
	}
	free(names);
}

/* OpenMetrics wants bounds as floating point numbers. */
static void print_histogram(const struct family *f, const char *labels,
			    const json_t *bins, FILE *out)
{
	const char *comma = *labels ? "," : "";
	double n = 0;

	for (size_t i = 0; i < f->nbuckets; i++) {
		n += json_number_value(json_array_get(bins, i));
		fprintf(out, "%s_bucket{%s%sle=\"%g%s\"}", f->name, labels,
			comma, f->buckets[i],
			f->buckets[i] == rint(f->buckets[i]) ? ".0" : "");
		print_number("", n, out);
	}
	n += json_number_value(json_array_get(bins, f->nbuckets));
	fprintf(out, "%s_bucket{%s%sle=\"+Inf\"}", f->name, labels, comma);
	print_number("", n, out);
	/* A sum that may fall is no counter, and OpenMetrics forbids it. */
	if (f->buckets[0] < 0 || f->labelled)
		return;
	fprintf(out, "%s_sum", f->name);
	print_number("",
		     json_number_value(json_array_get(bins, f->nbuckets + 1)),
		     out);
	fprintf(out, "%s_count", f->name);
	print_number("", n, out);
}

static void print_histograms(const struct family *f, json_t *bins, FILE *out)
{
	const char **names;
	size_t n;

	if (!f->labelled) {
		print_histogram(f, "", bins, out);
		return;
	}
	names = sorted_names(bins, &n);
	for (size_t i = 0; i < n; i++)
		print_histogram(f, names[i], json_object_get(bins, names[i]),
				out);
	free(names);
}

static void print_family(const json_t *counts, const struct family *f,
			 bool openmetrics, FILE *out)
{
	size_t len = strlen(f->name);
	json_t *samples;

	/* There a counter's family has no "_total". */
	if (openmetrics && strcmp(f->type, "counter") == 0)
		len -= strlen("_total");
	fprintf(out, "# HELP %.*s %s\n# TYPE %.*s %s\n", (int)len, f->name,
		f->help, (int)len, f->name, f->type);
	if (f->nbuckets) {
		print_histograms(
			f,
			json_object_get(json_object_get(counts, "histograms"),
					f->name),
			out);
		return;
	}
	if (strcmp(f->type, "gauge") == 0)
		samples = levels(counts, f->name);
	else
		samples = json_incref(json_object_get(
			json_object_get(counts, "samples"), f->name));
	print_samples(f->name, samples, out);
	json_decref(samples);
}

void cli_metrics_print(const json_t *counts, bool openmetrics, FILE *out)
{
	for (size_t i = 0; i < NFAMILIES; i++)
		print_family(counts, &families[i], openmetrics, out);
	if (openmetrics)
		fputs("# EOF\n", out);
}
