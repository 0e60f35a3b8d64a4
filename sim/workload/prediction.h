/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prediction.h - how run times are predicted, by name.
 *
 * A prediction is the estimate with which a job is offered; the user's request
 * stays what a job may run.  What the names do: run/predict.h (predictors,
 * corrections), run/run.h (orders of events), workload.h (filters).
 */
#ifndef SIM_PREDICTION_H
#define SIM_PREDICTION_H

#include <stddef.h>

#include "core/error.h"

enum sim_predictor {
	SIM_PREDICT_REQUESTED = 0, /* the user's request */
	SIM_PREDICT_CLAIRVOYANT,   /* the run time */
	SIM_PREDICT_LAST_TWO,	   /* mean of the user's last two run times */
	SIM_PREDICT_QUANTILE,	   /* of the user's ratios of run to request */
	SIM_PREDICT_LEADER,	   /* the better of two quantiles, so far */
};

enum sim_correction {
	SIM_CORRECTION_REQUEST = 0, /* the request */
	SIM_CORRECTION_INCREMENTS,  /* 1 min, 5 min, ..., 100 h more */
	SIM_CORRECTION_DOUBLE,	    /* twice the prediction */
	SIM_CORRECTION_LIKES,	    /* the quantile of those that ran as long */
};

enum sim_event_order {
	SIM_ORDER_LIBRASIM = 0,
	SIM_ORDER_SC15,
};

enum sim_filter {
	SIM_FILTER_NONE = 0,
	SIM_FILTER_SC15,
};

/* Of a list of names; each begins with the one that is usual. */
enum sim_names {
	SIM_NAMES_PREDICTOR = 0,
	SIM_NAMES_CORRECTION,
	SIM_NAMES_EVENT_ORDER,
	SIM_NAMES_FILTER,
	SIM_NNAMES,
};

/* What takes one of the names: the key of files, which has underscores where
 * the option has hyphens.
 */
const char *sim_names_key(enum sim_names names);

/* The name of a value, or NULL if there is no such value. */
const char *sim_names_of(enum sim_names names, int value);

/* Result: the value of a name, or -1 with EINVAL and the names there are. */
int sim_names_find(enum sim_names names, const char *name,
		   struct libra_error *err);

#define SIM_QUANTILE_USUAL 0.5
#define SIM_DEPTH_USUAL	   20
#define SIM_DEPTH_MAX	   1000
#define SIM_WINDOW_USUAL   90

/* All zero: requests, as they are. */
struct sim_prediction {
	int predictor;	/* enum sim_predictor */
	int correction; /* enum sim_correction */
	int event_order;
	int filter;
	double quantile; /* of SIM_PREDICT_QUANTILE */
	double depth;	 /* jobs of a user that it looks at */
	double window;	 /* days that SIM_PREDICT_LEADER looks back */
};

int sim_prediction_value(const struct sim_prediction *p, enum sim_names names);
void sim_prediction_set(struct sim_prediction *p, enum sim_names names,
			int value);

/* Result: 0, or -1 with EINVAL and what is wrong. */
int sim_prediction_check(const struct sim_prediction *p,
			 struct libra_error *err);

#endif
