/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admin_comment.c - see admin_comment.h.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/engine/admin_comment.h"
#include "plugin/base/text.h"

#define MARK	"libra:"
#define VERSION "1"

/* Append a word, with the space that `name` begins with. */
static void add_real(struct host_text *t, const char *name, double value)
{
	host_text_add_bytes(t, name, strlen(name));
	host_text_add_number(t, value);
}

static void add_whole(struct host_text *t, const char *name, uint64_t value)
{
	host_text_add_bytes(t, name, strlen(name));
	host_text_add_whole(t, value);
}

static void add_word(struct host_text *t, const char *name, const char *word,
		     size_t len)
{
	host_text_add_bytes(t, name, strlen(name));
	host_text_add_bytes(t, len ? word : "", len);
}

/* Six digits are exact for whole shares; others are rounded. */
static void add_share(struct host_text *t, double share)
{
	if (share >= 0 && share < 1e5 && share == floor(share))
		add_whole(t, " share=", (uint64_t)share);
	else
		host_text_add(t, " share=%.6g", share);
}

/* Append the words that most promises do not have. */
static void add_special(struct host_text *t, const struct libra_promise *p)
{
	if (*p->need)
		add_word(t, " need=", p->need, strlen(p->need));
	if (p->user_estimate_s > 0 && p->user_estimate_s != p->estimate_s)
		add_real(t, " own=", p->user_estimate_s);
	if (p->late_s > 0)
		add_real(t, " late=", p->late_s);
	if (p->broken.len)
		add_word(t, " broken=", p->broken.text, p->broken.len);
	if (p->refused.len)
		add_word(t, " refused=", p->refused.text, p->refused.len);
	if (p->changed_s > 0)
		add_real(t, " changed=", p->changed_s);
	if (p->budget > 0 || p->penalty_rate > 0) {
		add_real(t, " budget=", p->budget);
		add_real(t, " penalty=", p->penalty_rate);
	}
	if (p->start.len)
		add_word(t, " start=", p->start.text, p->start.len);
	if (p->lost)
		add_word(t, " promise=lost", NULL, 0);
}

char *libra_admin_comment_format(const struct libra_promise *p)
{
	struct host_text t = {0};

	add_whole(&t, MARK VERSION " offer=", p->epoch);
	add_whole(&t, ".", p->offer);
	add_whole(&t, " tasks=", p->tasks);
	add_whole(&t, " procs=", p->nprocs);
	add_real(&t, " estimate=", p->estimate_s);
	add_real(&t, " deadline=", p->deadline_s);
	add_real(&t, " submit=", p->submit_s);
	add_share(&t, p->share);
	add_word(&t, " part=", p->part.text, p->part.len);
	add_whole(&t, " shape=", p->chunk);
	add_whole(&t, ".", p->node_max);
	add_whole(&t, ".", p->min_nodes);
	add_whole(&t, ".", p->max_nodes);
	add_special(&t, p);
	add_word(&t, " left=", p->left.text, p->left.len);
	add_word(&t, " on=", p->on.text, p->on.len);
	if (!t.cut)
		return t.text;
	host_text_fini(&t);
	errno = ENOMEM;
	return NULL;
}

enum word {
	OFFER,
	TASKS,
	PROCS,
	ESTIMATE,
	DEADLINE,
	SUBMIT,
	SHARE,
	PART,
	SHAPE,
	NEED,
	OWN,
	LATE,
	BROKEN,
	REFUSED,
	CHANGED,
	BUDGET,
	PENALTY,
	START,
	PROMISE,
	LEFT,
	ON,
	WORDS
};

/* In the order of writing. */
static const char *const names[WORDS] = {
	"offer",   "tasks",   "procs",	 "estimate", "deadline", "submit",
	"share",   "part",    "shape",	 "need",     "own",	 "late",
	"broken",  "refused", "changed", "budget",   "penalty",	 "start",
	"promise", "left",    "on",
};

/* The values of a text's words; NULL = not there.  The first of two counts. */
struct words {
	const char *at[WORDS];
};

static bool is_name(const char *at, size_t len, const char *name)
{
	return strncmp(at, name, len) == 0 && name[len] == '\0';
}

static void find_words(const char *text, struct words *w)
{
	int next = 0, k;

	*w = (struct words){{NULL}};
	for (const char *at = strchr(text, ' '); at; at = strchr(at, ' ')) {
		size_t len = strcspn(++at, "= ");

		if (at[len] != '=')
			continue;
		for (k = 0; k < WORDS && !is_name(at, len, names[next]); k++)
			next = (next + 1) % WORDS;
		if (k < WORDS && !w->at[next])
			w->at[next] = at + len + 1;
	}
}

static bool ends_word(char c)
{
	return c == ' ' || c == '\0';
}

/* Read digits only, and move *s behind them. */
static bool digits(const char **s, uint64_t most, uint64_t *value)
{
	const char *begun = *s;

	for (*value = 0; **s >= '0' && **s <= '9'; ++*s) {
		unsigned digit = (unsigned)(**s - '0');

		if (*value > (most - digit) / 10)
			return false;
		*value = 10 * *value + digit;
	}
	return *s != begun;
}

/* Read a number up to the end of the word.  Most whole numbers need no strtod.
 */
static bool real(const char *s, double *value)
{
	const char *behind = s;
	uint64_t n;
	char *end;

	if (!s)
		return false;
	if (digits(&behind, UINT64_C(1) << 53, &n) && ends_word(*behind)) {
		*value = (double)n;
		return true;
	}
	*value = strtod(s, &end);
	return end != s && ends_word(*end) && !isnan(*value);
}

static bool whole(const char *s, uint32_t *value)
{
	double v;

	if (!real(s, &v) || v < 0 || v > 4e9 || v != floor(v))
		return false;
	*value = (uint32_t)v;
	return true;
}

static bool offer_number(const char *s, struct libra_promise *p)
{
	return s && digits(&s, UINT64_MAX, &p->epoch) && *s++ == '.' &&
	       digits(&s, UINT64_MAX, &p->offer) && *s == ' ';
}

static bool shape(const char *s, struct libra_promise *p)
{
	uint32_t *const to[] = {&p->chunk, &p->node_max, &p->min_nodes,
				&p->max_nodes};
	uint64_t value;

	for (int i = 0; i < 4; i++) {
		if (!s || (i > 0 && *s++ != '.') ||
		    !digits(&s, UINT32_MAX, &value))
			return false;
		*to[i] = (uint32_t)value;
	}
	return *s == ' ' && p->chunk > 0;
}

static void text_word(const char *s, const char **at, size_t *len)
{
	*at = s;
	*len = s ? strcspn(s, " ") : 0;
}

/* Read an optional number >= 0.  Result: false if it is invalid. */
static bool amount(const char *s, double *value)
{
	return !s || (real(s, value) && *value >= 0 && isfinite(*value));
}

/* Read the words that each promise has, and the optional amounts. */
static bool read_numbers(const struct words *w, struct libra_promise *p)
{
	return offer_number(w->at[OFFER], p) &&
	       whole(w->at[TASKS], &p->tasks) &&
	       whole(w->at[PROCS], &p->nprocs) &&
	       real(w->at[ESTIMATE], &p->estimate_s) &&
	       real(w->at[DEADLINE], &p->deadline_s) &&
	       real(w->at[SUBMIT], &p->submit_s) &&
	       real(w->at[SHARE], &p->share) &&
	       amount(w->at[BUDGET], &p->budget) &&
	       amount(w->at[LATE], &p->late_s) &&
	       amount(w->at[CHANGED], &p->changed_s) &&
	       amount(w->at[PENALTY], &p->penalty_rate) &&
	       shape(w->at[SHAPE], p) && p->tasks > 0 && p->nprocs > 0 &&
	       p->estimate_s > 0 && isfinite(p->estimate_s) &&
	       isfinite(p->submit_s);
}

/* Read the user's own estimate; default: the promised one. */
static bool read_own(const char *s, struct libra_promise *p)
{
	p->user_estimate_s = p->estimate_s;
	return !s || (real(s, &p->user_estimate_s) && p->user_estimate_s > 0 &&
		      isfinite(p->user_estimate_s));
}

int libra_admin_comment_parse(const char *text, struct libra_promise *p)
{
	const char *need;
	struct words w;
	size_t need_len;

	if (!text || strncmp(text, MARK, strlen(MARK)) != 0) {
		errno = ENOENT;
		return -1;
	}
	*p = (struct libra_promise){0};
	find_words(text, &w);
	if (strncmp(text, MARK VERSION " ", strlen(MARK VERSION " ")) != 0 ||
	    !read_numbers(&w, p) || !read_own(w.at[OWN], p)) {
		errno = EINVAL;
		return -1;
	}
	p->lost = w.at[PROMISE] && strncmp(w.at[PROMISE], "lost", 4) == 0;
	text_word(w.at[NEED], &need, &need_len);
	if (need && need_len < sizeof(p->need))
		memcpy(p->need, need, need_len);
	text_word(w.at[BROKEN], &p->broken.text, &p->broken.len);
	text_word(w.at[REFUSED], &p->refused.text, &p->refused.len);
	text_word(w.at[START], &p->start.text, &p->start.len);
	text_word(w.at[PART], &p->part.text, &p->part.len);
	text_word(w.at[LEFT], &p->left.text, &p->left.len);
	text_word(w.at[ON], &p->on.text, &p->on.len);
	return 0;
}

/* Return true for a colon within a time, as in "12:03:10". */
static bool is_in_time(const char *text, size_t len, size_t i)
{
	return i > 0 && i + 1 < len && isdigit((unsigned char)text[i - 1]) &&
	       isdigit((unsigned char)text[i + 1]);
}

void libra_promise_cause(const struct libra_promise *p,
			 char text[LIBRA_CAUSE_SIZE])
{
	size_t n = 0;
	bool name = false;

	for (size_t i = 0; i < p->broken.len && n + 2 < LIBRA_CAUSE_SIZE; i++) {
		bool colon = p->broken.text[i] == ':' && !name &&
			     !is_in_time(p->broken.text, p->broken.len, i);

		text[n++] = p->broken.text[i] == '_' && !name
				    ? ' '
				    : p->broken.text[i];
		if (colon)
			text[n++] = ' ';
		name = name || colon;
	}
	text[n] = '\0';
}

bool libra_promise_refusal(const struct libra_promise *p,
			   struct libra_refusal *r)
{
	size_t len = p->refused.len ? strcspn(p->refused.text, "/ ") : 0;
	char *end;

	if (len == 0 || len >= sizeof(r->reason) || p->refused.text[len] != '/')
		return false;
	memcpy(r->reason, p->refused.text, len);
	r->reason[len] = '\0';
	r->asked_s = strtod(p->refused.text + len + 1, &end);
	if (end == p->refused.text + len + 1)
		return false;
	r->earliest_s = *end == '/' ? strtod(end + 1, NULL) : NAN;
	return isfinite(r->asked_s);
}

double libra_promise_start(const struct libra_promise *p, uint32_t task)
{
	const char *at = p->start.text, *end = at ? at + p->start.len : NULL;
	double start_s;
	char *stop;

	for (; at && at < end && task > 0; task--) {
		at = memchr(at, ';', (size_t)(end - at));
		at += at != NULL;
	}
	if (!at || at >= end)
		return NAN;
	start_s = strtod(at, &stop);
	return stop != at && stop <= end && isfinite(start_s) && start_s > 0
		       ? start_s
		       : NAN;
}

bool libra_promise_task(const struct libra_promise *p, size_t *at,
			struct libra_promise *task)
{
	const char *end;

	if (*at >= p->on.len)
		return false;
	*task = *p;
	task->tasks = 1;
	task->left.len = 0;
	task->on.text = p->on.text + *at;
	task->on.len = p->on.len - *at;
	end = memchr(task->on.text, ';', task->on.len);
	if (end)
		task->on.len = (size_t)(end - task->on.text);
	*at += task->on.len + (end != NULL);
	return task->on.len > 0;
}

bool libra_promise_part(const struct libra_promise *p,
			struct libra_promise_at *at,
			struct libra_promise_part *part)
{
	const char *s, *colon, *end;
	unsigned first, last;
	int n = 0;

	if (at->on >= p->on.len)
		return false;
	s = p->on.text + at->on;
	colon = memchr(s, ':', p->on.len - at->on);
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
	if (at->left < p->left.len) {
		s = p->left.text + at->left;
		if (sscanf(s, "%lf/%lf/%lf%n", &part->left_s, &part->rate,
			   &part->since_s, &n) != 3 ||
		    !isfinite(part->left_s) || !isfinite(part->rate) ||
		    !isfinite(part->since_s))
			return false;
		part->begun = true;
		at->left += (size_t)n + (s[n] == ',');
	}
	if (end != p->on.text + p->on.len && *end != ',' && *end != ';')
		return false;
	if (end != p->on.text + p->on.len)
		end++;
	at->on = (size_t)(end - p->on.text);
	return true;
}
