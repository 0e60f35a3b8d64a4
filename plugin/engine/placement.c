/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.c - see placement.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/engine/placement.h"

/* Result: 0, or -1 with ENOMEM. */
static int add_part(struct libra_host_placement *p, struct libra_host_part part)
{
	size_t cap = p->cap ? 2 * p->cap : 16;
	struct libra_host_part *more;

	if (p->nparts == p->cap) {
		more = realloc(p->parts, cap * sizeof(*more));
		if (!more)
			return -1;
		p->parts = more;
		p->cap = cap;
	}
	p->parts[p->nparts++] = part;
	return 0;
}

int host_placement_read(struct libra_engine_log *log,
			const struct host_cluster *c, uint64_t ticket,
			struct libra_host_placement *p)
{
	struct libra_range r;
	uint32_t node, n;

	p->nparts = 0;
	if (libra_engine_log_placement(log, ticket) < 0)
		return -1;
	for (size_t i = 0; i < log->nranges; i++) {
		for (r = log->ranges[i]; r.count; r.first += n, r.count -= n) {
			node = host_cluster_node_of(c, r.first);
			n = c->first[node + 1] - r.first;
			if (n > r.count)
				n = r.count;
			if (add_part(p,
				     (struct libra_host_part){
					     .node = node,
					     .first = r.first - c->first[node],
					     .count = n}) < 0) {
				p->nparts = 0;
				return -1;
			}
		}
	}
	return 0;
}

/* Return the job's task in a row, or NULL. */
static const struct libra_task *task_of(const struct libra_row *row,
					uint64_t ticket)
{
	for (uint32_t i = 0; row && i < row->ntasks; i++)
		if (row->tasks[i].slot == libra_ticket_slot(ticket))
			return &row->tasks[i];
	return NULL;
}

/* Return how many of count processors from first on are in one row. */
static uint32_t same_row(const struct libra_engine *engine, uint32_t first,
			 uint32_t count, uint32_t *row)
{
	uint32_t n = 1;

	*row = libra_engine_row_of(engine, first);
	while (n < count && libra_engine_row_of(engine, first + n) == *row)
		n++;
	return n;
}

/* Append the rest of a job in a row.  Gang policies have no rows. */
static bool write_left(struct host_text *left, const char *comma,
		       const struct libra_engine *engine,
		       const struct record_job *job, uint32_t row)
{
	const struct libra_row *g =
		row == UINT32_MAX ? NULL : libra_engine_row(engine, row);
	const struct libra_task *task = task_of(g, job->ticket);
	double now_s = job->now_s, rate = 0, left_s;

	if (job->suspended) {
		left_s = job->suspended_left_s;
	} else if (task) {
		left_s = task->est_left_s;
		rate = task->rate;
		now_s = g->since_s;
	} else {
		left_s = libra_engine_left_s(engine, job->ticket, now_s, &rate);
	}
	return host_text_add(left, "%s%.17g/%.17g/%.17g", comma, left_s, rate,
			     now_s);
}

static bool write_range(struct host_text *on, const char *comma,
			const char *node, uint32_t first, uint32_t n)
{
	return n > 1 ? host_text_add(on, "%s%s:%u-%u", comma, node, first,
				     first + n - 1)
		     : host_text_add(on, "%s%s:%u", comma, node, first);
}

bool host_record_write(struct host_text *on, struct host_text *left,
		       struct libra_engine_log *log,
		       const struct host_cluster *c,
		       const struct record_job *job,
		       struct libra_host_placement *p)
{
	const char *comma = "";
	bool good = host_placement_read(log, c, job->ticket, p) == 0;

	for (size_t i = 0; good && i < p->nparts; i++) {
		struct libra_host_part part = p->parts[i];
		uint32_t proc = c->first[part.node] + part.first, row, n;

		for (; good && part.count;
		     part.count -= n, proc += n, part.first += n) {
			n = same_row(log->engine, proc, part.count, &row);
			good = write_range(on, comma, c->names[part.node],
					   part.first, n) &&
			       (!job->running ||
				write_left(left, comma, log->engine, job, row));
			comma = ",";
		}
	}
	return good;
}

static void amount_text(uint64_t amount, char text[24])
{
	if (amount == LIBRA_ALL)
		snprintf(text, 24, "all");
	else
		snprintf(text, 24, "%llu", (unsigned long long)amount);
}

void host_record_need(const struct host_cluster *c,
		      const struct request_size *size,
		      char text[LIBRA_PROMISE_NEED])
{
	char of_node[24], of_task[24];
	size_t len = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < c->nresources; i++) {
		if (!size->per_node[i] && !size->per_chunk[i])
			continue;
		amount_text(size->per_node[i], of_node);
		amount_text(size->per_chunk[i], of_task);
		len += (size_t)snprintf(text + len, LIBRA_PROMISE_NEED - len,
					"%s%s=%s/%s", len ? "," : "",
					c->resources[i], of_node, of_task);
	}
}

static uint64_t read_amount(const char **at)
{
	uint64_t amount = LIBRA_ALL;
	char *end;

	if (strncmp(*at, "all", 3) == 0) {
		*at += 3;
		return amount;
	}
	amount = strtoull(*at, &end, 10);
	*at = end;
	return amount;
}

/* Names that the cluster no longer has are ignored. */
static void read_need(const struct host_cluster *c, const char *text,
		      struct request_size *size)
{
	uint64_t of_node, of_task;
	size_t len;

	while (*text && (len = strcspn(text, "=")) && text[len]) {
		const char *name = text;

		text += len + 1;
		of_node = read_amount(&text);
		text += *text == '/';
		of_task = read_amount(&text);
		for (uint32_t i = 0; i < c->nresources; i++)
			if (strlen(c->resources[i]) == len &&
			    strncmp(c->resources[i], name, len) == 0) {
				size->per_node[i] = of_node;
				size->per_chunk[i] = of_task;
			}
		text += strcspn(text, ",");
		text += *text == ',';
	}
}

static struct request_size shape_of(const struct host_cluster *c,
				    const struct libra_promise *p)
{
	return (struct request_size){
		.partition = host_cluster_partition(
			c, p->part.text ? p->part.text : "", p->part.len),
		.chunk = p->chunk,
		.node_max = p->node_max,
		.min_nodes = p->min_nodes,
		.max_nodes = p->max_nodes,
	};
}

struct libra_job host_record_job(const struct libra_host_job *job,
				 const struct libra_promise *p)
{
	return (struct libra_job){
		.id = job->job_id,
		.submit_s = p->submit_s,
		.estimate_s = p->estimate_s,
		.deadline_s = p->deadline_s,
		.budget = p->budget,
		.penalty_rate = p->penalty_rate,
		.nprocs = p->nprocs,
		.user = job->user,
	};
}

struct request_size host_record_size(const struct host_cluster *c,
				     const struct libra_promise *p)
{
	struct request_size size = shape_of(c, p);

	read_need(c, p->need, &size);
	return size;
}

uint32_t host_record_parts(const struct host_cluster *c,
			   const struct libra_promise *p, double now_s,
			   struct libra_part *parts, uint32_t cap)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	uint32_t n = 0, node;

	while (n < cap && libra_promise_part(p, &at, &part)) {
		node = host_cluster_find_node(c, part.node, part.node_len);
		if (node == HOST_NO_NODE || part.first >= c->procs[node] ||
		    part.count > c->procs[node] - part.first)
			return 0;
		parts[n] = (struct libra_part){
			.procs = {c->first[node] + part.first, part.count},
			.est_left_s = p->estimate_s,
		};
		if (part.begun)
			parts[n].est_left_s =
				part.left_s -
				part.rate * fmax(0, now_s - part.since_s);
		n++;
	}
	return at.on == p->on.len ? n : 0;
}
