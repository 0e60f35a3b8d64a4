/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comment.h - write the record of a promise into a job's AdminComment.
 *
 * scancel --admin-comment (25.11 and later) overwrites the field without asking
 * a plugin.  Then the record is written again, and after it the other text as
 * one word, note=TEXT, with _ for blanks.  Readers of records skip words that
 * they do not know.
 *
 * The caller holds Slurm's job write lock.
 */
#ifndef LIBRA_SELECT_COMMENT_H
#define LIBRA_SELECT_COMMENT_H

#include <stdbool.h>

struct job_record;

/* Write a record into a job's AdminComment, and keep the note of the former
 * record.  If the field was overwritten, log that, and take its text as the
 * note.
 * Result: true if the field was overwritten.
 * Owner:  record stays the caller's.
 */
bool libra_comment_set(struct job_record *job, const char *record);

/* Return true if a text is a record of ours, damaged or not; false for NULL. */
bool libra_is_record(const char *text);

#endif
