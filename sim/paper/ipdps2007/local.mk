# SPDX-License-Identifier: GPL-2.0-or-later
#
# Integrated risk analysis (IPDPS 2007): its designs, claims, figures and page.

sim_libsim_a_SOURCES += \
	sim/paper/ipdps2007/claims.c \
	sim/paper/ipdps2007/experiment.c \
	sim/paper/ipdps2007/experiment.h

EXTRA_DIST += sim/paper/ipdps2007/claims.txt sim/paper/ipdps2007/page.html
