/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held.c - which limits keep a job from starting.
 *
 * limits.c answers yes or no.  Here all limits are lifted, and each is asked
 * alone.  A lifted limit is so high that nothing reaches it, but it still hides
 * limits of others.
 */
#include <string.h>

#include "sim/slurm/sched/limits.h"
#include "sim/slurm/sched/watch.h"

#define LIFTED ((uint64_t)1 << 63)

enum count_of { OF_ALL, OF_USER, OF_ACCOUNT, OF_JOB };
enum counted { JOBS, WALL_S, TRES, RUN_MINS, PER_NODE };

/* A limit; of associations under another name, or not at all. */
struct kind {
	const char *name, *assoc_name;
	size_t at; /* in struct sched_limits */
	enum count_of of;
	enum counted counted;
};

#define AT(field) offsetof(struct sched_limits, field)

static const struct kind kinds[] = {
	{"GrpJobs", "GrpJobs", AT(grp_jobs), OF_ALL, JOBS},
	{"MaxJobsPA", NULL, AT(jobs_account), OF_ACCOUNT, JOBS},
	{"MaxJobsPU", "MaxJobs", AT(jobs_user), OF_USER, JOBS},
	{"MaxWall", "MaxWall", AT(max_wall_s), OF_JOB, WALL_S},
	{"GrpTRES", "GrpTRES", AT(grp), OF_ALL, TRES},
	{"GrpTRESRunMins", "GrpTRESRunMins", AT(grp_run_mins), OF_ALL,
	 RUN_MINS},
	{"MaxTRES", "MaxTRES", AT(job), OF_JOB, TRES},
	{"MaxTRESPerNode", "MaxTRESPerNode", AT(node), OF_JOB, PER_NODE},
	{"MinTRES", NULL, AT(least), OF_JOB, TRES},
	{"MaxTRESPA", NULL, AT(account), OF_ACCOUNT, TRES},
	{"MaxTRESPU", NULL, AT(user), OF_USER, TRES},
	{"MaxTRESRunMinsPA", NULL, AT(run_mins_account), OF_ACCOUNT, RUN_MINS},
	{"MaxTRESRunMinsPU", "MaxTRESRunMins", AT(run_mins_user), OF_USER,
	 RUN_MINS},
};

/* The job that is asked for, and what was found. */
struct search {
	struct sched_model *m;
	const struct sched_job *job;
	uint32_t part;
	const uint64_t *tres;
	struct sched_held *held;
	size_t n, most;
};

static uint64_t *limit_at(struct sched_limits *limits, const struct kind *kind,
			  size_t t)
{
	return (uint64_t *)(void *)((char *)limits + kind->at) + t;
}

static size_t tres_of(const struct kind *kind)
{
	return kind->counted >= TRES ? SCHED_NTRES : 1;
}

/* Lift the limits, or have them back; a least amount is lifted by 0, so that
 * the caller keeps those.
 */
static void lift(struct sched_limits *limits, bool up)
{
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t t = 0; t < tres_of(&kinds[k]); t++) {
			uint64_t *limit = limit_at(limits, &kinds[k], t);

			if (*limit == SCHED_UNLIMITED ||
			    kinds[k].at == AT(least))
				continue;
			*limit = up ? *limit | LIFTED : *limit & ~LIFTED;
		}
}

/* Return true if a limit that was not lifted keeps the job. */
static bool is_kept(const struct search *s)
{
	return sched_limits_before(s->m, s->job, s->part) !=
		       SCHED_REASON_NONE ||
	       sched_limits_after(s->m, s->job, s->part, s->tres) !=
		       SCHED_REASON_NONE ||
	       sched_limits_nodes(s->m, s->job, s->part) <
		       s->job->req.min_nodes;
}

/* ---- numbers of a limit ---- */

static uint64_t used_of(const struct search *s, const struct kind *kind,
			const struct sched_usage *usage, size_t t)
{
	if (!usage)
		return 0;
	if (kind->counted == JOBS)
		return usage->jobs;
	return kind->counted == RUN_MINS ? sched_run_mins(usage, t, s->m->now_s)
					 : usage->tres[t];
}

static uint64_t asked_of(const struct search *s, const struct kind *kind,
			 size_t t)
{
	uint64_t limit_s = (uint64_t)s->job->limit_s;
	uint64_t nodes = s->tres[SCHED_NODE] ? s->tres[SCHED_NODE] : 1;

	switch (kind->counted) {
	case JOBS:
		return 1;
	case WALL_S:
		return limit_s;
	case RUN_MINS:
		return s->tres[t] * limit_s / 60;
	case PER_NODE:
		return s->tres[t] / nodes;
	default:
		return s->tres[t];
	}
}

static const struct sched_usage *usage_of(const struct search *s,
					  const struct kind *kind, uint32_t qos,
					  uint32_t assoc)
{
	const struct sched_owner *owner = &s->job->owner;

	if (kind->of == OF_JOB)
		return NULL;
	if (qos == SCHED_NONE) /* of an association all is the user's */
		return &s->m->assocs[assoc].used;
	if (kind->of == OF_USER)
		return &s->m->qos[qos].by_user[owner->user];
	if (kind->of == OF_ACCOUNT)
		return &s->m->qos[qos].by_account[owner->account];
	return &s->m->qos[qos].used;
}

static void note(struct search *s, const struct kind *kind, uint32_t qos,
		 uint32_t assoc, size_t t, uint64_t most)
{
	struct sched_held *held = &s->held[s->n];

	if (s->n == s->most)
		return;
	s->n++;
	held->limit = qos == SCHED_NONE ? kind->assoc_name : kind->name;
	held->qos = qos;
	held->assoc = assoc;
	held->tres = kind->counted >= TRES ? (enum sched_tres)t : SCHED_NTRES;
	held->most = most;
	held->used = used_of(s, kind, usage_of(s, kind, qos, assoc), t);
	held->asked = asked_of(s, kind, t);
}

/* ---- each limit alone ---- */

static void ask_each(struct search *s, struct sched_limits *limits,
		     const uint64_t *least, uint32_t qos, uint32_t assoc)
{
	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t t = 0; t < tres_of(&kinds[k]); t++) {
			uint64_t *limit = limit_at(limits, &kinds[k], t);
			uint64_t lifted = *limit;

			if (qos == SCHED_NONE && !kinds[k].assoc_name)
				continue;
			if (lifted == SCHED_UNLIMITED)
				continue;
			*limit = kinds[k].at == AT(least) ? least[t]
							  : lifted & ~LIFTED;
			if (is_kept(s))
				note(s, &kinds[k], qos, assoc, t, *limit);
			*limit = lifted;
		}
}

size_t sched_limits_held(struct sched_model *m, const struct sched_job *job,
			 uint32_t part, const uint64_t tres[SCHED_NTRES],
			 struct sched_held *held, size_t n)
{
	struct search s = {m, job, part, tres, held, 0, n};
	uint32_t own = m->parts[part].qos;
	uint32_t qos[2] = {own,
			   job->owner.qos == own ? SCHED_NONE : job->owner.qos};
	uint64_t least[2][SCHED_NTRES];

	for (size_t k = 0; k < 2; k++) {
		struct sched_limits *l;

		if (qos[k] == SCHED_NONE)
			continue;
		l = &m->qos[qos[k]].limits;
		memcpy(least[k], l->least, sizeof(least[k]));
		for (size_t t = 0; t < SCHED_NTRES; t++)
			if (l->least[t] != SCHED_UNLIMITED)
				l->least[t] = 0;
		lift(l, true);
	}
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		lift(&m->assocs[a].limits, true);
	for (size_t k = 0; k < 2; k++)
		if (qos[k] != SCHED_NONE)
			ask_each(&s, &m->qos[qos[k]].limits, least[k], qos[k],
				 SCHED_NONE);
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		ask_each(&s, &m->assocs[a].limits, NULL, SCHED_NONE, a);
	for (size_t k = 0; k < 2; k++)
		if (qos[k] != SCHED_NONE) {
			lift(&m->qos[qos[k]].limits, false);
			memcpy(m->qos[qos[k]].limits.least, least[k],
			       sizeof(least[k]));
		}
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		lift(&m->assocs[a].limits, false);
	return s.n;
}
