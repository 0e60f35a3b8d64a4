/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comment.c - see comment.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/log.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/comment.h"

#define NOTE " note="

/* Slurm has no bound for the text. */
enum { NOTE_LENGTH = 256 };

bool libra_is_record(const char *text)
{
	return text && strncmp(text, "libra:", 6) == 0;
}

/* One word without blanks, so that no part of it reads as a word of ours. */
static void copy_word(char to[NOTE_LENGTH + 1], const char *text)
{
	size_t i;

	for (i = 0; i < NOTE_LENGTH && text[i]; i++)
		to[i] = (unsigned char)text[i] > ' ' && text[i] != '\x7f'
				? text[i]
				: '_';
	to[i] = '\0';
}

bool libra_comment_set(job_record_t *job, const char *record)
{
	const char *was = job->admin_comment, *note = was;
	bool other = was && *was && !libra_is_record(was);
	char word[NOTE_LENGTH + 1] = "";

	if (was && !other) {
		note = strstr(was, NOTE);
		note += note ? strlen(NOTE) : 0;
	}
	if (note)
		copy_word(word, note);
	if (other)
		info("libra: %pJ: AdminComment was overwritten with \"%s\": "
		     "the record of its promise is written again, before that "
		     "text",
		     job, word);
	xfree(job->admin_comment);
	job->admin_comment =
		*word ? xstrdup_printf("%s" NOTE "%s", record, word)
		      : xstrdup(record);
	return other;
}
