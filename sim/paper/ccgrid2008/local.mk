# SPDX-License-Identifier: GPL-2.0-or-later
#
# Admission in a market (CCGrid 2008): its experiments, claims, tables and page.

sim_libsim_a_SOURCES += \
	sim/paper/ccgrid2008/claims.c \
	sim/paper/ccgrid2008/claims_models.c \
	sim/paper/ccgrid2008/claims_models.h \
	sim/paper/ccgrid2008/experiment.c \
	sim/paper/ccgrid2008/experiment.h \
	sim/paper/ccgrid2008/points.c \
	sim/paper/ccgrid2008/tables.c

EXTRA_DIST += sim/paper/ccgrid2008/claims.txt sim/paper/ccgrid2008/page.html
