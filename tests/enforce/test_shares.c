/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_shares.c - the SPANK plugin's jobs and weights, without Slurm.
 *
 * Version 2 is played by a folder with the files a kernel would have made.
 * Records and weights are tested on both; what only a kernel can do (moving,
 * ending and removing) is tested on real cgroups by the scripts beside this.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "plugin/spank/alarm.h"
#include "plugin/spank/node.h"
#include "plugin/spank/options.h"
#include "plugin/spank/record.h"
#include "plugin/spank/weights.h"
#include "tests/unit/test.h"

#define NOW 1000000.0

static double clock_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* A folder for one test, and what was reported. */
struct fixture {
	char dir[64];
	char top[96], state[96];
	char said[4096];
	struct spank_node_conf conf;
};

static void hear(void *arg, const char *text)
{
	struct fixture *f = arg;
	size_t len = strlen(f->said);

	snprintf(f->said + len, sizeof(f->said) - len, "%s\n", text);
}

static void put(const struct fixture *f, const char *path, const char *text)
{
	char name[512];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	file = fopen(name, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void folder(const struct fixture *f, const char *path)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	assert_true(mkdir(name, 0755) == 0 || errno == EEXIST);
}

static long get(const struct fixture *f, const char *path)
{
	char name[512];
	long value = -1;
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	file = fopen(name, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

/* A group as version 2 has it. */
static void group(const struct fixture *f, const char *path, double used_s)
{
	char name[256], text[64];

	snprintf(name, sizeof(name), "cg/%s", path);
	folder(f, name);
	snprintf(name, sizeof(name), "cg/%s/cpu.weight", path);
	put(f, name, "100");
	snprintf(name, sizeof(name), "cg/%s/cgroup.procs", path);
	put(f, name, "");
	snprintf(name, sizeof(name), "cg/%s/cpu.stat", path);
	snprintf(text, sizeof(text), "usage_usec %.0f\nuser_usec 1\n",
		 used_s * 1e6);
	put(f, name, text);
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/tmp/libra-shares-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->top, sizeof(f->top), "%s/cg", f->dir);
	snprintf(f->state, sizeof(f->state), "%s/state", f->dir);
	folder(f, "cg");
	put(f, "cg/cgroup.controllers", "cpuset cpu memory\n");
	put(f, "cg/cgroup.subtree_control", "cpu");
	group(f, "libra", 0);
	put(f, "cg/libra/cgroup.subtree_control", "cpu");
	group(f, "libra/n1", 0);
	put(f, "cg/libra/n1/cgroup.subtree_control", "cpu");
	f->conf = (struct spank_node_conf){
		.cgroup_top = f->top,
		.state = f->state,
		.name = "n1",
		.report = hear,
		.arg = f,
	};
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", f->dir);
	assert_int_equal(system(command), 0);
	free(f);
	return 0;
}

static struct spank_job job(uint32_t id, double share, double estimate_s,
			    double deadline_s)
{
	return (struct spank_job){.id = id,
				  .user = 1000,
				  .share = share,
				  .estimate_s = estimate_s,
				  .deadline_s = deadline_s};
}

/* One job's start on the node, in a group that "the kernel" has made. */
static void start_on(struct fixture *f, struct spank_job j, uint32_t ncpus,
		     const char *cores, double used_s, double at_s)
{
	char path[64];
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	snprintf(path, sizeof(path), "libra/n1/job_%u", j.id);
	group(f, path, used_s);
	assert_non_null(node);
	spank_node_begin(node, &j, at_s);
	assert_int_equal(spank_node_enter(node, j.id, ncpus, cores, "0::/\n",
					  4711, at_s),
			 0);
	spank_node_close(node);
}

static void start(struct fixture *f, struct spank_job j, uint32_t ncpus,
		  double used_s, double at_s)
{
	start_on(f, j, ncpus, NULL, used_s, at_s);
}

/* --- without a node ------------------------------------------------------- */

static void records_read_back(void **state)
{
	struct spank_job a = job(7, 1.0 / 3, 59.1, NOW + 0.1), b;
	char text[1024];

	a.ncpus = 3;
	strcpy(a.group, "system.slice/slurmstepd.scope/job_7");
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_int_equal(b.id, 7);
	assert_int_equal(b.user, 1000);
	assert_int_equal(b.ncpus, 3);
	assert_true(b.share == a.share && b.estimate_s == a.estimate_s &&
		    b.deadline_s == a.deadline_s);
	assert_string_equal(b.group, a.group);
}

static void changed_records_read_back(void **state)
{
	struct spank_job a = job(7, 0.5, 59.1, NOW + 0.1), b;
	char text[2048];

	for (int turns = 0; turns < 2; turns++) {
		a.turns = turns;
		a.change = 12;
		spank_read_cores(turns ? "3" : NULL, a.cores);
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		assert_contains(text, "libra 3 job=7 user=1000 cpus=0 "
				      "change=12 ");
		assert_int_equal(spank_record_parse(text, &b), 0);
		assert_int_equal(b.change, 12);
		assert_int_equal(b.turns, turns);
		assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
		assert_true(b.share == a.share && b.deadline_s == a.deadline_s);
	}
}

static void lists_of_changes_are_read(void **state)
{
	const char *rest = "7/1/0.5/100/1000000.5;12/3/0/0/0;9/2/1/5/inf";
	struct spank_change c;

	rest = spank_change_next(rest, &c);
	assert_string_equal(rest, "12/3/0/0/0;9/2/1/5/inf");
	assert_true(c.id == 7 && c.number == 1 && c.share == 0.5 &&
		    c.estimate_s == 100 && c.deadline_s == 1000000.5);
	rest = spank_change_next(rest, &c);
	assert_true(c.id == 12 && c.number == 3 && c.share == 0);
	rest = spank_change_next(rest, &c);
	assert_true(c.id == 9 && c.number == 2 && isinf(c.deadline_s));
	assert_string_equal(rest, "");
	assert_null(spank_change_next(rest, &c));
	assert_null(spank_change_next(NULL, &c));
}

static void senseless_changes_are_refused(void **state)
{
	static const char *const bad[] = {
		"x",
		"7",
		"7/1/0.5/100",
		"0/1/0.5/100/9",  /* no job */
		"7/0/0.5/100/9",  /* no change */
		"7/1/-0.5/100/9", /* no share */
		"7/1/nan/100/9",
		"7/1/0.5/0/9",	   /* no estimate */
		"7/1/0.5/100/nan", /* no deadline */
		"7/1/0.5/100/9 ",  /* more behind it */
		"7/1/0.5/100/9,8/1/0.5/100/9",
	};
	struct spank_change c;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(spank_change_next(bad[i], &c));
}

static void records_of_turns_read_back(void **state)
{
	struct spank_job a = job(7, 1, 59.1, NOW + 0.1), b;
	char text[2048];

	a.turns = true;
	a.ncpus = spank_read_cores("0-2,63-64,1023", a.cores);
	strcpy(a.group, "system.slice/slurmstepd.scope/job_7");
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_contains(text, "libra 2 ");
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_true(b.turns && b.ncpus == 6 && b.deadline_s == a.deadline_s);
	assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
	assert_string_equal(b.group, a.group);
	spank_read_cores(NULL, a.cores);
	assert_int_equal(spank_record_format(&a, text, sizeof(text)), 0);
	assert_contains(text, " cores=0 ");
	assert_int_equal(spank_record_parse(text, &b), 0);
	assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
}

static void records_of_who_yields_read_back(void **state)
{
	struct spank_job a = job(7, 0.5, 59.1, NOW + 0.1), b;
	char text[2048];

	a.yields = true;
	a.ncpus = spank_read_cores("0-2,63", a.cores);
	for (int changed = 0; changed < 2; changed++) {
		a.change = changed ? 12 : 0;
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		assert_contains(text, "libra 4 ");
		assert_int_equal(spank_record_parse(text, &b), 0);
		assert_true(b.yields && !b.turns && b.share == a.share);
		assert_int_equal(b.change, a.change);
		assert_memory_equal(a.cores, b.cores, sizeof(a.cores));
	}
}

/* As written before there were turns, and read by what was there then. */
static void records_of_shares_are_as_they_were(void **state)
{
	static const char text[] =
		"libra 1 job=7 user=1000 cpus=3 share=0.25 estimate=60 "
		"deadline=1000000 group= end\n";
	struct spank_job j;
	char again[1024];

	assert_int_equal(spank_record_parse(text, &j), 0);
	assert_false(j.turns);
	assert_int_equal(spank_record_format(&j, again, sizeof(again)), 0);
	assert_string_equal(again, text);
}

/* Cut anywhere, a record is no record: a shorter number would be believed. */
static void records_cut_short_are_refused(void **state)
{
	struct spank_job a = job(7, 0.25, 59.1, NOW + 0.1), b;
	char text[1024], part[1024];

	for (int turns = 0; turns < 3; turns++) {
		a.turns = turns == 1;
		a.yields = turns == 2;
		spank_read_cores("0-9,17", a.cores);
		assert_int_equal(spank_record_format(&a, text, sizeof(text)),
				 0);
		for (size_t n = 0; n < strlen(text); n++) {
			memcpy(part, text, n);
			part[n] = '\0';
			assert_int_equal(spank_record_parse(part, &b), -1);
			assert_int_equal(errno, EINVAL);
		}
	}
}

static void senseless_records_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"libra 2 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 4 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=other cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=yield cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 4 job=1 user=0 cpus=1 rule=deadline cores=1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=deadline cores= share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 2 job=1 user=0 cpus=1 rule=deadline cores=0x1 share=0.5 "
		"estimate=1 deadline=9 group= end\n",
		"libra 1 job=0 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=-1 estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=nan estimate=1 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=0.5 estimate=0 deadline=9 "
		"group= end\n",
		"libra 1 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=nan "
		"group= end\n",
	};
	struct spank_job j;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(spank_record_parse(bad[i], &j), -1);
}

static void a_later_version_is_not_damaged(void **state)
{
	struct spank_job j;

	assert_int_equal(spank_record_parse("libra 5 job=1 any end\n", &j), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(spank_record_parse("libra 12 job=1", &j), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(spank_record_parse("libra 4", &j), -1);
	assert_int_equal(errno, EINVAL);
}

static void cores_are_read(void **state)
{
	static const struct {
		const char *list;
		uint32_t n;
		uint64_t first, second; /* words */
	} cases[] = {
		{"0", 1, 0x1, 0},
		{"0-3", 4, 0xf, 0},
		{"0-3,8,10-11", 7, 0xd0f, 0},
		{"63-64", 2, 1ull << 63, 1},
		{"1020-1024", 5, 0, 0}, /* more than can be told apart */
		{"", 0, 0, 0},
		{NULL, 0, 0, 0},
		{"3-1", 0, 0, 0},
		{"1;2", 0, 0, 0},
		{"1,x", 0, 0, 0},
	};
	uint64_t cores[SPANK_CORE_WORDS];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(spank_read_cores(cases[i].list, cores),
				 cases[i].n);
		assert_true(cores[0] == cases[i].first);
		assert_true(cores[1] == cases[i].second);
		assert_true(cores[SPANK_CORE_WORDS - 1] == 0);
	}
	assert_int_equal(spank_read_cores("1023", cores), 1);
	assert_true(cores[SPANK_CORE_WORDS - 1] == 1ull << 63);
}

static void weigh(const struct spank_job *jobs, const double *used, size_t n,
		  uint32_t least, uint32_t most, uint32_t *w)
{
	const struct spank_weight_range range = {least, most, 10 * most};

	spank_weights(jobs, used, n, NOW, &range, w);
}

/* Shares .5 .3 .2 of what is left: 50/100, 30/100, 20/100. */
static void weights_follow_the_shares(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.9, 60, NOW + 100),
		job(2, 0.9, 30, NOW + 100),
		job(3, 0.9, 25, NOW + 100),
	};
	const double used[] = {10, 0, 5};
	uint32_t w[3];

	for (int i = 0; i < 3; i++)
		jobs[i].ncpus = 1;
	weigh(jobs, used, 3, 1, 10000, w);
	assert_int_equal(w[0], 10000);
	assert_int_equal(w[1], 6000);
	assert_int_equal(w[2], 4000);
}

/* 40 s of CPU time on 4 processors are 10 s of progress: (60 - 10) / 100 = .5
 * of each, 10000 on each of them, and as much on the other's one.
 */
static void a_job_on_several_cpus_weighs_more(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.9, 60, NOW + 100),
		job(2, 0.9, 50, NOW + 100),
	};
	const double used[] = {40, 0};
	uint32_t w[2];

	jobs[0].ncpus = 4;
	jobs[1].ncpus = 1;
	weigh(jobs, used, 2, 1, 10000, w);
	assert_int_equal(w[0], 40000);
	assert_int_equal(w[1], 10000);
}

/* .25 of each of 8 CPUs, .75 of one: 1024 x 8 / 3 = 2731 and 1024, so that on
 * the CPU of both 341 meet 1024, and best effort 2.
 */
static void no_cpu_weighs_more_than_most(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.25, 25, NOW + 100),
		job(2, 0.75, 75, NOW + 100),
		job(3, 0, 0, 0),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	jobs[0].ncpus = 8;
	jobs[1].ncpus = jobs[2].ncpus = 1;
	weigh(jobs, used, 3, 2, 1024, w);
	assert_int_equal(w[0], 2731);
	assert_int_equal(w[1], 1024);
	assert_int_equal(w[2], 2);
}

/* The kernel takes 10240: .5 of 64 CPUs is as much, 160 for each, and the
 * others' shares of one CPU keep to that: .75 is 240, .25 is 80.
 */
static void the_kernels_greatest_scales_all(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 100),
		job(2, 0.75, 75, NOW + 100),
		job(3, 0.25, 25, NOW + 100),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	jobs[0].ncpus = 64;
	jobs[1].ncpus = jobs[2].ncpus = 1;
	weigh(jobs, used, 3, 2, 1024, w);
	assert_int_equal(w[0], 10240);
	assert_int_equal(w[1], 240);
	assert_int_equal(w[2], 80);
}

/* 1 s before its deadline a job that idled asks for 50 CPUs, and one CPU is all
 * it can have: beside it .5 is the half.
 */
static void who_idled_gets_no_more_than_a_cpu(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 1),
		job(2, 0.5, 50, NOW + 100),
	};
	const double used[] = {0, 0};
	uint32_t w[2];

	weigh(jobs, used, 2, 1, 1000, w);
	assert_int_equal(w[0], 1000);
	assert_int_equal(w[1], 500);
}

static void late_and_overrun_jobs_keep_to_the_rule(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.3, 60, NOW - 1),   /* late: share 1 */
		job(2, 0.25, 10, NOW + 50), /* over its estimate: .25 */
		job(3, 0.5, 10, NOW + 20),  /* .5 */
		job(4, 0, 0, 0),	    /* best effort */
	};
	const double used[] = {1, 11, 0, 0};
	uint32_t w[4];

	for (int i = 0; i < 4; i++)
		jobs[i].ncpus = 1;
	weigh(jobs, used, 4, 2, 100000, w);
	assert_int_equal(w[0], 100000);
	assert_int_equal(w[1], 25000);
	assert_int_equal(w[2], 50000);
	assert_int_equal(w[3], 2);
}

/* A job that yields, by its cores. */
static struct spank_job yielding(uint32_t id, double share, double deadline_s,
				 const char *cores)
{
	/* Nothing was used: 100 s before the deadline it needs its share. */
	struct spank_job j = job(id, 0.5, 100 * share, deadline_s);

	j.yields = true;
	j.ncpus = spank_read_cores(cores, j.cores);
	j.ncpus = j.ncpus ? j.ncpus : 1;
	return j;
}

static void expect_weights(const struct spank_job *jobs, size_t n,
			   const uint32_t *expected)
{
	const double used[8] = {0};
	uint32_t w[8];

	assert_true(n <= 8);
	weigh(jobs, used, n, 2, 100000, w);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(w[i], expected[i]);
}

/* .6 of core 0 is promised: .4 is left for a late job, .2 for each of two.
 * Late is who would be at the instant of its deadline, as in the engine.
 */
static void late_jobs_that_yield_divide_the_rest(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.6, NOW + 100, "0"),
		yielding(2, 0.9, NOW - 1, "0"),
		job(3, 0, 0, 0),
		yielding(4, 0.9, NOW, "0"),
	};

	expect_weights(jobs, 3, (uint32_t[]){100000, 66667, 2});
	expect_weights(jobs, 4, (uint32_t[]){100000, 33333, 2, 33333});
}

/* The fullest of two cores leaves .25; 2 CPUs weigh twice. */
static void a_late_job_goes_by_its_fullest_core(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.9, NOW - 1, "0-1"),
		yielding(2, 0.75, NOW + 100, "0"),
		yielding(3, 0.5, NOW + 100, "1"),
		yielding(4, 1, NOW + 100, "2"),
	};

	expect_weights(jobs, 4, (uint32_t[]){50000, 75000, 50000, 100000});
}

/* All of core 0 is promised: a late job there is held, one on core 1 has it. */
static void a_late_job_with_nothing_left_is_held(void **state)
{
	const struct spank_job jobs[] = {
		yielding(1, 0.9, NOW - 1, "0"),
		yielding(2, 1, NOW + 100, "0"),
		yielding(3, 0.9, NOW - 1, "1"),
	};

	expect_weights(jobs, 3, (uint32_t[]){3, 100000, 100000});
}

/* Who may be anywhere counts everywhere. */
static void late_jobs_without_cores_go_by_the_fullest(void **state)
{
	const struct spank_job late[] = {
		yielding(1, 0.9, NOW - 1, NULL),
		yielding(2, 0.75, NOW + 100, "5"),
	};
	const struct spank_job other[] = {
		yielding(1, 0.9, NOW - 1, "3"),
		yielding(2, 0.75, NOW + 100, NULL),
	};

	expect_weights(late, 2, (uint32_t[]){33333, 100000});
	expect_weights(other, 2, (uint32_t[]){33333, 100000});
}

/* An instant before its deadline a job's share has no bound. */
static void no_share_makes_a_weight_senseless(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.3, 1e9, nextafter(NOW, INFINITY)),
		job(2, 0.3, 1, NOW + 10), /* .1 */
		job(3, 0.3, 1, INFINITY),
	};
	const double used[] = {0, 0, 0};
	uint32_t w[3];

	weigh(jobs, used, 3, 1, 10000, w);
	assert_int_equal(w[0], 10000);
	assert_int_equal(w[1], 1000);
	assert_int_equal(w[2], 2);
}

/* A job with turns that has the cores of a list here. */
static struct spank_job turn(uint32_t id, double deadline_s, const char *cores)
{
	struct spank_job j = job(id, 1, 10, deadline_s);

	j.turns = true;
	j.ncpus = spank_read_cores(cores, j.cores);
	return j;
}

static void expect_turns(const struct spank_job *jobs, size_t n,
			 const uint32_t *expected)
{
	const double used[8] = {0};
	uint32_t w[8];

	assert_true(n <= 8);
	weigh(jobs, used, n, 2, 1024, w);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(w[i], expected[i]);
}

/* In the order of deadlines: 2 takes core 0; 1 wants 0 and 1: held; 3 takes 1,
 * although 1 comes before it; best effort after all.
 */
static void turns_go_by_deadline(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 20, "0-1"),
		turn(2, NOW + 10, "0"),
		turn(3, NOW + 30, "1"),
		job(4, 0, 0, 0),
	};

	expect_turns(jobs, 4, (uint32_t[]){3, 1024, 1024, 2});
}

/* 2048 for two cores; 3 has to wait for both. */
static void a_turn_on_several_cores_weighs_more(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 10, "0-1"),
		turn(2, NOW + 10, "2"),
		turn(3, NOW + 11, "1-2"),
	};

	expect_turns(jobs, 3, (uint32_t[]){2048, 1024, 3});
}

/* 20 cores would weigh 20480; the kernel takes 10240 at most. */
static void no_turn_weighs_more_than_the_kernel_takes(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW + 10, "0-19"),
	};

	expect_turns(jobs, 1, (uint32_t[]){10240});
}

/* Late from the instant of the deadline on; among the late ones, the earlier
 * deadline comes first.
 */
static void late_jobs_come_last(void **state)
{
	const struct spank_job jobs[] = {
		turn(1, NOW, "0"),
		turn(2, NOW + 1000, "0"),
		turn(3, NOW - 5, "0"),
	};
	const struct spank_job late[] = {
		turn(1, NOW, "0"),
		turn(3, NOW - 5, "0"),
	};

	expect_turns(jobs, 3, (uint32_t[]){3, 1024, 3});
	expect_turns(late, 2, (uint32_t[]){3, 1024});
}

static void equal_deadlines_go_by_id(void **state)
{
	const struct spank_job jobs[] = {
		turn(12, NOW + 9, "0"),
		turn(11, NOW + 9, "0"),
	};

	expect_turns(jobs, 2, (uint32_t[]){3, 1024});
}

/* Cores that nobody could tell are not taken from others. */
static void unknown_cores_exclude_nobody(void **state)
{
	struct spank_job jobs[] = {
		turn(1, NOW + 9, NULL),
		turn(2, NOW + 10, "900"),
		turn(3, NOW + 8, "3"),
		turn(4, NOW + 11, "900"),
	};

	jobs[0].ncpus = 2;
	expect_turns(jobs, 4, (uint32_t[]){2048, 1024, 1024, 3});
}

/* Before its first process comes, a job takes nothing. */
static void who_has_not_come_takes_no_turn(void **state)
{
	struct spank_job jobs[] = {
		turn(1, NOW + 9, "0"),
		turn(2, NOW + 10, "0"),
	};

	jobs[0].ncpus = 0;
	expect_turns(jobs, 2, (uint32_t[]){3, 1024});
}

/* After a change of policy both kinds may meet on a node. */
static void shares_beside_turns_stay_in_their_range(void **state)
{
	struct spank_job jobs[] = {
		job(1, 0.5, 50, NOW + 100),
		job(2, 0.25, 25, NOW + 100),
		turn(3, NOW + 10, "0"),
		turn(4, NOW + 11, "0"),
	};

	jobs[0].ncpus = jobs[1].ncpus = 1;
	expect_turns(jobs, 4, (uint32_t[]){1024, 512, 1024, 3});
}

static void options_take_what_they_say(void **state)
{
	static const struct {
		int option;
		const char *text;
		double value;
	} good[] = {
		{0, "90", 5400},       {0, "1:30", 90},	 {0, "1:00:00", 3600},
		{0, "2-1", 176400},    {0, "1.5s", 1.5}, {0, "90s", 90},
		{0, "1-0:0:1", 86401}, {1, "0", 0},	 {1, "250.5", 250.5},
		{2, "0.001", 0.001},
	};
	double value;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(
			libra_option_parse(&libra_options[good[i].option],
					   good[i].text, &value, NULL),
			0);
		assert_near(value, good[i].value, 1e-9);
	}
}

static void options_refuse_the_rest(void **state)
{
	static const struct {
		int option;
		const char *text;
	} bad[] = {
		{0, ""},
		{0, "0"},
		{0, "-5"},
		{0, "abc"},
		{0, "1:60"},
		{0, "1::2"},
		{0, "1:2:3:4"},
		{0, "0s"},
		{0, "1e3s"},
		{0, "-1-1"},
		{0, "0x10"},
		{0, "1 0"},
		{0, "inf"},
		{1, ""},
		{1, "-1"},
		{1, "1e3"},
		{1, "nan"},
		{1, "."},
		{1, "1.2.3"},
		{2, "ten"},
		{1, NULL},
		{0, ":"},
		{0, "99999999999999999999"},
	};
	double value;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct libra_error err = {0};

		assert_int_equal(
			libra_option_parse(&libra_options[bad[i].option],
					   bad[i].text, &value, &err),
			-1);
		assert_one_line(&err);
		assert_contains(err.text, libra_options[bad[i].option].name);
	}
}

/* --- on a node ------------------------------------------------------------ */

static void every_start_and_end_renews_all(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	start(f, job(2, 0.25, 50, NOW + 200), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	/* 50 s later job 1 has worked 40 s: 10 / 50 = .2; job 2 has 10 s:
	 * 40 / 150 = .2667; the new one asks for .3.
	 */
	group(f, "libra/n1/job_1", 40);
	group(f, "libra/n1/job_2", 10);
	start(f, job(3, 0.3, 30, NOW + 150), 1, 0, NOW + 50);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 667);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 889);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 1000);
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 3, NOW + 50);
	assert_int_equal(spank_node_njobs(node), 2);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 750);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_false(spank_store_knows(&f->conf, 33));
	assert_true(spank_store_knows(&f->conf, 2));
}

/* Deadlines in 30, 10 and 20 s: the second has its turn, then the third; at
 * NOW + 25 the third is late, and the first comes before it.
 */
static void every_event_gives_the_turn_anew(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start_on(f, turn(1, NOW + 30, NULL), 1, "0", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	start_on(f, turn(2, NOW + 10, NULL), 1, "0", 0, NOW);
	start_on(f, turn(3, NOW + 20, NULL), 2, "0-1", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2);
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 2, NOW + 5);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2000);
	node = spank_node_open(&f->conf, NULL);
	spank_node_renew(node, NOW + 25);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	assert_int_equal(get(f, "cg/libra/n1/job_3/cpu.weight"), 2);
}

static void what_is_known_is_read_without_lock(void **state)
{
	struct fixture *f = *state;
	struct spank_job j;

	start_on(f, turn(1, NOW + 30, NULL), 1, "0", 0, NOW);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.turns && j.deadline_s == NOW + 30);
	/* From its note. */
	put(f, "state/n1/job_1", "libra 1 job=1 user=0 cpus=1 share=0.");
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.turns && j.deadline_s == NOW + 30);
	assert_int_equal(spank_store_get(&f->conf, 2, &j), -1);
	assert_int_equal(errno, ENOENT);
	put(f, "state/n1/job_2",
	    "libra 1 job=1 user=0 cpus=1 share=0.5 estimate=1 deadline=9 "
	    "group= end\n");
	assert_int_equal(spank_store_get(&f->conf, 2, &j), -1);
}

static void a_lost_state_folder_is_made_again(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	char command[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(command, sizeof(command), "rm -rf %s", f->state);
	assert_int_equal(system(command), 0);
	start(f, job(2, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 2);
	spank_node_close(node);
	assert_true(get(f, "state/n1/job_1") == -1);
	snprintf(command, sizeof(command), "test -f %s/n1/job_1", f->state);
	assert_int_equal(system(command), 0);
}

/* Groups that are gone (a reboot with a state folder on disk) harm nobody. */
static void a_weight_that_fails_is_told_and_renewed_later(void **state)
{
	struct fixture *f = *state;
	char name[256];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(name, sizeof(name), "%s/libra/n1/job_1/cpu.weight", f->top);
	assert_int_equal(unlink(name), 0);
	start(f, job(2, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_contains(f->said, "1 of 2 weights not renewed");
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 500);
	f->said[0] = '\0';
	put(f, "cg/libra/n1/job_1/cpu.weight", "100");
	start(f, job(3, 0.25, 25, NOW + 100), 1, 0, NOW);
	assert_string_equal(f->said, "");
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
}

static void a_damaged_record_is_dropped_for_the_note(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "state/n1/job_1", "libra 1 job=1 user=0 cpus=1 share=0.");
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	spank_node_close(node);
}

static void slurms_own_group_is_found_and_used(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100);
	struct spank_node *node;

	folder(f, "cg/system.slice");
	folder(f, "cg/system.slice/n1_slurmstepd.scope");
	group(f, "system.slice/n1_slurmstepd.scope/job_12", 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	assert_int_equal(
		spank_node_enter(node, 12, 1, NULL,
				 "0::/system.slice/n1_slurmstepd.scope/"
				 "job_12/step_batch/slurm\n",
				 4711, NOW),
		0);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/system.slice/n1_slurmstepd.scope/job_12/"
				"cpu.weight"),
			 1000);
	/* The process is where Slurm put it. */
	assert_int_equal(get(f, "cg/system.slice/n1_slurmstepd.scope/job_12/"
				"cgroup.procs"),
			 -1);
}

#define SLURMS "system.slice/slurmstepd.scope"

static void enter_slurms(struct spank_node *node, uint32_t id)
{
	char where[128];

	snprintf(where, sizeof(where), "0::/" SLURMS "/job_%u/step_0\n", id);
	assert_int_equal(spank_node_enter(node, id, 1, "0", where, 4711, NOW),
			 0);
}

static void make_slurms(const struct fixture *f, uint32_t id)
{
	char path[64];

	folder(f, "cg/system.slice");
	folder(f, "cg/" SLURMS);
	snprintf(path, sizeof(path), SLURMS "/job_%u", id);
	group(f, path, 0);
}

/* A step of a held job is in the group that is held. */
static void who_takes_the_lock_is_not_held(void **state)
{
	static const char weight[] = "cg/" SLURMS "/job_12/cpu.weight";
	struct fixture *f = *state;
	struct spank_job held = turn(12, NOW + 20, NULL);
	struct spank_node *node;

	start_on(f, turn(1, NOW + 10, NULL), 1, "0", 0, NOW);
	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &held, NOW);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 2);
	f->conf.caller = 12;
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(get(f, weight), 1000);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 2);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
}

#define JOB_12 "0::/" SLURMS "/job_12/step_batch/slurm\n"

static void a_first_step_is_lifted_to_begin(void **state)
{
	static const char weight[] = "cg/" SLURMS "/job_12/cpu.weight";
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100);
	struct spank_node *node;

	make_slurms(f, 12);
	put(f, weight, "100");
	assert_false(spank_node_lift(&f->conf, 12, JOB_12, false));
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_false(spank_node_lift(&f->conf, 12, "0::/\n", false));
	assert_int_equal(get(f, weight), 100);
	assert_true(spank_node_lift(&f->conf, 12, JOB_12, false));
	assert_int_equal(get(f, weight), 1000);
	assert_true(spank_node_lift(&f->conf, 12, JOB_12, true));
	assert_int_equal(get(f, weight), 100);
	/* Once a task has come, its weight is the job's. */
	start(f, job(1, 0.25, 100, NOW + 100), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, weight), 500);
	assert_false(spank_node_lift(&f->conf, 12, JOB_12, false));
	assert_int_equal(get(f, weight), 500);
}

static void slurmstepd_leaves_the_group_of_its_job(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0, 0, 0);
	struct spank_node *node;

	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	/* Slurm has no such group. */
	assert_false(spank_node_step_aside(&f->conf, 12, JOB_12, 4711));
	group(f, SLURMS "/system", 0);
	put(f, "cg/" SLURMS "/system/cgroup.procs", "0");
	assert_false(spank_node_step_aside(&f->conf, 13, JOB_12, 4711));
	assert_false(spank_node_step_aside(&f->conf, 12, "0::/\n", 4711));
	assert_true(spank_node_step_aside(&f->conf, 12, JOB_12, 4711));
	assert_int_equal(get(f, "cg/" SLURMS "/system/cgroup.procs"), 4711);
	assert_int_equal(get(f, "cg/" SLURMS "/system/cpu.weight"), 1000);
}

/* No folder can keep its record, and Slurm's group is not there yet. */
static void a_group_is_made_to_keep_what_is_known(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(12, 0.5, 50, NOW + 100), known;
	struct spank_node *node;

	assert_int_equal(mkdir(f->state, 0777), 0);
	assert_int_equal(chmod(f->state, 0777), 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_true(spank_store_knows(&f->conf, 12));
	assert_int_equal(spank_store_get(&f->conf, 12, &known), 0);
	assert_string_equal(known.group, "");
	make_slurms(f, 12);
	node = spank_node_open(&f->conf, NULL);
	enter_slurms(node, 12);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/" SLURMS "/job_12/cpu.weight"), 1000);
	assert_int_equal(spank_store_get(&f->conf, 12, &known), 0);
	assert_string_equal(known.group, SLURMS "/job_12");
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	spank_node_end(node, 12, NOW);
	spank_node_close(node);
	assert_false(spank_store_knows(&f->conf, 12));
}

/* Where its group could not be removed the first time. */
static void an_end_can_be_repeated(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	char name[160];

	folder(f, "cg/libra/n1/job_7");
	assert_true(spank_store_knows(&f->conf, 7));
	node = spank_node_open(&f->conf, NULL);
	spank_node_end(node, 7, NOW);
	spank_node_close(node);
	snprintf(name, sizeof(name), "%s/libra/n1/job_7", f->top);
	assert_int_equal(access(name, F_OK), -1);
	assert_false(spank_store_knows(&f->conf, 7));
	assert_string_equal(f->said, "");
}

/* What was written half when its writer was killed. */
static void an_end_leaves_no_file(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(1, 0.5, 50, NOW + 100);
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	spank_node_begin(node, &j, NOW);
	put(f, "state/n1/.job_1", "libra 1 jo");
	spank_node_end(node, 1, NOW);
	spank_node_close(node);
	assert_int_equal(access(f->state, F_OK), -1);
}

static void cores_that_are_no_list_are_told(void **state)
{
	struct fixture *f = *state;

	start_on(f, turn(1, NOW + 30, NULL), 2, "1020-1030", 0, NOW);
	assert_contains(f->said,
			"job 1: its cores here are not known (1020-1030;");
	start_on(f, turn(2, NOW + 40, NULL), 1, "0", 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 10000);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
}

/* Slurm forks while a thread of ours has the lock. */
static void a_child_does_not_keep_the_lock(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;
	double begin_s;
	int status;
	pid_t pid;

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	spank_node_close(node);
	begin_s = clock_s();
	node = spank_node_open(&f->conf, NULL);
	assert_true(clock_s() < begin_s + 2);
	spank_node_close(node);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_string_equal(f->said, "");
}

static void another_jobs_group_is_not_taken(void **state)
{
	struct libra_cgroup cg = {.version = 2};
	char path[LIBRA_CGROUP_PATH];

	assert_false(
		libra_cgroup_of_job(&cg, "0::/a/job_120/step_0\n", 12, path));
	assert_false(
		libra_cgroup_of_job(&cg, "0::/a/xjob_12/step_0\n", 12, path));
	assert_false(
		libra_cgroup_of_job(&cg, "1:cpu:/a/job_12/step_0\n", 12, path));
	assert_true(libra_cgroup_of_job(
		&cg, "1:name=x:/\n0::/a/job_12/step_0/b\n", 12, path));
	assert_string_equal(path, "a/job_12");
}

static void a_host_without_weights_says_so(void **state)
{
	struct fixture *f = *state;
	struct libra_error err = {0};

	put(f, "cg/cgroup.controllers", "cpuset memory\n");
	assert_null(spank_node_open(&f->conf, &err));
	assert_int_equal(errno, ENOTSUP);
	assert_one_line(&err);
	assert_contains(err.text, "shares are not enforced");
}

/* --- deadlines that pass ---------------------------------------------------
 */

static int count_threads(void)
{
	FILE *file = popen("cat /proc/$PPID/task/*/comm", "r");
	char name[64];
	int n = 0;

	assert_non_null(file);
	while (fgets(name, sizeof(name), file))
		n += strcmp(name, "libra_alarm\n") == 0;
	assert_int_equal(pclose(file), 0);
	return n;
}

/* Polls; a machine under load is slow. */
static bool becomes(const struct fixture *f, const char *path, long value)
{
	const struct timespec pause = {0, 5000000};

	for (int i = 0; i < 2000; i++) {
		if (get(f, path) == value)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void who_is_late_gives_his_turn_away(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 0.3, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 2);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(count_threads(), 1);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.3);
	libra_alarm_stop();
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 2);
	assert_int_equal(count_threads(), 0);
	assert_string_equal(f->said, "");
}

static struct spank_change change(uint32_t id, uint32_t number, double share,
				  double estimate_s, double deadline_s)
{
	return (struct spank_change){id, number, share, estimate_s, deadline_s};
}

static void change_on(struct fixture *f, struct spank_change c)
{
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	assert_non_null(node);
	assert_true(spank_node_change(node, &c));
	spank_node_close(node);
}

/* Its deadline was moved by .4 s: nothing happens before. */
static void an_alarm_follows_a_later_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 0.2, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	change_on(f, change(1, 1, 1, 5, now_s + 0.6));
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.6);
	libra_alarm_stop();
}

static void an_alarm_follows_a_nearer_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 500, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	for (uint32_t i = 1; i < 4; i++)
		change_on(f, change(1, i, 1, 5, now_s + 100 - i));
	change_on(f, change(1, 4, 1, 5, now_s + 0.3));
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.3);
	libra_alarm_stop();
}

/* slurmctld's answer. */
static struct spank_change answer;
static atomic_int asked;

static int answer_it(uint32_t job_id, struct spank_change *now)
{
	asked++;
	*now = answer;
	return answer.id == job_id ? 0 : -1;
}

/* Nothing tells the node of its change: it asks before the old deadline. */
static void an_alarm_asks_before_the_deadline(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_job j;

	asked = 0;
	answer = change(1, 7, 0.25, 5, now_s + 5000);
	start_on(f, turn(1, now_s + 3, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 4000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() < now_s + 3);
	assert_int_equal(asked, 1);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.deadline_s == now_s + 5000 && j.share == 1);
	assert_int_equal(j.change, 0); /* slurmctld's numbers go on */
	libra_alarm_stop();
	assert_string_equal(f->said, "");
}

/* No answer, or the old numbers: the deadline passes as it was. */
static void an_alarm_without_an_answer_goes_on(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	asked = 0;
	answer = change(99, 0, 1, 5, now_s);
	start_on(f, turn(1, now_s + 0.5, NULL), 1, "0", 0, now_s);
	start_on(f, turn(2, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_2/cpu.weight", 1000));
	assert_true(clock_s() >= now_s + 0.5);
	assert_int_equal(asked, 1);
	libra_alarm_stop();
}

/* With shares a deadline that passes is no event; but one that was moved is
 * learnt before.
 */
static void an_alarm_of_a_share_only_asks(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_job j;

	asked = 0;
	answer = change(1, 0, 0.25, 100, now_s + 400);
	start(f, job(1, 0.5, 100, now_s + 0.4), 1, 0, now_s);
	start(f, job(2, 0.5, 100, now_s + 200), 1, 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, answer_it), 0);
	assert_true(becomes(f, "cg/libra/n1/job_1/cpu.weight", 500));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.deadline_s == now_s + 400 && j.share == 0.25);
	libra_alarm_stop();
	assert_int_equal(asked, 1);
}

static void an_alarm_ends_at_once_when_taken_back(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start_on(f, turn(1, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(count_threads(), 1);
	now_s = clock_s();
	libra_alarm_stop();
	assert_true(clock_s() < now_s + 1);
	assert_int_equal(count_threads(), 0);
	libra_alarm_stop();
}

/* Who holds the lock may do so for seconds. */
static void an_alarm_that_waits_for_the_lock_gives_up(void **state)
{
	const struct timespec pause = {0, 20000000};
	struct fixture *f = *state;
	double now_s = clock_s();
	struct spank_node *node;

	start_on(f, turn(1, now_s - 1, NULL), 1, "0", 0, now_s);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	nanosleep(&pause, NULL);
	now_s = clock_s();
	libra_alarm_stop();
	assert_true(clock_s() < now_s + 1);
	spank_node_close(node);
	assert_string_equal(f->said, "");
}

/* A forked child has no thread to wait for. */
static void a_child_does_not_stop_its_parents_alarm(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();
	int status;
	pid_t pid;

	start_on(f, turn(1, now_s + 1000, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	pid = fork();
	if (pid == 0) {
		libra_alarm_stop();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_threads(), 1);
	libra_alarm_stop();
}

/* Shares .5 and .5; then the first has to do 100 s in 400 s: .25 to .5. */
static void a_changed_promise_changes_the_weights(void **state)
{
	struct fixture *f = *state;
	struct spank_change c = change(1, 1, 0.25, 100, NOW + 400);
	struct spank_node *node;
	struct spank_job j;

	start(f, job(1, 0.5, 100, NOW + 200), 1, 0, NOW);
	start(f, job(2, 0.5, 100, NOW + 200), 1, 0, NOW);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 1000);
	node = spank_node_open(&f->conf, NULL);
	assert_true(spank_node_change(node, &c));
	spank_node_renew(node, NOW);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/libra/n1/job_1/cpu.weight"), 500);
	assert_int_equal(get(f, "cg/libra/n1/job_2/cpu.weight"), 1000);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.change == 1 && j.deadline_s == NOW + 400);
	assert_string_equal(f->said, "");
}

/* A message that comes late, or a second time. */
static void an_older_change_is_refused(void **state)
{
	struct fixture *f = *state;
	struct spank_change newer = change(1, 2, 0.25, 100, NOW + 400);
	struct spank_change older = change(1, 1, 1, 100, NOW + 100);
	struct spank_change other = change(9, 1, 1, 100, NOW + 100);
	struct spank_node *node;
	struct spank_job j;

	start(f, job(1, 0.5, 100, NOW + 200), 1, 0, NOW);
	node = spank_node_open(&f->conf, NULL);
	assert_true(spank_node_change(node, &newer));
	assert_false(spank_node_change(node, &newer));
	assert_false(spank_node_change(node, &older));
	assert_false(spank_node_change(node, &other));
	spank_node_close(node);
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_true(j.change == 2 && j.share == 0.25);
	assert_int_equal(spank_store_get(&f->conf, 9, &j), -1);
}

static void jobs_without_a_deadline_have_no_alarm(void **state)
{
	struct fixture *f = *state;
	double now_s = clock_s();

	start(f, job(1, 0, 0, 0), 1, 0, now_s); /* best effort */
	assert_int_equal(libra_alarm_set(&f->conf, 1, NULL), 0);
	assert_int_equal(libra_alarm_set(&f->conf, 77, NULL), 0);
	start_on(f, turn(2, INFINITY, NULL), 1, "0", 0, now_s);
	assert_int_equal(libra_alarm_set(&f->conf, 2, NULL), 0);
	assert_int_equal(count_threads(), 0);
}

/* --- what others may have put in the way ---------------------------------- */

static void a_state_folder_of_others_is_refused(void **state)
{
	struct fixture *f = *state;
	struct spank_node *node;

	assert_int_equal(mkdir(f->state, 0777), 0);
	assert_int_equal(chmod(f->state, 0777), 0);
	node = spank_node_open(&f->conf, NULL);
	assert_non_null(node); /* jobs run on */
	assert_contains(f->said, "continuing without a lock");
	spank_node_close(node);
}

static void records_of_others_are_not_read(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(1, 0.5, 50, NOW + 100);
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	spank_node_begin(node, &j, NOW);
	spank_node_close(node);
	assert_true(spank_store_knows(&f->conf, 1));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), 0);
	assert_int_equal(chmod(f->state, 0755), 0);
	assert_false(spank_store_knows(&f->conf, 1));
	assert_int_equal(spank_store_get(&f->conf, 1, &j), -1);
	assert_int_equal(errno, ENOENT);
}

/* A later version's record, and what is none: told, and left. */
static void what_cannot_be_read_is_left(void **state)
{
	struct fixture *f = *state;
	struct spank_job j;
	struct spank_node *node;
	char name[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "state/n1/job_2", "libra 9 job=2 other\n");
	snprintf(name, sizeof(name), "%s/n1/job_3", f->state);
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_int_equal(spank_store_get(&f->conf, 3, &j), -1);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), 1);
	assert_contains(f->said, "job 2: its record in");
	assert_contains(f->said, "written by a later version");
	assert_contains(f->said, "job 3: its record in");
	assert_int_equal(access(name, F_OK), 0);
	spank_node_end(node, 2, NOW);
	spank_node_end(node, 3, NOW);
	spank_node_close(node);
	assert_int_equal(access(name, F_OK), -1);
	assert_false(spank_store_knows(&f->conf, 2));
}

static void a_link_is_not_followed(void **state)
{
	struct fixture *f = *state;
	char victim[160], link_name[160];

	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	put(f, "victim", "precious");
	snprintf(victim, sizeof(victim), "%s/victim", f->dir);
	/* A record, its new version, and the lock. */
	snprintf(link_name, sizeof(link_name), "%s/n1/job_2", f->state);
	assert_int_equal(symlink(victim, link_name), 0);
	snprintf(link_name, sizeof(link_name), "%s/n1/.job_2", f->state);
	assert_int_equal(symlink(victim, link_name), 0);
	snprintf(link_name, sizeof(link_name), "%s/n1/lock", f->state);
	assert_int_equal(unlink(link_name), 0);
	assert_int_equal(symlink(victim, link_name), 0);
	start(f, job(2, 0.5, 50, NOW + 100), 1, 0, NOW);
	assert_contains(f->said, "continuing without a lock");
	snprintf(link_name, sizeof(link_name), "grep -qx precious %s/victim",
		 f->dir);
	assert_int_equal(system(link_name), 0);
}

static void a_linked_state_folder_is_refused(void **state)
{
	struct fixture *f = *state;
	char target[160];
	struct stat st;

	folder(f, "elsewhere");
	snprintf(target, sizeof(target), "%s/elsewhere", f->dir);
	assert_int_equal(chmod(target, 0700), 0);
	assert_int_equal(symlink(target, f->state), 0);
	start(f, job(1, 0.5, 50, NOW + 100), 1, 0, NOW);
	snprintf(target, sizeof(target), "%s/elsewhere/n1", f->dir);
	assert_int_equal(stat(target, &st), -1);
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	static const char *const names[] = {"",	   "..",  "a/b", "../x",
					    ".n1", "a b", "n\n", NULL};
	struct fixture *f = *state;

	for (int i = 0; i < 8; i++) {
		struct libra_error err = {0};

		f->conf.name = names[i];
		assert_null(spank_node_open(&f->conf, &err));
		assert_int_equal(errno, EINVAL);
	}
	f->conf.name = "n1";
	f->conf.state = "relative";
	assert_null(spank_node_open(&f->conf, NULL));
}

static void a_group_that_is_a_link_is_not_entered(void **state)
{
	struct fixture *f = *state;
	struct spank_job j = job(5, 0.5, 50, NOW + 100);
	struct spank_node *node;
	char target[160], link_name[200];

	group(f, "precious", 0);
	snprintf(target, sizeof(target), "%s/precious", f->top);
	snprintf(link_name, sizeof(link_name), "%s/libra/n1/job_5", f->top);
	assert_int_equal(symlink(target, link_name), 0);
	node = spank_node_open(&f->conf, NULL);
	spank_node_begin(node, &j, NOW);
	spank_node_enter(node, 5, 1, NULL, "", 4711, NOW);
	spank_node_close(node);
	assert_int_equal(get(f, "cg/precious/cpu.weight"), 100);
	assert_int_equal(get(f, "cg/precious/cgroup.procs"), -1);
	assert_contains(f->said, "without its share");
}

/* --- many at once --------------------------------------------------------- */

/* Sixteen processes, each with four jobs: nothing is lost, and when all are
 * over nothing is left.
 */
static void events_of_many_processes_do_not_mix(void **state)
{
	enum { PROCESSES = 16, EACH = 4 };
	struct fixture *f = *state;
	struct spank_node *node;
	int status, failed = 0;
	char command[160];

	for (uint32_t i = 1; i <= PROCESSES * EACH; i++) {
		char path[64];

		snprintf(path, sizeof(path), "libra/n1/job_%u", i);
		group(f, path, 0);
	}
	for (uint32_t p = 0; p < PROCESSES; p++) {
		if (fork())
			continue;
		for (uint32_t k = 1; k <= EACH; k++) {
			struct spank_job j =
				job(p * EACH + k, 0.01, 1, NOW + 100);

			node = spank_node_open(&f->conf, NULL);
			if (!node)
				_exit(1);
			spank_node_begin(node, &j, NOW);
			spank_node_close(node);
			node = spank_node_open(&f->conf, NULL);
			if (!node || spank_node_enter(node, j.id, 1, NULL, "",
						      1, NOW) < 0)
				_exit(1);
			spank_node_close(node);
		}
		_exit(f->said[0] ? 2 : 0);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	assert_int_equal(failed, 0);
	node = spank_node_open(&f->conf, NULL);
	assert_int_equal(spank_node_njobs(node), PROCESSES * EACH);
	for (uint32_t i = 1; i <= PROCESSES * EACH; i++) {
		snprintf(command, sizeof(command), "rm -r %s/libra/n1/job_%u",
			 f->top, i);
		assert_int_equal(system(command), 0);
		spank_node_end(node, i, NOW);
	}
	spank_node_close(node);
	snprintf(command, sizeof(command), "test ! -e %s", f->state);
	assert_int_equal(system(command), 0);
	assert_string_equal(f->said, "");
}

#define ON_NODE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_read_back),
		cmocka_unit_test(records_cut_short_are_refused),
		cmocka_unit_test(senseless_records_are_refused),
		cmocka_unit_test(a_later_version_is_not_damaged),
		cmocka_unit_test(cores_are_read),
		cmocka_unit_test(weights_follow_the_shares),
		cmocka_unit_test(a_job_on_several_cpus_weighs_more),
		cmocka_unit_test(no_cpu_weighs_more_than_most),
		cmocka_unit_test(the_kernels_greatest_scales_all),
		cmocka_unit_test(who_idled_gets_no_more_than_a_cpu),
		cmocka_unit_test(late_and_overrun_jobs_keep_to_the_rule),
		cmocka_unit_test(late_jobs_that_yield_divide_the_rest),
		cmocka_unit_test(a_late_job_goes_by_its_fullest_core),
		cmocka_unit_test(a_late_job_with_nothing_left_is_held),
		cmocka_unit_test(late_jobs_without_cores_go_by_the_fullest),
		cmocka_unit_test(no_share_makes_a_weight_senseless),
		cmocka_unit_test(changed_records_read_back),
		cmocka_unit_test(lists_of_changes_are_read),
		cmocka_unit_test(senseless_changes_are_refused),
		cmocka_unit_test(records_of_turns_read_back),
		cmocka_unit_test(records_of_who_yields_read_back),
		cmocka_unit_test(records_of_shares_are_as_they_were),
		cmocka_unit_test(turns_go_by_deadline),
		cmocka_unit_test(a_turn_on_several_cores_weighs_more),
		cmocka_unit_test(no_turn_weighs_more_than_the_kernel_takes),
		cmocka_unit_test(late_jobs_come_last),
		cmocka_unit_test(equal_deadlines_go_by_id),
		cmocka_unit_test(unknown_cores_exclude_nobody),
		cmocka_unit_test(who_has_not_come_takes_no_turn),
		cmocka_unit_test(shares_beside_turns_stay_in_their_range),
		cmocka_unit_test(options_take_what_they_say),
		cmocka_unit_test(options_refuse_the_rest),
		cmocka_unit_test(another_jobs_group_is_not_taken),
		ON_NODE(every_start_and_end_renews_all),
		ON_NODE(every_event_gives_the_turn_anew),
		ON_NODE(what_is_known_is_read_without_lock),
		ON_NODE(a_lost_state_folder_is_made_again),
		ON_NODE(a_weight_that_fails_is_told_and_renewed_later),
		ON_NODE(a_damaged_record_is_dropped_for_the_note),
		ON_NODE(slurms_own_group_is_found_and_used),
		ON_NODE(who_takes_the_lock_is_not_held),
		ON_NODE(a_first_step_is_lifted_to_begin),
		ON_NODE(slurmstepd_leaves_the_group_of_its_job),
		ON_NODE(a_group_is_made_to_keep_what_is_known),
		ON_NODE(an_end_can_be_repeated),
		ON_NODE(an_end_leaves_no_file),
		ON_NODE(cores_that_are_no_list_are_told),
		ON_NODE(a_child_does_not_keep_the_lock),
		ON_NODE(records_of_others_are_not_read),
		ON_NODE(what_cannot_be_read_is_left),
		ON_NODE(a_host_without_weights_says_so),
		ON_NODE(who_is_late_gives_his_turn_away),
		ON_NODE(an_alarm_follows_a_later_deadline),
		ON_NODE(an_alarm_follows_a_nearer_deadline),
		ON_NODE(an_alarm_asks_before_the_deadline),
		ON_NODE(an_alarm_without_an_answer_goes_on),
		ON_NODE(an_alarm_of_a_share_only_asks),
		ON_NODE(an_alarm_ends_at_once_when_taken_back),
		ON_NODE(an_alarm_that_waits_for_the_lock_gives_up),
		ON_NODE(a_child_does_not_stop_its_parents_alarm),
		ON_NODE(a_changed_promise_changes_the_weights),
		ON_NODE(an_older_change_is_refused),
		ON_NODE(jobs_without_a_deadline_have_no_alarm),
		ON_NODE(a_state_folder_of_others_is_refused),
		ON_NODE(a_link_is_not_followed),
		ON_NODE(a_linked_state_folder_is_refused),
		ON_NODE(names_that_lead_elsewhere_are_refused),
		ON_NODE(a_group_that_is_a_link_is_not_entered),
		ON_NODE(events_of_many_processes_do_not_mix),
	};

	/* Notes on groups are root's. */
	if (geteuid() != 0) {
		puts("1..0 # SKIP must be root: it is root's files");
		return 0;
	}
	return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
