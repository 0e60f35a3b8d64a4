# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's two scheduling loops on a model of nodes, limits and jobs.  Nothing
# here reads a file or knows where the model comes from.

sim_libsim_a_SOURCES += \
	sim/slurm/sched/backfill.c \
	sim/slurm/sched/buffers.c \
	sim/slurm/sched/chance.c \
	sim/slurm/sched/free.c \
	sim/slurm/sched/future.c \
	sim/slurm/sched/ignored.c \
	sim/slurm/sched/ignored.h \
	sim/slurm/sched/limits.c \
	sim/slurm/sched/limits.h \
	sim/slurm/sched/main_pass.c \
	sim/slurm/sched/model.h \
	sim/slurm/sched/passes.h \
	sim/slurm/sched/place.c \
	sim/slurm/sched/place.h \
	sim/slurm/sched/plan.c \
	sim/slurm/sched/queue.c \
	sim/slurm/sched/refused.c \
	sim/slurm/sched/start.c \
	sim/slurm/sched/state.c \
	sim/slurm/sched/watch.c \
	sim/slurm/sched/watch.h
