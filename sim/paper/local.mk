# SPDX-License-Identifier: GPL-2.0-or-later
#
# What reproductions of papers share: the list of papers and the steps of a
# study. A paper has a folder of its own, and none includes another.

sim_libsim_a_SOURCES += \
	sim/paper/paper.c \
	sim/paper/paper.h \
	sim/paper/steps.c \
	sim/paper/steps.h

include sim/paper/beyond/local.mk
include sim/paper/ccgrid2008/local.mk
include sim/paper/icpp2006/local.mk
include sim/paper/ipdps2007/local.mk
