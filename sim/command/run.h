/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - the arguments of `librasim run`, and functions of its files.
 */
#ifndef SIM_CMD_RUN_H
#define SIM_CMD_RUN_H

#include "sim/command/command.h"
#include "sim/command/log_options.h"
#include "sim/run/policies.h"
#include "sim/run/run.h"
#include "sim/workload/nodes.h"

struct run_args {
	struct sim_scenario scenario, standard; /* as typed; without options */
	struct cmd_log log;
	struct sim_policies policies;
	struct sim_nodes nodes;
	bool by_node; /* --nodes was given */
	const char *trace;
	const char *jobs_in;
	const char *jobs_out;
	const char *site, *recording; /* of --policy slurm */
	bool planned_starts;	      /* write columns for them to jobs_out */
	const char *names;	      /* of the policies */
	struct cmd_texts sets;	      /* the --set options, in order */
	enum cmd_format format;
};

/* Print the results of all policies, in their order: to standard output, or to
 * standard error if --jobs-out - takes that.
 * Result: 0, or -1 with ENOMEM, or errno of reading the log again (its sha256
 *         is part of the JSON).
 */
int run_print(const struct run_args *args, const struct sim_workload *w,
	      const struct sim_result *results, struct libra_error *err);

/* Run --policy slurm: simulate a site's log, or compare with a recording.
 * Result: 0, or -1 with ENOMEM, EINVAL or errno of the system.
 */
int run_slurm(const struct run_args *args, struct libra_error *err);

#endif
