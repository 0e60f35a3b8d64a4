# SPDX-License-Identifier: GPL-2.0-or-later
#
# What everything else stands on: random numbers, the event queue, worker
# processes, progress on a terminal, unpacking. Nothing here knows a job.

sim_libsim_a_SOURCES += \
	sim/base/evq.c \
	sim/base/evq.h \
	sim/base/input.c \
	sim/base/input.h \
	sim/base/memory.c \
	sim/base/memory.h \
	sim/base/names.c \
	sim/base/names.h \
	sim/base/progress.c \
	sim/base/progress.h \
	sim/base/rng.c \
	sim/base/rng.h \
	sim/base/stream.c \
	sim/base/stream.h \
	sim/base/suggest.c \
	sim/base/suggest.h \
	sim/base/unpack.c \
	sim/base/unpack.h \
	sim/base/version.c \
	sim/base/version.h \
	sim/base/workers.c \
	sim/base/workers.h
