# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files of ours in slurmctld's state folder, which survive its restart.  The
# records of jobs are in Slurm's own state: plugin/engine/admin_comment.

plugin_parts += \
	plugin/state/kept_text.c \
	plugin/state/kept_text.h \
	plugin/state/state_file.c \
	plugin/state/state_file.h

plugin_sources += \
	plugin/state/averages.c \
	plugin/state/averages.h \
	plugin/state/history_file.c \
	plugin/state/history_file.h \
	plugin/state/kept_file.c \
	plugin/state/kept_file.h \
	plugin/state/learned_file.c \
	plugin/state/learned_file.h \
	plugin/state/reservations_file.c \
	plugin/state/reservations_file.h
