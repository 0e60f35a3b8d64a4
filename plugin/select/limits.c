/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.c - see limits.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/limit_groups.h"
#include "plugin/select/limits.h"

#pragma weak accounting_enforce

/* A limit of a QOS hides the same one of what comes after it. */
struct hidden {
	bool grp_jobs, grp_submit, grp_wall, jobs_account, jobs_user, submit,
		wall;
	bool grp[LIBRA_COUNTED], grp_mins[LIBRA_COUNTED],
		grp_run_mins[LIBRA_COUNTED], per_account[LIBRA_COUNTED],
		per_user[LIBRA_COUNTED], per_job[LIBRA_COUNTED],
		per_node[LIBRA_COUNTED], job_mins[LIBRA_COUNTED],
		least[LIBRA_COUNTED], user_run_mins[LIBRA_COUNTED],
		account_run_mins[LIBRA_COUNTED];
};

/* The arguments of a check. */
struct check {
	const struct libra_wish *wish;
	struct libra_limits *l;
	struct hidden hidden;
	double factor; /* of the limits of associations */
	const int *at; /* libra_counted() */
};

/* ---- one limit ---- */

/* tres: of which the limit is; LIBRA_COUNTED = of no resource. */
static void leave(struct libra_limits *l, const char *name, int tres,
		  double limit, double room, bool never)
{
	static const char *const names[] = {
		[LIBRA_CPU] = "cpu=",	    [LIBRA_MEM] = "mem=",
		[LIBRA_NODES] = "node=",    [LIBRA_BILLING] = "billing=",
		[LIBRA_GPUS] = "gres/gpu=", [LIBRA_COUNTED] = "",
	};

	if (room >= l->room)
		return;
	l->room = fmax(0, floor(room));
	l->name = name;
	l->never = never;
	snprintf(l->value, sizeof(l->value), "%s%.0f%s", names[tres], limit,
		 tres == LIBRA_MEM ? "M" : "");
}

static void spread(struct libra_limits *l, double nodes)
{
	if (nodes >= 1 && (l->max_nodes == 0 || nodes < l->max_nodes))
		l->max_nodes = (uint32_t)nodes;
}

static void allow(struct libra_limits *l, double run_s)
{
	l->run_s = fmin(l->run_s, fmax(0, run_s));
}

/* Is it set, and not hidden? One of a QOS hides from now on. */
static bool counts(uint64_t limit, uint64_t none, bool *hidden, bool of_qos)
{
	if (limit >= none || *hidden)
		return false;
	*hidden = of_qos;
	return true;
}

/* The limit of something that we count, or NO_VAL64. */
static uint64_t limit_of(const struct check *c, const uint64_t *limit, int i)
{
	return c->at[i] < 0 ? NO_VAL64 : limit[c->at[i]];
}

/* GPUs that go with each node keep it to as many nodes as there may be such. */
static void spread_gpus(struct check *c, double gpus)
{
	if (c->wish->node_gpus)
		spread(c->l, floor(gpus / (double)c->wish->node_gpus));
}

static void check_jobs(struct check *c, const char *name, uint32_t limit,
		       double used, bool *hidden, bool of_qos)
{
	if (counts(limit, NO_VAL, hidden, of_qos))
		leave(c->l, name, LIBRA_COUNTED, limit, (double)limit - used,
		      limit == 0);
}

/* Together so much at one time. */
static void check_used(struct check *c, const char *name, const uint64_t *limit,
		       const struct libra_group *g, bool *hidden, bool of_qos)
{
	const struct libra_wish *w = c->wish;
	double factor = of_qos ? 1 : c->factor, all, left;

	for (int i = 0; limit && i < LIBRA_COUNTED; i++) {
		if (!counts(limit_of(c, limit, i), NO_VAL64, &hidden[i],
			    of_qos) ||
		    w->want[i] == 0)
			continue;
		all = floor((double)limit[c->at[i]] * factor);
		left = all - g->more[i];
		if (g->used)
			left -= (double)g->used[c->at[i]];
		leave(c->l, name, i, all, left / (double)w->want[i],
		      all < (double)w->want[i]);
		if (i == LIBRA_NODES)
			spread(c->l, floor(left / w->jobs));
		if (i == LIBRA_GPUS)
			spread_gpus(c, left / w->jobs);
	}
}

/* Each job so much, or each of so many nodes of it (0 = the job): then Slurm
 * divides, without a rest.
 */
static void check_job(struct check *c, const char *name, const uint64_t *limit,
		      uint64_t nodes, bool *hidden, bool of_qos)
{
	const struct libra_wish *w = c->wish;
	double factor = of_qos || nodes > 1 ? 1 : c->factor, most;
	double times = nodes ? (double)nodes : 1;

	for (int i = 0; limit && i < LIBRA_COUNTED; i++) {
		if (!counts(limit_of(c, limit, i), NO_VAL64, &hidden[i],
			    of_qos))
			continue;
		most = floor((double)limit[c->at[i]] * factor);
		if (floor((double)w->want[i] / times) > most)
			leave(c->l, name, i, most, 0, true);
		else if (i == LIBRA_NODES && nodes == 0)
			spread(c->l, most);
		else if (i == LIBRA_GPUS && nodes == 0)
			spread_gpus(c, most);
	}
}

static void check_least(struct check *c, const uint64_t *limit, bool *hidden)
{
	for (int i = 0; limit && i < LIBRA_COUNTED; i++)
		if (counts(limit_of(c, limit, i), NO_VAL64, &hidden[i], true) &&
		    c->wish->want[i] < limit[c->at[i]])
			leave(c->l, "MinTRES", i, (double)limit[c->at[i]], 0,
			      true);
}

/* Check a limit of resource minutes: how long a job may run. */
static void check_mins(struct check *c, const uint64_t *limit,
		       const uint64_t *run_s, const double *more_run_s,
		       const long double *usage_s, bool *hidden, bool of_qos)
{
	const struct libra_wish *w = c->wish;
	double left_s;

	for (int i = 0; limit && i < LIBRA_COUNTED; i++) {
		if (!counts(limit_of(c, limit, i), NO_VAL64, &hidden[i],
			    of_qos) ||
		    w->want[i] == 0)
			continue;
		left_s = 60.0 * (double)limit[c->at[i]];
		if (usage_s)
			left_s -= (double)usage_s[c->at[i]];
		if (usage_s && left_s <= 0)
			leave(c->l, "GrpTRESMins", i, (double)limit[c->at[i]],
			      0, false);
		if (run_s)
			left_s -= (double)run_s[c->at[i]];
		if (more_run_s)
			left_s -= more_run_s[i];
		allow(c->l, left_s / ((double)w->want[i] * w->jobs));
	}
}

static void check_grp_wall(struct check *c, uint32_t limit, double used_s,
			   bool of_qos)
{
	double left_s = 60.0 * limit - used_s;

	if (!counts(limit, NO_VAL, &c->hidden.grp_wall, of_qos))
		return;
	if (left_s < 60)
		leave(c->l, "GrpWall", LIBRA_COUNTED, limit, 0, false);
	allow(c->l, left_s);
}

static void check_wall(struct check *c, uint32_t limit, bool of_qos)
{
	if (counts(limit, NO_VAL, &c->hidden.wall, of_qos))
		allow(c->l, 60.0 * limit);
}

/* ---- all limits ---- */

static bool is_safe(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_SAFE;
}

static uint64_t least_nodes(const struct libra_wish *w)
{
	return w->want[LIBRA_NODES] ? w->want[LIBRA_NODES] : 1;
}

static void check_group(struct check *c, const struct libra_group *g,
			uint32_t jobs, uint32_t submit, const uint64_t *tres,
			const uint64_t *run_mins, const uint64_t *mins,
			const long double *usage_s)
{
	struct hidden *h = &c->hidden;
	bool of_qos = g->qos;

	check_jobs(c, "GrpJobs", jobs, g->jobs + g->more_jobs, &h->grp_jobs,
		   of_qos);
	if (!c->wish->job_id)
		check_jobs(c, "GrpSubmitJobs", submit, g->submitted,
			   &h->grp_submit, of_qos);
	check_used(c, "GrpTRES", tres, g, h->grp, of_qos);
	check_mins(c, run_mins, g->run_s, g->more_run_s, NULL, h->grp_run_mins,
		   of_qos);
	check_mins(c, mins, is_safe() ? g->run_s : NULL,
		   is_safe() ? g->more_run_s : NULL, usage_s, h->grp_mins,
		   of_qos);
}

/* A QOS has three groups: all, the user's, the account's. */
static void check_qos(struct check *c, const slurmdb_qos_rec_t *q,
		      const struct libra_group *g)
{
	const struct libra_group *user = g + 1, *account = g + 2;
	struct hidden *h = &c->hidden;

	check_group(c, g, q->grp_jobs, q->grp_submit_jobs, q->grp_tres_ctld,
		    q->grp_tres_run_mins_ctld, q->grp_tres_mins_ctld,
		    q->usage->usage_tres_raw);
	check_grp_wall(c, q->grp_wall, q->usage->grp_used_wall, true);
	check_jobs(c, "MaxJobsPerUser", q->max_jobs_pu,
		   user->jobs + user->more_jobs, &h->jobs_user, true);
	check_jobs(c, "MaxJobsPerAccount", q->max_jobs_pa,
		   account->jobs + account->more_jobs, &h->jobs_account, true);
	if (!c->wish->job_id) {
		check_jobs(c, "MaxSubmitJobsPerUser", q->max_submit_jobs_pu,
			   user->submitted, &h->submit, true);
		check_jobs(c, "MaxSubmitJobsPerAccount", q->max_submit_jobs_pa,
			   account->submitted, &(bool){false}, true);
	}
	check_used(c, "MaxTRESPerUser", q->max_tres_pu_ctld, user, h->per_user,
		   true);
	check_used(c, "MaxTRESPerAccount", q->max_tres_pa_ctld, account,
		   h->per_account, true);
	if (LIBRA_RUN_MINS_PER_USER) {
		check_mins(c, q->max_tres_run_mins_pu_ctld, user->run_s,
			   user->more_run_s, NULL, h->user_run_mins, true);
		check_mins(c, q->max_tres_run_mins_pa_ctld, account->run_s,
			   account->more_run_s, NULL, h->account_run_mins,
			   true);
	}
	check_job(c, "MaxTRES", q->max_tres_pj_ctld, 0, h->per_job, true);
	check_job(c, "MaxTRESPerNode", q->max_tres_pn_ctld,
		  least_nodes(c->wish), h->per_node, true);
	check_mins(c, q->max_tres_mins_pj_ctld, NULL, NULL, NULL, h->job_mins,
		   true);
	check_least(c, q->min_tres_pj_ctld, h->least);
	check_wall(c, q->max_wall_pj, true);
}

/* The lowest association has inherited most limits of its parents. */
static void check_assoc(struct check *c, const struct libra_group *g,
			bool lowest)
{
	const slurmdb_assoc_rec_t *a = g->assoc;
	struct hidden *h = &c->hidden;

	check_group(c, g, a->grp_jobs, a->grp_submit_jobs, a->grp_tres_ctld,
		    a->grp_tres_run_mins_ctld, a->grp_tres_mins_ctld,
		    a->usage->usage_tres_raw);
	check_grp_wall(c, a->grp_wall, a->usage->grp_used_wall, false);
	if (!lowest)
		return;
	if (!h->jobs_account && !h->jobs_user)
		check_jobs(c, "MaxJobs", a->max_jobs, g->jobs + g->more_jobs,
			   &h->jobs_user, false);
	if (!c->wish->job_id)
		check_jobs(c, "MaxSubmitJobs", a->max_submit_jobs, g->submitted,
			   &h->submit, false);
	check_job(c, "MaxTRES", a->max_tres_ctld, 0, h->per_job, false);
	check_job(c, "MaxTRESPerNode", a->max_tres_pn_ctld,
		  least_nodes(c->wish), h->per_node, false);
	check_mins(c, a->max_tres_mins_ctld, NULL, NULL, NULL, h->job_mins,
		   false);
	check_wall(c, a->max_wall_pj, false);
}

static double factor_of(const struct libra_wish *w)
{
	for (int i = 0; i < 2; i++)
		if (w->qos[i] && w->qos[i]->limit_factor > 0 &&
		    w->qos[i]->limit_factor < NO_VAL)
			return w->qos[i]->limit_factor;
	return 1;
}

void libra_limits(const struct libra_wish *w, bool with_promised,
		  struct libra_limits *l)
{
	struct check c = {.wish = w, .l = l, .factor = factor_of(w)};
	struct libra_groups groups;
	int first;

	*l = (struct libra_limits){.run_s = INFINITY, .room = INFINITY};
	first = libra_groups_find(&groups, w, with_promised);
	c.at = groups.at;
	for (int i = 0; i < first; i += 3)
		check_qos(&c, groups.g[i].qos, &groups.g[i]);
	for (int i = first; i < groups.n; i++)
		check_assoc(&c, &groups.g[i], i == first);
}

/* The locks for all that libra_limits() reads. */
static assoc_mgr_lock_t locks = {
	.assoc = READ_LOCK,
	.qos = READ_LOCK,
	.tres = READ_LOCK,
	.user = READ_LOCK,
};

void libra_limits_lock(void)
{
	assoc_mgr_lock(&locks);
}

void libra_limits_unlock(void)
{
	assoc_mgr_unlock(&locks);
}

void libra_limits_order(struct libra_wish *w, const slurmdb_qos_rec_t *job,
			const slurmdb_qos_rec_t *partition)
{
	bool over = job && (job->flags & QOS_FLAG_OVER_PART_QOS);

	w->qos[0] = over || !partition ? job : partition;
	w->qos[1] = over ? partition : job;
	if (w->qos[0] == w->qos[1])
		w->qos[1] = NULL;
}

bool libra_limits_of(const struct job_record *job, bool with_promised,
		     struct libra_limits *l)
{
	struct libra_wish w = {
		.user = job->user_id,
		.jobs = 1,
		.job_id = job->job_id,
	};
	int at[LIBRA_COUNTED];

	*l = (struct libra_limits){.run_s = INFINITY, .room = INFINITY};
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    !job->tres_req_cnt)
		return false;
	libra_limits_lock();
	w.assoc = job->assoc_ptr;
	libra_limits_order(&w, job->qos_ptr,
			   job->part_ptr ? job->part_ptr->qos_ptr : NULL);
	libra_counted(at);
	for (int i = 0; i < LIBRA_COUNTED; i++)
		w.want[i] = at[i] < 0 ? 0 : job->tres_req_cnt[at[i]];
	if (w.assoc)
		libra_limits(&w, with_promised, l);
	libra_limits_unlock();
	return w.assoc != NULL;
}

bool libra_limits_hold(const struct job_record *job)
{
	struct libra_limits l;

	return job->admin_comment &&
	       strncmp(job->admin_comment, "libra:", 6) == 0 &&
	       libra_limits_of(job, false, &l) && l.room < 1;
}

bool libra_limits_leave(const struct job_record *job)
{
	struct libra_limits l;

	return !libra_limits_of(job, false, &l) || isinf(l.room) ||
	       l.room < 1 || !libra_limits_of(job, true, &l) || l.room >= 1;
}
