/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimates.c - what users' estimates were worth, kept over restarts.
 *
 * With libra_correct=Q a promise is made with an estimate corrected by what the
 * user's last jobs really took (core/history.h); the user's own stays on the
 * job's record, and counts again once the job has run past the other.  See
 * state.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/history.h"
#include "plugin/host/state.h"

/* What slurmctld loses if it is killed. */
#define SAVE_AFTER_S 60.0

/* No history of ours is so long. */
#define MOST_BYTES ((off_t)64 << 20)

/* Result: 0 for a file that can be read, or -1 with errno. */
static int check_file(int fd, struct stat *st)
{
	if (fstat(fd, st) < 0)
		return -1;
	if (S_ISREG(st->st_mode) && st->st_size <= MOST_BYTES)
		return 0;
	errno = S_ISREG(st->st_mode) ? EFBIG : EINVAL;
	return -1;
}

/* Result: the text, for the caller to free, or NULL with errno. */
static char *read_open(int fd, size_t *size)
{
	struct stat st;
	char *text = NULL;
	ssize_t n = 1;

	if (check_file(fd, &st) == 0)
		text = malloc((size_t)st.st_size + 1);
	*size = 0;
	while (text && n > 0 && *size < (size_t)st.st_size) {
		n = read(fd, text + *size, (size_t)st.st_size - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	if (n < 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static char *read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text;
	int saved;

	if (fd < 0)
		return NULL;
	text = read_open(fd, size);
	saved = errno;
	close(fd);
	errno = saved;
	return text;
}

/* The next save would write over what somebody may mend. */
static void put_aside(const char *path)
{
	char *bad;

	if (asprintf(&bad, "%s.bad", path) < 0)
		return;
	if (rename(path, bad) == 0)
		host_say(host.ops, LIBRA_HOST_ERROR, "%s is kept as %s", path,
			 bad);
	free(bad);
}

static void load(void)
{
	struct libra_error err = {0};
	size_t size = 0;
	char *text = read_file(host.history_path, &size);
	bool good;

	if (!text && errno == ENOENT)
		return;
	if (!text)
		libra_errf(&err, errno, "cannot be read: %s", strerror(errno));
	good = text && libra_history_load(host.history, text, size, &err) == 0;
	free(text);
	if (good)
		return;
	host_say(host.ops, LIBRA_HOST_ERROR,
		 "%s: %s: estimates are corrected by what comes from now on",
		 host.history_path, err.text);
	put_aside(host.history_path);
}

/* A file is either the old or the new one, whatever happens to slurmctld; and
 * to the machine, if it is safe.
 */
static int write_file(const char *path, const char *text, size_t size,
		      bool safe)
{
	char *beside;
	int fd = -1, rc = -1, saved;

	if (asprintf(&beside, "%s.new", path) < 0) {
		errno = ENOMEM;
		return -1;
	}
	unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		errno = ENOSPC;
		rc = write(fd, text, size) == (ssize_t)size ? 0 : -1;
		if (rc == 0 && safe)
			rc = fdatasync(fd);
		if (close(fd) < 0)
			rc = -1;
		if (rc == 0)
			rc = rename(beside, path);
		saved = errno;
		if (rc < 0)
			unlink(beside);
		errno = saved;
	}
	free(beside);
	return rc;
}

static void save(bool safe)
{
	size_t size = libra_history_save(host.history, NULL, 0);
	char *text = malloc(size + 1);
	int rc = -1;

	if (text) {
		libra_history_save(host.history, text, size + 1);
		rc = write_file(host.history_path, text, size, safe);
	}
	/* Said once: a full disk is full for long. */
	if (rc < 0 && !host.history_stuck)
		host_say(host.ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: what users' estimates were "
			 "worth may be forgotten",
			 host.history_path, strerror(errno));
	host.history_stuck = rc < 0;
	host.history_news = rc < 0;
	free(text);
}

/* A disk may take long to say that all is there: slurmctld waits for it only
 * when it ends or is configured anew.
 */
void host_learn_save(double now_s, bool last)
{
	if (!host.history || !host.history_news ||
	    (!last && fabs(now_s - host.history_saved_s) < SAVE_AFTER_S))
		return;
	save(last);
	host.history_saved_s = now_s;
}

void host_learn_end(void)
{
	host_learn_save(0, true);
	libra_history_destroy(host.history);
	free(host.history_path);
	host.history = NULL;
	host.history_path = NULL;
	host.history_news = false;
}

void host_learn_begin(const char *folder)
{
	struct libra_history_conf conf;
	struct libra_error err = {0};

	host_learn_end();
	if (host.conf.correct == 0 || !folder)
		return;
	if (asprintf(&host.history_path, "%s/libra_history", folder) < 0) {
		host.history_path = NULL;
		return;
	}
	conf = libra_history_usual(host.conf.correct);
	host.history = libra_history_create(&conf, &err);
	if (host.history)
		load();
	else
		host_say(host.ops, LIBRA_HOST_ERROR, "libra_correct: %s",
			 err.text);
}

double host_learn_estimate(uint32_t user, double user_estimate_s)
{
	return host.history ? libra_history_correct(host.history, user,
						    user_estimate_s, 0)
			    : user_estimate_s;
}

static double executed_s(const struct tracked_job *t, double now_s)
{
	if (t->suspended)
		return t->executed_s;
	return fmax(0, t->job.estimate_s - libra_engine_left_s(host.log.engine,
							       t->ticket, now_s,
							       NULL));
}

void host_learn_ended(const struct tracked_job *t, double now_s)
{
	double run_s;

	if (!host.history || !host.ops->ended_by_itself ||
	    !host.ops->ended_by_itself(t->job_id))
		return;
	run_s = executed_s(t, now_s);
	if (libra_history_add(host.history, t->job.user, run_s,
			      t->user_estimate_s) == 0)
		host.history_news = true;
}

void host_learn_exceeded(double now_s)
{
	struct tracked_job *t;
	double run_s, estimate_s;

	if (!host.history)
		return;
	for (t = host_jobs_next(&host.jobs, NULL); t;
	     t = host_jobs_next(&host.jobs, t)) {
		if (t->state != TRACKED_RUNNING ||
		    t->user_estimate_s <= t->job.estimate_s)
			continue;
		run_s = executed_s(t, now_s);
		if (run_s < t->job.estimate_s)
			continue;
		estimate_s = libra_history_correct(host.history, t->job.user,
						   t->user_estimate_s, run_s);
		if (libra_engine_log_reestimate(&host.log, t->ticket,
						estimate_s, now_s) < 0)
			continue;
		t->job.estimate_s = estimate_s;
		host_jobs_set_stale(&host.jobs, t);
	}
}
