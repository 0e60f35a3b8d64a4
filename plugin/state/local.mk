# SPDX-License-Identifier: GPL-2.0-or-later
#
# Small files of ours in slurmctld's state folder, which survive its restart.
# They stand on the floor "ground" of the host; what is in Slurm's own state,
# the records of jobs, is plugin/host's.

plugin_sources += \
	plugin/state/averages.c \
	plugin/state/averages.h \
	plugin/state/firm_file.c \
	plugin/state/firm_file.h \
	plugin/state/kept_file.c \
	plugin/state/kept_file.h \
	plugin/state/kept_text.c \
	plugin/state/kept_text.h \
	plugin/state/learned_file.c \
	plugin/state/learned_file.h \
	plugin/state/state_file.c \
	plugin/state/state_file.h
