/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * claim_rows.h - read a paper's claims from a text.
 *
 * A row begins with its id.  Lines after a tab belong to the row, and a line
 * after two tabs continues the line before:
 *
 *     # a remark
 *     let lead = fulfilled_pct[policy=band] - fulfilled_pct
 *     L7 | 5.1 | What is claimed | where it was measured | range .1 pp
 *     	15.. pp | what is asked | lead | over | label | slack
 *     	at: load x=1
 *     	tell: ; the least is {{%.1f lead[x=0]}} pp
 *
 * The fifth field names the check (paper_asks in steps.h, or a function of the
 * paper), then decimals and unit.  A bound begins with its range: 15..20, 0..,
 * ..<7, or >0.. for values above 0.  "-" in place of the number's description
 * leaves it out of the report.  at, head, tell, why, note and also are the
 * fields of struct claim; a value that begins or ends with a blank is written
 * in "".  let gives a name to an expression or a text, see text.h.
 */
#ifndef SIM_PAPER_CLAIM_ROWS_H
#define SIM_PAPER_CLAIM_ROWS_H

#include "core/error.h"
#include "sim/paper/text.h"
#include "sim/report/claims.h"

/* A kind of check, by the name that rows use. */
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

/* Read a text.  Both lists of checks end with NULL; the second may be NULL.
 * Result: 0, or -1 with ENOMEM, or EINVAL: a row is not as above.
 * Owner:  the caller calls paper_claims_fini(), after an error too.
 */
int paper_claims_read(struct paper_claims *c, const char *text,
		      const struct paper_ask *const asks[2],
		      struct libra_error *err);
void paper_claims_fini(struct paper_claims *c);

#endif
