/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.c - waits of the log beside those of its simulation. */
#include <math.h>
#include <stdlib.h>

#include "sim/report/report.h"
#include "sim/site/pictures.h"
#include "sim/site/slurm/tables.h"

enum { WIDTH = 460, HEIGHT = 270 };

int slurm_draw_moving(const struct apart_moving *m, bool alone, char **svg,
		      struct libra_error *err)
{
	double span_s = m->at_s[APART_POINTS - 1], most_s = 0;
	double x[APART_POINTS], y[APART_SIDES][APART_POINTS];
	bool days = span_s > 2 * 86400, hours;
	const struct plot_series series[] = {
		{"simulated", x, y[APART_SIMULATED], NULL, APART_POINTS, 1, 0},
		{"measured", x, y[APART_MEASURED], NULL, APART_POINTS, 0, 0},
	};
	struct plot plot = {
		.id = "moving",
		.title = "Mean wait over time",
		.xlabel = days ? "days after the first job"
			       : "minutes after the first job",
		.kind = PLOT_STEPS,
		.xmin = NAN,
		.xmax = NAN,
		.ymin = 0,
		.ymax = NAN,
		.series = series,
		.nseries = 2,
		.key = true,
		.alone = alone,
		.width = WIDTH,
		.height = HEIGHT,
	};

	for (size_t k = 0; k < APART_SIDES; k++)
		for (size_t i = 0; i < APART_POINTS; i++)
			most_s = fmax(most_s, m->mean_s[k][i]);
	hours = most_s > 7200;
	plot.ylabel = hours ? "hours" : "minutes";
	for (size_t i = 0; i < APART_POINTS; i++) {
		x[i] = m->at_s[i] / (days ? 86400 : 60);
		for (size_t k = 0; k < APART_SIDES; k++)
			y[k][i] = m->mean_s[k][i] / (hours ? 3600 : 60);
	}
	return plot_svg(&plot, svg, err);
}

int slurm_draw_waits(const struct slurm_study_waits *w, bool alone, char **svg,
		     struct libra_error *err)
{
	const struct picture_waits waits = {
		.simulated_s = w->sorted_s[APART_SIMULATED],
		.measured_s = w->sorted_s[APART_MEASURED],
		.n = STUDY_POINTS,
		.width = WIDTH,
		.alone = alone,
	};

	return picture_draw_waits(&waits, svg, err);
}

int slurm_study_figures(FILE *fp, const struct slurm_study *s,
			struct libra_error *err)
{
	char *svg = NULL;
	int rc;

	if (s->groups[0].measured.n == 0)
		return 0;
	report_figures_begin(fp);
	rc = slurm_draw_moving(&s->waits.moving, false, &svg, err);
	if (rc == 0)
		report_figure(fp,
			      "Mean wait of the jobs of two weeks, or of a "
			      "tenth of the log's time if that is less",
			      svg);
	free(svg);
	svg = NULL;
	if (rc == 0)
		rc = slurm_draw_waits(&s->waits, false, &svg, err);
	if (rc == 0)
		report_figure(fp,
			      "Part of the jobs that waited less (waits below "
			      "a second are shown as one)",
			      svg);
	free(svg);
	report_figures_end(fp);
	return rc;
}
