/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_log.h - the decision log: each call of the engine with its result.
 *
 * The log is JSON, one object per line, in the order of the calls.  Times are
 * in seconds.  Numbers are printed so that they read back to the same double.
 * With the line "engine" at the beginning of each run, the log is sufficient
 * for a replay.  Lines {"event":...} report what became of a promise, for
 * people and metrics (job_table.h); a replay skips them.  If the log cannot be
 * written, the error is reported once and decisions continue.  When writing
 * works again, a line {"call":"gap","lines":N} states how many lines are
 * missing.  No line is written in part.
 *
 * If the file is renamed or removed, a new one is opened, so rotation needs no
 * signal.  Lines are counted, written or not; the line "engine" of a later file
 * of the same run contains that count.
 *
 * Callers: engine_log.h, plan_log.h and plugin/host, under the host's lock.
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
	double checked_s;	  /* last check that path is still this file */
	double now_s;		  /* of the current line */
	bool failed;		  /* reported; later failures are not */
	double failed_s;	  /* instant of that report */
	unsigned long long lost;  /* lines since the last one written */
	unsigned long long lines; /* of this run; reset by the owner */
	struct host_text line;	  /* an incomplete line is dropped */
	bool held;		  /* line is complete, but not written yet */
	libra_host_report_f report;
	void *report_arg;
};

/* Open the log for appending; path NULL: no log.  path is copied.  If the file
 * cannot be opened, libra_declog_check() tries again.
 */
void libra_declog_open(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg);
void libra_declog_close(struct libra_declog *log);

/* Continue in another file, or in none, with the same count of lines. */
void libra_declog_move(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg);

/* If the file was renamed, removed or never opened, open it again.  The file
 * system is checked at most once a second.
 * Result: true if a file was opened.  The caller then writes the line "engine"
 *         (libra_engine_log_opening()).
 */
bool libra_declog_check(struct libra_declog *log, double now_s);

/* Compose a line: begin, then fields, then end, which writes the line.  Use
 * empty instead of begin for a line that is no call.  If memory runs out, the
 * line is lost, as on a full disk.
 */
void libra_declog_empty(struct libra_declog *log);
void libra_declog_begin(struct libra_declog *log, const char *call,
			double now_s);
/* As begin, for a line {"event":...}. */
void libra_declog_event(struct libra_declog *log, const char *event,
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

/* hold:    instead of end, keep the line.  The next line, or close, writes the
 *          kept line first.
 * discard: drop the kept line, for another one that replaces it.
 */
void libra_declog_hold(struct libra_declog *log);
void libra_declog_discard(struct libra_declog *log);

#endif
