/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prediction.h - how run times are predicted, by name.
 *
 * A prediction is the estimate with which a job is offered; the user's request
 * remains the time that a job may run.  The names are explained in
 * run/predict.h (predictors, corrections), run/run.h (orders of events) and
 * workload.h (filters).
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
	SIM_CORRECTION_LIKES,	    /* the quantile of jobs that ran as long */
};

enum sim_event_order {
	SIM_ORDER_LIBRASIM = 0,
	SIM_ORDER_SC15,
};

enum sim_filter {
	SIM_FILTER_NONE = 0,
	SIM_FILTER_SC15,
};

/* The four lists of names.  Value 0 of each list is the default. */
enum sim_names {
	SIM_NAMES_PREDICTOR = 0,
	SIM_NAMES_CORRECTION,
	SIM_NAMES_EVENT_ORDER,
	SIM_NAMES_FILTER,
	SIM_NNAMES,
};

/* Return the key of a list in files, such as event_order; the option has
 * hyphens in place of underscores.
 */
const char *sim_names_key(enum sim_names names);

/* Return the name of a value, or NULL if there is no such value. */
const char *sim_names_of(enum sim_names names, int value);

/* Find the value of a name.
 * Result: the value, or -1 with EINVAL; the text lists the names.
 */
int sim_names_find(enum sim_names names, const char *name,
		   struct libra_error *err);

#define SIM_QUANTILE_USUAL 0.5
#define SIM_DEPTH_USUAL	   20
#define SIM_DEPTH_MAX	   1000
#define SIM_WINDOW_USUAL   90

/* The choices of a scenario.  All zeros: the user's requests, unchanged. */
struct sim_prediction {
	int predictor;	/* enum sim_predictor */
	int correction; /* enum sim_correction */
	int event_order;
	int filter;
	double quantile; /* of SIM_PREDICT_QUANTILE */
	double depth;	 /* jobs of a user that SIM_PREDICT_QUANTILE uses */
	double window;	 /* days that SIM_PREDICT_LEADER looks back */
};

/* Return or set the value for a list of names. */
int sim_prediction_value(const struct sim_prediction *p, enum sim_names names);
void sim_prediction_set(struct sim_prediction *p, enum sim_names names,
			int value);

/* Check that the choices are possible together.
 * Result: 0, or -1 with EINVAL; the text has the reason.
 */
int sim_prediction_check(const struct sim_prediction *p,
			 struct libra_error *err);

#endif
