# SPDX-License-Identifier: GPL-2.0-or-later
#
# A report's page, its plots, and claims with their verdicts. Which figures and
# claims there are is a paper's business.

sim_libsim_a_SOURCES += \
	sim/report/axis.c \
	sim/report/axis.h \
	sim/report/claims.c \
	sim/report/claims.h \
	sim/report/plot.c \
	sim/report/plot.h \
	sim/report/plot_script.c \
	sim/report/plot_script.h \
	sim/report/report.c \
	sim/report/report.h \
	sim/report/report_style.h
