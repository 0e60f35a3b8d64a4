/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asks.c - the ways to ask a claim that all papers have: range, log, scan, all,
 * formula, parameter, report, rests.
 *
 * Each judges a row of claims.txt and writes the measured values; steps.h
 * describes them.  The checks of one paper are in its folder.
 */
#include "sim/paper/steps.h"

#include <ctype.h>
#include <string.h>

static struct design_place place_of(const struct claim *c,
				    const struct sim_paper_study *s)
{
	struct design_place p = design_nowhere(&s->designs);

	if (c->at)
		design_go(&p, c->at);
	return p;
}

/* Add a text to the measured values. */
static void measured(const struct claim *c, const struct sim_paper_study *s,
		     struct claim_result *r, const char *text)
{
	struct design_place p = place_of(c, s);
	char said[2 * sizeof(r->measured)];

	paper_format(said, sizeof(said), &p, &s->text, text);
	claim_measured(r, "%s", said);
}

static void tell(const struct claim *c, const struct sim_paper_study *s,
		 struct claim_result *r)
{
	measured(c, s, r, c->tell);
}

static void note(const struct claim *c, const struct sim_paper_study *s,
		 struct claim_result *r, const char *text)
{
	struct design_place p = place_of(c, s);
	char said[sizeof(r->note)];

	paper_format(said, sizeof(said), &p, &s->text, text);
	if (said[0])
		claim_note(r, "%s%s", r->note[0] ? " " : "", said);
}

static void say_why(const struct claim *c, const struct sim_paper_study *s,
		    struct claim_result *r)
{
	if (r->status == CLAIM_FAIL && c->why)
		note(c, s, r, c->why);
	if (c->note)
		note(c, s, r, c->note);
}

double paper_asked(const struct claim *c, const struct sim_paper_study *s,
		   size_t bound)
{
	struct design_place p = place_of(c, s);

	return paper_value(&p, &s->text, c->bound[bound].value);
}

void paper_ask_range(const struct claim *c, const void *study,
		     struct claim_result *r)
{
	claim_range(c, r, paper_asked(c, study, 0));
	tell(c, study, r);
	say_why(c, study, r);
}

/* Judge a value of the log; on a synthetic log it is for information. */
static void ask_log(const struct claim *c, const void *study,
		    struct claim_result *r)
{
	const struct sim_paper_study *s = study;

	claim_log_range(c, r, s->source.synthetic, paper_asked(c, s, 0));
	for (size_t i = 1; i < CLAIM_NBOUNDS && c->bound[i].value; i++)
		if (r->status == CLAIM_PASS)
			claim_verdict(r, claim_within(&c->bound[i],
						      paper_asked(c, s, i)));
	tell(c, s, r);
	if (!r->note[0])
		say_why(c, s, r);
}

static bool keeps_all(const struct claim *c, const struct sim_paper_study *s)
{
	bool holds = true;

	for (size_t i = 0; i < CLAIM_NBOUNDS && c->bound[i].value; i++)
		holds &= claim_within(&c->bound[i], paper_asked(c, s, i));
	return holds;
}

void paper_ask_all(const struct claim *c, const void *study,
		   struct claim_result *r)
{
	claim_verdict(r, keeps_all(c, study));
	tell(c, study, r);
	say_why(c, study, r);
}

static void ask_parameter(const struct claim *c, const void *study,
			  struct claim_result *r)
{
	tell(c, study, r);
	claim_parameter(r, keeps_all(c, study));
}

static void ask_formula(const struct claim *c, const void *study,
			struct claim_result *r)
{
	tell(c, study, r);
	claim_formula(r, keeps_all(c, study));
}

static void report(const struct claim *c, const void *study,
		   struct claim_result *r)
{
	r->status = CLAIM_INFO;
	tell(c, study, r);
	say_why(c, study, r);
}

/* ---- scans ---- */

struct scan {
	const struct sim_paper_study *s;
	const struct claim_bound *bound;
	struct claim_scan points;
};

/* Add the value at one point to a scan. */
static bool scan_point(const struct design_place *p, void *arg)
{
	struct scan *scan = arg;
	const struct claim_bound *b = scan->bound;
	const struct paper_text *t = &scan->s->text;
	double slack = b->slack ? paper_value(p, t, b->slack) : 0;
	char label[96];

	paper_format(label, sizeof(label), p, t, b->label);
	claim_scan_add(&scan->points, paper_value(p, t, b->value),
		       b->low - slack, b->high + slack, "%s", label);
	return true;
}

/* Judge the values at many points, and report the extremes. */
static void ask_scan(const struct claim *c, const void *study,
		     struct claim_result *r)
{
	struct scan scan = {.s = study};
	struct design_place p = place_of(c, study);
	bool holds = true;

	measured(c, study, r, c->head);
	for (size_t i = 0; i < CLAIM_NBOUNDS && c->bound[i].value; i++) {
		scan.bound = &c->bound[i];
		if (scan.bound->over)
			design_each(&p, scan.bound->over, scan_point, &scan);
		else
			holds &= claim_within(scan.bound,
					      paper_asked(c, study, i));
	}
	claim_scan_end(c, &scan.points, r);
	if (!holds)
		claim_verdict(r, false);
	tell(c, study, r);
	say_why(c, study, r);
}

void paper_ask_row(const struct claim *c, const void *study,
		   struct claim_result *r)
{
	if (c->bound[0].over)
		ask_scan(c, study, r);
	else if (c->bound[0].value)
		paper_ask_all(c, study, r);
	else
		report(c, study, r);
}

static bool names(const char *list, const char *id)
{
	const char *at = strstr(list, id);

	while (at && isalnum((unsigned char)at[strlen(id)]))
		at = strstr(at + 1, id);
	return at;
}

/* The claims that the setting names have to hold. */
static void ask_rests(const struct claim *c, const void *study,
		      struct claim_result *r)
{
	const struct paper_claims *all =
		&((const struct sim_paper_study *)study)->claims;
	size_t named = 0, bad = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct claim *other = &all->claims[i];
		struct claim_result part = {0};

		if (other == c || !names(c->setting, other->id))
			continue;
		other->check(other, study, &part);
		claim_measured(r, "%s%s %s", named++ ? ", " : "", other->id,
			       claim_status_name(part.status));
		bad += part.status != CLAIM_PASS;
	}
	claim_verdict(r, bad == 0);
	if (bad)
		claim_note(r, "%zu of the %zu claims it rests on fail.", bad,
			   named);
}

enum claim_status paper_judge_given(const struct sim_paper_study *s,
				    const struct claim *c, claim_check_f *ask,
				    const char *given, size_t nseeds)
{
	struct sim_paper_study other = *s;
	struct claim_result r = {0};

	other.designs.given = given;
	other.designs.nseeds = nseeds;
	ask(c, &other, &r);
	return r.status;
}

const struct paper_ask paper_asks[] = {
	{"range", paper_ask_range},
	{"log", ask_log},
	{"scan", ask_scan},
	{"all", paper_ask_all},
	{"formula", ask_formula},
	{"parameter", ask_parameter},
	{"report", report},
	{"rests", ask_rests},
	{NULL, NULL},
};
