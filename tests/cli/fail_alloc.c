/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail_alloc.c - to be preloaded: the allocation number FAIL_ALLOC fails, and
 * no other.  With FAIL_ALLOC_COUNT, the file it names gets their number.  With
 * FAIL_ALLOC_PLACES the file it names gets a line for each: its number and the
 * place, a number that two have in common if the same calls led to them.
 * With FAIL_ALLOC_SHOW the calls that led to the one that fails are printed.
 * What a library whose name contains FAIL_ALLOC_SPARE asks for, or has asked
 * for, is not counted.  Programs that the command starts are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long calls;
static long fails_at = -1; /* unknown yet */
static _Thread_local int inside;

/* dlsym asks for memory before there is a malloc. */
static char early[1 << 16];
static size_t early_used;

/* Of the calls that lead to an allocation these many are told apart. */
enum { DEPTH = 12, MOST_DEPTH = 64 };

static const char *spare;
static int places = -1;

static void begin(void)
{
	const char *text = getenv("FAIL_ALLOC");
	const char *file = getenv("FAIL_ALLOC_PLACES");

	fails_at = text ? strtol(text, NULL, 10) : 0;
	spare = getenv("FAIL_ALLOC_SPARE");
	if (file)
		places = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			      0600);
	unsetenv("LD_PRELOAD");
}

/* The calls that led here, by their places in the files they lie in.
 * Result: 0 if a library is among them that is spared.
 */
static unsigned long place(void)
{
	void *frames[MOST_DEPTH];
	unsigned long hash = 14695981039346656037u;
	int n = backtrace(frames, MOST_DEPTH);
	Dl_info info;

	for (int i = 0; i < n; i++) {
		if (!dladdr(frames[i], &info))
			continue;
		if (spare && strstr(info.dli_fname, spare))
			return 0;
		if (i < DEPTH)
			hash = (hash ^
				(unsigned long)((char *)frames[i] -
						(char *)info.dli_fbase)) *
			       1099511628211u;
	}
	return hash | 1;
}

static void tell_place(long call, unsigned long where)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%ld %lx\n", call, where);

	if (write(places, text, (size_t)n) != n)
		abort();
}

static void show(void)
{
	void *frames[MOST_DEPTH];

	backtrace_symbols_fd(frames, backtrace(frames, MOST_DEPTH),
			     STDERR_FILENO);
}

static int refuse(void)
{
	unsigned long where = 1;
	long call;

	if (inside)
		return 0;
	inside++;
	if (fails_at < 0)
		begin();
	if (spare || places >= 0)
		where = place();
	call = where ? atomic_fetch_add(&calls, 1) + 1 : -1;
	if (where && places >= 0)
		tell_place(call, where);
	if (call == fails_at && getenv("FAIL_ALLOC_SHOW"))
		show();
	inside--;
	if (call != fails_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

static void *real(const char *name)
{
	void *f;

	inside++;
	f = dlsym(RTLD_NEXT, name);
	inside--;
	return f;
}

static void *take_early(size_t size)
{
	void *p = &early[early_used];

	early_used += (size + 15) / 16 * 16;
	return early_used <= sizeof(early) ? p : NULL;
}

void *malloc(size_t size)
{
	static void *(*next)(size_t);

	if (!next && inside)
		return take_early(size);
	if (!next)
		*(void **)&next = real("malloc");
	return refuse() ? NULL : next(size);
}

void *calloc(size_t n, size_t size)
{
	static void *(*next)(size_t, size_t);

	if (!next && inside)
		return take_early(n * size);
	if (!next)
		*(void **)&next = real("calloc");
	return refuse() ? NULL : next(n, size);
}

void *realloc(void *old, size_t size)
{
	static void *(*next)(void *, size_t);

	if (!next)
		*(void **)&next = real("realloc");
	return refuse() ? NULL : next(old, size);
}

int posix_memalign(void **to, size_t align, size_t size)
{
	static int (*next)(void **, size_t, size_t);

	if (!next)
		*(void **)&next = real("posix_memalign");
	return refuse() ? ENOMEM : next(to, align, size);
}

void free(void *p)
{
	static void (*next)(void *);

	if ((char *)p >= early && (char *)p < early + sizeof(early))
		return;
	if (!next)
		*(void **)&next = real("free");
	next(p);
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("FAIL_ALLOC_COUNT");
	char text[32];
	int fd, n;

	if (!path)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	n = snprintf(text, sizeof(text), "%ld\n", atomic_load(&calls));
	if (fd >= 0 && write(fd, text, (size_t)n) == n)
		close(fd);
}
