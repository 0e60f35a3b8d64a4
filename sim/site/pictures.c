/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pictures.c - jobs to a few hundred points. */
#include "sim/site/pictures.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/text.h"
#include "sim/report/axis.h"
#include "sim/site/measure.h"

enum { DAY_S = 86400, OTHERS = PICTURE_SERIES - 1, TIME_TICKS = 6 };

static const struct kind {
	const char *name, *id, *title, *xlabel, *ylabel;
	enum plot_kind plot;
} kinds[] = {
	[PICTURE_USAGE] = {"usage", "ranusage", "Processors in use", "",
			   "% of the processors", PLOT_STEPS},
	[PICTURE_QUEUE] = {"queue", "ranqueue", "Jobs that wait", "", "jobs",
			   PLOT_STEPS},
	[PICTURE_WAITS] = {"waits", "ranwaits", "Waits by size", "processors",
			   "wait", PLOT_LINES},
	[PICTURE_SLOWDOWN] = {"slowdown", "ranslowdown", "Slowdown by size",
			      "(wait + run time) / run time", "% of the jobs",
			      PLOT_STEPS},
	[PICTURE_USERS] = {"users", "ranusers", "Who had the processors", "",
			   "% of the processors", PLOT_AREAS},
};

enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

const char *picture_name(enum picture_kind kind)
{
	return kind > 0 && (int)kind < NKINDS ? kinds[kind].name : NULL;
}

enum picture_kind picture_find(const char *name)
{
	for (int k = 1; k < NKINDS; k++)
		if (strcmp(kinds[k].name, name) == 0)
			return (enum picture_kind)k;
	return 0;
}

/* The jobs that ran in a time, which begins at 0. */
struct taken {
	struct site_job *list;
	size_t n;
	double span_s;
	uint32_t procs;
	struct axis_time time; /* of the source */
};

/* Replace NAN by the first submission or the last end. */
static void take_range(const struct site_jobs *jobs, double *from_s,
		       double *to_s)
{
	double first_s = INFINITY, last_s = -INFINITY;

	for (size_t i = 0; i < jobs->n; i++) {
		first_s = fmin(first_s, jobs->list[i].submit_s);
		last_s = fmax(last_s, jobs->list[i].end_s);
	}
	*from_s = isnan(*from_s) ? first_s : *from_s;
	*to_s = isnan(*to_s) ? last_s : *to_s;
}

/* Copy the jobs that waited or ran from from_s to to_s, with times from from_s
 * on.
 * Result: 0, or -1 with ENOMEM or EINVAL (no such job).
 * Owner: the caller frees t->list; after an error it need not.
 */
static int take(struct taken *t, const struct site_jobs *jobs, double from_s,
		double to_s, struct libra_error *err)
{
	take_range(jobs, &from_s, &to_s);
	*t = (struct taken){
		.list = calloc(jobs->n + 1, sizeof(*t->list)),
		.span_s = to_s - from_s,
		.procs = jobs->procs,
		.time = {from_s, to_s, jobs->dated, jobs->unix_start}};
	if (!t->list)
		return sim_no_memory(err);
	for (size_t i = 0; i < jobs->n; i++) {
		struct site_job j = jobs->list[i];

		if (!(j.submit_s < to_s && j.end_s > from_s))
			continue;
		j.submit_s -= from_s;
		j.start_s -= from_s;
		j.end_s -= from_s;
		t->list[t->n++] = j;
	}
	if (t->n > 0 && t->span_s > 0)
		return 0;
	free(t->list);
	return site_jobs_outside(jobs, err);
}

/* Add a series of n points to the plot; the caller sets its name and numbers.
 */
static struct plot_series *add_series(struct picture *p, size_t n)
{
	size_t i = p->plot.nseries++;

	p->series[i] = (struct plot_series){.name = p->names[i],
					    .x = p->x,
					    .y = p->y[i],
					    .n = n,
					    .style = (int)i};
	return &p->series[i];
}

/* ---- over time ---- */

/* Set x and the time axis of a picture over time.
 * Result: the seconds of a point.
 */
static double begin_time(struct picture *p, const struct taken *t)
{
	double bucket_s = t->span_s / PICTURE_POINTS;

	for (size_t i = 0; i < PICTURE_POINTS; i++)
		p->x[i] = ((double)i + 0.5) * bucket_s / DAY_S;
	axis_of_days(&p->axis, &t->time, TIME_TICKS);
	p->plot.ticks = p->axis.ticks;
	p->plot.nticks = p->axis.n;
	p->plot.xlabel = p->axis.title;
	p->plot.xmin = 0;
	p->plot.xmax = t->span_s / DAY_S;
	p->plot.ymin = 0;
	return bucket_s;
}

/* End the axis at 100 %, but if a log has more in use than the machine has. */
static void end_at_all(struct picture *p)
{
	size_t last = p->plot.nseries - 1;

	p->plot.ymax = 100;
	for (size_t i = 0; i < PICTURE_POINTS; i++)
		if (p->y[last][i] > 100 + 1e-6)
			p->plot.ymax = NAN;
}

/* Fill in the processors in use, in % of the machine. */
static void fill_usage(struct picture *p, const struct taken *t)
{
	double bucket_s = begin_time(p, t);

	snprintf(p->names[0], sizeof(p->names[0]), "in use");
	add_series(p, PICTURE_POINTS);
	for (size_t i = 0; i < t->n; i++)
		site_spread(p->y[0], PICTURE_POINTS, bucket_s,
			    t->list[i].start_s, t->list[i].end_s,
			    100.0 * t->list[i].procs / t->procs);
	end_at_all(p);
}

/* Fill in the mean number of waiting jobs. */
static void fill_queue(struct picture *p, const struct taken *t)
{
	double bucket_s = begin_time(p, t);

	snprintf(p->names[0], sizeof(p->names[0]), "waiting");
	add_series(p, PICTURE_POINTS);
	for (size_t i = 0; i < t->n; i++)
		site_spread(p->y[0], PICTURE_POINTS, bucket_s,
			    t->list[i].submit_s, t->list[i].start_s, 1);
}

/* A user and the processor seconds of his jobs. */
struct user {
	int32_t user;
	double work;
};

static int by_user(const void *a, const void *b)
{
	const struct user *x = a, *y = b;

	return (x->user > y->user) - (x->user < y->user);
}

static int by_work(const void *a, const void *b)
{
	const struct user *x = a, *y = b;

	if (x->work != y->work)
		return x->work > y->work ? -1 : 1;
	return by_user(a, b);
}

/* Result: the number of users, those of most work first; 0 = no memory. */
static size_t find_users(const struct taken *t, struct user **users)
{
	struct user *u = calloc(t->n + 1, sizeof(*u));
	size_t k = 0;

	if (!u)
		return 0;
	for (size_t i = 0; i < t->n; i++)
		u[i] = (struct user){t->list[i].user,
				     site_work(&t->list[i], 0, t->span_s)};
	qsort(u, t->n, sizeof(*u), by_user);
	for (size_t i = 1; i < t->n; i++) {
		if (u[i].user == u[k].user)
			u[k].work += u[i].work;
		else
			u[++k] = u[i];
	}
	qsort(u, k + 1, sizeof(*u), by_work);
	*users = u;
	return k + 1;
}

/* Grey is for the others, wherever they stand. */
static int user_style(size_t i)
{
	return (int)(i == OTHERS ? 5 : i < 5 ? i : i + 1);
}

/* Fill in the processors by user: the seven users of most work, and all others
 * as one.
 * Result: 0, or -1 with ENOMEM.
 */
static int fill_users(struct picture *p, const struct taken *t,
		      struct libra_error *err)
{
	double bucket_s = begin_time(p, t);
	struct user *users;
	size_t n = find_users(t, &users);

	if (n == 0)
		return sim_no_memory(err);
	for (size_t i = 0; i < n && i < PICTURE_SERIES; i++) {
		if (i == OTHERS)
			snprintf(p->names[i], sizeof(p->names[i]), "others");
		else
			snprintf(p->names[i], sizeof(p->names[i]),
				 "user %" PRId32, users[i].user);
		add_series(p, PICTURE_POINTS)->style = user_style(i);
	}
	for (size_t i = 0; i < t->n; i++) {
		size_t k = 0;

		while (k < OTHERS && users[k].user != t->list[i].user)
			k++;
		site_spread(p->y[k], PICTURE_POINTS, bucket_s,
			    t->list[i].start_s, t->list[i].end_s,
			    100.0 * t->list[i].procs / t->procs);
	}
	/* One upon the other. */
	for (size_t i = 1; i < p->plot.nseries; i++)
		for (size_t k = 0; k < PICTURE_POINTS; k++)
			p->y[i][k] += p->y[i - 1][k];
	end_at_all(p);
	free(users);
	return 0;
}

/* ---- by size ---- */

/* 1, 2, 3-4, 5-8, ... */
static size_t power_of(uint32_t procs)
{
	size_t i = 0;

	while (i + 1 < PICTURE_SIZES && (UINT64_C(1) << i) < procs)
		i++;
	return i;
}

/* Add a tick for the sizes from 2^(power - 1) + 1 to 2^power. */
static void add_power(struct picture *p, size_t power)
{
	uint64_t last = UINT64_C(1) << power, first = last / 2 + 1;
	size_t n = p->plot.nticks++;

	snprintf(p->tick_names[n], sizeof(p->tick_names[n]),
		 first < last ? "%" PRIu64 "-%" PRIu64 : "%" PRIu64, first,
		 last);
	p->ticks[n] = (struct plot_tick){(double)n, p->tick_names[n]};
}

/* Fill in the 50, 90 and 99 % quantile of the waits by size, in minutes and at
 * least a second.  values has room for all jobs.
 */
static void fill_waits(struct picture *p, const struct taken *t, double *values)
{
	static const double parts[] = {0.5, 0.9, 0.99};
	static const char *const names[] = {"half of the jobs wait less",
					    "90 %", "99 %"};

	for (size_t power = 0; power < PICTURE_SIZES; power++) {
		size_t n = 0, at = p->plot.nticks;

		for (size_t i = 0; i < t->n; i++)
			if (power_of(t->list[i].procs) == power)
				values[n++] = t->list[i].start_s -
					      t->list[i].submit_s;
		if (n == 0)
			continue;
		qsort(values, n, sizeof(*values), site_by_value);
		p->x[at] = (double)at;
		for (size_t k = 0; k < 3; k++)
			p->y[k][at] =
				fmax(1, site_quantile(values, n, parts[k])) /
				60;
		add_power(p, power);
	}
	for (size_t k = 0; k < 3; k++) {
		snprintf(p->names[k], sizeof(p->names[k]), "%s", names[k]);
		add_series(p, p->plot.nticks);
	}
	p->plot.ticks = p->ticks;
	p->plot.yticks = axis_minutes;
	p->plot.nyticks = AXIS_MINUTES;
	p->by_size = true;
	p->plot.ylog = true;
	p->plot.xmin = -0.5;
	p->plot.xmax = (double)p->plot.nticks - 0.5;
}

/* Fill in the distribution of the slowdowns of each class of sizes.  values has
 * room for all jobs.
 */
static void fill_slowdown(struct picture *p, const struct taken *t,
			  double *values)
{
	struct site_sizes sizes;

	/* Each series has its own slowdowns, and all the same parts: so the
	 * parts are x here, and the two change places for the plot.
	 */
	site_sizes_init(&sizes, t->procs);
	for (size_t i = 0; i < PICTURE_POINTS; i++)
		p->x[i] = 100 * ((double)i + 0.5) / PICTURE_POINTS;
	for (size_t size = 0; size < SITE_SIZES; size++) {
		size_t k = p->plot.nseries, n = 0;
		struct plot_series *s;

		for (size_t i = 0; i < t->n; i++) {
			const struct site_job *j = &t->list[i];

			if (site_size(&sizes, j->procs) == size)
				values[n++] =
					site_slowdown(j->start_s - j->submit_s,
						      j->end_s - j->start_s);
		}
		if (n == 0)
			continue;
		qsort(values, n, sizeof(*values), site_by_value);
		for (size_t i = 0; i < PICTURE_POINTS; i++)
			p->y[k][i] = site_quantile(values, n, p->x[i] / 100);
		snprintf(p->names[k], sizeof(p->names[k]), "%.20s processors",
			 sizes.names[size]);
		s = add_series(p, PICTURE_POINTS);
		s->style = (int)size;
		s->x = p->y[k];
		s->y = p->x;
	}
	p->plot.xlog = true;
	p->plot.xmin = 1;
	p->plot.ymin = 0;
	p->plot.ymax = 100;
}

/* Write the title: whose jobs these are, their number, and the numbers of jobs
 * that the picture does not have.
 */
static void set_title(struct picture *p, const struct kind *k,
		      const struct site_jobs *jobs, size_t n)
{
	const struct {
		size_t n;
		const char *what;
	} others[] = {{jobs->nrefused, "refused"},
		      {jobs->unstarted, "never ran"}};
	const char *between = "; not shown (whole log): ";
	size_t used;

	snprintf(p->title, sizeof(p->title), "%.60s: %s\n%zu job%s", jobs->name,
		 k->title, n, n == 1 ? "" : "s");
	for (size_t i = 0; i < 2; i++) {
		used = strlen(p->title);
		if (others[i].n > 0) {
			snprintf(p->title + used, sizeof(p->title) - used,
				 "%s%zu %s", between, others[i].n,
				 others[i].what);
			between = ", ";
		}
	}
}

int picture_make(struct picture *p, enum picture_kind kind,
		 const struct site_jobs *jobs, double from_s, double to_s,
		 struct libra_error *err)
{
	const struct kind *k = &kinds[kind];
	double *values;
	struct taken t;
	int rc = 0;

	if (kind == PICTURE_USERS && !jobs->users)
		return libra_errf(err, EINVAL,
				  "the users are not known there: import the "
				  "log with the column User, or draw waits, "
				  "which are by size");
	if (take(&t, jobs, from_s, to_s, err) < 0)
		return -1;
	values = calloc(t.n + 1, sizeof(*values));
	memset(p, 0, sizeof(*p));
	p->name = k->name;
	p->plot = (struct plot){.id = k->id,
				.title = k->title,
				.xlabel = k->xlabel,
				.ylabel = k->ylabel,
				.kind = k->plot,
				.xmin = NAN,
				.xmax = NAN,
				.ymin = NAN,
				.ymax = NAN,
				.series = p->series,
				.width = 560,
				.height = 270};
	if (!values)
		rc = sim_no_memory(err);
	else if (kind == PICTURE_USAGE)
		fill_usage(p, &t);
	else if (kind == PICTURE_QUEUE)
		fill_queue(p, &t);
	else if (kind == PICTURE_WAITS)
		fill_waits(p, &t, values);
	else if (kind == PICTURE_SLOWDOWN)
		fill_slowdown(p, &t, values);
	else
		rc = fill_users(p, &t, err);
	p->plot.key = p->plot.nseries > 1;
	set_title(p, k, jobs, t.n);
	free(values);
	free(t.list);
	return rc;
}

void picture_csv(FILE *fp, const struct picture *p)
{
	for (size_t k = 0; k < p->plot.nseries; k++)
		for (size_t i = 0; i < p->series[k].n; i++) {
			fprintf(fp, "%s,", p->name);
			out_csv_text(fp, p->names[k]);
			fputc(',', fp);
			if (p->by_size)
				out_csv_text(fp, p->tick_names[i]);
			else
				out_csv_number(fp, p->series[k].x[i]);
			fputc(',', fp);
			out_csv_number(fp, p->series[k].y[i]);
			fputc('\n', fp);
		}
}

int picture_draw_waits(const struct picture_waits *w, char **svg,
		       struct libra_error *err)
{
	double part[PICTURE_POINTS], simulated[PICTURE_POINTS],
		measured[PICTURE_POINTS] = {0};
	const struct plot_series series[] = {
		{"simulated", simulated, part, NULL, w->n, 1, 0},
		{"measured", measured, part, NULL, w->n, 0, 0},
	};
	const struct plot plot = {
		.id = "waits",
		.title = "Waits",
		.xlabel = "wait",
		.ticks = axis_minutes,
		.nticks = AXIS_MINUTES,
		.ylabel = "% of the jobs",
		.kind = PLOT_STEPS,
		.xlog = true,
		.xmin = NAN,
		.xmax = NAN,
		.ymin = 0,
		.ymax = 100,
		.series = series,
		.nseries = w->measured_s ? 2 : 1,
		.key = w->measured_s != NULL,
		.alone = w->alone,
		.width = w->width,
		.height = 270,
	};

	for (size_t i = 0; i < w->n; i++) {
		part[i] = 100 * ((double)i + 0.5) / (double)w->n;
		simulated[i] = fmax(w->simulated_s[i], 1) / 60;
		if (w->measured_s)
			measured[i] = fmax(w->measured_s[i], 1) / 60;
	}
	return plot_svg(&plot, svg, err);
}
