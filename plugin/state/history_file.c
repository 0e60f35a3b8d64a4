/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_file.c - see history_file.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/state/history_file.h"
#include "plugin/base/ops.h"
#include "plugin/state/state_file.h"

/* This much is lost if slurmctld is killed. */
#define SAVE_AFTER_S 60.0

static void load(struct host_history *history)
{
	struct libra_error err = {0};
	size_t size = 0;
	char *text = host_state_file_read(history->path, &size);
	bool good;

	if (!text && errno == ENOENT)
		return;
	if (!text)
		libra_errf(&err, errno, "cannot be read: %s", strerror(errno));
	good = text &&
	       libra_history_load(history->history, text, size, &err) == 0;
	free(text);
	if (good)
		return;
	host_log(history->ops, LIBRA_HOST_ERROR,
		 "%s: %s: estimates are corrected from an empty history",
		 history->path, err.text);
	host_state_file_put_aside(history->path, history->ops);
}

static void save(struct host_history *history, bool safe)
{
	size_t size = libra_history_save(history->history, NULL, 0);
	char *text = malloc(size + 1);
	int rc = -1;

	if (text) {
		libra_history_save(history->history, text, size + 1);
		rc = host_state_file_write(history->path, text, size, safe);
	}
	/* Report once: a full disk may stay full. */
	if (rc < 0 && !history->failing)
		host_log(history->ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: the history of users' "
			 "estimates may be lost",
			 history->path, strerror(errno));
	history->failing = rc < 0;
	history->changed = rc < 0;
	free(text);
}

void host_history_save(struct host_history *history, double now_s)
{
	if (!history->history || !history->changed ||
	    fabs(now_s - history->saved_s) < SAVE_AFTER_S)
		return;
	save(history, false);
	history->saved_s = now_s;
}

void host_history_end(struct host_history *history)
{
	if (history->history && history->changed) {
		save(history, true);
		history->saved_s = 0;
	}
	libra_history_destroy(history->history);
	free(history->path);
	history->history = NULL;
	history->path = NULL;
	history->changed = false;
}

void host_history_begin(struct host_history *history, const char *folder,
			double quantile)
{
	struct libra_history_conf conf;
	struct libra_error err = {0};

	host_history_end(history);
	if (quantile == 0 || !folder)
		return;
	if (asprintf(&history->path, "%s/libra_history", folder) < 0) {
		history->path = NULL;
		return;
	}
	conf = libra_history_usual(quantile);
	history->history = libra_history_create(&conf, &err);
	if (history->history)
		load(history);
	else
		host_log(history->ops, LIBRA_HOST_ERROR, "libra_correct: %s",
			 err.text);
}
