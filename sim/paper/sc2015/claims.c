/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - what was published is met to the digit, and what follows from it.
 *
 * Logs that are not on this machine have no points.
 */
#include "sim/paper/sc2015/experiment.h"

#define ABOVE_0 CLAIM_ABOVE_0
#define ANY	CLAIM_ANY
#define SCAN	scan

#define SLD(words) "mean_bounded_slowdown[" words "]"
#define PLACE	   "{{log}}, {{policy}}, {{method}}"
#define EVERY(log, of)                                                         \
	"all log=" log " policy=easy method=requested,exact;"                  \
	"all log=" log " policy=easy-sjbf method=requested,"                   \
	"clairvoyant,increments,last-two"
#define OFF(from) "abs(mean_bounded_slowdown - " from ")"
#define LOGS	  "all policy=easy method=requested log"

/* One method less another, on every log. */
#define GAIN(what_, worse, better)                                               \
	{                                                                        \
		{                                                                \
			what_, ABOVE_0, ANY, "", SLD(worse) " - " SLD(better),   \
				LOGS,                                            \
				"{{log}}: {{%.2f " SLD(                          \
					worse) "}} and {{%.2f " SLD(better) "}}" \
		}                                                                \
	}

#define REQUESTED "policy=easy method=requested"
#define SJBF(m)	  "policy=easy-sjbf method=" m
#define EASY(m)	  "policy=easy method=" m

/* How many of the logs that are there the leader is better on. */
#define WON                                                                    \
	"count(" LOGS ": " SLD(SJBF("leader")) " < " SLD(SJBF("last-two")) ")"

/* Where a log is missing, what does not hold says nothing. */
static void excuse(const void *study, struct claim_result *r)
{
	const struct sc2015_study *s = study;

	if (r->status != CLAIM_FAIL ||
	    (s->missing == 0 && !s->paper.source.synthetic))
		return;
	r->status = CLAIM_INFO;
	claim_note(r, "%sNot all logs are on this machine.",
		   r->note[0] ? " " : "");
}

static void scan(const struct claim *c, const void *study,
		 struct claim_result *r)
{
	paper_ask_scan(c, study, r);
	excuse(study, r);
}

static void won(const struct claim *c, const void *study,
		struct claim_result *r)
{
	paper_ask_all(c, study, r);
	excuse(study, r);
}

/* clang-format off */
const struct claim sc2015_claims[SC2015_NCLAIMS] = {
	{.id = "S1", "raw results", "KTH SP2: the published values to ten digits",
	 "28,481 jobs, 100 processors", SCAN,
	 {{.what = "relative difference", -ANY, 1e-10, "",
	   OFF("published") " / published", EVERY("kth", ""), PLACE}}},
	{.id = "S2", "raw results", "CTC SP2: all digits that are printed",
	 "77,199 jobs, 338 processors", SCAN,
	 {{.what = "difference", -ANY, 0.00005, "", OFF("published"),
	   EVERY("ctc", ""), PLACE}}},
	{.id = "S3", "a second program", "SDSC SP2: all digits, on the same file",
	 "53,999 jobs, 128 processors", SCAN,
	 {{.what = "difference", -ANY, 0.00005, "", OFF("second"),
	   EVERY("sdsc", ""), PLACE}}},
	{.id = "S4", "raw results",
	 "SDSC SP2: the published values, of a file with seven jobs more",
	 "in % of the published value", SCAN,
	 {{.what = "difference", -ANY, 0.2, "%",
	   "100 * " OFF("published") " / published", EVERY("sdsc", ""), PLACE}},
	 .decimals = 2},
	{.id = "S5", "table", "EASY++ is better than EASY", "every log", SCAN,
	 GAIN("EASY - EASY++", REQUESTED, SJBF("increments")), .decimals = 2},
	{.id = "S6", "table", "to know the run times helps EASY", "every log",
	 SCAN, GAIN("requested - clairvoyant", REQUESTED, EASY("exact")),
	 .decimals = 2},
	{.id = "S7", "table", "the shortest first is better than the oldest first",
	 "every log, requested run times", SCAN,
	 GAIN("EASY - EASY-SJBF", REQUESTED, SJBF("requested")), .decimals = 2},
	{.id = "S8", "table",
	 "nothing here is better than the shortest first with known run times",
	 "every log and prediction", SCAN,
	 {{"prediction - clairvoyant", 0, ANY, "",
	   "mean_bounded_slowdown - " SLD(SJBF("clairvoyant")),
	   "all policy log method", PLACE}}, .decimals = 2},
	{.id = "S9", "",
	 "what increments cost: last two, then the request, is better than EASY++",
	 "every log", SCAN,
	 GAIN("increments - request", SJBF("increments"), SJBF("last-two")),
	 .decimals = 2},
	{.id = "S10", "", "doubling is worse than the request, too", "every log",
	 SCAN, GAIN("double - request", SJBF("double"), SJBF("last-two")),
	 .decimals = 2},
	{.id = "S11", "the goal set for this study",
	 "a rule that sees no future and learns no model is better than the last "
	 "two on four logs of five", "leader, EASY-SJBF", won,
	 {{.what = "logs won", 4, 5, "", WON}},
	 .tell = "{{%.0f " WON "}} of {{%.0f 5 - missing}}:{{each " LOGS "}} {{log}} "
		 "{{%.2f " SLD(SJBF("leader")) "}} and {{%.2f " SLD(SJBF("last-two"))
		 "}};{{end}}",
	 .note = "Mean slowdowns hang on few jobs: see docs/prediction.md for "
		 "shaken copies of the logs."},
};
/* clang-format on */
