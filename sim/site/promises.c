/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises.c - the list of promises, and its names. */
#include "sim/site/promises.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/base/memory.h"

const char *const promise_outcomes[PROMISE_NOUTCOMES] = {
	"waiting", "running",	"kept",	    "late",
	"lost",	   "cancelled", "released", "end not seen",
};

const char *const promise_calls[PROMISE_NCALLS] = {
	"offer", "commit", "started", "departed", "withdraw", "restore",
};

struct promise *promises_add(struct promises *p, struct libra_error *err)
{
	struct promise *list =
		sim_grown(p->list, &p->cap, p->n + 1, sizeof(*list));

	if (!list) {
		sim_no_memory(err);
		return NULL;
	}
	p->list = list;
	p->list[p->n] = (struct promise){
		.given_s = NAN,
		.start_s = NAN,
		.end_s = NAN,
		.deadline_s = NAN,
		.estimate_s = NAN,
		.ran_s = NAN,
	};
	return &p->list[p->n++];
}

struct promise_answer *promises_add_answer(struct promises *p,
					   struct libra_error *err)
{
	struct promise_answer *list = sim_grown(p->answers, &p->answers_cap,
						p->nanswers + 1, sizeof(*list));

	if (!list) {
		sim_no_memory(err);
		return NULL;
	}
	p->answers = list;
	p->answers[p->nanswers] =
		(struct promise_answer){NAN, NAN, NAN, 0, 0, 0};
	return &p->answers[p->nanswers++];
}

uint32_t promises_name(struct promises *p, const char *text, size_t n)
{
	return n ? names_add(&p->names, text, n) : 0;
}

static bool within(double at_s, double from_s, double to_s)
{
	return at_s >= from_s && at_s < to_s;
}

void promises_choose(struct promises *p, double from_s, double to_s)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		p->nreplaced += p->list[i].replaced;
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i].replaced &&
		    within(p->list[i].given_s, from_s, to_s))
			p->list[n++] = p->list[i];
	p->n = n;
	n = 0;
	for (size_t i = 0; i < p->nanswers; i++)
		if (within(p->answers[i].at_s, from_s, to_s))
			p->answers[n++] = p->answers[i];
	p->nanswers = n;
}

void promises_fini(struct promises *p)
{
	for (size_t i = 0; i < p->nlogs; i++) {
		free(p->logs[i].name);
		free(p->logs[i].files);
		free(p->logs[i].first_s);
	}
	free(p->logs);
	free(p->list);
	free(p->answers);
	names_fini(&p->names);
	*p = (struct promises){0};
}
