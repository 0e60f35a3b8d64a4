# SPDX-License-Identifier: GPL-2.0-or-later
#
# The acts of the host inside slurmctld: submit, update, match, start, end, restore,
# reconfigure, and what time brings.  state.h is the state of a group of
# partitions; host.c and answer.c have the entry points of the plugins.  Nothing
# here knows a structure of Slurm, so all of it is tested without slurmctld.

plugin_sources += \
	plugin/host/actions.c \
	plugin/host/actions.h \
	plugin/host/answer.c \
	plugin/host/clock.c \
	plugin/host/clock.h \
	plugin/host/earliest_fit.c \
	plugin/host/earliest_fit.h \
	plugin/host/forecast.c \
	plugin/host/forecast.h \
	plugin/host/groups.c \
	plugin/host/groups.h \
	plugin/host/host.c \
	plugin/host/host.h \
	plugin/host/host_impl.h \
	plugin/host/lifecycle.c \
	plugin/host/lifecycle.h \
	plugin/host/match.c \
	plugin/host/match.h \
	plugin/host/ordinary.c \
	plugin/host/ordinary.h \
	plugin/host/outages.c \
	plugin/host/outages.h \
	plugin/host/planned_starts.c \
	plugin/host/planned_starts.h \
	plugin/host/preemption.c \
	plugin/host/preemption.h \
	plugin/host/reconfigure.c \
	plugin/host/reconfigure.h \
	plugin/host/resize.c \
	plugin/host/resize.h \
	plugin/host/restore.c \
	plugin/host/restore.h \
	plugin/host/starvation.c \
	plugin/host/starvation.h \
	plugin/host/state.h \
	plugin/host/submit.c \
	plugin/host/submit.h \
	plugin/host/sweep.c \
	plugin/host/sweep.h \
	plugin/host/sync.c \
	plugin/host/sync.h \
	plugin/host/unclaimed.c \
	plugin/host/unclaimed.h \
	plugin/host/update.c \
	plugin/host/update.h
