/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_slurm.c - librasim run --policy slurm: a site's own scheduler. */
#include <stdlib.h>
#include <string.h>

#include "sim/command/run.h"
#include "sim/output/file.h"
#include "sim/slurm/priority.h"
#include "sim/slurm/result.h"

/* Print to standard output, or to standard error if the table goes there. */
static FILE *summary_to(const struct run_args *args)
{
	return args->jobs_out && strcmp(args->jobs_out, "-") == 0 ? stderr
								  : stdout;
}

static int simulate(const struct run_args *args, struct sched_load *load,
		    struct libra_error *err)
{
	struct sched_figures figures;
	struct sched_phases phases;
	struct out_file file = {NULL};
	struct progress bar = {false};
	int rc;

	sched_phases_draw(load, args->scenario.seed, &phases);
	if (args->jobs_out && out_check(args->jobs_out, err) < 0)
		return -1;
	load->progress = progress_show;
	load->progress_arg = &bar;
	rc = sched_simulate(load, &phases, &figures, err);
	progress_clear(&bar);
	if (rc < 0)
		return -1;
	if (args->jobs_out) {
		if (out_open(&file, args->jobs_out, err) < 0)
			return -1;
		sched_write_jobs(load, file.fp);
		if (out_commit(&file, err) < 0)
			return -1;
	}
	return sched_print_result(load, &figures, args->format == CMD_JSON,
				  summary_to(args));
}

static int compare(const struct run_args *args, struct sched_load *load,
		   struct libra_error *err)
{
	struct recording rec = {0};
	struct steps steps;
	struct out_file file = {NULL};
	int rc = 0;

	if (args->jobs_out)
		rc = out_open(&file, args->jobs_out, err);
	if (rc == 0)
		rc = recording_read(&rec, args->recording, err);
	if (rc == 0 && file.fp)
		fputs("second,loop,job,what,reason\n", file.fp);
	if (rc == 0)
		rc = sched_steps(load, &rec, &steps, file.fp, err);
	if (rc == 0 && file.fp)
		rc = out_commit(&file, err);
	if (rc == 0)
		rc = sched_print_steps(&steps, args->format == CMD_JSON,
				       summary_to(args));
	if (rc < 0 && file.fp)
		out_abort(&file);
	free(rec.of);
	return rc;
}

int run_slurm(const struct run_args *args, struct libra_error *err)
{
	struct slurm_site site;
	struct sched_load load;
	int rc = slurm_site_read(&site, args->site, !args->trace, err);

	memset(&load, 0, sizeof(load));
	if (rc == 0 && args->trace)
		rc = slurm_site_read_jobs(&site, args->trace, err);
	if (rc == 0)
		rc = slurm_prio_rewind(&site, err);
	for (size_t i = 0; rc == 0 && i < args->sets.n; i++)
		rc = slurm_site_change(&site, args->sets.of[i], err);
	if (rc == 0)
		rc = sched_load(&load, &site, err);
	if (rc == 0)
		rc = args->recording ? compare(args, &load, err)
				     : simulate(args, &load, err);
	sched_load_fini(&load);
	slurm_site_fini(&site);
	return rc;
}
