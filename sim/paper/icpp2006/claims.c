/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.c - the odd ones of the LibraRisk paper's claims, see claims.txt. */
#include <string.h>

#include "sim/paper/icpp2006/experiment.h"

/* Where EDF's jobs wait longest, of the places where it is not the lowest. */
struct waiting {
	const struct sim_paper_study *s;
	double most;
	struct design_place where;
};

static bool find_waiting(const struct design_place *p, void *arg)
{
	struct waiting *w = arg;
	const struct paper_text *t = &w->s->text;
	double wait = paper_value(p, t, "mean_wait_s[policy=edf]");

	if (wait > w->most && paper_value(p, t,
					  "mean_slowdown[policy=edf] > "
					  "mean_slowdown[policy=librarisk]")) {
		w->most = wait;
		w->where = *p;
	}
	return true;
}

static void l27(const struct claim *c, const void *study,
		struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	struct waiting w = {.s = s, .most = -1};
	char text[320];

	paper_ask_scan(c, study, r);
	design_each(&p, "load,ratio,urgency estimates x", find_waiting, &w);
	if (r->status != CLAIM_FAIL || w.most < 0 ||
	    !paper_value(&w.where, &s->text,
			 "mean_wait_s[policy=edf] > "
			 "mean_wait_s[policy=librarisk]"))
		return;
	paper_format(text, sizeof(text), &w.where, &s->text,
		     " There EDF's jobs wait in its queue, which counts in "
		     "their slowdown ({{%.0f mean_wait_s[policy=edf]}} s on "
		     "average at {{place}}), while LibraRisk's start at once "
		     "({{%.0f mean_wait_s[policy=librarisk]}} s).");
	claim_note(r, "%s", text);
}

/* The arrival delay from which on another policy is above EDF, by straight
 * lines between the points; NAN if it never is or always was.
 */
struct crossing {
	const struct paper_text *t;
	double x, lead, found;
};

static bool find_crossing(const struct design_place *p, void *arg)
{
	struct crossing *c = arg;
	double x = paper_value(p, c->t, "x");
	double d = paper_value(p, c->t,
			       "fulfilled_pct - fulfilled_pct[policy=edf]");

	if (c->lead <= 0 && d > 0)
		c->found = c->x + (x - c->x) * -c->lead / (d - c->lead);
	c->x = x;
	c->lead = d;
	return true;
}

struct crossings {
	const struct sim_paper_study *s;
	struct claim_result *r;
	const char *before;
};

static bool tell_crossing(const struct design_place *p, void *arg)
{
	struct crossings *all = arg;
	struct crossing c = {&all->s->text, NAN, NAN, NAN};
	char policy[32], estimates[32];

	design_each(p, "x", find_crossing, &c);
	if (isnan(c.found))
		return true;
	paper_format(policy, sizeof(policy), p, c.t, "{{policy}}");
	paper_format(estimates, sizeof(estimates), p, c.t, "{{estimates}}");
	claim_note(all->r, "%s by %s at about %.2f (%s)", all->before, policy,
		   c.found, estimates);
	all->before = ",";
	return true;
}

static void against_edf(const struct claim *c, const void *study,
			struct claim_result *r)
{
	const struct sim_paper_study *s = study;
	struct design_place p = design_nowhere(&s->designs);
	struct crossings all = {s, r, " EDF is overtaken"};

	paper_ask_scan(c, study, r);
	if (r->status != CLAIM_FAIL)
		return;
	design_each(&p, "load estimates policy=libra,librarisk", tell_crossing,
		    &all);
	if (all.before[0] == ',')
		claim_note(r, ".");
}

static void l57(const struct claim *c, const void *study,
		struct claim_result *r)
{
	static const char *const parts[] = {"L23", "L35", "L38", "L42", "L51"};
	const struct sim_paper_study *s = study;
	const struct paper_claims *all = &s->claims;
	size_t bad = 0;

	for (size_t k = 0; k < 5; k++)
		for (size_t i = 0; i < all->n; i++) {
			struct claim_result part = {0};

			if (strcmp(all->claims[i].id, parts[k]) != 0)
				continue;
			all->claims[i].check(&all->claims[i], study, &part);
			claim_measured(r, "%s%s %s", k ? ", " : "", parts[k],
				       claim_status_name(part.status));
			bad += part.status != CLAIM_PASS;
		}
	claim_verdict(r, bad == 0);
	if (bad)
		claim_note(r, "%zu of the five claims it rests on fail.", bad);
}

const struct paper_ask icpp_asks[] = {
	{"l14", icpp_l14},
	{"l15", icpp_l15},
	{"l16", icpp_l16},
	{"l17", icpp_l17},
	{"l18", icpp_l18},
	{"l27", l27},
	{"against-edf", against_edf},
	{"l57", l57},
	{NULL, NULL},
};
