/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment.c - predicted run times in backfilling: the design of the table of
 * SC 2015, five logs x the ways to predict, and beside it what was published.
 * Nothing is random: one seed does.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/paper/page.h"
#include "sim/paper/steps.h"

#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define COUNT(of)  DESIGN_COUNT(of)
#define LEVELS(of) DESIGN_LEVELS(of)

/* The published runs of Curie are on its thin nodes alone; the log's header has
 * 93,312 processors.
 */
#define CURIE	    4
#define CURIE_PROCS 80640

/* The level is the trace; the first one is the paper's own. */
static const struct design_level logs[] = {
	L("kth", "KTH SP2", 0),	    L("ctc", "CTC SP2", 1),
	L("sdsc", "SDSC SP2", 2),   L("blue", "SDSC BLUE", 3),
	L("curie", "Curie", CURIE),
};

static const struct sim_paper_other_log log_files[] = {
	{"CTC-SP2-1996-3.1-cln.swf.gz", 1},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 1},
	{"SDSC-BLUE-2000-4.2-cln.swf.gz", 1},
	{"CEA-Curie-2011-2.1-cln.swf.gz", 1},
};

static void set_log(struct design_cell *cell, const struct design_level *level)
{
	if (level->value == CURIE)
		cell->scenario.procs = CURIE_PROCS;
}

static const struct design_level policies[] = {
	L("easy", "EASY", 0),
	L("easy-sjbf", "EASY-SJBF", 1),
};

/* The value is an index of predictions[]. */
static const struct design_level methods[] = {
	L("requested", "requested", 0),
	L("clairvoyant", "clairvoyant", 1),
	L("increments", "last two, then increments", 2),
	L("last-two", "last two, then the request", 3),
	L("double", "last two, then doubled", 4),
	L("median", "median of 20 ratios, then the request", 5),
	L("leader", "leader, then the request", 6),
};

#define QUANTILE                                                               \
	.quantile = SIM_QUANTILE_USUAL, .depth = SIM_DEPTH_USUAL,              \
	.window = SIM_WINDOW_USUAL

static const struct sim_prediction predictions[] = {
	{SIM_PREDICT_REQUESTED, QUANTILE},
	{SIM_PREDICT_CLAIRVOYANT, QUANTILE},
	{SIM_PREDICT_LAST_TWO, SIM_CORRECTION_INCREMENTS, QUANTILE},
	{SIM_PREDICT_LAST_TWO, QUANTILE},
	{SIM_PREDICT_LAST_TWO, SIM_CORRECTION_DOUBLE, QUANTILE},
	{SIM_PREDICT_QUANTILE, QUANTILE},
	{SIM_PREDICT_LEADER, QUANTILE},
};

/* Mean bounded slowdowns: as published (Gaussier, Glesser, Reis and Trystram,
 * SC 2015, and their raw results), and by a second program on the same file.
 * The published runs of SDSC SP2 are of 54,006 jobs; the file has 53,999.
 * Published for EASY are exact requests, which are the same as a clairvoyant
 * predictor.
 */
static const struct value {
	const char *log, *policy, *method;
	double published, second;
} values[] = {
	{"kth", "easy", "requested", 92.57653973362918, NAN},
	{"kth", "easy", "clairvoyant", 71.72238511244173, NAN},
	{"kth", "easy-sjbf", "requested", 69.40540058030342, NAN},
	{"kth", "easy-sjbf", "clairvoyant", 49.847718931340644, NAN},
	{"kth", "easy-sjbf", "increments", 63.5006771704076, NAN},
	{"kth", "easy-sjbf", "last-two", 62.85688272729216, NAN},
	{"ctc", "easy", "requested", 49.5713, NAN},
	{"ctc", "easy", "clairvoyant", 37.1654, NAN},
	{"ctc", "easy-sjbf", "requested", 30.0411, NAN},
	{"ctc", "easy-sjbf", "clairvoyant", 17.5717, NAN},
	{"ctc", "easy-sjbf", "increments", 85.7672, NAN},
	{"ctc", "easy-sjbf", "last-two", 26.5338, NAN},
	{"sdsc", "easy", "requested", 87.8703, 87.8252},
	{"sdsc", "easy", "clairvoyant", 70.4779, 70.4136},
	{"sdsc", "easy-sjbf", "requested", 84.8889, 84.8446},
	{"sdsc", "easy-sjbf", "clairvoyant", 56.8362, 56.7675},
	{"sdsc", "easy-sjbf", "increments", 79.3963, 79.3230},
	{"sdsc", "easy-sjbf", "last-two", 65.0636, 64.9859},
	{"curie", "easy", "requested", 202.133, NAN},
	{"curie", "easy", "clairvoyant", 69.926, NAN},
	{"curie", "easy-sjbf", "clairvoyant", 12.080, NAN},
	{"curie", "easy-sjbf", "last-two", 21.328, NAN},
};

/* The best of all published, chosen afterwards for each log. */
static const double best_published[] = {45.7975, 15.1500, 65.0202, NAN, NAN};

/* ---- designs ---- */

static void set_method(struct design_cell *cell,
		       const struct design_level *level)
{
	cell->scenario.prediction = predictions[(size_t)level->value];
	cell->scenario.prediction.event_order = SIM_ORDER_SC15;
	cell->scenario.prediction.filter = SIM_FILTER_SC15;
}

static const struct design_factor factors[] = {
	{"log", "log", LEVELS(logs), .set = set_log, .traces = true},
	{"policy", "policy", LEVELS(policies), .policies = true},
	{"method", "method", LEVELS(methods), .set = set_method},
};

static const struct value *value_at(const struct design_place *p)
{
	for (size_t i = 0; i < COUNT(values); i++)
		if (strcmp(values[i].log, logs[p->level[0]].name) == 0 &&
		    strcmp(values[i].policy, policies[p->level[1]].name) == 0 &&
		    strcmp(values[i].method, methods[p->level[2]].name) == 0)
			return &values[i];
	return NULL;
}

/* The published values, beside the measured ones. */
static size_t published_values(const void *owner, const struct design_place *p,
			       const char *column, double *value)
{
	const struct value *known = value_at(p);

	return design_pick(
		(const struct design_value[]){
			{"published", known ? known->published : NAN},
			{"second", known ? known->second : NAN},
			{"best_published", best_published[p->level[0]]},
		},
		3, column, value);
}

static const struct design designs[] = {
	{DESIGN("all", factors), .values = published_values},
};

/* ---- figures, files ---- */

/* No error bars: a log is run once. */
static const struct paper_plot plots[] = {{
	.figure = "1",
	.id = "f1{{letter}}",
	.panels = "all policy=easy-sjbf method=requested log",
	.series = "policy",
	.points = "method",
	.title = "{{log}}",
	.caption = "{{log}}",
	.xlabel = "",
	.ylabel = "mean bounded slowdown",
	.name = "{{policy}}",
	.style = "policy",
	.x = "method",
	.tick = "{{method.name}}",
	.y = "mean_bounded_slowdown",
	.kind = PLOT_POINTS,
	.xmin = "0 - 0.5",
	.xmax = "6.5",
	.ylog = true,
	.ymin = "least(all policy method: mean_bounded_slowdown) / 1.3",
	.ymax = "1.3 * most(all policy method: mean_bounded_slowdown)",
	.width = 290,
	.height = 250,
}};

static const struct sim_paper_file files[] = {
	{"points.csv", .over = "all log policy method",
	 .columns = "log=log.name policy=policy.name method=method.name "
		    "mean_bounded_slowdown published second mean_wait_s "
		    "utilization_pct submitted"},
	{"logs.csv", .over = "all log policy=easy method=requested",
	 .columns = "log=log.name sha256={{sha256}} submitted"},
};

/* Where a log is missing, what does not hold says nothing, nor what holds on
 * every log that is there.
 */
static void on_logs(const struct claim *c, const void *study,
		    struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	const char *over = c->bound[0].over;
	bool every = over && !strstr(over, "log=");

	paper_ask_row(c, study, r);
	if ((s->missing == 0 && !s->source.synthetic) ||
	    (r->status == CLAIM_PASS && !every))
		return;
	r->status = CLAIM_INFO;
	claim_note(r, "%sNot all logs are on this machine.",
		   r->note[0] ? " " : "");
}

static const struct paper_ask asks[] = {{"on-logs", on_logs}, {NULL, NULL}};

const struct sim_paper sim_paper_sc2015 = {
	.name = "sc2015",
	.title = "Improving Backfilling by using Machine Learning to predict "
		 "Running Times",
	.citation = "E. Gaussier, D. Glesser, V. Reis, D. Trystram, SC 2015",
	.trace = "KTH-SP2-1996-2.2.swf.gz",
	.seeds = 1,
	.designs = designs,
	.ndesigns = COUNT(designs),
	.logs = log_files,
	.nlogs = COUNT(log_files),
	.claims = sim_claims_sc2015,
	.asks = asks,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.page.headline = "Backfilling with predicted run times",
	.page.text = sim_page_sc2015,
	.without_log = SIM_PAPER_SYNTHETIC,
	.summary = "rows: all policy method\n"
		   "mean bounded slowdown < {{policy}}, {{method}}\n"
		   "each log: {{log}} > {{%.2f mean_bounded_slowdown}}\n",
};
