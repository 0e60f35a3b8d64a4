# SPDX-License-Identifier: GPL-2.0-or-later
#
# Admission in a market (CCGrid 2008): its experiments, claims, figures and page.

sim_libsim_a_SOURCES += \
	sim/paper/ccgrid2008/experiment.c \
	sim/paper/ccgrid2008/experiment.h \
	sim/paper/ccgrid2008/formulas.c \
	sim/paper/ccgrid2008/models.c \
	sim/paper/ccgrid2008/models.h \
	sim/paper/ccgrid2008/points.c \
	sim/paper/ccgrid2008/report.c

EXTRA_DIST += sim/paper/ccgrid2008/claims.txt sim/paper/ccgrid2008/page.html
