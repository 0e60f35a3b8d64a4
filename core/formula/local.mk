# SPDX-License-Identifier: GPL-2.0-or-later
#
# The arithmetic of the papers: shares, needs, risk, rewards, prices. Numbers
# in, numbers out; no engine, no policy, no state that outlives a call.

core_libcore_la_SOURCES += \
	core/formula/bisect.c \
	core/formula/bisect.h \
	core/formula/forecast.c \
	core/formula/forecast.h \
	core/formula/log.c \
	core/formula/log.h \
	core/formula/need.h \
	core/formula/price.c \
	core/formula/price.h \
	core/formula/reserve.c \
	core/formula/reserve.h \
	core/formula/reward.c \
	core/formula/reward.h \
	core/formula/risk.c \
	core/formula/risk.h \
	core/formula/share.h
