# SPDX-License-Identifier: GPL-2.0-or-later
#
# LibraRisk (ICPP 2006): its experiments, figures and claims.

sim_libsim_a_SOURCES += \
	sim/paper/icpp2006/claims.c \
	sim/paper/icpp2006/claims_overview.c \
	sim/paper/icpp2006/claims_sweeps.c \
	sim/paper/icpp2006/experiment.c \
	sim/paper/icpp2006/experiment.h \
	sim/paper/icpp2006/page.c \
	sim/paper/icpp2006/points.c \
	sim/paper/icpp2006/points.h \
	sim/paper/icpp2006/properties.c \
	sim/paper/icpp2006/tables.c
