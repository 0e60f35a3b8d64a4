# SPDX-License-Identifier: GPL-2.0-or-later
#
# The jobs of one simulation: a log's records, and the deadlines, estimates and
# money drawn for them. Knows no policy.

sim_libsim_a_SOURCES += \
	sim/workload/capacity.c \
	sim/workload/capacity.h \
	sim/workload/draw.c \
	sim/workload/draw.h \
	sim/workload/jobs_in.c \
	sim/workload/jobs_in.h \
	sim/workload/nodes.c \
	sim/workload/nodes.h \
	sim/workload/prediction.c \
	sim/workload/prediction.h \
	sim/workload/scenario.c \
	sim/workload/scenario.h \
	sim/workload/workload.c \
	sim/workload/workload.h
