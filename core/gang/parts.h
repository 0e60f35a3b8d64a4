/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h - the processors of a job in a gang, as parts in index order.
 */
#ifndef CORE_GANG_PARTS_H
#define CORE_GANG_PARTS_H

#include "core/gang/gang.h"

/* The parts of a job are those of a set: no two of them touch.
 * Result: 0, or -1 with ENOMEM, and its number of parts is as it was.
 */
int libra_gang_set_parts(const struct libra_gang *g, struct libra_gang_job *job,
			 const uint64_t *set);

/* What is bound to its processors changes, or what it claims of them: so have
 * the words of all runs that it is on, and that of the run behind each part.
 */
void libra_gang_note_change(struct libra_gang *g,
			    const struct libra_gang_job *job);

#endif
