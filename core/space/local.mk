# SPDX-License-Identifier: GPL-2.0-or-later
#
# One job on a processor at a time: the queue, the timeline of free processors,
# backfilling, and reservations with planned starts.  Which job comes first and
# which job is refused though it has a place are a policy's business.

core_libcore_la_SOURCES += \
	core/space/admit.c \
	core/space/admit.h \
	core/space/assign.c \
	core/space/assign.h \
	core/space/compress.c \
	core/space/compress.h \
	core/space/conservative.c \
	core/space/conservative.h \
	core/space/easy.c \
	core/space/easy.h \
	core/space/holds.c \
	core/space/holds.h \
	core/space/lanes.c \
	core/space/lanes.h \
	core/space/nodes.c \
	core/space/nodes.h \
	core/space/ordinary.c \
	core/space/ordinary.h \
	core/space/outages.c \
	core/space/outages.h \
	core/space/peaks.c \
	core/space/peaks.h \
	core/space/planned.h \
	core/space/planned_memory.c \
	core/space/planned_memory.h \
	core/space/planned_ops.c \
	core/space/planned_ops.h \
	core/space/planned_trial.c \
	core/space/pool.c \
	core/space/pool.h \
	core/space/procs.c \
	core/space/procs.h \
	core/space/queue.c \
	core/space/queue.h \
	core/space/queue_ops.c \
	core/space/queue_ops.h \
	core/space/replan.c \
	core/space/replan.h \
	core/space/reservations.c \
	core/space/reservations.h \
	core/space/schedule.c \
	core/space/schedule.h \
	core/space/spans.c \
	core/space/spans.h \
	core/space/state.h \
	core/space/steady.c \
	core/space/steady.h
