/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scenarios.c - the usual scenarios, and those of a file. */
#include "sim/site/scenarios.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/import/values.h"

enum { DAY_S = 86400 };

/* Add a scenario in which nothing changes. */
static struct plan_scenario *add(struct plan *plan, const char *name)
{
	struct plan_scenario *list =
		reallocarray(plan->list, plan->n + 1, sizeof(*list));

	if (!list)
		return NULL;
	plan->list = list;
	list += plan->n++;
	*list = (struct plan_scenario){.load = 1};
	snprintf(list->name, sizeof(list->name), "%s", name);
	list->policy = libra_policy_find("easy", NULL);
	return list;
}

int plan_default(struct plan *plan, struct libra_error *err)
{
	static const struct {
		const char *name;
		double procs_pct, cap_s, correct, load;
		enum plan_limits limits;
		const char *policy; /* NULL = EASY */
	} usual[] = {
		{"as it was", 0, 0, 0, 1, PLAN_LIMITS_LOGGED, NULL},
		{"10 % more processors", 10, 0, 0, 1, PLAN_LIMITS_LOGGED, NULL},
		{"10 % fewer processors", -10, 0, 0, 1, PLAN_LIMITS_LOGGED,
		 NULL},
		{"exact limits", 0, 0, 0, 1, PLAN_LIMITS_EXACT, NULL},
		{"limits of a day at most", 0, DAY_S, 0, 1, PLAN_LIMITS_CAPPED,
		 NULL},
		{"limits learned from past jobs", 0, 0, 0.9, 1,
		 PLAN_LIMITS_LOGGED, NULL},
		{"the shortest backfilled first", 0, 0, 0, 1,
		 PLAN_LIMITS_LOGGED, "easy-sjbf"},
		{"10 % more load", 0, 0, 0, 1.1, PLAN_LIMITS_LOGGED, NULL},
	};

	memset(plan, 0, sizeof(*plan));
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		struct plan_scenario *s = add(plan, usual[i].name);

		if (!s) {
			plan_fini(plan);
			return sim_no_memory(err);
		}
		s->procs_pct = usual[i].procs_pct;
		s->cap_s = usual[i].cap_s;
		s->correct = usual[i].correct;
		s->load = usual[i].load;
		s->limits = usual[i].limits;
		if (usual[i].policy)
			s->policy = libra_policy_find(usual[i].policy, NULL);
	}
	return 0;
}

int plan_site(struct plan *plan, const char *const changes[][2], size_t n,
	      struct libra_error *err)
{
	bool whole;

	memset(plan, 0, sizeof(*plan));
	whole = add(plan, "as it was") != NULL;

	for (size_t i = 0; whole && i < n; i++) {
		struct plan_scenario *s = add(plan, changes[i][0]);

		if (s)
			s->changes = strdup(changes[i][1]);
		whole = s && s->changes;
	}
	if (whole)
		return 0;
	plan_fini(plan);
	return sim_no_memory(err);
}

/* Read a number from min to max.  Result: false for any other text. */
static bool read_number(const char *text, double min, double max, double *v)
{
	char *end;

	*v = strtod(text, &end);
	return end > text && *end == '\0' && *v >= min && *v <= max;
}

/* "+10%", "-5%", "4096" */
static bool read_procs(const char *text, struct plan_scenario *s)
{
	size_t n = strlen(text);
	char number[32];
	double v;

	if (n == 0 || n >= sizeof(number))
		return false;
	strcpy(number, text);
	if (number[n - 1] == '%') {
		number[n - 1] = '\0';
		return read_number(number, -99, 10000, &s->procs_pct);
	}
	if (!read_number(number, 1, INT32_MAX, &v) || v != rint(v))
		return false;
	s->procs = (uint32_t)v;
	return true;
}

/* Read "exact" or a time. */
static bool read_limits(const char *text, struct plan_scenario *s)
{
	if (strcmp(text, "exact") == 0) {
		s->limits = PLAN_LIMITS_EXACT;
		return true;
	}
	s->limits = PLAN_LIMITS_CAPPED;
	return import_limit((struct import_text){text, strlen(text)}, 60,
			    &s->cap_s) == IMPORT_OK;
}

/* Read one change of a scenario.  Result: false if it is none. */
static bool read_word(char *word, struct plan_scenario *s)
{
	char *value = strchr(word, '=');

	if (!value)
		return false;
	*value++ = '\0';
	if (strcmp(word, "processors") == 0)
		return read_procs(value, s);
	if (strcmp(word, "limits") == 0)
		return read_limits(value, s);
	if (strcmp(word, "correct") == 0)
		return read_number(value, 0.01, 0.99, &s->correct);
	if (strcmp(word, "load") == 0)
		return read_number(value, 0.01, 100, &s->load);
	if (strcmp(word, "policy") != 0)
		return false;
	s->policy = libra_policy_find(value, NULL);
	return s->policy && !s->policy->needs_deadline &&
	       !s->policy->needs_budget;
}

/* Return the text without white space at both ends; its end is cut off in
 * place.
 */
static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

/* Add the scenario of a line, unless the line is empty.
 * Result: 0, or -1 with ENOMEM or EINVAL; the text names file and line.
 */
static int read_line(struct plan *plan, const struct input *in, char *line,
		     bool site)
{
	char *colon, *word, *rest, shown[64];
	struct plan_scenario *s;

	line[strcspn(line, "#")] = '\0';
	line = trimmed(line);
	if (*line == '\0')
		return 0;
	colon = strchr(line, ':');
	if (!colon || colon == line)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: a scenario is NAME: CHANGE...",
				  in->name, in->line);
	*colon = '\0';
	s = add(plan, trimmed(line));
	if (!s)
		return sim_no_memory(in->err);
	if (site) {
		s->changes = strdup(trimmed(colon + 1));
		return s->changes ? 0 : sim_no_memory(in->err);
	}
	for (word = strtok_r(colon + 1, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest)) {
		snprintf(shown, sizeof(shown), "%s", word);
		if (!read_word(word, s))
			return libra_errf(
				in->err, EINVAL,
				"%s:%zu: '%s' is no change: processors=+10%%, "
				"limits=exact or a time, correct=0.9, "
				"load=1.1, policy=NAME (without deadlines)",
				in->name, in->line, shown);
	}
	return 0;
}

int plan_read(struct plan *plan, const char *path, bool site,
	      struct libra_error *err)
{
	struct input in;
	char *line;
	size_t n;
	int rc, saved;

	memset(plan, 0, sizeof(*plan));
	if (!add(plan, "as it was"))
		return sim_no_memory(err);
	rc = input_open(&in, path, err);
	while (rc == 0 && (rc = input_line(&in, &line, &n)) > 0)
		rc = read_line(plan, &in, line, site);
	if (rc == 0 && plan->n == 1)
		rc = libra_errf(err, EINVAL, "%s: no scenario is in it", path);
	saved = errno;
	input_close(&in);
	if (rc < 0)
		plan_fini(plan);
	errno = saved;
	return rc;
}

void plan_fini(struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		free(plan->list[i].changes);
	free(plan->list);
	memset(plan, 0, sizeof(*plan));
}
