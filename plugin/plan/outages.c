/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outages.c - see outages.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/ops.h"
#include "plugin/plan/outages.h"
#include "plugin/plan/plan_log.h"

void host_outages_forget(struct host_state *h)
{
	free(h->outages.told);
	free(h->outages.list);
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

/* One reservation. */
static void each(void *arg, const struct libra_host_reservation *r)
{
	struct host_state *h = arg;
	struct host_cluster *c = &h->cluster;
	struct host_outages *o = &h->outages;
	struct libra_outage *out;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		if (!r->nodes[c->slurm_node[i]])
			continue;
		out = add(o);
		if (!out) {
			o->short_of_memory = true;
			return;
		}
		*out = (struct libra_outage){i, r->from_s, r->to_s};
		o->out[i] = o->out[i] || o->read_s >= r->from_s;
	}
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

/* Those of a node that touch are one. */
static void merge(struct host_outages *o)
{
	struct libra_outage *last;
	uint32_t n = 0;

	qsort(o->list, o->n, sizeof(*o->list), by_node);
	for (uint32_t i = 0; i < o->n; i++) {
		last = n ? &o->list[n - 1] : NULL;
		if (last && last->node == o->list[i].node &&
		    o->list[i].from_s <= last->to_s)
			last->to_s = fmax(last->to_s, o->list[i].to_s);
		else
			o->list[n++] = o->list[i];
	}
	o->n = n;
}

bool host_outages_read(struct host_state *h, double now_s)
{
	struct host_outages *o = &h->outages;

	o->n = 0;
	o->read_s = now_s;
	if (!h->ops->reservations)
		return false;
	if (!o->out)
		o->out = calloc(h->cluster.nnodes + 1, sizeof(*o->out));
	if (!o->out) {
		o->short_of_memory = true;
		return false;
	}
	memset(o->out, 0, h->cluster.nnodes);
	o->short_of_memory = false;
	if (!h->ops->reservations(each, h, now_s))
		o->short_of_memory = true;
	if (o->n > 0)
		merge(o);
	return o->n > 0;
}

bool host_outages_is_out(const struct host_state *h, uint32_t node)
{
	return h->outages.out && h->outages.out[node];
}

/* A node that is closed comes back from an outage that has begun; when it does
 * from something else nobody knows.
 */
static void leave_out_closed(struct host_state *h)
{
	struct host_outages *o = &h->outages;
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n; i++)
		if (h->cluster.state[o->list[i].node] == LIBRA_NODE_UP ||
		    host_outages_is_out(h, o->list[i].node))
			o->list[n++] = o->list[i];
	o->n = n;
}

static bool is_told(const struct host_outages *o)
{
	if (o->n != o->ntold)
		return false;
	for (uint32_t i = 0; i < o->n; i++)
		if (by_time(&o->list[i], &o->told[i]) != 0)
			return false;
	return true;
}

/* The first that is new: who asks why a promise is broken is told that. */
static void note_new(struct host_state *h, double now_s)
{
	const struct host_outages *o = &h->outages;

	for (uint32_t i = 0; i < o->n; i++) {
		if (o->ntold && bsearch(&o->list[i], o->told, o->ntold,
					sizeof(*o->told), by_time))
			continue;
		h->lost_node = o->list[i].node;
		h->lost_how = "node reserved";
		h->lost_s = now_s;
		return;
	}
}

void host_outages_tell(struct host_state *h, double now_s)
{
	struct host_outages *o = &h->outages;
	struct libra_outage *copy;

	leave_out_closed(h);
	if (o->n > 0)
		qsort(o->list, o->n, sizeof(*o->list), by_time);
	if (o->short_of_memory || is_told(o))
		return;
	copy = malloc((o->n + 1) * sizeof(*copy));
	if (!copy)
		return;
	if (o->n > 0)
		memcpy(copy, o->list, o->n * sizeof(*copy));
	note_new(h, now_s);
	if (libra_plan_log_outages(&h->log, copy, o->n, now_s, NULL) < 0) {
		free(copy);
		return;
	}
	free(o->told);
	o->told = copy;
	o->ntold = o->n;
}
