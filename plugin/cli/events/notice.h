/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notice.h - run a program for an event of the decision log (libra notify).
 *
 * If memory is out, the command ends (print.h).
 */
#ifndef LIBRA_CLI_NOTICE_H
#define LIBRA_CLI_NOTICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Return the kind of an event: its name, or "refused" for a job that asked when
 * it could start, and was refused.  NULL: the event does not concern a user, or
 * sbatch has printed it.
 * Owner:  the event, or a constant.
 */
const char *cli_notice_kind(const json_t *event);

/* Return true if a word of len bytes is the name of a kind. */
bool cli_notice_is_kind(const char *word, size_t len);

/* Run a program with an event: as a JSON line on standard input, and in the
 * environment LIBRA_EVENT (its kind), LIBRA_TEXT (a sentence), LIBRA_JOB,
 * LIBRA_UID, LIBRA_USER, LIBRA_PARTITION, LIBRA_CAUSE, LIBRA_TIME and
 * LIBRA_DEADLINE.
 * Result: the exit status (128 and the signal, if one ended it; 127 if there is
 *         no such program), or -1 with errno.
 */
int cli_notice_run(char **program, const char *kind, const json_t *event);

#endif
