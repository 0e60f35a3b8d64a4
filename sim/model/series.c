/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.c - from the records of a trace to numbers; see series.h.
 *
 * The arrays run and size are those of the series of run times and sizes: one
 * job has one place in all of them.  Only gap has an array of its own beside
 * the inter-arrival times, which have one number less.
 */
#include "sim/model/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <gsl/gsl_sort.h>

#include "sim/base/memory.h"

void sim_sort(double *x, size_t n)
{
	gsl_sort(x, 1, n);
}

/* Allocate all arrays for n records.  Result: 0, or -1 with ENOMEM. */
static int series_alloc(struct sim_trace_series *s, size_t n)
{
	for (int k = MODEL_IAT; k <= MODEL_SIZE; k++) {
		s->of[k].x = calloc(n, sizeof(double));
		s->of[k].sorted = calloc(n, sizeof(double));
		if (!s->of[k].x || !s->of[k].sorted)
			return -1;
	}
	s->gap = calloc(n, sizeof(double));
	if (!s->gap)
		return -1;
	/* Run times and sizes have the same jobs in these arrays too. */
	s->run = s->of[MODEL_RUN].x;
	s->size = s->of[MODEL_SIZE].x;
	return 0;
}

static int compare_submit(const void *a, const void *b)
{
	const struct swf_record *const *ra = a, *const *rb = b;

	if ((*ra)->submit_s != (*rb)->submit_s)
		return (*ra)->submit_s < (*rb)->submit_s ? -1 : 1;
	/* Records of one instant keep the order of the file. */
	return *ra < *rb ? -1 : *ra > *rb;
}

/* The records that have processors, by submission.
 * Result: an array for free(), or NULL with ENOMEM.
 */
static const struct swf_record **choose(const struct swf_trace *trace,
					enum sim_size size, size_t *n)
{
	const struct swf_record **chosen =
		calloc(trace->nrecords + 1, sizeof(*chosen));

	*n = 0;
	if (!chosen)
		return NULL;
	for (size_t i = 0; i < trace->nrecords; i++)
		if (sim_record_procs(&trace->records[i], size) > 0)
			chosen[(*n)++] = &trace->records[i];
	if (trace->unsorted)
		qsort(chosen, *n, sizeof(*chosen), compare_submit);
	return chosen;
}

/* Fill the arrays from the records in order of submission, and sort copies. */
static void fill(struct sim_trace_series *s, const struct swf_record **rec,
		 size_t n, enum sim_size size)
{
	struct sim_series *iat = &s->of[MODEL_IAT];

	for (size_t i = 0; i < n; i++) {
		double gap = i ? rec[i]->submit_s - rec[i - 1]->submit_s : NAN;

		if (i)
			iat->x[iat->n++] = gap;
		if (rec[i]->run_s <= 0) {
			s->nunrun++;
			continue;
		}
		s->gap[s->njobs] = gap;
		s->run[s->njobs] = rec[i]->run_s;
		s->size[s->njobs] = sim_record_procs(rec[i], size);
		s->njobs++;
	}
	s->of[MODEL_RUN].n = s->of[MODEL_SIZE].n = s->njobs;
	for (int k = MODEL_IAT; k <= MODEL_SIZE; k++) {
		memcpy(s->of[k].sorted, s->of[k].x,
		       s->of[k].n * sizeof(double));
		sim_sort(s->of[k].sorted, s->of[k].n);
	}
}

/* Say which field the trace lacks. */
static int check_fields(const struct sim_trace_series *s,
			const struct swf_trace *trace, enum sim_size size,
			struct libra_error *err)
{
	bool allocated = size == SIM_SIZE_ALLOCATED;

	if (s->nchosen < 3)
		return libra_errf(err, EINVAL,
				  "%s: only %zu of %zu records have %s "
				  "processors (field %d); try --size=%s",
				  trace->name, s->nchosen, s->nrecords,
				  allocated ? "allocated" : "requested",
				  allocated ? 5 : 8,
				  allocated ? "requested" : "allocated");
	if (s->njobs == 0)
		return libra_errf(err, EINVAL,
				  "%s: no record with processors has a run "
				  "time (field 4) above 0",
				  trace->name);
	return 0;
}

int sim_series_init(struct sim_trace_series *s, const struct swf_trace *trace,
		    enum sim_size size, struct libra_error *err)
{
	const struct swf_record **rec;

	memset(s, 0, sizeof(*s));
	s->nrecords = trace->nrecords;
	rec = choose(trace, size, &s->nchosen);
	if (!rec || series_alloc(s, s->nchosen + 1)) {
		free(rec);
		sim_series_fini(s);
		return sim_no_memory(err);
	}
	fill(s, rec, s->nchosen, size);
	free(rec);
	if (check_fields(s, trace, size, err)) {
		int saved = errno;

		sim_series_fini(s);
		errno = saved;
		return -1;
	}
	return 0;
}

void sim_series_fini(struct sim_trace_series *s)
{
	for (int k = MODEL_IAT; k <= MODEL_SIZE; k++) {
		free(s->of[k].x);
		free(s->of[k].sorted);
	}
	free(s->gap);
	memset(s, 0, sizeof(*s));
}
