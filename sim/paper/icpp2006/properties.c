/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * properties.c - what needs no designs: the workloads made of the log (L8 to
 * L13), and the formulas (L14 to L18), which are asked of the core itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

#include "core/engine.h"
#include "core/formula/risk.h"
#include "core/formula/share.h"
#include "sim/base/memory.h"
#include "sim/paper/icpp2006/experiment.h"
#include "sim/run/run.h"

static const struct swf_record *chosen(const struct sim_paper_study *s,
				       size_t i)
{
	return &s->source.trace.records[s->source.trace.nrecords -
					(size_t)s->log.records + i];
}

/* ---- the workloads ---- */

/* Mean and sd of a normal distribution (m, sd) that is drawn again until it
 * exceeds 1.
 */
static void redrawn(double m, double sd, double *mean, double *out_sd)
{
	double a = (1 - m) / sd;
	double hazard = gsl_ran_ugaussian_pdf(a) / gsl_cdf_ugaussian_Q(a);

	*mean = m + sd * hazard;
	*out_sd = sd * sqrt(1 + a * hazard - hazard * hazard);
}

/* Add the jobs of one seed to the sums. */
static void add_jobs(struct icpp_jobs *jobs, const struct sim_workload *w,
		     double sum[2], size_t count[2])
{
	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];
		double factor = job->deadline_rel_s / job->runtime_s;

		sum[job->high_urgency] += factor;
		count[job->high_urgency]++;
		jobs->least_factor = fmin(jobs->least_factor, factor);
	}
	jobs->jobs += (double)w->njobs;
	jobs->per_seed = (double)w->njobs;
}

/* What LibraRisk makes of jobs that no other test would take. */
static int measure_beyond(struct icpp_study *s, const struct sim_workload *w,
			  struct libra_error *err)
{
	struct icpp_jobs *jobs = &s->jobs;
	struct sim_outcome *outcome = calloc(w->njobs, sizeof(*outcome));
	double weight = 100.0 / (double)w->njobs / (double)s->paper.run->nseeds;
	struct sim_result result;

	if (!outcome)
		return sim_no_memory(err);
	if (sim_run(w, libra_policy_find("librarisk", NULL), NULL, &result,
		    outcome, err) < 0) {
		free(outcome);
		return -1;
	}
	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];
		bool beyond = job->job.estimate_s > job->deadline_rel_s;

		jobs->beyond_pct += beyond ? weight : 0;
		if (outcome[i].fulfilled && beyond)
			jobs->beyond_fulfilled_pct += weight;
		else if (outcome[i].fulfilled)
			jobs->within_fulfilled_pct += weight;
	}
	free(outcome);
	return 0;
}

/* The low urgency class at another ratio: sum and number of its factors. */
static int low_urgency(const struct icpp_study *s, struct sim_scenario sc,
		       double ratio, double *mean, struct libra_error *err)
{
	struct sim_workload w;
	double sum = 0;
	size_t n = 0;

	sc.deadline_ratio = ratio;
	if (sim_workload_make(&w, &s->paper.source.trace, &sc, err) < 0)
		return -1;
	for (size_t i = 0; i < w.njobs; i++)
		if (!w.jobs[i].high_urgency) {
			sum += w.jobs[i].deadline_rel_s / w.jobs[i].runtime_s;
			n++;
		}
	sim_workload_fini(&w);
	*mean += sum / (double)n;
	return 0;
}

static int measure_classes(struct icpp_study *s, struct libra_error *err)
{
	struct icpp_jobs *jobs = &s->jobs;
	double sum[2] = {0, 0}, low4 = 0, low8 = 0, share;
	size_t count[2] = {0, 0};
	struct sim_scenario sc = s->paper.base;

	for (size_t i = 0; i < s->paper.run->nseeds; i++) {
		struct sim_workload w;
		int rc;

		sc.seed = s->paper.run->seeds[i];
		if (sim_workload_make(&w, &s->paper.source.trace, &sc, err) < 0)
			return -1;
		add_jobs(jobs, &w, sum, count);
		rc = measure_beyond(s, &w, err);
		sim_workload_fini(&w);
		if (rc < 0 || low_urgency(s, sc, 4, &low4, err) < 0 ||
		    low_urgency(s, sc, 8, &low8, err) < 0)
			return -1;
	}
	jobs->ratio8_to_4 = low8 / low4;
	share = (double)count[1] / jobs->jobs;
	jobs->urgent_pct = 100 * share;
	jobs->urgent_off = (share - 0.2) / sqrt(0.2 * 0.8 / jobs->jobs);
	for (int class = 0; class < 2; class ++) {
		double m = sc.deadline_mean * (class ? 1 : sc.deadline_ratio);
		double sd;

		redrawn(m, sc.deadline_cv * m, &jobs->expected[class], &sd);
		jobs->mean[class] = sum[class] / (double)count[class];
		jobs->off[class] = (jobs->mean[class] - jobs->expected[class]) /
				   (sd / sqrt((double)count[class]));
	}
	return 0;
}

/* Two jobs, 600 s apart, at arrival delay 0.1. */
static int measure_600(struct icpp_study *s, struct libra_error *err)
{
	struct swf_record r[2];
	struct swf_trace two = {.records = r, .nrecords = 2, .max_procs = 1};
	struct sim_scenario sc = s->paper.base;
	struct sim_workload w;

	memset(r, 0, sizeof(r));
	for (int i = 0; i < 2; i++) {
		r[i].number = i + 1;
		r[i].submit_s = 1000 + 600 * i;
		r[i].run_s = r[i].request_s = 10;
		r[i].alloc_procs = r[i].req_procs = 1;
	}
	sc.arrival_delay = 0.1;
	if (sim_workload_make(&w, &two, &sc, err) < 0)
		return -1;
	s->jobs.delay_600_s = w.jobs[1].job.submit_s - w.jobs[0].job.submit_s;
	sim_workload_fini(&w);
	return 0;
}

/* Arrivals at 0.1, and estimates at both ends, job by job. */
static int measure_ends(struct icpp_study *s, struct libra_error *err)
{
	struct sim_scenario exact = s->paper.base, log = s->paper.base;
	struct sim_workload a, b;
	struct icpp_jobs *jobs = &s->jobs;
	size_t r = 0, records = (size_t)s->paper.log.records;

	exact.inaccuracy_pct = 0;
	exact.arrival_delay = 0.1;
	log.inaccuracy_pct = 100;
	if (sim_workload_make(&a, &s->paper.source.trace, &exact, err) < 0)
		return -1;
	if (sim_workload_make(&b, &s->paper.source.trace, &log, err) < 0) {
		sim_workload_fini(&a);
		return -1;
	}
	for (size_t i = 0; i < a.njobs; i++) {
		const struct sim_job *x = &a.jobs[i], *y = &b.jobs[i];
		double gap = x->job.submit_s - 0.1 * y->job.submit_s;
		double off = x->job.estimate_s - x->runtime_s;
		double request;

		jobs->delay_error_s = fmax(jobs->delay_error_s, fabs(gap));
		jobs->exact_error_s = fmax(jobs->exact_error_s, fabs(off));
		/* The jobs stand in the order of the records, nearly. */
		for (size_t n = 0; n < records; n++, r++)
			if (chosen(&s->paper, r % records)->number ==
			    (int64_t)y->job.id)
				break;
		request = chosen(&s->paper, r % records)->request_s;
		if (request > 0)
			jobs->trace_error_s =
				fmax(jobs->trace_error_s,
				     fabs(y->job.estimate_s - request));
	}
	sim_workload_fini(&a);
	sim_workload_fini(&b);
	return 0;
}

int icpp_measure_jobs(void *study, struct libra_error *err)
{
	struct icpp_study *s = study;

	s->jobs.least_factor = INFINITY;
	if (measure_classes(s, err) < 0 || measure_600(s, err) < 0 ||
	    measure_ends(s, err) < 0)
		return -1;
	return 0;
}

/* ---- the formulas ---- */

void icpp_l14(const struct claim *c, const void *study, struct claim_result *r)
{
	double a = libra_deadline_delay(20, 5),
	       b = libra_deadline_delay(20, 10);

	claim_measured(r, "%.10g and %.10g", a, b);
	claim_formula(r, claim_same(a, 5) && claim_same(b, 3));
}

void icpp_l15(const struct claim *c, const void *study, struct claim_result *r)
{
	double early = libra_deadline_delay(libra_delay_s(90, 100), 50);
	double on_time = libra_deadline_delay(libra_delay_s(100, 100), 50);
	double late = libra_deadline_delay(libra_delay_s(101, 100), 50);

	claim_measured(r, "early %.10g, on time %.10g, 1 s late %.10g", early,
		       on_time, late);
	claim_formula(r, claim_same(early, 1) && claim_same(on_time, 1) &&
				 late > 1);
}

void icpp_l16(const struct claim *c, const void *study, struct claim_result *r)
{
	static const double two[] = {5, 3}, four[] = {1, 1, 1, 2.385};
	const double one[] = {17.25};
	double a = libra_risk(two, 2), b = libra_risk(four, 4);
	/* One of four differs by x: sqrt(3) / 4 of x. */
	double expected = sqrt(3) / 4 * 1.385;

	claim_measured(r,
		       "of 5 and 3: %.10g; of 1, 1, 1, 2.385: %.10g; of one "
		       "delayed job: %.10g",
		       a, b, libra_risk(one, 1));
	claim_formula(r, claim_same(a, 1) && claim_same(b, expected) &&
				 libra_risk(one, 1) == 0);
}

/* An engine of single processors, or NULL. */
static struct libra_engine *engine_of(const char *policy, uint32_t nnodes)
{
	static const uint32_t one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	struct libra_engine_conf conf = {
		.policy = libra_policy_find(policy, NULL),
		.node_procs = one,
		.nnodes = nnodes,
		.offer_ttl_s = INFINITY,
	};

	return conf.policy ? libra_engine_create(&conf, NULL) : NULL;
}

/* Submit a job at instant 0 and start it.
 * Result: its ticket, 0 if it was refused.
 */
static uint64_t submit(struct libra_engine *e, uint32_t nprocs,
		       double estimate_s, double deadline_s)
{
	struct libra_job job = {.estimate_s = estimate_s,
				.deadline_s = deadline_s,
				.nprocs = nprocs};
	struct libra_verdict v;
	struct libra_action action;

	if (!e || libra_engine_offer(e, &job, 0, &v, NULL) < 0 ||
	    v.answer != LIBRA_ACCEPT)
		return 0;
	libra_engine_commit(e, v.ticket, v.ticket, 0);
	while (libra_engine_next_action(e, &action))
		if (action.kind == LIBRA_ACTION_START)
			libra_engine_started(e, action.ticket, 0);
	return v.ticket;
}

void icpp_l17(const struct claim *c, const void *study, struct claim_result *r)
{
	struct libra_engine *e = engine_of("libra", 1);
	double share = libra_share(30, 0.5, 100, 20);
	/* 0.375 + 0.5 + 0.125 = 1 fits, and then nothing more does. */
	bool a = submit(e, 1, 37.5, 100), b = submit(e, 1, 100, 200);
	bool fits = submit(e, 1, 10, 80), over = submit(e, 1, 1e-3, 1000);

	claim_measured(r,
		       "30 s of work in 80 s: %.10g; with 0.375 + 0.5 on the "
		       "processor 0.125 is %s, then 1e-6 more %s",
		       share, fits ? "accepted" : "refused",
		       over ? "accepted" : "refused");
	claim_formula(r, claim_same(share, 0.375) && a && b && fits && !over);
	libra_engine_destroy(e);
}

/* The first processor and the number of ranges of a placement. */
static long placed_at(struct libra_engine *e, uint64_t ticket, uint32_t nprocs)
{
	struct libra_range range;

	if (!ticket || libra_engine_placement(e, ticket, &range, 1) != 1 ||
	    range.count != nprocs)
		return -1;
	return range.first;
}

void icpp_l18(const struct claim *c, const void *study, struct claim_result *r)
{
	struct libra_engine *e = engine_of("librarisk", 4);
	/* 0.9 on processor 0; 0.75 does not fit beside it, 0.01 does; then
	 * 0.12 fits on 1 to 3, not on 0. */
	long a = placed_at(e, submit(e, 1, 90, 100), 1);
	long b = placed_at(e, submit(e, 2, 150, 200), 2);
	long d = placed_at(e, submit(e, 1, 10, 1000), 1);
	long f = placed_at(e, submit(e, 3, 60, 500), 3);

	claim_measured(r,
		       "4 processors: shares 0.9 x 1, 0.75 x 2, 0.01 x 1, 0.12 "
		       "x 3 begin at processors %ld, %ld, %ld, %ld",
		       a, b, d, f);
	claim_formula(r, a == 0 && b == 1 && d == 0 && f == 1);
	libra_engine_destroy(e);
}
