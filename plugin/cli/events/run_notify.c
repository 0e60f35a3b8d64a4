/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_notify.c - libra notify: its command line, and the events in their order.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sysexits.h>
#include <unistd.h>

#include "plugin/cli/args.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/events/follow.h"
#include "plugin/cli/events/notice.h"
#include "plugin/cli/print.h"

enum { STATE_VERSION = 1 };

/* Between two looks at the log, and after a program that asked to be run again.
 */
enum { LOOK_S = 1, AGAIN_S = 30 };

struct options {
	const char *events; /* separated by commas */
	const char *log;
	const char *state;
	bool follow;
	char **program;
};

static const struct argp_option options[] = {
	{"events", 'e', "LIST", 0,
	 "Events that run the program, of promised, started, moved, broken, "
	 "holds, refused, kept, late, lost, released, cancelled (default: "
	 "moved,broken,holds,refused,late,lost,released)",
	 0},
	{"follow", 'f', NULL, 0, "Go on until a signal ends the command", 0},
	{"log", 'l', "FILE", 0,
	 "Read this decision log (default: libra_log of slurm.conf)", 0},
	{"state", 's', "FILE", 0,
	 "Keep in FILE how far the log was read; required", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static void check_events(const struct argp_state *state, const char *list)
{
	for (size_t len; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (!cli_notice_is_kind(list, len))
			cli_usage(state, "--events: there is no event '%.*s'",
				  (int)len, list);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'e':
		check_events(state, arg);
		o->events = arg;
		break;
	case 'f':
		o->follow = true;
		break;
	case 'l':
		o->log = arg;
		break;
	case 's':
		o->state = arg;
		break;
	case ARGP_KEY_ARG: /* what follows are the program's arguments */
		o->program = &state->argv[state->next - 1];
		state->next = state->argc;
		break;
	case ARGP_KEY_END:
		if (!o->state || !o->program)
			cli_usage(state, "give --state=FILE and a program");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* ---- events ---- */

struct reader {
	const struct options *o;
	json_t *saved;
	json_t *place; /* of the log that is read */
	bool first;    /* nothing was saved: nobody waits for old events */
	struct cli_followed logs[LIBRA_HOST_MAX_GROUPS];
	int nlogs;
};

static bool is_wanted(const struct options *o, const char *kind)
{
	size_t len = strlen(kind);

	for (const char *at = o->events; (at = strstr(at, kind)); at += len)
		if ((at == o->events || at[-1] == ',') &&
		    (at[len] == ',' || !at[len]))
			return true;
	return false;
}

/* Result: 0, or -1 with a text: the event comes again. */
static int run_program(const struct options *o, const char *kind,
		       const json_t *event, struct libra_error *err)
{
	int rc = cli_notice_run(o->program, kind, event);

	if (rc < 0)
		return libra_errf(err, errno, "%s: %s", o->program[0],
				  strerror(errno));
	if (rc > 128 && stopped)
		return libra_errf(err, EINTR, "ended by a signal");
	if (rc == 127)
		return libra_errf(err, ENOENT,
				  "%s cannot be run: the event waits for the "
				  "next call",
				  o->program[0]);
	if (rc == EX_TEMPFAIL)
		return libra_errf(err, EAGAIN,
				  "%s: try again later (status 75): the event "
				  "waits for the next call",
				  o->program[0]);
	if (rc > 0)
		fprintf(stderr, "libra notify: %s: status %d for job %lld %s\n",
			o->program[0], rc,
			(long long)json_integer_value(
				json_object_get(event, "id")),
			kind);
	return 0;
}

static int read_line(void *arg, const struct cli_log_line *line,
		     struct libra_error *err)
{
	struct reader *r = arg;
	const char *kind;
	json_t *event;
	int rc = 0;

	if (r->first || !cli_log_is_event(line))
		return 0;
	if (stopped)
		return libra_errf(err, EINTR, "ended by a signal");
	event = cli_log_parse(line, NULL);
	kind = event ? cli_notice_kind(event) : NULL;
	if (kind && is_wanted(r->o, kind)) {
		rc = run_program(r->o, kind, event, err);
		if (rc == 0) {
			cli_place_set(r->place,
				      line->at + (off_t)line->len + 1);
			rc = cli_saved_write(r->o->state, r->saved, err);
		}
	}
	json_decref(event);
	return rc;
}

static int read_log(struct reader *r, const char *path, struct libra_error *err)
{
	int rc;

	r->place = cli_saved_member(cli_saved_member(r->saved, "logs"), path);
	rc = cli_follow(path, r->place, read_line, r, err);
	if (rc > 0)
		fprintf(stderr,
			"libra notify: %s was rotated, and the older file is "
			"gone: events may be missing (use delaycompress)\n",
			path);
	return rc < 0 ? -1 : 0;
}

static int read_logs(struct reader *r, struct libra_error *err)
{
	json_t *before = json_deep_copy(r->saved);
	struct libra_error other = {""};
	int rc = 0;

	if (r->nlogs <= 0)
		r->nlogs = cli_followed_init(r->logs, r->o->log, err);
	if (r->nlogs < 0)
		rc = -1;
	r->first = !json_object_get(r->saved, "begun");
	for (int i = 0; rc == 0 && i < r->nlogs; i++)
		rc = read_log(r, r->logs[i].path, err);
	if (rc == 0)
		json_object_set_new(r->saved, "begun", json_true());
	/* Lines that are no events need not be read again, either. */
	if (!json_equal(before, r->saved) &&
	    cli_saved_write(r->o->state, r->saved, rc < 0 ? &other : err) < 0)
		rc = -1;
	json_decref(before);
	return rc;
}

/* ---- the command ---- */

/* One command at a time may use a state: wait for another one, or leave the
 * events to it.
 * Result: a descriptor that holds the lock, or -1 with errno.
 */
static int lock_state(const struct options *o)
{
	char *path;
	int fd, saved;

	if (asprintf(&path, "%s.lock", o->state) < 0)
		cli_no_memory();
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	free(path);
	if (fd < 0 || flock(fd, o->follow ? LOCK_EX : LOCK_EX | LOCK_NB) == 0)
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int notify(const struct options *o, const char *name)
{
	struct libra_error err = {""};
	struct cli_output output = {.name = name};
	struct reader r = {.o = o};
	int rc = CLI_DONE;

	r.saved = cli_saved_read(o->state, STATE_VERSION, &err);
	if (!r.saved)
		return cli_fail(&output, &err);
	do {
		err.text[0] = '\0';
		rc = read_logs(&r, &err) < 0 && !stopped
			     ? cli_fail(&output, &err)
			     : CLI_DONE;
		json_decref(output.errors); /* there is no envelope */
		output.errors = NULL;
		if (o->follow && !stopped)
			sleep(rc == CLI_DONE ? LOOK_S : AGAIN_S);
	} while (o->follow && !stopped);
	json_decref(r.saved);
	cli_followed_fini(r.logs, r.nlogs);
	return rc;
}

int cli_run_notify(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "PROGRAM [ARGUMENT...]",
		.doc = "Run a program for each promise that is in danger, "
		       "broken or over, by the decision log.",
	};
	struct options o = {
		.events = "moved,broken,holds,refused,late,lost,released"};
	struct sigaction action = {.sa_handler = stop};
	int lock, rc;

	cli_parse(&argp, argc, argv, ARGP_IN_ORDER, &o);
	lock = lock_state(&o);
	if (lock < 0 && errno == EWOULDBLOCK)
		return CLI_DONE;
	if (lock < 0) {
		fprintf(stderr, "%s: %s.lock: %s\n", argv[0], o.state,
			strerror(errno));
		return CLI_FAILED;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	rc = notify(&o, argv[0]);
	close(lock);
	return rc;
}
