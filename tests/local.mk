# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every test speaks TAP, so that the summary counts single cases: cmocka's
# programs by themselves, the scripts through tests/tap.sh.

# One program per module.  Those of the simulator need its libraries.
core_tests =

sim_tests = \
	tests/unit/test_rng

script_tests = \
	tests/cli/fetch-traces.sh \
	tests/cli/quickstart.sh \
	tests/layout/core-symbols.sh \
	tests/layout/headers.sh \
	tests/layout/style.sh

# Those that run librasim.
sim_script_tests =

# What the tests read.
test_data = \
	tests/oracle/normalize.py \
	tests/oracle/oracle.py

unit_programs =
if UNIT_TESTS
unit_programs += $(core_tests)
if SIM
unit_programs += $(sim_tests)
endif
endif

TESTS += $(unit_programs) $(script_tests)
if SIM
TESTS += $(sim_script_tests)
endif

check_PROGRAMS += $(unit_programs)

# What a test program links, unless it says otherwise.
LDADD =
if SIM
LDADD += sim/libsim.a
endif
LDADD += core/libcore.la $(CMOCKA_LIBS) $(SIM_LIBS) -lm

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/contrib/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/contrib/build-aux/cmocka-tap
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)

# No test looks at the traces of this machine unless it says so itself.
AM_TESTS_ENVIRONMENT = \
	unset LIBRA_TRACES; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C; export LC_ALL; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	TEST_CPPFLAGS='$(LIBRA_CPPFLAGS) -I$(abs_top_srcdir) $(SIM_CFLAGS)'; \
	export TEST_CPPFLAGS; \
	TEST_CFLAGS='$(AM_CFLAGS)'; export TEST_CFLAGS;

EXTRA_DIST += \
	$(script_tests) \
	$(sim_script_tests) \
	$(test_data) \
	tests/tap.sh

test_headers = \
	tests/unit/test.h

EXTRA_DIST += $(test_headers)

.PHONY: check-valgrind

# A leak or a wrong access fails, as a failed case does.
check-valgrind: $(unit_programs)
	@test -n '$(VALGRIND)' || { \
	  echo 'check-valgrind: valgrind was not found by configure' >&2; \
	  exit 1; }
	@$(AM_TESTS_ENVIRONMENT) bad=0; \
	for t in $(unit_programs); do \
	  echo "valgrind $$t"; \
	  $(VALGRIND) -q --leak-check=full --errors-for-leak-kinds=definite \
	    --error-exitcode=99 ./$$t >$$t.valgrind 2>&1 || { \
	      cat $$t.valgrind; bad=1; }; \
	done; exit $$bad

CLEANFILES += $(core_tests:=.valgrind) $(sim_tests:=.valgrind)
