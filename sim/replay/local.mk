# SPDX-License-Identifier: GPL-2.0-or-later
#
# Decision logs of slurmctld, fed to the engine again: every decision must come
# out the same.

sim_libsim_a_SOURCES += \
	sim/replay/replay.c \
	sim/replay/replay.h \
	sim/replay/replay_calls.c \
	sim/replay/replay_calls.h \
	sim/replay/replay_line.c \
	sim/replay/replay_line.h
