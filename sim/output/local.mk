# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files, tables, JSON and text: whole or not at all on disk, numbers that read
# back to the same double. What a table says is its caller's business.

sim_libsim_a_SOURCES += \
	sim/output/file.c \
	sim/output/file.h \
	sim/output/json.c \
	sim/output/json.h \
	sim/output/memory_file.c \
	sim/output/memory_file.h \
	sim/output/table.c \
	sim/output/table.h \
	sim/output/table_file.c \
	sim/output/table_file.h \
	sim/output/text.c \
	sim/output/text.h
