/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_report.c - libra report: a page on the promises of this cluster.
 *
 * Collects the decision logs and accounting; librasim report, which it becomes,
 * counts and draws.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/events/follow.h"

enum { OPT_DAY = 0x300, OPT_MONTH };

struct options {
	const char *log, *month, *day, *output;
};

/* The arguments of librasim report. */
struct list {
	char **of;
	size_t n;
};

static const struct argp_option options[] = {
	{"output", 'o', "FOLDER", 0,
	 "Write the page and its tables there (default report)", 0},
	{"month", OPT_MONTH, "YYYY-MM", 0,
	 "Promises given and requests answered in this month, UTC (default: "
	 "all)",
	 0},
	{"day", OPT_DAY, "YYYY-MM-DD", 0,
	 "Draw this day, UTC (default: the one with most work)", 0},
	{"log", 'l', "FILE", 0,
	 "Read this decision log (default: libra_log of slurm.conf)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'o':
		o->output = arg;
		break;
	case OPT_MONTH:
		o->month = arg;
		break;
	case OPT_DAY:
		o->day = arg;
		break;
	case 'l':
		o->log = arg;
		break;
	case ARGP_KEY_ARG:
		cli_usage(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		/* sacct gets it before librasim looks at it. */
		if (o->month && strspn(o->month, "-0123456789") != 7)
			cli_usage(state,
				  "--month takes a month like 2026-01, not "
				  "'%s'",
				  o->month);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void add(struct list *list, const char *text)
{
	char **of = reallocarray(list->of, list->n + 2, sizeof(*of));
	char *copy = strdup(text);

	if (!of || !copy)
		cli_no_memory();
	list->of = of;
	list->of[list->n++] = copy;
	list->of[list->n] = NULL;
}

static void add_option(struct list *list, const char *name, const char *value)
{
	if (!value)
		return;
	add(list, name);
	add(list, value);
}

static void free_list(struct list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->of[i]);
	free(list->of);
}

/* ---- logs ---- */

/* Is it the log, or one of its rotated files, plain or packed? */
static bool is_of_log(const char *file, const char *log)
{
	size_t n = strlen(log);

	if (strncmp(file, log, n) != 0)
		return false;
	file += n;
	/* "libra.log2" is another log. */
	if (*file >= '0' && *file <= '9')
		return false;
	file += strspn(file, ".-0123456789");
	if (file[0] && file[-1] == '.')
		file--;
	return !*file || strcmp(file, ".gz") == 0 || strcmp(file, ".zst") == 0;
}

static void add_files(struct list *list, const char *path)
{
	const char *slash = strrchr(path, '/');
	int n = slash ? (int)(slash - path) + 1 : 0;
	struct dirent *entry;
	char *file;
	DIR *dir;

	if (asprintf(&file, "%.*s", n ? n : 1, n ? path : ".") < 0)
		cli_no_memory();
	dir = opendir(file);
	free(file);
	while (dir && (entry = readdir(dir))) {
		if (!is_of_log(entry->d_name, path + n))
			continue;
		if (asprintf(&file, "%.*s%s", n, path, entry->d_name) < 0)
			cli_no_memory();
		add(list, file);
		free(file);
	}
	if (dir)
		closedir(dir);
}

/* Result: 0, or -1 with errno and a text: slurmctld does not answer. */
static int add_logs(struct list *list, const struct options *o,
		    struct libra_error *err)
{
	struct cli_followed logs[LIBRA_HOST_MAX_GROUPS];
	int n = cli_followed_init(logs, o->log, err);
	size_t had;

	if (n < 0 && errno != ENOENT)
		return -1;
	if (n < 0)
		fprintf(stderr,
			"libra report: libra_log is not set in slurm.conf: the "
			"page has what accounting knows\n");
	for (int i = 0; i < n; i++) {
		had = list->n;
		add_files(list, logs[i].path);
		if (list->n == had)
			fprintf(stderr,
				"libra report: %s: there is no such log: the "
				"page has what accounting knows\n",
				logs[i].path);
	}
	cli_followed_fini(logs, n);
	return 0;
}

/* ---- accounting ---- */

static void run_sacct(const struct options *o, FILE *to)
{
	char from[16] = "1970-01-02";

	if (o->month)
		snprintf(from, sizeof(from), "%.7s-01", o->month);
	setenv("SLURM_TIME_FORMAT", "%s", 1);
	setenv("TZ", "UTC", 1);
	setenv("LC_ALL", "C", 1);
	dup2(fileno(to), STDOUT_FILENO);
	execlp("sacct", "sacct", "-a", "-X", "-D", "-P", "--delimiter=\x1f",
	       "-S", from, "-E", "now", "-o",
	       "JobIDRaw,JobID,Partition,QOS,Account,Submit,Start,End,"
	       "ElapsedRaw,State,AllocCPUS,AdminComment",
	       (char *)NULL);
	fprintf(stderr, "libra report: sacct: %s\n", strerror(errno));
	_exit(CLI_FAILED);
}

/* Put accounting on standard input.  Result: whether there is any. */
static bool read_accounting(const struct options *o)
{
	FILE *text = tmpfile();
	struct stat st;
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = text ? fork() : -1;
	if (pid == 0)
		run_sacct(o, text);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0 && fstat(fileno(text), &st) == 0 && st.st_size > 0 &&
	    lseek(fileno(text), 0, SEEK_SET) == 0 &&
	    dup2(fileno(text), STDIN_FILENO) >= 0) {
		fclose(text);
		return true;
	}
	if (text)
		fclose(text);
	fprintf(stderr,
		"libra report: no accounting: the page has no accounts and "
		"QOS, nor ends of jobs that slurmctld did not see\n");
	return false;
}

/* ---- the page ---- */

static int report(const struct options *o, struct libra_error *err)
{
	struct list list = {0};
	size_t before;

	add(&list, "librasim");
	add(&list, "report");
	add_option(&list, "-o", o->output);
	add_option(&list, "--month", o->month);
	add_option(&list, "--day", o->day);
	before = list.n;
	if (add_logs(&list, o, err) == 0) {
		if (read_accounting(o))
			add_option(&list, "--sacct", "-");
		if (list.n == before) {
			libra_errf(err, ENOENT,
				   "there is neither a decision log nor "
				   "accounting");
		} else {
			execvp(list.of[0], list.of);
			libra_errf(err, errno,
				   "librasim: %s: it draws the page: install "
				   "librasim",
				   strerror(errno));
		}
	}
	free_list(&list);
	return -1;
}

int cli_run_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.doc = "Write a page on the promises of this cluster: given, "
		       "kept, late, lost and why, refusals, estimates, and a "
		       "chart of a day.",
	};
	struct options o = {.output = "report"};
	struct libra_error err = {""};
	struct cli_output output = {.name = argv[0]};
	int rc = CLI_DONE;

	cli_parse(&argp, argc, argv, 0, &o);
	if (report(&o, &err) < 0)
		rc = cli_fail(&output, &err);
	json_decref(output.errors); /* there is no envelope */
	return rc;
}
