/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - groups of nodes become an engine's, and requests of jobs.
 *
 * The arrays of nodes are made when the number of processors is known.
 * Requests are made from the records of the trace by the place of each job, and
 * stored in two arrays that all jobs share.
 */
#include "sim/workload/nodes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

/* More than any machine has; so the sums below stay in range. */
#define MOST_PROCS 100000000u
#define MOST_MB	   1000000000000u
#define KB_OF_MB   1024
#define NRESOURCES 2

void sim_nodes_fini(struct sim_nodes *nodes)
{
	free(nodes->groups);
	free(nodes->node_procs);
	free(nodes->first);
	free(nodes->resources);
	free(nodes->wheres);
	free(nodes->amounts);
	memset(nodes, 0, sizeof(*nodes));
}

/* ---- the option ---- */

/* A whole number from 1 (or 0) to most.  Result: whether there is one. */
static bool read_number(const char **at, uint64_t least, uint64_t most,
			uint64_t *n)
{
	const char *begin = *at;

	for (*n = 0; **at >= '0' && **at <= '9' && *n <= most; (*at)++)
		*n = 10 * *n + (uint64_t)(**at - '0');
	return *at > begin && *n >= least && *n <= most;
}

static bool skip(const char **at, const char *text)
{
	size_t n = strlen(text);
	bool is = strncmp(*at, text, n) == 0;

	*at += is ? n : 0;
	return is;
}

/* Read one group.  Result: false if it is not a group. */
static bool read_group(struct sim_nodes *nodes, const char **at,
		       struct sim_node_group *g)
{
	uint64_t count, procs = 0;

	if (!read_number(at, 1, MOST_PROCS, &count) ||
	    (skip(at, "x") && !read_number(at, 1, MOST_PROCS, &procs)))
		return false;
	*g = (struct sim_node_group){.count = (uint32_t)count,
				     .procs = (uint32_t)procs};
	while (**at == ':') {
		if (skip(at, ":mem=") &&
		    read_number(at, 1, MOST_MB, &g->mem_mb))
			nodes->has_mem = true;
		else if (skip(at, ":gpu=") &&
			 read_number(at, 1, MOST_PROCS, &g->gpus))
			nodes->has_gpus = true;
		else
			return false;
	}
	return **at == '\0' || skip(at, ",");
}

static int fail_spec(const char *text, struct libra_error *err)
{
	return libra_errf(err, EINVAL,
			  "--nodes is a number of equal nodes or "
			  "COUNTxCORES[:mem=MB][:gpu=N], with commas between "
			  "groups, not '%s'",
			  text);
}

/* Return true if the groups can be nodes.  If there is one group, its cores may
 * follow from the processors of the log.
 */
static bool is_sound(const struct sim_nodes *nodes)
{
	uint64_t procs = 0;

	for (size_t i = 0; i < nodes->ngroups; i++) {
		const struct sim_node_group *g = &nodes->groups[i];

		if (g->procs == 0 && nodes->ngroups > 1)
			return false;
		procs += (uint64_t)g->count * (g->procs ? g->procs : 1);
		if (procs > MOST_PROCS)
			return false;
	}
	return nodes->ngroups > 0;
}

int sim_nodes_parse(struct sim_nodes *nodes, const char *text,
		    struct libra_error *err)
{
	const char *at = text;
	size_t cap = 0;
	bool good = true;

	memset(nodes, 0, sizeof(*nodes));
	while (good && *at) {
		struct sim_node_group *groups =
			sim_grown(nodes->groups, &cap, nodes->ngroups + 1,
				  sizeof(*groups));

		if (!groups) {
			sim_nodes_fini(nodes);
			return sim_no_memory(err);
		}
		nodes->groups = groups;
		good = read_group(nodes, &at, &groups[nodes->ngroups++]);
	}
	if (good && is_sound(nodes) && at[-1] != ',')
		return 0;
	sim_nodes_fini(nodes);
	return fail_spec(text, err);
}

int sim_nodes_equal(struct sim_nodes *nodes, const struct sim_workload *w,
		    const struct sim_scenario *sc, struct libra_error *err)
{
	memset(nodes, 0, sizeof(*nodes));
	if (w->procs % sc->node_procs != 0)
		return libra_errf(err, EINVAL,
				  "%u processors cannot be divided into nodes "
				  "of %u: choose another number of node_procs",
				  w->procs, sc->node_procs);
	nodes->groups = calloc(1, sizeof(*nodes->groups));
	if (!nodes->groups)
		return sim_no_memory(err);
	nodes->groups[nodes->ngroups++] = (struct sim_node_group){
		.count = w->procs / sc->node_procs, .procs = sc->node_procs};
	nodes->few = sc->few_nodes;
	return 0;
}

uint32_t sim_nodes_procs(const struct sim_nodes *nodes)
{
	uint32_t procs = 0;

	for (size_t i = 0; i < nodes->ngroups; i++)
		procs += nodes->groups[i].count * nodes->groups[i].procs;
	return procs;
}

/* ---- the machine ---- */

/* Divide the processors of the log by a number of nodes. */
static int divide(struct sim_nodes *nodes, uint32_t procs,
		  struct libra_error *err)
{
	struct sim_node_group *g = &nodes->groups[0];

	if (g->procs > 0)
		return 0;
	if (procs % g->count != 0)
		return libra_errf(err, EINVAL,
				  "%u processors cannot be divided evenly into "
				  "%u nodes: name another number, or groups as "
				  "--nodes=COUNTxCORES",
				  procs, g->count);
	g->procs = procs / g->count;
	return 0;
}

/* Append a node of a group to the arrays. */
static void write_node(struct sim_nodes *nodes, const struct sim_node_group *g)
{
	uint32_t i = nodes->nnodes++;
	uint64_t *of_node = &nodes->resources[(size_t)i * nodes->nresources];

	nodes->node_procs[i] = g->procs;
	nodes->first[i + 1] = nodes->first[i] + g->procs;
	if (nodes->has_mem)
		*of_node++ = g->mem_mb * KB_OF_MB;
	if (nodes->has_gpus)
		*of_node = g->gpus;
}

/* Make the arrays of nodes from the groups. */
static int make_nodes(struct sim_nodes *nodes, struct libra_error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < nodes->ngroups; i++)
		n += nodes->groups[i].count;
	nodes->nresources = (uint32_t)(nodes->has_mem + nodes->has_gpus);
	nodes->node_procs = calloc(n, sizeof(*nodes->node_procs));
	nodes->first = calloc(n + 1, sizeof(*nodes->first));
	nodes->resources =
		calloc(n * nodes->nresources + 1, sizeof(*nodes->resources));
	if (!nodes->node_procs || !nodes->first || !nodes->resources)
		return sim_no_memory(err);
	for (size_t i = 0; i < nodes->ngroups; i++)
		for (uint32_t k = 0; k < nodes->groups[i].count; k++)
			write_node(nodes, &nodes->groups[i]);
	return 0;
}

/* ---- jobs ---- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b > 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Result: whether the record asks for more than processors. */
static bool read_request(const struct sim_nodes *nodes,
			 const struct swf_record *r, uint32_t nprocs,
			 struct libra_where *where, uint64_t *amounts)
{
	uint32_t gpus = nodes->has_gpus ? r->side_gpus : 0;

	*where = (struct libra_where){
		.chunk = 1, .per_chunk = amounts, .max_nodes = r->side_nodes};
	if (nodes->few)
		where->max_nodes = (nprocs + nodes->groups[0].procs - 1) /
				   nodes->groups[0].procs;
	if (gpus > 0)
		where->chunk = nprocs / common_divisor(nprocs, gpus);
	if (nodes->has_mem && r->req_mem_kb > 0)
		*amounts = (uint64_t)ceil(r->req_mem_kb * where->chunk);
	if (gpus > 0)
		amounts[nodes->has_mem] = gpus / (nprocs / where->chunk);
	return where->max_nodes > 0 || gpus > 0 ||
	       (nodes->has_mem && amounts[0] > 0);
}

/* Processors of a node of a group that a job could use, were it empty. */
static uint32_t usable(const struct sim_nodes *nodes,
		       const struct sim_node_group *g,
		       const struct libra_where *where)
{
	const uint64_t has[NRESOURCES] = {
		nodes->has_mem ? g->mem_mb * KB_OF_MB : g->gpus, g->gpus};
	uint64_t tasks = g->procs / where->chunk;

	for (uint32_t i = 0; i < nodes->nresources; i++)
		if (where->per_chunk[i] > 0 &&
		    has[i] / where->per_chunk[i] < tasks)
			tasks = has[i] / where->per_chunk[i];
	return (uint32_t)tasks * where->chunk;
}

/* The nodes on which it can use most come first; of max_nodes they are enough
 * if any are.
 */
static bool fits_empty(const struct sim_nodes *nodes,
		       const struct libra_where *where, uint32_t nprocs)
{
	uint64_t left = where->max_nodes ? where->max_nodes : UINT32_MAX;
	uint64_t got = 0;
	uint32_t below = UINT32_MAX;

	while (left > 0 && got < nprocs) {
		uint32_t most = 0;
		uint64_t n = 0;

		for (size_t i = 0; i < nodes->ngroups; i++) {
			uint32_t k = usable(nodes, &nodes->groups[i], where);

			if (k < below && k > most)
				n = 0;
			if (k < below && k >= most) {
				most = k;
				n += nodes->groups[i].count;
			}
		}
		if (most == 0)
			return false;
		n = n < left ? n : left;
		got += n * most;
		left -= n;
		below = most;
	}
	return got >= nprocs;
}

/* Set the request of each job, and drop jobs that fit no empty machine. */
static int set_requests(struct sim_nodes *nodes, struct sim_workload *w,
			const struct swf_trace *trace, struct libra_error *err)
{
	const struct swf_record *records =
		trace->records + (trace->nrecords - w->records);
	size_t n = 0;

	nodes->wheres = calloc(w->njobs, sizeof(*nodes->wheres));
	nodes->amounts = calloc(w->njobs, NRESOURCES * sizeof(*nodes->amounts));
	if (!nodes->wheres || !nodes->amounts)
		return sim_no_memory(err);
	for (size_t i = 0; i < w->njobs; i++) {
		struct sim_job job = w->jobs[i];
		struct libra_where *where = &nodes->wheres[n];
		uint64_t *amounts = &nodes->amounts[n * NRESOURCES];

		memset(amounts, 0, NRESOURCES * sizeof(*amounts));
		if (read_request(nodes, &records[job.place], job.job.nprocs,
				 where, amounts))
			job.job.where = where;
		if (job.job.where && !fits_empty(nodes, where, job.job.nprocs))
			continue;
		nodes->asked |= job.job.where != NULL;
		w->jobs[n++] = job;
	}
	w->dropped_large += w->njobs - n;
	w->njobs = n;
	return n > 0 ? 0
		     : libra_errf(err, EINVAL,
				  "no job is left of %zu records: none of "
				  "those that ran fits the nodes",
				  w->records);
}

int sim_nodes_apply(struct sim_nodes *nodes, struct sim_workload *w,
		    const struct swf_trace *trace, struct libra_error *err)
{
	if (divide(nodes, w->procs, err) < 0 || make_nodes(nodes, err) < 0 ||
	    set_requests(nodes, w, trace, err) < 0)
		return -1;
	w->nodes = nodes;
	return 0;
}

int sim_nodes_check(const struct sim_nodes *nodes,
		    const struct libra_policy_type *policy,
		    struct libra_error *err)
{
	if (policy->mode != LIBRA_SPACE)
		return libra_errf(err, EINVAL,
				  "--nodes: policy %s has no nodes: its jobs "
				  "have no processors of their own",
				  policy->name);
	if (nodes->asked && !policy->plans)
		return libra_errf(err, EINVAL,
				  "--nodes: policy %s has no nodes yet for "
				  "jobs that ask for memory, GPUs or a number "
				  "of nodes: choose planned, or leave out "
				  ":mem=, :gpu= and --side",
				  policy->name);
	return 0;
}

/* ---- where a job was ---- */

struct writer {
	FILE *fp;
	uint32_t first, last, procs; /* nodes that are not written yet */
};

/* Write the nodes collected so far, and a blank if more follow. */
static void flush(struct writer *out, bool more)
{
	if (out->procs == 0)
		return;
	fprintf(out->fp, "%u", out->first);
	if (out->last > out->first)
		fprintf(out->fp, "-%u", out->last);
	fprintf(out->fp, ":%u%s", out->procs, more ? " " : "");
}

/* Add a node to the text, or begin a new group of nodes. */
static void add_node(struct writer *out, uint32_t node, uint32_t procs)
{
	if (out->procs == procs && out->last + 1 == node) {
		out->last = node;
		return;
	}
	flush(out, true);
	*out = (struct writer){out->fp, node, node, procs};
}

char *sim_nodes_text(const struct sim_nodes *nodes,
		     const struct libra_range *ranges, size_t n)
{
	char *text = NULL;
	size_t size;
	struct writer out = {.fp = open_memstream(&text, &size)};
	uint32_t node = 0, procs = 0;

	if (!out.fp)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		uint32_t at = ranges[i].first, end = at + ranges[i].count;

		while (at < end) {
			uint32_t to;

			if (at >= nodes->first[node + 1]) {
				if (procs > 0)
					add_node(&out, node, procs);
				procs = 0;
				node++;
				continue;
			}
			to = nodes->first[node + 1];
			to = to < end ? to : end;
			procs += to - at;
			at = to;
		}
	}
	if (procs > 0)
		add_node(&out, node, procs);
	flush(&out, false);
	if (fclose(out.fp) == 0)
		return text;
	free(text);
	errno = ENOMEM;
	return NULL;
}
