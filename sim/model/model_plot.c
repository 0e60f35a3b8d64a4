/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_plot.c - pictures of models beside a trace; see model_plot.h.
 *
 * All points of all curves are in one allocation, which is freed when
 * plot_svg() has returned.
 */
#include "sim/model/model_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/report/plot.h"

#define POINTS	  200 /* of each CDF */
#define QUANTILES 50  /* of each quantile plot */

/* The curves of one picture: the sample or the diagonal first. */
struct curves {
	double x[MODEL_PLOT_MAX + 1][POINTS], y[MODEL_PLOT_MAX + 1][POINTS];
	struct plot_series series[MODEL_PLOT_MAX + 1];
};

static const char *const titles[] = {
	[MODEL_IAT] = "Inter-arrival times",
	[MODEL_RUN] = "Run times",
	[MODEL_SIZE] = "Processors of a job",
};

static const char *const labels[] = {
	[MODEL_IAT] = "inter-arrival time (s)",
	[MODEL_RUN] = "run time (s)",
	[MODEL_SIZE] = "processors",
};

/* Allocate the curves of a figure.  Result: NULL with EINVAL or ENOMEM. */
static struct curves *curves_create(size_t nmodels, const struct sim_series *d,
				    struct libra_error *err)
{
	struct curves *c;

	if (d->n == 0 || nmodels > MODEL_PLOT_MAX) {
		libra_errf(err, EINVAL,
			   "a figure needs data and at most %d models",
			   MODEL_PLOT_MAX);
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		sim_no_memory(err);
	return c;
}

static void curve(struct curves *c, size_t i, const char *name, size_t n)
{
	c->series[i] = (struct plot_series){.name = name,
					    .x = c->x[i],
					    .y = c->y[i],
					    .n = n,
					    .style = (int)i};
}

/* Draw n curves in a frame. */
static int draw(struct curves *c, size_t n, const struct plot *frame,
		char **svg, struct libra_error *err)
{
	struct plot plot = *frame;

	plot.series = c->series;
	plot.nseries = n;
	plot.xmin = plot.xmax = plot.ymin = plot.ymax = NAN;
	plot.key = true;
	plot.width = 560;
	plot.height = 360;
	return plot_svg(&plot, svg, err);
}

/* How much of a sorted sample is at most x. */
static double sample_cdf(const struct sim_series *d, double x)
{
	size_t lo = 0, hi = d->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->sorted[mid] <= x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (double)lo / d->n;
}

int model_plot_cdf(enum model_series series, const struct sim_series *data,
		   const struct model *models, size_t nmodels, char **svg,
		   struct libra_error *err)
{
	struct curves *c = curves_create(nmodels, data, err);
	double lo, hi;
	char id[32];
	struct plot frame = {
		.id = id,
		.title = titles[series],
		.xlabel = labels[series],
		.ylabel = "CDF",
		.kind = PLOT_STEPS,
		.xlog = true,
	};
	int rc;

	if (!c)
		return -1;
	snprintf(id, sizeof(id), "cdf%s", model_series_name(series));
	lo = log(fmax(data->sorted[0], 1));
	hi = log(fmax(data->sorted[data->n - 1], 2));
	curve(c, 0, "trace", POINTS);
	for (size_t m = 0; m < nmodels; m++)
		curve(c, m + 1, models[m].type->title, POINTS);
	for (size_t i = 0; i < POINTS; i++) {
		double x = exp(lo + (hi - lo) * i / (POINTS - 1));

		c->x[0][i] = x;
		c->y[0][i] = sample_cdf(data, x);
		for (size_t m = 0; m < nmodels; m++) {
			c->x[m + 1][i] = x;
			c->y[m + 1][i] = model_cdf(&models[m], x);
		}
	}
	rc = draw(c, nmodels + 1, &frame, svg, err);
	free(c);
	return rc;
}

int model_plot_quantiles(enum model_series series,
			 const struct sim_series *data,
			 const struct model *models, size_t nmodels, char **svg,
			 struct libra_error *err)
{
	struct curves *c = curves_create(nmodels, data, err);
	char id[32], xlabel[64];
	struct plot frame = {
		.id = id,
		.title = titles[series],
		.xlabel = xlabel,
		.ylabel = "ln of the model's quantile",
		.kind = PLOT_LINES,
	};
	int rc;

	if (!c)
		return -1;
	snprintf(id, sizeof(id), "quantile%s", model_series_name(series));
	snprintf(xlabel, sizeof(xlabel), "ln of the trace's quantile");
	curve(c, 0, "equal", QUANTILES);
	for (size_t m = 0; m < nmodels; m++)
		curve(c, m + 1, models[m].type->title, QUANTILES);
	for (size_t i = 0; i < QUANTILES; i++) {
		double u = (i + 0.5) / QUANTILES;
		double q = data->sorted[(size_t)(u * data->n)];

		/* A gap of 0 has no logarithm: half a second is plotted
		 * instead.
		 */
		q = log(fmax(q, 0.5));
		c->x[0][i] = c->y[0][i] = q;
		for (size_t m = 0; m < nmodels; m++) {
			c->x[m + 1][i] = q;
			c->y[m + 1][i] =
				log(fmax(model_quantile(&models[m], u), 0.5));
		}
	}
	rc = draw(c, nmodels + 1, &frame, svg, err);
	free(c);
	return rc;
}
