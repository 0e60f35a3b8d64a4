/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.c - see outages.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/engine/away.h"
#include "plugin/base/ops.h"
#include "plugin/host/outages.h"
#include "plugin/engine/plan_log.h"

void host_outages_forget(struct host_state *h)
{
	free(h->outages.told);
	free(h->outages.list);
	free(h->outages.next);
	free(h->outages.out);
	h->outages = (struct host_outages){0};
}

static struct libra_outage *add(struct host_outages *o)
{
	struct libra_outage *more;
	uint32_t cap = 2 * o->cap + 64;

	if (o->n == o->cap) {
		more = realloc(o->list, cap * sizeof(*more));
		if (!more)
			return NULL;
		o->list = more;
		o->cap = cap;
	}
	return &o->list[o->n++];
}

/* Occurrences of a recurring advance reservation that are reported.  Later ones
 * are covered by an outage without end.
 */
enum { TIMES = 14 };
#define FOR_EVER_S (10 * 365 * 86400.0)

/* Return the days until an advance reservation recurs, counted from the day on
 * which it ends, as Slurm does.
 */
static int days(enum libra_host_repeat repeat, int end_day)
{
	static const int weekdays[7] = {1, 1, 1, 1, 1, 3, 2};
	static const int weekend[7] = {6, 5, 4, 3, 2, 1, 1};

	switch (repeat) {
	case LIBRA_DAILY:
		return 1;
	case LIBRA_WEEKDAYS:
		return weekdays[end_day];
	case LIBRA_WEEKEND:
		return weekend[end_day];
	case LIBRA_WEEKLY:
		return 7;
	default:
		return 0;
	}
}

/* Return the same local time, a number of days and hours later. */
static double later(double at_s, int ndays, int hours)
{
	time_t at = (time_t)at_s;
	struct tm tm;

	if (!localtime_r(&at, &tm))
		return at_s + 86400.0 * ndays + 3600.0 * hours;
	tm.tm_mday += ndays;
	tm.tm_hour += hours;
	tm.tm_isdst = -1;
	return (double)mktime(&tm);
}

/* Move to the next occurrence.
 * Result: false if there is none.
 */
static bool next_time(const struct libra_host_reservation *r, double *from_s,
		      double *to_s)
{
	int hours = r->repeat == LIBRA_HOURLY, ndays;
	time_t end = (time_t)*to_s;
	struct tm tm;

	if (r->repeat == LIBRA_ONCE || r->from_s <= 0 ||
	    !localtime_r(&end, &tm))
		return false;
	ndays = days(r->repeat, tm.tm_wday);
	*from_s = later(*from_s, ndays, hours);
	*to_s = later(*to_s, ndays, hours);
	return *to_s > *from_s && *to_s > (double)end;
}

static void follow_until(struct host_outages *o, double at_s)
{
	if (at_s > o->read_s)
		o->until_s = fmin(o->until_s, at_s);
}

/* Add an outage for each node of an advance reservation.
 * Result: false if memory is out.
 */
static bool add_nodes(struct host_state *h, const uint8_t *nodes, double from_s,
		      double to_s)
{
	const struct host_cluster *c = &h->cluster;
	struct host_outages *o = &h->outages;
	struct libra_outage *out;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!nodes[c->slurm_node[i]])
			continue;
		out = add(o);
		if (!out)
			return false;
		*out = (struct libra_outage){i, from_s, to_s};
		o->out[i] = o->out[i] || o->read_s >= from_s;
	}
	follow_until(o, from_s);
	follow_until(o, to_s);
	return true;
}

/* Add all occurrences of an advance reservation. */
static void each(void *arg, const struct libra_host_reservation *r)
{
	struct host_state *h = arg;
	struct host_outages *o = &h->outages;
	double from_s = r->from_s, to_s = r->to_s;
	bool ok = add_nodes(h, r->nodes, from_s, to_s);

	o->floats = o->floats || r->from_s <= 0;
	for (int n = 1; ok && next_time(r, &from_s, &to_s); n++) {
		if (n == TIMES)
			to_s = from_s + FOR_EVER_S;
		ok = add_nodes(h, r->nodes, from_s, to_s);
		if (n == TIMES)
			break;
	}
	o->short_of_memory = o->short_of_memory || !ok;
}

static int by_node(const void *a, const void *b)
{
	const struct libra_outage *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->from_s > y->from_s) - (x->from_s < y->from_s);
}

static int by_time(const void *a, const void *b)
{
	const struct libra_outage *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	if (x->to_s != y->to_s)
		return x->to_s < y->to_s ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Merge outages of a node that touch or overlap.
 * Result: the number of outages, which are sorted by time.
 */
static uint32_t merge(struct libra_outage *list, uint32_t nlist)
{
	struct libra_outage *last;
	uint32_t n = 0;

	qsort(list, nlist, sizeof(*list), by_node);
	for (uint32_t i = 0; i < nlist; i++) {
		last = n ? &list[n - 1] : NULL;
		if (last && last->node == list[i].node &&
		    list[i].from_s <= last->to_s)
			last->to_s = fmax(last->to_s, list[i].to_s);
		else
			list[n++] = list[i];
	}
	qsort(list, n, sizeof(*list), by_time);
	return n;
}

/* A change within the second of a stamp has the same stamp.  So a list counts
 * as up to date only if it was read this long after the stamp.
 */
#define SETTLED_S 2.0

static bool is_read(struct host_state *h, double now_s)
{
	struct host_outages *o = &h->outages;
	uint64_t stamp;

	if (!h->ops->reservations_stamp)
		return false;
	stamp = h->ops->reservations_stamp();
	if (stamp != o->stamp || now_s < o->stamp_s) {
		o->stamp = stamp;
		o->stamp_s = now_s;
	}
	return o->out && !o->floats && !o->short_of_memory &&
	       o->read_s - o->stamp_s >= SETTLED_S && now_s >= o->read_s &&
	       now_s < o->until_s;
}

void host_outages_read(struct host_state *h, double now_s)
{
	struct host_outages *o = &h->outages;

	if (!h->ops->reservations || is_read(h, now_s))
		return;
	if (!o->out)
		o->out = calloc(h->cluster.nnodes + 1, sizeof(*o->out));
	o->n = 0;
	o->read_s = now_s;
	o->until_s = INFINITY;
	o->floats = false;
	o->short_of_memory = !o->out;
	if (!o->out)
		return;
	memset(o->out, 0, h->cluster.nnodes);
	if (!h->ops->reservations(each, h, now_s))
		o->short_of_memory = true;
	if (o->n > 0)
		o->n = merge(o->list, o->n);
}

bool host_outages_is_out(const struct host_state *h, uint32_t node)
{
	return h->outages.out && h->outages.out[node];
}

double host_outages_end_s(const struct host_state *h, uint32_t node)
{
	const struct host_outages *o = &h->outages;

	if (!host_outages_is_out(h, node))
		return NAN;
	for (uint32_t i = 0; i < o->n && o->list[i].from_s <= o->read_s; i++)
		if (o->list[i].node == node && o->list[i].to_s > o->read_s)
			return o->list[i].to_s;
	return NAN;
}

/* Return true if the outages of a node are reported.  A closed node comes back
 * at the end of a present outage, or if it is away.  Of any other closed node
 * the end is unknown.
 */
static bool is_planned_round(const struct host_state *h, uint32_t node)
{
	return h->cluster.state[node] == LIBRA_NODE_UP ||
	       host_outages_is_out(h, node) || host_away_is(&h->cluster, node);
}

/* Collect the outages to report in o->next: advance reservations, and nodes
 * that are away.  The end of the latter is later by HOST_AWAY_BRIEF_S: the host
 * looks at an overdue node once a second, and expects it later before the
 * engine takes it for lost.
 * Result: their number, or -1 if memory is out.
 */
static int64_t find_next(struct host_state *h)
{
	const struct host_cluster *c = &h->cluster;
	struct host_outages *o = &h->outages;
	struct libra_outage *more;
	uint32_t most = o->n + c->nnodes, n = 0, naway = 0;

	if (most > o->next_cap) {
		more = realloc(o->next, most * sizeof(*more));
		if (!more)
			return -1;
		o->next = more;
		o->next_cap = most;
	}
	for (uint32_t i = 0; i < o->n; i++)
		if (is_planned_round(h, o->list[i].node))
			o->next[n++] = o->list[i];
	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!host_away_is(c, i))
			continue;
		o->next[n++] = (struct libra_outage){i, c->away[i].since_s,
						     c->away[i].back_s +
							     HOST_AWAY_BRIEF_S};
		naway++;
	}
	return naway > 0 ? merge(o->next, n) : n;
}

static bool is_told(const struct host_outages *o, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (i == o->ntold || by_time(&o->next[i], &o->told[i]) != 0)
			return false;
	return n == o->ntold;
}

/* Note the first new outage, as the cause of promises that it breaks. */
static void note_new(struct host_state *h, const struct libra_outage *list,
		     uint32_t n, double now_s)
{
	const struct host_outages *o = &h->outages;

	for (uint32_t i = 0; i < n; i++) {
		if (host_away_is(&h->cluster, list[i].node) ||
		    (o->ntold && bsearch(&list[i], o->told, o->ntold,
					 sizeof(*o->told), by_time)))
			continue;
		h->lost.node = list[i].node;
		h->lost.how = "node reserved";
		h->lost.at_s = now_s;
		return;
	}
}

void host_outages_report(struct host_state *h, double now_s)
{
	struct host_outages *o = &h->outages;
	struct libra_outage *copy;
	int64_t n = o->short_of_memory ? -1 : find_next(h);

	if (n < 0 || is_told(o, (uint32_t)n))
		return;
	copy = malloc(((size_t)n + 1) * sizeof(*copy));
	if (!copy)
		return;
	if (n > 0)
		memcpy(copy, o->next, (size_t)n * sizeof(*copy));
	note_new(h, copy, (uint32_t)n, now_s);
	if (libra_plan_log_outages(&h->log, copy, (uint32_t)n, now_s, NULL) <
	    0) {
		free(copy);
		return;
	}
	free(o->told);
	o->told = copy;
	o->ntold = (uint32_t)n;
}
