/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comment.h - a job's AdminComment, which others may overwrite.
 *
 * The record of a promise is kept there.  scancel --admin-comment (25.11 and
 * later) overwrites the field and asks no plugin.  The record is then written
 * again, and behind it the other text as one word, note=TEXT, with _ for
 * blanks: readers of records pass over words that they do not know.
 *
 * The caller holds Slurm's write lock of jobs.
 */
#ifndef LIBRA_SELECT_COMMENT_H
#define LIBRA_SELECT_COMMENT_H

#include <stdbool.h>

struct job_record;

/* Write a record into a job's AdminComment.  Keep the note of the record
 * before; if the field has another's text, log that, and make it the note.
 * Result: true if the field had another's text.
 */
bool libra_comment_set(struct job_record *job, const char *record);

/* Is a text a record of ours, whether damaged or not?  NULL is none. */
bool libra_is_record(const char *text);

#endif
