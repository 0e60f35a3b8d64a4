/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prediction.c - the names, and checks of combinations.
 *
 * One table has the names of each list; the checks refuse numbers out of range,
 * and the correction likes without the predictor quantile.
 */
#include "sim/workload/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAMES    8
#define OFFSET(field) offsetof(struct sim_prediction, field)

static const struct {
	const char *option, *key;
	size_t offset;		      /* of an int in struct sim_prediction */
	const char *name[MOST_NAMES]; /* up to a NULL */
} lists[SIM_NNAMES] = {
	[SIM_NAMES_PREDICTOR] = {"predictor",
				 "predictor",
				 OFFSET(predictor),
				 {[SIM_PREDICT_REQUESTED] = "requested",
				  [SIM_PREDICT_CLAIRVOYANT] = "clairvoyant",
				  [SIM_PREDICT_LAST_TWO] = "last-two",
				  [SIM_PREDICT_QUANTILE] = "quantile",
				  [SIM_PREDICT_LEADER] = "leader"}},
	[SIM_NAMES_CORRECTION] = {"correction",
				  "correction",
				  OFFSET(correction),
				  {[SIM_CORRECTION_REQUEST] = "request",
				   [SIM_CORRECTION_INCREMENTS] = "increments",
				   [SIM_CORRECTION_DOUBLE] = "double",
				   [SIM_CORRECTION_LIKES] = "likes"}},
	[SIM_NAMES_EVENT_ORDER] = {"event-order",
				   "event_order",
				   OFFSET(event_order),
				   {[SIM_ORDER_LIBRASIM] = "librasim",
				    [SIM_ORDER_SC15] = "sc15"}},
	[SIM_NAMES_FILTER] =
		{"filter",
		 "filter",
		 OFFSET(filter),
		 {[SIM_FILTER_NONE] = "none", [SIM_FILTER_SC15] = "sc15"}},
};

const char *sim_names_key(enum sim_names names)
{
	return lists[names].key;
}

const char *sim_names_of(enum sim_names names, int value)
{
	if (value < 0 || value >= MOST_NAMES)
		return NULL;
	return lists[names].name[value];
}

int sim_names_find(enum sim_names names, const char *name,
		   struct libra_error *err)
{
	char all[128] = "";
	size_t n = 0;

	for (int i = 0; lists[names].name[i]; i++) {
		const char *known = lists[names].name[i];
		int more;

		if (strcmp(known, name) == 0)
			return i;
		more = snprintf(all + n, sizeof(all) - n, "%s%s",
				i == 0			   ? ""
				: lists[names].name[i + 1] ? ", "
							   : " or ",
				known);
		n += more > 0 ? (size_t)more : 0;
	}
	return libra_errf(err, EINVAL, "%s is %s, not '%s'",
			  lists[names].option, all, name);
}

int sim_prediction_value(const struct sim_prediction *p, enum sim_names names)
{
	return *(const int *)((const char *)p + lists[names].offset);
}

void sim_prediction_set(struct sim_prediction *p, enum sim_names names,
			int value)
{
	*(int *)((char *)p + lists[names].offset) = value;
}

/* The comparisons are written so that they refuse NAN. */
int sim_prediction_check(const struct sim_prediction *p,
			 struct libra_error *err)
{
	for (int i = 0; i < SIM_NNAMES; i++) {
		int value = sim_prediction_value(p, (enum sim_names)i);

		if (!sim_names_of((enum sim_names)i, value))
			return libra_errf(err, EINVAL, "no such %s: %d",
					  lists[i].option, value);
	}
	if (!(p->depth >= 1 && p->depth <= SIM_DEPTH_MAX &&
	      p->depth == floor(p->depth)))
		return libra_errf(err, EINVAL,
				  "predictor-depth must be a whole number "
				  "from 1 to %d, not %g",
				  SIM_DEPTH_MAX, p->depth);
	if (p->correction == SIM_CORRECTION_LIKES &&
	    p->predictor != SIM_PREDICT_QUANTILE)
		return libra_errf(err, EINVAL,
				  "the correction likes needs the predictor "
				  "quantile");
	return 0;
}
