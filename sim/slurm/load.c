/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - a scheduler's model of a site: nodes, partitions, QOS, limits. */
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/slurm/load.h"
#include "sim/slurm/load_jobs.h"
#include "sim/slurm/sched/limits.h"

/* ---- what the site has ---- */

static uint32_t u32(int64_t n)
{
	return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static int load_nodes(struct sched_load *load)
{
	const struct slurm_site *site = load->site;
	struct sched_model *m = &load->model;
	uint32_t gpu = slurm_site_find_tres(site, "gres/gpu");

	m->nnodes = (uint32_t)site->nnodes;
	m->words = LIBRA_BITS_WORDS(m->nnodes);
	m->nodes = calloc(m->nnodes + 1, sizeof(*m->nodes));
	if (!m->nodes)
		return -1;
	for (uint32_t i = 0; i < m->nnodes; i++) {
		const struct slurm_node *from = &site->nodes[i];
		struct sched_node *to = &m->nodes[i];

		to->name = from->name;
		to->cpus = from->cpus_effective ? from->cpus_effective
						: from->cpus;
		to->threads = from->threads && !site->config.select_cpus
				      ? from->threads
				      : 1;
		to->weight = from->weight;
		to->mem_mb = (uint64_t)(from->memory_mb - from->memory_spec_mb);
		if (gpu != SLURM_NONE && from->tres)
			to->gpus = u32(from->tres[gpu]);
		to->down = from->down;
	}
	return 0;
}

static enum sched_preempt preempt_mode(struct sched_load *load, uint8_t mode,
				       enum sched_preempt cluster)
{
	switch (mode & 0xf) {
	case SLURM_PREEMPT_CANCEL:
		return SCHED_PREEMPT_CANCEL;
	case SLURM_PREEMPT_REQUEUE:
		return SCHED_PREEMPT_REQUEUE;
	case SLURM_PREEMPT_SUSPEND:
		sched_ignore(&load->ignored, "PreemptMode=SUSPEND");
		return SCHED_PREEMPT_OFF;
	case SLURM_PREEMPT_OFF:
		return SCHED_PREEMPT_OFF;
	}
	return cluster;
}

/* The index of the site's TRES for each of ours; SLURM_NONE: it has none. */
static void tres_map(const struct slurm_site *site, uint32_t map[SCHED_NTRES])
{
	map[SCHED_CPU] = SLURM_CPU;
	map[SCHED_MEM] = SLURM_MEM;
	map[SCHED_NODE] = SLURM_NODE;
	map[SCHED_BILLING] = SLURM_BILLING;
	map[SCHED_GPU] = slurm_site_find_tres(site, "gres/gpu");
}

/* Return for how long jobs may go on after their limit; UNLIMITED counts as 0,
 * as for the cluster.
 */
static uint32_t overtime_of(const struct slurm_partition *from,
			    const struct sched_params *params)
{
	if (from->overtime_s == SLURM_NONE)
		return params->overtime_s;
	return from->overtime_s == SLURM_INFINITE - 1 ? 0 : from->overtime_s;
}

static int load_parts(struct sched_load *load)
{
	const struct slurm_site *site = load->site;
	struct sched_model *m = &load->model;
	const struct slurm_priority_params *prio = &site->config.priority;
	uint32_t map[SCHED_NTRES], most = 1;

	tres_map(site, map);
	for (size_t i = 0; i < site->npartitions; i++)
		if (!(prio->flags & SLURM_PRIO_NO_NORMAL_PART) &&
		    site->partitions[i].job_factor > most)
			most = site->partitions[i].job_factor;
	m->nparts = (uint32_t)site->npartitions;
	m->parts = calloc(m->nparts + 1, sizeof(*m->parts));
	load->sets = calloc((size_t)(m->nparts + 1) * m->words + 1,
			    sizeof(*load->sets));
	if (!m->parts || !load->sets)
		return -1;
	for (uint32_t i = 0; i < m->nparts; i++) {
		const struct slurm_partition *from = &site->partitions[i];
		struct sched_part *to = &m->parts[i];

		to->name = from->name;
		to->nodes = load->sets + (size_t)i * m->words;
		for (size_t n = 0; n < from->nnodes; n++)
			libra_bits_put(to->nodes, from->nodes[n]);
		to->nnodes = (uint32_t)from->nnodes;
		to->tier = from->tier;
		to->priority =
			(double)prio->partition * from->job_factor / most;
		to->min_nodes = from->min_nodes;
		to->max_nodes = from->max_nodes ? from->max_nodes : UINT32_MAX;
		to->max_time_s = from->max_time_s == SLURM_INFINITE
					 ? SCHED_UNLIMITED
					 : from->max_time_s;
		to->default_time_s = from->default_s == SLURM_INFINITE
					     ? to->max_time_s
					     : from->default_s;
		to->qos = from->qos;
		to->exclusive = from->exclusive || site->config.select_nodes;
		to->least_loaded = from->lln;
		to->closed = from->up	      ? SCHED_REASON_NONE
			     : from->inactive ? SCHED_PARTITION_INACTIVE
					      : SCHED_PARTITION_DOWN;
		to->has_billing = from->billing != NULL;
		for (size_t t = 0; from->billing && t < SCHED_NTRES; t++)
			if (map[t] != SLURM_NONE)
				to->billing[t] = from->billing[map[t]];
		to->preempt_mode = preempt_mode(load, from->preempt_mode,
						m->params.preempt_mode);
		to->grace_s = from->grace_s;
		to->overtime_s = overtime_of(from, &m->params);
		if (from->oversubscribe > 1)
			sched_ignore(&load->ignored, "OverSubscribe=YES|FORCE");
		if (from->max_cpus_node != SLURM_UNLIMITED)
			sched_ignore(&load->ignored, "MaxCPUsPerNode");
		if (*from->access.allow_groups)
			sched_ignore(&load->ignored, "AllowGroups");
		if (from->exclusive_user)
			sched_ignore(&load->ignored, "ExclusiveUser=YES");
	}
	return 0;
}

static void put_amounts(uint64_t to[SCHED_NTRES], slurm_amounts from,
			const uint32_t map[SCHED_NTRES])
{
	for (size_t t = 0; from && t < SCHED_NTRES; t++)
		if (map[t] != SLURM_NONE && from[map[t]] != SLURM_UNLIMITED)
			to[t] = (uint64_t)from[map[t]];
}

static void put_limit(uint64_t *to, int64_t from)
{
	if (from != SLURM_UNLIMITED && from >= 0)
		*to = (uint64_t)from;
}

static void put_group(struct sched_limits *to, const struct slurm_group *from,
		      const uint32_t map[SCHED_NTRES])
{
	put_limit(&to->grp_jobs, from->jobs);
	put_limit(&to->grp_submit, from->submit);
	put_limit(&to->grp_accrue, from->jobs_accrue);
	put_amounts(to->grp, from->tres, map);
	put_amounts(to->grp_run_mins, from->tres_run_mins, map);
}

/* Count limits that the model does not test. */
static void other_limits(struct sched_load *load, slurm_amounts mins,
			 slurm_amounts job_mins, int64_t grp_wall_s)
{
	if (mins)
		sched_ignore(&load->ignored, "GrpTRESMins");
	if (job_mins)
		sched_ignore(&load->ignored, "MaxTRESMins");
	if (grp_wall_s != SLURM_UNLIMITED)
		sched_ignore(&load->ignored, "GrpWall");
}

static int load_qos(struct sched_load *load)
{
	const struct slurm_site *site = load->site;
	struct sched_model *m = &load->model;
	size_t words = LIBRA_BITS_WORDS(site->nqos) + 1;
	uint32_t map[SCHED_NTRES];

	tres_map(site, map);
	m->qos = calloc(site->nqos + 1, sizeof(*m->qos));
	if (!m->qos)
		return -1;
	m->nqos = (uint32_t)site->nqos;
	for (uint32_t i = 0; i < m->nqos; i++) {
		const struct slurm_qos *from = &site->qos[i];
		struct sched_qos *to = &m->qos[i];

		to->name = from->name;
		to->priority = from->priority;
		to->preempts = calloc(words, sizeof(*to->preempts));
		if (!to->preempts)
			return -1;
		for (size_t q = 0; q < from->npreempts; q++)
			libra_bits_put(to->preempts, from->preempts[q]);
		to->preempt_mode = preempt_mode(load, from->preempt_mode,
						m->params.preempt_mode);
		to->exempt_s = from->exempt_s == SLURM_INFINITE
				       ? m->params.exempt_s
				       : from->exempt_s;
		to->grace_s = from->grace_s;
		to->no_reserve = from->flags & SLURM_QOS_NO_RESERVE;
		to->part_max_nodes = from->flags & SLURM_QOS_PART_MAX_NODE;
		to->part_min_nodes = from->flags & SLURM_QOS_PART_MIN_NODE;
		to->over_part = from->flags & SLURM_QOS_OVER_PART_QOS;
		to->deny = from->flags & SLURM_QOS_DENY_ON_LIMIT;
		sched_limits_none(&to->limits);
		if (!site->config.enforce_limits)
			continue;
		put_limit(&to->limits.jobs_user, from->max_jobs_pu);
		put_limit(&to->limits.jobs_account, from->max_jobs_pa);
		put_limit(&to->limits.max_wall_s, from->max_wall_s);
		put_limit(&to->limits.submit_account, from->max_submit_pa);
		put_limit(&to->limits.submit_user, from->max_submit_pu);
		put_limit(&to->limits.accrue_account, from->max_accrue_pa);
		put_limit(&to->limits.accrue_user, from->max_accrue_pu);
		put_group(&to->limits, &from->grp, map);
		put_amounts(to->limits.job, from->max_tres_pj, map);
		put_amounts(to->limits.node, from->max_tres_pn, map);
		put_amounts(to->limits.least, from->min_tres_pj, map);
		put_amounts(to->limits.user, from->max_tres_pu, map);
		put_amounts(to->limits.account, from->max_tres_pa, map);
		put_amounts(to->limits.run_mins_user, from->max_run_mins_pu,
			    map);
		put_amounts(to->limits.run_mins_account, from->max_run_mins_pa,
			    map);
		other_limits(load, from->grp.tres_mins, from->max_tres_mins_pj,
			     from->grp.wall_s);
	}
	return 0;
}

static int load_assocs(struct sched_load *load)
{
	const struct slurm_site *site = load->site;
	struct sched_model *m = &load->model;
	uint32_t map[SCHED_NTRES];

	tres_map(site, map);
	m->nassocs = (uint32_t)site->nassocs;
	m->naccounts = m->nassocs + 1;
	m->nusers = site->nusers;
	m->assocs = calloc(m->nassocs + 1, sizeof(*m->assocs));
	if (!m->assocs)
		return -1;
	for (uint32_t i = 0; i < m->nassocs; i++) {
		const struct slurm_assoc *from = &site->assocs[i];
		struct sched_assoc *to = &m->assocs[i];

		to->parent = from->parent;
		/* a user's association follows that of the account */
		to->account = *from->user && from->parent != SLURM_NONE
				      ? from->parent
				      : i;
		sched_limits_none(&to->limits);
		if (!site->config.enforce_limits)
			continue;
		put_limit(&to->limits.jobs_user, from->max_jobs);
		put_limit(&to->limits.max_wall_s, from->max_wall_s);
		put_limit(&to->limits.submit_user, from->max_submit);
		put_limit(&to->limits.accrue_user, from->max_accrue);
		put_group(&to->limits, &from->grp, map);
		put_amounts(to->limits.job, from->max_tres_pj, map);
		put_amounts(to->limits.node, from->max_tres_pn, map);
		put_amounts(to->limits.run_mins_user, from->max_run_mins, map);
		other_limits(load, from->grp.tres_mins, from->max_tres_mins_pj,
			     from->grp.wall_s);
	}
	return 0;
}

static void load_params(struct sched_load *load)
{
	const struct slurm_config *c = &load->site->config;
	const struct slurm_sched_params *from = &c->sched;
	struct sched_params *to = &load->model.params;

	to->queue_depth = u32(from->default_queue_depth);
	to->part_depth = u32(from->partition_job_depth);
	to->sched_interval_s = u32(from->sched_interval_s);
	to->batch_delay_s = u32(from->batch_sched_delay_s);
	to->max_start = u32(from->sched_max_job_start);
	to->bf.interval_s = c->backfill ? u32(from->bf.interval_s) : 0;
	to->bf.window_s = u32(from->bf.window_s);
	to->bf.resolution_s = u32(from->bf.resolution_s);
	to->bf.max_test = u32(from->bf.max_job_test);
	to->bf.max_start = u32(from->bf.max_job_start);
	to->bf.max_user = u32(from->bf.max_job_user);
	to->bf.max_part = u32(from->bf.max_job_part);
	to->bf.max_user_part = u32(from->bf.max_job_user_part);
	to->bf.max_assoc = u32(from->bf.max_job_assoc);
	to->bf.max_array = u32(from->bf.max_job_array_resv);
	to->bf.min_prio_reserve = u32(from->bf.min_prio_reserve);
	to->bf.min_age_reserve_s = u32(from->bf.min_age_reserve_s);
	to->bf.part_reserve = u32(from->bf.job_part_count_reserve);
	to->bf.one_resv = from->bf.one_resv_per_job;
	to->bf.running_reserve = from->bf.running_job_reserve;
	to->bf.busy_nodes = from->bf.busy_nodes;
	to->assoc_limit_stop = from->assoc_limit_stop;
	to->least_loaded = c->lln;
	to->count_memory = c->select_memory;
	to->preempt_by_qos = c->preempt_qos;
	to->preempt_by_part = c->preempt_part;
	to->preempt_strict = from->preempt_strict_order;
	to->preempt_youngest = from->preempt_youngest_first;
	to->preempt_reorder = u32(from->preempt_reorder_count);
	to->exempt_s =
		c->preempt_exempt_s == SLURM_INFINITE ? 0 : c->preempt_exempt_s;
	to->preempt_mode =
		preempt_mode(load, c->preempt_mode, SCHED_PREEMPT_OFF);
	to->limit_check_s = 30;
	to->kill_wait_s = c->kill_wait_s;
	to->requeue_delay_s = 121;
	to->main_at_end = c->epilog;
	to->enforce_parts = c->enforce_all_parts  ? SCHED_ENFORCE_ALL
			    : c->enforce_any_part ? SCHED_ENFORCE_ANY
						  : SCHED_ENFORCE_NO;
	to->overtime_s = c->overtime_s == SLURM_INFINITE ? 0 : c->overtime_s;
	if (from->defer || from->defer_batch)
		sched_ignore(&load->ignored, "defer");
	if (from->max_rpc_cnt)
		sched_ignore(&load->ignored, "max_rpc_cnt");
	if (from->bf.licenses)
		sched_ignore(&load->ignored, "bf_licenses");
	if (from->pack_serial_at_end)
		sched_ignore(&load->ignored, "pack_serial_at_end");
}

/* Count what would change priorities after a submission. */
static void load_priority(struct sched_load *load)
{
	const struct slurm_priority_params *p = &load->site->config.priority;

	if (!p->multifactor || !p->as_logged)
		return;
	if (p->age)
		sched_ignore(&load->ignored, "PriorityWeightAge");
	if (p->fairshare)
		sched_ignore(&load->ignored, "PriorityWeightFairShare");
}

int sched_load(struct sched_load *load, const struct slurm_site *site,
	       struct libra_error *err)
{
	memset(load, 0, sizeof(*load));
	load->site = site;
	load_params(load);
	load_priority(load);
	if (load_nodes(load) < 0 || load_parts(load) < 0 ||
	    load_qos(load) < 0 || load_assocs(load) < 0)
		return sim_no_memory(err);
	if (sched_model_init(&load->model, err) < 0)
		return -1;
	if (site->noutages > 0)
		sched_ignore(&load->ignored, "node events");
	if (site->nreservations > 0)
		sched_ignore(&load->ignored, "advance reservations");
	return sched_load_jobs(load, err);
}

void sched_load_fini(struct sched_load *load)
{
	struct sched_model *m = &load->model;

	sched_model_fini(m);
	for (uint32_t i = 0; i < m->njobs; i++) {
		if (m->jobs[i].copy)
			continue;
		free(m->jobs[i].depends.on);
		free(m->jobs[i].req.required);
		free(m->jobs[i].req.excluded);
	}
	for (uint32_t q = 0; m->qos && q < m->nqos; q++)
		free(m->qos[q].preempts);
	free(m->jobs);
	free(m->tasks);
	free(m->nodes);
	free(m->parts);
	free(m->qos);
	free(m->assocs);
	free(load->row);
	free(load->nice);
	free(load->sets);
	memset(load, 0, sizeof(*load));
}
