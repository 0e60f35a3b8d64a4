# SPDX-License-Identifier: GPL-2.0-or-later
#
# One job on a processor at a time: the queue, the profile of free processors
# over time, backfilling, plans. Which job comes first is a policy's business.

core_libcore_la_SOURCES += \
	core/space/backfill.c \
	core/space/backfill.h \
	core/space/ops.c \
	core/space/ops.h \
	core/space/plan.c \
	core/space/plan.h \
	core/space/pool.c \
	core/space/pool.h \
	core/space/procs.c \
	core/space/procs.h \
	core/space/profile.c \
	core/space/profile.h \
	core/space/queue.c \
	core/space/queue.h \
	core/space/state.h
