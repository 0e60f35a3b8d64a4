# SPDX-License-Identifier: GPL-2.0-or-later
#
# A site's log under Slurm's own scheduler: the page of librasim what-if --site,
# and why one job waits.

sim_libsim_a_SOURCES += \
	sim/site/slurm/cells.c \
	sim/site/slurm/cells.h \
	sim/site/slurm/explain.c \
	sim/site/slurm/explain.h \
	sim/site/slurm/figures.c \
	sim/site/slurm/page.c \
	sim/site/slurm/promises.c \
	sim/site/slurm/promises.h \
	sim/site/slurm/study.c \
	sim/site/slurm/study.h \
	sim/site/slurm/tables.c \
	sim/site/slurm/tables.h
