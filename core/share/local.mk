# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processors divided among several jobs: the ledger of shares, the choice of
# processors, bids. Which processor suits a job is a policy's business.

core_libcore_la_SOURCES += \
	core/share/bid.c \
	core/share/bid.h \
	core/share/deadline.c \
	core/share/deadline.h \
	core/share/fit.c \
	core/share/fit.h \
	core/share/ledger.c \
	core/share/ledger.h \
	core/share/limits.c \
	core/share/limits.h \
	core/share/ops.c \
	core/share/ops.h \
	core/share/placement.c \
	core/share/placement.h \
	core/share/row.c \
	core/share/row.h \
	core/share/select.c \
	core/share/select.h \
	core/share/state.c \
	core/share/state.h \
	core/share/trial.c \
	core/share/trial.h
