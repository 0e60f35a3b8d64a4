# SPDX-License-Identifier: GPL-2.0-or-later
#
# Models of workloads: distributions fitted to a log, how well they fit, and
# logs generated from them.

sim_libsim_a_SOURCES += \
	sim/model/fit.c \
	sim/model/fit.h \
	sim/model/fit_data.c \
	sim/model/fit_impl.h \
	sim/model/fit_search.c \
	sim/model/gen.c \
	sim/model/gen.h \
	sim/model/model.c \
	sim/model/model.h \
	sim/model/model_file.c \
	sim/model/model_file.h \
	sim/model/model_gof.c \
	sim/model/model_gof.h \
	sim/model/model_plot.c \
	sim/model/model_plot.h \
	sim/model/model_size.c \
	sim/model/model_time.c \
	sim/model/model_types.h \
	sim/model/series.c \
	sim/model/series.h \
	sim/model/stats.c \
	sim/model/stats.h
