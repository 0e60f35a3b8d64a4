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
	char *text = NULL, own[48] = "", money[96] = "", late[48] = "";
	char changed[48] = "";
	const char *start = p->start_len ? " start=" : "";
	const char *broken = p->broken_len ? " broken=" : "";

	if (p->user_estimate_s > 0 && p->user_estimate_s != p->estimate_s)
		snprintf(own, sizeof(own), " own=%.17g", p->user_estimate_s);
	if (p->late_s > 0)
		snprintf(late, sizeof(late), " late=%.17g", p->late_s);
	if (p->changed_s > 0)
		snprintf(changed, sizeof(changed), " changed=%.17g",
			 p->changed_s);
	if (p->budget > 0 || p->penalty_rate > 0)
		snprintf(money, sizeof(money), " budget=%.17g penalty=%.17g",
			 p->budget, p->penalty_rate);
	if (asprintf(
		    &text,
		    MARK VERSION
		    " offer=%llu.%llu tasks=%u procs=%u estimate=%.17g"
		    " deadline=%.17g submit=%.17g share=%.6g part=%.*s"
		    " shape=%u.%u.%u.%u%s%s%s%s%s%.*s%s%s%s%.*s%s left=%.*s on=%.*s",
		    (unsigned long long)p->epoch, (unsigned long long)p->offer,
		    p->tasks, p->nprocs, p->estimate_s, p->deadline_s,
		    p->submit_s, p->share, (int)p->part_len,
		    p->part ? p->part : "", p->chunk, p->node_max, p->min_nodes,
		    p->max_nodes, *p->need ? " need=" : "", p->need, own, late,
		    broken, (int)p->broken_len, p->broken ? p->broken : "",
		    changed, money, start, (int)p->start_len,
		    p->start ? p->start : "", p->lost ? " promise=lost" : "",
		    (int)p->left_len, p->left ? p->left : "", (int)p->on_len,
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

static bool shape(const char *text, struct libra_promise *p)
{
	const char *s = word(text, "shape");
	int end = 0;

	return s &&
	       sscanf(s, "%u.%u.%u.%u%n", &p->chunk, &p->node_max,
		      &p->min_nodes, &p->max_nodes, &end) == 4 &&
	       s[end] == ' ' && p->chunk > 0;
}

static void text_word(const char *text, const char *name, const char **at,
		      size_t *len)
{
	*at = word(text, name);
	*len = *at ? strcspn(*at, " ") : 0;
}

/* A number >= 0, if there is one.  Result: false if it is none. */
static bool amount(const char *text, const char *name, double *value)
{
	return !word(text, name) ||
	       (real(text, name, value) && *value >= 0 && isfinite(*value));
}

int libra_promise_parse(const char *text, struct libra_promise *p)
{
	const char *state, *need;
	size_t need_len;

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
	    !real(text, "share", &p->share) ||
	    !amount(text, "budget", &p->budget) ||
	    !amount(text, "late", &p->late_s) ||
	    !amount(text, "changed", &p->changed_s) ||
	    !amount(text, "penalty", &p->penalty_rate) || !shape(text, p) ||
	    p->tasks == 0 || p->nprocs == 0 || !(p->estimate_s > 0) ||
	    !isfinite(p->estimate_s) || !isfinite(p->submit_s)) {
		errno = EINVAL;
		return -1;
	}
	if (!word(text, "own"))
		p->user_estimate_s = p->estimate_s;
	else if (!real(text, "own", &p->user_estimate_s) ||
		 !(p->user_estimate_s > 0) || !isfinite(p->user_estimate_s)) {
		errno = EINVAL;
		return -1;
	}
	state = word(text, "promise");
	p->lost = state && strncmp(state, "lost", 4) == 0;
	text_word(text, "need", &need, &need_len);
	if (need && need_len < sizeof(p->need))
		memcpy(p->need, need, need_len);
	text_word(text, "broken", &p->broken, &p->broken_len);
	text_word(text, "start", &p->start, &p->start_len);
	text_word(text, "part", &p->part, &p->part_len);
	text_word(text, "left", &p->left, &p->left_len);
	text_word(text, "on", &p->on, &p->on_len);
	return 0;
}

void libra_promise_cause(const struct libra_promise *p,
			 char text[LIBRA_CAUSE_SIZE])
{
	size_t n = 0;
	bool name = false;

	for (size_t i = 0; i < p->broken_len && n + 2 < LIBRA_CAUSE_SIZE; i++) {
		bool colon = p->broken[i] == ':' && !name;

		text[n++] = p->broken[i] == '_' && !name ? ' ' : p->broken[i];
		if (colon)
			text[n++] = ' ';
		name = name || colon;
	}
	text[n] = '\0';
}

double libra_promise_start(const struct libra_promise *p, uint32_t task)
{
	const char *at = p->start, *end = at ? at + p->start_len : NULL;
	double start_s;
	char *stop;

	for (; at && at < end && task > 0; task--) {
		at = memchr(at, ';', (size_t)(end - at));
		at += at != NULL;
	}
	if (!at || at >= end)
		return NAN;
	start_s = strtod(at, &stop);
	return stop != at && stop <= end && isfinite(start_s) ? start_s : NAN;
}

bool libra_promise_task(const struct libra_promise *p, size_t *at,
			struct libra_promise *task)
{
	const char *end;

	if (*at >= p->on_len)
		return false;
	*task = *p;
	task->tasks = 1;
	task->left_len = 0;
	task->on = p->on + *at;
	task->on_len = p->on_len - *at;
	end = memchr(task->on, ';', task->on_len);
	if (end)
		task->on_len = (size_t)(end - task->on);
	*at += task->on_len + (end != NULL);
	return task->on_len > 0;
}

bool libra_promise_part(const struct libra_promise *p,
			struct libra_promise_at *at,
			struct libra_promise_part *part)
{
	const char *s, *colon, *end;
	unsigned first, last;
	int n = 0;

	if (at->on >= p->on_len)
		return false;
	s = p->on + at->on;
	colon = memchr(s, ':', p->on_len - at->on);
	if (!colon || sscanf(colon, ":%9u%n", &first, &n) != 1)
		return false;
	end = colon + n;
	last = first;
	if (*end == '-') {
		if (sscanf(end, "-%9u%n", &last, &n) != 1 || last < first)
			return false;
		end += n;
	}
	*part = (struct libra_promise_part){
		.node = s,
		.node_len = (size_t)(colon - s),
		.first = first,
		.count = last - first + 1,
	};
	if (at->left < p->left_len) {
		s = p->left + at->left;
		if (sscanf(s, "%lf/%lf/%lf%n", &part->left_s, &part->rate,
			   &part->since_s, &n) != 3 ||
		    !isfinite(part->left_s) || !isfinite(part->rate) ||
		    !isfinite(part->since_s))
			return false;
		part->begun = true;
		at->left += (size_t)n + (s[n] == ',');
	}
	if (end != p->on + p->on_len && *end != ',' && *end != ';')
		return false;
	if (end != p->on + p->on_len)
		end++;
	at->on = (size_t)(end - p->on);
	return true;
}
