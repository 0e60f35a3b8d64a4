/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - limits of QOS and associations. */
#include <string.h>

#include "sim/slurm/sched/limits.h"

/* A QOS that was asked already has a say; each limit asks once. */
struct asked {
	const struct sched_qos *qos[2];
	size_t n;
};

void sched_limits_none(struct sched_limits *limits)
{
	/* each field is a uint64_t, and no limit is all ones */
	memset(limits, 0xff, sizeof(*limits));
}

static bool limits_tres(const struct sched_limits *l)
{
	const uint64_t *const of[] = {
		l->grp,	    l->grp_run_mins,  l->job,
		l->node,    l->least,	      l->user,
		l->account, l->run_mins_user, l->run_mins_account};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		for (size_t t = 0; t < SCHED_NTRES; t++)
			if (of[i][t] != SCHED_UNLIMITED)
				return true;
	return false;
}

void sched_limits_note(struct sched_model *m)
{
	for (uint32_t q = 0; q < m->nqos; q++)
		m->qos[q].tres_limits = limits_tres(&m->qos[q].limits);
	for (uint32_t a = 0; a < m->nassocs; a++)
		m->assocs[a].tres_limits = limits_tres(&m->assocs[a].limits);
}

static void asked_of(const struct sched_model *m, const struct sched_job *job,
		     uint32_t part, struct asked *asked)
{
	uint32_t own = m->parts[part].qos;

	memset(asked, 0, sizeof(*asked));
	if (own != SCHED_NONE)
		asked->qos[asked->n++] = &m->qos[own];
	if (job->owner.qos != SCHED_NONE && job->owner.qos != own)
		asked->qos[asked->n++] = &m->qos[job->owner.qos];
}

static void count_usage(struct sched_usage *u, const struct sched_run *run,
			int sign)
{
	u->jobs += (uint64_t)sign;
	for (size_t t = 0; t < SCHED_NTRES; t++) {
		int64_t amount = (int64_t)run->tres[t] * sign;

		u->tres[t] += (uint64_t)amount;
		u->run_end[t] += amount * run->end_s;
		u->run_now[t] += amount;
	}
}

void sched_count(struct sched_model *m, const struct sched_run *run, int sign)
{
	const struct sched_job *job = &m->jobs[run->job];
	uint32_t own = m->parts[run->part].qos;
	uint32_t of[2] = {run->qos, own == run->qos ? SCHED_NONE : own};

	for (size_t i = 0; i < 2; i++)
		if (of[i] != SCHED_NONE) {
			struct sched_qos *qos = &m->qos[of[i]];

			count_usage(&qos->used, run, sign);
			count_usage(&qos->by_user[job->owner.user], run, sign);
			count_usage(&qos->by_account[job->owner.account], run,
				    sign);
		}
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		count_usage(&m->assocs[a].used, run, sign);
}

static bool full(uint64_t limit, uint64_t used)
{
	return limit != SCHED_UNLIMITED && used >= limit;
}

/* Return true if a QOS before number k sets the limit at that offset. */
#define HIDDEN(asked, k, field)                                                \
	(((k) > 0 && (asked)->qos[0]->limits.field != SCHED_UNLIMITED) ||      \
	 ((k) > 1 && (asked)->n > 1 &&                                         \
	  (asked)->qos[1]->limits.field != SCHED_UNLIMITED))

static bool qos_is_full(const struct asked *a, size_t k,
			const struct sched_job *job)
{
	const struct sched_qos *qos = a->qos[k];
	const struct sched_limits *l = &qos->limits;

	return (!HIDDEN(a, k, grp_jobs) && full(l->grp_jobs, qos->used.jobs)) ||
	       (!HIDDEN(a, k, jobs_account) &&
		full(l->jobs_account,
		     qos->by_account[job->owner.account].jobs)) ||
	       (!HIDDEN(a, k, jobs_user) &&
		full(l->jobs_user, qos->by_user[job->owner.user].jobs)) ||
	       (!HIDDEN(a, k, max_wall_s) && l->max_wall_s != SCHED_UNLIMITED &&
		(uint64_t)job->limit_s > l->max_wall_s);
}

enum sched_reason sched_limits_before(const struct sched_model *m,
				      const struct sched_job *job,
				      uint32_t part)
{
	struct asked asked = {{NULL, NULL}, 0};

	asked_of(m, job, part, &asked);
	for (size_t k = 0; k < asked.n; k++)
		if (qos_is_full(&asked, k, job))
			return SCHED_QOS_LIMIT;
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent) {
		const struct sched_assoc *assoc = &m->assocs[a];
		const struct sched_limits *l = &assoc->limits;

		if (!HIDDEN(&asked, asked.n, grp_jobs) &&
		    full(l->grp_jobs, assoc->used.jobs))
			return SCHED_ASSOC_LIMIT;
		if (a != job->owner.assoc)
			continue;
		if (!HIDDEN(&asked, asked.n, jobs_account) &&
		    !HIDDEN(&asked, asked.n, jobs_user) &&
		    full(l->jobs_user, assoc->used.jobs))
			return SCHED_ASSOC_LIMIT;
		if (!HIDDEN(&asked, asked.n, max_wall_s) &&
		    l->max_wall_s != SCHED_UNLIMITED &&
		    (uint64_t)job->limit_s > l->max_wall_s)
			return SCHED_ASSOC_LIMIT;
	}
	return SCHED_REASON_NONE;
}

uint64_t sched_run_mins(const struct sched_usage *usage, size_t tres,
			int64_t now_s)
{
	int64_t left = usage->run_end[tres] - usage->run_now[tres] * now_s;

	return left > 0 ? (uint64_t)left / 60 : 0;
}

static bool exceeds(uint64_t limit, uint64_t used, uint64_t more)
{
	return limit != SCHED_UNLIMITED && used + more > limit;
}

/* Test one QOS, for one resource. */
static bool qos_exceeded(const struct sched_model *m, const struct asked *a,
			 size_t k, const struct sched_job *job, size_t t,
			 const uint64_t tres[SCHED_NTRES])
{
	const struct sched_qos *qos = a->qos[k];
	const struct sched_limits *l = &qos->limits;
	const struct sched_usage *user = &qos->by_user[job->owner.user];
	const struct sched_usage *account =
		&qos->by_account[job->owner.account];
	uint64_t mins = tres[t] * (uint64_t)job->limit_s / 60;
	uint64_t nodes = tres[SCHED_NODE] ? tres[SCHED_NODE] : 1;

	return (!HIDDEN(a, k, grp[t]) &&
		exceeds(l->grp[t], qos->used.tres[t], tres[t])) ||
	       (!HIDDEN(a, k, grp_run_mins[t]) &&
		exceeds(l->grp_run_mins[t],
			sched_run_mins(&qos->used, t, m->now_s), mins)) ||
	       (!HIDDEN(a, k, job[t]) && exceeds(l->job[t], 0, tres[t])) ||
	       (!HIDDEN(a, k, node[t]) &&
		exceeds(l->node[t], 0, tres[t] / nodes)) ||
	       (!HIDDEN(a, k, least[t]) && l->least[t] != SCHED_UNLIMITED &&
		tres[t] < l->least[t]) ||
	       (!HIDDEN(a, k, account[t]) &&
		exceeds(l->account[t], account->tres[t], tres[t])) ||
	       (!HIDDEN(a, k, user[t]) &&
		exceeds(l->user[t], user->tres[t], tres[t])) ||
	       (!HIDDEN(a, k, run_mins_account[t]) &&
		exceeds(l->run_mins_account[t],
			sched_run_mins(account, t, m->now_s), mins)) ||
	       (!HIDDEN(a, k, run_mins_user[t]) &&
		exceeds(l->run_mins_user[t], sched_run_mins(user, t, m->now_s),
			mins));
}

static bool assoc_exceeded(const struct sched_model *m, const struct asked *a,
			   const struct sched_assoc *assoc, bool own,
			   const struct sched_job *job, size_t t,
			   const uint64_t tres[SCHED_NTRES])
{
	const struct sched_limits *l = &assoc->limits;
	uint64_t mins = tres[t] * (uint64_t)job->limit_s / 60;
	uint64_t nodes = tres[SCHED_NODE] ? tres[SCHED_NODE] : 1;

	if (!HIDDEN(a, a->n, grp[t]) &&
	    exceeds(l->grp[t], assoc->used.tres[t], tres[t]))
		return true;
	if (!HIDDEN(a, a->n, grp_run_mins[t]) &&
	    exceeds(l->grp_run_mins[t],
		    sched_run_mins(&assoc->used, t, m->now_s), mins))
		return true;
	if (!own)
		return false;
	return (!HIDDEN(a, a->n, job[t]) && exceeds(l->job[t], 0, tres[t])) ||
	       (!HIDDEN(a, a->n, node[t]) &&
		exceeds(l->node[t], 0, tres[t] / nodes)) ||
	       (!HIDDEN(a, a->n, run_mins_user[t]) &&
		exceeds(l->run_mins_user[t],
			sched_run_mins(&assoc->used, t, m->now_s), mins));
}

enum sched_reason sched_limits_after(const struct sched_model *m,
				     const struct sched_job *job, uint32_t part,
				     const uint64_t tres[SCHED_NTRES])
{
	struct asked asked = {{NULL, NULL}, 0};

	asked_of(m, job, part, &asked);
	for (size_t k = 0; k < asked.n; k++)
		for (size_t t = 0; asked.qos[k]->tres_limits && t < SCHED_NTRES;
		     t++)
			if (qos_exceeded(m, &asked, k, job, t, tres))
				return SCHED_QOS_LIMIT;
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		for (size_t t = 0; m->assocs[a].tres_limits && t < SCHED_NTRES;
		     t++)
			if (assoc_exceeded(m, &asked, &m->assocs[a],
					   a == job->owner.assoc, job, t, tres))
				return SCHED_ASSOC_LIMIT;
	return SCHED_REASON_NONE;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint32_t sched_limits_nodes(const struct sched_model *m,
			    const struct sched_job *job, uint32_t part)
{
	struct asked asked = {{NULL, NULL}, 0};
	uint64_t most = SCHED_UNLIMITED;

	asked_of(m, job, part, &asked);
	for (size_t k = 0; k < asked.n; k++) {
		const struct sched_limits *l = &asked.qos[k]->limits;

		most = least_of(most, l->grp[SCHED_NODE]);
		most = least_of(most, l->job[SCHED_NODE]);
		most = least_of(most, l->user[SCHED_NODE]);
		most = least_of(most, l->account[SCHED_NODE]);
	}
	if (most == SCHED_UNLIMITED)
		for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
		     a = m->assocs[a].parent) {
			most = least_of(most,
					m->assocs[a].limits.grp[SCHED_NODE]);
			if (a == job->owner.assoc)
				most = least_of(
					most,
					m->assocs[a].limits.job[SCHED_NODE]);
		}
	return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}
