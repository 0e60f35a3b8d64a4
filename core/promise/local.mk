# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promises on processors of their own: a planned start for each job that waits,
# ordinary jobs beside them. The profile and the processors are core/space's;
# what single nodes have free over time is kept here.
# What is refused though it has a place is a policy's business.

core_libcore_la_SOURCES += \
	core/promise/anew.c \
	core/promise/anew.h \
	core/promise/draft.c \
	core/promise/draft.h \
	core/promise/forward.c \
	core/promise/forward.h \
	core/promise/kept.c \
	core/promise/kept.h \
	core/promise/line.c \
	core/promise/line.h \
	core/promise/ops.c \
	core/promise/ops.h \
	core/promise/ordinary.c \
	core/promise/ordinary.h \
	core/promise/outage.c \
	core/promise/outage.h \
	core/promise/plan.c \
	core/promise/plan.h \
	core/promise/rooms.c \
	core/promise/rooms.h \
	core/promise/spread.c \
	core/promise/spread.h \
	core/promise/state.h \
	core/promise/trial.c \
	core/promise/waiting.c \
	core/promise/waiting.h
