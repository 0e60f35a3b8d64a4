# SPDX-License-Identifier: GPL-2.0-or-later
#
# The library that slurmctld's plugins and the simulator link: jobs,
# processors, promises, one engine. What stands beside its folders is what a
# host reads (engine.h, job.h, policy.h, param.h, error.h, task.h,
# guard.h, history.h, users.h) and what all policies share (engine_impl.h). No clock, thread,
# file, environment or global; libc and libm only.
#
# The core is a convenience library of position-independent code: the simulator
# and the plugins link the same objects.

noinst_LTLIBRARIES += core/libcore.la

core_libcore_la_SOURCES = \
	core/advise.c \
	core/array.h \
	core/bits.h \
	core/check.c \
	core/check.h \
	core/engine.c \
	core/engine.h \
	core/engine_impl.h \
	core/engine_read.c \
	core/error.c \
	core/error.h \
	core/guard.c \
	core/guard.h \
	core/history.c \
	core/history.h \
	core/job.h \
	core/least.c \
	core/least.h \
	core/param.c \
	core/param.h \
	core/planner.c \
	core/policy.h \
	core/procmap.c \
	core/procmap.h \
	core/slots.c \
	core/slots.h \
	core/task.h \
	core/timeline.c \
	core/timeline.h \
	core/users.c \
	core/users.h \
	core/where.c \
	core/where.h \
	core/width.c \
	core/width.h

include core/formula/local.mk
include core/space/local.mk
include core/share/local.mk
include core/gang/local.mk
include core/policy/local.mk
