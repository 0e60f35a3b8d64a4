# SPDX-License-Identifier: GPL-2.0-or-later
#
# Backfilling with predicted run times (SC 2015): the published table, on the
# logs that are there, and beside it what needs no learning.

sim_libsim_a_SOURCES += \
	sim/paper/sc2015/experiment.c

EXTRA_DIST += sim/paper/sc2015/claims.txt sim/paper/sc2015/page.html
