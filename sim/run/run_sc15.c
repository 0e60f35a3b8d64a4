/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_sc15.c - the order of events of SC 2015.
 *
 * The engine sees an end early where the processors of a job count as free
 * before the job itself is gone: it departs with the submissions, is learnt
 * from and followed by a pass in its turn.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/run/events.h"

/* A job that ends at this instant. */
struct due {
	uint64_t ticket;
	uint32_t index;
	bool departed;
};

struct dues {
	struct due *list; /* in order of starts */
	size_t n, cap;
};

/* Append a job that ends at this instant. */
static int add_due(struct dues *dues, struct due due)
{
	struct due *list =
		sim_grown(dues->list, &dues->cap, dues->n + 1, sizeof(*list));

	if (!list)
		return -1;
	dues->list = list;
	dues->list[dues->n++] = due;
	return 0;
}

/* List the jobs that end now, and free the processors of jobs that were
 * predicted to end now.
 */
static int note_ends(struct sim_run *r, struct dues *dues,
		     struct libra_error *err)
{
	const struct evq_event *end;
	double now_s = r->exec.now_s;

	dues->n = 0;
	while ((end = evq_top(&r->exec.ends)) && end->at_s <= now_s) {
		uint32_t slot = end->id;
		struct due due = {
			.ticket = libra_engine_ticket(r->engine, slot),
			.index = r->job_of[slot],
		};
		const struct libra_job *job =
			libra_engine_job(r->engine, due.ticket);

		due.departed =
			r->outcomes[due.index].start_s + job->estimate_s <=
			now_s;
		if (due.departed)
			libra_engine_departed(r->engine, due.ticket, now_s);
		evq_drop(&r->exec.ends, slot);
		sim_predict_ended(&r->predict, slot);
		if (add_due(dues, due) < 0)
			return sim_no_memory(err);
	}
	return 0;
}

static int schedule(struct sim_run *r, struct libra_error *err)
{
	libra_engine_schedule(r->engine, r->exec.now_s);
	return sim_run_carry_out(r, err);
}

/* Without a predictor only a job that fits is followed by a pass. */
static int arrivals(struct sim_run *r, struct libra_error *err)
{
	const struct sim_workload *w = r->w;

	while (r->next < w->njobs &&
	       w->jobs[r->next].job.submit_s <= r->exec.now_s) {
		uint32_t nprocs = w->jobs[r->next].job.nprocs;

		if (sim_run_offer(r, err) < 0)
			return -1;
		if ((r->predict.predictor != SIM_PREDICT_REQUESTED ||
		     nprocs <= libra_engine_free_procs(r->engine)) &&
		    schedule(r, err) < 0)
			return -1;
	}
	return 0;
}

/* End jobs in order of starts, each followed by a schedule. */
static int departures(struct sim_run *r, const struct dues *dues,
		      struct libra_error *err)
{
	for (size_t i = 0; i < dues->n; i++) {
		const struct due *due = &dues->list[i];

		if (!due->departed)
			libra_engine_departed(r->engine, due->ticket,
					      r->exec.now_s);
		sim_run_finish(r, due->index);
		if (r->full)
			return sim_no_memory(err);
		if (schedule(r, err) < 0)
			return -1;
	}
	return 0;
}

/* A prediction that is over is corrected there and then: a job that ends later
 * on must not count as one that was expected to.
 */
static double next_s(struct sim_run *r)
{
	const struct evq_event *over = evq_top(&r->predict.over);

	return fmin(sim_run_next_s(r), over ? over->at_s : INFINITY);
}

int sim_run_sc15(struct sim_run *r, struct libra_error *err)
{
	struct dues dues = {NULL};
	int rc = 0;

	if (r->mode != LIBRA_SPACE)
		return libra_errf(err, EINVAL,
				  "the event order sc15 is for policies that "
				  "queue jobs for processors of their own: "
				  "%s is none of them",
				  libra_engine_policy(r->engine)->name);
	if (r->w->capacity)
		return libra_errf(err, EINVAL,
				  "the event order sc15 has no processors that "
				  "come and go: leave out --capacity");
	while (rc == 0) {
		r->exec.now_s = next_s(r);
		if (r->exec.now_s == INFINITY)
			break;
		if (note_ends(r, &dues, err) < 0)
			rc = -1;
		else if (sim_run_correct(r, 0) < 0)
			rc = sim_no_memory(err);
		else if (arrivals(r, err) < 0 || departures(r, &dues, err) < 0)
			rc = -1;
	}
	free(dues.list);
	return rc;
}
