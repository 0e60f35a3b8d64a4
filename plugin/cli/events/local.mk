# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands that follow the decision log: libra metrics counts its events, libra
# notify tells users of them.

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
	plugin/cli/events/run_notify.c
