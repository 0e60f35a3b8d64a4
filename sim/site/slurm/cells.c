/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cells.c - waits, as page and tables write them. */
#include "sim/site/slurm/cells.h"

#include <math.h>

#include "sim/output/text.h"

const char *slurm_study_duration(char buf[SLURM_DURATION], double s)
{
	if (!isfinite(s))
		snprintf(buf, SLURM_DURATION, "-");
	else if (s < 120)
		snprintf(buf, SLURM_DURATION, "%.0f s", s);
	else if (s < 7200)
		snprintf(buf, SLURM_DURATION, "%.*f min", s < 1200 ? 1 : 0,
			 s / 60);
	else
		snprintf(buf, SLURM_DURATION, "%.1f h", s / 3600);
	return buf;
}

void slurm_study_wait_cell(struct out_table *t, double s, double was_s)
{
	char buf[SLURM_DURATION], change[WHAT_CHANGE_SIZE];

	slurm_study_duration(buf, s);
	if (isfinite(s) && was_s >= WHAT_LEAST_WAIT_S)
		out_table_cell(t, "%s (%s)", buf,
			       what_change(change, s, was_s));
	else
		out_table_cell(t, "%s", buf);
}

void slurm_study_csv_waits(FILE *fp, const struct what_waits *w)
{
	const double values[] = {w->mean_s, w->p50_s, w->p90_s};

	out_csv_numbers(fp, values, 3);
}

void slurm_study_json_wait_members(struct out_json *j,
				   const struct what_waits *w)
{
	out_json_count(j, "jobs", w->n);
	out_json_number(j, "mean_s", w->mean_s);
	out_json_number(j, "p50_s", w->p50_s);
	out_json_number(j, "p90_s", w->p90_s);
}

void slurm_study_json_waits(struct out_json *j, const char *key,
			    const struct what_waits *w)
{
	out_json_object(j, key);
	slurm_study_json_wait_members(j, w);
	out_json_end(j);
}
