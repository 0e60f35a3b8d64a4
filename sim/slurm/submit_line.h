/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit_line.h - read a job's request from sacct's SubmitLine.
 *
 * The line is the command of the submission, in words without quotes.  The
 * options inside the script (#SBATCH) are not known.
 */
#ifndef SIM_SLURM_SUBMIT_LINE_H
#define SIM_SLURM_SUBMIT_LINE_H

#include "sim/slurm/sched/model.h"

enum { SCHED_LINE_TEXT = 256, SCHED_LINE_DEPS = 16 };

/* The options of a line; 0, false or "" = not given. */
struct sched_line {
	bool sized;	  /* tasks, nodes or CPUs are given */
	bool interactive; /* srun or salloc */
	uint32_t ntasks, min_nodes, max_nodes, cpus_per_task, tasks_per_node;
	bool nodes_said, exclusive, contiguous, hold;
	uint64_t mem_mb;
	bool mem_said, mem_per_cpu;
	struct {
		uint32_t node, job, task;
	} gpus;		  /* for each of these; 0: not given */
	uint32_t mincpus; /* of each node */
	uint32_t throttle;
	int32_t nice;
	int64_t time_min_s, begin_after_s; /* --begin=now+N; else 0 */
	bool begin_said;
	uint32_t ndeps;
	struct sched_dep deps[SCHED_LINE_DEPS];
	bool deps_any; /* --dependency=a?b: one of them suffices */
	/* the first option that a promise does not count; NULL: none */
	const char *unpromised;
	char name[SCHED_LINE_TEXT], features[SCHED_LINE_TEXT];
	char partitions[SCHED_LINE_TEXT];
	char required[SCHED_LINE_TEXT], excluded[SCHED_LINE_TEXT];
};

/* Read a line into *line.  For each option that the model ignores, call
 * ignored() with the option's long name, a constant.  Nothing is allocated.
 */
void sched_line_read(struct sched_line *line, const char *text,
		     void (*ignored)(void *arg, const char *option), void *arg);

#endif
