/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_parts.h - counts of promises, by group and by cause.  Only
 * promises_*.c include this.
 */
#ifndef SIM_SITE_PROMISES_PARTS_H
#define SIM_SITE_PROMISES_PARTS_H

#include <stdio.h>

#include "sim/site/promises_page.h"

/* The quantiles (0 to 1) of run time / estimate in a struct promise_group. */
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

/* Promises of one partition, account or QOS, or all.  Unguaranteed acceptances
 * count as bets only, and not in given, outcome and kept_pct.
 */
struct promise_group {
	enum promise_by by;
	uint32_t name; /* number of promises.names */
	size_t given, outcome[PROMISE_NOUTCOMES];
	size_t bets, bets_in_time, bets_late;
	double kept_pct; /* kept / (kept + late + lost); NAN = none of these */
	size_t ran;	 /* jobs, with bets, that ended in time or late */
	double ratio[PROMISE_QUANTILES]; /* their run time / estimate */
};

struct promise_cause {
	enum promise_outcome outcome; /* late or lost */
	uint32_t cause;		      /* number of promises.names */
	size_t n;
};

/* The answers of a partition with one verdict and reason. */
struct promise_reason {
	uint32_t partition, verdict, reason; /* numbers of promises.names */
	size_t n;
	size_t later;	  /* answers for which a later deadline would do */
	size_t none;	  /* answers for which no deadline would do */
	double more_s[2]; /* 50 % and 90 % quantile of how much later */
};

struct promise_counts {
	const struct promises *p;
	struct promise_group *groups;
	size_t ngroups, groups_cap;
	struct promise_cause *causes;
	size_t ncauses, causes_cap;
	struct promise_reason *reasons;
	size_t nreasons, reasons_cap;
	double *ratios; /* run time / estimate of all jobs, ascending */
	size_t nratios;
};

/* Count the promises and answers of p, which must outlive *c.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller calls promise_counts_fini(), after an error as well.
 */
int promise_counts_init(struct promise_counts *c, const struct promises *p,
			struct libra_error *err);
void promise_counts_fini(struct promise_counts *c);

/* Return the text of a number of p->names; "-" for 0.  Owner: p. */
const char *promise_name(const struct promises *p, uint32_t name);

/* Write the text of a cause or reason into `text`, with blanks for '_'. */
void promise_words(char text[128], const struct promises *p, uint32_t name);

/* Write a table of the page as CSV, or all of them as JSON.  The caller tests
 * fp for errors of writing.
 */
void promises_write_list(FILE *fp, const struct promises *p);
void promises_write_groups(FILE *fp, const struct promise_counts *c);
void promises_write_causes(FILE *fp, const struct promise_counts *c);
void promises_write_answers(FILE *fp, const struct promise_counts *c);
void promises_write_json(FILE *fp, const struct promises_page *page,
			 const struct promise_counts *c);

/* Write the figures into the page.
 * Result: 0, or -1 with errno, as promises_page_write().
 */
int promises_estimates_figure(FILE *fp, const struct promise_counts *c,
			      struct libra_error *err);
int promises_gantt_figures(FILE *fp, const struct promises_page *page,
			   struct libra_error *err);

#endif
