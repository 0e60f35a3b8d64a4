/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_parts.h - counts of promises; for promises_*.c alone. */
#ifndef SIM_SITE_PROMISES_PARTS_H
#define SIM_SITE_PROMISES_PARTS_H

#include <stdio.h>

#include "sim/site/promises_page.h"

/* Parts of sorted values: the quantiles that tables have. */
enum { PROMISE_QUANTILES = 5 };
extern const double promise_quantiles[PROMISE_QUANTILES];

enum promise_by {
	PROMISE_BY_ALL = 0,
	PROMISE_BY_PARTITION,
	PROMISE_BY_ACCOUNT,
	PROMISE_BY_QOS,
	PROMISE_NBY,
};

extern const char *const promise_by_names[PROMISE_NBY];

/* Promises with something in common.  Bets are counted apart. */
struct promise_group {
	enum promise_by by;
	uint32_t name;
	size_t given, outcome[PROMISE_NOUTCOMES];
	size_t bets, bets_in_time, bets_late;
	double kept_pct; /* of kept, late and lost; NAN = none */
	/* Run times in parts of the estimate, of jobs that ended. */
	size_t ran;
	double ratio[PROMISE_QUANTILES];
};

struct promise_cause {
	enum promise_outcome outcome; /* late or lost */
	uint32_t cause;
	size_t n;
};

/* Answers of a partition for one reason. */
struct promise_reason {
	uint32_t partition, verdict, reason;
	size_t n;
	size_t later, none; /* a later deadline would do; none would */
	double more_s[2];   /* by so much later: half, 90 % of them */
};

struct promise_counts {
	const struct promises *p;
	struct promise_group *groups;
	size_t ngroups, groups_cap;
	struct promise_cause *causes;
	size_t ncauses, causes_cap;
	struct promise_reason *reasons;
	size_t nreasons, reasons_cap;
	double *ratios; /* of all, sorted */
	size_t nratios;
};

/* Count.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls promise_counts_fini(), also after an error.
 */
int promise_counts_init(struct promise_counts *c, const struct promises *p,
			struct libra_error *err);
void promise_counts_fini(struct promise_counts *c);

/* Return the text of a name, for people: "-" of none. */
const char *promise_name(const struct promises *p, uint32_t name);

/* Write a cause or a reason for people: without underscores. */
void promise_words(char text[128], const struct promises *p, uint32_t name);

/* Write the numbers of the page. */
void promises_write_list(FILE *fp, const struct promises *p);
void promises_write_groups(FILE *fp, const struct promise_counts *c);
void promises_write_causes(FILE *fp, const struct promise_counts *c);
void promises_write_answers(FILE *fp, const struct promise_counts *c);
void promises_write_json(FILE *fp, const struct promises_page *page,
			 const struct promise_counts *c);

/* Write the figures.
 * Result: 0, or -1 with errno.
 */
int promises_estimates_figure(FILE *fp, const struct promise_counts *c,
			      struct libra_error *err);
int promises_gantt_figures(FILE *fp, const struct promises_page *page,
			   struct libra_error *err);

#endif
