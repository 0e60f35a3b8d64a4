/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth.c - records drawn after the statistics of a log.
 *
 * All tables describe the last 3000 records of the cleaned SDSC SP2 log
 * (SDSC-SP2-1998-4.2-cln of the Parallel Workloads Archive), by counts and
 * quantiles, rounded; unusual values count as their nearest neighbour.  The
 * method:
 *
 *  - Users come in sessions: the next job is from the same user, soon, and
 *    often of the same size and estimate.  Each record gets normal scores for
 *    estimate, size and accuracy that have these correlations.
 *  - Scores become values by rank: the k-th smallest score takes the k-th
 *    smallest value of the table.  So the distributions are exact in
 *    every trace, and only the combination of values is random.
 *  - Gaps are drawn in a time that runs fast by day and slowly by night and at
 *    weekends, and stretched to the mean.  Run times are stretched to theirs,
 *    but not beyond the estimate.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "sim/base/memory.h"
#include "sim/base/rng.h"
#include "sim/log/synth.h"

enum {
	NRECORDS = 3000,
	NPROCS = 128,
	NUSERS = 97,
	NUNRUN = 278, /* cancelled before they started */
};

#define MEAN_GAP_S 2131.14
#define MEAN_RUN_S 8880.12 /* a record that never ran counts as -1 */

/* Sessions. */
#define STAY_P		0.40 /* the next record is from the same user */
#define SAME_ESTIMATE_P 0.79 /* if so */
#define SAME_SIZE_P	0.72
#define ESTIMATE_SIZE_R 0.53 /* correlation of their scores */
#define ACCURACY_R	0.60 /* from record to record of a session */

/* Weibull gaps in a session and between sessions: scale, shape; and how much
 * short gaps follow short ones.
 */
#define STAY_GAP_S  310
#define STAY_SHAPE  0.50
#define OTHER_GAP_S 2214
#define OTHER_SHAPE 0.66
#define GAP_R	    0.55

/* Submissions per hour of the day, and per day of a week that begins on a
 * Wednesday, both relative to the mean.
 */
static const double hour_weight[24] = {
	0.65, 0.5, 0.4,	 0.25, 0.2, 0.35, 0.6,	1.1,  1.4,  1.2,  1.5,	1.65,
	1.2,  1.6, 1.85, 2.0,  1.6, 0.95, 0.75, 0.95, 1.25, 0.85, 0.75, 0.6,
};

static const double day_weight[7] = {1.4, 1.05, 0.9, 0.55, 0.65, 1.2, 1.25};

/* Value and weight, in order of the values. */
struct weighted {
	double value, weight;
};

static const struct weighted estimates[] = {
	{120, 15},   {300, 62},	  {600, 66},   {900, 8},    {1200, 35},
	{1500, 11},  {1800, 43},  {2400, 18},  {3600, 126}, {5400, 25},
	{7200, 126}, {9000, 5},	  {10800, 44}, {14400, 41}, {18000, 15},
	{21600, 28}, {25200, 16}, {28800, 23}, {36000, 18}, {43200, 118},
	{54000, 10}, {64800, 149}};

static const struct weighted sizes[] = {
	{1, 166}, {2, 72},  {3, 33},  {4, 154},	 {5, 12},  {6, 18},
	{7, 10},  {8, 77},  {10, 32}, {12, 32},	 {14, 11}, {16, 77},
	{20, 18}, {24, 36}, {25, 16}, {27, 7},	 {30, 11}, {32, 81},
	{40, 4},  {48, 6},  {50, 13}, {64, 109}, {96, 3},  {128, 4}};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Quantiles of run time / estimate of the records that ran, by estimate; in
 * between interpolated in the logarithm, and 1 where the overruns begin.
 */
static const double levels[] = {0, .05, .1, .2, .3, .4, .5, .6, .75, .85};

static const struct accuracy {
	double max_estimate_s;
	double overrun; /* share of the jobs that exceed their estimate */
	double ratio[COUNT(levels)];
} accuracies[] = {
	{600, 0.078, {.04, .057, .08, .09, .11, .13, .18, .21, .36, .53}},
	{1800, 0.040, {.012, .016, .019, .034, .064, .15, .22, .28, .34, .46}},
	{3600,
	 0.068,
	 {.006, .009, .011, .016, .028, .034, .053, .11, .30, .63}},
	{7200, 0.114, {.003, .005, .008, .025, .12, .16, .31, .42, .58, .86}},
	{14400, 0.151, {.002, .003, .004, .014, .09, .19, .46, .57, .78, 1}},
	{36000,
	 0.118,
	 {.0008, .001, .0017, .0043, .10, .35, .61, .77, .91, .99}},
	{INFINITY,
	 0.082,
	 {.0004, .0014, .0021, .0041, .23, .42, .54, .68, .77, .88}},
};

#define MIN_RUN_S 20

/* Overruns are short, whatever the estimate: log-normal, cut. */
#define OVERRUN_S	36
#define OVERRUN_SIGMA	0.4
#define OVERRUN_MAX_S	130
#define OVERRUN_MAX_PCT 55

/* The draws of one record. */
struct draft {
	double estimate_score, size_score, accuracy_score, unrun_score;
	double gap_s; /* to the one before, in the time of the machine's day */
	double estimate_s, size;
	double run_s;
	double overrun_s; /* 0 = keeps its estimate */
	int32_t user;
	bool unrun;
};

/* Scores and gaps. */

/* A few users have most of the sessions. */
static int32_t draw_user(gsl_rng *rng)
{
	double sum = 0, u;

	for (int i = 0; i < NUSERS; i++)
		sum += 1.0 / (i + 6);
	u = gsl_rng_uniform(rng) * sum;
	for (int i = 0; i < NUSERS; i++) {
		u -= 1.0 / (i + 6);
		if (u < 0)
			return i + 1;
	}
	return NUSERS;
}

/* A normal score that is correlated with the last one. */
static double follow(double last, double r, gsl_rng *rng)
{
	return r * last + sqrt(1 - r * r) * gsl_ran_ugaussian(rng);
}

/* Draw the first job of a session, of any user. */
static void begin_session(struct draft *d, gsl_rng *rng)
{
	d->user = draw_user(rng);
	d->estimate_score = gsl_ran_ugaussian(rng);
	d->size_score = follow(d->estimate_score, ESTIMATE_SIZE_R, rng);
	d->accuracy_score = gsl_ran_ugaussian(rng);
}

/* Draw a job of the same session, similar to the last one. */
static void continue_session(struct draft *d, const struct draft *last,
			     gsl_rng *rng)
{
	struct draft other;

	begin_session(&other, rng);
	d->user = last->user;
	d->estimate_score = gsl_rng_uniform(rng) < SAME_ESTIMATE_P
				    ? last->estimate_score
				    : other.estimate_score;
	d->size_score = gsl_rng_uniform(rng) < SAME_SIZE_P ? last->size_score
							   : other.size_score;
	d->accuracy_score =
		ACCURACY_R * last->accuracy_score +
		sqrt(1 - ACCURACY_R * ACCURACY_R) * other.accuracy_score;
}

static double weibull_gap(double scale, double shape, double score)
{
	return scale * pow(-log(gsl_cdf_ugaussian_Q(score)), 1 / shape);
}

/* Draw gaps, sessions and the scores of all values, in order of submission. */
static void draw_scores(struct draft *drafts, gsl_rng *rng)
{
	double gap_score = gsl_ran_ugaussian(rng);

	for (int i = 0; i < NRECORDS; i++) {
		struct draft *d = &drafts[i];

		gap_score = follow(gap_score, GAP_R, rng);
		if (i > 0 && gsl_rng_uniform(rng) < STAY_P) {
			continue_session(d, d - 1, rng);
			d->gap_s =
				weibull_gap(STAY_GAP_S, STAY_SHAPE, gap_score);
		} else {
			begin_session(d, rng);
			d->gap_s = weibull_gap(OTHER_GAP_S, OTHER_SHAPE,
					       gap_score);
		}
		d->unrun_score = gsl_rng_uniform(rng);
		d->overrun_s = fmin(OVERRUN_MAX_S,
				    OVERRUN_S * exp(OVERRUN_SIGMA *
						    gsl_ran_ugaussian(rng)));
	}
}

/* Values by rank. */

struct rank {
	double score;
	int place;
};

static int by_score(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? -1 : 1;
	return x->place - y->place;
}

/* Sort the places by the score at that offset in each draft. */
static void rank_drafts(struct rank *ranks, const struct draft *drafts,
			size_t offset)
{
	for (int i = 0; i < NRECORDS; i++) {
		const char *d = (const char *)&drafts[i];

		ranks[i].score = *(const double *)(d + offset);
		ranks[i].place = i;
	}
	qsort(ranks, NRECORDS, sizeof(*ranks), by_score);
}

/* Value at the level u in (0, 1) of a table. */
static double table_value(const struct weighted *table, size_t n, double u)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += table[i].weight;
	u *= sum;
	for (size_t i = 0; i < n; i++) {
		u -= table[i].weight;
		if (u < 0)
			return table[i].value;
	}
	return table[n - 1].value;
}

/* Replace scores by values: the k-th score gets the k-th quantile. */
static void set_values(struct draft *drafts, struct rank *ranks)
{
	rank_drafts(ranks, drafts, offsetof(struct draft, estimate_score));
	for (int i = 0; i < NRECORDS; i++)
		drafts[ranks[i].place].estimate_s = table_value(
			estimates, COUNT(estimates), (i + 0.5) / NRECORDS);
	rank_drafts(ranks, drafts, offsetof(struct draft, size_score));
	for (int i = 0; i < NRECORDS; i++)
		drafts[ranks[i].place].size =
			table_value(sizes, COUNT(sizes), (i + 0.5) / NRECORDS);
	rank_drafts(ranks, drafts, offsetof(struct draft, unrun_score));
	for (int i = 0; i < NUNRUN; i++)
		drafts[ranks[i].place].unrun = true;
}

/* Run times. */

/* Return run time / estimate at a quantile, interpolated in logarithms. */
static double accuracy_ratio(const struct accuracy *a, double u)
{
	double last_u = levels[0], last = log(a->ratio[0]);

	for (size_t i = 1; i <= COUNT(levels); i++) {
		bool end = i == COUNT(levels);
		double next_u = end ? 1 - a->overrun : levels[i];
		double next = end ? 0 : log(a->ratio[i]);

		if (u < next_u)
			return exp(last + (next - last) * (u - last_u) /
						  (next_u - last_u));
		last_u = next_u;
		last = next;
	}
	return 1;
}

/* Return the table of accuracies for an estimate. */
static const struct accuracy *accuracy_of(double estimate_s)
{
	const struct accuracy *a = accuracies;

	while (estimate_s > a->max_estimate_s)
		a++;
	return a;
}

/* The levels within one class of estimates are evenly spread, by rank. */
static void set_run_times(struct draft *drafts, struct rank *ranks)
{
	int members[COUNT(accuracies)] = {0}, seen[COUNT(accuracies)] = {0};

	for (int i = 0; i < NRECORDS; i++)
		members[accuracy_of(drafts[i].estimate_s) - accuracies] +=
			!drafts[i].unrun;
	rank_drafts(ranks, drafts, offsetof(struct draft, accuracy_score));
	for (int i = 0; i < NRECORDS; i++) {
		struct draft *d = &drafts[ranks[i].place];
		const struct accuracy *a = accuracy_of(d->estimate_s);
		double u;

		if (d->unrun)
			continue;
		u = (seen[a - accuracies]++ + 0.5) / members[a - accuracies];
		d->run_s = d->estimate_s * accuracy_ratio(a, u);
		if (u < 1 - a->overrun)
			d->overrun_s = 0;
		d->overrun_s = fmin(d->overrun_s,
				    d->estimate_s * OVERRUN_MAX_PCT / 100);
	}
}

/* Return the run time of a draft, stretched and within its bounds. */
static double final_run_s(const struct draft *d, double stretch)
{
	if (d->unrun)
		return -1;
	if (d->overrun_s > 0)
		return round(d->estimate_s + d->overrun_s);
	return round(fmax(MIN_RUN_S, fmin(d->estimate_s, d->run_s * stretch)));
}

/* Return the mean run time of all drafts with a stretch. */
static double mean_run_s(const struct draft *drafts, double stretch)
{
	double sum = 0;

	for (int i = 0; i < NRECORDS; i++)
		sum += final_run_s(&drafts[i], stretch);
	return sum / NRECORDS;
}

/* The tables give nearly the right mean; bisection does the rest. */
static double find_stretch(const struct draft *drafts)
{
	double low = 0.5, high = 2;

	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (mean_run_s(drafts, middle) < MEAN_RUN_S)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Submissions. */

static double weight_at(int64_t hour)
{
	return hour_weight[hour % 24] * day_weight[hour / 24 % 7];
}

/* Weighted seconds in the first so many hours. */
static double weighted_s(double hours)
{
	double sum = 0;
	int64_t whole = (int64_t)hours;

	for (int64_t h = 0; h < whole; h++)
		sum += weight_at(h);
	return 3600 * (sum + weight_at(whole) * (hours - (double)whole));
}

/* Stretch the gaps so that they fill the span, and turn weighted into real
 * seconds.
 */
static void set_submissions(struct swf_record *records,
			    const struct draft *drafts)
{
	double span_s = MEAN_GAP_S * (NRECORDS - 1), stretch, sum = 0;
	double passed = 0, at = 0; /* weighted: whole hours; now */
	int64_t hour = 0;

	for (int i = 1; i < NRECORDS; i++)
		sum += drafts[i].gap_s;
	stretch = weighted_s(span_s / 3600) / sum;
	for (int i = 0; i < NRECORDS; i++) {
		at += i > 0 ? drafts[i].gap_s * stretch : 0;
		while (at >= passed + 3600 * weight_at(hour))
			passed += 3600 * weight_at(hour++);
		records[i].submit_s = round(3600.0 * (double)hour +
					    (at - passed) / weight_at(hour));
	}
}

/* Make the records of the drafts. */
static void set_records(struct swf_record *records, const struct draft *drafts)
{
	double stretch = find_stretch(drafts);

	for (int i = 0; i < NRECORDS; i++) {
		const struct draft *d = &drafts[i];
		int32_t procs = (int32_t)d->size;

		records[i] = (struct swf_record){
			.number = i + 1,
			.wait_s = -1,
			.run_s = final_run_s(d, stretch),
			.cpu_s = -1,
			.request_s = d->estimate_s,
			.alloc_procs = d->unrun ? -1 : procs,
			.req_procs = procs,
			.status = d->unrun ? 5 : 1,
			.user = d->user,
			.group = -1,
			.app = -1,
			.queue = -1,
			.partition = -1,
			.used_mem_kb = -1,
			.req_mem_kb = -1,
		};
	}
	set_submissions(records, drafts);
}

/* Draw all records.  Result: 0, or -1 with ENOMEM. */
static int fill_trace(struct swf_trace *trace, uint64_t seed)
{
	struct draft *drafts = calloc(NRECORDS, sizeof(*drafts));
	struct rank *ranks = calloc(NRECORDS, sizeof(*ranks));
	struct rng_stream stream;
	int rc = -1;

	trace->name = strdup(SYNTH_NAME);
	trace->records = calloc(NRECORDS, sizeof(*trace->records));
	if (trace->name && trace->records && drafts && ranks) {
		rng_stream_init(&stream, seed, "synth", 0);
		draw_scores(drafts, &stream.gsl);
		set_values(drafts, ranks);
		set_run_times(drafts, ranks);
		set_records(trace->records, drafts);
		trace->nrecords = trace->max_records = NRECORDS;
		trace->max_procs = trace->max_nodes = NPROCS;
		trace->no_run = NUNRUN;
		rc = 0;
	}
	free(ranks);
	free(drafts);
	return rc;
}

int synth_trace(struct swf_trace *trace, uint64_t seed, struct libra_error *err)
{
	memset(trace, 0, sizeof(*trace));
	if (fill_trace(trace, seed) == 0)
		return 0;
	swf_fini(trace);
	return sim_no_memory(err);
}
