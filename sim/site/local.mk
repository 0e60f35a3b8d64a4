# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a site asks of its own log: when will a job start, what if the machine or
# its rules were different. Knows logs and simulations, no paper.

sim_libsim_a_SOURCES += \
	sim/site/decisions.c \
	sim/site/gantt.c \
	sim/site/gantt.h \
	sim/site/jobs.c \
	sim/site/jobs.h \
	sim/site/measure.c \
	sim/site/measure.h \
	sim/site/parts.c \
	sim/site/parts.h \
	sim/site/pictures.c \
	sim/site/pictures.h \
	sim/site/plan.c \
	sim/site/plan.h \
	sim/site/what.c \
	sim/site/what.h \
	sim/site/what_figures.c \
	sim/site/what_impl.h \
	sim/site/what_log.c \
	sim/site/what_page.c \
	sim/site/what_page.h \
	sim/site/what_parts.h \
	sim/site/what_tables.c \
	sim/site/when.c \
	sim/site/when.h
