/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claims.c - how the claims of claims.txt are judged: for every reading of what
 * the paper leaves open; the adopted one decides, the others go into the note.
 */
#include <string.h>

#include "sim/paper/ipdps2007/experiment.h"

/* R11 knows seconds and hours, R12 the adopted reading alone. */
static bool is_measured(const struct claim *c, size_t reading)
{
	if (reading == 0)
		return true;
	if (strcmp(c->id, "R11") == 0)
		return ipdps_readings[reading].discount_unit_s != 1;
	return strcmp(c->id, "R12") != 0;
}

static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r);

enum claim_status ipdps_judge(const struct sim_paper_study *s,
			      const struct claim *c, size_t reading)
{
	char given[64];

	if (c->check != by_readings || !is_measured(c, reading))
		return CLAIM_INFO;
	snprintf(given, sizeof(given), "reading=%s discount_unit_s=%g",
		 ipdps_reading_levels[reading].name,
		 ipdps_readings[reading].discount_unit_s);
	return paper_judge_given(s, c, paper_ask_row, given, s->run->nseeds);
}

/* Name the readings under which the verdict is another one. */
static void by_readings(const struct claim *c, const void *study,
			struct claim_result *r)
{
	size_t n = 0;
	enum claim_status other;

	paper_ask_row(c, study, r);
	if (r->status == CLAIM_INFO)
		return;
	other = r->status == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
	for (size_t k = 1; k < IPDPS_NREADINGS; k++) {
		if (ipdps_judge(study, c, k) != other)
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
	else if (r->status == CLAIM_FAIL && is_measured(c, 1))
		claim_note(r, "%sIt holds with no other reading tried.",
			   r->note[0] ? " " : "");
}

const struct paper_ask ipdps_asks[] = {
	{"by-readings", by_readings},
	{"r6", ipdps_r6},
	{"r7", ipdps_r7},
	{"r8", ipdps_r8},
	{"r10", ipdps_r10},
	{"r33", ipdps_r33},
	{NULL, NULL},
};
