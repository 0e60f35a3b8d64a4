/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.c - the odd ones of the claims in claims.txt. */
#include "sim/paper/beyond/experiment.h"

/* Report each bound, which is a goal, beside the value that was reached. */
static void goals(const struct claim *c, const void *study,
		  struct claim_result *r)
{
	bool holds = true;

	for (size_t i = 0; i < CLAIM_NBOUNDS && c->bound[i].value; i++) {
		const struct claim_bound *b = &c->bound[i];
		double value = paper_asked(c, study, i);

		claim_measured(r, "%s%s %.2f", i ? ", " : "", b->what, value);
		if (value >= b->low)
			continue;
		holds = false;
		claim_note(r, "%s misses %.1f %% by %.2f points. ", b->what,
			   b->low, b->low - value);
	}
	claim_verdict(r, holds);
}

/* Judge the logs that exist on this machine; values without a bound are
 * reported, too.
 */
static void other_logs(const struct claim *c, const void *study,
		       struct claim_result *r)
{
	bool holds = true;

	for (size_t i = 0; i < CLAIM_NBOUNDS && c->bound[i].value; i++) {
		const struct claim_bound *b = &c->bound[i];
		const struct claim_bound *log = &c->bound[i - i % 2];
		double value = paper_asked(c, study, i);

		if (isnan(value))
			continue;
		claim_measured(r, "%s%s %.1f", r->measured[0] ? ", " : "",
			       i % 2 ? "" : log->label, value);
		if (!(value < b->low))
			continue;
		holds = false;
		claim_note(r, "%s: %.1f is below %.0f. ", log->label, value,
			   b->low + 0.5);
	}
	claim_verdict(r, holds);
	if (!r->measured[0]) {
		claim_measured(r, "no other log was looked for");
		r->status = CLAIM_INFO;
	}
}

const struct paper_ask beyond_asks[] = {
	{"goals", goals},
	{"other-logs", other_logs},
	{NULL, NULL},
};
