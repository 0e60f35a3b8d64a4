/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_page.c - a report on promises as a page. */
#include "sim/site/promises_page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"
#include "sim/output/table.h"
#include "sim/report/axis.h"
#include "sim/report/report.h"
#include "sim/site/promises_parts.h"

enum { DURATION_SIZE = 40, GROUPS_SHOWN = 30 };

/* ---- the answer, in three lines ---- */

/* Return the number of answers with a verdict, over all partitions and reasons.
 */
static size_t answers_of(const struct promise_counts *c, const char *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nreasons; i++)
		if (strcmp(promise_name(c->p, c->reasons[i].verdict),
			   verdict) == 0)
			n += c->reasons[i].n;
	return n;
}

/* Write the line of the answer that counts the requests. */
static void asked_line(FILE *fp, const void *answer)
{
	const struct promise_counts *c = answer;
	size_t later = answers_of(c, "later"), queue = answers_of(c, "queue");

	if (c->p->nlogs == 0) {
		fprintf(fp,
			"%zu promises are in accounting; what was refused at "
			"submission is in the decision log alone.",
			c->groups[0].given + c->groups[0].bets);
		return;
	}
	fprintf(fp, "%zu requests for a deadline: %zu accepted, %zu refused",
		c->p->nanswers, answers_of(c, "accept"),
		answers_of(c, "reject"));
	if (later)
		fprintf(fp, ", %zu to be answered when the job can start",
			later);
	if (queue)
		fprintf(fp, ", %zu queued without a promise", queue);
	fputs(". An array is one request, with a promise for each task.", fp);
}

/* Write the line of the answer that counts kept, late and lost promises. */
static void kept_line(FILE *fp, const void *answer)
{
	const struct promise_counts *c = answer;
	const struct promise_group *g = &c->groups[0];
	const size_t *n = g->outcome;

	if (isnan(g->kept_pct)) {
		fprintf(fp, "none of %zu promises had to be kept so far.",
			g->given);
		return;
	}
	fprintf(fp,
		"%.1f %% of the %zu promises that had to be kept: %zu kept, "
		"%zu late, %zu lost.",
		g->kept_pct,
		n[PROMISE_KEPT] + n[PROMISE_LATE] + n[PROMISE_LOST],
		n[PROMISE_KEPT], n[PROMISE_LATE], n[PROMISE_LOST]);
	if (n[PROMISE_UNSEEN])
		fprintf(fp, " Of %zu the end was not seen.", n[PROMISE_UNSEEN]);
}

/* Write the line of the answer about run times and estimates. */
static void estimates_line(FILE *fp, const void *answer)
{
	const struct promise_counts *c = answer;
	const struct promise_group *g = &c->groups[0];

	if (g->ran == 0)
		fputs("no job with a promise has ended.", fp);
	else
		fprintf(fp,
			"half of the %zu jobs that ended ran for less than "
			"%.0f %% of their estimate, one in ten for more than "
			"%.0f %%.",
			g->ran, 100 * g->ratio[2], 100 * g->ratio[4]);
}

static const struct report_lead leads[] = {
	{"Asked:", asked_line},
	{"Kept:", kept_line},
	{"Estimates:", estimates_line},
};

/* ---- tables ---- */

/* Print a table, and end it.  Result: 0, or -1 with ENOMEM. */
static int put_table(FILE *fp, const char *title, struct out_table *t,
		     bool open, struct libra_error *err)
{
	return report_end_table(fp, title, t, open) < 0 ? sim_no_memory(err)
							: 0;
}

/* Add a cell with a percentage; "-" for NAN. */
static void pct_cell(struct out_table *t, double pct)
{
	if (isnan(pct))
		out_table_cell(t, "-");
	else
		out_table_cell(t, "%.1f", pct);
}

/* Add the row of a group. */
static void group_row(struct out_table *t, const struct promise_counts *c,
		      const struct promise_group *g)
{
	const size_t *n = g->outcome;

	out_table_cell(t, "%s", g->by ? promise_name(c->p, g->name) : "all");
	out_table_cell(t, "%zu", g->given);
	out_table_cell(t, "%zu", n[PROMISE_KEPT]);
	out_table_cell(t, "%zu", n[PROMISE_LATE]);
	out_table_cell(t, "%zu", n[PROMISE_LOST]);
	pct_cell(t, g->kept_pct);
	out_table_cell(t, "%zu", n[PROMISE_CANCELLED]);
	out_table_cell(t, "%zu", n[PROMISE_RELEASED]);
	out_table_cell(t, "%zu", n[PROMISE_WAITING] + n[PROMISE_RUNNING]);
	out_table_cell(t, "%zu", n[PROMISE_UNSEEN]);
}

/* The groups of a kind, and all together. */
static int groups_table(FILE *fp, const struct promise_counts *c,
			enum promise_by by, struct libra_error *err)
{
	const struct out_column columns[] = {{promise_by_names[by], OUT_LEFT},
					     {"given", OUT_RIGHT},
					     {"kept", OUT_RIGHT},
					     {"late", OUT_RIGHT},
					     {"lost", OUT_RIGHT},
					     {"kept, %", OUT_RIGHT},
					     {"cancelled", OUT_RIGHT},
					     {"released", OUT_RIGHT},
					     {"open", OUT_RIGHT},
					     {"end not seen", OUT_RIGHT}};
	struct out_table t;
	char title[96];
	size_t n = 0, shown = 0;

	for (size_t i = 0; i < c->ngroups; i++)
		n += c->groups[i].by == by;
	if (n == 0)
		return 0;
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < c->ngroups && shown < GROUPS_SHOWN; i++)
		if (c->groups[i].by == by) {
			group_row(&t, c, &c->groups[i]);
			shown++;
		}
	if (by == PROMISE_BY_PARTITION && n > 1)
		group_row(&t, c, &c->groups[0]);
	if (shown < n)
		snprintf(title, sizeof(title),
			 "By %s: the %zu with most promises of %zu",
			 promise_by_names[by], shown, n);
	else
		snprintf(title, sizeof(title), "By %s", promise_by_names[by]);
	return put_table(fp, title, &t, by == PROMISE_BY_PARTITION, err);
}

/* Write the table of the causes of late and lost promises; nothing if there are
 * none.
 */
static int causes_table(FILE *fp, const struct promise_counts *c,
			struct libra_error *err)
{
	static const struct out_column columns[] = {{"outcome", OUT_LEFT},
						    {"why", OUT_LEFT},
						    {"promises", OUT_RIGHT}};
	struct out_table t;
	char cause[128];

	if (c->ncauses == 0)
		return 0;
	out_table_init(&t, columns, 3);
	for (size_t i = 0; i < c->ncauses; i++) {
		promise_words(cause, c->p, c->causes[i].cause);
		out_table_cell(&t, "%s",
			       promise_outcomes[c->causes[i].outcome]);
		out_table_cell(&t, "%s",
			       c->causes[i].cause ? cause : "not known");
		out_table_cell(&t, "%zu", c->causes[i].n);
	}
	return put_table(fp, "Why", &t, true, err);
}

/* Add a cell with a duration; "-" for NAN. */
static void more_cell(struct out_table *t, double more_s)
{
	char text[DURATION_SIZE];

	if (isnan(more_s)) {
		out_table_cell(t, "-");
		return;
	}
	axis_duration(text, sizeof(text), more_s);
	out_table_cell(t, "%s", text);
}

/* Write the table of refusals, by partition and reason. */
static int refusals_table(FILE *fp, const struct promise_counts *c,
			  struct libra_error *err)
{
	static const struct out_column columns[] = {
		{"partition", OUT_LEFT},	{"reason", OUT_LEFT},
		{"refused", OUT_RIGHT},		{"a later one does", OUT_RIGHT},
		{"half of them by", OUT_RIGHT}, {"90 % by", OUT_RIGHT},
		{"none does", OUT_RIGHT}};
	struct out_table t;
	char reason[128];

	out_table_init(&t, columns, 7);
	for (size_t i = 0; i < c->nreasons; i++) {
		const struct promise_reason *r = &c->reasons[i];

		if (strcmp(promise_name(c->p, r->verdict), "reject") != 0)
			continue;
		promise_words(reason, c->p, r->reason);
		out_table_cell(&t, "%s", promise_name(c->p, r->partition));
		out_table_cell(&t, "%s", reason);
		out_table_cell(&t, "%zu", r->n);
		out_table_cell(&t, "%zu", r->later);
		more_cell(&t, r->more_s[0]);
		more_cell(&t, r->more_s[1]);
		out_table_cell(&t, "%zu", r->none);
	}
	return put_table(fp, "Refusals", &t, true, err);
}

/* Write the table of run time / estimate, by partition. */
static int estimates_table(FILE *fp, const struct promise_counts *c,
			   struct libra_error *err)
{
	static const struct out_column columns[] = {
		{"partition", OUT_LEFT},   {"jobs", OUT_RIGHT},
		{"10 % below", OUT_RIGHT}, {"25 %", OUT_RIGHT},
		{"half", OUT_RIGHT},	   {"75 %", OUT_RIGHT},
		{"90 %", OUT_RIGHT}};
	struct out_table t;

	out_table_init(&t, columns, 7);
	/* All together are the first group, and the last row. */
	for (size_t i = 1; i <= c->ngroups; i++) {
		const struct promise_group *g = &c->groups[i % c->ngroups];

		if (g->by > PROMISE_BY_PARTITION || g->ran == 0)
			continue;
		out_table_cell(&t, "%s",
			       g->by ? promise_name(c->p, g->name) : "all");
		out_table_cell(&t, "%zu", g->ran);
		for (size_t k = 0; k < PROMISE_QUANTILES; k++)
			out_table_number(&t, 2, g->ratio[k]);
	}
	return put_table(fp, "Run time in parts of the estimate", &t, true,
			 err);
}

/* ---- sections ---- */

/* Write the section about promises.  Result of this and the next: 0, or -1 with
 * ENOMEM or EIO.
 */
static int promises_section(FILE *fp, const struct promises_page *page,
			    const struct promise_counts *c,
			    struct libra_error *err)
{
	const struct promise_group *g = &c->groups[0];

	report_section(fp, "promises", "Promises");
	report_text(fp, "Kept, late and lost are the promises that had to be "
			"kept. Cancelled: by the user or an operator, before "
			"the deadline. Released: a change has made the job an "
			"ordinary one. Open: the job waits or runs.");
	if (groups_table(fp, c, PROMISE_BY_PARTITION, err) < 0 ||
	    groups_table(fp, c, PROMISE_BY_ACCOUNT, err) < 0 ||
	    groups_table(fp, c, PROMISE_BY_QOS, err) < 0)
		return -1;
	if (!page->accounting)
		report_text(fp, "Accounts and QOS are in accounting alone, "
				"which was not read.");
	if (g->outcome[PROMISE_UNSEEN])
		report_notice(fp, "End not seen:",
			      page->accounting
				      ? "these jobs ended while slurmctld was "
					"away, and accounting has no end of "
					"them, either."
				      : "these jobs ended while slurmctld was "
					"away. Accounting knows their ends, "
					"and was not read.");
	if (g->bets)
		report_text(fp,
			    "%zu jobs more were accepted without a guarantee: "
			    "%zu of them ended in time, %zu late.",
			    g->bets, g->bets_in_time, g->bets_late);
	return causes_table(fp, c, err);
}

/* Write the section about refusals. */
static int refusals_section(FILE *fp, const struct promise_counts *c,
			    struct libra_error *err)
{
	report_section(fp, "refusals", "Refusals");
	if (answers_of(c, "reject") == 0) {
		report_text(fp, c->p->nlogs ? "No request was refused."
					    : "Accounting has no refusal of a "
					      "job that could start.");
		return 0;
	}
	report_text(fp, "What deadline would have done: for how many a later "
			"one was known, by how much later than the one that "
			"was asked for, and for how many there was none. For "
			"the others it was not looked for.");
	return refusals_table(fp, c, err);
}

/* Write the section about estimates, with its figure. */
static int estimates_section(FILE *fp, const struct promise_counts *c,
			     struct libra_error *err)
{
	report_section(fp, "estimates", "Estimates and run times");
	if (c->groups[0].ran == 0) {
		report_text(fp, "No job with a promise has ended.");
		return 0;
	}
	report_text(fp, "The run time of each job that ended, in parts of the "
			"estimate that its promise was made with (under "
			"policies that share processors, on whole ones). An "
			"estimate that is too long makes deadlines later, and "
			"refuses jobs that would have fitted.");
	if (estimates_table(fp, c, err) < 0)
		return -1;
	return promises_estimates_figure(fp, c, err);
}

/* Write what was read: the logs and their time, accounting, and the month. */
static void sources_section(FILE *fp, const struct promises_page *page)
{
	const struct promises *p = page->promises;
	const struct axis_time time = {p->first_s, p->last_s, true, 0};
	char first[64], last[64];

	report_section(fp, "sources", "Where the numbers come from");
	if (p->nlogs) {
		axis_instant(first, sizeof(first), &time, p->first_s);
		axis_instant(last, sizeof(last), &time, p->last_s);
		report_text(fp,
			    "Decision log: %s to %s (UTC), %" PRIu32
			    " run%s of slurmctld; %" PRIu64
			    " promises committed, %" PRIu64
			    " restored, %" PRIu64
			    " jobs departed, as librasim replay counts them.",
			    first, last, p->runs, p->runs == 1 ? "" : "s",
			    p->calls[PROMISE_COMMIT], p->calls[PROMISE_RESTORE],
			    p->calls[PROMISE_DEPARTED]);
	} else {
		report_text(fp, "No decision log was read: promises are those "
				"of the records in AdminComment.");
	}
	if (page->accounting)
		report_text(fp,
			    "Accounting: %zu jobs; %zu promises are in its "
			    "records alone.",
			    p->rows, p->records);
	if (page->month)
		report_text(fp,
			    "Counted are the promises that were given, and the "
			    "requests that were answered, in %s (UTC), and "
			    "what had become of them when the last line was "
			    "written.",
			    page->month);
}

/* Write the whole page.  Result: 0, or -1 with ENOMEM or EIO. */
static int write_page(FILE *fp, const struct promises_page *page,
		      const struct promise_counts *c, struct libra_error *err)
{
	char headline[64] = "Deadline promises";
	char text[160];

	if (page->month)
		snprintf(headline, sizeof(headline), "Deadline promises, %s",
			 page->month);
	report_open(fp, "slurm-libra", headline);
	if (report_leads(fp, leads, sizeof(leads) / sizeof(leads[0]), c, err) <
	    0)
		return -1;
	if (c->p->missing) {
		snprintf(text, sizeof(text),
			 "%" PRIu64 " lines of the decision log are missing or "
			 "damaged: the counts are too low.",
			 c->p->missing);
		report_notice(fp, "Missing lines:", text);
	}
	if (promises_section(fp, page, c, err) < 0 ||
	    refusals_section(fp, c, err) < 0 ||
	    estimates_section(fp, c, err) < 0)
		return -1;
	report_section(fp, "day", "A day");
	if (promises_gantt_figures(fp, page, err) < 0)
		return -1;
	sources_section(fp, page);
	report_close(fp, page->command);
	return 0;
}

int promises_page_write(const struct promises_page *page, const char *folder,
			struct libra_error *err)
{
	static const char *const names[] = {"promises.csv", "groups.csv",
					    "causes.csv",   "answers.csv",
					    "report.json",  "index.html"};
	FILE *fp[sizeof(names) / sizeof(names[0])];
	struct promise_counts c;
	struct out_set set;
	int rc = out_set_init(&set, folder, err);

	if (rc < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(names[0]); i++)
		if (!(fp[i] = out_set_open(&set, names[i], err)))
			rc = -1;
	if (rc == 0)
		rc = promise_counts_init(&c, page->promises, err);
	else
		c = (struct promise_counts){0};
	if (rc == 0) {
		promises_write_list(fp[0], page->promises);
		promises_write_groups(fp[1], &c);
		promises_write_causes(fp[2], &c);
		promises_write_answers(fp[3], &c);
		promises_write_json(fp[4], page, &c);
		rc = write_page(fp[5], page, &c, err);
	}
	promise_counts_fini(&c);
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}
