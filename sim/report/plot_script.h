/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot_script.h - a plot as a script of gnuplot; for plot.c alone. */
#ifndef SIM_PLOT_SCRIPT_H
#define SIM_PLOT_SCRIPT_H

#include <stdio.h>

#include "sim/report/plot.h"

/* Write the script of a plot, with its data.  plot.c checks fp for errors.
 * Result: 0, or -1 with ENOMEM.
 */
int plot_script(FILE *fp, const struct plot *plot);

#endif
