# SPDX-License-Identifier: GPL-2.0-or-later
#
# LibraRisk (ICPP 2006): its designs, claims, figures and page.

sim_libsim_a_SOURCES += \
	sim/paper/icpp2006/experiment.c \
	sim/paper/icpp2006/experiment.h \
	sim/paper/icpp2006/properties.c

EXTRA_DIST += sim/paper/icpp2006/claims.txt sim/paper/icpp2006/page.html
