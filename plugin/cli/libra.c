/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libra.c - the command libra: its commands and their options.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "plugin/cli/cli.h"
#include "plugin/host/units.h"

/* sbatch reads --time and --deadline with these.  Slurm's library exports them,
 * and no public header declares them.
 */
extern time_t slurm_parse_time(char *text, int past);
extern int slurm_time_str2mins(const char *text);

enum { DEFAULT_REFUSALS = 10 };

static int fail(const char *argv0, const struct libra_error *err)
{
	fprintf(stderr, "%s: %s\n", argv0,
		err->text[0] ? err->text : strerror(errno));
	return CLI_FAILED;
}

static void usage(const struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));

static void usage(const struct argp_state *state, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", state->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(CLI_USAGE);
}

static uint32_t count(const struct argp_state *state, const char *option,
		      const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end || n < 1 || n > 1000000)
		usage(state,
		      "%s takes a whole number from 1 to 1000000, not "
		      "'%s'",
		      option, text);
	return (uint32_t)n;
}

/* ---- status ---- */

/* Not -j: in librasim that is the number of processes. */
enum { OPT_JSON = 0x100 };

static const struct argp_option status_options[] = {
	{"json", OPT_JSON, NULL, 0, "Write JSON", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_status(int key, char *arg, struct argp_state *state)
{
	if (key == OPT_JSON)
		*(bool *)state->input = true;
	else if (key == ARGP_KEY_ARG)
		usage(state, "unexpected argument '%s'", arg);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static int run_status(int argc, char **argv)
{
	static const struct argp argp = {
		.options = status_options,
		.parser = parse_status,
		.doc = "Show the promised shares of each node and the jobs "
		       "with a deadline.",
	};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	bool json = false;
	int rc;

	argp_parse(&argp, argc, argv, 0, NULL, &json);
	if (cli_cluster_load(&cluster, &err) < 0)
		rc = fail(argv[0], &err);
	else
		rc = cli_print_status(&cluster, json, stdout);
	cli_cluster_fini(&cluster);
	return rc;
}

/* ---- explain ---- */

struct explain_options {
	const char *job;
	const char *log;
	uint32_t refused; /* 0 = a job */
	bool json;
};

static const struct argp_option explain_options[] = {
	{"log", 'l', "FILE", 0,
	 "Read this decision log (default: libra_log of slurm.conf)", 0},
	{"refused", 'r', "N", OPTION_ARG_OPTIONAL,
	 "Instead of a job: the last N submissions that were refused "
	 "(default 10)",
	 0},
	{"json", OPT_JSON, NULL, 0, "Write JSON", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_explain(int key, char *arg, struct argp_state *state)
{
	struct explain_options *o = state->input;

	switch (key) {
	case OPT_JSON:
		o->json = true;
		break;
	case 'l':
		o->log = arg;
		break;
	case 'r':
		o->refused =
			arg ? count(state, "--refused", arg) : DEFAULT_REFUSALS;
		break;
	case ARGP_KEY_ARG:
		if (o->job)
			usage(state,
			      "unexpected argument '%s': give one job id", arg);
		o->job = arg;
		break;
	case ARGP_KEY_END:
		if (!o->job == !o->refused)
			usage(state, "give either a job id or --refused");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* "12" or "12_3". */
static const struct cli_job *find_job(const struct cli_cluster *cluster,
				      const char *text, uint32_t *id)
{
	const struct cli_job *found = NULL;
	char *end;

	*id = (uint32_t)strtoul(text, &end, 10);
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = &cluster->jobs[i];

		if (strcmp(job->label, text) == 0)
			found = job;
		else if (!found && *end == '\0' &&
			 (job->id == *id || job->array_id == *id))
			found = job;
	}
	if (found)
		*id = found->id;
	return found;
}

static bool is_job_id(const char *text)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n > 9)
		return false;
	if (text[n] == '_')
		n += 1 + strspn(text + n + 1, "0123456789");
	return text[n] == '\0' && text[n - 1] != '_';
}

static int explain_job(const struct explain_options *o, const char *argv0,
		       const struct cli_cluster *cluster, FILE *log,
		       const char *no_log)
{
	struct cli_history history = {.beside = NAN};
	struct libra_error err = {""};
	const struct cli_job *job;
	uint32_t id;
	int rc;

	job = find_job(cluster, o->job, &id);
	if (log &&
	    cli_history_read(log, cluster, job, id, &history, &err) < 0) {
		cli_history_fini(&history);
		return fail(argv0, &err);
	}
	if (!job && !history.offer) {
		libra_errf(&err, ENOENT, "slurmctld knows no job %s%s%s",
			   o->job, log ? ", nor does the decision log" : "; ",
			   log ? "" : no_log);
		rc = fail(argv0, &err);
	} else {
		rc = cli_print_job(cluster, job, id, log ? &history : NULL,
				   no_log, o->json, stdout);
	}
	cli_history_fini(&history);
	return rc;
}

static int explain(const struct explain_options *o, const char *argv0,
		   const struct cli_cluster *cluster)
{
	const char *path = o->log ? o->log : cluster->conf.log_path;
	FILE *log = path ? fopen(path, "r") : NULL;
	struct libra_error err = {""};
	char no_log[512] =
		"no decision log is written (libra_log in slurm.conf)";
	int rc;

	if (path && !log)
		snprintf(no_log, sizeof(no_log),
			 "cannot read the decision log %s: %s", path,
			 strerror(errno));
	if (!log && (o->refused || o->log)) {
		libra_errf(&err, ENOENT, "%s", no_log);
		return fail(argv0, &err);
	}
	if (o->refused) {
		rc = cli_print_refusals(log, getuid() ? getuid() : UINT32_MAX,
					o->refused, o->json, stdout, &err);
		if (rc == CLI_FAILED)
			fail(argv0, &err);
	} else {
		rc = explain_job(o, argv0, cluster, log, no_log);
	}
	if (log)
		fclose(log);
	return rc;
}

static int run_explain(int argc, char **argv)
{
	static const struct argp argp = {
		.options = explain_options,
		.parser = parse_explain,
		.args_doc = "JOBID\n--refused",
		.doc = "Tell why a job was accepted or refused, and how it "
		       "stands.",
	};
	struct explain_options o = {0};
	struct libra_error err = {""};
	struct cli_cluster cluster;
	int rc;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (o.job && !is_job_id(o.job)) {
		fprintf(stderr, "%s: '%s' is not a job id such as 12 or 12_3\n",
			argv[0], o.job);
		return CLI_USAGE;
	}
	if (cli_cluster_load(&cluster, &err) < 0)
		rc = fail(argv[0], &err);
	else
		rc = explain(&o, argv[0], &cluster);
	cli_cluster_fini(&cluster);
	return rc;
}

/* ---- what-if ---- */

struct what_if_options {
	struct cli_request request;
	bool json;
};

static const struct argp_option what_if_options[] = {
	{"time", 't', "T", 0,
	 "Estimate of the run time on whole processors, as sbatch's --time", 0},
	{"deadline", 'd', "D", 0, "Deadline, as sbatch's --deadline", 0},
	{"ntasks", 'n', "N", 0, "Tasks (default 1)", 0},
	{"cpus-per-task", 'c', "C", 0, "CPUs of each task (default 1)", 0},
	{"nodes", 'N', "MIN[-MAX]", 0, "Nodes (default: any)", 0},
	{"partition", 'p', "NAME", 0,
	 "Partition (default: the cluster's default)", 0},
	{"json", OPT_JSON, NULL, 0, "Write JSON", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static double parse_time(const struct argp_state *state, const char *text)
{
	int minutes = slurm_time_str2mins(text);

	if (minutes == (int)INFINITE)
		usage(state, "--time cannot be unlimited: it is the estimate");
	if (minutes <= 0)
		usage(state,
		      "--time takes a time such as 30 (minutes), "
		      "02:00:00 or 1-12, not '%s'",
		      text);
	return libra_host_minutes_s((uint32_t)minutes);
}

static double parse_deadline(const struct argp_state *state, char *text)
{
	time_t at = slurm_parse_time(text, 0);

	if (at == 0)
		usage(state,
		      "--deadline takes an instant such as now+2hours "
		      "or 2030-01-31T18:00, not '%s'",
		      text);
	return (double)at;
}

static error_t parse_what_if(int key, char *arg, struct argp_state *state)
{
	struct what_if_options *o = state->input;
	struct cli_request *r = &o->request;

	switch (key) {
	case OPT_JSON:
		o->json = true;
		break;
	case 't':
		r->estimate_s = parse_time(state, arg);
		break;
	case 'd':
		r->deadline_s = parse_deadline(state, arg);
		break;
	case 'n':
		r->tasks = count(state, "--ntasks", arg);
		break;
	case 'c':
		r->cpus_per_task = count(state, "--cpus-per-task", arg);
		break;
	case 'p':
		r->partition = arg;
		break;
	case 'N':
		if (cli_parse_nodes(arg, &r->min_nodes, &r->max_nodes) < 0)
			usage(state, "--nodes takes MIN or MIN-MAX, not '%s'",
			      arg);
		break;
	case ARGP_KEY_ARG:
		usage(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		if (isnan(r->estimate_s) || isnan(r->deadline_s))
			usage(state, "give --time and --deadline");
		if (r->tasks > 4000000 / r->cpus_per_task)
			usage(state, "--ntasks times --cpus-per-task is above "
				     "4000000");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int run_what_if(int argc, char **argv)
{
	static const struct argp argp = {
		.options = what_if_options,
		.parser = parse_what_if,
		.doc = "Ask for a verdict without submitting.\vThe answer is "
		       "as of now; nothing is reserved.  Exit status: 0 would "
		       "be accepted, 1 would be refused, or failed, 2 usage.",
	};
	struct what_if_options o = {
		.request = {.estimate_s = NAN,
			    .deadline_s = NAN,
			    .tasks = 1,
			    .cpus_per_task = 1},
	};
	struct libra_error err = {""};
	struct cli_answer answer;
	struct cli_cluster cluster;
	int rc;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (cli_cluster_load(&cluster, &err) < 0 ||
	    cli_what_if(&cluster, &o.request, &answer, &err) < 0)
		rc = fail(argv[0], &err);
	else
		rc = cli_print_answer(&cluster, &answer, o.json, stdout);
	cli_cluster_fini(&cluster);
	return rc;
}

/* ---- the commands ---- */

static const struct {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"status", "promised shares by node, jobs with a deadline", run_status},
	{"explain", "why a job was accepted or refused", run_explain},
	{"what-if", "a verdict without submitting", run_what_if},
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(FILE *out)
{
	fputs("Usage: libra COMMAND [OPTION...]\n"
	      "Look at the deadline promises of a Slurm cluster.\n\n"
	      "Commands:\n",
	      out);
	for (int i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name,
			commands[i].summary);
	fputs("\n'libra COMMAND --help' shows a command's options; libra(1) "
	      "has the rest.\n",
	      out);
}

static bool is(const char *word, const char *a, const char *b)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run(const char *name, int argc, char **argv)
{
	char full[64];
	int rc;

	for (int i = 0; i < NCOMMANDS; i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		snprintf(full, sizeof(full), "libra %s", name);
		argv[0] = full;
		rc = commands[i].run(argc, argv);
		if (fflush(stdout) == 0 && !ferror(stdout))
			return rc;
		fprintf(stderr, "%s: standard output: %s\n", full,
			strerror(errno));
		return CLI_FAILED;
	}
	fprintf(stderr, "libra: unknown command '%s' (see libra --help)\n",
		name);
	return CLI_USAGE;
}

int main(int argc, char **argv)
{
	argp_err_exit_status = CLI_USAGE;
	if (argc < 2) {
		print_help(stderr);
		return CLI_USAGE;
	}
	if (is(argv[1], "--help", "-h")) {
		print_help(stdout);
		return CLI_DONE;
	}
	if (is(argv[1], "--version", "-V")) {
		puts("libra (slurm-libra) " LIBRA_VERSION);
		return CLI_DONE;
	}
	return run(argv[1], argc - 1, argv + 1);
}
