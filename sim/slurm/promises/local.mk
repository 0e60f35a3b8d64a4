# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promises beside Slurm's own order: the engine of planned follows the nodes of
# a scheduler's model, as it follows those of slurmctld.  Nothing here decides
# in which order ordinary jobs go.

sim_libsim_a_SOURCES += \
	sim/slurm/promises/aged.c \
	sim/slurm/promises/aged.h \
	sim/slurm/promises/follow.c \
	sim/slurm/promises/follow.h \
	sim/slurm/promises/later.c \
	sim/slurm/promises/later.h \
	sim/slurm/promises/offer.c \
	sim/slurm/promises/offer.h \
	sim/slurm/promises/promises.c \
	sim/slurm/promises/promises.h \
	sim/slurm/promises/request.c \
	sim/slurm/promises/request.h
