# SPDX-License-Identifier: GPL-2.0-or-later
#
# One file for each policy or family of policies: parameters, what suits a job,
# and the table that the engine reads. policy.c lists them all; nothing else in
# the project does.

core_libcore_la_SOURCES += \
	core/policy/band.c \
	core/policy/demand.c \
	core/policy/firstreward.c \
	core/policy/libra.c \
	core/policy/librarisk.c \
	core/policy/market.c \
	core/policy/planned.c \
	core/policy/policies.h \
	core/policy/policy.c \
	core/policy/queue.c
