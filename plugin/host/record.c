/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - processors as parts of nodes, and as a job's record tells them.
 * See state.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/state.h"

/* Of the places of an array's tasks in a record: Slurm has no limit of its own,
 * but writes and sends the record often.
 */
#define LIST_LENGTH 32768

/* Read where a ticket is promised, as parts of nodes.
 * Result: 0, or -1.
 */
int host_read_parts(uint64_t ticket, struct libra_host_placement *p)
{
	struct libra_range r;
	uint32_t node, n;
	size_t cap;
	struct libra_host_part *more;

	p->nparts = 0;
	if (libra_engine_log_placement(&host.log, ticket) < 0)
		return -1;
	for (size_t i = 0; i < host.log.nranges; i++) {
		r = host.log.ranges[i];
		while (r.count) {
			node = host_cluster_node_of(&host.cluster, r.first);
			n = host.cluster.first[node + 1] - r.first;
			if (n > r.count)
				n = r.count;
			if (p->nparts == p->cap) {
				cap = p->cap ? 2 * p->cap : 16;
				more = realloc(p->parts, cap * sizeof(*more));
				if (!more)
					return -1;
				p->parts = more;
				p->cap = cap;
			}
			p->parts[p->nparts++] = (struct libra_host_part){
				.node = node,
				.first = r.first - host.cluster.first[node],
				.count = n};
			r.first += n;
			r.count -= n;
		}
	}
	return 0;
}

/* The job's task in a row, or NULL. */
static const struct libra_task *task_of(const struct libra_row *row,
					uint64_t ticket)
{
	for (uint32_t i = 0; row && i < row->ntasks; i++)
		if (row->tasks[i].slot == libra_ticket_slot(ticket))
			return &row->tasks[i];
	return NULL;
}

/* Processors from first on that are in one row, count at the most. */
static uint32_t same_row(uint32_t first, uint32_t count, uint32_t *row)
{
	uint32_t n = 1;

	*row = libra_engine_row_of(host.log.engine, first);
	while (n < count &&
	       libra_engine_row_of(host.log.engine, first + n) == *row)
		n++;
	return n;
}

/* What a job that has begun has left in a row; gangs have none. */
static void write_left(FILE *left, const char *comma,
		       const struct tracked_job *t, const struct libra_row *g)
{
	const struct libra_task *task = task_of(g, t->ticket);
	double now_s = host_clock_s(host.ops), rate = 0, left_s;

	if (t->suspended) {
		left_s = t->job.estimate_s - t->executed_s;
	} else if (task) {
		left_s = task->est_left_s;
		rate = task->rate;
		now_s = g->since_s;
	} else {
		left_s = libra_engine_left_s(host.log.engine, t->ticket, now_s,
					     &rate);
	}
	fprintf(left, "%s%.17g/%.17g/%.17g", comma, left_s, rate, now_s);
}

/* Where a job is ("n1:0-3,n2:0"), and what it has left there. */
static void write_parts(FILE *on, FILE *left, const struct tracked_job *t,
			struct libra_host_placement *p)
{
	const char *comma = "";

	if (host_read_parts(t->ticket, p) < 0)
		return;
	for (size_t i = 0; i < p->nparts; i++) {
		struct libra_host_part part = p->parts[i];
		uint32_t proc = host.cluster.first[part.node] + part.first, row,
			 n;

		for (; part.count;
		     part.count -= n, proc += n, part.first += n) {
			const struct libra_row *g;

			n = same_row(proc, part.count, &row);
			fprintf(on, "%s%s:%u", comma,
				host.cluster.names[part.node], part.first);
			if (n > 1)
				fprintf(on, "-%u", part.first + n - 1);
			g = row == UINT32_MAX
				    ? NULL
				    : libra_engine_row(host.log.engine, row);
			if (t->state == TRACKED_RUNNING)
				write_left(left, comma, t, g);
			comma = ",";
		}
	}
}

void host_fill_promise(const struct tracked_job *t, uint32_t tasks,
		       struct libra_promise *p)
{
	*p = (struct libra_promise){
		.epoch = host.log.epoch,
		.offer = t->state == TRACKED_RUNNING ? t->offer : t->first,
		.tasks = tasks,
		.nprocs = t->job.nprocs,
		.estimate_s = t->job.estimate_s,
		.user_estimate_s = t->user_estimate_s,
		.deadline_s = t->job.deadline_s,
		.submit_s = t->job.submit_s,
		.share = t->share,
		.budget = t->job.budget,
		.penalty_rate = t->job.penalty_rate,
		.chunk = t->size.chunk,
		.node_max = t->size.node_max,
		.min_nodes = t->size.min_nodes,
		.max_nodes = t->size.max_nodes,
	};
	if (t->size.partition) {
		p->part = t->size.partition->name;
		p->part_len = strlen(p->part);
	}
}

/* Where the tasks of an array will be, those that start first before the
 * others.
 */
static void write_tasks(FILE *on, FILE *left, const struct tracked_job *t,
			struct libra_host_placement *p)
{
	for (t = host_jobs_find_offer(&host.jobs, t->first);
	     t && ftell(on) < LIST_LENGTH;
	     t = host_jobs_next_offer(&host.jobs, t)) {
		if (ftell(on) > 0)
			fputc(';', on);
		write_parts(on, left, t, p);
	}
}

char *host_comment_of(const struct tracked_job *t, uint32_t tasks)
{
	struct libra_host_placement placement = {0};
	char *on = NULL, *left = NULL, *text = NULL;
	size_t on_len = 0, left_len = 0;
	FILE *on_file = open_memstream(&on, &on_len);
	FILE *left_file = open_memstream(&left, &left_len);
	struct libra_promise p;

	host_fill_promise(t, tasks, &p);
	if (on_file && left_file) {
		if (t->state >= TRACKED_COMMITTED && tasks == 1)
			write_parts(on_file, left_file, t, &placement);
		else if (t->state >= TRACKED_COMMITTED)
			write_tasks(on_file, left_file, t, &placement);
		fflush(on_file);
		fflush(left_file);
		p.on = on;
		p.on_len = on_len;
		p.left = left;
		p.left_len = left_len;
		text = libra_promise_format(&p);
	}
	if (on_file)
		fclose(on_file);
	if (left_file)
		fclose(left_file);
	free(on);
	free(left);
	free(placement.parts);
	return text;
}

void host_job_record(const struct tracked_job *t,
		     struct libra_host_record *record)
{
	struct tracked_job *last;
	uint32_t tasks = 1;

	if (t->state == TRACKED_COMMITTED)
		tasks = host_jobs_count_waiting(&host.jobs, t->job_id, &last);
	*record = (struct libra_host_record){
		.comment = host_comment_of(t, tasks),
		.in_turn = host_in_turn(),
		.share = host_in_turn() ? 1 : t->share,
		.estimate_s = t->job.estimate_s,
		.deadline_s = t->job.deadline_s,
	};
}

struct request_size host_recorded_shape(const struct libra_promise *p)
{
	return (struct request_size){
		.partition = host_cluster_partition(
			&host.cluster, p->part ? p->part : "", p->part_len),
		.chunk = p->chunk,
		.node_max = p->node_max,
		.min_nodes = p->min_nodes,
		.max_nodes = p->max_nodes,
	};
}

/* The parts of a record in the engine's terms: what is left of each is what
 * was left, less what its rate has done since.
 * Result: how many, or 0 if they are not of this cluster.
 */
uint32_t host_record_parts(const struct libra_promise *p, double now_s,
			   struct libra_part *parts, uint32_t cap)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	uint32_t n = 0, node;

	while (n < cap && libra_promise_part(p, &at, &part)) {
		node = host_cluster_find_node(&host.cluster, part.node,
					      part.node_len);
		if (node == HOST_NO_NODE ||
		    part.first >= host.cluster.procs[node] ||
		    part.count > host.cluster.procs[node] - part.first)
			return 0;
		parts[n] = (struct libra_part){
			.procs = {host.cluster.first[node] + part.first,
				  part.count},
			.est_left_s = p->estimate_s,
		};
		if (part.begun)
			parts[n].est_left_s =
				part.left_s -
				part.rate * fmax(0, now_s - part.since_s);
		n++;
	}
	return at.on == p->on_len ? n : 0;
}
