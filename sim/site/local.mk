# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a site asks of its own log: when will a job start, what if the machine or
# its rules were different, what became of promises. Knows logs and simulations, no
# paper.

include sim/site/slurm/local.mk

sim_libsim_a_SOURCES += \
	sim/site/apart.c \
	sim/site/apart.h \
	sim/site/decision_log.c \
	sim/site/gantt.c \
	sim/site/gantt.h \
	sim/site/gantt_draw.c \
	sim/site/gantt_impl.h \
	sim/site/jobs.c \
	sim/site/jobs.h \
	sim/site/measure.c \
	sim/site/measure.h \
	sim/site/partitions.c \
	sim/site/partitions.h \
	sim/site/pictures.c \
	sim/site/pictures.h \
	sim/site/promises.c \
	sim/site/promises.h \
	sim/site/promises_counts.c \
	sim/site/promises_figures.c \
	sim/site/promises_log.c \
	sim/site/promises_page.c \
	sim/site/promises_page.h \
	sim/site/promises_parts.h \
	sim/site/promises_sacct.c \
	sim/site/promises_tables.c \
	sim/site/scenarios.c \
	sim/site/scenarios.h \
	sim/site/wait_bounds.c \
	sim/site/wait_bounds.h \
	sim/site/wait_check.c \
	sim/site/wait_check.h \
	sim/site/what.c \
	sim/site/what.h \
	sim/site/what_figures.c \
	sim/site/what_impl.h \
	sim/site/what_log.c \
	sim/site/what_page.c \
	sim/site/what_page.h \
	sim/site/what_page_tables.c \
	sim/site/what_parts.h \
	sim/site/what_tables.c
