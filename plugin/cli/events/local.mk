# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands that read the decision log's events: libra metrics counts them, libra
# notify tells users of them, libra report hands them to librasim report.

cli_event_parts = \
	plugin/cli/events/follow.c \
	plugin/cli/events/follow.h \
	plugin/cli/events/metrics.c \
	plugin/cli/events/metrics.h \
	plugin/cli/events/notice.c \
	plugin/cli/events/notice.h

cli_event_commands = \
	plugin/cli/events/followed.c \
	plugin/cli/events/run_metrics.c \
	plugin/cli/events/run_notify.c \
	plugin/cli/events/run_report.c
