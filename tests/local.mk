# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every test speaks TAP, so that the summary counts single cases: cmocka's
# programs by themselves, the scripts through tests/tap.sh.

# One program per module.  Those of the simulator need its libraries.
core_tests = \
	tests/property/test_alike \
	tests/property/test_arrays \
	tests/property/test_cost \
	tests/property/test_earliest \
	tests/property/test_places \
	tests/property/test_repairs \
	tests/property/test_steps \
	tests/property/test_turns \
	tests/property/test_twins \
	tests/property/test_plans \
	tests/property/test_rows \
	tests/property/test_skips \
	tests/property/test_slices \
	tests/property/test_rooms \
	tests/unit/core/space/test_assign \
	tests/unit/core/space/test_backfill \
	tests/unit/core/gang/test_band_again \
	tests/unit/core/gang/test_band_sure \
	tests/unit/core/gang/test_band_words \
	tests/unit/core/share/test_demand_rows \
	tests/unit/core/gang/test_dispatch \
	tests/unit/core/test_engine \
	tests/unit/core/test_error \
	tests/unit/core/gang/test_finish \
	tests/unit/core/formula/test_forecast \
	tests/unit/core/formula/test_formulas \
	tests/unit/core/gang/test_gang \
	tests/unit/core/test_guard \
	tests/unit/core/test_history \
	tests/unit/core/space/test_kept \
	tests/unit/core/test_least \
	tests/unit/core/share/test_ledger \
	tests/unit/core/share/test_limits \
	tests/unit/core/space/test_looks \
	tests/unit/core/share/test_market \
	tests/unit/core/test_memory \
	tests/unit/core/space/test_memory_plans \
	tests/unit/core/space/test_outages \
	tests/unit/core/test_param \
	tests/unit/core/test_placement \
	tests/unit/core/space/test_places \
	tests/unit/core/space/test_planned \
	tests/unit/core/space/test_plans_late \
	tests/unit/core/policy/test_policies \
	tests/unit/core/test_procmap \
	tests/unit/core/space/test_procs \
	tests/unit/core/space/test_queue \
	tests/unit/core/policy/test_reserve \
	tests/unit/core/formula/test_reward \
	tests/unit/core/formula/test_risk \
	tests/unit/core/space/test_rooms \
	tests/unit/core/space/test_shapes \
	tests/unit/core/formula/test_share \
	tests/unit/core/test_users \
	tests/unit/core/space/test_waiting \
	tests/unit/core/test_work

# Parts of the plugins that need no Slurm; test_units needs its header.
plugin_tests = \
	tests/unit/plugin/base/test_conf \
	tests/unit/plugin/engine/test_decision_log \
	tests/unit/plugin/jobs/test_job_table \
	tests/unit/plugin/state/test_kept_text \
	tests/unit/plugin/engine/test_promise \
	tests/unit/plugin/jobs/test_records \
	tests/unit/plugin/base/test_text

sim_tests = \
	tests/property/test_ends \
	tests/property/test_lines \
	tests/property/test_outcomes \
	tests/property/test_processors \
	tests/property/test_property \
	tests/property/test_queues \
	tests/property/test_spread \
	tests/unit/sim/market/test_advise \
	tests/unit/sim/base/test_base \
	tests/unit/sim/workload/test_capacity \
	tests/unit/sim/paper/test_claim_rows \
	tests/unit/sim/report/test_claims \
	tests/unit/sim/paper/test_design \
	tests/unit/sim/base/test_evq \
	tests/unit/sim/model/test_fit \
	tests/unit/sim/model/test_gen \
	tests/unit/sim/model/test_gof \
	tests/unit/sim/study/test_grid \
	tests/unit/sim/site/test_pictures \
	tests/unit/sim/study/test_point \
	tests/unit/sim/run/test_predict \
	tests/unit/sim/run/test_history_run \
	tests/unit/sim/import/test_import \
	tests/unit/sim/market/test_market_run \
	tests/unit/sim/model/test_model \
	tests/unit/sim/paper/test_model_claims \
	tests/unit/sim/workload/test_money \
	tests/unit/sim/workload/test_nodes \
	tests/unit/sim/output/test_out \
	tests/unit/sim/replay/test_replay \
	tests/unit/sim/replay/test_replay_written \
	tests/unit/sim/report/test_report \
	tests/unit/core/gang/test_band \
	tests/unit/core/gang/test_band_changes \
	tests/unit/core/gang/test_band_crowd \
	tests/unit/core/gang/test_band_promise \
	tests/unit/sim/run/test_bound \
	tests/unit/sim/run/test_exec \
	tests/unit/sim/study/test_risk_analysis \
	tests/unit/sim/base/test_rng \
	tests/unit/sim/run/test_run \
	tests/unit/core/test_search \
	tests/unit/sim/slurm/test_slurm_promises \
	tests/unit/sim/slurm/test_slurm_site \
	tests/unit/sim/slurm/test_slurm_truth \
	tests/unit/sim/log/test_swf \
	tests/unit/sim/log/test_swf_last \
	tests/unit/sim/log/test_synth \
	tests/unit/sim/log/test_trace_stats \
	tests/unit/sim/site/test_what \
	tests/unit/sim/site/test_when \
	tests/unit/sim/workload/test_workload

script_tests = \
	tests/cli/ended.sh \
	tests/cli/draw-beside.sh \
	tests/cli/fetch-traces.sh \
	tests/cli/judge.sh \
	tests/cli/packaging.sh \
	tests/cli/pages.sh \
	tests/cli/quickstart.sh \
	tests/cli/site-snapshot.sh \
	tests/cli/slurm-matrix.sh \
	tests/cli/version.sh \
	tests/layout/architecture.sh \
	tests/layout/compat.sh \
	tests/layout/core-symbols.sh \
	tests/layout/circles.sh \
	tests/layout/members.sh \
	tests/layout/layers.sh \
	tests/layout/reasons.sh \
	tests/layout/same-numbers.sh \
	tests/layout/node-states.sh \
	tests/layout/pages.sh \
	tests/layout/style.sh

# Those that run librasim.
sim_script_tests = \
	tests/cli/completion.sh \
	tests/cli/correct.sh \
	tests/cli/errors.sh \
	tests/cli/evidence.sh \
	tests/cli/examples.sh \
	tests/cli/explain-wait.sh \
	tests/cli/import-csv.sh \
	tests/cli/import.sh \
	tests/cli/man.sh \
	tests/cli/model.sh \
	tests/cli/plot.sh \
	tests/cli/replay.sh \
	tests/cli/report.sh \
	tests/cli/risk.sh \
	tests/cli/run.sh \
	tests/cli/schema.sh \
	tests/cli/sweep.sh \
	tests/cli/slurm-run.sh \
	tests/cli/slurm-size.sh \
	tests/cli/slurm-steps.sh \
	tests/cli/sweep-seeds.sh \
	tests/cli/sweep-slurm.sh \
	tests/cli/what-if-site.sh \
	tests/cli/when.sh \
	tests/golden/golden.sh \
	tests/golden/reference.sh

# Those that take long: builds, whole papers and logs, failing calls one by one,
# second implementations.  "make check-live" runs them beside the live tests.
slow_script_tests = \
	tests/cli/configure.sh \
	tests/cli/doctor.sh \
	tests/cli/install.sh \
	tests/cli/mutate.sh \
	tests/layout/headers.sh
slow_sim_tests = \
	tests/cli/import-logs.sh \
	tests/cli/beyond.sh \
	tests/cli/full-disk.sh \
	tests/cli/memory.sh \
	tests/cli/readme.sh \
	tests/cli/reproduce.sh \
	tests/cli/ipdps2007.sh \
	tests/cli/sc2015.sh \
	tests/cli/market.sh \
	tests/cli/what-if.sh \
	tests/oracle/agree.sh \
	tests/oracle/market.sh \
	tests/oracle/planned.sh \
	tests/oracle/queues.sh \
	tests/oracle/sc15.sh
slow_tests += $(slow_script_tests)
if SIM
slow_tests += $(slow_sim_tests)
endif

# What the tests read.
test_data = \
	tests/cli/schema.py \
	tests/layout/circles.py \
	tests/layout/members.py \
	tests/layout/layers \
	tests/layout/layers.awk \
	tests/data/slurm-site/assoc.txt \
	tests/data/slurm-site/config.txt \
	tests/data/slurm-site/expected.csv \
	tests/data/slurm-site/jobs.txt \
	tests/data/slurm-site/nodes.txt \
	tests/data/slurm-site/partitions.txt \
	tests/data/slurm-site/qos.txt \
	tests/data/slurm-site/tres.txt \
	tests/data/bad/binary/error \
	tests/data/bad/binary/input.swf \
	tests/data/bad/comment-behind/error \
	tests/data/bad/comment-behind/input.swf \
	tests/data/bad/control-behind/error \
	tests/data/bad/control-behind/input.swf \
	tests/data/bad/decimal-comma/error \
	tests/data/bad/decimal-comma/input.swf \
	tests/data/bad/empty/error \
	tests/data/bad/empty/input.swf \
	tests/data/bad/exponent-alone/error \
	tests/data/bad/exponent-alone/input.swf \
	tests/data/bad/half-a-processor/error \
	tests/data/bad/half-a-processor/input.swf \
	tests/data/bad/header-absurd/error \
	tests/data/bad/header-absurd/input.swf \
	tests/data/bad/header-overflow/error \
	tests/data/bad/header-overflow/input.swf \
	tests/data/bad/hexadecimal/error \
	tests/data/bad/hexadecimal/input.swf \
	tests/data/bad/huge-time/error \
	tests/data/bad/huge-time/input.swf \
	tests/data/bad/infinity/error \
	tests/data/bad/infinity/input.swf \
	tests/data/bad/int32-overflow/error \
	tests/data/bad/int32-overflow/input.swf \
	tests/data/bad/lone-minus/error \
	tests/data/bad/lone-minus/input.swf \
	tests/data/bad/lone-point/error \
	tests/data/bad/lone-point/input.swf \
	tests/data/bad/nan/error \
	tests/data/bad/nan/input.swf \
	tests/data/bad/negative-number/error \
	tests/data/bad/negative-number/input.swf \
	tests/data/bad/not-swf/error \
	tests/data/bad/not-swf/input.swf \
	tests/data/bad/nul-in-comment/error \
	tests/data/bad/nul-in-comment/input.swf \
	tests/data/bad/nul-in-field/error \
	tests/data/bad/nul-in-field/input.swf \
	tests/data/bad/number-with-unit/error \
	tests/data/bad/number-with-unit/input.swf \
	tests/data/bad/old-mac-line-ends/error \
	tests/data/bad/old-mac-line-ends/input.swf \
	tests/data/bad/one-field/error \
	tests/data/bad/one-field/input.swf \
	tests/data/bad/only-comments/error \
	tests/data/bad/only-comments/input.swf \
	tests/data/bad/overflowing-time/error \
	tests/data/bad/overflowing-time/input.swf \
	tests/data/bad/text-field/error \
	tests/data/bad/text-field/input.swf \
	tests/data/bad/too-few-fields/error \
	tests/data/bad/too-few-fields/input.swf \
	tests/data/bad/too-many-digits/error \
	tests/data/bad/too-many-digits/input.swf \
	tests/data/bad/two-minus/error \
	tests/data/bad/two-minus/input.swf \
	tests/data/bad/two-points/error \
	tests/data/bad/two-points/input.swf \
	tests/golden/expected \
	tests/golden/icpp2006.csv \
	tests/golden/mixed.swf \
	tests/golden/nodes.csv \
	tests/golden/nodes.swf \
	tests/golden/models.swf \
	tests/golden/round.swf \
	tests/oracle/README.md \
	tests/oracle/market.py \
	tests/oracle/normalize.py \
	tests/oracle/band.py \
	tests/oracle/demand.py \
	tests/oracle/nodes.py \
	tests/oracle/planned.py \
	tests/oracle/random_nodes.py \
	tests/oracle/oracle.py \
	tests/oracle/queues.py \
	tests/oracle/sc15.py \
	tests/oracle/test_oracle.py \
	tests/oracle/workload.py \
	tests/cli/browse.py \
	tests/cli/receiver.py \
	tests/cli/reconcile.py \
	tests/cli/fail_alloc.c \
	tests/cli/fail_alloc.sh \
	tests/cli/fail_io.c \
	tests/cli/fake_site.sh \
	tests/cli/fake_slurm.c \
	tests/cli/sacct_of.py \
	tests/data/import/arrays/args \
	tests/data/import/arrays/expected \
	tests/data/import/arrays/log \
	tests/data/import/arrival-submit/args \
	tests/data/import/arrival-submit/expected \
	tests/data/import/arrival-submit/log \
	tests/data/import/autumn-hour/args \
	tests/data/import/autumn-hour/expected \
	tests/data/import/autumn-hour/log \
	tests/data/import/byte-order-mark/args \
	tests/data/import/byte-order-mark/expected \
	tests/data/import/byte-order-mark/log \
	tests/data/import/cancelled/args \
	tests/data/import/cancelled/expected \
	tests/data/import/cancelled/log \
	tests/data/import/clock/args \
	tests/data/import/clock/expected \
	tests/data/import/clock/log \
	tests/data/import/cluster/args \
	tests/data/import/cluster/expected \
	tests/data/import/cluster/log \
	tests/data/import/clusters-refused/args \
	tests/data/import/clusters-refused/expected \
	tests/data/import/clusters-refused/log \
	tests/data/import/columns/args \
	tests/data/import/columns/expected \
	tests/data/import/columns/log \
	tests/data/import/csv-quotes/args \
	tests/data/import/csv-quotes/expected \
	tests/data/import/csv-quotes/log \
	tests/data/import/cut-states/args \
	tests/data/import/cut-states/expected \
	tests/data/import/cut-states/log \
	tests/data/import/delimiter-long/args \
	tests/data/import/delimiter-long/expected \
	tests/data/import/delimiter-long/log \
	tests/data/import/delimiter-named/args \
	tests/data/import/delimiter-named/expected \
	tests/data/import/delimiter-named/log \
	tests/data/import/delimiter-tab/args \
	tests/data/import/delimiter-tab/expected \
	tests/data/import/delimiter-tab/log \
	tests/data/import/eligible/args \
	tests/data/import/eligible/expected \
	tests/data/import/eligible/log \
	tests/data/import/empty-refused/args \
	tests/data/import/empty-refused/expected \
	tests/data/import/empty-refused/log \
	tests/data/import/ends/args \
	tests/data/import/ends/expected \
	tests/data/import/ends/log \
	tests/data/import/fixed-width-refused/args \
	tests/data/import/fixed-width-refused/expected \
	tests/data/import/fixed-width-refused/log \
	tests/data/import/headings/args \
	tests/data/import/headings/expected \
	tests/data/import/headings/log \
	tests/data/import/id-reused/args \
	tests/data/import/id-reused/expected \
	tests/data/import/id-reused/log \
	tests/data/import/jobcomp/args \
	tests/data/import/jobcomp/expected \
	tests/data/import/jobcomp/log \
	tests/data/import/json-cut-refused/args \
	tests/data/import/json-cut-refused/expected \
	tests/data/import/json-cut-refused/log \
	tests/data/import/json-new/args \
	tests/data/import/json-new/expected \
	tests/data/import/json-new/log \
	tests/data/import/json-old/args \
	tests/data/import/json-old/expected \
	tests/data/import/json-old/log \
	tests/data/import/keep-cancelled/args \
	tests/data/import/keep-cancelled/expected \
	tests/data/import/keep-cancelled/log \
	tests/data/import/limits/args \
	tests/data/import/limits/expected \
	tests/data/import/limits/log \
	tests/data/import/limits-run/args \
	tests/data/import/limits-run/expected \
	tests/data/import/limits-run/log \
	tests/data/import/line-feed-in-name/args \
	tests/data/import/line-feed-in-name/expected \
	tests/data/import/line-feed-in-name/log \
	tests/data/import/local-time/args \
	tests/data/import/local-time/expected \
	tests/data/import/local-time/log \
	tests/data/import/local-time-refused/args \
	tests/data/import/local-time-refused/expected \
	tests/data/import/local-time-refused/log \
	tests/data/import/no-heading-refused/args \
	tests/data/import/no-heading-refused/expected \
	tests/data/import/no-heading-refused/log \
	tests/data/import/nothing-left-refused/args \
	tests/data/import/nothing-left-refused/expected \
	tests/data/import/nothing-left-refused/log \
	tests/data/import/offset-time/args \
	tests/data/import/offset-time/expected \
	tests/data/import/offset-time/log \
	tests/data/import/overlap/args \
	tests/data/import/overlap/expected \
	tests/data/import/overlap/log \
	tests/data/import/partition/args \
	tests/data/import/partition/expected \
	tests/data/import/partition/log \
	tests/data/import/pipes/args \
	tests/data/import/pipes/expected \
	tests/data/import/pipes/log \
	tests/data/import/plain/args \
	tests/data/import/plain/expected \
	tests/data/import/plain/log \
	tests/data/import/procs/args \
	tests/data/import/procs/expected \
	tests/data/import/procs/log \
	tests/data/import/procs/side \
	tests/data/import/relative-time-refused/args \
	tests/data/import/relative-time-refused/expected \
	tests/data/import/relative-time-refused/log \
	tests/data/import/requeue/args \
	tests/data/import/requeue/expected \
	tests/data/import/requeue/log \
	tests/data/import/sacct-failed-refused/args \
	tests/data/import/sacct-failed-refused/expected \
	tests/data/import/sacct-failed-refused/log \
	tests/data/import/squeue-json-refused/args \
	tests/data/import/squeue-json-refused/expected \
	tests/data/import/squeue-json-refused/log \
	tests/data/import/start-lost/args \
	tests/data/import/start-lost/expected \
	tests/data/import/start-lost/log \
	tests/data/import/suspended/args \
	tests/data/import/suspended/expected \
	tests/data/import/suspended/log \
	tests/data/import/suspended-no-elapsed/args \
	tests/data/import/suspended-no-elapsed/expected \
	tests/data/import/suspended-no-elapsed/log \
	tests/data/import/unit-separator/args \
	tests/data/import/unit-separator/expected \
	tests/data/import/unit-separator/log \
	tests/data/import/unreadable/args \
	tests/data/import/unreadable/expected \
	tests/data/import/unreadable/log \
	tests/data/import/utf16-refused/args \
	tests/data/import/utf16-refused/expected \
	tests/data/import/utf16-refused/log \
	tests/data/import/warning-before-heading/args \
	tests/data/import/warning-before-heading/expected \
	tests/data/import/warning-before-heading/log \
	tests/data/import/window/args \
	tests/data/import/window/expected \
	tests/data/import/window/log

unit_programs =
if UNIT_TESTS
unit_programs += $(core_tests) $(plugin_tests)
if SLURM
unit_programs += tests/unit/plugin/base/test_units
endif
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

# The linker needs no help of libtool where nothing is installed.
$(unit_programs) $(host_tests) $(select_tests): private LIBTOOL = \
	$(SHELL) $(top_srcdir)/contrib/build-aux/link-test

# Their own code is compiled to be run once: to optimise it takes longer than it
# saves.  What they test is in the libraries.
tests/unit/%.$(OBJEXT) tests/property/%.$(OBJEXT) tests/plugin/%.$(OBJEXT) \
	tests/enforce/test_%.$(OBJEXT): private CFLAGS += -O0 -U_FORTIFY_SOURCE

# Logs to replay are written as slurmctld writes them.
parts_libs = plugin/libparts.la $(LDADD)
tests_unit_sim_replay_test_replay_written_LDADD = $(parts_libs)
tests_unit_plugin_base_test_conf_LDADD = $(parts_libs)
tests_unit_plugin_state_test_kept_text_LDADD = $(parts_libs)
tests_unit_plugin_base_test_text_LDADD = $(parts_libs)
tests_unit_plugin_engine_test_decision_log_LDADD = $(parts_libs)
tests_unit_plugin_jobs_test_job_table_LDADD = $(parts_libs)
tests_unit_plugin_jobs_test_records_LDADD = $(parts_libs)
tests_unit_plugin_engine_test_promise_LDADD = $(parts_libs)
tests_unit_plugin_base_test_units_SOURCES = tests/unit/plugin/base/test_units.c plugin/base/units.c
tests_unit_plugin_base_test_units_CFLAGS = $(AM_CFLAGS)

# These make allocations of the core, and of the simulator's events, fail, look
# at what is allocated, or hide the tasks of a row.
tests_unit_sim_base_test_evq_LDFLAGS = -Wl,--wrap=realloc
tests_unit_sim_run_test_exec_LDFLAGS = -Wl,--wrap=calloc
tests_property_test_ends_LDFLAGS = -Wl,--wrap=libra_engine_row
wrap_memory = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_property_test_places_LDFLAGS = $(wrap_memory)
tests_property_test_repairs_LDFLAGS = $(wrap_memory)
tests_property_test_steps_LDFLAGS = $(wrap_memory)
tests_unit_core_space_test_kept_LDFLAGS = $(wrap_memory)
tests_unit_core_test_memory_LDFLAGS = $(wrap_memory)
tests_unit_core_space_test_memory_plans_LDFLAGS = $(wrap_memory)

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/contrib/build-aux/tap-driver.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/contrib/build-aux/cmocka-tap
SH_LOG_DRIVER = $(LOG_DRIVER)

# No test looks at the traces of this machine unless it says so itself.
AM_TESTS_ENVIRONMENT = \
	TEST_TRACES="$${LIBRA_TRACES-}"; export TEST_TRACES; \
	unset LIBRA_TRACES; \
	PATH='$(TESTS_PATH)'"$$PATH"; export PATH; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C; export LC_ALL; \
	CONFIG_SHELL='$(SHELL)'; export CONFIG_SHELL; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	LIBRA_SLURM='$(SLURM_PREFIX)'; export LIBRA_SLURM; \
	TEST_CPPFLAGS='$(LIBRA_CPPFLAGS) -I$(abs_top_srcdir) $(SIM_CFLAGS) $(SLURM_CPPFLAGS)'; \
	export TEST_CPPFLAGS; \
	TEST_CFLAGS='$(AM_CFLAGS)'; export TEST_CFLAGS;

EXTRA_DIST += \
	$(script_tests) \
	$(slow_script_tests) \
	$(sim_script_tests) \
	$(slow_sim_tests) \
	$(test_data) \
	tests/pages.sh \
	tests/tap.sh

test_headers = \
	tests/countdown.h \
	tests/gang_check.h \
	tests/random.h \
	tests/property/band_rule.h \
	tests/property/moves.h \
	tests/property/planned_rule.h \
	tests/property/spans.h \
	tests/property/workloads.h \
	tests/plugin/tap.h \
	tests/unit/band_host.h \
	tests/unit/host.h \
	tests/unit/replay.h \
	tests/unit/rooms.h \
	tests/unit/test.h \
	tests/unit/wrap_memory.h

EXTRA_DIST += $(test_headers)

.PHONY: check-valgrind update-golden

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

# What the golden tests expect becomes what is printed now; read the diff.
update-golden: librasim$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) GOLDEN=update; export GOLDEN; \
	for t in tests/golden/golden.sh tests/cli/reproduce.sh; do \
	  $(SHELL) $(srcdir)/$$t || exit 1; \
	done

# Without Slurm, against what slurmctld loads.
host_libs = plugin/libslurm_libra.la plugin/libparts.la -lm -lpthread
tests_plugin_host_alloc_SOURCES = \
	tests/plugin/host_alloc.c \
	tests/plugin/machine.h \
	tests/plugin/own_memory.h
tests_plugin_host_alloc_LDADD = $(host_libs)
tests_plugin_host_alone_SOURCES = \
	tests/plugin/host_alone.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_alone_LDADD = $(host_libs)
tests_plugin_host_away_SOURCES = \
	tests/plugin/host_away.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_away_LDADD = $(host_libs)
tests_plugin_host_away_band_SOURCES = \
	tests/plugin/host_away_band.c \
	tests/plugin/lives.h \
	tests/plugin/machine.h
tests_plugin_host_away_band_LDADD = $(host_libs)
tests_plugin_host_boots_SOURCES = \
	tests/plugin/host_boots.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_boots_LDADD = $(host_libs)
tests_plugin_host_claims_SOURCES = \
	tests/plugin/host_claims.c \
	tests/plugin/machine.h
tests_plugin_host_claims_LDADD = $(host_libs)
tests_plugin_host_clock_SOURCES = \
	tests/plugin/host_clock.c \
	tests/plugin/machine.h
tests_plugin_host_clock_LDADD = $(host_libs)
tests_plugin_host_events_SOURCES = \
	tests/plugin/host_events.c \
	tests/plugin/machine.h \
	tests/plugin/site.h
tests_plugin_host_events_LDADD = $(host_libs)
tests_plugin_host_gpu_limits_SOURCES = \
	tests/plugin/host_gpu_limits.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_gpu_limits_LDADD = $(host_libs)
tests_plugin_host_groups_SOURCES = \
	tests/plugin/host_groups.c \
	tests/plugin/machine.h
tests_plugin_host_groups_LDADD = $(host_libs)
tests_plugin_host_jobs_SOURCES = \
	tests/plugin/host_jobs.c \
	tests/plugin/lives.h \
	tests/plugin/machine.h
tests_plugin_host_jobs_LDADD = $(host_libs)
tests_plugin_host_kept_SOURCES = \
	tests/plugin/host_kept.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_kept_LDADD = $(host_libs)
tests_plugin_host_learned_SOURCES = \
	tests/plugin/host_learned.c \
	tests/plugin/machine.h
tests_plugin_host_learned_LDADD = $(host_libs)
tests_plugin_host_lifecycle_SOURCES = \
	tests/plugin/host_lifecycle.c \
	tests/plugin/machine.h \
	tests/plugin/site.h
tests_plugin_host_lifecycle_LDADD = $(host_libs)
tests_plugin_host_limits_SOURCES = \
	tests/plugin/host_limits.c \
	tests/plugin/machine.h
tests_plugin_host_limits_LDADD = $(host_libs)
tests_plugin_host_load_SOURCES = \
	tests/plugin/host_load.c \
	tests/plugin/machine.h
tests_plugin_host_load_LDADD = $(host_libs)
tests_plugin_host_memory_SOURCES = \
	tests/plugin/host_memory.c \
	tests/plugin/machine.h \
	tests/plugin/own_memory.h
tests_plugin_host_memory_LDADD = $(host_libs)
tests_plugin_host_moves_SOURCES = \
	tests/plugin/host_moves.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_moves_LDADD = $(host_libs)
tests_plugin_host_arrays_SOURCES = \
	tests/plugin/host_arrays.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_arrays_LDADD = $(host_libs)
tests_plugin_host_plans_SOURCES = \
	tests/plugin/host_plans.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_plans_LDADD = $(host_libs)
tests_plugin_host_preempt_SOURCES = \
	tests/plugin/host_preempt.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_preempt_LDADD = $(host_libs)
tests_plugin_host_requests_SOURCES = \
	tests/plugin/host_requests.c \
	tests/plugin/lives.h \
	tests/plugin/machine.h
tests_plugin_host_requests_LDADD = $(host_libs)
tests_plugin_host_restore_SOURCES = \
	tests/plugin/host_restore.c \
	tests/plugin/machine.h
tests_plugin_host_restore_LDADD = $(host_libs)
tests_plugin_host_submit_SOURCES = \
	tests/plugin/host_submit.c \
	tests/plugin/machine.h \
	tests/plugin/site.h
tests_plugin_host_submit_LDADD = $(host_libs)
tests_plugin_host_sync_SOURCES = \
	tests/plugin/host_sync.c \
	tests/plugin/machine.h \
	tests/plugin/site.h
tests_plugin_host_sync_LDADD = $(host_libs)
tests_plugin_host_texts_SOURCES = \
	tests/plugin/host_texts.c \
	plugin/job_submit/job_submit_libra.c \
	plugin/job_submit/request.c \
	plugin/job_submit/texts.c
tests_plugin_host_texts_CFLAGS = $(AM_CFLAGS)
tests_plugin_host_texts_LDADD = $(host_libs)
tests_plugin_host_threads_SOURCES = tests/plugin/host_threads.c tests/plugin/machine.h
tests_plugin_host_threads_LDADD = $(host_libs)
tests_plugin_host_two_SOURCES = tests/plugin/host_two.c tests/plugin/machine.h
tests_plugin_host_two_LDADD = $(host_libs)
tests_plugin_host_untold_SOURCES = \
	tests/plugin/host_untold.c \
	tests/plugin/machine.h \
	tests/plugin/own_memory.h \
	tests/plugin/plans.h
tests_plugin_host_untold_LDADD = $(host_libs)
tests_plugin_host_update_SOURCES = \
	tests/plugin/host_update.c \
	tests/plugin/machine.h \
	tests/plugin/site.h
tests_plugin_host_update_LDADD = $(host_libs)
tests_plugin_host_width_SOURCES = \
	tests/plugin/host_width.c \
	tests/plugin/machine.h \
	tests/plugin/plans.h
tests_plugin_host_width_LDADD = $(host_libs)

# How fast it is: make bench.  No test; its programs are built for it alone.
bench_programs = \
	tests/bench/admission \
	tests/bench/floor \
	tests/bench/measure \
	tests/bench/plans

EXTRA_PROGRAMS += $(bench_programs)
EXTRA_DIST += tests/bench/bench.sh tests/bench/decisions.sh tests/bench/record.sh tests/bench/rows.awk tests/bench/slurm_site.awk
CLEANFILES += $(bench_programs) bench.json decisions.csv decisions.svg

# What live tests compile for the Slurm that they meet.
EXTRA_DIST += \
	tests/live/ask_start.c \
	tests/live/heap.c \
	tests/live/submitters.c \
	tests/live/verify_lock.c

tests_bench_admission_SOURCES = tests/bench/admission.c
tests_bench_admission_LDADD = core/libcore.la -lm
tests_bench_calls_SOURCES = tests/bench/calls.c tests/plugin/machine.h
tests_bench_calls_LDADD = plugin/libslurm_libra.la
tests_bench_floor_SOURCES = tests/bench/floor.c
tests_bench_floor_LDADD =
tests_bench_measure_SOURCES = tests/bench/measure.c
tests_bench_measure_LDADD =
tests_bench_plans_SOURCES = tests/bench/plans.c
tests_bench_plans_LDADD = core/libcore.la -lm

.PHONY: bench bench-decisions bench-record
bench: librasim$(EXEEXT) $(bench_programs)
	@srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	  $(SHELL) $(srcdir)/tests/bench/bench.sh $(BENCH_FLAGS)
# What a decision costs, in numbers and as the picture of docs/performance.md.
bench-decisions: $(bench_programs)
	@srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	  $(SHELL) $(srcdir)/tests/bench/decisions.sh $(BENCH_FLAGS)
# Measure tables of docs anew: make bench-record TABLES='plans calls'.
bench-record: librasim$(EXEEXT) $(bench_programs) tests/bench/calls$(EXEEXT)
	@srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	  $(SHELL) $(srcdir)/tests/bench/record.sh $(TABLES)

# A table beside layers.sh, which make would copy over it.
$(srcdir)/tests/layout/layers: ;
