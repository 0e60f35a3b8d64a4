# SPDX-License-Identifier: GPL-2.0-or-later
#
# The project's own comparison of all deadline policies (docs/beyond.md),
# reported as the papers are.

sim_libsim_a_SOURCES += \
	sim/paper/beyond/claims.c \
	sim/paper/beyond/experiment.c \
	sim/paper/beyond/experiment.h

EXTRA_DIST += sim/paper/beyond/claims.txt sim/paper/beyond/page.html
