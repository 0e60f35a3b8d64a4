/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - read what a decision log has got since the last time.
 *
 * A place in a log is an offset and a hash of the log's first bytes.  The first
 * line of each log has the microsecond of its call, so the hash identifies the
 * log under any name, also as a copy.  An inode number would not: another file
 * may get it.  If the log was rotated, the rest of the old file is read first,
 * from PATH.1, PATH-20261126 or the like; a compressed file is not read.
 *
 * Cost:   the new bytes, and a look at the first ones.
 */
#ifndef LIBRA_CLI_FOLLOW_H
#define LIBRA_CLI_FOLLOW_H

#include <jansson.h>

#include "plugin/base/conf_list.h"
#include "plugin/cli/log_lines.h"

/* Called for each whole line.
 * Result: 0 to go on, or -1 with errno and a text.
 */
typedef int (*cli_follow_f)(void *arg, const struct cli_log_line *line,
			    struct libra_error *err);

/* Set a place's offset, for a callback that saves the place in between. */
void cli_place_set(json_t *place, off_t offset);

/* Read the lines since a place, and move the place behind them.  place: a JSON
 * object, empty at first; then the log is read from its beginning, without
 * rotated files.
 * Result: 0; 1 if a rotated file was not found, so that lines are missing; or
 *         -1 with errno and a text: then the place is behind the last line that
 *         each() took.
 */
int cli_follow(const char *path, json_t *place, cli_follow_f each, void *arg,
	       struct libra_error *err);

/* A decision log, and the partition (or partitions) of its group. */
struct cli_followed {
	char *path;
	char *label;
};

/* List the logs to follow: the one given (not NULL), else those that slurmctld
 * has in its settings, which are asked for.
 * Result: how many, or -1 with errno and a text.
 */
int cli_followed_init(struct cli_followed logs[LIBRA_HOST_MAX_GROUPS],
		      const char *given, struct libra_error *err);
void cli_followed_fini(struct cli_followed *logs, int n);

/* Read what was saved last, as JSON of this version.  A file that does not
 * exist is an empty object.
 * Result: the object, or NULL with errno and a text.
 */
json_t *cli_saved_read(const char *path, int version, struct libra_error *err);

/* Return an object in the saved one, which is made if there is none.
 * Owner: the saved object.
 */
json_t *cli_saved_member(json_t *object, const char *name);

/* Replace that file.
 * Result: 0, or -1 with errno and a text; then the old file is unchanged.
 */
int cli_saved_write(const char *path, const json_t *saved,
		    struct libra_error *err);

#endif
