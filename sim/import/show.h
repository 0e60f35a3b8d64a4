/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - the sacct command that writes a log for `librasim import`.
 *
 * For the option --show-command.
 */
#ifndef SIM_IMPORT_SHOW_H
#define SIM_IMPORT_SHOW_H

#include <stdint.h>
#include <stdio.h>

/* Print the command for a release such as "22.05" (NULL: with the columns of
 * all releases from 20.11 on).  from_s and to_s are seconds since 1970, printed
 * in UTC; 0 is printed as FROM or TO, for the reader to replace.
 */
void import_show_command(FILE *fp, const char *release, int64_t from_s,
			 int64_t to_s);

#endif
