# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the host does for policies that plan: jobs on processors of their own, with
# a planned start, beside ordinary ones that Slurm starts; and, for all policies,
# when jobs will start and end (outlook, hole).  What else it does for all policies
# is in plugin/host; a file here stands on the floor of the host that the
# table of tests/layout gives it.

plugin_sources += \
	plugin/plan/allowed.c \
	plugin/plan/allowed.h \
	plugin/plan/asleep.c \
	plugin/plan/asleep.h \
	plugin/plan/divide.c \
	plugin/plan/divide.h \
	plugin/plan/gres.c \
	plugin/plan/gres.h \
	plugin/plan/hole.c \
	plugin/plan/hole.h \
	plugin/plan/needs.c \
	plugin/plan/needs.h \
	plugin/plan/oldest.c \
	plugin/plan/oldest.h \
	plugin/plan/ordinary.c \
	plugin/plan/ordinary.h \
	plugin/plan/outages.c \
	plugin/plan/outages.h \
	plugin/plan/resize.c \
	plugin/plan/resize.h \
	plugin/plan/outlook.c \
	plugin/plan/outlook.h \
	plugin/plan/plan_log.c \
	plugin/plan/plan_log.h \
	plugin/plan/preemptors.c \
	plugin/plan/preemptors.h \
	plugin/plan/starts.c \
	plugin/plan/starts.h \
	plugin/plan/whole.c \
	plugin/plan/whole.h
