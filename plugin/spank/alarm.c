/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.c - see alarm.h.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/alarm.h"
#include "plugin/spank/clock.h"
#include "plugin/spank/node.h"

/* Several times what a renewal needs; no more, as all memory of slurmstepd may
 * be locked.
 */
enum { STACK = 256 * 1024 };

static struct {
	struct spank_node_conf conf;
	char top[PATH_MAX], state[PATH_MAX], name[NAME_MAX + 1];
	uint32_t job_id;
	double deadline_s; /* when it was set */
	pid_t owner;	   /* 0 = not set; a forked child has no thread */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t stopped;
	atomic_bool stop;
} alarm_clock = {
	.mutex = PTHREAD_MUTEX_INITIALIZER,
	.stopped = PTHREAD_COND_INITIALIZER, /* counts on CLOCK_REALTIME */
};

/* Result: false if the alarm was cancelled meanwhile. */
static bool sleep_until(double at_s)
{
	/* Rounded up: a moment too early the job is not late yet. */
	double whole_s = floor(at_s);
	struct timespec at = {
		.tv_sec = (time_t)whole_s,
		.tv_nsec = (long)fmin(999999999, (at_s - whole_s) * 1e9 + 1000),
	};
	int rc = 0;

	pthread_mutex_lock(&alarm_clock.mutex);
	while (!alarm_clock.stop && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&alarm_clock.stopped,
					    &alarm_clock.mutex, &at);
	pthread_mutex_unlock(&alarm_clock.mutex);
	return !alarm_clock.stop;
}

static void renew(void)
{
	struct spank_node *node = spank_node_open(&alarm_clock.conf, NULL);

	if (node)
		spank_node_renew(node, spank_now_s());
	spank_node_close(node);
}

static bool has_instant(double deadline_s)
{
	return deadline_s < (double)LONG_MAX;
}

/* The deadline may have been moved to later meanwhile. */
static void *wait_for_deadline(void *arg)
{
	double deadline_s = alarm_clock.deadline_s;
	struct spank_job job;

	while (has_instant(deadline_s) && sleep_until(deadline_s) &&
	       spank_store_get(&alarm_clock.conf, alarm_clock.job_id, &job) ==
		       0) {
		if (spank_now_s() >= job.deadline_s) {
			renew();
			break;
		}
		deadline_s = job.deadline_s;
	}
	return NULL;
}

/* The thread blocks all signals: slurmstepd's own threads expect them. */
static int start_thread(void)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int rc = pthread_attr_init(&attr);

	if (rc)
		return rc;
	sigfillset(&all);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&alarm_clock.thread, &attr, wait_for_deadline,
			    NULL);
	if (rc == 0)
		pthread_setname_np(alarm_clock.thread, "libra_alarm");
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return rc;
}

static bool copy(char *to, size_t size, const char *text)
{
	return (size_t)snprintf(to, size, "%s", text) < size;
}

/* conf's texts may be of the environment, which changes. */
static bool keep_conf(const struct spank_node_conf *conf)
{
	alarm_clock.conf = *conf;
	alarm_clock.conf.cgroup_top = alarm_clock.top;
	alarm_clock.conf.state = alarm_clock.state;
	alarm_clock.conf.name = alarm_clock.name;
	alarm_clock.conf.stop = &alarm_clock.stop;
	alarm_clock.conf.caller = alarm_clock.job_id;
	return copy(alarm_clock.top, sizeof(alarm_clock.top),
		    conf->cgroup_top) &&
	       copy(alarm_clock.state, sizeof(alarm_clock.state),
		    conf->state) &&
	       copy(alarm_clock.name, sizeof(alarm_clock.name), conf->name);
}

int libra_alarm_set(const struct spank_node_conf *conf, uint32_t job_id)
{
	struct spank_job job;
	int rc;

	if (alarm_clock.owner == getpid() ||
	    spank_store_get(conf, job_id, &job) < 0 || !job.turns ||
	    job.share == 0 || !has_instant(job.deadline_s))
		return 0;
	alarm_clock.job_id = job_id;
	alarm_clock.deadline_s = job.deadline_s;
	alarm_clock.stop = false;
	rc = keep_conf(conf) ? start_thread() : ENAMETOOLONG;
	if (rc == 0) {
		alarm_clock.owner = getpid();
		return 0;
	}
	errno = rc;
	return -1;
}

void libra_alarm_stop(void)
{
	if (alarm_clock.owner != getpid())
		return;
	pthread_mutex_lock(&alarm_clock.mutex);
	alarm_clock.stop = true;
	pthread_cond_signal(&alarm_clock.stopped);
	pthread_mutex_unlock(&alarm_clock.mutex);
	pthread_join(alarm_clock.thread, NULL);
	alarm_clock.owner = 0;
}
