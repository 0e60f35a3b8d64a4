/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reservations_file.c - see reservations_file.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/base/ops.h"
#include "plugin/state/reservations_file.h"
#include "plugin/state/state_file.h"

#define FORM "libra_firm 1 job=%u start=%.17g\n"

enum { LINE_SIZE = 96 };

/* Without a valid file the job is planned again, perhaps later. */
static void read_file(struct host_firm *firm)
{
	char line[LINE_SIZE] = "", *text;
	double start_s;
	unsigned id;
	size_t size = 0;

	text = host_state_file_read(firm->path, &size);
	if (text && size < sizeof(line))
		memcpy(line, text, size);
	free(text);
	if (sscanf(line, "libra_firm 1 job=%u start=%lf", &id, &start_s) != 2 ||
	    id == 0 || !isfinite(start_s))
		return;
	firm->job_id = id;
	firm->start_s = start_s;
	firm->fresh = true;
}

void host_firm_begin(struct host_firm *firm, const struct libra_host_ops *ops,
		     const char *folder, const char *label)
{
	*firm = (struct host_firm){0};
	if (!host_state_path(firm->path, folder, "libra_firm", label))
		return;
	read_file(firm);
	if (firm->fresh)
		host_log(ops, LIBRA_HOST_DEBUG,
			 "job %u had a plan before the restart", firm->job_id);
}

void host_firm_set(struct host_firm *firm, const struct libra_host_ops *ops,
		   uint32_t job_id, double start_s)
{
	char line[LINE_SIZE];
	int rc = 0;

	if (!*firm->path || !isfinite(start_s) ||
	    (job_id == firm->job_id && !firm->fresh &&
	     fabs(start_s - firm->start_s) < 1.0))
		return;
	snprintf(line, sizeof(line), FORM, job_id, start_s);
	if (job_id)
		rc = host_state_file_write(firm->path, line, strlen(line),
					   false);
	else if (unlink(firm->path) < 0 && errno != ENOENT)
		rc = -1;
	if (rc < 0 && !firm->failing)
		host_log(ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: a restart may plan job %u "
			 "later than now",
			 firm->path, strerror(errno), job_id);
	firm->failing = rc < 0;
	firm->fresh = false;
	firm->job_id = job_id;
	firm->start_s = start_s;
}
