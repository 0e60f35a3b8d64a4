/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ops.c - see ops.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "plugin/base/ops.h"
#include "plugin/base/clock.h"
#include "plugin/base/text.h"

void host_log(const struct libra_host_ops *ops, enum libra_host_level level,
	      const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!ops || !ops->log)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	host_text_defuse(text);
	ops->log(level, text);
}

void host_report_error(void *ops, const char *text)
{
	const struct libra_host_ops *const *at = ops;

	host_log(*at, LIBRA_HOST_ERROR, "%s", text);
}

double host_clock_s(const struct libra_host_ops *ops)
{
	return ops && ops->now_s ? ops->now_s()
				 : libra_host_read_clock(CLOCK_REALTIME);
}

double host_steady_s(const struct libra_host_ops *ops)
{
	if (ops && ops->steady_s)
		return ops->steady_s();
	return ops && ops->now_s ? ops->now_s()
				 : libra_host_read_clock(CLOCK_BOOTTIME);
}

enum libra_host_job_state host_job_state(const struct libra_host_ops *ops,
					 uint32_t job_id)
{
	return ops && ops->job_state ? ops->job_state(job_id)
				     : LIBRA_JOB_PENDING;
}

const char *host_barrier(const struct libra_host_ops *ops, uint32_t job_id)
{
	return ops && ops->barrier ? ops->barrier(job_id) : NULL;
}

void host_write_record(const struct libra_host_ops *ops, uint32_t job_id,
		       const struct libra_host_record *record)
{
	if (record->comment && ops && ops->write_record)
		ops->write_record(job_id, record);
}
