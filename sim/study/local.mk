# SPDX-License-Identifier: GPL-2.0-or-later
#
# Many simulations: grids of scenarios, policies and seeds, side by side and
# resumable, and risk analysis of their results.

sim_libsim_a_SOURCES += \
	sim/study/checkpoint.c \
	sim/study/checkpoint.h \
	sim/study/design.c \
	sim/study/design.h \
	sim/study/design_words.c \
	sim/study/experiment.c \
	sim/study/experiment.h \
	sim/study/grid.c \
	sim/study/grid.h \
	sim/study/point.c \
	sim/study/point.h \
	sim/study/risk_analysis.c \
	sim/study/risk_analysis.h \
	sim/study/risk_series.c \
	sim/study/risk_series.h \
	sim/study/sweep.c \
	sim/study/sweep.h
