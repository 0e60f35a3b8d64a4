/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_start.c - the thread that starts promised jobs, beside a slurmctld and
 * a host that say what the case wants.  Slurm's locks are given back on every
 * path, and each allocation fails in turn: a job is then started by a later
 * look.
 *
 * There is no thread: its function is called when the case wants it, on a clock
 * of ours.  Lists are Slurm's own, of its library.
 */
#define LIBRA_SLURM_INTERNAL

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/select/access.h"
#include "plugin/select/job_env.h"
#include "plugin/select/follow.h"
#include "plugin/select/limits.h"
#include "plugin/select/forecast.h"
#include "plugin/select/starter.h"
#include "plugin/select/wake.h"
#include "plugin/base/timing.h"
#include "tests/plugin/tap.h"
#include "tests/plugin/wrapped.h"

/* More than there is room for at first, in a list of jobs. */
enum { JOBS = 70, FIRST = 7 };

__typeof__(accounting_enforce) accounting_enforce;
__typeof__(acct_db_conn) acct_db_conn;
__typeof__(job_list) job_list;
__typeof__(last_job_update) last_job_update;
__typeof__(slurmctld_config) slurmctld_config;

/* What the case says, and what was seen. */
static struct {
	int looks;     /* then Slurm shuts down */
	int vain;      /* in so many of them no job can start, for: */
	int rc;	       /* of select_nodes() */
	int memory;    /* is there again from this look on; 0 = as it is */
	double try_s;  /* so long select_nodes() takes, */
	double want_s; /* and libra_host_wants() */
	int shut_at;   /* lock: then Slurm shuts down, */
	bool end_at;   /* or the plugin is unloaded */
	bool shut_in_try;
	int standby_at; /* lock: then another slurmctld has control, */
	int control_at; /* look: until this one */
	int begin_at;	/* look: then the plugin begins again */
	bool no_thread, no_account, no_task, not_now, no_license;
	int limit; /* of job_limits_check() */
	const char *denied;

	double now_s, locked_s, longest_s;
	int look, locks, unlocks, loose, iterators;
	bool over;	 /* shutdown has begun */
	bool shut;	 /* at shut_at */
	int shut_off_at; /* a shutdown begins at this rest, and is called off */
	int after;	 /* what was done since then */
	int rests, follows, created, joined, lines;
	double rested_s[2], slept_s;
	const char *limited;
	void *(*run)(void *arg);
} w;

/* Of each job. */
static struct {
	enum libra_host_wanted wanted;
	bool due, woken;
	int selects, launches, allocates, tried, tried_at;
} told[JOBS];

static job_record_t jobs[JOBS];
static __typeof__(*((job_record_t *)0)->details) details[JOBS];
static part_record_t part = {.name = "main"};
static LIBRA_LIST all_jobs; /* of them all */

/* ---- threads and clocks ---- */

extern int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
				 void *(*run)(void *arg), void *arg);
extern int __wrap_pthread_join(pthread_t thread, void **result);
extern int __wrap_pthread_cond_timedwait(pthread_cond_t *cond,
					 pthread_mutex_t *lock,
					 const struct timespec *until);
extern int __wrap_clock_gettime(clockid_t clock, struct timespec *at);
extern int __wrap_nanosleep(const struct timespec *pause,
			    struct timespec *left);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *arg), void *arg)
{
	if (w.no_thread)
		return EAGAIN;
	w.created++;
	w.run = run;
	*thread = pthread_self();
	return 0;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
	w.joined++;
	return 0;
}

static double seconds(const struct timespec *ts)
{
	return (double)ts->tv_sec + 1e-9 * (double)ts->tv_nsec;
}

/* Nobody waits with Slurm's locks. */
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *lock,
				  const struct timespec *until)
{
	w.loose += w.locks != w.unlocks;
	if (w.rests <= 2)
		w.rested_s[w.rests - 1] = seconds(until) - w.now_s;
	w.now_s = fmax(w.now_s, seconds(until));
	return ETIMEDOUT;
}

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left)
{
	w.loose += w.locks != w.unlocks;
	w.slept_s += seconds(pause);
	w.now_s += seconds(pause);
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *at)
{
	at->tv_sec = (time_t)w.now_s;
	at->tv_nsec = (long)((w.now_s - (double)at->tv_sec) * 1e9);
	return 0;
}

/* ---- Slurm's list knows who is at it ---- */

extern LIBRA_LIST_ITERATOR __real_slurm_list_iterator_create(LIBRA_LIST list);
extern LIBRA_LIST_ITERATOR __wrap_slurm_list_iterator_create(LIBRA_LIST list);
extern void __real_slurm_list_iterator_destroy(LIBRA_LIST_ITERATOR at);
extern void __wrap_slurm_list_iterator_destroy(LIBRA_LIST_ITERATOR at);

LIBRA_LIST_ITERATOR __wrap_slurm_list_iterator_create(LIBRA_LIST list)
{
	w.iterators++;
	return __real_slurm_list_iterator_create(list);
}

void __wrap_slurm_list_iterator_destroy(LIBRA_LIST_ITERATOR at)
{
	w.iterators--;
	__real_slurm_list_iterator_destroy(at);
}

/* ---- slurmctld ---- */

static void shut_down(void)
{
	w.over = true;
	if (w.end_at)
		libra_starter_end();
	else
		slurmctld_config.shutdown_time = 1;
}

extern void lock_slurmctld(slurmctld_lock_t locks)
{
	w.loose += w.locks++ != w.unlocks || locks.conf != READ_LOCK ||
		   locks.job != WRITE_LOCK || locks.node != WRITE_LOCK ||
		   locks.part != READ_LOCK || locks.fed != READ_LOCK;
	w.locked_s = w.now_s;
	w.after += w.over;
	if (w.locks == w.shut_at) {
		w.shut = true;
		shut_down();
	}
	if (w.locks == w.standby_at)
		slurmctld_config.thread_id_save = 0;
}

extern void unlock_slurmctld(slurmctld_lock_t locks)
{
	w.loose += w.locks != ++w.unlocks;
	w.longest_s = fmax(w.longest_s, w.now_s - w.locked_s);
}

static void under_lock(void)
{
	w.loose += w.locks != w.unlocks + 1;
	w.after += w.over;
}

static size_t at(uint32_t id)
{
	return id - FIRST;
}

extern job_record_t *find_job_record(uint32_t id)
{
	under_lock();
	return &jobs[at(id)];
}

extern int assoc_mgr_validate_assoc_id(void *conn, uint32_t id, int enforce)
{
	return w.no_account ? SLURM_ERROR : SLURM_SUCCESS;
}

extern bool job_array_start_test(job_record_t *job)
{
	return !w.no_task;
}

extern bool job_independent(job_record_t *job)
{
	return !w.not_now;
}

const char *libra_access_denied(const job_record_t *job)
{
	return w.denied;
}

extern int job_limits_check(job_record_t **job, bool check_min_time)
{
	return w.limit;
}

extern int license_job_test(job_record_t *job, time_t when, bool reboot)
{
	return w.no_license ? EAGAIN : SLURM_SUCCESS;
}

extern int select_nodes LIBRA_SELECT_NODES_PARAMS
{
	job_record_t *job = LIBRA_SELECT_NODES_JOB;

	under_lock();
	told[at(job->job_id)].selects++;
	w.now_s += w.try_s;
	if (w.shut_in_try)
		shut_down();
	if (w.look <= w.vain)
		return w.rc;
	job->job_state = JOB_RUNNING;
	return SLURM_SUCCESS;
}

extern void log_var(const log_level_t level, const char *format, ...)
{
	w.lines++;
}

extern void launch_job(job_record_t *job)
{
	under_lock();
	told[at(job->job_id)].launches++;
}

extern void srun_allocate(job_record_t *job)
{
	under_lock();
	told[at(job->job_id)].allocates++;
}

/* ---- host ---- */

struct libra_host *libra_host_shared(void)
{
	return NULL;
}

void libra_host_time_calls(bool wanted)
{
	w.look++;
	if (w.look == w.memory)
		fail_no_more();
	if (w.look == w.control_at)
		slurmctld_config.thread_id_save = pthread_self();
}

void libra_host_watch_start(struct libra_host_watch *watch)
{
}

void libra_host_watch_stop(struct libra_host_watch *watch)
{
}

void libra_host_took(struct libra_host *host, enum libra_host_call call,
		     const struct libra_host_watch *watch)
{
}

void libra_host_log_times(struct libra_host *host)
{
}

double libra_host_next_s(struct libra_host *host)
{
	if (w.rests == w.begin_at)
		libra_starter_begin();
	if (w.rests == w.shut_off_at)
		slurmctld_config.shutdown_time = 1;
	if (w.rests == w.shut_off_at + 2)
		slurmctld_config.shutdown_time = 0;
	if (w.rests++ == w.looks) {
		shut_down();
		libra_wake_end();
	}
	return INFINITY;
}

bool libra_host_look(struct libra_host *host)
{
	under_lock();
	return false;
}

bool libra_host_flush_records(struct libra_host *host)
{
	return false;
}

enum libra_host_wanted libra_host_wants(struct libra_host *host,
					const struct libra_host_job *job)
{
	size_t i = at(job->job_id);

	under_lock();
	w.now_s += w.want_s;
	return told[i].wanted && told[i].tried ? LIBRA_WANTED_AGAIN
					       : told[i].wanted;
}

uint32_t libra_host_due(struct libra_host *host, uint32_t *ids, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < JOBS && n < max; i++)
		if (told[i].due && jobs[i].job_state == JOB_PENDING)
			ids[n++] = FIRST + i;
	return n;
}

uint32_t libra_host_woken(struct libra_host *host, uint32_t *ids, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < JOBS; i++)
		if (told[i].woken)
			ids[n++] = FIRST + i;
	return n;
}

/* Not at once. */
bool libra_host_may_try(struct libra_host *host, uint32_t job_id)
{
	return told[at(job_id)].tried_at != w.look;
}

void libra_host_tried(struct libra_host *host, uint32_t job_id)
{
	told[at(job_id)].tried++;
	told[at(job_id)].tried_at = w.look;
}

void libra_host_limited(struct libra_host *host, uint32_t job_id,
			const char *what)
{
	w.limited = what;
}

/* ---- the other files of the plugin ---- */

double libra_job_env_estimate(const job_record_t *job)
{
	return NAN;
}

void libra_cluster_sync(void)
{
	under_lock();
	w.follows++;
}

bool libra_limits_of(const job_record_t *job, bool with_promised,
		     struct libra_limits *limits)
{
	return false;
}

/* ---- cases ---- */

static void reset(void)
{
	memset(&w, 0, sizeof(w));
	memset(told, 0, sizeof(told));
	fail_no_more();
	accounting_enforce = 0;
	job_list = all_jobs;
	slurmctld_config.shutdown_time = 0;
	slurmctld_config.thread_id_save = pthread_self();
	slurmctld_config.scheduling_disabled = false;
	last_job_update = 0;
	w.now_s = 10;
	w.looks = 1;
	w.begin_at = w.shut_off_at = -9;
	w.rc = ESLURM_NODES_BUSY;
	for (uint32_t i = 0; i < JOBS; i++) {
		details[i] = (__typeof__(details[i])){.features = "f"};
		jobs[i] = (job_record_t){
			.job_id = FIRST + i,
			.job_state = JOB_PENDING,
			.priority = 1,
			.admin_comment = "promised",
			.details = &details[i],
			.part_ptr = &part,
			.nodes = "n",
			.array_task_id = NO_VAL,
			.batch_flag = 1,
		};
	}
}

/* From its begin to Slurm's end.  Result: all was given back. */
static bool looks(void)
{
	bool begun = libra_starter_begin() && w.run;

	if (begun)
		w.run(NULL);
	libra_starter_end();
	return begun && w.locks == w.unlocks && w.loose == 0 &&
	       memory.blocks == 0;
}

static bool looks_to_the_end(void)
{
	return looks() && w.iterators == 0;
}

static int total_launches(void)
{
	int n = 0;

	for (int i = 0; i < JOBS; i++)
		n += told[i].launches;
	return n;
}

static void wanted_jobs(void)
{
	reset();
	told[1].wanted = LIBRA_WANTED;
	ok(looks_to_the_end() && told[1].selects == 1 && told[1].launches == 1,
	   "a promised job that is wanted is tried and started");
	ok(total_launches() == 1 && !told[0].selects && last_job_update > 0 &&
		   told[1].tried == 0 && w.lines == 1,
	   "no other is");
	ok(!strcmp(details[1].features_use ? details[1].features_use : "", "f"),
	   "it needs what it asked for");
	reset();
	jobs[1].batch_flag = 0;
	told[1].wanted = LIBRA_WANTED;
	ok(looks_to_the_end() && told[1].allocates == 1 && !total_launches(),
	   "one of srun is told so");
	reset();
	told[1].due = true;
	ok(looks_to_the_end() && told[1].launches == 1,
	   "an ordinary one that is due is started, too");
	reset();
	w.looks = 2;
	w.vain = 1;
	told[1].wanted = LIBRA_WANTED_AGAIN;
	told[2].woken = true;
	ok(looks_to_the_end() && told[1].launches == 1,
	   "one that asks again is kept in mind");
	ok(told[2].selects == 0, "one that was woken, and is not wanted, not");
}

static void tried_in_vain(void)
{
	reset();
	w.looks = 2;
	w.vain = 1;
	told[1].wanted = LIBRA_WANTED;
	ok(looks_to_the_end() && told[1].tried == 1 && told[1].selects == 2 &&
		   told[1].launches == 1,
	   "who was tried in vain is tried again, and started");
	ok(fabs(w.rested_s[0] - 1) < 1e-6 && fabs(w.rested_s[1] - 0.2) < 1e-6,
	   "sooner than a second later");
	reset();
	w.looks = 3;
	w.vain = 3;
	w.try_s = 2e-3;
	told[1].wanted = told[2].wanted = LIBRA_WANTED;
	ok(looks_to_the_end() && told[1].selects == 3 &&
		   fabs(w.longest_s - w.try_s) < 1e-6,
	   "the locks are given back after each that takes long");
	ok(w.slept_s >= 4 * 0.1 + 4 * 10 * w.try_s - 1e-6,
	   "for ten times as long where that was in vain before");
	reset();
	w.vain = 1;
	w.rc = ESLURM_ACCOUNTING_POLICY;
	told[1].wanted = LIBRA_WANTED;
	ok(looks_to_the_end() && w.limited && strstr(w.limited, "account"),
	   "the host is told of a limit");
}

/* One that Slurm does not let start.  Result: it was tried, without nodes. */
static bool held(const char *what)
{
	bool sound;

	told[1].wanted = LIBRA_WANTED;
	w.limited = "nothing was told";
	sound = looks_to_the_end();
	return sound && told[1].tried == 1 && told[1].selects == 0 &&
	       (what ? w.limited && strstr(w.limited, what) : !w.limited);
}

static void held_jobs(void)
{
	reset();
	w.not_now = true;
	ok(held(NULL), "one that depends on another waits for it");
	reset();
	w.no_license = true;
	ok(held(NULL), "so does one without a license");
	reset();
	w.denied = "the state of its partition";
	ok(held("state"), "the host is told of a rule of the partition");
	reset();
	w.limit = WAIT_PART_TIME_LIMIT;
	ok(held("partition"), "the host is told of a partition's limit");
	reset();
	w.no_task = true;
	jobs[1].array_task_id = 1;
	ok(held("ArrayTaskThrottle"), "and of an array's");
	reset();
	w.no_account = true;
	accounting_enforce = ACCOUNTING_ENFORCE_ASSOCS;
	ok(held("nothing"), "who has no account is not looked at");
}

/* In the middle of all that a look does. */
static void busy(void)
{
	reset();
	w.looks = 4;
	w.vain = 2;
	w.try_s = 1e-3;
	told[0].due = true;
	told[1].wanted = told[2].wanted = LIBRA_WANTED;
	told[3].wanted = LIBRA_WANTED_AGAIN;
}

/* Result: how many locks there were until then. */
static int shut_at_each(bool end_at, bool *good)
{
	int n = 0;

	for (bool shut = true; shut; n++) {
		busy();
		w.end_at = end_at;
		w.shut_at = n + 1;
		*good = looks() && *good;
		shut = w.shut;
		*good = *good && (!shut || w.after == 0);
	}
	return n - 1;
}

static void ends(void)
{
	bool good = true;
	int n = shut_at_each(false, &good), m = shut_at_each(true, &good);

	printf("# %d locks\n", n);
	ok(good && n > 15 && m == n,
	   "a shutdown while it waits for a lock: it is given back at once");
	busy();
	w.shut_in_try = true;
	ok(looks() && w.after == 0 && told[0].selects == 1 &&
		   told[1].selects == 0,
	   "one while a job is tried: no other is");
	busy();
	w.looks = 6;
	w.shut_off_at = 0;
	ok(looks() && w.follows == 4 && told[1].launches == 1,
	   "one that is called off, as a reconfigure that fails: it goes on");
	busy();
	slurmctld_config.scheduling_disabled = true;
	ok(looks_to_the_end() && w.follows == 4 && !told[1].selects,
	   "who is not to schedule brings its promises up to date alone");
	busy();
	job_list = NULL;
	ok(looks_to_the_end() && w.locks == 4 && !w.follows,
	   "without jobs nothing is done");
}

/* While it looks at the list of jobs; that may be another one afterwards. */
static void backup(void)
{
	busy();
	slurmctld_config.thread_id_save = 0;
	ok(looks_to_the_end() && w.locks == 0,
	   "a backup without control does nothing");
	busy();
	w.looks = 6;
	w.want_s = 1e-4;
	w.standby_at = 3;
	w.control_at = 3;
	ok(looks() && w.iterators == 1 && told[1].selects == 1 &&
		   told[1].launches == 1,
	   "one that gave it back is not in the list of before");
}

static void threads(void)
{
	reset();
	w.no_thread = true;
	ok(!libra_starter_begin(), "without a thread that is said");
	w.no_thread = false;
	ok(libra_starter_begin() && libra_starter_begin() && w.created == 1,
	   "it is begun once");
	w.begin_at = 1;
	w.run(NULL);
	ok(w.created == 1, "also where it looks");
	libra_starter_end();
	libra_starter_end();
	ok(w.joined == 1, "and is ended once");
	ok(libra_starter_begin() && w.created == 2, "then another is begun");
	libra_starter_end();
}

/* Two are due, the others promised. */
static void promise_all(void)
{
	reset();
	w.looks = 10;
	w.vain = 2;
	for (int i = 0; i < JOBS; i++) {
		told[i].due = i % 35 == 0;
		told[i].wanted = told[i].due ? LIBRA_NOT_WANTED : LIBRA_WANTED;
	}
}

static bool all_started(void)
{
	bool all = true;

	for (int i = 0; i < JOBS; i++)
		all = all && told[i].launches == 1;
	return all;
}

static void without_memory(void)
{
	bool good = true;
	int n = 0;

	for (bool failed = true; failed; n++) {
		promise_all();
		fail_at(n);
		good = looks_to_the_end() && all_started() && good;
		failed = memory.calls > n;
	}
	printf("# %d allocations\n", n - 1);
	ok(good && n - 1 >= 5,
	   "with each allocation failed in turn all jobs are started, once");
	promise_all();
	w.memory = 4;
	fail_at(FAIL_ALL);
	ok(looks_to_the_end() && all_started(),
	   "as they are when there is memory again");
	promise_all();
	fail_at(FAIL_ALL);
	ok(looks_to_the_end() && !total_launches() && w.follows == 10,
	   "while there is none they wait");
}

int main(void)
{
	all_jobs = list_create(NULL);
	for (int i = 0; i < JOBS; i++)
		list_append(all_jobs, &jobs[i]);
	threads();
	wanted_jobs();
	tried_in_vain();
	held_jobs();
	without_memory();
	ends();
	backup();
	FREE_NULL_LIST(all_jobs);
	return finish();
}
