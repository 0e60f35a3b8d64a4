/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - the claims of the paper on integrated risk analysis.
 *
 * Each claim about results is judged for every reading of what the paper
 * leaves open; the adopted one decides, the others go into the note.
 */
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

#define ABOVE_0 CLAIM_ABOVE_0
#define ANY	CLAIM_ANY

/* ---- all readings ---- */

/* By the results as they are: what the row has decides how it is asked. */
static void ask(const struct claim *c, const void *study,
		struct claim_result *r)
{
	if (c->bound[0].over)
		paper_ask_scan(c, study, r);
	else if (c->bound[0].value)
		paper_ask_all(c, study, r);
	else
		paper_report(c, study, r);
}

/* R11 knows seconds and hours, R12 the adopted reading alone. */
static bool is_measured(size_t claim, size_t reading)
{
	if (reading == 0)
		return true;
	if (strcmp(ipdps_claims[claim].id, "R11") == 0)
		return ipdps_readings[reading].discount_unit_s != 1;
	return strcmp(ipdps_claims[claim].id, "R12") != 0;
}

static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r);

enum claim_status ipdps_judge(const struct sim_paper_study *s, size_t claim,
			      size_t reading)
{
	struct sim_paper_study other = *s;
	struct claim_result r = {0};
	char given[64];

	if (ipdps_claims[claim].check != by_readings ||
	    !is_measured(claim, reading))
		return CLAIM_INFO;
	snprintf(given, sizeof(given), "reading=%s discount_unit_s=%g",
		 ipdps_reading_levels[reading].name,
		 ipdps_readings[reading].discount_unit_s);
	other.designs.given = given;
	ask(&ipdps_claims[claim], &other, &r);
	return r.status;
}

/* Name the readings under which the verdict is another one. */
static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r)
{
	size_t index = (size_t)(c - ipdps_claims), n = 0;
	enum claim_status other;

	ask(c, study, r);
	if (r->status == CLAIM_INFO)
		return;
	other = r->status == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
	for (size_t k = 1; k < IPDPS_NREADINGS; k++) {
		if (ipdps_judge(study, index, k) != other)
			continue;
		if (n++ > 0)
			claim_note(r, "; ");
		else
			claim_note(r, "%s%s", r->note[0] ? " " : "",
				   other == CLAIM_PASS ? "It holds with "
						       : "It fails with ");
		claim_note(r, "%s", ipdps_reading_levels[k].title);
	}
	if (n > 0)
		claim_note(r, ".");
	else if (r->status == CLAIM_FAIL && is_measured(index, 1))
		claim_note(r, "%sIt holds with no other reading tried.",
			   r->note[0] ? " " : "");
}

/* ---- values ---- */

#define MEAN "mean of the scenarios"
/* Means over the scenarios; sd is volatility. */
#define P(words) "performance[" words "]"
#define V(words) "volatility[" words "]"
/* "A: FCFS-BF 65.8, EDF-BF 74.9, ..." */
#define IN(set, f, p) "{{%.1f " f "[set=" set " policy=" p "]}}"
#define TELL(set, f)                                                                           \
	set ": FCFS-BF " IN(set, f, "fcfs-bf") ", EDF-BF " IN(set, f, "edf-bf") ", Libra " IN( \
		set, f,                                                                        \
		"libra") ", LibraRisk " IN(set, f,                                             \
					   "librarisk") ", FirstReward " IN(set,               \
									    f,                 \
									    "firstreward")
#define MEANS(set) TELL(set, "performance")

#define BACKFILLING	     "policy=fcfs-bf,edf-bf"
#define LIBRAS		     "policy=libra,librarisk"
#define BUT_LIBRARISK	     "policy=fcfs-bf,edf-bf,libra,firstreward"
#define BUT_FIRST	     "policy=fcfs-bf,edf-bf,libra,librarisk"
#define THREE		     "policy=fcfs-bf,edf-bf,libra"
#define MOST(set, but)	     "most(set=" set " " but ": performance)"
#define LEAST(set, but)	     "least(set=" set " " but ": performance)"
#define LIBRARISK(set)	     P("set=" set " policy=librarisk")
#define BEST(set)	     LIBRARISK(set) " - " MOST(set, BUT_LIBRARISK)
#define AT(objectives)	     "risk scenario=mean objectives=" objectives
#define WORKLOAD(objectives) "risk scenario=workload objectives=" objectives
#define ALL		     "sla+reliability+profit"

/* R11: the threshold that earns most, the first of several. */
#define PROFIT(set, t)                                                         \
	"profit_pct[firstreward set=" set                                      \
	" policy=firstreward tuning=threshold-" t "]"
#define BEST_PROFIT(set)                                                       \
	"most(firstreward set=" set " policy tuning=" TUNED ": profit_pct)"
#define TUNED "threshold-*"
#define R11(set)                                                                                                     \
	set ": profit {{%.3f " PROFIT(set, "20") "}} % at 20, {{%.3f " PROFIT(set, "25") "}} at 25, {{%.3f " PROFIT( \
		set,                                                                                                 \
		"30") "}} at 30; best {{%.3f " BEST_PROFIT(set) "}} at {{%g "                                        \
								"least(firstreward set=" set                         \
								" policy tuning=" TUNED                              \
								": tuning + 1e9 * (profit_pct < " BEST_PROFIT(       \
									set) "))}}"
#define R11_LOSES(set)                                                         \
	"{{if " PROFIT(set, "25") " < max(" PROFIT(set, "20") ", " PROFIT(     \
		set, "30") ")}}In set " set " 25 is below a neighbour.{{end}}"

/* R12 */
#define UNTESTED(f, set, urgent, p, admission)                                 \
	f "[no-admission set=" set " high_urgency_pct=" urgent " policy=" p    \
	  " admission=" admission "]"
#define R12(title, set, urgent, p)                                             \
	title " " set ", " urgent " % urgent: {{%.1f " UNTESTED(               \
		"fulfilled_pct", set, urgent, p,                               \
		"1") "}} to {{%.1f " UNTESTED("fulfilled_pct", set, urgent, p, \
					      "0") "}}"
#define R12_TWO(set, urgent)                                                   \
	R12("FCFS-BF", set, urgent, "fcfs-bf")                                 \
	"; " R12("EDF-BF", set, urgent, "edf-bf")
#define R12_RATIO(least)                                                       \
	least "(no-admission set high_urgency_pct policy: "                    \
	      "fulfilled_pct[admission=0] / fulfilled_pct[admission=1])"

/* clang-format off */
const struct claim ipdps_claims[IPDPS_NCLAIMS] = {
	{.id = "R1", "5.2", "The workload is the last 5000 jobs, about 3.75 months",
	 "last 5000 records of the log", paper_ask_log,
	 {{.what = "", 3.65, 3.85, "months of 30.4 days", "span_months"}},
	 .unit = "months", .decimals = 2,
	 .tell = " ({{%.0f records}} records, {{%.2f span_days}} days)"},
	{.id = "R2", "5.2", "Mean inter-arrival time 1969 s",
	 "(last - first submission) / (n - 1)", paper_ask_log,
	 {{.what = "", 1968.5, 1969.5, "s", "gap_s"}}, .decimals = 2},
	{.id = "R3", "5.2", "Mean run time 8671 s",
	 "all chosen records as they stand", paper_ask_log,
	 {{.what = "", 8670.5, 8671.5, "s", "run_s"}}, .decimals = 2},
	{.id = "R4", "5.2", "Jobs ask for 17 processors on average",
	 "requested processors", paper_ask_log,
	 {{.what = "", 16.5, 0x1.17fffffffffffp4, "processors", "procs"}},
	 .decimals = 2},
	{.id = "R5", "5.2", "Utilization 83.2 %, 128 nodes",
	 "whole log: work / (submission span x processors)", paper_ask_log,
	 {{.what = "", 82.7, 83.7, "%", "utilization_pct"},
	  {.what = "largest request", -ANY, 128, "", "largest"}}, .decimals = 2,
	 .tell = "; the largest request is {{%.0f largest}}",
	 .why = "A job asks for more than 128 processors."},
	{.id = "R6", "3", "SLA, reliability and profit are these ratios",
	 "eqs 1 to 3, two jobs", ipdps_r6, .also = "equal"},
	{.id = "R7", "4",
	 "Performance and volatility are mean and population standard "
	 "deviation; integrated: their weighted sums",
	 "eqs 4 to 7, six numbers", ipdps_r7, .also = "equal"},
	{.id = "R8", "table 2", "The default settings", "sets A and B", ipdps_r8,
	 .also = "as printed"},
	{.id = "R9", "table 3", "The values that the scenarios vary",
	 "16 restored among set B's deadline biases", ipdps_r9,
	 .also = "six values each"},
	{.id = "R10", "5.3",
	 "Utility = budget - delay x penalty rate, without a lower bound",
	 "eqs 8 and 9", ipdps_r10, .also = "equal"},
	{.id = "R11", "5.1",
	 "FirstReward: alpha 1, discount 1 %, slack threshold 25 is best",
	 "default points; threshold 0 to 200", by_readings,
	 {{.what = "A: profit at 25 - the better of 20 and 30", 0, ANY, "",
	   PROFIT("A", "25") " - max(" PROFIT("A", "20") ", "
	   PROFIT("A", "30") ")"},
	  {.what = "B: the same", 0, ANY, "",
	   PROFIT("B", "25") " - max(" PROFIT("B", "20") ", "
	   PROFIT("B", "30") ")"}},
	 .tell = R11("A") "; " R11("B"),
	 .why = R11_LOSES("A") "{{if (" PROFIT("A", "25") " < max("
		PROFIT("A", "20") ", " PROFIT("A", "30") ")) * ("
		PROFIT("B", "25") " < max(" PROFIT("B", "20") ", "
		PROFIT("B", "30") "))}} {{end}}" R11_LOSES("B")},
	{.id = "R12", "5.1", "Backfilling without admission control does much worse",
	 "default points, 20 and 100 % urgent", by_readings,
	 {{.what = "greatest SLA ratio", -ANY, 0.7, "", R12_RATIO("most")}},
	 .tell = R12_TWO("A", "20") "; " R12_TWO("A", "100") "; "
		 R12_TWO("B", "20") "; " R12_TWO("B", "100"),
	 .why = "Without the test the SLA is {{%.2f " R12_RATIO("least")
		"}} to {{%.2f " R12_RATIO("most") "}} times what it is with "
		"it. It gains in set A: the test also refuses jobs whose "
		"estimates are too long for their deadlines, and many of them "
		"end in time. Profit does fall far, in set A by default from "
		"{{%.0f " UNTESTED("profit_pct", "A", "20", "fcfs-bf", "1")
		"}} to {{%.0f "
		UNTESTED("profit_pct", "A", "20", "fcfs-bf", "0")
		"}} % with FCFS-BF."},
#define WINS(set)                                                              \
	"count(set=" set " scenario<6: " P("policy=librarisk") " >= "          \
	"most(policy: performance))"
	{.id = "R13", "6.1", "SLA: LibraRisk is best", "sets A and B", by_readings,
	 {{.what = "highest performance: A", 4, ANY, "of 5 scenarios", WINS("A")},
	  {.what = "B", 4, ANY, "of 5", WINS("B")}}, .at = AT("sla"),
	 .tell = MEANS("A") " (LibraRisk best in {{%.0f " WINS("A")
		 "}} of 5); " MEANS("B") " (LibraRisk best in {{%.0f "
		 WINS("B") "}} of 5)"},
#define CALM(set, a, most, others)                                             \
	V("set=" set " policy=" a) " - " most "(set=" set " " others           \
	": volatility)"
	{.id = "R14", "6.1", "SLA: LibraRisk is more volatile than the others",
	 "workload", by_readings,
	 {{.what = "A: LibraRisk - the highest other", ABOVE_0, ANY, "",
	   CALM("A", "librarisk", "most", BUT_LIBRARISK)},
	  {.what = "B: the same", ABOVE_0, ANY, "",
	   CALM("B", "librarisk", "most", BUT_LIBRARISK)}},
	 .at = WORKLOAD("sla"),
	 .tell = TELL("A", "volatility") "; " TELL("B", "volatility")},
#define BUT_EDF "policy=fcfs-bf,libra,librarisk"
	{.id = "R15", "6.1",
	 "SLA: EDF-BF is the least volatile of those with many jobs",
	 "workload", by_readings,
	 {{.what = "A: EDF-BF - the lowest other but FirstReward", -ANY,
	   CLAIM_BELOW_0, "", CALM("A", "edf-bf", "least", BUT_EDF)},
	  {.what = "B: the same", -ANY, CLAIM_BELOW_0, "",
	   CALM("B", "edf-bf", "least", BUT_EDF)}},
	 .at = WORKLOAD("sla"),
	 .tell = TELL("A", "volatility") "; " TELL("B", "volatility")},
#define B_A(p) V("set=B policy=" p) " - " V("set=A policy=" p)
#define A_AND_B(p) IN("A", "volatility", p) " in A, "                          \
	IN("B", "volatility", p) " in B"
	{.id = "R16", "6.1",
	 "SLA: Libra and LibraRisk are less volatile in set B than in A",
	 "workload", by_readings,
	 {{.what = "Libra: B - A", -ANY, CLAIM_BELOW_0, "", B_A("libra")},
	  {.what = "LibraRisk: B - A", -ANY, CLAIM_BELOW_0, "", B_A("librarisk")}},
	 .at = WORKLOAD("sla"),
	 .tell = "Libra " A_AND_B("libra") "; LibraRisk "
		 A_AND_B("librarisk")},
	{.id = "R17", "6.1", "FCFS-BF and EDF-BF: reliability 100 %", "all points",
	 by_readings,
	 {{.what = "", 99.9, 100, "%", "reliability_pct",
	   "main set scenario value " BACKFILLING,
	   "{{policy}}, {{set}}, {{scenario.name}} {{value}}"}},
	 .decimals = 2},
	{.id = "R18", "6.1",
	 "FirstReward's reliability is more volatile in set B than in A", MEAN,
	 by_readings, {{.what = "B - A", ABOVE_0, ANY, "", B_A("firstreward")}},
	 .at = AT("reliability"),
	 .tell = "mean volatility " A_AND_B("firstreward")},
	{.id = "R19", "6.1", "Profit: every policy is highly volatile",
	 "workload, deadline bias, budget bias", by_readings,
	 {{.what = "volatility", 10, ANY, "", "volatility",
	   "risk objectives=profit set scenario=workload,deadline-bias,"
	   "budget-bias policy",
	   "{{policy}}, {{set}}, {{scenario.name}}"}}, .decimals = 1},
#define FIRST_TWO(set)                                                         \
	LEAST(set, BACKFILLING) " - " MOST(set, LIBRAS)
	{.id = "R20", "6.1", "Set A: FCFS-BF and EDF-BF earn most", MEAN,
	 by_readings,
	 {{.what = "the lower of both - the higher of Libra and LibraRisk", 0, ANY, "",
	   FIRST_TWO("A")}}, .at = AT("profit"), .tell = MEANS("A")},
	{.id = "R21", "6.1", "Set A: LibraRisk earns about what Libra does", MEAN,
	 by_readings,
	 {{.what = "", -4, 4, "",
	   P("set=A policy=librarisk") " - " P("set=A policy=libra")}},
	 .at = AT("profit"),
	 .tell = "LibraRisk " IN("A", "performance", "librarisk") ", Libra "
		 IN("A", "performance", "libra")},
#define EARNS(p) "profit_pct[policy=" p "]"
	{.id = "R22", "6.2",
	 "Set A: LibraRisk earns about 20 % less than the backfilling "
	 "policies", "default point", by_readings,
	 {{.what = "EDF-BF - LibraRisk", 10, 25, "",
	   EARNS("edf-bf") " - " EARNS("librarisk")}},
	 .at = "main set=A scenario=workload value=6",
	 .tell = "EDF-BF {{%.1f " EARNS("edf-bf") "}} - LibraRisk {{%.1f "
		 EARNS("librarisk") "}} = {{%.1f " EARNS("edf-bf") " - "
		 EARNS("librarisk") "}}; FCFS-BF {{%.1f " EARNS("fcfs-bf")
		 "}}, so {{%.1f " EARNS("fcfs-bf") " - " EARNS("librarisk")
		 "}}"},
	{.id = "R23", "6.1", "Set B: LibraRisk earns most", MEAN, by_readings,
	 {{.what = "LibraRisk - next", ABOVE_0, ANY, "", BEST("B")}},
	 .at = AT("profit"), .tell = MEANS("B")},
#define NEXT "least(" BUT_FIRST ": performance)"
	{.id = "R24", "6.1", "FirstReward is lowest in SLA, reliability and profit",
	 MEAN, by_readings,
	 {{.what = "each, in both sets: next - FirstReward", ABOVE_0, ANY, "",
	   NEXT " - " P("policy=firstreward"),
	   "risk scenario=mean set objectives=sla,reliability,profit",
	   "{{objectives}}, {{set}}: {{%.1f " P("policy=firstreward")
	   "}}, next {{%.1f " NEXT "}}"}}, .unit = "below the next",
	 .decimals = 1},
#define APART(set) MOST(set, THREE) " - " LEAST(set, THREE)
	{.id = "R25", "6.2",
	 "SLA and reliability: LibraRisk is best in both sets, FCFS-BF, "
	 "EDF-BF and Libra about equal",
	 "weights 1/2; " MEAN, by_readings,
	 {{.what = "A: LibraRisk - next", ABOVE_0, ANY, "", BEST("A")},
	  {.what = "the other three apart by", -ANY, 10, "", APART("A")},
	  {.what = "B: LibraRisk - next", ABOVE_0, ANY, "", BEST("B")},
	  {.what = "the other three apart by", -ANY, 10, "", APART("B")}},
	 .at = AT("sla+reliability"), .tell = MEANS("A") "; " MEANS("B")},
#define LOWEST(set)                                                            \
	"(" V("set=" set " policy=librarisk") " <= "                           \
	"least(set=" set " policy: volatility))"
	{.id = "R26", "6.2",
	 "SLA and reliability: LibraRisk is best in volatility too",
	 "weights 1/2; workload", by_readings, .also = "reported",
	 .at = WORKLOAD("sla+reliability"),
	 .tell = TELL("A", "volatility") "; " TELL("B", "volatility"),
	 .note = "{{if " LOWEST("A") " * " LOWEST("B") "}}It holds.{{else}}It "
		 "does not hold, and contradicts the paper's own statement "
		 "that LibraRisk is the most volatile (R14).{{end}}"},
	{.id = "R27", "6.2", "SLA and profit, set B: LibraRisk is far ahead",
	 "weights 1/2; " MEAN, by_readings,
	 {{.what = "LibraRisk - next", 8, ANY, "", BEST("B")}}, .at = AT("sla+profit"),
	 .tell = MEANS("B") " ({{%+.1f " BEST("B") "}})",
	 .why = "LibraRisk leads by {{%.1f " BEST("B") "}}, less than 8."},
#define VOLATILE(p) "{{%.1f " V("set=B policy=" p) "}}"
	{.id = "R28", "6.2",
	 "Reliability and profit, set B: all alike, LibraRisk and FirstReward "
	 "more volatile", "weights 1/2; " MEAN, by_readings,
	 {{.what = "all but FirstReward apart by", -ANY, 6, "",
	   MOST("B", BUT_FIRST) " - " LEAST("B", BUT_FIRST)},
	  {.what = "volatility of LibraRisk and FirstReward - of the others", ABOVE_0,
	   ANY, "",
	   "least(set=B policy=librarisk,firstreward: volatility) - "
	   "most(set=B " THREE ": volatility)"}},
	 .at = AT("reliability+profit"),
	 .tell = MEANS("B") "; volatility " VOLATILE("fcfs-bf") ", "
		 VOLATILE("edf-bf") ", " VOLATILE("libra") ", "
		 VOLATILE("librarisk") ", " VOLATILE("firstreward")},
	{.id = "R29", "6.2",
	 "Reliability and profit, set A: FCFS-BF and EDF-BF first, then Libra "
	 "and LibraRisk", "weights 1/2; " MEAN, by_readings,
	 {{.what = "the lower of the first two - the higher of the others", ABOVE_0,
	   ANY, "", FIRST_TWO("A")}}, .at = AT("reliability+profit"),
	 .tell = MEANS("A")},
	{.id = "R30", "6.2", "All three, set B: LibraRisk is best",
	 "weights 1/3; " MEAN, by_readings,
	 {{.what = "LibraRisk - next", ABOVE_0, ANY, "", BEST("B")}}, .at = AT(ALL),
	 .tell = MEANS("B")},
	{.id = "R31", "6.2",
	 "All three, set A: LibraRisk only slightly below the backfilling "
	 "policies", "weights 1/3; " MEAN, by_readings,
	 {{.what = "LibraRisk - the better of both", -6, ANY, "",
	   LIBRARISK("A") " - " MOST("A", BACKFILLING)}}, .at = AT(ALL),
	 .tell = MEANS("A")},
	{.id = "R32", "6.2, 7",
	 "The backfilling policies perform well in set A, but not in B",
	 "weights 1/3; " MEAN, by_readings,
	 {{.what = "A - B", 8, ANY, "", P("set=A") " - " P("set=B"),
	   AT(ALL) " " BACKFILLING, "{{policy}}"}}, .decimals = 1},
	{.id = "R33", "5.2", "Estimates are the log's", "all points", ipdps_r33,
	 .also = "as they stand",
	 .tell = "the log's, {{%.1f over_pct}} % of them too long, median "
		 "estimate / run time {{%.2f ratio_median}}"},
};
/* clang-format on */
