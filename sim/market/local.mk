# SPDX-License-Identifier: GPL-2.0-or-later
#
# Markets with several providers, their prices, and who should use which.

sim_libsim_a_SOURCES += \
	sim/market/advise.c \
	sim/market/advise.h \
	sim/market/market.c \
	sim/market/market.h \
	sim/market/market_run.c \
	sim/market/market_run.h \
	sim/market/optimum.c \
	sim/market/optimum.h
