/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notice.h - an event of the decision log, for a user and for a program.
 *
 * Where memory ends, the command does (print.h).
 */
#ifndef LIBRA_CLI_NOTICE_H
#define LIBRA_CLI_NOTICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Return the kind of an event: its name, or "refused" for a job that asked for
 * its first promise when it could start.  NULL: a user was told that at the
 * submission, or it does not concern a user.
 */
const char *cli_notice_kind(const json_t *event);

/* Is this a kind that there is?  len: of the word. */
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
