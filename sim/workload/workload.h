/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - from the records of a trace to the jobs of one simulation.
 *
 * Chooses the records, repairs or drops them and counts both, scales the
 * arrivals, and draws the values that the log does not have (draw.h).  Every
 * policy gets the same jobs: a simulation does not change the workload.  Times
 * are in seconds.
 *
 * Callers: commands and the worker processes of sim/study; each makes,
 * simulates and frees its own workloads.
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

/* A job as the engine gets it, and values that only the simulator may know. */
struct sim_job {
	struct libra_job job; /* job.id: field 1 of the record */
	double runtime_s;
	/* The job may have any number of processors up to this one; estimate
	 * and run time are for job.nprocs (core/width.h).  0 = only job.nprocs.
	 */
	uint32_t most_procs;
	double speedup;	       /* the part of the work that more processors
				  divide */
	double deadline_rel_s; /* deadline - submit, as drawn */
	bool high_urgency;
	bool ordinary; /* has no deadline */
	bool killed;   /* killed at its estimate, before its work is done */
	size_t place;  /* index among the chosen records: names its streams */
};

struct sim_nodes;

struct sim_workload {
	struct sim_job *jobs; /* in order of submission, ties as in the file */
	size_t njobs;
	uint32_t procs;
	enum sim_execution execution; /* 0 = independent */
	double correct;		      /* as in the scenario */
	bool has_ordinary; /* jobs without a promise wait in a queue */
	bool has_widths;   /* a job may have several numbers of processors */
	bool enforced;	   /* kill_at_estimate */
	double begin_s;	   /* instant 0, on the clock of the log */
	/* The caller may set the members from here to progress_arg between
	 * making and running, and owns what they point to.
	 */
	/* Processors out of service; NULL = none. */
	const struct sim_capacity *capacity;
	/* NULL = one lane of processors (nodes.h). */
	const struct sim_nodes *nodes;
	/* Write the nodes of each job to its outcome, if there are nodes. */
	bool keeps_nodes;
	/* Find the earliest acceptable deadline of each refused job, as the
	 * plugin does for users.  Costs a search for each.
	 */
	bool tells_earliest;
	/* Measure medians and fifths, too.  Costs up to a tenth of a run, and
	 * only studies use them.
	 */
	bool studied;
	/* Called during a run; NULL = none. */
	sim_progress_f *progress;
	void *progress_arg;
	uint64_t seed; /* as in the scenario */
	struct sim_prediction prediction;
	/* How many records were dropped or repaired. */
	size_t records;		    /* chosen */
	double mean_run_s;	    /* of these, as recorded: for biases */
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

/* Return the processors of a record by one of its two fields; <= 0 if it lacks
 * that field.
 */
int32_t sim_record_procs(const struct swf_record *r, enum sim_size size);

/* Make the jobs of a scenario from a trace.  The earliest submission of the
 * chosen records is the instant 0.  A job's place, which names its random
 * streams, counts all chosen records, dropped ones too.  The filter sc15 takes
 * the records that SC 2015 simulates: requested processors (else the allocated
 * ones), whole seconds, run time and request > 0, submission >= 0, and the run
 * time cut to the request.
 * Result: 0, or -1 with EINVAL (scenario out of range, no job left) or ENOMEM.
 * Owner:  the caller calls sim_workload_fini(); after an error it need not.
 * Cost:   O(records), or O(records log records) if they are not in order.
 */
int sim_workload_make(struct sim_workload *w, const struct swf_trace *trace,
		      const struct sim_scenario *sc, struct libra_error *err);
void sim_workload_fini(struct sim_workload *w);

#endif
