/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_page.h - a report on promises as a page, tables (CSV) and JSON. */
#ifndef SIM_SITE_PROMISES_PAGE_H
#define SIM_SITE_PROMISES_PAGE_H

#include "core/error.h"
#include "sim/site/promises.h"

struct promises_page {
	const struct promises *promises;
	const char *month;   /* "2026-11"; NULL = all that was read */
	double from_s, to_s; /* of the month; infinite = all */
	double day_s;	     /* Gantt chart: instant at which the day begins;
				NAN = the day of most work */
	bool accounting;     /* promises_read_sacct() was called */
	const char *command; /* for the page's last line */
};

/* Write index.html, its tables (*.csv) and report.json into a folder.  After an
 * error none of them is new.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EIO (gnuplot failed).
 */
int promises_page_write(const struct promises_page *page, const char *folder,
			struct libra_error *err);

#endif
