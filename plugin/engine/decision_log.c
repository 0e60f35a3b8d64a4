/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decision_log.c - see decision_log.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "plugin/engine/decision_log.h"

/* A full disk may have space for a short line: that is no recovery. */
#define QUIET_S 60.0

static void fail(struct libra_declog *log, const char *what)
{
	char text[512];

	if (log->failed)
		return;
	log->failed = true;
	log->failed_s = log->now_s;
	snprintf(text, sizeof(text),
		 "decision log %s: %s: %s; decisions go on without it",
		 log->path, what, strerror(errno));
	log->report(log->report_arg, text);
}

static bool open_file(struct libra_declog *log)
{
	struct stat st;

	log->fd = open(log->path,
		       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW |
			       O_NONBLOCK,
		       0640);
	if (log->fd < 0) {
		fail(log, "cannot be opened");
		return false;
	}
	if (fstat(log->fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(log->fd);
		log->fd = -1;
		errno = EINVAL;
		fail(log, "is not a regular file");
		return false;
	}
	log->dev = st.st_dev;
	log->ino = st.st_ino;
	return true;
}

void libra_declog_open(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg)
{
	*log = (struct libra_declog){
		.fd = -1, .report = report, .report_arg = arg};
	if (!path)
		return;
	log->path = strdup(path);
	if (log->path)
		open_file(log);
}

void libra_declog_close(struct libra_declog *log)
{
	libra_declog_empty(log);
	if (log->path && log->fd >= 0)
		close(log->fd);
	free(log->path);
	host_text_fini(&log->line);
	*log = (struct libra_declog){.fd = -1};
}

void libra_declog_move(struct libra_declog *log, const char *path,
		       libra_host_report_f report, void *arg)
{
	unsigned long long lines;

	libra_declog_empty(log);
	lines = log->lines;
	libra_declog_close(log);
	libra_declog_open(log, path, report, arg);
	log->lines = lines;
}

bool libra_declog_check(struct libra_declog *log, double now_s)
{
	struct stat st;

	if (!log->path || fabs(now_s - log->checked_s) < 1.0)
		return false;
	log->checked_s = now_s;
	if (log->fd >= 0) {
		if (stat(log->path, &st) == 0 && st.st_dev == log->dev &&
		    st.st_ino == log->ino)
			return false;
		/* A line that is held belongs to the old file. */
		libra_declog_empty(log);
		close(log->fd);
		log->fd = -1;
	}
	return open_file(log);
}

void libra_declog_raw(struct libra_declog *log, const char *fmt, ...)
{
	va_list ap;

	if (!log->path)
		return;
	va_start(ap, fmt);
	host_text_add_list(&log->line, fmt, ap);
	va_end(ap);
}

void libra_declog_empty(struct libra_declog *log)
{
	if (log->held)
		libra_declog_end(log);
	host_text_empty(&log->line);
}

static void add(struct libra_declog *log, const char *text)
{
	host_text_add_bytes(&log->line, text, strlen(text));
}

static void begin(struct libra_declog *log, const char *kind, const char *name,
		  double now_s)
{
	libra_declog_empty(log);
	log->now_s = now_s;
	if (!log->path)
		return;
	add(log, kind);
	add(log, name);
	add(log, "\",\"now_s\":");
	host_text_add_number(&log->line, now_s);
}

void libra_declog_begin(struct libra_declog *log, const char *call,
			double now_s)
{
	begin(log, "{\"call\":\"", call, now_s);
}

void libra_declog_event(struct libra_declog *log, const char *event,
			double now_s)
{
	begin(log, "{\"event\":\"", event, now_s);
}

/* Append a field's name. */
static void add_name(struct libra_declog *log, const char *name)
{
	add(log, ",\"");
	add(log, name);
	add(log, "\":");
}

void libra_declog_number(struct libra_declog *log, const char *name, double v)
{
	if (!log->path)
		return;
	add_name(log, name);
	if (isfinite(v))
		host_text_add_number(&log->line, v);
	else
		add(log, "null");
}

void libra_declog_whole(struct libra_declog *log, const char *name,
			unsigned long long v)
{
	if (!log->path)
		return;
	add_name(log, name);
	host_text_add_whole(&log->line, v);
}

/* Return the number of bytes that need no escape. */
static size_t plain_length(const char *v)
{
	size_t n = 0;

	while ((unsigned char)v[n] >= 0x20 && v[n] != '"' && v[n] != '\\')
		n++;
	return n;
}

void libra_declog_text(struct libra_declog *log, const char *name,
		       const char *v)
{
	size_t n;

	if (!log->path)
		return;
	add_name(log, name);
	add(log, "\"");
	for (;; v++) {
		n = plain_length(v);
		host_text_add_bytes(&log->line, v, n);
		v += n;
		if (!*v)
			break;
		if (*v == '"' || *v == '\\')
			libra_declog_raw(log, "\\%c", *v);
		else
			libra_declog_raw(log, "\\u%04x", *v);
	}
	libra_declog_raw(log, "\"");
}

void libra_declog_ranges(struct libra_declog *log, const char *name,
			 const struct libra_range *ranges, size_t n)
{
	if (!log->path)
		return;
	add_name(log, name);
	for (size_t i = 0; i < n; i++) {
		add(log, i ? ",[" : "[[");
		host_text_add_whole(&log->line, ranges[i].first);
		add(log, ",");
		host_text_add_whole(&log->line, ranges[i].count);
		add(log, "]");
	}
	add(log, n ? "]" : "[]");
}

/* Append the line, and before it the number of missing ones; all or nothing. */
static bool append(struct libra_declog *log)
{
	char gap[64] = "";
	struct iovec parts[2] = {{gap, 0}, {log->line.text, log->line.len}};
	ssize_t n, all;
	off_t end;
	int saved;

	if (log->lost)
		snprintf(gap, sizeof(gap),
			 "{\"call\":\"gap\",\"lines\":%llu}\n", log->lost);
	parts[0].iov_len = strlen(gap);
	all = (ssize_t)(parts[0].iov_len + parts[1].iov_len);
	do
		n = writev(log->fd, parts, 2);
	while (n < 0 && errno == EINTR);
	if (n == all)
		return true;
	saved = n < 0 ? errno : ENOSPC;
	end = lseek(log->fd, 0, SEEK_END);
	if (n > 0 && end >= n && ftruncate(log->fd, end - n) < 0)
		saved = errno;
	errno = saved;
	return false;
}

void libra_declog_hold(struct libra_declog *log)
{
	log->held = true;
}

void libra_declog_discard(struct libra_declog *log)
{
	log->held = false;
}

void libra_declog_end(struct libra_declog *log)
{
	log->held = false;
	log->lines++;
	if (!log->path)
		return;
	add(log, "}\n");
	if (log->line.cut)
		errno = ENOMEM;
	if (log->fd >= 0 && !log->line.cut && append(log)) {
		log->lost = 0;
		log->failed = log->failed &&
			      fabs(log->now_s - log->failed_s) < QUIET_S;
		return;
	}
	log->lost++;
	if (log->fd >= 0)
		fail(log, "cannot be written");
}
