/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - limits of QOS and associations. */
#include <string.h>

#include "sim/slurm/sched/limits.h"

enum count_of { OF_ALL, OF_USER, OF_ACCOUNT, OF_JOB };
enum counted {
	JOBS,
	SUBMITTED,
	ACCRUING,
	WALL_S,
	TRES,
	RUN_MINS,
	PER_NODE,
	LEAST
};

/* A limit; of associations under another name, or not at all. */
struct kind {
	const char *name, *assoc_name;
	enum count_of of;
	enum counted counted;
};

/* The place of a limit among the numbers of struct sched_limits. */
#define PLACE(field) (offsetof(struct sched_limits, field) / sizeof(uint64_t))

/* Limits before grp are one number each, grp and those behind it one for each
 * resource.
 */
#define KIND_AT(place)                                                         \
	((place) < PLACE(grp)                                                  \
		 ? (place)                                                     \
		 : PLACE(grp) + ((place)-PLACE(grp)) / SCHED_NTRES)
#define KIND(field) KIND_AT(PLACE(field))

static const struct kind kinds[] = {
	[KIND(grp_jobs)] = {"GrpJobs", "GrpJobs", OF_ALL, JOBS},
	[KIND(jobs_account)] = {"MaxJobsPA", NULL, OF_ACCOUNT, JOBS},
	[KIND(jobs_user)] = {"MaxJobsPU", "MaxJobs", OF_USER, JOBS},
	[KIND(max_wall_s)] = {"MaxWall", "MaxWall", OF_JOB, WALL_S},
	[KIND(grp_submit)] = {"GrpSubmit", "GrpSubmit", OF_ALL, SUBMITTED},
	[KIND(submit_account)] = {"MaxSubmitPA", NULL, OF_ACCOUNT, SUBMITTED},
	[KIND(submit_user)] = {"MaxSubmitPU", "MaxSubmit", OF_USER, SUBMITTED},
	[KIND(grp_accrue)] = {"GrpJobsAccrue", "GrpJobsAccrue", OF_ALL,
			      ACCRUING},
	[KIND(accrue_account)] = {"MaxJobsAccruePA", NULL, OF_ACCOUNT,
				  ACCRUING},
	[KIND(accrue_user)] = {"MaxJobsAccruePU", "MaxJobsAccrue", OF_USER,
			       ACCRUING},
	[KIND(grp)] = {"GrpTRES", "GrpTRES", OF_ALL, TRES},
	[KIND(grp_run_mins)] = {"GrpTRESRunMins", "GrpTRESRunMins", OF_ALL,
				RUN_MINS},
	[KIND(job)] = {"MaxTRES", "MaxTRES", OF_JOB, TRES},
	[KIND(node)] = {"MaxTRESPerNode", "MaxTRESPerNode", OF_JOB, PER_NODE},
	[KIND(least)] = {"MinTRES", NULL, OF_JOB, LEAST},
	[KIND(account)] = {"MaxTRESPA", NULL, OF_ACCOUNT, TRES},
	[KIND(user)] = {"MaxTRESPU", NULL, OF_USER, TRES},
	[KIND(run_mins_account)] = {"MaxTRESRunMinsPA", NULL, OF_ACCOUNT,
				    RUN_MINS},
	[KIND(run_mins_user)] = {"MaxTRESRunMinsPU", "MaxTRESRunMins", OF_USER,
				 RUN_MINS},
};

/* A set of limits has a bit for each number of struct sched_limits. */
#define BIT(field)   ((uint64_t)1 << PLACE(field))
#define BITS(field)  ((((uint64_t)1 << SCHED_NTRES) - 1) << PLACE(field))
#define NODES(field) (BIT(field) << SCHED_NODE)

static const uint64_t before =
	BIT(grp_jobs) | BIT(jobs_account) | BIT(jobs_user) | BIT(max_wall_s);
static const uint64_t after = ~(BIT(grp) - 1);
static const uint64_t at_submission =
	BIT(grp_submit) | BIT(submit_account) | BIT(submit_user);
static const uint64_t of_accrual =
	BIT(grp_accrue) | BIT(accrue_account) | BIT(accrue_user);
static const uint64_t of_group = BIT(grp_jobs) | BIT(grp_submit) |
				 BIT(grp_accrue) | BITS(grp) |
				 BITS(grp_run_mins);
static const uint64_t of_nodes =
	NODES(grp) | NODES(job) | NODES(user) | NODES(account);

enum { NLIMITS = sizeof(struct sched_limits) / sizeof(uint64_t) };

_Static_assert(NLIMITS <= 64, "a set of limits is one word");
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == KIND_AT(NLIMITS),
	       "each limit has a kind");

/* The job that is asked for. */
struct question {
	const struct sched_model *m;
	const struct sched_job *job;
	const uint64_t *tres;	 /* NULL: only of limits that count none */
	uint32_t qos[2], nqos;	 /* each limit asks the first that has it */
	struct sched_held *held; /* NULL: one limit is enough */
	bool alone;		 /* without the usage of other jobs */
	size_t nheld, most_held;
};

static uint64_t limit_of(const struct sched_limits *limits, uint32_t i)
{
	return ((const uint64_t *)(const void *)limits)[i];
}

/* Return the kind of limit i, and the resource of which it is. */
static const struct kind *kind_of(uint32_t i, uint32_t *tres)
{
	*tres = i < PLACE(grp) ? SCHED_NTRES : (i - PLACE(grp)) % SCHED_NTRES;
	return &kinds[KIND_AT(i)];
}

void sched_limits_none(struct sched_limits *limits)
{
	/* each field is a uint64_t, and no limit is all ones */
	memset(limits, 0xff, sizeof(*limits));
}

static uint64_t limited(const struct sched_limits *limits)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < NLIMITS; i++)
		if (limit_of(limits, i) != SCHED_UNLIMITED)
			set |= (uint64_t)1 << i;
	return set;
}

void sched_limits_note(struct sched_model *m)
{
	for (uint32_t q = 0; q < m->nqos; q++)
		m->qos[q].limited = limited(&m->qos[q].limits);
	for (uint32_t a = 0; a < m->nassocs; a++)
		m->assocs[a].limited = limited(&m->assocs[a].limits);
}

static struct question ask(const struct sched_model *m,
			   const struct sched_job *job, uint32_t part,
			   const uint64_t *tres)
{
	struct question q = {.m = m, .job = job, .tres = tres};
	uint32_t first = m->parts[part].qos, second = job->owner.qos;

	if (second != SCHED_NONE && m->qos[second].over_part) {
		second = first;
		first = job->owner.qos;
	}
	if (first != SCHED_NONE)
		q.qos[q.nqos++] = first;
	if (second != SCHED_NONE && second != first)
		q.qos[q.nqos++] = second;
	return q;
}

/* ---- what counts ---- */

typedef void count_f(struct sched_usage *u, const struct sched_run *run,
		     int64_t n);

static void count_run(struct sched_usage *u, const struct sched_run *run,
		      int64_t n)
{
	u->jobs += (uint64_t)n;
	for (size_t t = 0; t < SCHED_NTRES; t++) {
		int64_t amount = (int64_t)run->tres[t] * n;

		u->tres[t] += (uint64_t)amount;
		u->run_end[t] += amount * run->end_s;
		u->run_now[t] += amount;
	}
}

static void count_submitted(struct sched_usage *u, const struct sched_run *run,
			    int64_t n)
{
	(void)run;
	u->submitted += (uint64_t)n;
}

static void count_accruing(struct sched_usage *u, const struct sched_run *run,
			   int64_t n)
{
	(void)run;
	u->accruing += (uint64_t)n;
}

/* Count for two QOS, if they differ, and for all associations of a job. */
static void count(struct sched_model *m, const struct sched_job *job,
		  const uint32_t qos[2], count_f *add,
		  const struct sched_run *run, int64_t n)
{
	for (size_t i = 0; i < 2; i++)
		if (qos[i] != SCHED_NONE && (i == 0 || qos[1] != qos[0])) {
			struct sched_qos *q = &m->qos[qos[i]];

			add(&q->used, run, n);
			add(&q->by_user[job->owner.user], run, n);
			add(&q->by_account[job->owner.account], run, n);
		}
	for (uint32_t a = job->owner.assoc; a != SCHED_NONE;
	     a = m->assocs[a].parent)
		add(&m->assocs[a].used, run, n);
}

void sched_count(struct sched_model *m, const struct sched_run *run, int sign)
{
	const uint32_t qos[] = {run->qos, m->parts[run->part].qos};

	count(m, &m->jobs[run->job], qos, count_run, run, sign);
}

void sched_count_submitted(struct sched_model *m, const struct sched_job *job,
			   int64_t tasks)
{
	const uint32_t qos[] = {job->owner.qos, m->parts[job->parts[0]].qos};

	count(m, job, qos, count_submitted, NULL, tasks);
}

void sched_count_accruing(struct sched_model *m, const struct sched_job *job,
			  int sign)
{
	const uint32_t qos[] = {job->owner.qos, SCHED_NONE};

	count(m, job, qos, count_accruing, NULL, sign);
}

uint64_t sched_run_mins(const struct sched_usage *usage, size_t tres,
			int64_t now_s)
{
	int64_t left = usage->run_end[tres] - usage->run_now[tres] * now_s;

	return left > 0 ? (uint64_t)left / 60 : 0;
}

static uint64_t used_of(const struct question *q, const struct kind *kind,
			uint32_t tres, uint32_t qos, uint32_t assoc)
{
	const struct sched_owner *owner = &q->job->owner;
	const struct sched_usage *usage;

	if (kind->of == OF_JOB || q->alone)
		return 0;
	if (qos == SCHED_NONE) /* of an association all is the user's */
		usage = &q->m->assocs[assoc].used;
	else if (kind->of == OF_USER)
		usage = &q->m->qos[qos].by_user[owner->user];
	else if (kind->of == OF_ACCOUNT)
		usage = &q->m->qos[qos].by_account[owner->account];
	else
		usage = &q->m->qos[qos].used;
	switch (kind->counted) {
	case JOBS:
		return usage->jobs;
	case SUBMITTED:
		return usage->submitted;
	case ACCRUING:
		return usage->accruing;
	case RUN_MINS:
		return sched_run_mins(usage, tres, q->m->now_s);
	default:
		return usage->tres[tres];
	}
}

static uint64_t asked_of(const struct question *q, const struct kind *kind,
			 uint32_t tres)
{
	uint64_t limit_s = (uint64_t)q->job->limit_s;

	switch (kind->counted) {
	case JOBS:
	case ACCRUING:
		return 1;
	case SUBMITTED:
		return q->job->tasks.n;
	case WALL_S:
		return limit_s;
	case RUN_MINS:
		return q->tres[tres] * limit_s / 60;
	case PER_NODE:
		return q->tres[SCHED_NODE] ? q->tres[tres] / q->tres[SCHED_NODE]
					   : q->tres[tres];
	default:
		return q->tres[tres];
	}
}

/* ---- the tests ---- */

static void note(struct question *q, uint32_t i, uint64_t most, uint32_t qos,
		 uint32_t assoc)
{
	struct sched_held *held = &q->held[q->nheld];
	uint32_t tres;
	const struct kind *kind = kind_of(i, &tres);

	if (q->nheld == q->most_held)
		return;
	q->nheld++;
	held->limit = qos == SCHED_NONE ? kind->assoc_name : kind->name;
	held->qos = qos;
	held->assoc = assoc;
	held->tres = (enum sched_tres)tres;
	held->most = most;
	held->used = used_of(q, kind, tres, qos, assoc);
	held->asked = asked_of(q, kind, tres);
}

/* Return true if one of a set of limits keeps the job; those on nodes also if
 * they are hidden.
 */
static bool keeps(struct question *q, const struct sched_limits *limits,
		  uint64_t set, uint64_t hidden, uint32_t qos, uint32_t assoc)
{
	bool any = false;

	for (set &= ~hidden | (q->held ? of_nodes : 0); set; set &= set - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(set), tres;
		const struct kind *kind = kind_of(i, &tres);
		uint64_t limit = limit_of(limits, i);
		uint64_t asked = asked_of(q, kind, tres);
		bool kept = kind->counted == LEAST ? asked < limit
						   : used_of(q, kind, tres, qos,
							     assoc) + asked >
							     limit;

		if (hidden >> i & 1)
			kept = limit < q->job->req.min_nodes;
		if (!kept)
			continue;
		if (!q->held)
			return true;
		note(q, i, limit, qos, assoc);
		any = true;
	}
	return any;
}

/* Test the limits of a set.  Result: SCHED_REASON_NONE, or the kind of the
 * first one that keeps the job.
 */
static enum sched_reason test(struct question *q, uint64_t set)
{
	enum sched_reason reason = SCHED_REASON_NONE;
	uint64_t hidden = 0;

	for (uint32_t k = 0; k < q->nqos; k++) {
		const struct sched_qos *qos = &q->m->qos[q->qos[k]];

		if (qos->limited & set &&
		    keeps(q, &qos->limits, qos->limited & set, hidden,
			  q->qos[k], SCHED_NONE))
			reason = SCHED_QOS_LIMIT;
		if (reason != SCHED_REASON_NONE && !q->held)
			return reason;
		hidden |= qos->limited;
	}
	/* an association's MaxJobs and MaxSubmit are hidden by either */
	if (hidden & BIT(jobs_account))
		hidden |= BIT(jobs_user);
	if (hidden & BIT(submit_account))
		hidden |= BIT(submit_user);
	set &= ~hidden;
	for (uint32_t a = q->job->owner.assoc; a != SCHED_NONE;
	     a = q->m->assocs[a].parent) {
		const struct sched_assoc *assoc = &q->m->assocs[a];

		if (assoc->limited & set &&
		    keeps(q, &assoc->limits, assoc->limited & set, 0,
			  SCHED_NONE, a)) {
			if (!q->held)
				return SCHED_ASSOC_LIMIT;
			reason = SCHED_ASSOC_LIMIT;
		}
		set &= of_group; /* of the accounts above */
	}
	return reason;
}

enum sched_reason sched_limits_before(const struct sched_model *m,
				      const struct sched_job *job,
				      uint32_t part)
{
	struct question q = ask(m, job, part, NULL);

	return test(&q, before);
}

enum sched_reason sched_limits_after(const struct sched_model *m,
				     const struct sched_job *job, uint32_t part,
				     const uint64_t tres[SCHED_NTRES])
{
	struct question q = ask(m, job, part, tres);

	return test(&q, after);
}

size_t sched_limits_held(const struct sched_model *m,
			 const struct sched_job *job, uint32_t part,
			 const uint64_t tres[SCHED_NTRES],
			 struct sched_held *held, size_t n)
{
	struct question q = ask(m, job, part, tres);

	q.held = held;
	q.most_held = n;
	test(&q, before | after);
	return q.nheld;
}

enum sched_reason sched_limits_submission(const struct sched_model *m,
					  const struct sched_job *job)
{
	struct question q = ask(m, job, job->parts[0], NULL);

	return test(&q, at_submission);
}

enum sched_reason sched_limits_denied(const struct sched_model *m,
				      const struct sched_job *job,
				      const uint64_t tres[SCHED_NTRES])
{
	struct question q = ask(m, job, job->parts[0], tres);
	bool deny = q.nqos == 0;

	for (uint32_t k = 0; k < q.nqos; k++)
		deny = deny || m->qos[q.qos[k]].deny;
	if (!deny)
		return SCHED_REASON_NONE;
	q.alone = true;
	return test(&q, after | BIT(max_wall_s));
}

/* ---- age ---- */

bool sched_limits_age(const struct sched_model *m)
{
	uint64_t set = 0;

	for (uint32_t q = 0; q < m->nqos; q++)
		set |= m->qos[q].limited;
	for (uint32_t a = 0; a < m->nassocs; a++)
		set |= m->assocs[a].limited;
	return set & of_accrual;
}

/* Set *room by the least of a set of limits.  Result: false: the set is empty.
 */
static bool least_accrual(const struct question *q,
			  const struct sched_limits *limits, uint64_t set,
			  uint32_t qos, uint32_t assoc, bool *room)
{
	uint64_t least = SCHED_UNLIMITED;

	for (; set; set &= set - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(set), tres;
		const struct kind *kind = kind_of(i, &tres);

		if (limit_of(limits, i) >= least)
			continue;
		least = limit_of(limits, i);
		*room = used_of(q, kind, tres, qos, assoc) < least;
	}
	return least != SCHED_UNLIMITED;
}

int64_t sched_limits_accrue(const struct sched_model *m,
			    const struct sched_job *job)
{
	struct question q = {.m = m, .job = job};
	uint32_t qos = job->owner.qos;
	uint64_t set = of_accrual;
	bool room = false, found = false;

	if (qos != SCHED_NONE)
		found = least_accrual(&q, &m->qos[qos].limits,
				      m->qos[qos].limited & set, qos,
				      SCHED_NONE, &room);
	for (uint32_t a = job->owner.assoc; !found && a != SCHED_NONE;
	     a = m->assocs[a].parent) {
		found = least_accrual(&q, &m->assocs[a].limits,
				      m->assocs[a].limited & set, SCHED_NONE, a,
				      &room);
		set &= of_group;
	}
	if (!found)
		return job->times.eligible_s;
	return room ? m->now_s : 0;
}

/* ---- nodes ---- */

/* Return the least of a set of limits, or more. */
static uint64_t least_of(const struct sched_limits *limits, uint64_t set,
			 uint64_t most)
{
	for (; set; set &= set - 1) {
		uint64_t limit =
			limit_of(limits, (uint32_t)__builtin_ctzll(set));

		most = limit < most ? limit : most;
	}
	return most;
}

uint32_t sched_limits_nodes(const struct sched_model *m,
			    const struct sched_job *job, uint32_t part)
{
	struct question q = ask(m, job, part, NULL);
	uint64_t most = SCHED_UNLIMITED, set = of_nodes;

	for (uint32_t k = 0; k < q.nqos; k++)
		most = least_of(&m->qos[q.qos[k]].limits,
				m->qos[q.qos[k]].limited & set, most);
	for (uint32_t a = most == SCHED_UNLIMITED ? job->owner.assoc
						  : SCHED_NONE;
	     a != SCHED_NONE; a = m->assocs[a].parent) {
		most = least_of(&m->assocs[a].limits,
				m->assocs[a].limited & set, most);
		set &= of_group;
	}
	return most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}
