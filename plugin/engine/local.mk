# SPDX-License-Identifier: GPL-2.0-or-later
#
# The engine as slurmctld drives it: the cluster in the engine's terms, calls that
# are written to the decision log, generic resources, and the promise as the job's
# AdminComment holds it.  Slurm's jobs do not belong here.

plugin_parts += \
	plugin/engine/admin_comment.c \
	plugin/engine/admin_comment.h \
	plugin/engine/cluster.c \
	plugin/engine/cluster.h \
	plugin/engine/decision_log.c \
	plugin/engine/decision_log.h \
	plugin/engine/engine_log.c \
	plugin/engine/engine_log.h \
	plugin/engine/gres.c \
	plugin/engine/gres.h \
	plugin/engine/placement.c \
	plugin/engine/placement.h \
	plugin/engine/plan_log.c \
	plugin/engine/plan_log.h

plugin_sources += \
	plugin/engine/away.c \
	plugin/engine/away.h
