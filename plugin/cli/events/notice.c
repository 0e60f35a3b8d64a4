/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notice.c - see notice.h.
 */
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/base/units.h"
#include "plugin/base/text.h"
#include "plugin/cli/events/notice.h"
#include "plugin/cli/print.h"
#include "plugin/engine/admin_comment.h"

static const char *const kinds[] = {
	"promised", "started", "moved", "broken",   "holds",	 "refused",
	"kept",	    "late",    "lost",	"released", "cancelled",
};

enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

bool cli_notice_is_kind(const char *word, size_t len)
{
	for (int i = 0; i < NKINDS; i++)
		if (strlen(kinds[i]) == len &&
		    strncmp(kinds[i], word, len) == 0)
			return true;
	return false;
}

const char *cli_notice_kind(const json_t *event)
{
	const char *name = cli_json_text(event, "event");

	if (strcmp(name, "decision") == 0)
		return json_object_get(event, "id") &&
				       strcmp(cli_json_text(event, "verdict"),
					      "reject") == 0
			       ? "refused"
			       : NULL;
	return cli_notice_is_kind(name, strlen(name)) ? name : NULL;
}

/* ---- the sentence ---- */

/* A sentence is read on another day, in mail or a job's comment: each instant
 * has its day, and the last one the zone.
 */
struct notice {
	const json_t *event;
	double at_s, deadline_s;
	char at[32], deadline[32];
	char cause[LIBRA_CAUSE_SIZE]; /* "" = none */
};

static void set_notice(struct notice *n, const json_t *event)
{
	const char *cause = cli_json_text(event, "cause");
	const struct libra_promise p = {.broken.text = cause,
					.broken.len = strlen(cause)};

	n->event = event;
	n->at_s = floor(cli_json_double(event, "now_s"));
	n->deadline_s = cli_json_double(event, "deadline_s");
	libra_host_clock_text(n->at_s, NAN, n->deadline_s, n->at);
	libra_host_clock_text(n->deadline_s, NAN, NAN, n->deadline);
	*n->cause = '\0';
	if (*cause)
		libra_promise_cause(&p, n->cause);
}

/* Write an instant that stands before the deadline. */
static void instant_of(const struct notice *n, const char *field, char text[32])
{
	libra_host_clock_text(cli_json_double(n->event, field), NAN,
			      n->deadline_s, text);
}

static void add_moved(struct host_text *to, const struct notice *n)
{
	char was[32], is[32];

	instant_of(n, "was_s", was);
	instant_of(n, "start_s", is);
	host_text_add(to,
		      "planned start moved from %s to %s; its deadline is %s",
		      was, is, n->deadline);
}

static void add_refused(struct host_text *to, const struct notice *n)
{
	char earliest[32];

	instant_of(n, "earliest_s", earliest);
	host_text_add(to,
		      "it could start, and its promise was refused (%s); "
		      "earliest deadline then: %s; it asks again until %s "
		      "cannot be met",
		      cli_json_text(n->event, "reason"), earliest, n->deadline);
}

static void add_late(struct host_text *to, const struct notice *n)
{
	char by[32];

	libra_host_duration_text(
		cli_json_double(n->event, "now_s") - n->deadline_s, by);
	host_text_add(to, "ended at %s, %s after its deadline %s", n->at, by,
		      n->deadline);
}

static void add_sentence(struct host_text *to, const char *kind,
			 const struct notice *n)
{
	if (strcmp(kind, "moved") == 0)
		add_moved(to, n);
	else if (strcmp(kind, "refused") == 0)
		add_refused(to, n);
	else if (strcmp(kind, "late") == 0)
		add_late(to, n);
	else if (strcmp(kind, "broken") == 0)
		host_text_add(to,
			      "promise broken: it cannot end by %s, and starts "
			      "as soon as it can",
			      n->deadline);
	else if (strcmp(kind, "holds") == 0)
		host_text_add(to, "its promise holds again: it ends by %s",
			      n->deadline);
	else if (strcmp(kind, "kept") == 0)
		host_text_add(to, "ended at %s, in time for its deadline %s",
			      n->at, n->deadline);
	else if (strcmp(kind, "lost") == 0)
		host_text_add(to,
			      "promise lost: the deadline %s is not "
			      "promised any more",
			      n->deadline);
	else if (strcmp(kind, "released") == 0)
		host_text_add(to, "released its promise, and asks for one "
				  "again when it may start");
	else
		host_text_add(to, "%s at %s; its deadline is %s", kind, n->at,
			      n->deadline);
}

static char *sentence(const char *kind, const struct notice *n)
{
	struct host_text text = {0};

	host_text_add(
		&text, "job %lld: ",
		(long long)json_integer_value(json_object_get(n->event, "id")));
	add_sentence(&text, kind, n);
	if (*n->cause)
		host_text_add(&text, " (%s)", n->cause);
	if (text.cut)
		cli_no_memory();
	return text.text;
}

/* ---- the program ---- */

static void set(const char *name, const char *value)
{
	if (setenv(name, value, 1) < 0)
		cli_no_memory();
}

static void set_whole(const char *name, const json_t *event, const char *field)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld",
		 (long long)json_integer_value(json_object_get(event, field)));
	set(name, text);
}

static void set_user(const json_t *event)
{
	const struct passwd *user = getpwuid(
		(uid_t)json_integer_value(json_object_get(event, "user")));

	set_whole("LIBRA_UID", event, "user");
	set("LIBRA_USER", user ? user->pw_name : "");
}

/* Local time, for programs. */
static void set_instant(const char *name, double at_s)
{
	time_t t = (time_t)ceil(at_s);
	char text[32] = "none";
	struct tm tm;

	if (fabs(at_s) < 1e15 && localtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	set(name, text);
}

static void set_environment(const char *kind, const json_t *event)
{
	struct notice n;
	char *text;

	set_notice(&n, event);
	text = sentence(kind, &n);
	set("LIBRA_EVENT", kind);
	set("LIBRA_TEXT", text);
	set_whole("LIBRA_JOB", event, "id");
	set_user(event);
	set("LIBRA_PARTITION", cli_json_text(event, "partition"));
	set("LIBRA_CAUSE", n.cause);
	set_instant("LIBRA_TIME", n.at_s);
	set_instant("LIBRA_DEADLINE", n.deadline_s);
	free(text);
}

/* A file with the line, at its beginning: a pipe would end us if the program
 * does not read it.
 */
static FILE *input_of(const json_t *event)
{
	FILE *fp = tmpfile();

	if (fp && (json_dumpf(event, fp, JSON_COMPACT) < 0 ||
		   fputc('\n', fp) == EOF || fflush(fp) != 0 ||
		   fseek(fp, 0, SEEK_SET) != 0)) {
		fclose(fp);
		fp = NULL;
	}
	return fp;
}

int cli_notice_run(char **program, const char *kind, const json_t *event)
{
	FILE *input = input_of(event);
	int status = -1;
	pid_t pid;

	if (!input)
		return -1;
	set_environment(kind, event);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(fileno(input), STDIN_FILENO);
		execvp(program[0], program);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	fclose(input);
	if (pid < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
