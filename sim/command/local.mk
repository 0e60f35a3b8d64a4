# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: options, usage errors, and one file for each command. What
# a command does is done below.

sim_libsim_a_SOURCES += \
	sim/command/advise.c \
	sim/command/command.c \
	sim/command/command.h \
	sim/command/gen.c \
	sim/command/import.c \
	sim/command/log_options.c \
	sim/command/log_options.h \
	sim/command/model.c \
	sim/command/model_check.c \
	sim/command/model_common.c \
	sim/command/model_common.h \
	sim/command/model_fit.c \
	sim/command/plot.c \
	sim/command/policies.c \
	sim/command/replay.c \
	sim/command/report.c \
	sim/command/reproduce.c \
	sim/command/risk.c \
	sim/command/run.c \
	sim/command/run.h \
	sim/command/run_results.c \
	sim/command/run_slurm.c \
	sim/command/sweep.c \
	sim/command/sweep_job.c \
	sim/command/sweep_job.h \
	sim/command/sweep_slurm.c \
	sim/command/trace.c \
	sim/command/what_if.c \
	sim/command/when.c
