/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_counts.c - promises by partition, account, QOS, cause, reason. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/site/measure.h"
#include "sim/site/promises_parts.h"

const double promise_quantiles[PROMISE_QUANTILES] = {0.1, 0.25, 0.5, 0.75, 0.9};

const char *const promise_by_names[PROMISE_NBY] = {"all", "partition",
						   "account", "QOS"};

const char *promise_name(const struct promises *p, uint32_t name)
{
	return name ? names_text(&p->names, name) : "-";
}

void promise_words(char text[128], const struct promises *p, uint32_t name)
{
	snprintf(text, 128, "%s", promise_name(p, name));
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = ' ';
}

/* ---- groups ---- */

/* Return the number of the name by which a promise is grouped. */
static uint32_t name_of(const struct promise *q, enum promise_by by)
{
	const uint32_t names[] = {0, q->partition, q->account, q->qos};

	return names[by];
}

/* Return the group of a name, or add it; NULL with ENOMEM. */
static struct promise_group *group(struct promise_counts *c, enum promise_by by,
				   uint32_t name, struct libra_error *err)
{
	struct promise_group *g;

	for (size_t i = 0; i < c->ngroups; i++)
		if (c->groups[i].by == by && c->groups[i].name == name)
			return &c->groups[i];
	g = sim_grown(c->groups, &c->groups_cap, c->ngroups + 1, sizeof(*g));
	if (!g) {
		sim_no_memory(err);
		return NULL;
	}
	c->groups = g;
	g += c->ngroups++;
	*g = (struct promise_group){.by = by, .name = name};
	return g;
}

/* The run time of a job that ended in parts of its estimate, or NAN. */
static double ratio_of(const struct promise *q)
{
	bool ended = q->outcome == PROMISE_KEPT || q->outcome == PROMISE_LATE;

	return ended && q->estimate_s > 0 ? q->ran_s / q->estimate_s : NAN;
}

/* Count a promise in a group. */
static void count(struct promise_group *g, const struct promise *q)
{
	if (!q->bet) {
		g->given++;
		g->outcome[q->outcome]++;
		return;
	}
	g->bets++;
	g->bets_in_time += q->outcome == PROMISE_KEPT;
	g->bets_late += q->outcome == PROMISE_LATE;
}

static int by_group(const void *a, const void *b)
{
	const struct promise_group *x = a, *y = b;

	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	if (x->given != y->given)
		return x->given > y->given ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Set the quantiles of a group; values has room for all promises. */
static size_t set_ratios(const struct promise_counts *c,
			 struct promise_group *g, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < c->p->n; i++) {
		const struct promise *q = &c->p->list[i];

		if (name_of(q, g->by) == g->name && isfinite(ratio_of(q)))
			values[n++] = ratio_of(q);
	}
	qsort(values, n, sizeof(*values), site_by_value);
	g->ran = n;
	for (size_t i = 0; i < PROMISE_QUANTILES; i++)
		g->ratio[i] = site_quantile(values, n, promise_quantiles[i]);
	return n;
}

/* Count all promises by partition, account and QOS, and compute the measures of
 * the groups.
 */
static int count_groups(struct promise_counts *c, struct libra_error *err)
{
	if (!group(c, PROMISE_BY_ALL, 0, err))
		return -1;
	for (size_t i = 0; i < c->p->n; i++)
		for (int by = 0; by < PROMISE_NBY; by++) {
			const struct promise *q = &c->p->list[i];
			struct promise_group *g;

			if (by >= PROMISE_BY_ACCOUNT && name_of(q, by) == 0)
				continue;
			g = group(c, by, name_of(q, by), err);
			if (!g)
				return -1;
			count(g, q);
		}
	qsort(c->groups, c->ngroups, sizeof(*c->groups), by_group);
	c->ratios = calloc(c->p->n + 1, sizeof(*c->ratios));
	if (!c->ratios)
		return sim_no_memory(err);
	/* The first group is the last one here: its values stay. */
	for (size_t i = c->ngroups; i-- > 0;) {
		struct promise_group *g = &c->groups[i];
		size_t ended = g->outcome[PROMISE_KEPT] +
			       g->outcome[PROMISE_LATE] +
			       g->outcome[PROMISE_LOST];

		c->nratios = set_ratios(c, g, c->ratios);
		g->kept_pct = ended ? 100 * (double)g->outcome[PROMISE_KEPT] /
					      (double)ended
				    : NAN;
	}
	return 0;
}

/* ---- causes ---- */

static int by_cause(const void *a, const void *b)
{
	const struct promise_cause *x = a, *y = b;

	if (x->outcome != y->outcome)
		return x->outcome < y->outcome ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

/* Count the cause of a late or lost promise. */
static int count_cause(struct promise_counts *c, const struct promise *q,
		       struct libra_error *err)
{
	struct promise_cause *list;

	for (size_t i = 0; i < c->ncauses; i++)
		if (c->causes[i].outcome == q->outcome &&
		    c->causes[i].cause == q->cause) {
			c->causes[i].n++;
			return 0;
		}
	list = sim_grown(c->causes, &c->causes_cap, c->ncauses + 1,
			 sizeof(*list));
	if (!list)
		return sim_no_memory(err);
	c->causes = list;
	c->causes[c->ncauses++] =
		(struct promise_cause){q->outcome, q->cause, 1};
	return 0;
}

/* Count the causes of all late and lost promises, and sort them. */
static int count_causes(struct promise_counts *c, struct libra_error *err)
{
	for (size_t i = 0; i < c->p->n; i++) {
		const struct promise *q = &c->p->list[i];

		if (!q->bet &&
		    (q->outcome == PROMISE_LATE ||
		     q->outcome == PROMISE_LOST) &&
		    count_cause(c, q, err) < 0)
			return -1;
	}
	if (c->ncauses)
		qsort(c->causes, c->ncauses, sizeof(*c->causes), by_cause);
	return 0;
}

/* ---- answers ---- */

/* Return true if an answer has the partition, verdict and reason of a row. */
static bool is_for(const struct promise_reason *r,
		   const struct promise_answer *a)
{
	return r->partition == a->partition && r->verdict == a->verdict &&
	       r->reason == a->reason;
}

/* Count an answer in its row, or add a row. */
static int count_answer(struct promise_counts *c,
			const struct promise_answer *a, struct libra_error *err)
{
	struct promise_reason *r = c->reasons;
	size_t i = 0;

	while (i < c->nreasons && !is_for(&r[i], a))
		i++;
	if (i == c->nreasons) {
		r = sim_grown(r, &c->reasons_cap, i + 1, sizeof(*r));
		if (!r)
			return sim_no_memory(err);
		c->reasons = r;
		r[c->nreasons++] = (struct promise_reason){
			.partition = a->partition,
			.verdict = a->verdict,
			.reason = a->reason,
		};
	}
	r[i].n++;
	r[i].later += isfinite(a->earliest_s);
	r[i].none += isinf(a->earliest_s);
	return 0;
}

static int by_reason(const void *a, const void *b)
{
	const struct promise_reason *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->reason != y->reason)
		return x->reason < y->reason ? -1 : 1;
	return (x->partition > y->partition) - (x->partition < y->partition);
}

/* A deadline that the user asked for may do by the time it is asked of. */
static void set_more(struct promise_counts *c, struct promise_reason *r,
		     double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < c->p->nanswers; i++) {
		const struct promise_answer *a = &c->p->answers[i];

		if (is_for(r, a) && isfinite(a->earliest_s - a->deadline_s))
			values[n++] = fmax(a->earliest_s - a->deadline_s, 0);
	}
	qsort(values, n, sizeof(*values), site_by_value);
	r->more_s[0] = site_quantile(values, n, 0.5);
	r->more_s[1] = site_quantile(values, n, 0.9);
}

/* Count all answers, and sort the rows by their numbers. */
static int count_answers(struct promise_counts *c, struct libra_error *err)
{
	double *values = calloc(c->p->nanswers + 1, sizeof(*values));
	int rc = values ? 0 : sim_no_memory(err);

	for (size_t i = 0; rc == 0 && i < c->p->nanswers; i++)
		rc = count_answer(c, &c->p->answers[i], err);
	for (size_t i = 0; rc == 0 && i < c->nreasons; i++)
		set_more(c, &c->reasons[i], values);
	if (rc == 0 && c->nreasons)
		qsort(c->reasons, c->nreasons, sizeof(*c->reasons), by_reason);
	free(values);
	return rc;
}

int promise_counts_init(struct promise_counts *c, const struct promises *p,
			struct libra_error *err)
{
	*c = (struct promise_counts){.p = p};
	if (count_groups(c, err) < 0 || count_causes(c, err) < 0)
		return -1;
	return count_answers(c, err);
}

void promise_counts_fini(struct promise_counts *c)
{
	free(c->groups);
	free(c->causes);
	free(c->reasons);
	free(c->ratios);
}
