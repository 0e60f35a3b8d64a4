# SPDX-License-Identifier: GPL-2.0-or-later
#
# A site's accounting log becomes a log in the Standard Workload Format: rows of
# text, JSON or CSV, values, records, and what was dropped or guessed. Nothing here
# knows a policy or a simulation.

sim_libsim_a_SOURCES += \
	sim/import/column_map.c \
	sim/import/column_map.h \
	sim/import/convert.c \
	sim/import/convert.h \
	sim/import/csv.c \
	sim/import/csv.h \
	sim/import/import.c \
	sim/import/import.h \
	sim/import/json.c \
	sim/import/json.h \
	sim/import/key.c \
	sim/import/key.h \
	sim/import/reasons.c \
	sim/import/reasons.h \
	sim/import/row.h \
	sim/import/show.c \
	sim/import/show.h \
	sim/import/sink.c \
	sim/import/sink.h \
	sim/import/text.c \
	sim/import/text.h \
	sim/import/values.c \
	sim/import/values.h \
	sim/import/write.c \
	sim/import/write.h
