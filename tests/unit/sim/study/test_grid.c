/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_grid.c - points, batches and workers.
 *
 * Making a workload and running it are replaced here, so that a run can be
 * counted, can fail, and can die.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "sim/run/run.h"
#include "sim/study/experiment.h"
#include "sim/study/grid.h"
#include "tests/unit/test.h"

static unsigned made, ran; /* in this process */

int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err)
{
	memset(w, 0, sizeof(*w));
	if (sc->arrival_delay < 0)
		return libra_errf(err, EINVAL, "time runs backwards");
	made++;
	w->jobs = malloc(1); /* a leak would be seen */
	w->njobs = (size_t)(1000 * sc->arrival_delay) + sc->seed;
	return 0;
}

void sim_workload_fini(struct sim_workload *w)
{
	free(w->jobs);
}

int sim_run(const struct sim_workload *w,
	    const struct libra_policy_type *policy, const double *params,
	    struct sim_result *result, struct sim_outcome *outcomes,
	    struct libra_error *err)
{
	ran++;
	if (!w->studied)
		return libra_errf(err, EINVAL, "medians are not measured");
	if (strcmp(policy->name, "fails") == 0)
		return libra_errf(err, ERANGE, "no such number");
	if (strcmp(policy->name, "dies") == 0)
		kill(getpid(), SIGKILL);
	while (strcmp(policy->name, "hangs") == 0)
		pause();
	w->progress(w->progress_arg, 1, 4);
	w->progress(w->progress_arg, 1, 2);
	memset(result, 0, sizeof(*result));
	result->submitted = w->njobs;
	result->fulfilled_pct = (double)w->njobs / 7 + (params ? *params : 0.5);
	result->mean_slowdown = w->njobs % 2 ? NAN : 3;
	return 0;
}

static const struct libra_param param = {.name = "p", .value = 0.5};
static const struct libra_policy_type a = {
	.name = "a", .params = &param, .nparams = 1};
static const struct libra_policy_type b = {.name = "b"};
static const struct libra_policy_type fails = {.name = "fails"};
static const struct libra_policy_type dies = {.name = "dies"};
static const struct libra_policy_type hangs = {.name = "hangs"};

enum { N = 60 };

static const double quarter = 0.25, half = 0.5;
static struct sim_point points[N];
static struct sim_result results[N];
static const struct swf_trace trace;

/* 5 scenarios, 3 different points of each, all of them 4 times. */
static int fill(void **state)
{
	for (size_t i = 0; i < N; i++) {
		memset(&points[i], 0, sizeof(points[i]));
		points[i].scenario.arrival_delay = (double)(i % 5) / 4;
		points[i].policy = i / 5 % 3 == 0 ? &b : &a;
		points[i].params = i / 5 % 3 == 1 ? &quarter : NULL;
		if (i >= N / 2 && points[i].policy == &a && !points[i].params)
			points[i].params = &half; /* the default, in words */
	}
	memset(results, 0xee, sizeof(results));
	made = ran = 0;
	return 0;
}

static void no_child_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void equal_points_run_once_and_share_workloads(void **state)
{
	assert_int_equal(
		sim_grid_run(&trace, points, N, results, 1, NULL, NULL, NULL),
		0);
	assert_int_equal(made, 5);
	assert_int_equal(ran, 15);
	for (size_t i = 0; i < N; i++) {
		size_t jobs = 250 * (i % 5);
		double p = points[i].params ? *points[i].params : 0.5;

		assert_int_equal(results[i].submitted, jobs);
		assert_true(results[i].fulfilled_pct == (double)jobs / 7 + p);
	}
}

static void results_are_the_same_for_any_number_of_workers(void **state)
{
	static const unsigned workers[] = {0, 2, 3, 7, 100};
	struct sim_result expected[N];

	assert_int_equal(
		sim_grid_run(&trace, points, N, expected, 1, NULL, NULL, NULL),
		0);
	for (size_t k = 0; k < 5; k++) {
		memset(results, 0, sizeof(results));
		assert_int_equal(sim_grid_run(&trace, points, N, results,
					      workers[k], NULL, NULL, NULL),
				 0);
		assert_memory_equal(results, expected, sizeof(results));
		no_child_is_left();
	}
	assert_int_equal(ran, 30); /* here, with 1 and 0; else in children */
}

static void a_point_that_fails_is_told_and_nothing_changes(void **state)
{
	struct sim_result before[N];

	memcpy(before, results, sizeof(before));
	points[17].policy = &fails;
	points[17].scenario.seed = 3;
	for (unsigned workers = 1; workers <= 3; workers++) {
		struct libra_error err = {.text = ""};

		assert_int_equal(sim_grid_run(&trace, points, N, results,
					      workers, NULL, NULL, &err),
				 -1);
		assert_int_equal(errno, ERANGE);
		assert_string_equal(err.text, "fails, seed 3: no such number");
		assert_memory_equal(results, before, sizeof(before));
		no_child_is_left();
	}
}

static void a_workload_that_cannot_be_made_is_told(void **state)
{
	struct libra_error err = {.text = ""};

	points[8].scenario.arrival_delay = -1;
	assert_int_equal(
		sim_grid_run(&trace, points, N, results, 2, NULL, NULL, &err),
		-1);
	assert_int_equal(errno, EINVAL);
	assert_contains(err.text, "time runs backwards");
	no_child_is_left();
}

/* The other worker would never end by itself. */
static void a_worker_that_dies_stops_the_others(void **state)
{
	struct libra_error err = {.text = ""};

	points[4].policy = &dies;
	points[5].policy = &hangs;
	assert_int_equal(
		sim_grid_run(&trace, points, N, results, 4, NULL, NULL, &err),
		-1);
	assert_int_equal(errno, EIO);
	assert_contains(err.text, "a worker process died: Killed");
	no_child_is_left();
}

/* In the progress: the workers run, too. */
static void tell_started(void *arg, double done, double total)
{
	if (write(*(int *)arg, "x", 1) != 1)
		_exit(1);
}

/* Every process of the grid holds the pipe open until it ends. */
static void workers_end_with_their_parent(void **state)
{
	int fd[2], started[2];
	char byte;
	pid_t parent;

	for (size_t i = 0; i < N; i++)
		points[i].policy = &hangs;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(pipe(started), 0);
	parent = fork();
	if (parent == 0) {
		close(fd[0]);
		sim_grid_run(&trace, points, N, results, 3, tell_started,
			     &started[1], NULL);
		_exit(0);
	}
	close(fd[1]);
	assert_int_equal(read(started[0], &byte, 1), 1);
	assert_int_equal(kill(parent, SIGKILL), 0);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	alarm(30);
	assert_int_equal(read(fd[0], &byte, 1), 0);
	alarm(0);
	close(fd[0]);
	close(started[0]);
	close(started[1]);
}

struct seen {
	size_t calls, halves;
	double done, total;
};

static void see(void *arg, double done, double total)
{
	struct seen *seen = arg;

	assert_true(done >= seen->done);
	seen->calls++;
	seen->halves += done == floor(done) + 0.5;
	seen->done = done;
	seen->total = total;
}

static void progress_ends_with_all_points(void **state)
{
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct seen seen = {0};

		assert_int_equal(sim_grid_run(&trace, points, N, results,
					      workers, see, &seen, NULL),
				 0);
		assert_true(seen.calls > 0);
		assert_true(seen.done == 15 && seen.total == 15);
		/* In this process each report is seen. */
		assert_true(workers > 1 || seen.halves == 15);
	}
}

static void nothing_to_do_is_done(void **state)
{
	assert_int_equal(
		sim_grid_run(&trace, points, 0, NULL, 4, NULL, NULL, NULL), 0);
}

/* Over the seeds of a cell. */
static struct study_stat stat_of(const struct study *s, size_t cell,
				 const struct sim_result_column *column)
{
	double values[3];

	for (size_t i = 0; i < 3; i++)
		values[i] = sim_result_value(study_result(s, cell, i), column);
	return study_stat_of(values, 3);
}

/* Seeds 1, 2, 4 make 1001, 1002, 1004 jobs; a slowdown only even ones. */
static void a_study_gives_means_over_its_seeds(void **state)
{
	static const uint64_t seeds[] = {1, 2, 4};
	const struct sim_result_column *jobs = study_column("submitted");
	const struct sim_result_column *slow = study_column("mean_slowdown");
	struct sim_scenario sc;
	struct study_stat stat;
	struct study s;
	long cell;

	memset(&sc, 0, sizeof(sc));
	sc.arrival_delay = 1;
	study_init(&s, seeds, 3);
	assert_int_equal(study_add(&s, &sc, &b, NULL, NULL), 0);
	cell = study_add(&s, &sc, &a, &quarter, NULL);
	assert_int_equal(cell, 1);
	s.results = calloc(s.ncells * s.nseeds, sizeof(*s.results));
	assert_int_equal(sim_grid_run(&trace, s.points, s.ncells * s.nseeds,
				      s.results, 1, NULL, NULL, NULL),
			 0);
	stat = stat_of(&s, (size_t)cell, jobs);
	assert_int_equal(stat.n, 3);
	assert_near(stat.mean, 3007 / 3.0, 1e-9);
	/* ((4/3)^2 + (1/3)^2 + (5/3)^2) / 2 = 42 / 18 */
	assert_near(stat.sd, sqrt(42 / 18.0), 1e-9);
	stat = stat_of(&s, (size_t)cell, slow);
	assert_int_equal(stat.n, 2);
	assert_near(stat.mean, 3, 0);
	assert_near(stat.sd, 0, 0);
	assert_int_equal(study_result(&s, 1, 2)->submitted, 1004);
	assert_null(study_column("no_such_column"));
	assert_int_equal(errno, ENOENT);
	study_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			equal_points_run_once_and_share_workloads, fill),
		cmocka_unit_test_setup(
			results_are_the_same_for_any_number_of_workers, fill),
		cmocka_unit_test_setup(
			a_point_that_fails_is_told_and_nothing_changes, fill),
		cmocka_unit_test_setup(a_workload_that_cannot_be_made_is_told,
				       fill),
		cmocka_unit_test_setup(a_worker_that_dies_stops_the_others,
				       fill),
		cmocka_unit_test_setup(workers_end_with_their_parent, fill),
		cmocka_unit_test_setup(progress_ends_with_all_points, fill),
		cmocka_unit_test_setup(nothing_to_do_is_done, fill),
		cmocka_unit_test(a_study_gives_means_over_its_seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
