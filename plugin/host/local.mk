# SPDX-License-Identifier: GPL-2.0-or-later
#
# The host: one engine inside slurmctld, which Slurm job has which promise,
# records, decision log.  It knows no structure of Slurm (compat.h, for the
# plugins, is the one exception), so all of it runs and is tested without
# slurmctld.  What a command or a node needs does not belong here.
#
# A file includes headers of its own floor and of lower ones, and takes the
# struct that it works on:
#
#   words   types units conf ops compat (and plugin/text)
#   ground  decision_log engine_log promise cluster record history_file
#           (and plugin/state)
#   table   job_table job_record released estimates
#   talk    messages ask sizing (and plugin/nodes/away)
#   acts    state match claims sync restore lifecycle submit update
#           reconfigure
#   face    host: the lock and the entry points, for the plugins

plugin_sources = \
	plugin/host/ask.c \
	plugin/host/ask.h \
	plugin/host/claims.c \
	plugin/host/claims.h \
	plugin/host/cluster.c \
	plugin/host/cluster.h \
	plugin/host/compat.h \
	plugin/host/conf.c \
	plugin/host/conf.h \
	plugin/host/decision_log.c \
	plugin/host/decision_log.h \
	plugin/host/engine_log.c \
	plugin/host/engine_log.h \
	plugin/host/estimates.c \
	plugin/host/estimates.h \
	plugin/host/history_file.c \
	plugin/host/history_file.h \
	plugin/host/host.c \
	plugin/host/host.h \
	plugin/host/job_record.c \
	plugin/host/job_record.h \
	plugin/host/job_table.c \
	plugin/host/job_table.h \
	plugin/host/lifecycle.c \
	plugin/host/lifecycle.h \
	plugin/host/match.c \
	plugin/host/match.h \
	plugin/host/messages.c \
	plugin/host/messages.h \
	plugin/host/ops.c \
	plugin/host/ops.h \
	plugin/host/promise.c \
	plugin/host/promise.h \
	plugin/host/reconfigure.c \
	plugin/host/reconfigure.h \
	plugin/host/record.c \
	plugin/host/record.h \
	plugin/host/released.c \
	plugin/host/released.h \
	plugin/host/restore.c \
	plugin/host/restore.h \
	plugin/host/sizing.c \
	plugin/host/sizing.h \
	plugin/host/state.h \
	plugin/host/submit.c \
	plugin/host/submit.h \
	plugin/host/sync.c \
	plugin/host/sync.h \
	plugin/host/types.h \
	plugin/host/units.c \
	plugin/host/units.h \
	plugin/host/update.c \
	plugin/host/update.h
