/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_limits.c - what limits of GPUs leave to a job, of an association and
 * of a QOS.  tests/live/limits.sh has those of other things.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/limits.h"
#include "tests/plugin/tap.h"

enum { GPUS_AT = TRES_ARRAY_TOTAL_CNT, TRES = GPUS_AT + 1 };

__typeof__(job_list) job_list;
__typeof__(accounting_enforce) accounting_enforce = ACCOUNTING_ENFORCE_LIMITS;

static bool accounted = true; /* AccountingStorageTRES has gres/gpu */

/* What a job's amounts are: GPUs are the last, or came later. */
__typeof__(slurmctld_tres_cnt) slurmctld_tres_cnt = GPUS_AT + 1;

extern int assoc_mgr_find_tres_pos(slurmdb_tres_rec_t *tres, bool locked)
{
	return accounted && locked && !strcmp(tres->type, "gres") &&
			       !strcmp(tres->name, "gpu")
		       ? GPUS_AT
		       : -1;
}

extern void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
}

extern void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
}

/* An account of which 3 GPUs are in use, and a QOS. */
static uint64_t used[TRES] = {[GPUS_AT] = 3}, run_s[TRES], none[TRES];
static uint64_t grp[TRES], job_most[TRES], node_most[TRES], qos_most[TRES];
static long double raw[TRES];
static slurmdb_assoc_usage_t usage = {.grp_used_tres = used,
				      .grp_used_tres_run_secs = run_s,
				      .usage_tres_raw = raw};
static slurmdb_assoc_rec_t assoc;
static slurmdb_qos_usage_t qos_usage = {.grp_used_tres = none,
					.grp_used_tres_run_secs = none,
					.usage_tres_raw = raw};
static slurmdb_qos_rec_t qos;

static void no_limits(void)
{
	assoc = (slurmdb_assoc_rec_t){
		.usage = &usage,
		.grp_jobs = NO_VAL,
		.grp_submit_jobs = NO_VAL,
		.grp_wall = NO_VAL,
		.max_jobs = NO_VAL,
		.max_submit_jobs = NO_VAL,
		.max_wall_pj = NO_VAL,
		.grp_tres_ctld = grp,
		.max_tres_ctld = job_most,
		.max_tres_pn_ctld = node_most,
	};
	qos = (slurmdb_qos_rec_t){
		.usage = &qos_usage,
		.grp_jobs = NO_VAL,
		.grp_submit_jobs = NO_VAL,
		.grp_wall = NO_VAL,
		.max_jobs_pu = NO_VAL,
		.max_jobs_pa = NO_VAL,
		.max_submit_jobs_pu = NO_VAL,
		.max_submit_jobs_pa = NO_VAL,
		.max_wall_pj = NO_VAL,
		.limit_factor = NO_VAL,
		.max_tres_pj_ctld = qos_most,
	};
	for (int i = 0; i < TRES; i++)
		grp[i] = job_most[i] = node_most[i] = qos_most[i] = NO_VAL64;
}

/* One that wants so many GPUs of each of so many nodes. */
static struct libra_limits ask(uint64_t nodes, uint64_t gpus)
{
	const struct libra_wish wish = {
		.assoc = &assoc,
		.qos = {&qos, NULL},
		.jobs = 1,
		.node_gpus = gpus,
		.want = {[LIBRA_CPU] = nodes,
			 [LIBRA_NODES] = nodes,
			 [LIBRA_GPUS] = nodes * gpus},
	};
	struct libra_limits l;

	libra_limits(&wish, true, &l);
	return l;
}

/* One that wants so many CPUs, on so many nodes. */
static bool has_room(uint64_t nodes, uint64_t cpus)
{
	const struct libra_wish wish = {
		.assoc = &assoc,
		.qos = {&qos, NULL},
		.jobs = 1,
		.want = {[LIBRA_CPU] = cpus, [LIBRA_NODES] = nodes},
	};
	struct libra_limits l;

	libra_limits(&wish, true, &l);
	return l.room >= 1;
}

static bool is(const char *name, const char *expected)
{
	return name && strcmp(name, expected) == 0;
}

static void test_group(void)
{
	const struct libra_wish big = {
		.assoc = &assoc,
		.qos = {&qos, NULL},
		.jobs = 1,
		.want = {[LIBRA_MEM] = 2001},
	};
	struct libra_limits l;

	no_limits();
	grp[GPUS_AT] = 8;
	l = ask(2, 2);
	ok(l.room >= 1 && l.max_nodes == 2,
	   "GrpTRES: five GPUs are left for two of each of two nodes");
	l = ask(3, 2);
	ok(l.room < 1 && is(l.name, "GrpTRES") && !l.never &&
		   is(l.value, "gres/gpu=8"),
	   "not of three, until others have ended");
	l = ask(5, 2);
	ok(l.room < 1 && l.never, "and of five never");
	grp[TRES_ARRAY_MEM] = 2000;
	libra_limits(&big, true, &l);
	ok(l.room < 1 && is(l.value, "mem=2000M"), "memory is in MB");
	grp[TRES_ARRAY_MEM] = NO_VAL64;
	l = ask(4, 0);
	ok(isinf(l.room) && l.max_nodes == 0, "who wants none is not held");
	accounted = false;
	l = ask(5, 2);
	ok(isinf(l.room), "nor is who has GPUs that Slurm does not account");
	accounted = true;
	slurmctld_tres_cnt--;
	l = ask(5, 2);
	ok(isinf(l.room), "nor where they came while slurmctld ran");
	slurmctld_tres_cnt++;
}

static void test_job(void)
{
	struct libra_limits l;

	no_limits();
	job_most[GPUS_AT] = 4;
	l = ask(2, 2);
	ok(l.room >= 1 && l.max_nodes == 2, "MaxTRES: four are as many");
	l = ask(3, 2);
	ok(l.room < 1 && is(l.name, "MaxTRES") && l.never, "six are not");
	qos_most[GPUS_AT] = 6;
	ok(ask(3, 2).room >= 1, "if no QOS says more");
	no_limits();
	node_most[GPUS_AT] = 2;
	l = ask(3, 2);
	ok(l.room >= 1 && l.max_nodes == 0,
	   "MaxTRESPerNode: two of each of any number of nodes");
	l = ask(1, 3);
	ok(l.room < 1 && is(l.name, "MaxTRESPerNode"), "and three of none");
	node_most[TRES_ARRAY_CPU] = 4;
	ok(has_room(2, 9) && !has_room(2, 10),
	   "of CPUs Slurm has no more than whole numbers for each node");
	node_most[TRES_ARRAY_NODE] = 1;
	l = ask(2, 1);
	ok(l.room >= 1 && l.max_nodes == 0, "and one node is one node");
}

/* Another job is promised three, and waits. */
static void test_promised(void)
{
	static uint64_t wants[TRES] = {[GPUS_AT] = 3};
	static char record[] = "libra:1 offer=1.1 ";
	job_record_t job = {.job_id = 9,
			    .job_state = JOB_PENDING,
			    .priority = 1,
			    .admin_comment = record,
			    .assoc_ptr = &assoc,
			    .tres_req_cnt = wants};
	struct libra_limits l;

	no_limits();
	grp[GPUS_AT] = 8;
	job_list = list_create(NULL);
	list_append(job_list, &job);
	ok(ask(1, 2).room >= 1, "with what others are promised two are left");
	ok(ask(1, 3).room < 1, "and not three");
	ok(libra_limits_of(&job, true, &l) && l.room >= 1,
	   "it has room for itself");
	wants[GPUS_AT] = 6;
	ok(libra_limits_of(&job, true, &l) && l.room < 1,
	   "and has not when it wants more");
}

int main(void)
{
	test_group();
	test_job();
	test_promised();
	return finish();
}
