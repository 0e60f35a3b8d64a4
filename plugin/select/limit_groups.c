/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limit_groups.c - see limit_groups.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/limit_groups.h"

#pragma weak job_list
#pragma weak slurmctld_tres_cnt

void libra_counted(int at[LIBRA_COUNTED])
{
	slurmdb_tres_rec_t gpus = {.type = "gres", .name = "gpu"};

	at[LIBRA_CPU] = TRES_ARRAY_CPU;
	at[LIBRA_MEM] = TRES_ARRAY_MEM;
	at[LIBRA_NODES] = TRES_ARRAY_NODE;
	at[LIBRA_BILLING] = TRES_ARRAY_BILLING;
	/* A job's amounts are as many as there were when slurmctld began. */
	at[LIBRA_GPUS] = assoc_mgr_find_tres_pos(&gpus, true);
	if (at[LIBRA_GPUS] >= (int)slurmctld_tres_cnt)
		at[LIBRA_GPUS] = -1;
}

static int is_users(void *used, void *uid)
{
	return ((slurmdb_used_limits_t *)used)->uid == *(uint32_t *)uid;
}

static int is_accounts(void *used, void *account)
{
	const char *name = ((slurmdb_used_limits_t *)used)->acct;

	return name && account && strcmp(name, account) == 0;
}

static struct libra_group *add_part(struct libra_groups *groups,
				    const slurmdb_qos_rec_t *qos,
				    const slurmdb_used_limits_t *used)
{
	struct libra_group *g = &groups->g[groups->n++];

	*g = (struct libra_group){.qos = qos};
	if (used) {
		g->jobs = used->jobs;
		g->submitted = used->submit_jobs;
		g->used = used->tres;
		g->run_s = LIBRA_RUN_SECS(used);
	}
	return g;
}

static void add_qos(struct libra_groups *groups, const struct libra_wish *w,
		    const slurmdb_qos_rec_t *qos)
{
	const slurmdb_qos_usage_t *u = qos->usage;
	slurmdb_used_limits_t *used = NULL;
	uint32_t user = w->user;

	groups->g[groups->n++] = (struct libra_group){
		.qos = qos,
		.jobs = u->grp_used_jobs,
		.submitted = u->grp_used_submit_jobs,
		.used = u->grp_used_tres,
		.run_s = u->grp_used_tres_run_secs,
	};
	if (u->user_limit_list)
		used = list_find_first(u->user_limit_list, is_users, &user);
	add_part(groups, qos, used)->of_user = true;
	used = NULL;
	if (u->acct_limit_list && w->assoc->acct)
		used = list_find_first(u->acct_limit_list, is_accounts,
				       w->assoc->acct);
	add_part(groups, qos, used)->account =
		w->assoc->acct ? w->assoc->acct : "";
}

static void add_assocs(struct libra_groups *groups,
		       const slurmdb_assoc_rec_t *assoc)
{
	for (; assoc && assoc->usage && groups->n < LIBRA_GROUPS;
	     assoc = assoc->usage->parent_assoc_ptr)
		groups->g[groups->n++] = (struct libra_group){
			.assoc = assoc,
			.jobs = assoc->usage->used_jobs,
			.submitted = assoc->usage->used_submit_jobs,
			.used = assoc->usage->grp_used_tres,
			.run_s = assoc->usage->grp_used_tres_run_secs,
		};
}

static bool is_below(const slurmdb_assoc_rec_t *assoc,
		     const slurmdb_assoc_rec_t *above)
{
	for (int i = 0; assoc && assoc->usage && i < LIBRA_LEVELS; i++) {
		if (assoc == above)
			return true;
		assoc = assoc->usage->parent_assoc_ptr;
	}
	return false;
}

static bool is_of(const struct libra_group *g, const job_record_t *job,
		  const struct libra_wish *w)
{
	const slurmdb_assoc_rec_t *assoc = job->assoc_ptr;

	if (g->assoc)
		return is_below(assoc, g->assoc);
	if (job->qos_ptr != g->qos &&
	    (!job->part_ptr || job->part_ptr->qos_ptr != g->qos))
		return false;
	if (g->of_user)
		return job->user_id == w->user;
	return !g->account ||
	       (assoc && assoc->acct && strcmp(assoc->acct, g->account) == 0);
}

/* Return true if a record has an offer, "offer=RUN.NUMBER"; number 0 = none. */
static bool has_offer(const char *record)
{
	static const char begin[] = "libra:1 offer=";
	size_t len = strlen(begin);

	if (strncmp(record, begin, len) != 0)
		return false;
	record += len + strspn(record + len, "0123456789");
	return record[0] == '.' && record[1] != '0';
}

/* Return true if a job waits with a promise and is not held. */
static bool is_promised(const job_record_t *job)
{
	const char *text = job->admin_comment;

	return IS_JOB_PENDING(job) && job->priority && text &&
	       has_offer(text) && !strstr(text, " promise=lost");
}

static void add_job(struct libra_group *g, const job_record_t *job,
		    const int *at)
{
	double tasks = fmax(1, LIBRA_ARRAY_WAITING(job)), n;
	double run_s = job->time_limit < NO_VAL ? 60.0 * job->time_limit : 0;

	g->more_jobs += tasks;
	for (int i = 0; job->tres_req_cnt && i < LIBRA_COUNTED; i++) {
		if (at[i] < 0)
			continue;
		n = tasks * (double)job->tres_req_cnt[at[i]];
		g->more[i] += n;
		g->more_run_s[i] += n * run_s;
	}
}

static void add_promised(struct libra_groups *groups,
			 const struct libra_wish *w)
{
	LIBRA_LIST_ITERATOR it = list_iterator_create(job_list);
	const job_record_t *job;

	while ((job = list_next(it))) {
		if (job->job_id == w->job_id || !is_promised(job))
			continue;
		for (int i = 0; i < groups->n; i++)
			if (is_of(&groups->g[i], job, w))
				add_job(&groups->g[i], job, groups->at);
	}
	list_iterator_destroy(it);
}

int libra_groups_find(struct libra_groups *groups, const struct libra_wish *w,
		      bool with_promised)
{
	int of_qos;

	groups->n = 0;
	libra_counted(groups->at);
	for (int i = 0; i < 2; i++)
		if (w->qos[i] && w->qos[i]->usage)
			add_qos(groups, w, w->qos[i]);
	of_qos = groups->n;
	add_assocs(groups, w->assoc);
	if (with_promised && job_list)
		add_promised(groups, w);
	return of_qos;
}
