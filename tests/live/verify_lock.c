/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_lock.c - loaded into slurmctld (LD_PRELOAD): the function of this name
 * that Slurm has for developers.  It knows which of Slurm's locks the calling
 * thread holds, as all locks go through here.
 *
 * Slurm keeps its locks in one array, in the order of lock_datatype_t.  Its
 * first is found by asking Slurm to take that one; it is not taken then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Those of Slurm's types and constants that are the same in all its releases;
 * later releases have more locks.
 */
enum { NO_LOCK, READ_LOCK, WRITE_LOCK };
enum { LOCKS = 6 };

struct slurm_locks {
	int level[LOCKS];
};

typedef void (*slurm_f)(struct slurm_locks locks);
typedef int (*lock_f)(pthread_rwlock_t *lock);

extern bool verify_lock(int which, int level);

static struct {
	pthread_once_t once;
	lock_f read, write, unlock;
	pthread_rwlock_t *first;
} real = {.once = PTHREAD_ONCE_INIT};

static __thread bool finding;
static __thread int held[LOCKS];

static void find_real(void)
{
	real.read = (lock_f)dlsym(RTLD_NEXT, "pthread_rwlock_rdlock");
	real.write = (lock_f)dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
	real.unlock = (lock_f)dlsym(RTLD_NEXT, "pthread_rwlock_unlock");
}

static void find_first(void)
{
	const struct slurm_locks conf = {{READ_LOCK}};
	slurm_f lock = (slurm_f)dlsym(RTLD_DEFAULT, "lock_slurmctld");
	slurm_f unlock = (slurm_f)dlsym(RTLD_DEFAULT, "unlock_slurmctld");

	find_real();
	if (!lock || !unlock)
		return; /* what slurmctld starts has this loaded, too */
	finding = true;
	lock(conf);
	unlock(conf);
	finding = false;
}

static int take(pthread_rwlock_t *lock, lock_f how, int level)
{
	ptrdiff_t i;
	int rc;

	if (finding) {
		real.first = lock;
		return 0;
	}
	rc = how(lock);
	i = lock - real.first;
	if (rc == 0 && real.first && i >= 0 && i < LOCKS)
		held[i] = level;
	return rc;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	if (!finding)
		pthread_once(&real.once, find_first);
	return take(lock, real.read, READ_LOCK);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	if (!finding)
		pthread_once(&real.once, find_first);
	return take(lock, real.write, WRITE_LOCK);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	ptrdiff_t i;

	if (finding)
		return 0;
	pthread_once(&real.once, find_first);
	i = lock - real.first;
	if (real.first && i >= 0 && i < LOCKS)
		held[i] = NO_LOCK;
	return real.unlock(lock);
}

bool verify_lock(int which, int level)
{
	return !real.first || held[which] >= level;
}
