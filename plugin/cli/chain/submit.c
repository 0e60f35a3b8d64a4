/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit.c - submit a chain by sbatch: all links, or none.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/base/clock.h"
#include "plugin/base/units.h"
#include "plugin/cli/chain/chain.h"
#include "plugin/cli/cli.h"

enum { OPTIONS = 4, OPTION_SIZE = 96 };

/* The command of a link. */
struct command {
	char text[OPTIONS][OPTION_SIZE];
	char **argv;
};

static void write_command(struct command *c, const struct chain_link *link,
			  const char *after, bool test_only)
{
	time_t at = (time_t)link->deadline_s;
	size_t n = 0, words = 0;
	struct tm tm;

	snprintf(c->text[n++], OPTION_SIZE, "sbatch");
	snprintf(c->text[n++], OPTION_SIZE, "%s",
		 test_only ? "--test-only" : "--parsable");
	localtime_r(&at, &tm);
	strftime(c->text[n++], OPTION_SIZE, "--deadline=%Y-%m-%dT%H:%M:%S",
		 &tm);
	if (after && !test_only)
		snprintf(c->text[n++], OPTION_SIZE, "--dependency=afterok:%s",
			 after);
	while (link->words[words])
		words++;
	c->argv = calloc(n + words + 1, sizeof(*c->argv));
	if (!c->argv)
		cli_no_memory();
	for (size_t i = 0; i < n; i++)
		c->argv[i] = c->text[i];
	memcpy(c->argv + n, link->words, words * sizeof(*c->argv));
}

/* Pass on the lines of standard error, and look at them. */
static void pass_on(FILE *from, double *earliest_s)
{
	char *line = NULL;
	size_t cap = 0;

	*earliest_s = NAN;
	errno = 0;
	while (getline(&line, &cap, from) > 0) {
		fputs(line, stderr);
		*earliest_s = cli_instant_after(
			line, "earliest deadline now: ",
			libra_host_read_clock(CLOCK_REALTIME), *earliest_s);
	}
	if (errno == ENOMEM)
		cli_no_memory();
	free(line);
}

/* Run a command.
 * Result: its exit status, or -1 with errno; out: its standard output.
 */
static int run(char **argv, FILE *out, double *earliest_s)
{
	FILE *from = NULL;
	int fds[2], status;
	pid_t child;

	if (pipe(fds) < 0)
		return -1;
	fflush(NULL);
	child = fork();
	if (child == 0) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		execvp(argv[0], argv);
		dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(fds[1]);
	if (child > 0)
		from = fdopen(fds[0], "r");
	if (from) {
		pass_on(from, earliest_s);
		fclose(from);
	} else {
		close(fds[0]);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (child < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Read the job id of sbatch --parsable: "12" or "12;cluster". */
static char *read_job(FILE *out)
{
	char text[64] = "";

	rewind(out);
	if (!fgets(text, sizeof(text), out) || !isdigit((unsigned char)*text))
		return NULL;
	text[strspn(text, "0123456789")] = '\0';
	return strdup(text);
}

static int submit_link(struct chain_link *link, const char *after,
		       bool test_only, double *earliest_s)
{
	FILE *out = tmpfile();
	struct command c;
	int rc = -1;

	if (!out)
		return -1;
	write_command(&c, link, after, test_only);
	rc = run(c.argv, out, earliest_s);
	free(c.argv);
	if (rc == 0 && !test_only) {
		link->job = read_job(out);
		if (!link->job) {
			errno = EPROTO;
			rc = -1;
		}
	}
	fclose(out);
	return rc;
}

/* Cancel the first n links, latest first: none of them may start another.
 * Result: whether scancel succeeded; else a line names the jobs.
 */
static bool cancel(const struct chain *chain, size_t n, const char *name)
{
	char **argv = calloc(n + 2, sizeof(*argv));
	FILE *out = tmpfile();
	double ignored_s;
	bool cancelled;
	size_t k = 1;

	if (!argv || !out)
		cli_no_memory();
	argv[0] = (char *)"scancel";
	for (size_t i = n; i-- > 0;)
		argv[k++] = chain->links[i].job;
	cancelled = n == 0 || run(argv, out, &ignored_s) == 0;
	if (!cancelled) {
		fprintf(stderr,
			"%s: scancel failed: cancel by hand what is left of "
			"the chain:",
			name);
		for (size_t i = 1; i <= n; i++)
			fprintf(stderr, " %s", argv[i]);
		fputc('\n', stderr);
	}
	fclose(out);
	free(argv);
	return cancelled;
}

/* Report which link was refused, and what deadline would do.  cancelled: the
 * links before it.
 */
static void refuse(const struct chain *chain, size_t i, double earliest_s,
		   bool test_only, bool cancelled, struct cli_output *o)
{
	const struct chain_link *link = &chain->links[i];
	double now_s = libra_host_read_clock(CLOCK_REALTIME);
	char text[32], all[256];

	libra_host_clock_text(link->deadline_s, now_s, NAN, text);
	snprintf(all, sizeof(all),
		 "link %zu (line %u) was refused with the deadline %s%s", i + 1,
		 link->line, text,
		 test_only || !cancelled ? ""
		 : i > 0		 ? ": the links before it are cancelled"
					 : ": nothing is submitted");
	fprintf(stderr, "%s: %s\n", o->name, all);
	cli_error(o, all);
	if (isnan(earliest_s))
		return;
	/* The later links need their time after it. */
	libra_host_clock_text(chain->deadline_s + earliest_s - link->deadline_s,
			      now_s, NAN, text);
	snprintf(all, sizeof(all), "earliest deadline of the chain now: %s",
		 text);
	fprintf(stderr, "%s: %s\n", o->name, all);
	cli_error(o, all);
}

/* Signals that wait, in sbatch too, while links are submitted: without its job
 * id a link could not be cancelled.  Those that the caller ignores (nohup, a
 * shell's &) stay ignored: Linux would keep one that waits.
 */
static const int interrupts[] = {SIGHUP, SIGINT, SIGTERM};

enum { INTERRUPTS = sizeof(interrupts) / sizeof(interrupts[0]) };

static bool is_interrupted(void)
{
	sigset_t pending;
	bool any = false;

	sigpending(&pending);
	for (int i = 0; i < INTERRUPTS; i++)
		any = any || sigismember(&pending, interrupts[i]) == 1;
	return any;
}

static bool is_ignored(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static int submit_all(struct chain *chain, bool test_only, struct cli_output *o,
		      struct libra_error *err)
{
	static const char no_id[] =
		"it printed no job id: cancel by hand what squeue shows of "
		"this link";

	for (size_t i = 0; i < chain->n; i++) {
		const char *after = i > 0 ? chain->links[i - 1].job : NULL;
		double earliest_s = NAN;
		int rc = submit_link(&chain->links[i], after, test_only,
				     &earliest_s);
		int saved = errno;
		bool cancelled;

		if (rc == 0 && (test_only || !is_interrupted()))
			continue;
		if (rc == 0) {
			if (cancel(chain, i + 1, o->name))
				fprintf(stderr,
					"%s: interrupted: nothing of the chain "
					"is left\n",
					o->name);
			return CLI_REFUSED;
		}
		cancelled = test_only || cancel(chain, i, o->name);
		if (rc < 0 || rc == 127) {
			/* Without its id that link is not cancelled. */
			cancelled = cancelled && !(rc < 0 && saved == EPROTO);
			libra_errf(err, rc < 0 ? saved : ENOENT, "sbatch: %s%s",
				   rc == 127	     ? "it cannot be run"
				   : saved == EPROTO ? no_id
						     : strerror(saved),
				   cancelled ? "; nothing of the chain is left"
					     : "");
			return CLI_FAILED;
		}
		refuse(chain, i, earliest_s, test_only, cancelled, o);
		return CLI_REFUSED;
	}
	return CLI_DONE;
}

int chain_submit(struct chain *chain, bool test_only, struct cli_output *o,
		 struct libra_error *err)
{
	sigset_t set, before;
	int rc;

	if (test_only)
		return submit_all(chain, true, o, err);
	sigemptyset(&set);
	for (int i = 0; i < INTERRUPTS; i++)
		if (!is_ignored(interrupts[i]))
			sigaddset(&set, interrupts[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	rc = submit_all(chain, false, o, err);
	/* A signal that came ends the command here. */
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
