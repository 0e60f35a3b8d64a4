/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.h - the sacct command that writes a log for `librasim import`. */
#ifndef SIM_IMPORT_SHOW_H
#define SIM_IMPORT_SHOW_H

#include <stdint.h>
#include <stdio.h>

/* Print it, for a release such as "22.05" (NULL: with the columns that all
 * releases from 20.11 on have).  Instants of 0: words to be replaced.
 */
void import_show_command(FILE *fp, const char *release, int64_t from_s,
			 int64_t to_s);

#endif
