/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workers.c - processes that take pieces off a common board.
 *
 * The board is memory shared by all workers: the next piece, the progress, the
 * first error and the results.  The caller's process forks the workers and
 * waits for them, drawing the progress.  It copies the results back only if all
 * pieces succeeded.  Each worker holds the write end of a pipe, so its end
 * shows at once; the system kills the workers if the caller dies
 * (PR_SET_PDEATHSIG).
 */
#include "sim/base/workers.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/memory.h"

#define POLL_MS 100

/* A step has so many parts for the progress. */
#define PARTS 1000

/* Shared by all workers. */
struct board {
	atomic_size_t next;  /* the next piece to take */
	atomic_size_t done;  /* parts of steps that are finished */
	atomic_flag failing; /* taken by the first that fails */
	atomic_bool failed;  /* its text is complete */
	int code;	     /* errno of the failure */
	struct libra_error error;
	_Alignas(max_align_t) char results[];
};

/* The state of one process. */
struct sim_workers {
	struct board *board;
	const struct sim_pieces *pieces;
	size_t done;		  /* parts of the step that is under way */
	sim_progress_f *progress; /* in the caller's process, or NULL */
	void *arg;
};

/* Map a board, with the caller's results.  Result: NULL with ENOMEM. */
static struct board *board_create(const struct sim_pieces *pieces,
				  struct libra_error *err)
{
	struct board *b;

	b = mmap(NULL, sizeof(*b) + pieces->size, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED) {
		sim_no_memory(err);
		return NULL;
	}
	atomic_flag_clear(&b->failing);
	if (pieces->size > 0)
		memcpy(b->results, pieces->results, pieces->size);
	return b;
}

/* Unmap the board; keeps errno. */
static void board_destroy(struct board *b, const struct sim_pieces *pieces)
{
	int saved = errno;

	munmap(b, sizeof(*b) + pieces->size);
	errno = saved;
}

/* Only the first failure is reported. */
static void board_fail(struct board *b, int code, const char *text)
{
	if (atomic_flag_test_and_set(&b->failing))
		return;
	b->code = code;
	libra_errf(&b->error, code, "%s", text);
	atomic_store(&b->failed, true);
}

/* A worker may have died while it wrote its text. */
static int board_error(const struct board *b, struct libra_error *err)
{
	if (b->code == 0 || b->error.text[0] == '\0')
		return libra_errf(err, EIO, "a worker process died");
	return libra_errf(err, b->code, "%s", b->error.text);
}

static void show(const struct board *b, const struct sim_pieces *pieces,
		 sim_progress_f *progress, void *arg)
{
	if (progress)
		progress(arg, (double)atomic_load(&b->done) / PARTS,
			 (double)pieces->nsteps);
}

/* So many parts of the step are done now. */
static void set_parts(struct sim_workers *w, size_t parts)
{
	if (parts <= w->done)
		return;
	atomic_fetch_add(&w->board->done, parts - w->done);
	w->done = parts;
	show(w->board, w->pieces, w->progress, w->arg);
}

void sim_workers_part(void *workers, double done, double total)
{
	set_parts(workers, (size_t)(PARTS * fmin(done / total, 1)));
}

bool sim_workers_step(struct sim_workers *w)
{
	set_parts(w, PARTS);
	w->done = 0;
	return !atomic_load(&w->board->failed);
}

/* Take the next piece and do it.  Result: false if nothing is left to do. */
static bool work(struct sim_workers *w)
{
	struct libra_error why = {.text = ""};
	const struct sim_pieces *pieces = w->pieces;
	struct board *b = w->board;
	size_t piece;

	if (atomic_load(&b->failed))
		return false;
	piece = atomic_fetch_add(&b->next, 1);
	if (piece >= pieces->n)
		return false;
	if (pieces->run(w, pieces->arg, piece, b->results, &why) < 0)
		board_fail(b, errno, why.text[0] ? why.text : strerror(errno));
	return true;
}

/* Do all pieces in this process. */
static void run_here(struct board *b, const struct sim_pieces *pieces,
		     sim_progress_f *progress, void *arg)
{
	struct sim_workers w = {b, pieces, 0, progress, arg};

	while (work(&w))
		;
}

/* A worker must not outlive its parent, however that one ends. */
_Noreturn static void worker_main(struct board *b,
				  const struct sim_pieces *pieces, pid_t parent)
{
	struct sim_workers w = {b, pieces, 0, NULL, NULL};

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	while (work(&w))
		;
	_exit(0);
}

/* Start up to n workers; the end of a worker shows as the end of its pipe.
 * Result: how many were started.
 */
static size_t start_workers(struct board *b, const struct sim_pieces *pieces,
			    pid_t *pid, size_t n, int *end_fd)
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
			worker_main(b, pieces, parent);
		}
		if (pid[started] < 0)
			break;
	}
	close(fd[1]);
	*end_fd = fd[0];
	return started;
}

/* Wait for one worker.
 * Result: false if it still runs (only without wait); a failure is recorded.
 */
static bool reap(pid_t *pid, bool wait, struct board *b)
{
	struct libra_error why = {.text = ""};
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
	libra_errf(&why, EIO, "a worker process died: %s",
		   got > 0 && WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
						  : "it exited early");
	board_fail(b, EIO, why.text);
	/* Also if it died while it wrote its own text. */
	atomic_store(&b->failed, true);
	return true;
}

/* Watch the workers until all are gone; stop them if one of them failed. */
static void attend(struct board *b, const struct sim_pieces *pieces, pid_t *pid,
		   size_t n, int end_fd, sim_progress_f *progress, void *arg)
{
	size_t left = n;

	while (left > 0 && !atomic_load(&b->failed)) {
		struct pollfd end = {.fd = end_fd, .events = POLLIN};
		bool ended = poll(&end, 1, POLL_MS) > 0;

		left = 0;
		for (size_t i = 0; i < n; i++)
			left += !reap(&pid[i], ended, b);
		show(b, pieces, progress, arg);
	}
	for (size_t i = 0; i < n; i++)
		if (pid[i] > 0)
			kill(pid[i], SIGKILL);
	for (size_t i = 0; i < n; i++)
		reap(&pid[i], true, b);
}

/* Fork the workers and wait for all of them.  If not one can be forked, do the
 * pieces here.  Result: -1 with ENOMEM; failures are on the board.
 */
static int run_forked(struct board *b, const struct sim_pieces *pieces,
		      size_t nworkers, sim_progress_f *progress, void *arg,
		      struct libra_error *err)
{
	pid_t *pid = calloc(nworkers, sizeof(*pid));
	int end_fd = -1;
	size_t started;

	if (!pid)
		return sim_no_memory(err);
	started = start_workers(b, pieces, pid, nworkers, &end_fd);
	if (started > 0)
		attend(b, pieces, pid, started, end_fd, progress, arg);
	else
		run_here(b, pieces, progress, arg);
	if (end_fd >= 0)
		close(end_fd);
	free(pid);
	return 0;
}

int sim_workers_run(const struct sim_pieces *pieces, unsigned nworkers,
		    sim_progress_f *progress, void *arg,
		    struct libra_error *err)
{
	struct board *b = board_create(pieces, err);
	int rc = 0;

	if (!b)
		return -1;
	if (nworkers > pieces->n)
		nworkers = (unsigned)pieces->n;
	if (nworkers > 1)
		rc = run_forked(b, pieces, nworkers, progress, arg, err);
	else
		run_here(b, pieces, progress, arg);
	if (rc == 0 && atomic_load(&b->failed))
		rc = board_error(b, err);
	if (rc == 0 && pieces->size > 0)
		memcpy(pieces->results, b->results, pieces->size);
	board_destroy(b, pieces);
	return rc;
}
