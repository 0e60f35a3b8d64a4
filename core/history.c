/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - rings of ratios by user, order statistics, and their text.
 *
 * A user's ratios are stored twice, as a ring in order of ends and sorted, so
 * that a correction reads two of them.
 */
#include "core/history.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/users.h"

#define FIRST_USERS 16
/* Units of a ratio; ratios go up to a million. */
#define UNITS	   1e9
#define RATIO_MOST 1000000000000000u
/* The most that rounding may add to q (n + 1). */
#define RANK_TOLERANCE 1e-9
#define VERSION	       "libra-history 1"

/* The ring of a user's ratios. */
struct ring {
	uint32_t n;
	uint32_t oldest;
};

struct libra_history {
	struct libra_history_conf conf;
	struct libra_users users; /* in the order of their first ends */
	struct ring *rings;	  /* of each user */
	uint64_t *ratios;	  /* in the rings: depth of each user */
	uint64_t *sorted;	  /* the same, the least first */
	uint32_t cap;
};

struct libra_history_conf libra_history_usual(double quantile)
{
	double least = ceil(quantile / (1 - quantile) - RANK_TOLERANCE);
	double depth =
		fmin(fmax(least, LIBRA_HISTORY_DEPTH), LIBRA_HISTORY_DEPTH_MAX);

	return (struct libra_history_conf){
		.quantile = quantile,
		.floor_s = LIBRA_HISTORY_FLOOR_S,
		.depth = (uint32_t)depth,
	};
}

struct libra_history *libra_history_create(
	const struct libra_history_conf *conf, struct libra_error *err)
{
	struct libra_history *h;

	if (!(conf->quantile > 0 && conf->quantile < 1)) {
		libra_errf(err, EINVAL,
			   "the quantile must be between 0 and 1, not %g",
			   conf->quantile);
		return NULL;
	}
	if (!(conf->floor_s >= 0) || conf->depth < 1 ||
	    conf->depth > LIBRA_HISTORY_DEPTH_MAX) {
		libra_errf(err, EINVAL,
			   "a history needs a floor of 0 s or more, and "
			   "from 1 to %d jobs",
			   LIBRA_HISTORY_DEPTH_MAX);
		return NULL;
	}
	h = calloc(1, sizeof(*h));
	if (!h) {
		libra_no_memory(err, "a history");
		return NULL;
	}
	h->conf = *conf;
	return h;
}

void libra_history_destroy(struct libra_history *h)
{
	if (!h)
		return;
	libra_users_fini(&h->users);
	free(h->rings);
	free(h->ratios);
	free(h->sorted);
	free(h);
}

/* ---- users ---- */

/* Grow the arrays to cap users; -1 changes nothing. */
static int grow_arrays(struct libra_history *h, size_t cap)
{
	size_t ratios = h->conf.depth * sizeof(*h->ratios);
	bool ok = true;

	h->rings = libra_grown(h->rings, cap, sizeof(*h->rings), &ok);
	h->ratios = libra_grown(h->ratios, cap, ratios, &ok);
	h->sorted = libra_grown(h->sorted, cap, ratios, &ok);
	if (!ok)
		return -1;
	h->cap = (uint32_t)cap;
	return 0;
}

/* Result: the user, or LIBRA_NO_USER with ENOMEM. */
static uint32_t need_user(struct libra_history *h, uint32_t id)
{
	uint32_t user = libra_users_find(&h->users, id);

	if (user != LIBRA_NO_USER)
		return user;
	if (h->users.n == h->cap &&
	    grow_arrays(h, h->cap ? 2 * (size_t)h->cap : FIRST_USERS) < 0)
		return LIBRA_NO_USER;
	user = libra_users_need(&h->users, id);
	if (user != LIBRA_NO_USER)
		h->rings[user] = (struct ring){0};
	return user;
}

uint32_t libra_history_known(const struct libra_history *h, uint32_t user)
{
	uint32_t found = libra_users_find(&h->users, user);

	return found == LIBRA_NO_USER ? 0 : h->rings[found].n;
}

/* ---- ratios ---- */

/* Return how many of n sorted ratios are below one. */
static uint32_t count_below(const uint64_t *sorted, uint32_t n, uint64_t ratio)
{
	uint32_t low = 0;

	while (n > 0) {
		uint32_t half = n / 2;

		if (sorted[low + half] < ratio) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

static void forget_oldest(struct libra_history *h, uint32_t user)
{
	struct ring *u = &h->rings[user];
	uint64_t *ring = h->ratios + (size_t)user * h->conf.depth;
	uint64_t *sorted = h->sorted + (size_t)user * h->conf.depth;
	uint32_t at = count_below(sorted, u->n, ring[u->oldest]);

	u->n--;
	u->oldest = (u->oldest + 1) % h->conf.depth;
	memmove(&sorted[at], &sorted[at + 1], (u->n - at) * sizeof(*sorted));
}

static int add_ratio(struct libra_history *h, uint32_t id, uint64_t ratio)
{
	uint32_t user = need_user(h, id), at;
	uint64_t *ring, *sorted;
	struct ring *u;

	if (user == LIBRA_NO_USER)
		return -1;
	u = &h->rings[user];
	if (u->n == h->conf.depth)
		forget_oldest(h, user);
	ring = h->ratios + (size_t)user * h->conf.depth;
	sorted = h->sorted + (size_t)user * h->conf.depth;
	ring[(u->oldest + u->n) % h->conf.depth] = ratio;
	at = count_below(sorted, u->n, ratio);
	memmove(&sorted[at + 1], &sorted[at], (u->n - at) * sizeof(*sorted));
	sorted[at] = ratio;
	u->n++;
	return 0;
}

int libra_history_add(struct libra_history *h, uint32_t user, double run_s,
		      double estimate_s)
{
	double ratio = ceil(run_s / estimate_s * UNITS);

	/* Written so that NAN fails. */
	if (!(run_s >= 0 && run_s < INFINITY) ||
	    !(estimate_s > 0 && estimate_s < INFINITY)) {
		errno = EINVAL;
		return -1;
	}
	return add_ratio(h, user, (uint64_t)fmin(fmax(ratio, 1), RATIO_MOST));
}

static double scaled(uint64_t ratio, double estimate_s)
{
	return (double)ratio / UNITS * estimate_s;
}

double libra_history_correct(const struct libra_history *h, uint32_t user,
			     double estimate_s, double executed_s)
{
	uint32_t found = libra_users_find(&h->users, user), n, skip = 0;
	const uint64_t *sorted;
	double rank;

	if (found == LIBRA_NO_USER)
		return estimate_s;
	sorted = h->sorted + (size_t)found * h->conf.depth;
	n = h->rings[found].n;
	while (skip < n && scaled(sorted[skip], estimate_s) <= executed_s)
		skip++;
	n -= skip;
	/* A quantile may be less than the tolerance. */
	rank = fmax(ceil(h->conf.quantile * (n + 1) - RANK_TOLERANCE), 1);
	if (rank > n)
		return estimate_s;
	return fmin(estimate_s, fmax(h->conf.floor_s,
				     scaled(sorted[skip + (uint32_t)rank - 1],
					    estimate_s)));
}

/* ---- text ----
 *
 *     libra-history 1
 *     user 1001 500000000 1000000000
 *     end 1
 *
 * A user's ratios in billionths, the oldest first; the number of users.
 */

struct writer {
	char *text;
	size_t size, n;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w,
						      const char *fmt, ...)
{
	size_t room = w->n < w->size ? w->size - w->n : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? w->text + w->n : NULL, room, fmt, ap);
	va_end(ap);
	w->n += n > 0 ? (size_t)n : 0;
}

size_t libra_history_save(const struct libra_history *h, char *text,
			  size_t size)
{
	struct writer w = {text, size, 0};
	uint32_t depth = h->conf.depth;

	put(&w, VERSION "\n");
	for (uint32_t i = 0; i < h->users.n; i++) {
		const struct ring *u = &h->rings[i];
		const uint64_t *ring = h->ratios + (size_t)i * depth;

		put(&w, "user %u", h->users.id[i]);
		for (uint32_t k = 0; k < u->n; k++)
			put(&w, " %llu",
			    (unsigned long long)ring[(u->oldest + k) % depth]);
		put(&w, "\n");
	}
	put(&w, "end %u\n", h->users.n);
	return w.n;
}

struct reader {
	const char *at, *end;
	unsigned line;
};

/* Skip a word, if it is next. */
static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* Read digits only, at most `most`. */
static bool take_number(struct reader *r, uint64_t most, uint64_t *value)
{
	const char *begin = r->at;

	*value = 0;
	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
		*value = *value * 10 + (uint64_t)(*r->at - '0');
		if (*value > most)
			return false;
	}
	return r->at > begin;
}

/* Read the rest of a line after "user ". */
static bool read_user(struct reader *r, struct libra_history *h, bool *full)
{
	uint64_t id, ratio;

	if (!take_number(r, UINT32_MAX, &id) ||
	    libra_users_find(&h->users, (uint32_t)id) != LIBRA_NO_USER)
		return false;
	do {
		if (!take_word(r, " ") || !take_number(r, RATIO_MOST, &ratio) ||
		    ratio == 0)
			return false;
		*full = add_ratio(h, (uint32_t)id, ratio) < 0;
	} while (!*full && !take_word(r, "\n"));
	return true;
}

static int read_all(struct reader *r, struct libra_history *h,
		    struct libra_error *err)
{
	bool full = false;
	uint64_t nusers;

	if (!take_word(r, VERSION "\n"))
		return libra_errf(err, EINVAL,
				  "line 1 is not '" VERSION "': this is no "
				  "history, or one of another version");
	for (r->line = 2; take_word(r, "user "); r->line++) {
		if (!read_user(r, h, &full))
			return libra_errf(
				err, EINVAL,
				"line %u should have a user and ratios",
				r->line);
		if (full)
			return libra_no_memory(err, "a history");
	}
	if (!take_word(r, "end ") || !take_number(r, UINT32_MAX, &nusers) ||
	    nusers != h->users.n || !take_word(r, "\n") || r->at != r->end)
		return libra_errf(err, EINVAL,
				  "line %u should be the end, after %u users: "
				  "the history is damaged or cut off",
				  r->line, h->users.n);
	return 0;
}

int libra_history_load(struct libra_history *h, const char *text, size_t size,
		       struct libra_error *err)
{
	struct libra_history *fresh = libra_history_create(&h->conf, err), old;
	struct reader r = {text, text + size, 1};
	int rc, saved;

	if (!fresh)
		return -1;
	rc = read_all(&r, fresh, err);
	if (rc == 0) {
		old = *h;
		*h = *fresh;
		*fresh = old;
	}
	saved = errno;
	libra_history_destroy(fresh);
	errno = saved;
	return rc;
}
