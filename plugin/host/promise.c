/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promise.c - see promise.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/promise.h"

#define MARK	"libra:"
#define VERSION "1"

char *libra_promise_format(const struct libra_promise *p)
{
	char *text = NULL;

	if (asprintf(&text,
		     MARK VERSION " offer=%llu.%llu tasks=%u procs=%u"
				  " estimate=%.17g deadline=%.17g"
				  " submit=%.17g share=%.6g on=%.*s",
		     (unsigned long long)p->epoch, (unsigned long long)p->offer,
		     p->tasks, p->nprocs, p->estimate_s, p->deadline_s,
		     p->submit_s, p->share, (int)p->on_len,
		     p->on ? p->on : "") < 0) {
		errno = ENOMEM;
		return NULL;
	}
	return text;
}

/* The value of a word of the text, or NULL. */
static const char *word(const char *text, const char *name)
{
	size_t len = strlen(name);

	while ((text = strchr(text, ' '))) {
		text++;
		if (strncmp(text, name, len) == 0 && text[len] == '=')
			return text + len + 1;
	}
	return NULL;
}

/* A number that ends where a word ends. */
static bool real(const char *text, const char *name, double *value)
{
	const char *s = word(text, name);
	char *end;

	if (!s)
		return false;
	*value = strtod(s, &end);
	return end != s && (*end == ' ' || *end == '\0') && !isnan(*value);
}

static bool whole(const char *text, const char *name, uint32_t *value)
{
	double v;

	if (!real(text, name, &v) || v < 0 || v > 4e9 || v != floor(v))
		return false;
	*value = (uint32_t)v;
	return true;
}

static bool offer_number(const char *text, struct libra_promise *p)
{
	const char *s = word(text, "offer");
	unsigned long long epoch, offer;
	int end = 0;

	if (!s || sscanf(s, "%20llu.%20llu%n", &epoch, &offer, &end) != 2 ||
	    s[end] != ' ')
		return false;
	p->epoch = epoch;
	p->offer = offer;
	return true;
}

int libra_promise_parse(const char *text, struct libra_promise *p)
{
	if (!text || strncmp(text, MARK, strlen(MARK)) != 0) {
		errno = ENOENT;
		return -1;
	}
	*p = (struct libra_promise){0};
	if (strncmp(text, MARK VERSION " ", strlen(MARK VERSION " ")) != 0 ||
	    !offer_number(text, p) || !whole(text, "tasks", &p->tasks) ||
	    !whole(text, "procs", &p->nprocs) ||
	    !real(text, "estimate", &p->estimate_s) ||
	    !real(text, "deadline", &p->deadline_s) ||
	    !real(text, "submit", &p->submit_s) ||
	    !real(text, "share", &p->share) || p->tasks == 0 ||
	    p->nprocs == 0 || !(p->estimate_s > 0) ||
	    !isfinite(p->estimate_s) || !isfinite(p->submit_s)) {
		errno = EINVAL;
		return -1;
	}
	p->on = word(text, "on");
	p->on_len = p->on ? strcspn(p->on, " ") : 0;
	return 0;
}
