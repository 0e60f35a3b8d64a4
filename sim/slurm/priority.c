/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - usage, its decay, and the factors of a job. */
#include "sim/slurm/priority.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/fairshare.h"

/* ---- the tree ---- */

static void count_kids(struct slurm_prio *p)
{
	const struct slurm_site *site = p->site;
	uint32_t at = 0;

	for (size_t i = 1; i < site->nassocs; i++)
		p->usage[p->usage[i].fs_parent].n++;
	for (size_t i = 0; i < site->nassocs; i++) {
		p->usage[i].first = at;
		at += p->usage[i].n;
		p->usage[i].n = 0;
	}
	for (uint32_t i = 1; i < site->nassocs; i++) {
		struct slurm_usage *up = &p->usage[p->usage[i].fs_parent];

		p->kids[up->first + up->n++] = i;
	}
}

/* Shares of a level are those of all children but the ones that have their
 * parent's.
 */
static void share_levels(struct slurm_prio *p)
{
	const struct slurm_assoc *assocs = p->site->assocs;

	for (size_t i = 0; i < p->site->nassocs; i++) {
		const struct slurm_usage *up = &p->usage[i];
		uint32_t sum = 0;

		for (uint32_t k = 0; k < up->n; k++)
			if (assocs[p->kids[up->first + k]].shares !=
			    SLURM_PARENT)
				sum += assocs[p->kids[up->first + k]].shares;
		for (uint32_t k = 0; k < up->n; k++)
			p->usage[p->kids[up->first + k]].level_shares = sum;
	}
}

/* NormShares: within the level, or of the machine. */
static double normal_shares(const struct slurm_prio *p, uint32_t i)
{
	const struct slurm_assoc *assocs = p->site->assocs;
	double shares = 1;

	if (i != 0 && assocs[i].shares == SLURM_PARENT) {
		i = p->usage[i].fs_parent;
		if (!p->fair_tree)
			return p->usage[i].shares;
	}
	if (p->fair_tree)
		return p->usage[i].level_shares == 0
			       ? 0
			       : (double)assocs[i].shares /
					 (double)p->usage[i].level_shares;
	for (; i != 0; i = assocs[i].parent) {
		if (assocs[i].shares == SLURM_PARENT)
			continue;
		if (p->usage[i].level_shares == 0)
			shares = 0;
		else
			shares *= (double)assocs[i].shares /
				  (double)p->usage[i].level_shares;
	}
	return shares;
}

static void make_tree(struct slurm_prio *p)
{
	const struct slurm_assoc *assocs = p->site->assocs;
	size_t n = p->site->nassocs;

	for (size_t i = 0; i < n; i++) {
		struct slurm_usage *usage = &p->usage[i];
		uint32_t up = i == 0 ? 0 : assocs[i].parent;

		while (up != 0 && assocs[up].shares == SLURM_PARENT)
			up = assocs[up].parent;
		usage->fs_parent = up;
		usage->raw = assocs[i].usage;
		usage->is_user = *assocs[i].user != '\0';
		usage->has_parents = assocs[i].shares == SLURM_PARENT;
		p->nusers += usage->is_user;
		if (assocs[i].priority > p->max_assoc)
			p->max_assoc = assocs[i].priority;
	}
	if (n == 0)
		return;
	count_kids(p);
	share_levels(p);
	for (uint32_t i = 0; i < n; i++)
		p->usage[i].shares = normal_shares(p, i);
	p->usage[0].effective = 1;
}

int slurm_prio_init(struct slurm_prio *p, const struct slurm_site *site,
		    struct libra_error *err)
{
	const struct slurm_priority_params *params = &site->config.priority;
	size_t n = site->nassocs + 1;

	memset(p, 0, sizeof(*p));
	p->site = site;
	p->usage = calloc(n, sizeof(*p->usage));
	p->kids = calloc(n, sizeof(*p->kids));
	p->levels = calloc(n, sizeof(*p->levels));
	if (!p->usage || !p->kids || !p->levels) {
		slurm_prio_fini(p);
		return sim_no_memory(err);
	}
	p->fair_tree = !(params->flags & SLURM_PRIO_NO_FAIR_TREE);
	/* 0.693 is Slurm's ln 2. */
	p->decay = params->half_life_s ? 1 - 0.693 / params->half_life_s : 1;
	for (size_t i = 0; i < site->npartitions; i++)
		if (site->partitions[i].job_factor > p->max_job_factor)
			p->max_job_factor = site->partitions[i].job_factor;
	for (size_t i = 0; i < site->nqos; i++)
		if (site->qos[i].priority > p->max_qos)
			p->max_qos = site->qos[i].priority;
	p->nnodes = (uint32_t)site->nnodes;
	for (size_t i = 0; i < site->nnodes; i++)
		p->cpus += site->nodes[i].cpus_effective;
	make_tree(p);
	return 0;
}

void slurm_prio_fini(struct slurm_prio *p)
{
	free(p->usage);
	free(p->kids);
	free(p->levels);
	memset(p, 0, sizeof(*p));
}

/* ---- usage ---- */

static double power_of(struct slurm_prio *p, double seconds)
{
	if (seconds != p->power_of || p->power == 0) {
		p->power_of = seconds;
		p->power = pow(p->decay, seconds);
	}
	return p->power;
}

static void decay_all(struct slurm_prio *p, double seconds)
{
	double factor = power_of(p, seconds);

	if (factor < DBL_MIN)
		factor = DBL_MIN;
	for (size_t i = 0; i < p->site->nassocs && factor < 1; i++) {
		p->usage[i].raw *= factor;
		p->usage[i].wall_s *= factor;
	}
}

void slurm_prio_begin_run(struct slurm_prio *p, int64_t now_s)
{
	enum slurm_usage_reset reset = p->site->config.priority.reset;
	int64_t next_s = slurm_fairshare_next_reset(reset, p->run_s);

	if (next_s && p->run_s && now_s >= next_s)
		for (size_t i = 0; i < p->site->nassocs; i++)
			p->usage[i].raw = p->usage[i].wall_s = 0;
	if (!p->fair_tree)
		slurm_fairshare_accounts(p);
	if (p->run_s && now_s > p->run_s)
		decay_all(p, (double)(now_s - p->run_s));
}

void slurm_prio_end_run(struct slurm_prio *p, int64_t now_s)
{
	if (p->fair_tree)
		slurm_fairshare_tree(p);
	p->run_s = now_s;
}

void slurm_prio_charge(struct slurm_prio *p, uint32_t assoc, uint32_t qos,
		       double billing, int64_t start_s, int64_t to_s)
{
	int64_t from_s = start_s > p->run_s ? start_s : p->run_s;
	double seconds = to_s > from_s ? (double)(to_s - from_s) : 0;
	double decayed = seconds * power_of(p, seconds);
	double charge = decayed * billing;

	if (qos != SLURM_NONE) {
		charge *= p->site->qos[qos].usage_factor;
		decayed *= p->site->qos[qos].usage_factor;
	}
	for (; assoc != SLURM_NONE; assoc = p->site->assocs[assoc].parent) {
		p->usage[assoc].raw += charge;
		p->usage[assoc].wall_s += decayed;
	}
}

double slurm_prio_billing(const struct slurm_prio *p, uint32_t partition,
			  uint32_t cpus, const int64_t *alloc)
{
	const struct slurm_site *site = p->site;
	uint32_t flags = site->config.priority.flags;
	bool highest = flags & (SLURM_PRIO_MAX_TRES | SLURM_PRIO_MAX_TRES_GRES);
	const double *weights = partition == SLURM_NONE
					? NULL
					: site->partitions[partition].billing;
	double most = 0, gres = 0, global = 0;

	if (!weights)
		return cpus;
	for (size_t i = 0; i < site->ntres; i++) {
		double cost = (double)alloc[i] * weights[i];
		bool is_gres = strncmp(site->tres[i].name, "gres/", 5) == 0;

		if (i == SLURM_BILLING)
			continue;
		if (!highest || (i != SLURM_CPU && i != SLURM_MEM &&
				 i != SLURM_NODE && !is_gres))
			global += cost;
		else if (is_gres && flags & SLURM_PRIO_MAX_TRES_GRES)
			gres += cost;
		else if (cost > most)
			most = cost;
	}
	return most + gres + global;
}

/* ---- usage before the log ---- */

/* Return the seconds of a time of which each decays until to_s. */
static double decayed_time(const struct slurm_prio *p, int64_t from_s,
			   int64_t end_s, int64_t to_s)
{
	if (end_s == 0 || end_s > to_s)
		end_s = to_s;
	if (from_s == 0 || from_s >= end_s)
		return 0;
	if (p->decay >= 1)
		return (double)(end_s - from_s);
	return (pow(p->decay, (double)(to_s - end_s)) -
		pow(p->decay, (double)(to_s - from_s))) /
	       -log(p->decay);
}

static void take_off(struct slurm_site *site, const struct slurm_prio *p,
		     const struct slurm_job *job, int64_t to_s)
{
	double charge = decayed_time(p, job->start_s, job->end_s, to_s) *
			slurm_prio_billing(p,
					   job->npartitions ? job->partitions[0]
							    : SLURM_NONE,
					   job->cpus, job->alloc);

	if (job->qos != SLURM_NONE)
		charge *= site->qos[job->qos].usage_factor;
	for (uint32_t a = job->assoc; a != SLURM_NONE;
	     a = site->assocs[a].parent)
		site->assocs[a].usage -= charge;
}

int slurm_prio_rewind(struct slurm_site *site, struct libra_error *err)
{
	enum { HALF_LIVES = 3 };
	const struct slurm_priority_params *params = &site->config.priority;
	int64_t first_s = slurm_site_first_s(site);
	int64_t to_s = site->config.printed_s, reset_s;
	struct slurm_prio p;
	double factor;

	if (first_s == 0 || to_s <= first_s || site->nassocs == 0 ||
	    site->assocs[0].usage == 0)
		return 0;
	if (slurm_prio_init(&p, site, err) < 0)
		return -1;
	reset_s = slurm_fairshare_next_reset(params->reset, first_s);
	factor = pow(p.decay, (double)(to_s - first_s));
	for (size_t i = 0; i < site->njobs; i++)
		take_off(site, &p, &site->jobs[i], to_s);
	for (size_t i = 0; i < site->nassocs; i++) {
		double *usage = &site->assocs[i].usage;

		if (factor < ldexp(1, -HALF_LIVES) ||
		    (reset_s && reset_s <= to_s) || *usage < 0)
			*usage = 0;
		*usage /= factor > 0 ? factor : 1;
	}
	slurm_prio_fini(&p);
	return 0;
}

/* ---- factors ---- */

static double age_factor(const struct slurm_prio *p,
			 const struct slurm_prio_job *job, int64_t now_s)
{
	int64_t most_s = p->site->config.priority.max_age_s, age_s;

	if (job->accrue_s == 0)
		return 0;
	age_s = now_s > job->accrue_s ? now_s - job->accrue_s : 0;
	return age_s < most_s ? (double)age_s / (double)most_s : 1;
}

/* In limit's minutes, of which 0 counts as one. */
static double relative_size(const struct slurm_prio *p,
			    const struct slurm_prio_job *job)
{
	const struct slurm_priority_params *params = &p->site->config.priority;
	double size = (double)job->nodes * p->cpus / p->nnodes;
	double minutes = job->limit_s == SLURM_INFINITE
				 ? UINT32_MAX
				 : job->limit_s / 60 /* whole ones */;

	if (job->cpus > size)
		size = job->cpus;
	size = size / (minutes < 1 ? 1 : minutes) / p->cpus;
	return params->favor_small ? 1 - size : size;
}

static double size_factor(const struct slurm_prio *p,
			  const struct slurm_prio_job *job)
{
	const struct slurm_priority_params *params = &p->site->config.priority;
	double size, nodes = job->nodes, all = p->nnodes, cpus = p->cpus;

	if (p->nnodes == 0 || p->cpus == 0)
		return 0;
	if (params->flags & SLURM_PRIO_SMALL_RELATIVE_TO_TIME) {
		size = relative_size(p, job);
	} else if (params->favor_small) {
		size = all > nodes ? (all - nodes) / all : 0;
		if (job->cpus)
			size = (size + (cpus - job->cpus) / cpus) / 2;
	} else {
		size = nodes / all;
		if (job->cpus)
			size = (size + job->cpus / cpus) / 2;
	}
	return size < 0 ? 0 : size > 1 ? 1 : size;
}

/* A value of all, or as it is if the flag says so. */
static double part_of(const struct slurm_prio *p, uint32_t flag, uint32_t value,
		      uint32_t most)
{
	if (p->site->config.priority.flags & flag)
		return value;
	return most ? (double)value / (double)most : 0;
}

static void weigh_tres(const struct slurm_prio *p,
		       const struct slurm_prio_job *job,
		       struct slurm_factors *factors)
{
	const struct slurm_priority_params *params = &p->site->config.priority;
	const int64_t *all = job->partition == SLURM_NONE
				     ? NULL
				     : p->site->partitions[job->partition].tres;

	factors->tres = 0;
	for (size_t i = 0; i < p->site->ntres; i++) {
		double factor = 0;

		if (!params->tres)
			;
		else if (params->flags & SLURM_PRIO_NO_NORMAL_TRES)
			factor = (double)job->tres[i];
		else if (all && all[i])
			factor = (double)job->tres[i] / (double)all[i];
		factors->by_tres[i] =
			params->tres ? factor * params->tres[i] : 0;
		factors->tres += factors->by_tres[i];
	}
}

void slurm_prio_factors(struct slurm_prio *p, const struct slurm_prio_job *job,
			int64_t now_s, struct slurm_factors *factors)
{
	const struct slurm_site *site = p->site;
	const struct slurm_priority_params *params = &site->config.priority;
	double total;

	memset(factors, 0, offsetof(struct slurm_factors, by_tres));
	if (params->age)
		factors->age = age_factor(p, job, now_s) * params->age;
	if (job->assoc != SLURM_NONE && params->fairshare)
		factors->fairshare =
			slurm_prio_fairshare(p, job->assoc) * params->fairshare;
	if (params->job_size)
		factors->job_size = size_factor(p, job) * params->job_size;
	if (job->partition != SLURM_NONE)
		factors->partition =
			part_of(p, SLURM_PRIO_NO_NORMAL_PART,
				site->partitions[job->partition].job_factor,
				p->max_job_factor) *
			params->partition;
	if (job->assoc != SLURM_NONE)
		factors->assoc = part_of(p, SLURM_PRIO_NO_NORMAL_ASSOC,
					 site->assocs[job->assoc].priority,
					 p->max_assoc) *
				 params->assoc;
	if (job->qos != SLURM_NONE)
		factors->qos =
			part_of(p, SLURM_PRIO_NO_NORMAL_QOS,
				site->qos[job->qos].priority, p->max_qos) *
			params->qos;
	weigh_tres(p, job, factors);
	/* In Slurm's order: sums of doubles depend on it. */
	total = factors->age + factors->assoc + factors->fairshare +
		factors->job_size + factors->partition + factors->qos +
		factors->tres + (double)job->site - (double)job->nice;
	if (!(total >= 1)) /* 0 is for held jobs */
		total = 1;
	factors->total = total;
	factors->priority = total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
}
