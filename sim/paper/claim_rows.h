/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim_rows.h - a paper's claims from a text.
 *
 * A row begins with its id; what belongs to it follows behind a tab, and a line
 * behind two tabs goes on with the one before:
 *
 *     # a remark
 *     let lead = fulfilled_pct[policy=band] - fulfilled_pct
 *     L7 | 5.1 | What is claimed | where it was measured | range .1 pp
 *     	15.. pp | what is asked | lead | over | label | slack
 *     	at: load x=1
 *     	tell: ; the least is {{%.1f lead[x=0]}} pp
 *
 * The fifth field is how it is asked (steps.h, or a function of the paper's
 * own), decimals and unit.  Bounds have a range first: 15..20, 0.., ..<7 and
 * >0.. for more than nothing; what is asked is not told if it is "-".  at,
 * head, tell, why, note and also are as in struct claim; one that begins or
 * ends with a blank stands in "".  What let names is a value or a text, see
 * text.h.
 */
#ifndef SIM_PAPER_CLAIM_ROWS_H
#define SIM_PAPER_CLAIM_ROWS_H

#include "core/error.h"
#include "sim/paper/text.h"
#include "sim/report/claims.h"

/* A way to ask. */
struct paper_ask {
	const char *name;
	claim_check_f *check;
};

struct paper_claims {
	char *text; /* all strings of the rows */
	struct claim *claims;
	struct paper_let *lets; /* ends with NULL */
	size_t n, nlets;
};

/* Read a text.  The lists of ways to ask end with NULL; the second may be
 * NULL.
 * Result: 0, or -1 with ENOMEM, or EINVAL: a row is not as above.
 * Owner:  the caller calls paper_claims_fini(), after an error too.
 */
int paper_claims_read(struct paper_claims *c, const char *text,
		      const struct paper_ask *const asks[2],
		      struct libra_error *err);
void paper_claims_fini(struct paper_claims *c);

#endif
