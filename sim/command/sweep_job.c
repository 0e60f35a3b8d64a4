/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_job.c - the rows of a sweep's table, old and new.
 *
 * A row is looked up in the old table, then in the part that its point belongs
 * to, then, if parts have other sizes, in all parts.
 */
#include "sim/command/sweep_job.h"

#include "sim/output/file.h"

const char *sweep_job_row(const struct sweep_job *job, size_t point)
{
	const char *key = job->key[point];
	const char *row = sweep_rows_find(&job->old, key);

	if (!row && job->nparts > 0)
		row = sweep_rows_find(&job->parts[point % job->nparts], key);
	for (size_t i = 0; !row && job->anywhere && i < job->nparts; i++)
		row = sweep_rows_find(&job->parts[i], key);
	return row;
}

int sweep_job_write(const struct sweep_job *job, const char *path, size_t part,
		    size_t nparts, struct libra_error *err)
{
	struct out_file file;

	if (out_open(&file, path, err) < 0)
		return -1;
	sweep_heading(file.fp, &job->sweep);
	for (size_t i = part; i < job->sweep.npoints; i += nparts) {
		const char *row = sweep_job_row(job, i);

		if (row)
			fputs(row, file.fp);
		else if (job->done[i])
			sweep_row(file.fp, &job->sweep, &job->sweep.points[i],
				  job->key[i], &job->result[i]);
	}
	return out_commit(&file, err);
}
