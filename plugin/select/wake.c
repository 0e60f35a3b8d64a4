/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wake.c - see wake.h. */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "plugin/select/wake.h"

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool end, woken;
} alarm_clock = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* Use the steady clock: if the wall clock were set back, a wait on it would
 * last too long.
 */
static void init_cond(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&alarm_clock.cond, &attr);
	pthread_condattr_destroy(&attr);
}

static void lock_alarm(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init_cond);
	pthread_mutex_lock(&alarm_clock.lock);
}

static void set(bool *flag)
{
	lock_alarm();
	*flag = true;
	pthread_cond_signal(&alarm_clock.cond);
	pthread_mutex_unlock(&alarm_clock.lock);
}

static bool get(const bool *flag)
{
	bool value;

	lock_alarm();
	value = *flag;
	pthread_mutex_unlock(&alarm_clock.lock);
	return value;
}

void libra_wake(void)
{
	set(&alarm_clock.woken);
}

void libra_wake_end(void)
{
	set(&alarm_clock.end);
}

bool libra_wake_is_ended(void)
{
	return get(&alarm_clock.end);
}

void libra_wake_reset(void)
{
	lock_alarm();
	alarm_clock.end = false;
	pthread_mutex_unlock(&alarm_clock.lock);
}

bool libra_wake_wait(const struct timespec *until)
{
	bool end;

	lock_alarm();
	while (!alarm_clock.woken && !alarm_clock.end &&
	       pthread_cond_timedwait(&alarm_clock.cond, &alarm_clock.lock,
				      until) != ETIMEDOUT)
		;
	alarm_clock.woken = false;
	end = alarm_clock.end;
	pthread_mutex_unlock(&alarm_clock.lock);
	return !end;
}
