/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_site.c - the folder of a site, and priorities worked by hand. */
#include <sys/stat.h>

#include "sim/slurm/priority.h"
#include "tests/unit/test.h"

/* The good folder of the fuzzer's corpus, one file behind the other. */
static char *corpus(void)
{
	FILE *fp = fopen(test_path("tests/fuzz/corpus/site/good"), "r");
	char *text = calloc(1, 65536);

	assert_non_null(fp);
	assert_non_null(text);
	assert_true(fread(text, 1, 65535, fp) > 0);
	fclose(fp);
	return text;
}

/* Write a file with a part replaced; with NULL: as it is. */
static void write_file(const char *folder, const char *file, const char *from,
		       const char *to)
{
	char *all = corpus(), mark[64], path[128], *begin, *end, *at;
	FILE *fp;

	snprintf(mark, sizeof(mark), "=== %s\n", file);
	begin = strstr(all, mark);
	assert_non_null(begin);
	begin += strlen(mark);
	end = strstr(begin, "=== ");
	if (end)
		*end = '\0';
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	fp = fopen(path, "w");
	assert_non_null(fp);
	at = from ? strstr(begin, from) : NULL;
	assert_true(!from || at);
	if (at)
		fprintf(fp, "%.*s%s%s", (int)(at - begin), begin, to,
			at + strlen(from));
	else
		fputs(begin, fp);
	fclose(fp);
	free(all);
}

static const char *const files[] = {
	"config.txt", "partitions.txt", "nodes.txt", "reservations.txt",
	"tres.txt",   "qos.txt",	"assoc.txt", "sshare.txt",
	"event.txt",  "jobs.txt",
};

/* Read the folder with a part of a file replaced. */
static int read_with(struct slurm_site *site, const char *file,
		     const char *from, const char *to, struct libra_error *err)
{
	char folder[] = "site.XXXXXX", path[128];
	int rc;

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		write_file(folder, files[i],
			   file && strcmp(file, files[i]) == 0 ? from : NULL,
			   to);
	rc = slurm_site_read(site, folder, true, err);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	rmdir(folder);
	return rc;
}

static void settings_and_machine(void **state)
{
	struct libra_error err = {""};
	const struct slurm_partition *batch;
	struct slurm_site site;

	(void)state;
	assert_int_equal(read_with(&site, NULL, NULL, NULL, &err), 0);
	assert_string_equal(slurm_site_setting(&site, "killwait"), "30 sec");
	assert_int_equal(site.config.sched.bf.window_s, 2880 * 60);
	assert_int_equal(site.config.sched.default_queue_depth, 100);
	assert_true(site.config.sched.bf.go_on);
	assert_int_equal(site.config.priority.half_life_s, 7 * 86400);
	assert_int_equal(site.config.priority.reset, SLURM_RESET_MONTHLY);
	assert_int_equal(site.config.preempt_mode,
			 SLURM_PREEMPT_SUSPEND | SLURM_PREEMPT_GANG);
	assert_int_equal(site.config.overtime_s, 120);
	assert_true(site.config.epilog);
	assert_int_equal(site.nnodes, 3);
	assert_int_equal(
		site.nodes[2].tres[slurm_site_find_tres(&site, "gres/gpu")], 4);
	assert_true(site.nodes[1].down);
	batch = &site.partitions[0];
	assert_int_equal(batch->nnodes, 3);
	assert_int_equal(batch->qos, slurm_site_find_qos(&site, "part"));
	assert_int_equal(batch->max_time_s, 86400);
	assert_true(batch->oversubscribe_forced);
	assert_near(batch->billing[SLURM_MEM], 0.25 / 1024, 1e-12);
	assert_true(site.partitions[1].exclusive && !site.partitions[1].up);
	assert_int_equal(site.nreservations, 1);
	assert_int_equal(site.reservations[0].nnodes, 2);
	assert_int_equal(site.noutages, 2);
	slurm_site_fini(&site);
}

static void accounts_and_jobs(void **state)
{
	struct libra_error err = {""};
	const struct slurm_qos *high;
	struct slurm_site site;
	uint32_t ann, whole;

	(void)state;
	assert_int_equal(read_with(&site, NULL, NULL, NULL, &err), 0);
	high = &site.qos[slurm_site_find_qos(&site, "high")];
	assert_int_equal(high->flags,
			 SLURM_QOS_DENY_ON_LIMIT | SLURM_QOS_NO_RESERVE);
	assert_int_equal(high->grp.tres[SLURM_MEM], 1024 * 1024);
	assert_int_equal(high->max_tres_pj[SLURM_CPU], SLURM_UNLIMITED);
	assert_int_equal(high->npreempts, 1);
	assert_int_equal(high->max_wall_s, 2 * 86400);
	assert_int_equal(high->preempt_mode,
			 SLURM_PREEMPT_REQUEUE | SLURM_PREEMPT_WITHIN);
	/* Parents come first, though the file has them last. */
	assert_string_equal(site.assocs[0].account, "root");
	ann = slurm_site_find_assoc(&site, "phys", "ann", "batch");
	whole = slurm_site_find_assoc(&site, "phys", "ann", "whole");
	assert_int_equal(site.assocs[ann].shares, 3);
	assert_int_equal(site.assocs[whole].shares, 1);
	assert_near(site.assocs[ann].usage, 1500, 0);
	/* By submission; steps are left out. */
	assert_int_equal(site.njobs, 3);
	assert_int_equal(site.jobs[0].id, 10);
	assert_int_equal(site.jobs[0].npartitions, 2);
	assert_int_equal(site.jobs[0].limit_s, SLURM_LIMIT_OF_PARTITION);
	assert_int_equal(site.jobs[1].priority, 4464);
	assert_string_equal(site.jobs[1].text.submit_line, "sbatch -n 4 job");
	assert_int_equal(site.jobs[2].array_id, 12);
	assert_int_equal(site.jobs[2].assoc, SLURM_NONE);
	assert_true(site.nunknown >= 10);
	slurm_site_fini(&site);
}

static void bad_files_are_told(void **state)
{
	static const struct {
		const char *file, *from, *to, *says;
	} bad[] = {
		{"config.txt", "SLURM_VERSION ", "X ", "cut off"},
		{"nodes.txt", "RealMemory=", "X=", "nodes.txt:1"},
		{"nodes.txt", "NodeName=n2", "NodeName=n1", "comes twice"},
		{"partitions.txt", "n[1-2]", "n[1-2", "no ]"},
		{"partitions.txt", "MaxTime=1-00:00:00", "MaxTime=x",
		 "partitions.txt:5"},
		{"qos.txt", "|gres/gpu=2|", "|gres/gpu=x|", "qos.txt:3"},
		{"qos.txt", "|Name|", "|N|", "no column is named Name"},
		{"assoc.txt", "|root|60|", "|phys|60|", "no way to account"},
		{"jobs.txt", "JobIDRaw", "sacct: error: JobIDRaw",
		 "sacct failed"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct libra_error err = {""};
		struct slurm_site site;

		assert_int_equal(read_with(&site, bad[i].file, bad[i].from,
					   bad[i].to, &err),
				 -1);
		assert_one_line(&err);
		assert_contains(err.text, bad[i].says);
		slurm_site_fini(&site);
	}
}

static void bad_change_stays_bad(void **state)
{
	struct libra_error err = {""};
	struct slurm_site site;

	(void)state;
	assert_int_equal(read_with(&site, NULL, NULL, NULL, &err), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(slurm_site_change(&site,
						   "qos.high.MaxTRESPU=cpu=x",
						   &err),
				 -1);
	slurm_site_fini(&site);
}

/* A job of 4 CPUs and a GPU in batch costs 4 + 4000 MB x 0.25 / 1024 + 2.  ann
 * has used all: of phys' shares 3 + 1 + 40's... the factors below follow by
 * hand from shares 1 and 60, then 40, then 3 and 1.
 */
static void priorities_by_hand(void **state)
{
	struct libra_error err = {""};
	struct slurm_prio_job in = {
		.partition = 0, .cpus = 4, .nodes = 1, .limit_s = 600};
	struct slurm_factors x;
	struct slurm_prio prio;
	struct slurm_site site;
	uint32_t ann;

	(void)state;
	assert_int_equal(read_with(&site, NULL, NULL, NULL, &err), 0);
	assert_int_equal(slurm_prio_init(&prio, &site, &err), 0);
	ann = slurm_site_find_assoc(&site, "phys", "ann", "");
	in.assoc = ann;
	in.qos = slurm_site_find_qos(&site, "high");
	in.tres = site.jobs[1].req;
	in.accrue_s = 1000;
	assert_near(slurm_prio_billing(&prio, 0, 4, in.tres),
		    4 + 4000 * 0.25 / 1024 + 2, 1e-9);
	assert_near(prio.usage[ann].shares, 60.0 / 61 * 1 * 3 / 4, 1e-12);
	slurm_prio_begin_run(&prio, 1000 + 7 * 86400);
	slurm_prio_end_run(&prio, 1000 + 7 * 86400);
	/* phys: all of sci, which is all; ann: 1 + (1 - 1) x 3/4. */
	assert_near(slurm_prio_fairshare(&prio, ann),
		    pow(2, -1 / (60.0 / 61 * 3 / 4)), 1e-12);
	slurm_prio_factors(&prio, &in, 1000 + 7 * 86400, &x);
	assert_near(x.age, 500, 1e-9); /* of 14 days */
	/* max(1 x 48 / 3, 4) / 10 minutes / 48 */
	assert_near(x.job_size, 500 * 16.0 / 10 / 48, 1e-9);
	assert_near(x.partition, 100, 1e-9);
	assert_near(x.qos, 2000, 1e-9);
	assert_near(x.tres, 100 * 4.0 / 48 + 50 * 4000.0 / 384000 + 1000 / 4.0,
		    1e-9);
	/* A half-life of 7 days by 0.693. */
	slurm_prio_begin_run(&prio, 1000 + 14 * 86400);
	assert_near((double)prio.usage[ann].raw, 750, 0.2);
	slurm_prio_charge(&prio, ann, in.qos, 2, 1000 + 14 * 86400 - 50,
			  1000 + 14 * 86400);
	assert_near((double)prio.usage[0].raw, 750 + 50 * 2 * 2, 0.2);
	slurm_prio_fini(&prio);
	slurm_site_fini(&site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_and_machine),
		cmocka_unit_test(accounts_and_jobs),
		cmocka_unit_test(bad_files_are_told),
		cmocka_unit_test(bad_change_stays_bad),
		cmocka_unit_test(priorities_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
