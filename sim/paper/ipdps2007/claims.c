/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - the table of the paper's claims.
 *
 * Each claim about results is judged for every reading of what the paper
 * leaves open; the adopted one decides, the others go into the note.
 */
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

/* ---- all readings ---- */

/* By the number of the claim; NULL: it has nothing to do with readings. */
static ipdps_judge_f *const judges[IPDPS_NCLAIMS] = {
	[10] = ipdps_judge_r11, [11] = ipdps_judge_r12, [12] = ipdps_judge_r13,
	[13] = ipdps_judge_r14, [14] = ipdps_judge_r15, [15] = ipdps_judge_r16,
	[16] = ipdps_judge_r17, [17] = ipdps_judge_r18, [18] = ipdps_judge_r19,
	[19] = ipdps_judge_r20, [20] = ipdps_judge_r21, [21] = ipdps_judge_r22,
	[22] = ipdps_judge_r23, [23] = ipdps_judge_r24, [24] = ipdps_judge_r25,
	[25] = ipdps_judge_r26, [26] = ipdps_judge_r27, [27] = ipdps_judge_r28,
	[28] = ipdps_judge_r29, [29] = ipdps_judge_r30, [30] = ipdps_judge_r31,
	[31] = ipdps_judge_r32,
};

/* R11 knows seconds and hours, R12 the adopted reading alone. */
static bool is_measured(size_t claim, int reading)
{
	const struct ipdps_reading *r = &ipdps_readings[reading];

	if (reading == 0)
		return true;
	if (claim == 10)
		return r->discount_unit_s != 1;
	return claim != 11;
}

enum claim_status ipdps_judge(const struct ipdps_study *s, size_t claim,
			      int reading)
{
	struct ipdps_view v = {s, reading};
	struct claim_result r = {0};

	if (!judges[claim] || !is_measured(claim, reading))
		return CLAIM_INFO;
	judges[claim](&v, &r);
	return r.status;
}

/* Name the readings under which the verdict is another one. */
static void tell_readings(const struct ipdps_study *s, size_t claim,
			  struct claim_result *r)
{
	enum claim_status other =
		r->status == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
	int n = 0;

	if (r->status == CLAIM_INFO)
		return;
	for (int k = 1; k < IPDPS_NREADINGS; k++) {
		if (ipdps_judge(s, claim, k) != other)
			continue;
		claim_note(r, "%s%s%s",
			   n		? "; "
			   : r->note[0] ? " "
					: "",
			   n			 ? ""
			   : other == CLAIM_PASS ? "It holds with "
						 : "It fails with ",
			   ipdps_readings[k].title);
		n++;
	}
	if (n > 0)
		claim_note(r, ".");
	else if (r->status == CLAIM_FAIL && is_measured(claim, 1))
		claim_note(r, "%sIt holds with no other reading tried.",
			   r->note[0] ? " " : "");
}

static void check(const struct claim *claim, const void *study,
		  struct claim_result *r)
{
	size_t index = (size_t)(claim - ipdps_claims);
	struct ipdps_view v = {study, 0};

	judges[index](&v, r);
	tell_readings(study, index, r);
}

/* ---- the table ---- */

#define MEAN "mean of the scenarios"

const struct claim ipdps_claims[IPDPS_NCLAIMS] = {
	{"R1", "5.2", "The workload is the last 5000 jobs, about 3.75 months",
	 "last 5000 records of the log", "3.65 to 3.85 months of 30.4 days",
	 ipdps_r1},
	{"R2", "5.2", "Mean inter-arrival time 1969 s",
	 "(last - first submission) / (n - 1)", "1969 s within 0.5", ipdps_r2},
	{"R3", "5.2", "Mean run time 8671 s",
	 "all chosen records as they stand", "8671 s within 0.5", ipdps_r3},
	{"R4", "5.2", "Jobs ask for 17 processors on average",
	 "requested processors", "17, rounded", ipdps_r4},
	{"R5", "5.2", "Utilization 83.2 %, 128 nodes",
	 "whole log: work / (submission span x processors)",
	 "83.2 % within 0.5; no request above 128", ipdps_r5},
	{"R6", "3", "SLA, reliability and profit are these ratios",
	 "eqs 1 to 3, two jobs", "equal", ipdps_r6},
	{"R7", "4",
	 "Performance and volatility are mean and population standard "
	 "deviation; integrated: their weighted sums",
	 "eqs 4 to 7, six numbers", "equal", ipdps_r7},
	{"R8", "table 2", "The default settings", "sets A and B", "as printed",
	 ipdps_r8},
	{"R9", "table 3", "The values that the scenarios vary",
	 "16 restored among set B's deadline biases", "six values each",
	 ipdps_r9},
	{"R10", "5.3",
	 "Utility = budget - delay x penalty rate, without a lower bound",
	 "eqs 8 and 9", "equal", ipdps_r10},
	{"R11", "5.1",
	 "FirstReward: alpha 1, discount 1 %, slack threshold 25 is best",
	 "default points; threshold 0 to 200", "profit at 25 >= at 20 and 30",
	 check},
	{"R12", "5.1", "Backfilling without admission control does much worse",
	 "default points, 20 and 100 % urgent", "SLA ratio <= 0.7", check},
	{"R13", "6.1", "SLA: LibraRisk is best", "sets A and B",
	 "highest performance in 4 of 5 scenarios or more", check},
	{"R14", "6.1", "SLA: LibraRisk is more volatile than the others",
	 "workload", "highest volatility", check},
	{"R15", "6.1",
	 "SLA: EDF-BF is the least volatile of those with many jobs",
	 "workload", "lowest volatility but FirstReward's", check},
	{"R16", "6.1",
	 "SLA: Libra and LibraRisk are less volatile in set B than in A",
	 "workload", "B < A", check},
	{"R17", "6.1", "FCFS-BF and EDF-BF: reliability 100 %", "all points",
	 "99.9 or more", check},
	{"R18", "6.1",
	 "FirstReward's reliability is more volatile in set B than in A", MEAN,
	 "B > A", check},
	{"R19", "6.1", "Profit: every policy is highly volatile",
	 "workload, deadline bias, budget bias", "volatility >= 10", check},
	{"R20", "6.1", "Set A: FCFS-BF and EDF-BF earn most", MEAN,
	 "both >= Libra and LibraRisk", check},
	{"R21", "6.1", "Set A: LibraRisk earns about what Libra does", MEAN,
	 "within 4", check},
	{"R22", "6.2",
	 "Set A: LibraRisk earns about 20 % less than the backfilling "
	 "policies",
	 "default point", "EDF-BF - LibraRisk in [10, 25]", check},
	{"R23", "6.1", "Set B: LibraRisk earns most", MEAN, "above all others",
	 check},
	{"R24", "6.1", "FirstReward is lowest in SLA, reliability and profit",
	 MEAN, "lowest in each, in both sets", check},
	{"R25", "6.2",
	 "SLA and reliability: LibraRisk is best in both sets, FCFS-BF, "
	 "EDF-BF and Libra about equal",
	 "weights 1/2; " MEAN, "highest; the others within 10", check},
	{"R26", "6.2",
	 "SLA and reliability: LibraRisk is best in volatility too",
	 "weights 1/2; workload", "reported", check},
	{"R27", "6.2", "SLA and profit, set B: LibraRisk is far ahead",
	 "weights 1/2; " MEAN, "LibraRisk - next >= 8", check},
	{"R28", "6.2",
	 "Reliability and profit, set B: all alike, LibraRisk and FirstReward "
	 "more volatile",
	 "weights 1/2; " MEAN,
	 "within 6 but for FirstReward; highest volatilities", check},
	{"R29", "6.2",
	 "Reliability and profit, set A: FCFS-BF and EDF-BF first, then Libra "
	 "and LibraRisk",
	 "weights 1/2; " MEAN, "in this order", check},
	{"R30", "6.2", "All three, set B: LibraRisk is best",
	 "weights 1/3; " MEAN, "highest", check},
	{"R31", "6.2",
	 "All three, set A: LibraRisk only slightly below the backfilling "
	 "policies",
	 "weights 1/3; " MEAN, "LibraRisk >= the better - 6", check},
	{"R32", "6.2, 7",
	 "The backfilling policies perform well in set A, but not in B",
	 "weights 1/3; " MEAN, "A - B >= 8", check},
	{"R33", "5.2", "Estimates are the log's", "all points", "as they stand",
	 ipdps_r33},
};
