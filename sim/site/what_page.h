/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what_page.h - a what-if study as a page, tables (CSV) and JSON. */
#ifndef SIM_WHAT_PAGE_H
#define SIM_WHAT_PAGE_H

#include "core/error.h"
#include "sim/site/what.h"
#include "sim/site/wait_bounds.h"

struct what_page {
	const struct what *what;
	const struct when *when; /* NULL = the log has no waits */
	const struct swf_trace *trace;
	const struct plan *plan;	/* that `what` was made with */
	const struct site_parts *parts; /* NULL = one machine */
	const char *command;		/* for the page's last line */
};

/* Write index.html, its tables (*.csv) and what-if.json into a folder.  After
 * an error none of them is new.
 * Result: 0, or -1 with errno of the system, ENOMEM, or EIO (gnuplot failed).
 */
int what_page_write(const struct what_page *page, const char *folder,
		    struct libra_error *err);

#endif
