/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paper.c - the list of papers, and the logs they are run on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/log/synth.h"
#include "sim/log/trace_find.h"
#include "sim/paper/paper.h"

const struct sim_paper *const sim_papers[] = {
	&sim_paper_icpp2006, &sim_paper_ipdps2007, &sim_paper_ccgrid2008,
	&sim_paper_sc2015,   &sim_paper_beyond,	   NULL,
};

/* The synthetic log is one and the same, whatever the seeds. */
#define SYNTHETIC_SEED 1

int sim_paper_log_read(const struct sim_paper_run *run, const char *basename,
		       struct sim_paper_log *log, struct libra_error *err)
{
	char *path = NULL;
	int rc;

	memset(log, 0, sizeof(*log));
	if (sim_trace_find(run->trace_option, basename, &path, err) < 0)
		return -1;
	if (!path) {
		log->synthetic = true;
		return synth_trace(&log->trace, SYNTHETIC_SEED, err);
	}
	rc = swf_read(&log->trace, path, err);
	if (rc == 0 && swf_sha256(path, log->sha256, err) < 0) {
		swf_fini(&log->trace);
		rc = -1;
	}
	free(path);
	return rc;
}

void sim_paper_log_fini(struct sim_paper_log *log)
{
	swf_fini(&log->trace);
}

struct report_source sim_paper_source(const struct sim_paper_run *run,
				      const struct sim_paper_log *log)
{
	return (struct report_source){
		.paper = run->paper->name,
		.title = run->paper->title,
		.citation = run->paper->citation,
		.command = run->command,
		.seeds = run->seeds,
		.nseeds = run->nseeds,
		.trace = &log->trace,
		.sha256 = log->sha256,
		.synthetic = log->synthetic,
	};
}
