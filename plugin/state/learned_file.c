/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_file.c - see learned_file.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/state/learned_file.h"
#include "plugin/base/ops.h"
#include "plugin/state/state_file.h"

/* This much is lost if slurmctld is killed. */
#define SAVE_AFTER_S 60.0

void host_learned_begin(struct host_learned *learned, const char *folder,
			const char *label)
{
	*learned = (struct host_learned){0};
	host_averages_path(learned->path, folder, label);
}

static void refuse(const struct host_learned *learned,
		   const struct libra_host_ops *ops, const char *why)
{
	host_log(ops, LIBRA_HOST_ERROR,
		 "%s: %s: the reserve learns anew how many jobs come",
		 learned->path, why);
	host_state_file_put_aside(learned->path, ops);
}

void host_learned_load(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       struct libra_engine_log *log, bool whole_nodes,
		       double now_s)
{
	struct libra_error err = {0};
	double values[HOST_MOST_LEARNED];
	int n;

	if (!*learned->path || libra_engine_learned(log->engine, NULL, 0) == 0)
		return;
	n = host_averages_read(learned->path, log->conf->policy->name,
			       whole_nodes, values);
	if (n < 0 && errno == ENOENT)
		return;
	if (n < 0)
		refuse(learned, ops,
		       errno == EBADMSG ? "damaged" : strerror(errno));
	else if (n > 0 && libra_engine_log_relearn(log, values, (size_t)n,
						   now_s, &err) < 0)
		refuse(learned, ops, err.text);
	else if (n > 0)
		memcpy(learned->saved, values, (size_t)n * sizeof(*values));
	learned->saved_s = now_s;
}

void host_learned_save(struct host_learned *learned,
		       const struct libra_host_ops *ops,
		       const struct libra_engine_log *log, bool whole_nodes,
		       bool safe, double now_s)
{
	double values[HOST_MOST_LEARNED];
	size_t n;
	int rc;

	if (!*learned->path || !log->engine ||
	    (!safe && fabs(now_s - learned->saved_s) < SAVE_AFTER_S))
		return;
	learned->saved_s = now_s;
	n = libra_engine_learned(log->engine, values, HOST_MOST_LEARNED);
	if (n == 0 || n > HOST_MOST_LEARNED ||
	    memcmp(values, learned->saved, n * sizeof(*values)) == 0)
		return;
	rc = host_averages_write(learned->path, log->conf->policy->name,
				 whole_nodes, values, n, safe);
	/* Report once: a full disk may stay full. */
	if (rc < 0 && !learned->failing)
		host_log(ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: what the reserve has "
			 "learned may be lost",
			 learned->path, strerror(errno));
	learned->failing = rc < 0;
	if (rc == 0)
		memcpy(learned->saved, values, n * sizeof(*values));
}
