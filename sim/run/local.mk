# SPDX-License-Identifier: GPL-2.0-or-later
#
# One simulation: the engine driven through a workload by the ground truth of
# how jobs execute, and what is measured of it.

sim_libsim_a_SOURCES += \
	sim/run/bound.c \
	sim/run/bound.h \
	sim/run/correct.c \
	sim/run/events.c \
	sim/run/events.h \
	sim/run/exec.c \
	sim/run/exec.h \
	sim/run/exec_coupled.c \
	sim/run/exec_dedicated.c \
	sim/run/exec_independent.c \
	sim/run/leader.c \
	sim/run/leader.h \
	sim/run/metrics.c \
	sim/run/metrics.h \
	sim/run/policies.c \
	sim/run/policies.h \
	sim/run/predict.c \
	sim/run/predict.h \
	sim/run/result.c \
	sim/run/result.h \
	sim/run/run.c \
	sim/run/run.h \
	sim/run/run_sc15.c
