/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_page.c - a what-if study as a page. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"
#include "sim/output/text.h"
#include "sim/report/report.h"
#include "sim/site/what_parts.h"

/* ---- the answer, in three lines ---- */

/* Write the date (UTC) of an instant of the log; the number of its day if it is
 * no date.  Result: buf.
 */
static const char *day_text(char buf[32], const struct swf_trace *t,
			    double at_s)
{
	time_t at = (time_t)t->unix_start + (time_t)at_s;
	struct tm tm;

	if (!gmtime_r(&at, &tm) || strftime(buf, 32, "%Y-%m-%d", &tm) == 0)
		snprintf(buf, 32, "day %.0f", at_s / 86400);
	return buf;
}

/* Write the line of the answer that names the log and the question. */
static void asked_line(FILE *fp, const void *answer)
{
	const struct what_page *p = answer;
	const char *slash = strrchr(p->trace->name, '/');
	const struct what *w = p->what;
	char from[32], to[32];

	fprintf(fp, "how long would the %zu jobs of %s", w->runs[0].waits.n,
		slash ? slash + 1 : p->trace->name);
	if (p->trace->computer)
		fprintf(fp, " (%s)", p->trace->computer);
	if (p->trace->unix_start > 0)
		fprintf(fp, ", submitted %s to %s,",
			day_text(from, p->trace, w->first_s),
			day_text(to, p->trace, w->first_s + w->span_s));
	else
		fprintf(fp, ", submitted in %.0f days,", w->span_s / 86400);
	fprintf(fp,
		" have waited on %" PRIu32 " processors, if one thing had been "
		"different? %zu scenarios are simulated.",
		w->measured.procs, w->nruns - 1);
}

/* Name the worst measure. */
static void worst_text(FILE *fp, const struct what *w,
		       const struct what_trust *trust)
{
	const struct what_run *m = &w->replay->measured;
	const struct what_run *s = &w->replay->simulated;
	const double waits[][2] = {{m->waits.mean_s, s->waits.mean_s},
				   {m->waits.p50_s, s->waits.p50_s},
				   {m->waits.p90_s, s->waits.p90_s}};
	char measured[OUT_WAIT_SIZE], simulated[OUT_WAIT_SIZE];

	fprintf(fp, "%s ", what_measure_name(trust->worst));
	if (trust->worst < WHAT_SLOWDOWN)
		fprintf(fp, "%s simulated, %s measured",
			out_wait(simulated, waits[trust->worst][1]),
			out_wait(measured, waits[trust->worst][0]));
	else if (trust->worst == WHAT_SLOWDOWN)
		fprintf(fp, "%.2f simulated, %.2f measured", s->slowdown,
			m->slowdown);
	else
		fprintf(fp, "%.2f", w->replay->ranks);
}

/* Write the line of the answer that tells how near the replay is. */
static void replay_line(FILE *fp, const void *answer)
{
	const struct what_page *p = answer;
	static const char *const words[] = {
		"the log has no waits, so nobody can say how near the "
		"simulation comes to them.",
		"the simulation of the same jobs is near what was measured",
		"the simulation of the same jobs is roughly like what was "
		"measured",
		"the simulation of the same jobs is far from what was "
		"measured"};
	static const char *const then[] = {
		"", ": compare the scenarios.",
		": take the scenarios as directions.",
		": do not trust the scenarios, which are shown without "
		"figures."};
	struct what_trust trust = what_trust(p->what);

	fputs(words[trust.verdict], fp);
	if (trust.verdict == WHAT_UNKNOWN)
		return;
	fputs(" (worst of five measures: ", fp);
	worst_text(fp, p->what, &trust);
	fprintf(fp, ")%s", then[trust.verdict]);
}

/* The mean wait of a scenario / that of the same jobs as it was. */
static double wait_ratio(const struct what *w, size_t i)
{
	if (w->runs[i].waits.n == 0)
		return INFINITY;
	return fmax(w->runs[i].waits.mean_s, WHAT_LEAST_WAIT_S) /
	       fmax(w->was[i].waits.mean_s, WHAT_LEAST_WAIT_S);
}

/* The scenario that gains most after another one (0 = of all); nruns = none. */
static size_t next_scenario(const struct what *w, size_t after)
{
	size_t next = w->nruns;

	for (size_t i = 1; i < w->nruns; i++) {
		double r = wait_ratio(w, i);

		if (after > 0 && (r < wait_ratio(w, after) ||
				  (r == wait_ratio(w, after) && i <= after)))
			continue;
		if (next == w->nruns || r < wait_ratio(w, next))
			next = i;
	}
	return next;
}

/* The scenarios after another one that change the mean wait in one direction.
 * Result: whether there are any.
 */
static bool direction_text(FILE *fp, const struct what_page *p, size_t after,
			   const char *direction, const char *words)
{
	const struct what *w = p->what;
	bool far = what_trust(w).verdict == WHAT_FAR;
	char buf[WHAT_CHANGE_SIZE];
	size_t n = 0;

	for (size_t i = next_scenario(w, after); i < w->nruns;
	     i = next_scenario(w, i)) {
		const struct what_waits *r = &w->runs[i].waits;
		const struct what_waits *was = &w->was[i].waits;

		if (strcmp(what_wait_direction(r->mean_s, was->mean_s),
			   direction) != 0)
			continue;
		fprintf(fp, "%s%s", n++ ? ", " : words, p->plan->list[i].name);
		if (!far && r->n > 0 && was->mean_s >= WHAT_LEAST_WAIT_S)
			fprintf(fp, " (%s)",
				what_change(buf, r->mean_s, was->mean_s));
		if (w->runs[i].left_out > 0)
			fprintf(fp, " without %zu larger jobs",
				w->runs[i].left_out);
	}
	if (n > 0)
		fputs(".", fp);
	return n > 0;
}

/* Write the line of the answer that names the best scenarios.  Numbers are left
 * out if the replay is far.
 */
static void answer_line(FILE *fp, const void *answer)
{
	const struct what_page *p = answer;
	const struct what *w = p->what;
	size_t best = next_scenario(w, 0);
	char buf[WHAT_CHANGE_SIZE];

	if (best == w->nruns || wait_ratio(w, best) > 0.95)
		best = 0;
	if (best > 0 && what_trust(w).verdict != WHAT_FAR) {
		double now_s = w->runs[best].waits.mean_s;
		double was_s = w->was[best].waits.mean_s;
		bool hours = was_s >= 7200;
		double unit_s = hours ? 3600 : 60;

		fprintf(fp,
			"most is gained by %s: a mean wait of %.1f instead of "
			"%.1f %s (%s).",
			p->plan->list[best].name, now_s / unit_s,
			was_s / unit_s, hours ? "h" : "min",
			what_change(buf, now_s, was_s));
		direction_text(fp, p, best, "lower", " Lower, too: ");
	} else if (!direction_text(fp, p, 0, "lower",
				   "the mean wait is lower with ")) {
		fputs("no scenario lowers the mean wait.", fp);
	}
	direction_text(fp, p, 0, "same", " About the same: ");
	direction_text(fp, p, 0, "higher", " Higher: ");
	direction_text(fp, p, 0, "-", " No job fits: ");
}

static const struct report_lead leads[] = {
	{"Asked:", asked_line},
	{"Replay:", replay_line},
	{"Answer:", answer_line},
};

/* ---- the page ---- */

/* Return how the scenarios are shown for a verdict. */
static const char *judged(enum what_verdict verdict)
{
	switch (verdict) {
	case WHAT_NEAR:
		return "That is near: differences between the scenarios that "
		       "are larger than this one mean something.";
	case WHAT_ROUGH:
		return "Take the scenarios as a direction, not as numbers.";
	default:
		return "That is far off: something that is not simulated ruled "
		       "the waits (priorities, partitions, reservations, nodes "
		       "out of service; see --partition and --capacity). Do "
		       "not trust the scenarios; only their directions are "
		       "shown.";
	}
}

/* How far to believe the scenarios. */
static void trust_notice(FILE *fp, const struct what *w)
{
	struct what_trust trust = what_trust(w);
	char text[600];

	if (trust.verdict == WHAT_UNKNOWN) {
		report_notice(
			fp, "Nothing to compare with:",
			"the log has no waits, so nobody can say how near "
			"the simulation comes.");
		return;
	}
	snprintf(text, sizeof(text),
		 "of five measures of the same %zu jobs the replay is worst in "
		 "the %s: its nearness is %.2f, where 1 is alike. %s",
		 w->replay->measured.waits.n, what_measure_name(trust.worst),
		 trust.worst_nearness, judged(trust.verdict));
	report_notice(fp, "How far to trust this:", text);
}

/* What the simulation is made of, and what is not in it. */
static void replay_text(FILE *fp, const struct what_page *p)
{
	const struct site_parts *parts = p->parts;
	const struct what_run *r = &p->what->runs[0];

	if (parts)
		report_text(fp,
			    "The same jobs with the processors that they got, "
			    "under EASY: %zu partitions on %zu machine%s of "
			    "their own, each with one queue; limits are within "
			    "those of the partitions. No priorities or "
			    "reservations.",
			    parts->n, parts->nmachines,
			    parts->nmachines == 1 ? "" : "s");
	else
		report_text(fp, "The same jobs with the processors that they "
				"got, in one queue under EASY: no priorities, "
				"partitions or reservations.");
	if (p->what->measured_jobs > 0 &&
	    p->what->replay->measured.waits.n < r->waits.n)
		report_text(fp,
			    "%zu of its %zu jobs have no wait in the log; "
			    "below are the others, simulated and measured.",
			    r->waits.n - p->what->replay->measured.waits.n,
			    r->waits.n);
	if (p->what->unplaced > 0)
		report_text(fp,
			    "%zu jobs are not in it: nobody knows their "
			    "partitions.",
			    p->what->unplaced);
	if (r->too_large > 0)
		report_text(fp,
			    "%zu jobs are not in it: they are larger than "
			    "their machine.",
			    r->too_large);
}

/* Write the paragraph about the log itself. */
static void happened_text(FILE *fp, const struct what_page *p)
{
	const struct what *w = p->what;
	char half[OUT_WAIT_SIZE], tenth[OUT_WAIT_SIZE];

	if (w->measured_jobs > 0)
		report_text(
			fp,
			"%zu jobs in %.0f days on %" PRIu32
			" processors, %.1f %% of them used until the last "
			"arrival. Half of the jobs waited less than %s, one "
			"in ten more than %s.",
			w->measured_jobs, w->span_s / 86400, w->measured.procs,
			w->measured.utilization_pct,
			out_wait(half, w->measured.waits.p50_s),
			out_wait(tenth, w->measured.waits.p90_s));
	else
		report_text(fp,
			    "%zu jobs in %.0f days on %" PRIu32
			    " processors. The log has no waits: nobody knows "
			    "when its jobs started, and how much of the "
			    "machine was used.",
			    p->trace->nrecords - w->unrun, w->span_s / 86400,
			    w->measured.procs);
	if (w->unrun > 0)
		report_text(fp,
			    "%zu records of the log are not among them: they "
			    "never ran, or have no processors.",
			    w->unrun);
}

/* Jobs that scenarios leave out, beside the others as it was, or end. */
static void changed_jobs_text(FILE *fp, const struct what_page *p)
{
	bool far = what_trust(p->what).verdict == WHAT_FAR;
	char text[3][OUT_WAIT_SIZE];

	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *was = &p->what->was[i];

		if (p->what->runs[i].ended > 0)
			report_text(
				fp, "%s: %zu jobs are ended by their limit.",
				p->plan->list[i].name, p->what->runs[i].ended);
		if (p->what->runs[i].left_out == 0)
			continue;
		report_text(fp,
			    "%s: %zu jobs are larger than its machine and left "
			    "out.%s",
			    p->plan->list[i].name, p->what->runs[i].left_out,
			    was->waits.n == 0 ? " No job is left." : "");
		if (was->waits.n > 0 && !far)
			report_text(
				fp,
				"The other %zu jobs alone, as it was: mean "
				"wait %s, half below %s, 90 %% below %s, "
				"slowdown %.2f. Brackets compare with these.",
				was->waits.n,
				out_wait(text[0], was->waits.mean_s),
				out_wait(text[1], was->waits.p50_s),
				out_wait(text[2], was->waits.p90_s),
				was->slowdown);
	}
}

/* The jobs that are promised. */
static void promises_text(FILE *fp, const struct what_page *p)
{
	const struct swf_record *last =
		&p->trace->records[p->trace->nrecords - 1];
	const struct swf_record *first = last + 1 - p->what->month_records;

	report_text(fp,
		    "The last %zu records of the log are tried (those of its "
		    "last 30 days, at most as many as --promise-jobs says): "
		    "they were submitted in its last %.1f days. Each job asks "
		    "at its arrival for an end within so many times its limit. "
		    "Kept are the promises whose jobs ended in time.",
		    p->what->month_records,
		    (last->submit_s - first->submit_s) / 86400);
}

/* Write the paragraph about bounds of waits and how many of them held. */
static void when_text(FILE *fp, const struct what_page *p)
{
	const struct when *when = p->when;

	report_text(fp,
		    "95 %% of the waits of a class were below its bound, with "
		    "a confidence of 95 %%.");
	if (when->bounds == 0) {
		report_text(fp, "The log has too few waits for a bound.");
		return;
	}
	report_text(fp,
		    "Tried on every job of this log with what was known at its "
		    "arrival, such bounds held for %.2f %% of %zu jobs. These "
		    "are of the %zu records that have a wait, whether they ran "
		    "or not; for %zu too few waits were known.",
		    100 * (double)when->kept / (double)when->bounds,
		    when->bounds, when->jobs, when->jobs - when->bounds);
}

/* Write the sections about the log and its replay.
 * Result: 0, or -1 with ENOMEM or EIO.
 */
static int write_happened(FILE *fp, const struct what_page *p,
			  struct libra_error *err)
{
	const struct what *w = p->what;

	report_section(fp, "happened", "What happened");
	happened_text(fp, p);
	if (what_groups_table(fp, "partition", &w->partitions,
			      &p->trace->partitions, true) < 0 ||
	    what_groups_table(fp, "queue", &w->queues, &p->trace->queues,
			      true) < 0 ||
	    what_groups_table(fp, "account", &w->accounts, NULL, false) < 0 ||
	    what_groups_table(fp, "user", &w->users, NULL, false) < 0)
		return sim_no_memory(err);
	if (w->limited > 0)
		report_text(
			fp,
			"Limits: half of the jobs ran for less than %.0f %% of "
			"theirs, a quarter for less than %.0f %%, nine in ten "
			"for less than %.0f %%.",
			100 * w->limit_used[2], 100 * w->limit_used[1],
			100 * w->limit_used[4]);
	else
		report_text(fp, "No job of the log has a limit.");
	if (what_log_figures(fp, p, err) < 0)
		return -1;
	report_section(fp, "replay", "What the simulator says of the same");
	trust_notice(fp, w);
	replay_text(fp, p);
	if (what_trust_table(fp, w) < 0 || what_sizes_table(fp, w) < 0)
		return sim_no_memory(err);
	return what_replay_figures(fp, p, err);
}

/* Write the whole page.  Result: 0, or -1 with ENOMEM or EIO. */
static int write_page(FILE *fp, const struct what_page *p,
		      struct libra_error *err)
{
	const char *computer = p->trace->computer;
	int rc;

	report_open(fp, computer ? computer : "A log of jobs",
		    "What happened, and what if");
	rc = report_leads(fp, leads, sizeof(leads) / sizeof(leads[0]), p, err);
	if (rc == 0)
		rc = write_happened(fp, p, err);
	report_section(fp, "scenarios", "What if");
	report_text(fp, "The simulation again, with one thing changed. "
			"Slowdown is the mean of (wait + run time) / run time, "
			"both at least 10 s; a limit that is capped ends the "
			"jobs that would run longer.");
	if (rc == 0 && what_scenarios_table(fp, p) < 0)
		rc = sim_no_memory(err);
	changed_jobs_text(fp, p);
	if (rc == 0 && p->what->npromises > 0) {
		report_section(fp, "promises", "What could have been promised");
		promises_text(fp, p);
		if (what_promises_table(fp, p->what) < 0)
			rc = sim_no_memory(err);
	}
	if (rc == 0 && p->when) {
		report_section(fp, "when", "When will it start?");
		when_text(fp, p);
		if (what_when_table(fp, p) < 0)
			rc = sim_no_memory(err);
	}
	report_close(fp, p->command);
	return rc;
}

int what_page_write(const struct what_page *page, const char *folder,
		    struct libra_error *err)
{
	static const char *const names[] = {
		"waits.csv",	 "usage.csv",	 "limits.csv",
		"scenarios.csv", "promises.csv", "when.csv",
		"figures.csv",	 "what-if.json", "index.html"};
	FILE *fp[sizeof(names) / sizeof(names[0])];
	struct out_set set;
	int rc = out_set_init(&set, folder, err);

	if (rc < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < sizeof(names) / sizeof(names[0]); i++)
		if (!(fp[i] = out_set_open(&set, names[i], err)))
			rc = -1;
	if (rc == 0) {
		what_write_waits(fp[0], page);
		what_write_usage(fp[1], page->what);
		what_write_limits(fp[2], page->what);
		what_write_scenarios(fp[3], page);
		what_write_promises(fp[4], page->what);
		what_write_when(fp[5], page->when);
		what_write_json(fp[7], page);
		rc = what_figures_csv(fp[6], page, err);
		if (rc == 0)
			rc = write_page(fp[8], page, err);
	}
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}
