# SPDX-License-Identifier: GPL-2.0-or-later
#
# Processors used by turns: who runs, who is held, and the test that keeps
# promises. Which processors a job may get is a policy's business.

core_libcore_la_SOURCES += \
	core/gang/band.c \
	core/gang/band.h \
	core/gang/band_shape.c \
	core/gang/band_sure.c \
	core/gang/dispatch.c \
	core/gang/finish.c \
	core/gang/finish.h \
	core/gang/gang.c \
	core/gang/gang.h \
	core/gang/near.c \
	core/gang/near.h \
	core/gang/need_lines.c \
	core/gang/need_lines.h \
	core/gang/ops.c \
	core/gang/ops.h \
	core/gang/parts.c \
	core/gang/parts.h \
	core/gang/policy.c \
	core/gang/policy.h \
	core/gang/short_list.c \
	core/gang/short_list.h \
	core/gang/state.h \
	core/gang/trial.c \
	core/gang/trial.h
