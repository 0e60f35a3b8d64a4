/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * properties.c - numbers that need no designs: of the workloads made of the log
 * (L8 to L13), and of the formulas (L14 to L18), asked of the core itself.
 */
#include <errno.h>
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

/* Jobs of all seeds; by urgency, low and high: how many, and the sum of their
 * deadline / run time.
 */
struct jobs {
	size_t n, count[2];
	double sum[2];
	double low4, low8; /* sums of low urgency means at ratio 4 and 8 */
	double least_factor;
	/* Jobs whose estimate is longer than their deadline, in % of all:
	 * how many there are, how many of them LibraRisk fulfils, and how
	 * many of the others.
	 */
	double beyond_pct, beyond_fulfilled_pct, within_fulfilled_pct;
};

/* Add the jobs of one seed to the sums. */
static void add_jobs(struct jobs *jobs, const struct sim_workload *w)
{
	for (size_t i = 0; i < w->njobs; i++) {
		const struct sim_job *job = &w->jobs[i];
		double factor = job->deadline_rel_s / job->runtime_s;

		jobs->sum[job->high_urgency] += factor;
		jobs->count[job->high_urgency]++;
		jobs->least_factor = fmin(jobs->least_factor, factor);
	}
	jobs->n += w->njobs;
}

/* Count jobs whose estimate exceeds their deadline, and how many LibraRisk
 * fulfils. */
static int add_beyond(struct jobs *jobs, const struct sim_workload *w,
		      size_t nseeds, struct libra_error *err)
{
	struct sim_outcome *outcome = calloc(w->njobs, sizeof(*outcome));
	double weight = 100.0 / (double)w->njobs / (double)nseeds;
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

/* Add the mean factor of the low urgency class at another ratio. */
static int add_low(const struct sim_paper_study *s, struct sim_scenario sc,
		   double ratio, double *mean, struct libra_error *err)
{
	struct jobs jobs = {.n = 0};
	struct sim_workload w;

	sc.deadline_ratio = ratio;
	if (sim_workload_make(&w, &s->source.trace, &sc, err) < 0)
		return -1;
	add_jobs(&jobs, &w);
	sim_workload_fini(&w);
	*mean += jobs.sum[0] / (double)jobs.count[0];
	return 0;
}

/* Add the jobs of one seed to the sums. */
static int add_seed(const struct sim_paper_study *s, uint64_t seed,
		    struct jobs *jobs, struct libra_error *err)
{
	struct sim_scenario sc = s->base;
	struct sim_workload w;
	int rc;

	sc.seed = seed;
	if (sim_workload_make(&w, &s->source.trace, &sc, err) < 0)
		return -1;
	add_jobs(jobs, &w);
	rc = add_beyond(jobs, &w, s->run->nseeds, err);
	sim_workload_fini(&w);
	if (rc == 0)
		rc = add_low(s, sc, 4, &jobs->low4, err);
	return rc == 0 ? add_low(s, sc, 8, &jobs->low8, err) : -1;
}

/* Deadline / run time of a class, beside the expectation, and how far off in
 * standard errors.
 */
static void set_class(struct sim_paper_study *s, const struct jobs *jobs,
		      bool high)
{
	static const char *const names[2][3] = {
		{"low_mean", "low_expected", "low_off"},
		{"high_mean", "high_expected", "high_off"}};
	double m = s->base.deadline_mean * (high ? 1 : s->base.deadline_ratio);
	double n = (double)jobs->count[high], mean = jobs->sum[high] / n;
	double expected, sd;

	redrawn(m, s->base.deadline_cv * m, &expected, &sd);
	sim_paper_set(s, names[high][0], mean);
	sim_paper_set(s, names[high][1], expected);
	sim_paper_set(s, names[high][2], (mean - expected) / (sd / sqrt(n)));
}

/* Measure the classes of urgency over all seeds. */
static int measure_classes(struct sim_paper_study *s, struct libra_error *err)
{
	struct jobs jobs = {.least_factor = INFINITY};
	double share;

	for (size_t i = 0; i < s->run->nseeds; i++)
		if (add_seed(s, s->run->seeds[i], &jobs, err) < 0)
			return -1;
	share = (double)jobs.count[1] / (double)jobs.n;
	sim_paper_set(s, "drawn", (double)jobs.n);
	sim_paper_set(s, "per_seed", (double)(jobs.n / s->run->nseeds));
	sim_paper_set(s, "urgent_pct", 100 * share);
	sim_paper_set(s, "urgent_off", /* from 20 %, in standard errors */
		      (share - 0.2) / sqrt(0.2 * 0.8 / (double)jobs.n));
	set_class(s, &jobs, false);
	set_class(s, &jobs, true);
	sim_paper_set(s, "ratio8_to_4", jobs.low8 / jobs.low4);
	sim_paper_set(s, "least_factor", jobs.least_factor);
	sim_paper_set(s, "beyond_pct", jobs.beyond_pct);
	sim_paper_set(s, "beyond_fulfilled_pct", jobs.beyond_fulfilled_pct);
	sim_paper_set(s, "within_fulfilled_pct", jobs.within_fulfilled_pct);
	return 0;
}

/* Two jobs, 600 s apart, at arrival delay 0.1. */
static int measure_600(struct sim_paper_study *s, struct libra_error *err)
{
	struct swf_record r[2];
	struct swf_trace two = {.records = r, .nrecords = 2, .max_procs = 1};
	struct sim_scenario sc = s->base;
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
	sim_paper_set(s, "delay_600_s",
		      w.jobs[1].job.submit_s - w.jobs[0].job.submit_s);
	sim_workload_fini(&w);
	return 0;
}

/* Return the estimate of a record; 0 or less if the log has none. */
static double request_of(const struct swf_trace *trace, size_t last,
			 uint64_t number)
{
	size_t i = trace->nrecords > last ? trace->nrecords - last : 0;

	while (i < trace->nrecords &&
	       trace->records[i].number != (int64_t)number)
		i++;
	return i < trace->nrecords ? trace->records[i].request_s : 0;
}

/* Arrivals at 0.1, and estimates at both ends, job by job. */
static int measure_ends(struct sim_paper_study *s, struct libra_error *err)
{
	struct sim_scenario exact = s->base, log = s->base;
	double delay_error_s = 0, exact_error_s = 0, trace_error_s = 0;
	struct sim_workload a, b;

	exact.inaccuracy_pct = 0;
	exact.arrival_delay = 0.1;
	log.inaccuracy_pct = 100;
	if (sim_workload_make(&a, &s->source.trace, &exact, err) < 0)
		return -1;
	if (sim_workload_make(&b, &s->source.trace, &log, err) < 0) {
		sim_workload_fini(&a);
		return -1;
	}
	for (size_t i = 0; i < a.njobs; i++) {
		const struct sim_job *x = &a.jobs[i], *y = &b.jobs[i];
		double gap = x->job.submit_s - 0.1 * y->job.submit_s;
		double off = x->job.estimate_s - x->runtime_s;
		double request =
			request_of(&s->source.trace, s->base.last, y->job.id);

		delay_error_s = fmax(delay_error_s, fabs(gap));
		exact_error_s = fmax(exact_error_s, fabs(off));
		if (request > 0)
			trace_error_s = fmax(trace_error_s,
					     fabs(y->job.estimate_s - request));
	}
	sim_workload_fini(&a);
	sim_workload_fini(&b);
	sim_paper_set(s, "delay_error_s", delay_error_s);
	sim_paper_set(s, "exact_error_s", exact_error_s);
	sim_paper_set(s, "trace_error_s", trace_error_s);
	return 0;
}

/* ---- the formulas ---- */

/* Compute the formulas of the core on the paper's examples. */
static void measure_formulas(struct sim_paper_study *s)
{
	static const double two[] = {5, 3}, four[] = {1, 1, 1, 2.385};
	static const double one[] = {17.25};

	sim_paper_set(s, "delay_20_5", libra_deadline_delay(20, 5));
	sim_paper_set(s, "delay_20_10", libra_deadline_delay(20, 10));
	sim_paper_set(s, "delay_early",
		      libra_deadline_delay(libra_delay_s(90, 100), 50));
	sim_paper_set(s, "delay_on_time",
		      libra_deadline_delay(libra_delay_s(100, 100), 50));
	sim_paper_set(s, "delay_late",
		      libra_deadline_delay(libra_delay_s(101, 100), 50));
	sim_paper_set(s, "risk_two", libra_risk(two, 2));
	sim_paper_set(s, "risk_four", libra_risk(four, 4));
	/* One of four differs by x: sqrt(3) / 4 of x. */
	sim_paper_set(s, "risk_expected", sqrt(3) / 4 * 1.385);
	sim_paper_set(s, "risk_one", libra_risk(one, 1));
	sim_paper_set(s, "share_30_in_80", libra_share(30, 0.5, 100, 20));
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

/* 0.375 + 0.5 + 0.125 = 1 fits, and then nothing more does. */
static void measure_full(struct sim_paper_study *s)
{
	struct libra_engine *e = engine_of("libra", 1);

	sim_paper_set(s, "fits_375", submit(e, 1, 37.5, 100) > 0);
	sim_paper_set(s, "fits_500", submit(e, 1, 100, 200) > 0);
	sim_paper_set(s, "fits_125", submit(e, 1, 10, 80) > 0);
	sim_paper_set(s, "fits_more", submit(e, 1, 1e-3, 1000) > 0);
	libra_engine_destroy(e);
}

/* The first processor of a job that has so many side by side; else -1. */
static long placed_at(struct libra_engine *e, uint64_t ticket, uint32_t nprocs)
{
	struct libra_range range;

	if (!ticket || libra_engine_placement(e, ticket, &range, 1) != 1 ||
	    range.count != nprocs)
		return -1;
	return range.first;
}

/* 0.9 on processor 0; 0.75 does not fit beside it, 0.01 does; then 0.12 fits on
 * 1 to 3, not on 0.
 */
static void measure_places(struct sim_paper_study *s)
{
	struct libra_engine *e = engine_of("librarisk", 4);
	long a = placed_at(e, submit(e, 1, 90, 100), 1);
	long b = placed_at(e, submit(e, 2, 150, 200), 2);
	long c = placed_at(e, submit(e, 1, 10, 1000), 1);
	long d = placed_at(e, submit(e, 3, 60, 500), 3);

	sim_paper_set(s, "place_90", (double)a);
	sim_paper_set(s, "place_75", (double)b);
	sim_paper_set(s, "place_01", (double)c);
	sim_paper_set(s, "place_12", (double)d);
	libra_engine_destroy(e);
}

int icpp_derive(void *study, struct libra_error *err)
{
	measure_formulas(study);
	errno = 0;
	measure_full(study);
	measure_places(study);
	/* An engine without memory answers nothing. */
	if (errno == ENOMEM)
		return sim_no_memory(err);
	if (measure_classes(study, err) < 0 || measure_600(study, err) < 0 ||
	    measure_ends(study, err) < 0)
		return -1;
	return 0;
}
