# SPDX-License-Identifier: GPL-2.0-or-later
#
# The core is a convenience library of position-independent code: the simulator
# and the plugins link the same objects.

noinst_LTLIBRARIES += core/libcore.la

core_libcore_la_SOURCES = \
	core/gang/band.c \
	core/gang/band.h \
	core/gang/band_shape.c \
	core/share/bid.c \
	core/share/bid.h \
	core/formula/bisect.c \
	core/formula/bisect.h \
	core/engine.c \
	core/engine.h \
	core/engine_impl.h \
	core/error.c \
	core/error.h \
	core/gang/gang.c \
	core/gang/gang.h \
	core/gang/ops.c \
	core/gang/ops.h \
	core/history.c \
	core/history.h \
	core/job.h \
	core/share/ledger.c \
	core/share/ledger.h \
	core/formula/need.h \
	core/param.c \
	core/param.h \
	core/share/placement.c \
	core/share/placement.h \
	core/policy/policies.h \
	core/policy/policy.c \
	core/policy.h \
	core/policy/band.c \
	core/policy/demand.c \
	core/policy/firstreward.c \
	core/policy/libra.c \
	core/policy/librarisk.c \
	core/policy/market.c \
	core/policy/queue.c \
	core/formula/price.c \
	core/formula/price.h \
	core/space/profile.c \
	core/space/profile.h \
	core/procmap.c \
	core/procmap.h \
	core/space/queue.c \
	core/space/queue.h \
	core/formula/reward.c \
	core/formula/reward.h \
	core/formula/risk.c \
	core/formula/risk.h \
	core/formula/share.h \
	core/share/ops.c \
	core/share/ops.h \
	core/space/ops.c \
	core/space/ops.h \
	core/space/plan.c \
	core/space/plan.h
