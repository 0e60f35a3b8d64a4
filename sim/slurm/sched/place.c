/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - which nodes a job would get. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/slurm/sched/place.h"

struct sched_set {
	uint32_t first, last, nodes, weight;
	int64_t cpus, gpus;
};

/* The rest of a request while nodes are added. */
struct wanted {
	int64_t cpus, most_cpus, gpus, nodes, min_nodes;
	uint32_t most_nodes;
};

int sched_place_init(const struct sched_model *m, struct sched_place *p)
{
	size_t n = m->nnodes + 1;

	p->n = 0;
	p->node = calloc(n, sizeof(*p->node));
	p->cpus = calloc(n, sizeof(*p->cpus));
	p->gpus = calloc(n, sizeof(*p->gpus));
	p->usable = calloc(n, sizeof(*p->usable));
	p->open = calloc(n, sizeof(*p->open));
	p->set = calloc(m->words + 1, sizeof(*p->set));
	p->map = calloc(m->words + 1, sizeof(*p->map));
	p->sets = calloc(n, sizeof(*p->sets));
	return p->node && p->cpus && p->gpus && p->usable && p->open &&
			       p->set && p->map && p->sets
		       ? 0
		       : -1;
}

void sched_place_fini(struct sched_place *p)
{
	free(p->node);
	free(p->cpus);
	free(p->gpus);
	free(p->usable);
	free(p->open);
	free(p->set);
	free(p->map);
	free(p->sets);
}

static uint32_t at_least(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Return the CPUs that memory allows. */
static uint32_t memory_allows(const struct sched_model *m,
			      const struct sched_free *f,
			      const struct sched_ask *ask, uint32_t i,
			      uint32_t cpus)
{
	const struct sched_request *req = ask->req;
	uint64_t mem = ask->whole ? m->nodes[i].mem_mb : f->mem_mb[i];
	uint32_t core = m->nodes[i].threads;

	if (req->mem_mb == 0)
		return cpus;
	if (!req->mem_per_cpu)
		return req->mem_mb > mem ? 0 : cpus;
	if (ask->whole)
		return req->mem_mb * cpus > mem ? 0 : cpus;
	if (req->mem_mb * cpus > mem) {
		cpus = (uint32_t)(mem / req->mem_mb);
		cpus -= cpus % core;
	}
	if (req->cpus_per_task > 1)
		cpus -= cpus % req->cpus_per_task;
	return cpus < req->tasks_per_node ? 0 : cpus;
}

/* Return the fewest GPUs that a node must have for the job. */
static uint32_t fewest_gpus(const struct sched_request *req)
{
	return req->gpus_job ? at_least(req->gpus_task, 1) : req->gpus_node;
}

/* Return the CPUs of a node that the job could take; 0: none. */
static uint32_t usable_cpus(const struct sched_model *m,
			    const struct sched_free *f,
			    const struct sched_ask *ask, uint32_t i)
{
	const struct sched_request *req = ask->req;
	uint32_t cpus = ask->whole ? m->nodes[i].cpus : f->cpus[i];
	uint32_t per_task = at_least(req->cpus_per_task, 1);
	uint32_t gpus = ask->whole ? m->nodes[i].gpus : f->gpus[i];
	uint32_t tasks = cpus, needed;

	if (cpus < req->mincpus || gpus < fewest_gpus(req))
		return 0;
	if (req->tasks_per_node && !ask->whole && !ask->any_tasks &&
	    tasks > req->tasks_per_node)
		tasks = req->tasks_per_node;
	if (req->gpus_task && !ask->whole && tasks > gpus / req->gpus_task)
		tasks = gpus / req->gpus_task;
	if (per_task < 2) {
		cpus = tasks;
	} else {
		if (cpus / per_task < tasks)
			tasks = cpus / per_task;
		if (!ask->whole)
			cpus = tasks * per_task;
	}
	if (tasks < req->tasks_per_node)
		return 0;
	needed = req->tasks_per_node		      ? req->tasks_per_node
		 : req->max_nodes == 1 && req->ntasks ? req->ntasks
						      : 1;
	if (cpus < needed * per_task || cpus < req->mincpus)
		return 0;
	if (!m->params.count_memory)
		return cpus;
	return memory_allows(m, f, ask, i, cpus);
}

/* Fill p->map and p->usable.  Return the number of nodes. */
static uint32_t find_usable(const struct sched_model *m,
			    const struct sched_free *f,
			    const struct sched_ask *ask, struct sched_place *p)
{
	const uint64_t *open = ask->whole ? f->idle : f->some;
	uint32_t n = 0;

	for (uint32_t w = 0; w < m->words; w++) {
		p->map[w] = ask->allowed[w] & open[w] & m->machine.up[w];
		if (ask->req->excluded)
			p->map[w] &= ~ask->req->excluded[w];
		n += libra_bits_count(p->map[w]);
	}
	p->same = 0;
	if (n < ask->min_nodes)
		return n;
	if (ask->whole && m->machine.alike && ask->req->gpus_job == 0) {
		p->same = usable_cpus(m, f, ask, 0);
		return p->same ? n : 0;
	}
	n = 0;
	for (uint32_t w = 0; w < m->words; w++) {
		uint64_t word = p->map[w], kept = 0;

		while (word) {
			uint32_t bit = (uint32_t)__builtin_ctzll(word);
			uint32_t i = w * 64 + bit;

			word &= word - 1;
			p->usable[i] = usable_cpus(m, f, ask, i);
			p->open[i] = ask->whole ? m->nodes[i].gpus : f->gpus[i];
			if (p->usable[i] > 0) {
				kept |= (uint64_t)1 << bit;
				n++;
			}
		}
		p->map[w] = kept;
	}
	return n;
}

static uint32_t usable(const struct sched_place *p, uint32_t i)
{
	return p->same ? p->same : p->usable[i];
}

/* Take GPUs of a node that gives so many CPUs, and leave one for each node to
 * come.
 */
static void take_gpus(const struct sched_ask *ask, struct sched_place *p,
		      uint32_t i, int64_t cpus, struct wanted *want)
{
	const struct sched_request *req = ask->req;
	int64_t per_task = at_least(req->cpus_per_task, 1);
	int64_t others = want->min_nodes > 1 ? want->min_nodes - 1 : 0;
	int64_t most = want->gpus - others, gpus = p->open[i];

	if (!ask->whole) {
		if (req->gpus_task)
			most = (cpus + per_task - 1) / per_task *
			       req->gpus_task;
		if (gpus > most)
			gpus = most > 1 ? most : 1;
	}
	p->gpus[p->n] = (uint32_t)gpus;
	want->gpus -= gpus;
}

/* Take a node for the job. */
static void take(const struct sched_model *m, const struct sched_ask *ask,
		 struct sched_place *p, uint32_t i, struct wanted *want)
{
	int64_t cpus = usable(p, i);

	if (!ask->whole) {
		int64_t others = want->min_nodes > 1 ? want->min_nodes - 1 : 0;
		int64_t most =
			want->most_cpus - others * (int64_t)m->nodes[i].threads;

		if (most < ask->req->mincpus)
			most = ask->req->mincpus;
		if (cpus > most)
			cpus = most > 0 ? most : 0;
		if (cpus == 0)
			cpus = m->nodes[i].threads;
	}
	if (ask->req->gpus_job)
		take_gpus(ask, p, i, cpus, want);
	libra_bits_put(p->set, i);
	libra_bits_drop(p->map, i);
	p->node[p->n] = i;
	p->cpus[p->n++] = (uint32_t)cpus;
	want->cpus -= cpus;
	want->most_cpus -= cpus;
	want->nodes--;
	want->min_nodes--;
	want->most_nodes--;
}

static bool has_all(const struct wanted *want)
{
	return want->nodes <= 0 && want->cpus <= 0 && want->gpus <= 0;
}

/* Return true if n nodes reach the fewest that the job takes. */
static bool enough_nodes(const struct sched_ask *ask, const struct wanted *want,
			 int64_t n)
{
	int64_t needed = want->nodes;

	if (ask->req_nodes > ask->min_nodes)
		needed += (int64_t)ask->min_nodes - (int64_t)ask->req_nodes;
	return n >= needed;
}

/* The same for nodes that are all alike: a set is a run of bits. */
static uint32_t find_runs(const struct sched_model *m, struct sched_place *p)
{
	uint32_t n = 0, i = libra_bits_next(p->map, 0, m->nnodes);

	while (i < m->nnodes) {
		uint32_t end = libra_bits_next_not(p->map, i, m->nnodes);
		struct sched_set *set = &p->sets[n++];

		set->first = i;
		set->last = end - 1;
		set->nodes = end - i;
		set->cpus = (int64_t)set->nodes * p->same;
		set->gpus = 0;
		set->weight = m->nodes[i].weight;
		i = libra_bits_next(p->map, end, m->nnodes);
	}
	return n;
}

/* Divide p->map into sets of consecutive nodes of one weight. */
static uint32_t find_sets(const struct sched_model *m,
			  const struct sched_ask *ask, struct sched_place *p)
{
	uint32_t n = 0;

	for (uint32_t i = libra_bits_next(p->map, 0, m->nnodes); i < m->nnodes;
	     i = libra_bits_next(p->map, i + 1, m->nnodes)) {
		struct sched_set *set = n > 0 ? &p->sets[n - 1] : NULL;

		if (!set || set->last + 1 != i ||
		    (set->weight != m->nodes[i].weight &&
		     !ask->req->contiguous)) {
			set = &p->sets[n++];
			set->first = i;
			set->nodes = 0;
			set->cpus = set->gpus = 0;
			set->weight = m->nodes[i].weight;
		}
		set->last = i;
		set->nodes++;
		set->cpus += usable(p, i);
		set->gpus += p->open[i];
	}
	return n;
}

/* Choose the lightest set; of equal weight the smallest that suffices, or else
 * the largest.
 */
static struct sched_set *best_set(const struct sched_ask *ask,
				  struct sched_place *p, uint32_t nsets,
				  const struct wanted *want, bool *suffices)
{
	struct sched_set *best = NULL;

	*suffices = false;
	for (uint32_t s = 0; s < nsets; s++) {
		struct sched_set *set = &p->sets[s];
		bool enough = set->cpus >= want->cpus &&
			      set->gpus >= want->gpus &&
			      enough_nodes(ask, want, set->nodes);

		if (set->nodes == 0)
			continue;
		if (!best || set->weight < best->weight ||
		    (set->weight == best->weight &&
		     ((enough && (!*suffices || set->cpus < best->cpus)) ||
		      (!enough && set->cpus > best->cpus))) ||
		    (ask->req->contiguous && enough && !*suffices)) {
			best = set;
			*suffices = enough;
		}
	}
	return best;
}

/* Return the node of a set with the fewest CPUs that suffice alone. */
static uint32_t single_node(const struct sched_model *m,
			    const struct sched_place *p,
			    const struct sched_set *set,
			    const struct wanted *want)
{
	uint32_t best = m->nnodes;

	for (uint32_t i = libra_bits_next(p->map, set->first, set->last + 1);
	     i <= set->last;
	     i = libra_bits_next(p->map, i + 1, set->last + 1)) {
		if ((int64_t)usable(p, i) < want->cpus ||
		    (want->gpus > 0 && p->open[i] < want->gpus))
			continue;
		if (best == m->nnodes || usable(p, i) < usable(p, best))
			best = i;
		if ((int64_t)usable(p, i) == want->cpus)
			break;
	}
	return best;
}

/* Take nodes of a set that are all alike, as one by one. */
static void take_alike(struct sched_place *p, const struct sched_set *set,
		       struct wanted *want)
{
	int64_t same = p->same, n = (want->cpus + same - 1) / same;
	uint32_t *node = p->node + p->n, *cpus = p->cpus + p->n;

	if (n < want->nodes)
		n = want->nodes;
	if (n > set->nodes)
		n = set->nodes;
	if (n >= want->most_nodes) /* the last one must suffice */
		n = (int64_t)want->most_nodes -
		    (want->cpus > want->most_nodes * same);
	for (uint32_t i = 0, first = set->first; i < n; i++) {
		node[i] = first + i;
		cpus[i] = (uint32_t)same;
	}
	p->n += (uint32_t)n;
	libra_bits_fill(p->set, set->first, set->first + (uint32_t)n);
	libra_bits_clear(p->map, set->first, set->first + (uint32_t)n);
	want->cpus -= n * same;
	want->most_cpus -= n * same;
	want->nodes -= n;
	want->min_nodes -= n;
	want->most_nodes -= (uint32_t)n;
}

static void take_from(const struct sched_model *m, const struct sched_ask *ask,
		      struct sched_place *p, const struct sched_set *set,
		      struct wanted *want)
{
	uint32_t end = set->last + 1;

	if (p->same) {
		take_alike(p, set, want);
		return;
	}
	if (want->nodes <= 1) {
		uint32_t one = single_node(m, p, set, want);

		if (one < m->nnodes) {
			take(m, ask, p, one, want);
			return;
		}
	}
	for (uint32_t i = libra_bits_next(p->map, set->first, end);
	     i < end && want->most_nodes > 0 && !has_all(want);
	     i = libra_bits_next(p->map, i + 1, end)) {
		if (want->most_nodes == 1 && (int64_t)usable(p, i) < want->cpus)
			continue;
		take(m, ask, p, i, want);
	}
}

static bool by_sets(const struct sched_model *m, const struct sched_ask *ask,
		    struct sched_place *p, struct wanted *want)
{
	uint32_t nsets = p->same && m->machine.one_weight
				 ? find_runs(m, p)
				 : find_sets(m, ask, p);

	while (want->most_nodes > 0) {
		bool suffices;
		struct sched_set *set =
			best_set(ask, p, nsets, want, &suffices);

		if (!set || (ask->req->contiguous && !suffices))
			break;
		take_from(m, ask, p, set, want);
		if (has_all(want))
			return true;
		set->nodes = 0;
		set->cpus = 0;
	}
	return want->cpus <= 0 && want->gpus <= 0 && enough_nodes(ask, want, 0);
}

/* Return the usable node that comes next by load: the one with most free CPUs,
 * or (busy) the first that has jobs, the lightest before.
 */
static uint32_t next_by_load(const struct sched_model *m,
			     const struct sched_free *f,
			     const struct sched_place *p, bool busy)
{
	uint32_t best = m->nnodes;

	for (uint32_t i = libra_bits_next(p->map, 0, m->nnodes); i < m->nnodes;
	     i = libra_bits_next(p->map, i + 1, m->nnodes)) {
		const struct sched_node *node = &m->nodes[i];

		if (best == m->nnodes || node->weight < m->nodes[best].weight ||
		    (node->weight == m->nodes[best].weight &&
		     (busy ? f->jobs[i] > 0 && f->jobs[best] == 0
			   : usable(p, i) > usable(p, best))))
			best = i;
	}
	return best;
}

static bool by_load(const struct sched_model *m, const struct sched_free *f,
		    const struct sched_ask *ask, struct sched_place *p,
		    struct wanted *want)
{
	while (want->most_nodes > 0 && !has_all(want)) {
		uint32_t i = next_by_load(m, f, p, ask->busy_first);

		if (i == m->nnodes)
			break;
		if (want->most_nodes == 1 && (int64_t)usable(p, i) < want->cpus)
			libra_bits_drop(p->map, i);
		else
			take(m, ask, p, i, want);
	}
	return want->cpus <= 0 && want->gpus <= 0 &&
	       (want->nodes <= 0 || enough_nodes(ask, want, 0));
}

/* Take the nodes that the job names; they are a must. */
static bool take_required(const struct sched_model *m,
			  const struct sched_ask *ask, struct sched_place *p,
			  struct wanted *want)
{
	for (uint32_t w = 0; w < m->words; w++) {
		uint64_t word = ask->req->required[w];

		if (word & ~p->map[w])
			return false;
		while (word) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);

			word &= word - 1;
			if (want->most_nodes == 0)
				return false;
			take(m, ask, p, i, want);
		}
	}
	return true;
}

bool sched_choose(const struct sched_model *m, const struct sched_free *f,
		  const struct sched_ask *ask, struct sched_place *p)
{
	const struct sched_request *req = ask->req;
	struct wanted want = {0};
	uint32_t found, fewest = ask->min_nodes;

	p->n = 0;
	memset(p->set, 0, m->words * sizeof(*p->set));
	found = find_usable(m, f, ask, p);
	if (req->tasks_per_node && req->ntasks) {
		uint32_t needed = (req->ntasks + req->tasks_per_node - 1) /
				  req->tasks_per_node;
		fewest = at_least(fewest, needed);
	}
	if (found < fewest)
		return false;
	want.cpus = want.most_cpus = req->min_cpus;
	want.gpus = req->gpus_job;
	want.min_nodes = fewest;
	want.nodes = req->gpus_job ? fewest : at_least(fewest, ask->req_nodes);
	want.most_nodes = ask->max_nodes;
	if (req->required && !take_required(m, ask, p, &want))
		return false;
	if (req->required && has_all(&want))
		return true;
	if ((ask->busy_first || ask->least_loaded) && !req->contiguous)
		return by_load(m, f, ask, p, &want);
	return by_sets(m, ask, p, &want);
}
