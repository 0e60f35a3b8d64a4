/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - the LibraRisk paper's claims.  pp stands for percentage points;
 * values are means over the seeds.
 */
#include <string.h>

#include "sim/paper/icpp2006/experiment.h"

#define ABOVE_0 CLAIM_ABOVE_0
#define BELOW_0 CLAIM_BELOW_0
#define ANY	CLAIM_ANY

/* ---- values and labels ---- */

#define FUL(words)  "fulfilled_pct[" words "]"
#define SLD(words)  "mean_slowdown[" words "]"
#define ARROW(f, a) "{{%.2f " f "[" a "]}} to {{%.2f " f "}}"
#define LIBRA_EDF   FUL("policy=libra") " - " FUL("policy=edf")
#define LEAD_AT(x)  "(" FUL(x "policy=librarisk") " - " FUL(x "policy=libra") ")"
#define LEAD	    LEAD_AT("")
/* How much lower LibraRisk's slowdown is. */
#define CALM_AT(x) "(" SLD(x "policy=libra") " - " SLD(x "policy=librarisk") ")"
#define STEP(f)	   f " - " f "[x-]"

/* Such as "delay 0.4, trace". */
#define PLACE	     "{{@x}} {{x}}, {{estimates.name}}"
#define PLACE_URGENT "{{@x}} {{x}}, {{high_urgency_pct.name}} % urgent"
#define STEP_OF(v)   "{{policy}}, {{@x}} {{x[x-]}} to {{x}}, {{" v ".name}}: "
#define PAIR(a, b)   ": {{%.2f " a "}}, {{%.2f " b "}}"

#define FIGURES(v) "load,ratio,urgency " v " x"

/* Means over seeds are not monotone to the digit, however clear the trend: 2
 * standard errors of the change from one point to the next, of each seed's own
 * change, for a seed has the same jobs at both.
 */
#define NOISE	  "2 * se(" STEP("mean_slowdown") ")"
#define BUT_NOISE "but for 2 s.e. of the seeds' own changes"
#define SLOPE(v, over_)                                                        \
	.unit = "per step", .value = STEP("mean_slowdown"), .over = over_,     \
	.label = STEP_OF(v)                                                    \
		ARROW("mean_slowdown", "x-") " (noise {{%.2f " NOISE "}})",    \
	.slack = NOISE
#define FALLS(v, over)                                                         \
	{                                                                      \
		"each step", -ANY, 0, SLOPE(v, over)                           \
	}
#define RISES(v, over)                                                         \
	{                                                                      \
		"each step", 0, ANY, SLOPE(v, over)                            \
	}

#define ALL_1_TO_3 "every point of figures 1 to 3"
#define DEFAULT	   "default point, trace"
#define RANGE	   paper_ask_range
#define SCAN	   paper_ask_scan
#define LOG	   paper_ask_log
#define PARAMETER  paper_ask_parameter

/* ---- odd ones ---- */

/* Where EDF's jobs wait longest, of the places where it is not the lowest. */
struct waiting {
	const struct sim_paper_study *s;
	double most;
	struct design_place where;
};

static bool find_waiting(const struct design_place *p, void *arg)
{
	struct waiting *w = arg;
	const struct paper_text *t = &w->s->text;
	double wait = paper_value(p, t, "mean_wait_s[policy=edf]");

	if (wait > w->most &&
	    paper_value(p, t,
			SLD("policy=edf") " > " SLD("policy=librarisk"))) {
		w->most = wait;
		w->where = *p;
	}
	return true;
}

static void l27(const struct claim *c, const void *study,
		struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	struct waiting w = {.s = s, .most = -1};
	char text[320];

	paper_ask_scan(c, study, r);
	design_each(&p, FIGURES("estimates"), find_waiting, &w);
	if (r->status != CLAIM_FAIL || w.most < 0 ||
	    !paper_value(&w.where, &s->text,
			 "mean_wait_s[policy=edf] > "
			 "mean_wait_s[policy=librarisk]"))
		return;
	paper_format(text, sizeof(text), &w.where, &s->text,
		     " There EDF's jobs wait in its queue, which counts in "
		     "their slowdown ({{%.0f mean_wait_s[policy=edf]}} s on "
		     "average at " PLACE "), while LibraRisk's start at once "
		     "({{%.0f mean_wait_s[policy=librarisk]}} s).");
	claim_note(r, "%s", text);
}

/* The arrival delay from which on another policy is above EDF, by straight
 * lines between the points; NAN if it never is or always was.
 */
struct crossing {
	const struct paper_text *t;
	double x, lead, found;
};

static bool find_crossing(const struct design_place *p, void *arg)
{
	struct crossing *c = arg;
	double x = paper_value(p, c->t, "x");
	double d = paper_value(p, c->t, "fulfilled_pct - " FUL("policy=edf"));

	if (c->lead <= 0 && d > 0)
		c->found = c->x + (x - c->x) * -c->lead / (d - c->lead);
	c->x = x;
	c->lead = d;
	return true;
}

struct crossings {
	const struct sim_paper_study *s;
	struct claim_result *r;
	const char *before;
};

static bool tell_crossing(const struct design_place *p, void *arg)
{
	struct crossings *all = arg;
	struct crossing c = {&all->s->text, NAN, NAN, NAN};
	char policy[32], estimates[32];

	design_each(p, "x", find_crossing, &c);
	if (isnan(c.found))
		return true;
	paper_format(policy, sizeof(policy), p, c.t, "{{policy}}");
	paper_format(estimates, sizeof(estimates), p, c.t, "{{estimates}}");
	claim_note(all->r, "%s by %s at about %.2f (%s)", all->before, policy,
		   c.found, estimates);
	all->before = ",";
	return true;
}

static void against_edf(const struct claim *c, const void *study,
			struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	struct crossings all = {s, r, " EDF is overtaken"};

	paper_ask_scan(c, study, r);
	if (r->status != CLAIM_FAIL)
		return;
	design_each(&p, "load estimates policy=libra,librarisk", tell_crossing,
		    &all);
	if (all.before[0] == ',')
		claim_note(r, ".");
}

static void l57(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const char *const parts[] = {"L23", "L35", "L38", "L42", "L51"};
	size_t bad = 0;

	for (size_t k = 0; k < 5; k++)
		for (size_t i = 0; i < ICPP_NCLAIMS; i++) {
			struct claim_result part = {0};

			if (strcmp(icpp_claims[i].id, parts[k]) != 0)
				continue;
			icpp_claims[i].check(&icpp_claims[i], study, &part);
			claim_measured(r, "%s%s %s", k ? ", " : "", parts[k],
				       claim_status_name(part.status));
			bad += part.status != CLAIM_PASS;
		}
	claim_verdict(r, bad == 0);
	if (bad)
		claim_note(r, "%zu of the five claims it rests on fail.", bad);
}

/* L58: EDF without its admission test, and with it. */
#define WITHOUT(e, x) FUL("no-admission policy=edf estimates=" e " x=" x)
#define WITH(e, x)    FUL("urgency policy=edf estimates=" e " x=" x)
#define TIMES(e, x)   WITHOUT(e, x) " / " WITH(e, x)

/* L59 */
#define FULFILS(p)                                                             \
	" fulfils {{%.1f " FUL("policy=" p) "}} % after a mean wait of "       \
					    "{{%.0f mean_wait_s[policy=" p     \
					    "]}} s"

/* clang-format off */
const struct claim icpp_claims[ICPP_NCLAIMS] = {
	{.id = "L1", "4", "The workload is the last 3000 jobs, about 2.5 months",
	 "last 3000 records of the log", LOG,
	 {{.what = "", 2.35, 2.55, "months of 30.4 days", "span_months"}},
	 .unit = "months", .decimals = 2,
	 .tell = " ({{%.0f records}} records, {{%.2f span_days}} days)"},
	{.id = "L2", "4", "Mean inter-arrival time 2131 s",
	 "(last - first submission) / (n - 1)", LOG,
	 {{.what = "", 2130.5, 2131.5, "s", "gap_s"}}, .decimals = 2},
	{.id = "L3", "4", "Mean run time 8880 s", "all chosen records as they stand",
	 LOG, {{.what = "", 8879.5, 8880.5, "s", "run_s"}}, .decimals = 2},
	{.id = "L4", "4", "Jobs ask for 17 processors on average",
	 "requested processors", LOG,
	 {{.what = "", 16.5, 0x1.1ffffffffffffp4, "processors", "procs"}},
	 .decimals = 2},
	{.id = "L5", "4", "The machine has 128 nodes", "largest request", LOG,
	 {{.what = "", -ANY, 128, "processors", "largest"}},
	 .tell = " is the largest request"},
	{.id = "L6", "4", "Utilization of the log 83.2 %",
	 "whole log: work / (submission span x processors)", LOG,
	 {{.what = "", 82.7, 83.7, "%", "utilization_pct"}}, .decimals = 2},
	{.id = "L7", "1, 5.1, 6", "Users' estimates are far off, mostly too long",
	 "chosen records with run time > 0", LOG,
	 {{.what = "too long", 85, 100, "%", "over_pct"},
	  {.what = "median ratio", 2, ANY, .value = "ratio_median"}}, .decimals = 1,
	 .tell = " of {{%.0f ran}} estimates are too long; estimate / run "
		 "time: median {{%.2f ratio_median}}, 75 %: {{%.1f ratio_75}}, "
		 "90 %: {{%.0f ratio_90}}, at most {{%.0f ratio_most}}; "
		 "{{%.0f overruns}} ({{%.1f overruns_pct}} %) overrun, by at "
		 "most {{%.0f overrun_s}} s (x {{%.2f overrun_ratio}})",
	 .why = "The median estimate is only {{%.2f ratio_median}} times the "
		"run time."},
	{.id = "L8", "4", "20 % of the jobs are of high urgency, in random order",
	 "jobs of all seeds", PARAMETER,
	 {{.what = "20 %", -3, 3, "standard errors", "urgent_off"}},
	 .tell = "{{%.2f urgent_pct}} % of {{%.0f drawn}} drawn jobs, "
		 "{{%+.1f urgent_off}} standard errors"},
	{.id = "L9", "4",
	 "Mean deadline / run time is 4 for urgent jobs, 16 for others",
	 "jobs of all seeds, factors <= 1 drawn again", PARAMETER,
	 {{.what = "urgent: expectation", -3, 3, "standard errors", "high_off"},
	  {.what = "others:", -3, 3, "standard errors", "low_off"}},
	 .tell = "urgent {{%.3f high_mean}} (expected {{%.3f high_expected}}, "
		 "{{%+.1f high_off}} standard errors), others "
		 "{{%.3f low_mean}} ({{%.3f low_expected}}, "
		 "{{%+.1f low_off}})"},
	{.id = "L10", "4", "A high:low ratio of 8 doubles the long deadlines of 4",
	 "low urgency means", PARAMETER,
	 {{.what = "", 1.96, 2.04, .value = "ratio8_to_4"}},
	 .tell = "ratio of the means {{%.4f ratio8_to_4}}"},
	{.id = "L11", "4", "A deadline is always longer than the run time",
	 "jobs of all seeds", PARAMETER,
	 {{.what = "least factor", 0x1.0000000000001p0, ANY, .value = "least_factor"}},
	 .tell = "least deadline / run time {{%.3f least_factor}} of "
		 "{{%.0f drawn}} drawn jobs"},
	{.id = "L12", "4", "An arrival delay factor of 0.1 turns 600 s into 60 s",
	 "two jobs; all jobs", paper_ask_all,
	 {{.what = "a gap of 60 s", -1e-9, 1e-9, "s", "delay_600_s - 60"},
	  {.what = "all jobs", -1e-6, 1e-6, "s", "delay_error_s"}},
	 .tell = "600 s become {{%.10g delay_600_s}} s; over the whole log at "
		 "most {{%.1g delay_error_s}} s off",
	 .why = "Arrivals are not scaled as the factor says."},
	{.id = "L13", "4", "Inaccuracy 0 % is the run time, 100 % the log's estimate",
	 "all jobs", paper_ask_all,
	 {{NULL, 0, 0, .value = "exact_error_s"},
	  {NULL, 0, 0, .value = "trace_error_s"}}, "equal",
	 .tell = "largest difference {{%.1g exact_error_s}} s at 0 %, "
		 "{{%.1g trace_error_s}} s at 100 %",
	 .why = "The ends of the scale are not met."},
	{.id = "L14", "3.2",
	 "Deadline delay of (delay 20, remaining 5) is 5, of (20, 10) 3",
	 "eq. 4", icpp_l14, .also = "5 and 3"},
	{.id = "L15", "3.2", "The least deadline delay is 1, at no delay", "eq. 4",
	 icpp_l15, .also = "1"},
	{.id = "L16", "3.2", "Risk is the population standard deviation",
	 "eqs 5 and 6", icpp_l16, .also = "equal; 0 for a single job"},
	{.id = "L17", "3.1",
	 "Share = remaining run time / remaining deadline; shares may sum to 1",
	 "eqs 1 and 2", icpp_l17, .also = "equal"},
	{.id = "L18", "3.3", "The first zero-risk nodes in index order are taken",
	 "algorithm 1", icpp_l18, .also = "equal"},

	{.id = "L20", "5.1",
	 "Fewer jobs are fulfilled with the log's estimates than with exact "
	 "ones", ALL_1_TO_3, SCAN,
	 {{.what = "trace - exact", -ANY, 1, "pp",
	   FUL("estimates=trace") " - " FUL("estimates=exact"),
	   FIGURES("") " policy", "{{policy}}, {{@x}} {{x}}"}}, .decimals = 1,
	 .at = "load x=1",
	 .tell = "; by default"
	 " EDF {{%.1f " FUL("estimates=exact policy=edf") "}} to {{%.1f "
		FUL("estimates=trace policy=edf") "}},"
	 " Libra {{%.1f " FUL("estimates=exact policy=libra") "}} to {{%.1f "
		FUL("estimates=trace policy=libra") "}},"
	 " LibraRisk {{%.1f " FUL("estimates=exact policy=librarisk")
		"}} to {{%.1f " FUL("estimates=trace policy=librarisk") "}}"},
	{.id = "L21", "5.1", "Exact estimates: Libra fulfils more than EDF",
	 "delay >= 0.4, all ratios, all urgencies", SCAN,
	 {{.what = "Libra - EDF", 5, ANY, "pp", LIBRA_EDF,
	   "load estimates=exact x>=0.4;ratio,urgency estimates=exact x",
	   PLACE}}, .decimals = 1},
	{.id = "L22", "5.1", "Trace estimates: Libra only just beats EDF",
	 "delay >= 0.6, all ratios, all urgencies", SCAN,
	 {{.what = "Libra - EDF", -1, 6, "pp", LIBRA_EDF,
	   "load estimates=trace x>=0.6;ratio,urgency estimates=trace x",
	   PLACE}}, .decimals = 1},
	{.id = "L23", "5.1",
	 "Trace estimates: LibraRisk fulfils many more than Libra", DEFAULT,
	 RANGE, {{.what = "LibraRisk - Libra", 15, ANY, "pp", LEAD}}, .decimals = 1,
	 .at = "load estimates=trace x=1",
	 .tell = ": LibraRisk {{%.1f " FUL("policy=librarisk") "}}, Libra "
		 "{{%.1f " FUL("policy=libra") "}} %"},
	{.id = "L24", "5.1", "Exact estimates: LibraRisk fulfils as many as Libra",
	 ALL_1_TO_3, SCAN,
	 {{.what = "delay below 1:", -3, 3, "pp", LEAD, "load estimates=exact x<1",
	   PLACE},
	  {.what = "others", -1, 1, "pp", LEAD,
	   "load estimates=exact x=1;ratio,urgency estimates=exact x", PLACE}},
	 .decimals = 2},
	{.id = "L25", "5.1",
	 "Exact estimates: Libra and LibraRisk have the same slowdown",
	 ALL_1_TO_3, SCAN,
	 {{.what = "", -3, 3, "%",
	   "100 * (" SLD("policy=librarisk") " / " SLD("policy=libra") " - 1)",
	   FIGURES("estimates=exact"), PLACE}}, .decimals = 2,
	 .at = "load estimates=exact x=1",
	 .tell = "; by default Libra {{%.2f " SLD("policy=libra") "}}, "
		 "LibraRisk {{%.2f " SLD("policy=librarisk") "}}"},
	{.id = "L26", "5.1", "Trace estimates: LibraRisk's slowdown is below Libra's",
	 ALL_1_TO_3, SCAN,
	 {{.what = "LibraRisk - Libra", -ANY, BELOW_0, "", "-" CALM_AT(""),
	   FIGURES("estimates=trace"),
	   PLACE PAIR(SLD("policy=librarisk"), SLD("policy=libra"))}},
	 .decimals = 2},
	{.id = "L27", "5.1", "EDF has the lowest slowdown",
	 ALL_1_TO_3 ", both estimates", l27,
	 {{.what = "EDF - LibraRisk", -ANY, 0, "",
	   SLD("policy=edf") " - " SLD("policy=librarisk"),
	   FIGURES("estimates"),
	   PLACE PAIR(SLD("policy=edf"), SLD("policy=librarisk"))}},
	 .decimals = 2},
	{.id = "L28", "5.1", "EDF's slowdown is the same with both estimates",
	 "default point", RANGE,
	 {{.what = "", -10, 10, "%",
	   "100 * (" SLD("estimates=trace") " / " SLD("estimates=exact")
	   " - 1)"}}, .decimals = 1, .at = "load x=1 policy=edf",
	 .tell = ": exact {{%.2f " SLD("estimates=exact") "}}, trace {{%.2f "
		 SLD("estimates=trace") "}}"},
#define RISE(p) SLD("x=10 policy=" p) " - " SLD("x=1 policy=" p)
	{.id = "L29", "5.1", "EDF's slowdown grows little with the deadline ratio",
	 "ratio 1 to 10", SCAN,
	 {{.what = "rise", -ANY, 0x1.5555555555554p-2, "of Libra's rise",
	   "(" RISE("edf") ") / (" RISE("libra") ")", "ratio estimates",
	   "{{estimates.name}}: EDF {{%+.1f " RISE("edf") "}}, Libra {{%+.1f "
	   RISE("libra") "}}"}}, .decimals = 2},
	{.id = "L30", "5.1", "EDF's slowdown falls a little with urgent jobs",
	 "0 to 100 % urgent", SCAN,
	 {FALLS("estimates", "urgency estimates policy=edf step:x")}, BUT_NOISE,
	 .decimals = 3, .at = "urgency estimates=trace policy=edf",
	 .tell = "; trace {{%.2f " SLD("x=0") "}} to {{%.2f " SLD("x=100")
		 "}} over all"},
	{.id = "L31", "5.2", "More jobs are fulfilled as the load falls",
	 "arrival delay rises, both estimates", SCAN,
	 {{.what = "from 0.1 to 0.5 to 1: step", ABOVE_0, ANY, "pp",
	   STEP("fulfilled_pct"),
	   "load estimates policy step:x=0.1,0.5,1",
	   "{{policy}}, {{@x}} {{x[x-]}}, {{estimates.name}} to {{x}}"},
	  {.what = "any step", -2, ANY, "pp", STEP("fulfilled_pct"),
	   "load estimates policy step:x",
	   STEP_OF("estimates") ARROW("fulfilled_pct", "x-")}},
	 .unit = "pp per step", .decimals = 1},
	{.id = "L32", "5.2", "Slowdown falls as the load falls",
	 "arrival delay 0.1 to 1", SCAN,
	 {{.what = "at 1 - at 0.1", -ANY, BELOW_0, "", SLD("x=1") " - " SLD("x=0.1"),
	   "load estimates policy",
	   "{{policy}}, {{estimates.name}}: {{%.2f " SLD("x=0.1")
	   "}} to {{%.2f " SLD("x=1") "}}"}}, .decimals = 2},
#define EDF_OTHER                                                              \
	PLACE ": EDF {{%.1f " FUL("policy=edf") "}}, {{policy}} "              \
	"{{%.1f fulfilled_pct}}"
	{.id = "L33", "5.2", "Heavy load: EDF fulfils more than both others",
	 "delay 0.02, 0.1, 0.2, 0.25, both estimates", against_edf,
	 {{.what = "EDF - other", ABOVE_0, ANY, "pp",
	   FUL("policy=edf") " - fulfilled_pct",
	   "load estimates x=0.02,0.1,0.2,0.25 policy=libra,librarisk",
	   EDF_OTHER}}, .decimals = 1},
	{.id = "L34", "5.2", "Light load: EDF fulfils fewer than both others",
	 "delay 0.4, 0.5, 0.6, 0.75, 1, both estimates", against_edf,
	 {{.what = "EDF - other", -ANY, BELOW_0, "pp",
	   FUL("policy=edf") " - fulfilled_pct",
	   "load estimates x=0.4,0.5,0.6,0.75,1 policy=libra,librarisk",
	   EDF_OTHER}}, .decimals = 1},
#define THREE(d, f, a, b, c)                                                   \
	"{{%." d "f " f("x=" a " ") "}}, {{%." d "f " f("x=" b " ") "}}, "     \
	"{{%." d "f " f("x=" c " ") "}}"
#define FIRST_AND_STEPS(f, a, b, c)                                            \
	"min(" f("x=" a " ") ", min(" f("x=" b " ") " - " f("x=" a " ") ", "   \
	f("x=" c " ") " - " f("x=" b " ") "))"
	{.id = "L35", "5.2",
	 "Trace estimates: LibraRisk's lead over Libra grows as the load "
	 "falls", "delay 0.5, 0.75, 1", paper_ask_all,
	 {{.what = "lead in pp, first and every rise", ABOVE_0, ANY, "",
	   FIRST_AND_STEPS(LEAD_AT, "0.5", "0.75", "1")},
	  {.what = "lead in slowdown, the same", ABOVE_0, ANY, "",
	   FIRST_AND_STEPS(CALM_AT, "0.5", "0.75", "1")}},
	 .at = "load estimates=trace",
	 .tell = "lead in pp " THREE("1", LEAD_AT, "0.5", "0.75", "1")
		 "; lead in slowdown " THREE("2", CALM_AT, "0.5", "0.75", "1"),
	 .why = "The lead does not grow at every step."},
	{.id = "L36", "5.3", "More jobs are fulfilled with longer deadlines",
	 "ratio 1 to 10, both estimates", SCAN,
	 {{.what = "any step", -1, ANY, "pp", STEP("fulfilled_pct"),
	   "ratio estimates policy step:x",
	   STEP_OF("estimates") ARROW("fulfilled_pct", "x-")}},
	 .unit = "pp per step", .decimals = 1},
	{.id = "L37", "5.3", "Slowdown rises with longer deadlines",
	 "ratio 1 to 10, both estimates", SCAN,
	 {RISES("estimates", "ratio estimates policy step:x")}, BUT_NOISE,
	 .decimals = 2},
	{.id = "L38", "5.3",
	 "Trace estimates: LibraRisk leads Libra at every ratio, most at "
	 "small ones", "ratio 1 to 10", SCAN,
	 {{.what = "lead", ABOVE_0, ANY, "pp", LEAD, "ratio estimates=trace x", PLACE},
	  {.what = "at 1 - at 4", ABOVE_0, ANY, "",
	   LEAD_AT("x=1 ") " - " LEAD_AT("x=4 ")},
	  {.what = "at 4 - at 10", 0, ANY, "",
	   LEAD_AT("x=4 ") " - " LEAD_AT("x=10 ")}}, .decimals = 1,
	 .at = "ratio estimates=trace",
	 .tell = "; at 1, 4, 10: " THREE("1", LEAD_AT, "1", "4", "10"),
	 .why = "The lead is not largest at small ratios."},
	{.id = "L39", "5.3",
	 "Trace estimates: LibraRisk's lead in slowdown grows with the ratio",
	 "ratio 1, 4, 10", paper_ask_all,
	 {{.what = "lead, first and every rise", ABOVE_0, ANY, "",
	   FIRST_AND_STEPS(CALM_AT, "1", "4", "10")}},
	 .at = "ratio estimates=trace",
	 .tell = "lead in slowdown " THREE("2", CALM_AT, "1", "4", "10"),
	 .why = "The lead in slowdown does not grow at every step."},
#define GAIN FUL("x=100") " - " FUL("x=0")
#define GAIN_OF                                                                \
	"{{policy}}, {{estimates.name}}: {{%.1f " FUL("x=0") "}} to {{%.1f "   \
	FUL("x=100") "}}"
	{.id = "L40", "5.4", "Fewer jobs are fulfilled with more urgent ones",
	 "0 and 100 % urgent; exact: all, trace: EDF, Libra", SCAN,
	 {{.what = "exact: at 100 - at 0", -ANY, BELOW_0, "pp", GAIN,
	   "urgency estimates=exact policy", GAIN_OF},
	  {.what = "trace, EDF and Libra: the same", -ANY, BELOW_0, "pp", GAIN,
	   "urgency estimates=trace policy=edf,libra", GAIN_OF}},
	 .decimals = 1},
	{.id = "L41", "5.4", "Slowdown falls with more urgent jobs",
	 "0 to 100 % urgent, both estimates", SCAN,
	 {FALLS("estimates", "urgency estimates policy step:x")}, BUT_NOISE,
	 .decimals = 3},
	{.id = "L42", "5.4",
	 "Trace estimates, all urgent: LibraRisk completes close to 40 % more "
	 "than Libra", "100 % urgent, trace", RANGE,
	 {{.what = "lead", 35, 45, "pp", LEAD}}, .decimals = 1,
	 .at = "urgency estimates=trace x=100"},
	{.id = "L43", "5.4", "Trace estimates, none urgent: 20 % more",
	 "0 % urgent, trace", RANGE, {{.what = "lead", 15, 27, "pp", LEAD}},
	 .decimals = 1, .at = "urgency estimates=trace x=0"},
	{.id = "L44", "5.4", "The former lead is twice the latter",
	 "100 and 0 % urgent, trace", RANGE,
	 {{.what = "ratio", 1.5, 2.4, "", LEAD_AT("x=100 ") " / " LEAD_AT("x=0 ")}},
	 .decimals = 2, .at = "urgency estimates=trace"},
#define LOSS(p) FUL("x=0 policy=" p) " - " FUL("x=100 policy=" p)
	{.id = "L45", "5.4",
	 "Trace estimates: LibraRisk fulfils more as more are urgent",
	 "0 and 100 % urgent, trace", paper_ask_all,
	 {{.what = "at 100 - at 0", 0, ANY, "pp", "-(" LOSS("librarisk") ")"}},
	 .at = "urgency estimates=trace",
	 .tell = "{{%.1f " FUL("x=0 policy=librarisk") "}} to {{%.1f "
		 FUL("x=100 policy=librarisk") "}} %",
	 .why = "LibraRisk loses {{%.1f " LOSS("librarisk") "}} pp between no "
		"urgent job and all urgent, EDF {{%.1f " LOSS("edf") "}} and "
		"Libra {{%.1f " LOSS("libra") "}}: {{if (" LOSS("librarisk")
		" <= 3) * (" LOSS("edf") " >= 15) * (" LOSS("libra")
		" >= 15)}}urgency hardly touches it, but it does not rise."
		"{{else}}not even the weaker form holds, that urgency hardly "
		"touches it alone.{{end}}"},
	{.id = "L46", "5.4",
	 "Trace estimates: EDF and Libra fulfil fewer as more are urgent",
	 "0 to 100 % urgent, trace", SCAN,
	 {{.what = "each: at 100 - at 0", -ANY, -10, "pp", GAIN,
	   "urgency estimates=trace policy=edf,libra", GAIN_OF}},
	 .decimals = 1},
	{.id = "L47", "5.4", "Trace estimates: LibraRisk keeps its lead in slowdown",
	 "all urgencies, trace", SCAN,
	 {{.what = "LibraRisk - Libra", -ANY, BELOW_0, "", "-" CALM_AT(""),
	   "urgency estimates=trace x",
	   PLACE PAIR(SLD("policy=librarisk"), SLD("policy=libra"))}},
	 .decimals = 2},
#define URGENT_80_20(f, high, unit)                                            \
	{{.what = "80 % - 20 %", -ANY, high, unit,                                     \
	  f "[high_urgency_pct=80] - " f "[high_urgency_pct=20]",              \
	  "inaccuracy x policy",                                               \
	  "{{policy}}, inaccuracy {{x}}: {{%.2f " f "[high_urgency_pct=20]}} " \
	  "to {{%.2f " f "[high_urgency_pct=80]}}"}}
	{.id = "L48", "5.5", "More is fulfilled with 20 % urgent jobs than with 80 %",
	 "all inaccuracies", SCAN, URGENT_80_20("fulfilled_pct", 1, "pp"),
	 .decimals = 1},
	{.id = "L49", "5.5", "Slowdown is lower with 80 % urgent jobs",
	 "all inaccuracies", SCAN, URGENT_80_20("mean_slowdown", BELOW_0, ""),
	 .decimals = 2},
	{.id = "L50", "5.5", "Fewer jobs are fulfilled as inaccuracy grows",
	 "0 to 100 %, 20 and 80 % urgent", SCAN,
	 {{.what = "any step", -ANY, 1, "pp", STEP("fulfilled_pct"),
	   "inaccuracy high_urgency_pct policy step:x",
	   STEP_OF("high_urgency_pct") ARROW("fulfilled_pct", "x-")}},
	 .unit = "pp per step", .decimals = 1},
	{.id = "L51", "5.5", "LibraRisk fulfils more than EDF and Libra",
	 "inaccuracy >= 20 %, 20 and 80 % urgent", SCAN,
	 {{.what = "lead", ABOVE_0, ANY, "pp",
	   FUL("policy=librarisk") " - max(" FUL("policy=edf") ", "
	   FUL("policy=libra") ")", "inaccuracy high_urgency_pct x>=20",
	   PLACE_URGENT}}, .unit = "pp above the better of both",
	 .decimals = 1},
	{.id = "L52", "5.5", "80 % urgent: LibraRisk completes about twice as many",
	 "inaccuracy 100 %", RANGE,
	 {{.what = "LibraRisk / Libra", 1.7, 2.2, "",
	   FUL("high_urgency_pct=80 policy=librarisk") " / "
	   FUL("high_urgency_pct=80 policy=libra")}},
	 .unit = "times Libra's", .decimals = 2, .at = "inaccuracy x=100",
	 .tell = "; the lead at 80 % is {{%.2f "
		 LEAD_AT("high_urgency_pct=80 ") " / "
		 LEAD_AT("high_urgency_pct=20 ") "}} times that at 20 %"},
#define URGENT_GAIN FUL("high_urgency_pct=80") " - " FUL("high_urgency_pct=20")
#define URGENT_GAIN_OF                                                         \
	"{{policy}}: {{%.1f " FUL("high_urgency_pct=20") "}} to {{%.1f "       \
	FUL("high_urgency_pct=80") "}}"
	{.id = "L53", "5.5",
	 "LibraRisk fulfils as many at 80 % urgent as at 20 %, EDF and Libra "
	 "fewer", "inaccuracy 100 %", SCAN,
	 {{.what = "EDF, Libra:", -ANY, -8, "pp", URGENT_GAIN,
	   "inaccuracy x=100 policy=edf,libra", URGENT_GAIN_OF},
	  {.what = "LibraRisk", -4, 4, "pp", URGENT_GAIN,
	   "inaccuracy x=100 policy=librarisk", URGENT_GAIN_OF}},
	 .decimals = 1},
	{.id = "L54", "5.5", "Slowdown of Libra and LibraRisk falls with inaccuracy",
	 "20 and 80 % urgent", SCAN,
	 {FALLS("high_urgency_pct",
		"inaccuracy high_urgency_pct policy=libra,librarisk step:x")},
	 BUT_NOISE, .decimals = 2},
#define ENDS(u, least)                                                         \
	"{{%.2f " least "(high_urgency_pct=" u " x: " SLD("policy=edf") ")}}"
	{.id = "L55", "5.5", "EDF's slowdown is lowest and constant",
	 "all inaccuracies, 20 and 80 % urgent", SCAN,
	 {{.what = "EDF - LibraRisk", -ANY, BELOW_0, "",
	   SLD("policy=edf") " - " SLD("policy=librarisk"),
	   "inaccuracy high_urgency_pct x", PLACE_URGENT},
	  {.what = "greatest / least", -ANY, 1.15, "",
	   "most(high_urgency_pct: most(x: " SLD("policy=edf") ") / least(x: "
	   SLD("policy=edf") "))"}}, .decimals = 2, .at = "inaccuracy",
	 .head = "20 % urgent: " ENDS("20", "least") " to " ENDS("20", "most")
		 "; 80 % urgent: " ENDS("80", "least") " to "
		 ENDS("80", "most") "; EDF less LibraRisk ",
	 .why = "Greatest / least {{%.2f most(high_urgency_pct: most(x: "
		SLD("policy=edf") ") / least(x: " SLD("policy=edf") "))}}."},
#define OF_LIBRA(u)                                                            \
	SLD("high_urgency_pct=" u " policy=librarisk") " / "                   \
	SLD("high_urgency_pct=" u " policy=libra")
	{.id = "L56", "5.5",
	 "LibraRisk improves slowdown alike at 20 and 80 % urgent",
	 "inaccuracy 100 %", RANGE,
	 {{.what = "difference of LibraRisk / Libra", -ANY, 0.15, "",
	   "abs(" OF_LIBRA("20") " - " OF_LIBRA("80") ")"}}, .unit = "apart",
	 .decimals = 2, .at = "inaccuracy x=100",
	 .tell = ": {{%.2f " OF_LIBRA("20") "}} and {{%.2f " OF_LIBRA("80")
		 "}} of Libra's"},
	{.id = "L57", "6",
	 "LibraRisk is best when load is low, deadlines are short or "
	 "estimates bad", "L23, L35, L38, L42, L51", l57, .also = "all hold"},
	{.id = "L58", "4",
	 "EDF without admission control does much worse, most with short "
	 "deadlines", "trace, 20 and 100 % urgent", paper_ask_all,
	 {{.what = "ratio", -ANY, 0.7, "", TIMES("trace", "20")},
	  {.what = "at 100 % - at 20 %", -ANY, BELOW_0, "",
	   TIMES("trace", "100") " - " TIMES("trace", "20")}},
	 .tell = "20 % urgent: {{%.1f " WITHOUT("trace", "20") "}} against "
		 "{{%.1f " WITH("trace", "20") "}} % (x {{%.2f "
		 TIMES("trace", "20") "}}); 100 %: {{%.1f "
		 WITHOUT("trace", "100") "}} against {{%.1f "
		 WITH("trace", "100") "}} % (x {{%.2f " TIMES("trace", "100")
		 "}})",
	 .why = "{{if " TIMES("trace", "20") " > 0.7}}At 20 % urgent EDF "
		"fulfils {{%.2f " TIMES("trace", "20") "}} times as many "
		"without its test ({{%.2f " TIMES("exact", "20") "}} with "
		"exact estimates): it then also starts the jobs whose "
		"estimates are too long for their deadlines, "
		"{{%.1f beyond_pct}} % of all.{{end}}",
	 .note = "Short deadlines {{if " TIMES("trace", "100") " < "
		 TIMES("trace", "20") "}}make it worse, as claimed{{else}}do "
		 "not make it worse{{end}}."},
	{.id = "L59", "4", "EDF has the better choice and rejects less eagerly",
	 "explains L33", paper_report, .also = "reported",
	 .at = "load estimates=trace x=0.1",
	 .tell = "at arrival delay 0.1, trace: EDF" FULFILS("edf") ", Libra"
		 FULFILS("libra") ", LibraRisk" FULFILS("librarisk"),
	 .note = "EDF decides when processors are free, among all jobs that "
		 "wait; the others decide at submission."},
};
/* clang-format on */
