/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - from the records of a trace to the jobs of one simulation.
 *
 * Chooses the records, repairs or drops them (and counts that), scales the
 * arrivals, and draws what the log does not have (draw.h).  Every policy sees
 * the same jobs.
 */
#ifndef SIM_WORKLOAD_H
#define SIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/job.h"
#include "sim/base/progress.h"
#include "sim/log/swf.h"
#include "sim/workload/capacity.h"
#include "sim/workload/scenario.h"

/* A job, and what only the simulator may know of it. */
struct sim_job {
	struct libra_job job; /* job.id: field 1 of the record */
	double runtime_s;
	/* It may have any number of processors up to this one, and time and run
	 * time are for job.nprocs (core/width.h); 0 = only these.
	 */
	uint32_t most_procs;
	double speedup;	       /* the part that more processors divide */
	double deadline_rel_s; /* deadline - submit, as drawn */
	bool high_urgency;
	bool ordinary; /* has no deadline */
	bool killed;   /* runs until its estimate and is not done then */
	size_t place;  /* among the chosen records: its draws hang on it */
};

struct sim_nodes;

struct sim_workload {
	struct sim_job *jobs; /* in order of submission, ties as in the file */
	size_t njobs;
	uint32_t procs;
	enum sim_execution execution; /* 0 = independent */
	double correct;		      /* as in the scenario */
	bool has_ordinary; /* refused jobs wait without a promise, too */
	bool has_widths;   /* a job may have several numbers of processors */
	bool enforced;	   /* kill_at_estimate */
	double begin_s;	   /* instant 0, on the clock of the log */
	/* Processors out of service; NULL = none.  The caller's, who may set it
	 * between making and running. */
	const struct sim_capacity *capacity;
	/* NULL = one lane of processors (nodes.h). */
	const struct sim_nodes *nodes;
	/* Outcomes name the nodes of each job, if there are any.  As capacity,
	 * the caller's.
	 */
	bool keeps_nodes;
	/* Refused jobs learn the earliest deadline that would do, as users do:
	 * a search for each.  As capacity, the caller's.
	 */
	bool tells_earliest;
	/* Medians and fifths are measured, too: a run alone has no use for
	 * them, and they cost as much as a tenth of it.  As capacity, the
	 * caller's.
	 */
	bool studied;
	/* Called while a run is under way (NULL = not).  As capacity, the
	 * caller's.
	 */
	sim_progress_f *progress;
	void *progress_arg;
	uint64_t seed; /* as in the scenario */
	struct sim_prediction prediction;
	/* How many records were dropped or repaired. */
	size_t records;		    /* chosen */
	double mean_run_s;	    /* of these, as recorded: what biases ask */
	size_t dropped_unrun;	    /* run time <= 0 */
	size_t dropped_procs;	    /* no processors given */
	size_t dropped_large;	    /* more processors than the machine */
	size_t dropped_unrequested; /* filter: no request */
	size_t dropped_unsubmitted; /* filter: submitted before 0 */
	size_t given_one_second;    /* run time <= 0 with keep_unrun */
	size_t estimate_from_run;   /* no estimate given */
	size_t run_clipped;	    /* kill_at_estimate */
	size_t reordered;	    /* unsorted submissions, sorted */
};

/* Processors of a record by one of its two fields; <= 0 if it has none. */
int32_t sim_record_procs(const struct swf_record *r, enum sim_size size);

/* Make the jobs of a scenario.  The filter sc15 takes the records that SC 2015
 * simulates: requested processors (else the allocated ones), whole seconds, run
 * time and request > 0, submission >= 0, and the run time cut to the request.
 * The earliest submission of the chosen records
 * is the instant 0.  A job's place, from which its random streams are started,
 * counts all chosen records, dropped ones too.
 * Result: 0, or -1 with EINVAL (scenario out of range, no job left) or ENOMEM.
 * Owner:  the caller calls sim_workload_fini(); after an error it need not.
 */
int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err);
void sim_workload_fini(struct sim_workload *w);

#endif
