# SPDX-License-Identifier: GPL-2.0-or-later
#
# One entry for each parser of bytes from outside, and one for the engine's
# calls, in one program.  An ordinary
# build compiles it, and all it needs, with the address and undefined behaviour
# sanitizers where the compiler has them, and runs it over tests/fuzz/corpus;
# --enable-fuzzing makes it libFuzzer's (contrib/fuzz).

fuzz_sources = \
	tests/fuzz/engine_check.c \
	tests/fuzz/engine_check.h \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	tests/fuzz/fuzz_engine.c \
	tests/fuzz/fuzz_libra.c \
	tests/fuzz/fuzz_records.c \
	tests/fuzz/fuzz_site.c \
	tests/fuzz/fuzz_tables.c \
	tests/fuzz/replay.c

EXTRA_DIST += tests/fuzz/corpora.sh tests/fuzz/corpus tests/fuzz/engine.sh

if SIM
if CLI
EXTRA_PROGRAMS += tests/fuzz/fuzz
CLEANFILES += tests/fuzz/fuzz
slow_tests += tests/fuzz/corpora.sh tests/fuzz/engine.sh
tests/fuzz/corpora.log tests/fuzz/engine.log: tests/fuzz/fuzz$(EXEEXT)
endif
endif

# Objects of its own, as they are compiled in another way.
tests_fuzz_fuzz_SOURCES = \
	$(fuzz_sources) \
	$(cli_parts) \
	$(core_libcore_la_SOURCES) \
	$(sim_libsim_a_SOURCES) \
	plugin/base/conf.c \
	plugin/base/conf_list.c \
	plugin/base/ops.c \
	plugin/base/text.c \
	plugin/engine/admin_comment.c \
	plugin/spank/record.c \
	plugin/spank/record.h \
	plugin/state/kept_text.c \
	plugin/state/state_file.c
nodist_tests_fuzz_fuzz_SOURCES = sim/paper/pages.c
tests_fuzz_fuzz_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS) $(FUZZ_CFLAGS)
tests_fuzz_fuzz_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_LDADD = $(CLI_LIBS) $(SIM_LIBS) -lm
