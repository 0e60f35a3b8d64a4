/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.h - read the lines that a decision log got since the last call.
 *
 * A place in a log is an offset and a hash of the file's first bytes.  The
 * first line of each file has the microsecond of its call, so the hash
 * identifies the file under any name, and in a copy.  (An inode number would
 * not: a new file may get the number of a deleted one.)  If the log was
 * rotated, the rest of the old file is read first, from PATH.1, PATH-20261126
 * or the like.  Compressed files are not read.
 *
 * Cost:   to read the new bytes, and the first ones.
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

/* Set the offset of a place, for a cli_follow_f that saves the place between
 * two lines.
 */
void cli_place_set(json_t *place, off_t offset);

/* Call each() for each line since a place, and move the place behind them.
 * place: a JSON object.  If it is empty, the log is read from its beginning,
 * without rotated files.
 * Result: 0; 1 if lines are missing, because a rotated file was not found; or
 * -1 with errno and a text, and the place is behind the last line for which
 * each() returned 0.
 */
int cli_follow(const char *path, json_t *place, cli_follow_f each, void *arg,
	       struct libra_error *err);

/* A decision log, and the partitions of its group as text. */
struct cli_followed {
	char *path;
	char *label;
};

/* List the logs to follow: `given`, or if it is NULL those in the settings of
 * slurmctld, which is asked.
 * Result: their number, or -1 with errno and a text.
 * Owner:  the caller ends the list with cli_followed_fini().
 */
int cli_followed_init(struct cli_followed logs[LIBRA_HOST_MAX_GROUPS],
		      const char *given, struct libra_error *err);
void cli_followed_fini(struct cli_followed *logs, int n);

/* Read the object that cli_saved_write() saved.  If the file does not exist,
 * return a new object with this version.
 * Result: the object, which the caller owns, or NULL with errno and a text
 *         (such as: another version).
 */
json_t *cli_saved_read(const char *path, int version, struct libra_error *err);

/* Return the member `name` of an object, itself an object; add an empty one if
 * there is none.
 * Owner:  the outer object.
 */
json_t *cli_saved_member(json_t *object, const char *name);

/* Replace the file of cli_saved_read().
 * Result: 0, or -1 with errno and a text; then the old file is unchanged.
 */
int cli_saved_write(const char *path, const json_t *saved,
		    struct libra_error *err);

#endif
