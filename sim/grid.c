/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.c - points to batches, batches to workers, results to the caller.
 *
 * The points are sorted so that equal ones and those of one scenario are
 * neighbours.  A batch is all different points of one scenario; a worker takes
 * the next batch, makes its workload once and runs its policies.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/grid.h"
#include "sim/run.h"

#define POLL_MS 100

/* Shared by all workers. */
struct board {
	atomic_size_t next;  /* the next batch to take */
	atomic_size_t done;  /* points that are finished */
	atomic_flag failing; /* taken by the first that fails */
	atomic_bool failed;  /* its text is complete */
	int code;	     /* errno of the failure */
	struct libra_error error;
	struct sim_result results[]; /* of each different point */
};

struct grid {
	const struct swf_trace *trace;
	const struct sim_point *points;
	size_t n;
	size_t *order;	/* points, sorted */
	size_t *unique; /* first of its equals, as index into order */
	size_t nunique;
	size_t *batch; /* first of each batch, as index into unique; + end */
	size_t nbatches;
	struct board *board;
	size_t board_size;
};

static int scenario_cmp(const struct sim_scenario *a,
			const struct sim_scenario *b)
{
	return memcmp(a, b, sizeof(*a));
}

static double param_value(const struct sim_point *p, size_t i)
{
	return p->params ? p->params[i] : p->policy->params[i].value;
}

static int point_cmp(const struct sim_point *a, const struct sim_point *b)
{
	int c = scenario_cmp(&a->scenario, &b->scenario);

	if (c == 0)
		c = strcmp(a->policy->name, b->policy->name);
	for (size_t i = 0; c == 0 && i < a->policy->nparams; i++) {
		double x = param_value(a, i), y = param_value(b, i);

		c = (x > y) - (x < y);
	}
	return c;
}

/* Equal points keep the order of the caller. */
static int order_cmp(const void *a, const void *b, void *arg)
{
	const struct sim_point *points = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int c = point_cmp(&points[i], &points[j]);

	return c ? c : (i > j) - (i < j);
}

static const struct sim_point *unique_point(const struct grid *g, size_t u)
{
	return &g->points[g->order[g->unique[u]]];
}

static void find_batches(struct grid *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct sim_point *p = &g->points[g->order[i]];
		const struct sim_point *last =
			g->nunique ? unique_point(g, g->nunique - 1) : NULL;

		if (last && point_cmp(last, p) == 0)
			continue;
		if (!last || scenario_cmp(&last->scenario, &p->scenario))
			g->batch[g->nbatches++] = g->nunique;
		g->unique[g->nunique++] = i;
	}
	g->batch[g->nbatches] = g->nunique;
}

static int grid_init(struct grid *g, struct libra_error *err)
{
	void *map;

	g->order = calloc(g->n, sizeof(*g->order));
	g->unique = calloc(g->n, sizeof(*g->unique));
	g->batch = calloc(g->n + 1, sizeof(*g->batch));
	if (!g->order || !g->unique || !g->batch)
		return libra_errf(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < g->n; i++)
		g->order[i] = i;
	qsort_r(g->order, g->n, sizeof(*g->order), order_cmp,
		(void *)g->points);
	find_batches(g);

	g->board_size =
		sizeof(*g->board) + g->nunique * sizeof(g->board->results[0]);
	map = mmap(NULL, g->board_size, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return libra_errf(err, ENOMEM, "out of memory");
	g->board = map;
	atomic_flag_clear(&g->board->failing);
	return 0;
}

static void grid_fini(struct grid *g)
{
	int saved = errno;

	if (g->board)
		munmap(g->board, g->board_size);
	free(g->order);
	free(g->unique);
	free(g->batch);
	errno = saved;
}

/* The first failure is the one to be told. */
static void board_fail(struct board *b, const struct sim_point *p, int code,
		       const struct libra_error *why)
{
	if (atomic_flag_test_and_set(&b->failing))
		return;
	b->code = code;
	libra_errf(&b->error, code, "%s, seed %llu: %s", p->policy->name,
		   (unsigned long long)p->scenario.seed,
		   why->text[0] ? why->text : strerror(code));
	atomic_store(&b->failed, true);
}

/* A worker may have died while it wrote its text. */
static int board_error(const struct board *b, struct libra_error *err)
{
	if (b->code == 0 || b->error.text[0] == '\0')
		return libra_errf(err, EIO, "a worker process died");
	return libra_errf(err, b->code, "%s", b->error.text);
}

static void run_batch(const struct grid *g, size_t batch)
{
	struct libra_error why = {.text = ""};
	size_t u = g->batch[batch], end = g->batch[batch + 1];
	const struct sim_point *p = unique_point(g, u);
	struct sim_workload w;

	if (sim_workload_make(&w, g->trace, &p->scenario, &why) < 0) {
		board_fail(g->board, p, errno, &why);
		return;
	}
	for (; u < end && !atomic_load(&g->board->failed); u++) {
		p = unique_point(g, u);
		if (sim_run(&w, p->policy, p->params, &g->board->results[u],
			    NULL, &why) < 0)
			board_fail(g->board, p, errno, &why);
		else
			atomic_fetch_add(&g->board->done, 1);
	}
	sim_workload_fini(&w);
}

/* Take the next batch and run it.  Result: false if nothing is left to do. */
static bool work(const struct grid *g)
{
	size_t batch;

	if (atomic_load(&g->board->failed))
		return false;
	batch = atomic_fetch_add(&g->board->next, 1);
	if (batch >= g->nbatches)
		return false;
	run_batch(g, batch);
	return true;
}

static void run_here(const struct grid *g, sim_progress_f *progress, void *arg)
{
	while (work(g))
		if (progress)
			progress(arg, atomic_load(&g->board->done), g->nunique);
}

/* A worker must not outlive its parent, however that one ends. */
_Noreturn static void worker_main(const struct grid *g, pid_t parent)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	while (work(g))
		;
	_exit(0);
}

/* Start up to n workers; their end is seen as the end of the pipe.
 * Result: how many were started.
 */
static size_t start_workers(const struct grid *g, pid_t *pid, size_t n,
			    int *end_fd)
{
	pid_t parent = getpid();
	int fd[2];
	size_t started = 0;

	if (pipe(fd) < 0)
		return 0;
	for (; started < n; started++) {
		pid[started] = fork();
		if (pid[started] == 0) {
			close(fd[0]);
			worker_main(g, parent);
		}
		if (pid[started] < 0)
			break;
	}
	close(fd[1]);
	*end_fd = fd[0];
	return started;
}

/* Wait for one worker.
 * Result: false if it still runs (only without wait); a bad end is noted.
 */
static bool reap(pid_t *pid, bool wait, struct board *b)
{
	int status;
	pid_t got;

	if (*pid == 0)
		return true;
	do
		got = waitpid(*pid, &status, wait ? 0 : WNOHANG);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return false;
	*pid = 0;
	if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (!atomic_flag_test_and_set(&b->failing)) {
		b->code = EIO;
		libra_errf(&b->error, EIO, "a worker process died: %s",
			   got > 0 && WIFSIGNALED(status)
				   ? strsignal(WTERMSIG(status))
				   : "it exited early");
	}
	atomic_store(&b->failed, true);
	return true;
}

/* Watch the workers until all are gone; stop them if one of them failed. */
static void attend(const struct grid *g, pid_t *pid, size_t n, int end_fd,
		   sim_progress_f *progress, void *arg)
{
	size_t left = n;

	while (left > 0 && !atomic_load(&g->board->failed)) {
		struct pollfd end = {.fd = end_fd, .events = POLLIN};
		bool ended = poll(&end, 1, POLL_MS) > 0;

		left = 0;
		for (size_t i = 0; i < n; i++)
			left += !reap(&pid[i], ended, g->board);
		if (progress)
			progress(arg, atomic_load(&g->board->done), g->nunique);
	}
	for (size_t i = 0; i < n; i++)
		if (pid[i] > 0)
			kill(pid[i], SIGKILL);
	for (size_t i = 0; i < n; i++)
		reap(&pid[i], true, g->board);
}

static int run_forked(const struct grid *g, size_t nworkers,
		      sim_progress_f *progress, void *arg,
		      struct libra_error *err)
{
	pid_t *pid = calloc(nworkers, sizeof(*pid));
	int end_fd = -1;
	size_t started;

	if (!pid)
		return libra_errf(err, ENOMEM, "out of memory");
	started = start_workers(g, pid, nworkers, &end_fd);
	if (started > 0)
		attend(g, pid, started, end_fd, progress, arg);
	else
		run_here(g, progress, arg);
	if (end_fd >= 0)
		close(end_fd);
	free(pid);
	return 0;
}

/* Each point gets the result of the first of its equals. */
static void hand_out(const struct grid *g, struct sim_result *results)
{
	for (size_t u = 0; u < g->nunique; u++) {
		size_t end = u + 1 < g->nunique ? g->unique[u + 1] : g->n;

		for (size_t i = g->unique[u]; i < end; i++)
			results[g->order[i]] = g->board->results[u];
	}
}

int sim_grid_run(const struct swf_trace *trace, const struct sim_point *points,
		 size_t n, struct sim_result *results, unsigned nworkers,
		 sim_progress_f *progress, void *arg, struct libra_error *err)
{
	struct grid g = {.trace = trace, .points = points, .n = n};
	int rc;

	if (n == 0)
		return 0;
	rc = grid_init(&g, err);
	if (rc == 0 && nworkers > g.nbatches)
		nworkers = (unsigned)g.nbatches;
	if (rc == 0 && nworkers > 1)
		rc = run_forked(&g, nworkers, progress, arg, err);
	else if (rc == 0)
		run_here(&g, progress, arg);
	if (rc == 0 && atomic_load(&g.board->failed))
		rc = board_error(g.board, err);
	if (rc == 0)
		hand_out(&g, results);
	grid_fini(&g);
	return rc;
}
