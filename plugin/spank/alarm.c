/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.c - see alarm.h.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "plugin/spank/alarm.h"
#include "plugin/spank/clock.h"
#include "plugin/spank/node.h"

/* As large as the stacks of Slurm's threads: its code runs on this one. */
enum { STACK = 1024 * 1024 };

/* slurmctld is asked ASK_BEFORE_S before a deadline, spread over ASK_SPREAD_S,
 * so that the nodes of a job do not ask at one instant.
 */
#define ASK_BEFORE_S 0.5
#define ASK_SPREAD_S 2.0

static struct {
	struct spank_node_conf conf;
	spank_ask_f ask;
	char top[PATH_MAX], state[PATH_MAX], name[NAME_MAX + 1];
	uint32_t job_id;
	pid_t owner; /* 0 = not set; a forked child has no thread */
	pthread_t thread;
	int stopped;  /* eventfd: the alarm is cancelled */
	int timer;    /* timerfd of CLOCK_REALTIME */
	int replaced; /* inotify: the job's record is; or -1 */
	atomic_bool stop;
} alarm_clock;

enum wake { WAKE_TIME = 1, WAKE_RECORD, WAKE_STOP };

/* Watch the record's file, which is replaced by each new record. */
static void watch_record(void)
{
	char path[2 * PATH_MAX];

	if (alarm_clock.replaced < 0)
		return;
	snprintf(path, sizeof(path), "%s/%s/job_%u", alarm_clock.state,
		 alarm_clock.name, alarm_clock.job_id);
	inotify_add_watch(alarm_clock.replaced, path,
			  IN_ATTRIB | IN_DELETE_SELF | IN_DONT_FOLLOW);
}

static bool has_instant(double deadline_s)
{
	return deadline_s < (double)LONG_MAX;
}

/* Sleep until an instant, if it is one, a new record, or the end of the alarm.
 */
static enum wake sleep_until(double at_s)
{
	/* Rounded up: a moment too early the job is not late yet. */
	double whole_s = has_instant(at_s) ? floor(at_s) : 0;
	const struct itimerspec never = {0};
	struct itimerspec at = {
		.it_value =
			{
				.tv_sec = (time_t)fmax(1, whole_s),
				.tv_nsec = (long)fmin(999999999,
						      (at_s - whole_s) * 1e9 +
							      1000),
			},
	};
	struct pollfd fds[] = {
		{.fd = alarm_clock.stopped, .events = POLLIN},
		{.fd = alarm_clock.replaced, .events = POLLIN},
		{.fd = alarm_clock.timer, .events = POLLIN},
	};
	char news[4096];
	int n;

	timerfd_settime(alarm_clock.timer, TFD_TIMER_ABSTIME,
			has_instant(at_s) ? &at : &never, NULL);
	do
		n = poll(fds, 3, -1);
	while (n < 0 && errno == EINTR);
	if (n < 0 || fds[0].revents || alarm_clock.stop)
		return WAKE_STOP;
	if (!fds[1].revents)
		return WAKE_TIME;
	if (read(alarm_clock.replaced, news, sizeof(news)) < 0) {
		close(alarm_clock.replaced);
		alarm_clock.replaced = -1;
	}
	watch_record();
	return WAKE_RECORD;
}

static void renew(const struct spank_change *change)
{
	struct spank_node *node = spank_node_open(&alarm_clock.conf, NULL);

	if (node && change)
		spank_node_change(node, change);
	if (node)
		spank_node_renew(node, spank_now_s());
	spank_node_close(node);
}

static bool differ(double a, double b)
{
	return !(fabs(a - b) <= 1e-3);
}

/* Ask slurmctld for the promise, as no event may have brought a change here,
 * and apply it.
 * Result: true if the promise has changed.
 */
static bool was_changed(const struct spank_job *job)
{
	struct spank_change now;

	if (!alarm_clock.ask || alarm_clock.ask(job->id, &now) < 0 ||
	    alarm_clock.stop)
		return false;
	now.id = job->id;
	now.number = 0;
	if (job->turns && now.share > 0)
		now.share = 1;
	if (!differ(now.estimate_s, job->estimate_s) &&
	    !differ(now.deadline_s, job->deadline_s) &&
	    (now.share > 0) == (job->share > 0))
		return false;
	renew(&now);
	return true;
}

/* Do the next step for a job: ask shortly before its deadline, then renew the
 * weights at the deadline.
 * Result: the instant of the following step; INFINITY if there is none.
 */
static double next_step(const struct spank_job *job, double *asked_s)
{
	double spread = (unsigned)alarm_clock.owner % 1000 / 1000.0;
	double ask_s = job->deadline_s - ASK_BEFORE_S - ASK_SPREAD_S * spread;
	double now_s = spank_now_s();

	if (job->share == 0)
		return INFINITY;
	if (*asked_s != job->deadline_s && now_s < ask_s)
		return ask_s;
	if (*asked_s != job->deadline_s) {
		*asked_s = job->deadline_s;
		if (was_changed(job))
			return 0; /* look again at once */
	}
	if (spank_now_s() < job->deadline_s)
		return job->deadline_s;
	if (job->turns || job->yields)
		renew(NULL);
	return INFINITY;
}

/* The deadline may be moved while this sleeps, also to an earlier one, or when
 * it is over, to a later one.
 */
static void *wait_for_deadline(void *arg)
{
	double asked_s = -INFINITY, at_s = 0;
	struct spank_job job;
	enum wake wake;

	while ((has_instant(at_s) || alarm_clock.replaced >= 0) &&
	       (wake = sleep_until(at_s)) != WAKE_STOP) {
		if (spank_store_get(&alarm_clock.conf, alarm_clock.job_id,
				    &job) == 0)
			at_s = next_step(&job, &asked_s);
		else if (wake == WAKE_TIME || !has_instant(at_s))
			break; /* the job is over */
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

static void close_clock(void)
{
	int fds[] = {alarm_clock.stopped, alarm_clock.timer,
		     alarm_clock.replaced};

	for (int i = 0; i < 3; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	alarm_clock.owner = 0;
}

/* Without inotify a deadline that is moved nearer is seen at the old one. */
static int open_clock(void)
{
	alarm_clock.stopped = eventfd(0, EFD_CLOEXEC);
	alarm_clock.timer =
		timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	alarm_clock.replaced = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	watch_record();
	return alarm_clock.stopped < 0 || alarm_clock.timer < 0 ? errno : 0;
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

int libra_alarm_set(const struct spank_node_conf *conf, uint32_t job_id,
		    spank_ask_f ask)
{
	struct spank_job job;
	int rc;

	if (alarm_clock.owner == getpid() ||
	    spank_store_get(conf, job_id, &job) < 0 || job.share == 0 ||
	    !has_instant(job.deadline_s))
		return 0;
	alarm_clock.job_id = job_id;
	alarm_clock.ask = ask;
	alarm_clock.stop = false;
	rc = keep_conf(conf) ? open_clock() : ENAMETOOLONG;
	alarm_clock.owner = getpid();
	if (rc == 0)
		rc = start_thread();
	if (rc == 0)
		return 0;
	close_clock();
	errno = rc;
	return -1;
}

void libra_alarm_stop(void)
{
	uint64_t one = 1;

	if (alarm_clock.owner != getpid())
		return;
	alarm_clock.stop = true;
	if (write(alarm_clock.stopped, &one, sizeof(one)) < 0)
		pthread_cancel(alarm_clock.thread);
	pthread_join(alarm_clock.thread, NULL);
	close_clock();
}
