/* SPDX-License-Identifier: GPL-2.0-or-later */
/* experiment.c - all policies compared: the designs, and what is run. */
#include "sim/paper/beyond/experiment.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/paper/page.h"
#include "sim/paper/steps.h"
#include "sim/run/bound.h"
#include "sim/run/run.h"

#define LAST_JOBS     3000
#define LAST_LOG_JOBS 5000

#define N(v)	   DESIGN_NUMBER(v)
#define L(...)	   DESIGN_LEVEL(__VA_ARGS__)
#define COUNT(of)  DESIGN_COUNT(of)
#define LEVELS(of) DESIGN_LEVELS(of)

/* ---- levels ---- */

#define NPOLICIES 5 /* and the bound that no policy exceeds */
static const struct design_level policies[] = {
	L("edf", "EDF", 0),
	L("libra", "Libra", 1),
	L("librarisk", "LibraRisk", 2),
	L("demand", "demand", 3),
	L("band", "band", 4),
	L("bound", "fluid bound", 5),
};
static const struct design_level executions[] = {
	L("independent", NULL, SIM_INDEPENDENT),
	L("coupled", NULL, SIM_COUPLED),
	L("spinning", NULL, SIM_SPINNING),
};
static const struct design_level models[] = {
	L("run", "(a) factor x run time", SIM_DEADLINE_RUN),
	L("estimate", "(b) factor x estimate", SIM_DEADLINE_ESTIMATE),
	L("user", "(c) factor x the user's mean run time", SIM_DEADLINE_USER),
};
static const struct design_level delays[] = {N(1), N(0.3), N(0.1)};
static const struct design_level urgencies[] = {N(20), N(100)};

/* band without a part of it. */
static const struct design_level variants[] = {
	{"band", "band", 0, NULL},
	{"no-reserve", "without the reserve", 0, "reserve"},
	{"no-machine", "without the machine's reserve", 0, "machine_reserve"},
	{"no-finishes", "by sums of needs", 0, "finishes"},
	{"guaranteed-only", "guaranteed only", 1, "guaranteed_only"},
	{"alone", "each processor tested alone", 0, "neighbours"},
	{"no-align", "without aligned blocks", 0, "align"},
	{"no-spread", "without counting later neighbours", 0, "spread"},
	{"residents-7", "at most 7 jobs on a processor", 7, "residents"},
	{"residents-4", "at most 4 jobs on a processor", 4, "residents"},
};

/* demand, and without its reserve. */
static const struct design_level demands[] = {
	{"demand", "demand", 0, NULL},
	{"no-machine", "without the machine's reserve", 0, "machine_reserve"},
};

/* planned, and without a part of it. */
static const struct design_level planned_policy[] = {
	L("planned", "planned", 6)};
static const struct design_level plans[] = {
	{"planned", "planned", 0, NULL},
	{"no-machine", "without the machine's reserve", 0, "machine_reserve"},
	{"no-replan", "without planning anew", 0, "replan"},
	{"no-hold", "nothing held back", 0, "hold_back"},
	{"no-pull", "plans never come forward", 0, "pull_forward"},
	{"pull-all", "plans come forward wherever they can", 0,
	 "pull_hold_back"},
	{"hard", "told starts kept", 1, "hard_starts"},
};

/* planned on nodes of so many cores, 0 = one lane without nodes; and jobs that
 * take as few nodes as hold them.
 */
static const struct design_level cores[] = {
	L("lane", "no nodes", 0), L("4", "nodes of 4", 4),
	L("16", "nodes of 16", 16), L("128", "one node of 128", 128)};
static const struct design_level takes[] = {L("anywhere", "anywhere", 0),
					    L("few", "few nodes", 1)};
enum { CORES_FEW_FIRST = 1, CORES_FEW_LAST = 2 };

/* Beside ordinary jobs: how many of all have a deadline. */
static const struct design_level beside_policies[] = {
	L("easy", "EASY", 7), L("planned", "planned", 6)};
static const struct design_level shares[] = {N(0), N(25), N(50), N(75), N(100)};
static const struct design_level beside_delays[] = {N(1), N(0.5)};

/* Corrected estimates: the usual quantile, and for band one that trusts users
 * less.
 */
static const struct design_level corrected_policies[] = {
	L("libra", "Libra", 1), L("librarisk", "LibraRisk", 2),
	L("band", "band", 4)};
static const struct design_level usual[] = {N(SIM_CORRECT_USUAL)};
static const struct design_level doubtful[] = {N(0.5)};

/* Other logs: their last 5000 records.  The level is the trace. */
static const struct sim_paper_other_log log_files[] = {
	{"KTH-SP2-1996-2.1-cln.swf.gz", 1},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 1},
	{"HPC2N-2002-2.2-cln.swf.gz", 1},
	{"SDSC-BLUE-2000-4.2-cln.swf.gz", 8},
	{"LANL-CM5-1994-4.1-cln.swf.gz", 1},
};
static const struct design_level logs[] = {
	L("kth", "KTH SP2", 1),	  L("ctc", "CTC SP2", 2),
	L("hpc2n", "HPC2N", 3),	  L("blue", "SDSC Blue", 4),
	L("lanl", "LANL CM5", 5),
};
#define CTC 2 /* the trace */
static const struct design_level log_policies[] = {
	L("librarisk", "LibraRisk", 2), L("band", "band", 4)};

/* ---- designs ---- */

static void set_execution(struct design_cell *cell,
			  const struct design_level *level)
{
	cell->scenario.execution = (enum sim_execution)level->value;
}

static void set_model(struct design_cell *cell,
		      const struct design_level *level)
{
	sim_scenario_deadlines(&cell->scenario,
			       (enum sim_deadline_model)level->value);
}

static void set_quantile(struct design_cell *cell,
			 const struct design_level *level)
{
	cell->scenario.correct = level->value;
	cell->scenario.execution = SIM_COUPLED;
}

static void set_cores(struct design_cell *cell,
		      const struct design_level *level)
{
	cell->scenario.node_procs = (uint32_t)level->value;
}

static void set_takes(struct design_cell *cell,
		      const struct design_level *level)
{
	cell->scenario.few_nodes = level->value > 0;
}

static void set_share(struct design_cell *cell,
		      const struct design_level *level)
{
	cell->scenario.ordinary_pct = 100 - level->value;
	cell->scenario.kill_at_estimate = true;
}

#define POLICY(of, n_)                                                         \
	DESIGN_FACTOR("policy", "policy", .levels = of, .n = n_,               \
		      .policies = true)
#define EXECUTION(n_)                                                          \
	DESIGN_FACTOR("execution", "parts", .levels = executions, .n = n_,     \
		      .set = set_execution)
#define MODEL                                                                  \
	DESIGN_FACTOR("deadline_model", "deadlines", LEVELS(models),           \
		      .set = set_model)
#define DELAY(n_)                                                              \
	DESIGN_FACTOR("arrival_delay", "delay", .levels = delays, .n = n_,     \
		      .field = "arrival-delay")
#define URGENT                                                                 \
	DESIGN_FACTOR("high_urgency_pct", "urgent", LEVELS(urgencies),         \
		      "high-urgency")
#define QUANTILE(of)                                                           \
	DESIGN_FACTOR("quantile", "quantile", LEVELS(of), .set = set_quantile)

static const struct design_factor main_factors[] = {
	POLICY(policies, NPOLICIES), EXECUTION(3), MODEL, DELAY(3), URGENT};
static const struct design_factor fulfilled_factors[] = {
	POLICY(policies, NPOLICIES + 1), MODEL, DELAY(3), URGENT};
static const struct design_factor variant_factors[] = {
	{"variant", "variant", LEVELS(variants)},
	MODEL,
	DELAY(3),
	POLICY(&policies[4], 1)};
static const struct design_factor demand_factors[] = {
	{"variant", "variant", LEVELS(demands)},
	POLICY(&policies[3], 1),
	EXECUTION(2),
	MODEL,
	DELAY(3)};
static const struct design_factor plan_factors[] = {
	{"variant", "variant", LEVELS(plans)},
	MODEL,
	DELAY(3),
	POLICY(planned_policy, 1)};
static const struct design_factor node_factors[] = {
	{"cores", "nodes", LEVELS(cores), .set = set_cores},
	{"takes", "jobs take", LEVELS(takes), .set = set_takes},
	MODEL,
	DELAY(3),
	POLICY(planned_policy, 1)};
static const struct design_factor beside_factors[] = {
	POLICY(beside_policies, 2),
	{"share", "share", LEVELS(shares), .set = set_share},
	{"arrival_delay", "delay", LEVELS(beside_delays), "arrival-delay"}};
static const struct design_factor corrected_factors[] = {
	POLICY(corrected_policies, 3), QUANTILE(usual), MODEL, DELAY(3)};
static const struct design_factor doubtful_factors[] = {
	POLICY(&corrected_policies[2], 1), QUANTILE(doubtful), MODEL, DELAY(3)};
static const struct design_factor log_factors[] = {
	{"log", "log", LEVELS(logs), .traces = true},
	POLICY(log_policies, 2),
	EXECUTION(2),
	DELAY(2)};

/* Jobs that are alone while they run know no models. */
static void set_alone(struct design_cell *cell, const struct design_place *p)
{
	if (cell->policy->mode != LIBRA_SHARE)
		cell->scenario.execution = SIM_INDEPENDENT;
}

/* Ordinary jobs fill what early ends leave. */
static void set_beside(struct design_cell *cell, const struct design_place *p)
{
	design_param(cell, "pull_hold_back", 0);
}

static void set_log(struct design_cell *cell, const struct design_place *p)
{
	set_alone(cell, p);
	cell->scenario.last = LAST_LOG_JOBS;
}

static void set_nodes(struct design_cell *cell, const struct design_place *p)
{
	cell->scenario.few_nodes &= cell->scenario.node_procs > 0;
}

/* Few of no nodes, or of one, is anywhere. */
static bool is_node_point(const void *owner, const struct design_place *p)
{
	return p->level[1] == 0 || p->level[0] == DESIGN_NONE ||
	       (p->level[0] >= CORES_FEW_FIRST &&
		p->level[0] <= CORES_FEW_LAST);
}

/* The same under band, whatever the model. */
static bool is_log_point(const void *owner, const struct design_place *p)
{
	return p->level[1] == 0 || p->level[2] == 0;
}

static double *bound_at(const struct beyond_study *s,
			const struct design_place *p)
{
	size_t at = p->level[design_factor(p, "deadline_model")];

	at = at * COUNT(delays) + p->level[design_factor(p, "arrival_delay")];
	at = at * COUNT(urgencies) +
	     p->level[design_factor(p, "high_urgency_pct")];
	return (double *)&s->bound[at];
}

/* Fulfilled jobs with coupled parts, and the bound beside the policies. */
static size_t fulfilled_values(const void *owner, const struct design_place *p,
			       const char *column, double *value)
{
	struct design_place at = *p;
	struct study_stat stat = {.mean = NAN};

	if (p->level[0] < NPOLICIES) {
		design_go(&at, "main execution=coupled");
		if (!design_stat(&at, column, &stat))
			return 0;
	} else if (strcmp(column, "fulfilled_pct") == 0) {
		stat.mean = *bound_at(owner, p);
	} else if (!study_column(column)) {
		return 0;
	}
	*value = stat.mean;
	return 1;
}

static const struct design designs[] = {
	{DESIGN("main", main_factors), .set = set_alone},
	{DESIGN("coupled", fulfilled_factors), .derived = true,
	 .values = fulfilled_values},
	{DESIGN("variants", variant_factors)},
	{DESIGN("demands", demand_factors)},
	{DESIGN("plans", plan_factors)},
	{DESIGN("nodes", node_factors), .set = set_nodes,
	 .there = is_node_point},
	{DESIGN("beside", beside_factors), .set = set_beside},
	{DESIGN("corrected", corrected_factors), .set = set_alone},
	{DESIGN("doubtful", doubtful_factors), .set = set_alone},
	{DESIGN("logs", log_factors), .set = set_log, .there = is_log_point},
};

/* ---- the runs ---- */

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Measure the cost of a job under band, with all its events, in microseconds.
 */
static double cost_us(const struct swf_trace *trace, size_t last, double delay)
{
	struct sim_scenario sc;
	struct sim_workload w;
	struct sim_result result;
	double begin_s, us = NAN;

	sim_scenario_init(&sc);
	sc.last = last;
	sc.arrival_delay = delay;
	if (sim_workload_make(&w, trace, &sc, NULL) < 0)
		return NAN;
	begin_s = seconds();
	if (sim_run(&w, libra_policy_find("band", NULL), NULL, &result, NULL,
		    NULL) == 0)
		us = (seconds() - begin_s) * 1e6 / (double)w.njobs;
	sim_workload_fini(&w);
	return us;
}

struct bounds {
	struct beyond_study *s;
	struct libra_error *err;
};

/* Compute the fluid bound of one point, the mean over the seeds. */
static bool find_bound(const struct design_place *p, void *arg)
{
	const struct bounds *b = arg;
	const struct sim_paper_run *run = b->s->common.run;
	double *bound = bound_at(b->s, p);

	*bound = 0;
	for (size_t i = 0; i < run->nseeds; i++) {
		struct sim_scenario sc = *design_scenario(p);
		struct sim_workload w;

		sc.seed = run->seeds[i];
		if (sim_workload_make(&w, &b->s->common.source.trace, &sc,
				      b->err) < 0)
			return false;
		*bound += sim_fluid_bound_pct(&w) / (double)run->nseeds;
		sim_workload_fini(&w);
	}
	return true;
}

/* Compute the fluid bound of each scenario. */
static int find_bounds(void *study, struct libra_error *err)
{
	struct beyond_study *s = study;
	struct design_place p = design_nowhere(&s->common.designs);
	struct bounds b = {s, err};

	return design_each(&p,
			   "main policy=libra execution=independent "
			   "deadline_model arrival_delay high_urgency_pct",
			   find_bound, &b)
		       ? 0
		       : -1;
}

static void ran(void *study, size_t trace, const struct swf_trace *log)
{
	struct beyond_study *s = study;

	if (trace == 0)
		s->cost_us[0] = cost_us(log, LAST_JOBS, 0.1);
	else if (trace == CTC)
		s->cost_us[1] = cost_us(log, LAST_LOG_JOBS, 0.3);
}

/* ---- words, figures, files ---- */

/* {{abc}}: "(a)"; {{parts}}; {{corrected}}: at which quantile. */
static bool say(FILE *fp, const struct design_place *p, const char *word,
		const void *study)
{
	size_t f;

	if (strcmp(word, "abc") == 0) {
		f = design_factor(p, "deadline_model");
		fprintf(fp, "(%c)", 'a' + (int)p->level[f]);
	} else if (strcmp(word, "parts") == 0) {
		f = design_factor(p, "execution");
		if (f == DESIGN_NONE)
			fputs("-", fp);
		else
			fputs(p->level[0] == 0 || p->level[0] == 4
				      ? "all the same"
				      : design_level(p, f)->name,
			      fp);
	} else if (strcmp(word, "corrected") == 0) {
		f = design_factor(p, "quantile");
		if (f != DESIGN_NONE)
			fprintf(fp, ", corrected at %g", design_number(p, f));
	} else {
		return false;
	}
	return true;
}

static const struct paper_plot plots[] = {
	{
		.figure = "load",
		.id = "m{{%.0f deadline_model - 1}}",
		.panels = "coupled high_urgency_pct=20 deadline_model",
		.series = "policy",
		.points = "arrival_delay",
		.title = "{{deadline_model}}",
		.caption = "{{deadline_model}}",
		.xlabel = "arrival delay factor",
		.ylabel = "fulfilled (%)",
		.name = "{{policy}}",
		.style = "policy",
		.x = "arrival_delay",
		.y = "fulfilled_pct",
		.kind = PLOT_LINES,
		.xmin = "0",
		.xmax = "1",
		.ymin = "0",
		.ymax = "100",
		.width = 290,
		.height = 230,
	},
#define BESIDE(figure_, id_, points_, y_, ylabel_, ymax_)                      \
	{                                                                      \
		.figure = figure_, .id = id_ "{{%.0f 1 / arrival_delay}}",     \
		.panels = "beside arrival_delay", .series = "policy",          \
		.points = points_, .title = "delay {{arrival_delay}}",         \
		.caption = "delay {{arrival_delay}}",                          \
		.xlabel = "jobs with deadlines (%)", .ylabel = ylabel_,        \
		.name = "{{policy}}", .style = "policy", .x = "share",         \
		.y = y_, .kind = PLOT_LINES, .xmin = "0", .xmax = "100",       \
		.ymin = "0", .ymax = ymax_, .width = 290, .height = 230        \
	}
	BESIDE("beside", "u", "share", "used_pct", "utilization (%)", "100"),
	BESIDE("kept", "k", "share>=25", "fulfilled_pct",
	       "promised, done in time (%)", "100"),
	BESIDE("waits", "w", "share<=75", "ordinary_wait_s / 3600",
	       "ordinary jobs' mean wait (h)", NULL),
};

static void write_timings(FILE *fp, const void *study)
{
	const struct beyond_study *s = study;

	fprintf(fp, "log,arrival_delay,policy,us_per_job\n");
	fprintf(fp, "SDSC-SP2,0.1,band,");
	out_csv_number(fp, s->cost_us[0]);
	fprintf(fp, "\nCTC-SP2,0.3,band,");
	out_csv_number(fp, s->cost_us[1]);
	putc('\n', fp);
}

#define LOADS "deadline_model arrival_delay"
#define COLUMNS                                                                \
	" fulfilled_pct reliability_pct mean_slowdown median_slowdown "        \
	"work_fulfilled_pct fifth_1_pct fifth_2_pct fifth_3_pct fifth_4_pct "  \
	"fifth_5_pct"
static const struct sim_paper_file files[] = {
	{"points.csv",
	 .over = "main policy execution " LOADS " high_urgency_pct",
	 .columns = "policy execution " LOADS " high_urgency_pct" COLUMNS},
	{"bound.csv", .over = "coupled policy=bound " LOADS " high_urgency_pct",
	 .columns = LOADS " high_urgency_pct bound_pct=fulfilled_pct"},
	{"variants.csv", .over = "variants variant policy " LOADS,
	 .columns = "variant=variant.title " LOADS COLUMNS},
	{"demand.csv", .over = "demands variant policy execution " LOADS,
	 .columns = "variant=variant.title execution " LOADS COLUMNS},
	{"planned.csv", .over = "plans variant policy " LOADS,
	 .columns = "variant=variant.title " LOADS COLUMNS},
	{"nodes.csv", .over = "nodes cores takes policy " LOADS,
	 .columns = "cores takes " LOADS COLUMNS},
	{"beside.csv", .over = "beside policy share arrival_delay",
	 .columns = "policy share arrival_delay fulfilled_pct reliability_pct "
		    "killed lucky utilization_pct=used_pct ordinary_wait_s "
		    "ordinary_longest_s"},
	{"corrected.csv",
	 .over = "corrected policy quantile " LOADS
		 ";doubtful policy quantile " LOADS,
	 .columns = "policy quantile " LOADS COLUMNS},
	{"logs.csv", .over = "logs log policy execution arrival_delay",
	 .columns =
		 "log={{file}} sha256={{sha256}} policy execution arrival_delay" COLUMNS},
	{"timings.csv", .write = write_timings},
};

const struct sim_paper sim_paper_beyond = {
	.name = "beyond",
	.title = "Beyond LibraRisk: promises that hold, for jobs whose parts "
		 "run together",
	.citation = "this project's own study, see docs/beyond.md",
	.trace = "SDSC-SP2-1998-4.2-cln.swf.gz",
	.seeds = 5,
	.size = sizeof(struct beyond_study),
	.designs = designs,
	.ndesigns = COUNT(designs),
	.logs = log_files,
	.nlogs = COUNT(log_files),
	.last = LAST_JOBS,
	.resumes = true,
	.ran = ran,
	.derive = find_bounds,
	.claims = sim_claims_beyond,
	.asks = beyond_asks,
	.plots = plots,
	.nplots = COUNT(plots),
	.files = files,
	.nfiles = COUNT(files),
	.page.headline =
		"Promises that hold, for jobs whose parts run together",
	.page.text = sim_page_beyond,
	.page.word = say,
	.summary = "rows: coupled high_urgency_pct=20 policy\n"
		   "fulfilled %, parts coupled < {{policy}}\n"
		   "each " LOADS ": {{if arrival_delay = 1}}{{abc}} {{end}}"
		   "{{arrival_delay}} > {{%.1f fulfilled_pct}}\n",
};
