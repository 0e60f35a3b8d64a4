# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command libra, for users and operators: who is promised what, why a job was
# accepted or refused, what would be accepted.  load.c asks slurmctld and is the
# only file that knows Slurm; cluster holds what it read; each command prints from
# that, and run_COMMAND.c reads its command line.  Nothing here decides, or
# changes anything of slurmctld: of plugin/host only the reading of settings and
# records is linked.

include plugin/cli/chain/local.mk
include plugin/cli/events/local.mk

cli_parts = \
	$(cli_event_parts) \
	plugin/cli/args.c \
	plugin/cli/args.h \
	plugin/cli/cli.h \
	plugin/cli/cluster.c \
	plugin/cli/cluster.h \
	plugin/cli/explain.c \
	plugin/cli/history.c \
	plugin/cli/log_lines.c \
	plugin/cli/log_lines.h \
	plugin/cli/offers.c \
	plugin/cli/offers.h \
	plugin/cli/past.c \
	plugin/cli/past.h \
	plugin/cli/print.c \
	plugin/cli/print.h \
	plugin/cli/refusals.c \
	plugin/cli/settings.c \
	plugin/cli/selection.c \
	plugin/cli/selection.h \
	plugin/cli/status.c \
	plugin/cli/status_text.c \
	plugin/cli/status_text.h \
	plugin/cli/task.c \
	plugin/cli/what_if.c \
	plugin/cli/what_if_sbatch.c \
	plugin/cli/when.c \
	plugin/cli/when.h \
	plugin/base/units.c \
	plugin/base/units.h

if CLI
bin_PROGRAMS += libra
endif

EXTRA_DIST += docs/admin.md

libra_SOURCES = \
	$(cli_chain_commands) \
	$(cli_event_commands) \
	plugin/cli/libra.c \
	plugin/cli/load.c \
	$(node_state_sources) \
	plugin/cli/run_explain.c \
	plugin/cli/run_status.c \
	plugin/cli/run_what_if.c \
	plugin/cli/run_when.c
libra_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)
cli_libs = plugin/cli/libparts.a plugin/libparts.la core/libcore.la \
	$(CLI_LIBS) -lm
libra_LDADD = $(cli_libs)

# Its tests: without Slurm, and with a cluster.
if CLI
noinst_LIBRARIES += plugin/cli/libparts.a
if UNIT_TESTS
check_PROGRAMS += $(cli_tests)
TESTS += $(cli_tests)
endif
TESTS += $(cli_script_tests)
slow_tests += $(slow_cli_tests)
endif

cli_tests = \
	tests/unit/plugin/cli/test_cli \
	tests/unit/plugin/cli/test_cli_log \
	tests/unit/plugin/cli/test_cli_offers \
	tests/unit/plugin/cli/test_cli_status

cli_script_tests = \
	tests/cli/chain.sh \
	tests/cli/libra-completion.sh \
	tests/cli/libra-json.sh \
	tests/cli/libra-when.sh \
	tests/cli/metrics.sh \
	tests/cli/notify.sh \
	tests/cli/site.sh

slow_cli_tests = \
	tests/cli/libra-memory.sh \
	tests/cli/recipes.sh

EXTRA_DIST += \
	$(cli_script_tests) \
	$(slow_cli_tests) \
	tests/unit/cli_site.h

plugin_cli_libparts_a_SOURCES = $(cli_parts)
plugin_cli_libparts_a_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)

cli_test_libs = $(cli_libs) $(CMOCKA_LIBS)
tests_unit_plugin_cli_test_cli_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)
tests_unit_plugin_cli_test_cli_LDADD = $(cli_test_libs)
tests_unit_plugin_cli_test_cli_log_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)
tests_unit_plugin_cli_test_cli_log_LDADD = $(cli_test_libs)
tests_unit_plugin_cli_test_cli_offers_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)
tests_unit_plugin_cli_test_cli_offers_LDADD = $(cli_test_libs)
tests_unit_plugin_cli_test_cli_status_CFLAGS = $(AM_CFLAGS) $(CLI_CFLAGS)
tests_unit_plugin_cli_test_cli_status_LDADD = $(cli_test_libs)

live_tests += \
	tests/live/chain.sh \
	tests/live/recipes.sh \
	tests/live/libra-cmd.sh \
	tests/live/replay.sh \
	tests/live/report.sh \
	tests/live/rest.sh \
	tests/live/rights.sh
