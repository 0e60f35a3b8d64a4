/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_page_tables.c - the tables of a what-if page; a column has one unit. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "sim/output/table.h"
#include "sim/report/report.h"
#include "sim/site/what_parts.h"

enum { GROUPS_SHOWN = 12, WAITS = 4 };

/* ---- units ---- */

/* A unit of waits: its seconds, and the decimals of a number in it. */
struct unit {
	const char *name;
	double s;
	int decimals;
};

/* The columns of waits of a table. */
struct wait_columns {
	double most_s[WAITS];
	struct unit unit[WAITS];
	char name[WAITS][32];
};

static const struct wait_columns no_columns;

/* Copy the four measures of waits that tables have. */
static void list_waits(double s[WAITS], const struct what_waits *w)
{
	s[0] = w->mean_s;
	s[1] = w->p50_s;
	s[2] = w->p90_s;
	s[3] = w->p99_s;
}

/* Return the unit for waits of at most most_s seconds. */
static struct unit unit_for(double most_s)
{
	if (!(most_s >= 120))
		return (struct unit){"s", 1, 0};
	if (most_s < 7200)
		return (struct unit){"min", 60, 1};
	return (struct unit){"h", 3600, 2};
}

/* Each row that is to be shown; then name_columns(). */
static void add_row(struct wait_columns *c, const struct what_waits *w)
{
	double s[WAITS];

	list_waits(s, w);
	for (size_t i = 0; i < WAITS; i++)
		c->most_s[i] = fmax(c->most_s[i], s[i]);
}

/* Choose the unit of each column by its largest wait, and name the columns. */
static void name_columns(struct wait_columns *c)
{
	static const char *const names[WAITS] = {"mean wait", "half below",
						 "90 % below", "99 % below"};

	for (size_t i = 0; i < WAITS; i++) {
		c->unit[i] = unit_for(c->most_s[i]);
		snprintf(c->name[i], sizeof(c->name[i]), "%s, %s", names[i],
			 c->unit[i].name);
	}
}

/* Add a cell with a wait in a unit. */
static void time_cell(struct out_table *t, const struct unit *unit, double s)
{
	out_table_number(t, unit->decimals, s / unit->s);
}

/* Add the cells of four waits. */
static void waits_cells(struct out_table *t, const struct wait_columns *c,
			const struct what_waits *w)
{
	double s[WAITS];

	list_waits(s, w);
	for (size_t i = 0; i < WAITS; i++)
		time_cell(t, &c->unit[i], s[i]);
}

/* A number, and by how much it changed; was = NAN: no change to show. */
static void change_cell(struct out_table *t, int decimals, double value,
			double was, double factor)
{
	char buf[WHAT_CHANGE_SIZE];

	if (!isfinite(value) || !(was > 0))
		out_table_number(t, decimals, value / factor);
	else
		out_table_cell(t, "%.*f (%s)", decimals, value / factor,
			       what_change(buf, value, was));
}

/* Add the cells of four waits, each with its change. */
static void wait_change_cells(struct out_table *t, const struct wait_columns *c,
			      const struct what_waits *w,
			      const struct what_waits *was)
{
	double s[WAITS], was_s[WAITS];

	list_waits(s, w);
	list_waits(was_s, was);
	for (size_t i = 0; i < WAITS; i++)
		/* Of next to nothing, no percentage means a thing. */
		change_cell(t, c->unit[i].decimals, s[i],
			    was_s[i] >= WHAT_LEAST_WAIT_S ? was_s[i] : NAN,
			    c->unit[i].s);
}

/* Add four cells that tell only whether the waits are lower or higher. */
static void wait_direction_cells(struct out_table *t,
				 const struct what_waits *w,
				 const struct what_waits *was)
{
	double s[WAITS], was_s[WAITS];

	list_waits(s, w);
	list_waits(was_s, was);
	for (size_t i = 0; i < WAITS; i++)
		out_table_cell(t, "%s", what_wait_direction(s[i], was_s[i]));
}

/* ---- what happened ---- */

int what_groups_table(FILE *fp, const char *title, const struct what_groups *g,
		      const struct swf_names *names, bool open)
{
	struct wait_columns c = no_columns;
	const struct out_column columns[] = {
		{title, OUT_LEFT},	{"jobs", OUT_RIGHT},
		{c.name[0], OUT_RIGHT}, {c.name[1], OUT_RIGHT},
		{c.name[2], OUT_RIGHT}, {c.name[3], OUT_RIGHT},
		{"work, %", OUT_RIGHT},
	};
	struct out_table t;
	char buf[40];

	if (g->n == 0 || (g->n == 1 && g->list[0].number < 0))
		return 0;
	for (size_t i = 0; i < g->n && i < GROUPS_SHOWN; i++)
		add_row(&c, &g->list[i].waits);
	name_columns(&c);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < g->n && i < GROUPS_SHOWN; i++) {
		out_table_cell(&t, "%s",
			       swf_name_text(names, g->list[i].number, buf));
		out_table_cell(&t, "%zu", g->list[i].waits.n);
		waits_cells(&t, &c, &g->list[i].waits);
		out_table_number(&t, 1, g->list[i].work_pct);
	}
	return report_end_table(fp, title, &t, open);
}

/* ---- the replay ---- */

int what_trust_table(FILE *fp, const struct what *w)
{
	struct wait_columns c = no_columns;
	const struct out_column columns[] = {
		{"", OUT_LEFT},		 {c.name[0], OUT_RIGHT},
		{c.name[1], OUT_RIGHT},	 {c.name[2], OUT_RIGHT},
		{"slowdown", OUT_RIGHT}, {"rank correlation", OUT_RIGHT},
	};
	const struct what_run *runs[] = {&w->replay->measured,
					 &w->replay->simulated};
	struct what_trust trust = what_trust(w);
	struct out_table t;

	if (trust.verdict == WHAT_UNKNOWN)
		return 0;
	for (size_t k = 0; k < 2; k++)
		add_row(&c, &runs[k]->waits);
	name_columns(&c);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t k = 0; k < 2; k++) {
		double s[WAITS];

		list_waits(s, &runs[k]->waits);
		out_table_cell(&t, k ? "simulated" : "measured");
		for (size_t i = 0; i < WHAT_SLOWDOWN; i++)
			time_cell(&t, &c.unit[i], s[i]);
		out_table_number(&t, 2, runs[k]->slowdown);
		out_table_cell(&t, "-");
	}
	out_table_cell(&t, "nearness");
	for (size_t i = 0; i < WHAT_MEASURES; i++)
		out_table_number(&t, 2, trust.nearness[i]);
	out_table_cell(&t, "that is");
	for (size_t i = 0; i < WHAT_MEASURES; i++)
		out_table_cell(
			&t, "%s",
			what_verdict_name(what_verdict(trust.nearness[i])));
	report_text(fp, "Nearness is the smaller of two values divided by the "
			"larger one; a wait below a minute counts as a "
			"minute. Nearness in rank is Spearman's correlation: "
			"whether the same jobs wait long. Above 0.67 is near, "
			"above 0.33 rough, the rest far.");
	return report_end_table(fp, "How near", &t, true);
}

/* A log without waits has the simulated ones here. */
int what_sizes_table(FILE *fp, const struct what *w)
{
	const struct what_run *m = &w->replay->measured;
	const struct what_run *s = what_simulated(w);
	struct wait_columns c = no_columns;
	const struct out_column columns[] = {
		{"processors", OUT_LEFT}, {"jobs", OUT_RIGHT},
		{"", OUT_LEFT},		  {c.name[0], OUT_RIGHT},
		{c.name[1], OUT_RIGHT},	  {c.name[2], OUT_RIGHT},
		{c.name[3], OUT_RIGHT},
	};
	struct out_table t;

	for (size_t i = 0; i < WHAT_SIZES; i++) {
		add_row(&c, &m->by_size[i]);
		add_row(&c, &s->by_size[i]);
	}
	name_columns(&c);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i <= WHAT_SIZES; i++) {
		bool all = i == WHAT_SIZES;
		const struct what_waits *measured =
			all ? &m->waits : &m->by_size[i];
		const struct what_waits *simulated =
			all ? &s->waits : &s->by_size[i];

		if (simulated->n == 0)
			continue;
		for (int k = m->waits.n > 0 ? 0 : 1; k < 2; k++) {
			out_table_cell(&t, "%s",
				       all ? "all" : w->sizes.names[i]);
			out_table_cell(&t, "%zu", simulated->n);
			out_table_cell(&t, k ? "simulated" : "measured");
			waits_cells(&t, &c, k ? simulated : measured);
		}
	}
	return report_end_table(fp, "Waits by size", &t, true);
}

/* ---- scenarios ---- */

static int figures_table(FILE *fp, const struct what_page *p)
{
	struct wait_columns c = no_columns;
	const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	  {"processors", OUT_RIGHT},
		{"jobs", OUT_RIGHT},	  {c.name[0], OUT_RIGHT},
		{c.name[1], OUT_RIGHT},	  {c.name[2], OUT_RIGHT},
		{c.name[3], OUT_RIGHT},	  {"slowdown", OUT_RIGHT},
		{"in use, %", OUT_RIGHT},
	};
	struct out_table t;

	for (size_t i = 0; i < p->what->nruns; i++)
		add_row(&c, &p->what->runs[i].waits);
	name_columns(&c);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];
		const struct what_run *was = &p->what->was[i];

		out_table_cell(&t, "%s", p->plan->list[i].name);
		out_table_cell(&t, "%" PRIu32, r->procs);
		out_table_cell(&t, "%zu", r->waits.n);
		if (i == 0)
			waits_cells(&t, &c, &r->waits);
		else
			wait_change_cells(&t, &c, &r->waits, &was->waits);
		change_cell(&t, 2, r->slowdown, i ? was->slowdown : NAN, 1);
		change_cell(&t, 1, r->utilization_pct,
			    i ? was->utilization_pct : NAN, 1);
	}
	report_text(fp, "In brackets: the change against the same jobs with "
			"the machine and rules as they were.");
	return report_end_table(fp, "Scenarios", &t, true);
}

/* Where the replay is far off, figures would mislead. */
static int directions_table(FILE *fp, const struct what_page *p)
{
	static const struct out_column columns[] = {
		{"scenario", OUT_LEFT},	   {"processors", OUT_RIGHT},
		{"jobs", OUT_RIGHT},	   {"mean wait", OUT_RIGHT},
		{"half below", OUT_RIGHT}, {"90 % below", OUT_RIGHT},
		{"99 % below", OUT_RIGHT}, {"slowdown", OUT_RIGHT},
		{"in use", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 1; i < p->what->nruns; i++) {
		const struct what_run *r = &p->what->runs[i];
		const struct what_run *was = &p->what->was[i];

		out_table_cell(&t, "%s", p->plan->list[i].name);
		out_table_cell(&t, "%" PRIu32, r->procs);
		out_table_cell(&t, "%zu", r->waits.n);
		wait_direction_cells(&t, &r->waits, &was->waits);
		out_table_cell(&t, "%s",
			       what_direction(r->slowdown, was->slowdown));
		out_table_cell(&t, "%s",
			       what_direction(r->utilization_pct,
					      was->utilization_pct));
	}
	return report_end_table(fp, "Scenarios", &t, true);
}

int what_scenarios_table(FILE *fp, const struct what_page *p)
{
	return what_trust(p->what).verdict == WHAT_FAR ? directions_table(fp, p)
						       : figures_table(fp, p);
}

/* ---- promises and bounds ---- */

int what_promises_table(FILE *fp, const struct what *w)
{
	static const struct out_column columns[] = {
		{"policy", OUT_LEFT},	       {"within, limits", OUT_RIGHT},
		{"jobs", OUT_RIGHT},	       {"promised, %", OUT_RIGHT},
		{"of the work, %", OUT_RIGHT}, {"kept, %", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < w->npromises; i++) {
		const struct what_promise *pr = &w->promises[i];

		out_table_cell(&t, "%s", pr->policy);
		out_table_cell(&t, "%g", pr->factor);
		out_table_cell(&t, "%zu", pr->jobs);
		out_table_number(&t, 1,
				 100 * (double)pr->promised / (double)pr->jobs);
		out_table_number(&t, 1, pr->work_pct);
		out_table_number(&t, 2,
				 100 * (double)pr->kept / (double)pr->promised);
	}
	return report_end_table(fp, "Promises", &t, true);
}

int what_when_table(FILE *fp, const struct what_page *p)
{
	struct wait_columns c = no_columns;
	const struct out_column columns[] = {
		{"partition", OUT_LEFT},  {"queue", OUT_LEFT},
		{"processors", OUT_LEFT}, {"jobs", OUT_RIGHT},
		{c.name[1], OUT_RIGHT},	  {c.name[2], OUT_RIGHT},
		{"held, %", OUT_RIGHT},
	};
	struct out_table t;
	char buf[40];

	for (size_t i = 0; i < p->when->n; i++) {
		const struct when_class *class = &p->when->classes[i];

		add_row(&c, &(struct what_waits){.p50_s = class->median_s,
						 .p90_s = class->bound_s});
	}
	name_columns(&c);
	snprintf(c.name[2], sizeof(c.name[2]), "95 %% below, %s",
		 c.unit[2].name);
	out_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < p->when->n; i++) {
		const struct when_class *class = &p->when->classes[i];
		bool all = i + 1 == p->when->n;

		out_table_cell(&t, "%s",
			       all ? "all"
				   : swf_name_text(&p->trace->partitions,
						   class->partition, buf));
		out_table_cell(&t, "%s",
			       all ? "all"
				   : swf_name_text(&p->trace->queues,
						   class->queue, buf));
		out_table_cell(&t, "%s", when_size_name(p->when, class));
		out_table_cell(&t, "%zu", class->jobs);
		time_cell(&t, &c.unit[1], class->median_s);
		time_cell(&t, &c.unit[2], class->bound_s);
		out_table_number(&t, 2,
				 100 * (double)class->kept /
					 (double)class->bounds);
	}
	return report_end_table(fp, "Bounds by class", &t,
				p->when->n <= GROUPS_SHOWN);
}
