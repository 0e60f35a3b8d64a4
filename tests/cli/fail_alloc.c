/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fail_alloc.c - to be preloaded: the allocation number FAIL_ALLOC fails, and
 * no other.  With FAIL_ALLOC_COUNT, the file it names gets their number.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
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

static int refuse(void)
{
	const char *text;

	if (inside)
		return 0;
	if (fails_at < 0) {
		text = getenv("FAIL_ALLOC");
		fails_at = text ? strtol(text, NULL, 10) : 0;
	}
	if (atomic_fetch_add(&calls, 1) + 1 != fails_at)
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
