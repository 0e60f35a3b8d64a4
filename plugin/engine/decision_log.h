/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_log.h - the decision log: every call of the engine, with its result.
 *
 * JSON, one object a line, in the order of the calls; times in seconds and
 * numbers printed so that they read back to the same double.  With the line
 * "engine" that opens each run it is all that a replay needs.  A log that
 * cannot be written is reported once and never stops a decision; when it can
 * again, a line {"call":"gap","lines":N} tells that so many are missing.  No
 * line is ever written in part.
 *
 * The file is opened again when it was renamed or removed, so that it can be
 * rotated without a signal.  Lines are counted, written or not, so that the
 * "engine" that opens another file of the same run can say how many were before
 * it.
 */
#ifndef LIBRA_ENGINE_DECISION_LOG_H
#define LIBRA_ENGINE_DECISION_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/engine.h"
#include "plugin/base/conf.h"
#include "plugin/base/text.h"

struct libra_declog {
	char *path; /* NULL = no log */
	int fd;
	dev_t dev;
	ino_t ino;
	double checked_s; /* when the name was last compared with the file */
	double now_s;	  /* of the line being composed */
	bool failed;	  /* reported; tried again, but not reported again */
	double failed_s;  /* since then */
	unsigned long long lost;  /* lines, since the last that was written */
	unsigned long long lines; /* of the present run; its owner resets it */
	struct host_text line;	  /* one that is cut is lost */
	libra_host_report_f report;
	void *report_arg;
};

/* Open the log (append).  A path of NULL keeps no log. */
void libra_declog_open(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg);
void libra_declog_close(struct libra_declog *log);

/* Go on in another file, or in none, with the run's count of lines. */
void libra_declog_move(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg);

/* Has the file been renamed, removed or never opened: open it again.
 * Asks the file system once a second at the most.
 * Result: true if a new file was opened.
 */
bool libra_declog_check(struct libra_declog *log, double now_s);

/* Compose a line: begin, then fields, then end, which writes it.  Empty is the
 * beginning of one that is no call.  Where memory ends a line is lost, as on a
 * full disk.
 */
void libra_declog_empty(struct libra_declog *log);
void libra_declog_begin(struct libra_declog *log, const char *call,
			double now_s);
void libra_declog_number(struct libra_declog *log, const char *name, double v);
void libra_declog_whole(struct libra_declog *log, const char *name,
			unsigned long long v);
void libra_declog_text(struct libra_declog *log, const char *name,
		       const char *v);
void libra_declog_ranges(struct libra_declog *log, const char *name,
			 const struct libra_range *ranges, size_t n);
void libra_declog_raw(struct libra_declog *log, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void libra_declog_end(struct libra_declog *log);

#endif
