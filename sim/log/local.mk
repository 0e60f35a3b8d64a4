# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs of machines in the Standard Workload Format: found, read, described,
# generated. Deadlines are not in them (see workload/).

sim_libsim_a_SOURCES += \
	sim/log/side.c \
	sim/log/side.h \
	sim/log/swf.c \
	sim/log/swf.h \
	sim/log/swf_fast.c \
	sim/log/swf_fields.c \
	sim/log/swf_fields.h \
	sim/log/swf_header.c \
	sim/log/swf_header.h \
	sim/log/swf_wide.c \
	sim/log/synth.c \
	sim/log/synth.h \
	sim/log/trace_find.c \
	sim/log/trace_find.h \
	sim/log/trace_stats.c \
	sim/log/trace_stats.h
