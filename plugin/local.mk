# SPDX-License-Identifier: GPL-2.0-or-later
#
# What slurmctld loads.  The core and the host are one shared library of our
# own, so that both plugins see one ledger; it is no library for others.

include plugin/base/local.mk
include plugin/engine/local.mk
include plugin/state/local.mk
include plugin/jobs/local.mk
include plugin/request/local.mk
include plugin/host/local.mk

# Those that take long first: what is left at the end then is short.
live_tests = \
	tests/live/when.sh \
	tests/live/plans.sh \
	tests/live/campaign.sh \
	tests/live/advice.sh \
	tests/live/planned.sh \
	tests/live/restart.sh \
	tests/live/overtime.sh \
	tests/live/preempt.sh \
	tests/live/preempt-place.sh \
	tests/live/asked.sh \
	tests/live/band.sh \
	tests/live/boots.sh \
	tests/live/completing.sh \
	tests/live/firm.sh \
	tests/live/reboot.sh \
	tests/live/reserved.sh \
	tests/live/removal.sh \
	tests/live/access.sh \
	tests/live/accounts.sh \
	tests/live/admission.sh \
	tests/live/alone.sh \
	tests/live/clock.sh \
	tests/live/company.sh \
	tests/live/forged.sh \
	tests/live/gpu-limits.sh \
	tests/live/gpus.sh \
	tests/live/held.sh \
	tests/live/hostile.sh \
	tests/live/import.sh \
	tests/live/joins.sh \
	tests/live/learn.sh \
	tests/live/limits.sh \
	tests/live/load.sh \
	tests/live/memory.sh \
	tests/live/mixed.sh \
	tests/live/modes.sh \
	tests/live/noreserve.sh \
	tests/live/offers.sh \
	tests/live/parts.sh \
	tests/live/questions.sh \
	tests/live/repartition.sh \
	tests/live/resize.sh \
	tests/live/rules.sh \
	tests/live/sequence.sh \
	tests/live/settings.sh \
	tests/live/shortened.sh \
	tests/live/site-snapshot.sh \
	tests/live/sweep.sh \
	tests/live/testonly.sh \
	tests/live/threads.sh \
	tests/live/troubles.sh \
	tests/live/uncounted.sh \
	tests/live/widths.sh \
	tests/live/words.sh

EXTRA_DIST += \
	$(live_tests) \
	tests/live/admin.sh \
	tests/live/bench.sh \
	tests/live/chroot.sh \
	tests/live/container.sh \
	tests/live/database.sh \
	tests/live/import_agrees.py \
	tests/live/lib.sh \
	tests/live/overwritten.sh \
	tests/live/packages.sh \
	tests/live/valgrind.sh \
	tests/plugin/stub.sh

TESTS += tests/plugin/stub.sh

slurmplugin_LTLIBRARIES =
pkglib_LTLIBRARIES =

# What is exported is what Slurm looks for.  The library of both is also found
# beside a plugin: contrib/demo-cluster copies them together.  Slurm's commands
# and libra load the select plugin, too, most of whose symbols only slurmctld has;
# some compilers bind each symbol at once unless told otherwise.
plugin_module = -module -avoid-version -shared -Wl,-z,lazy \
	-Wl,-rpath,'$$ORIGIN' \
	-export-symbols-regex '^(plugin_|select_p_|job_|init$$|fini$$)'

if SLURM
pkglib_LTLIBRARIES += plugin/libslurm_libra.la
slurmplugin_LTLIBRARIES += plugin/job_submit_libra.la
host_tests = \
	tests/plugin/host_alloc \
	tests/plugin/host_alone \
	tests/plugin/host_arrays \
	tests/plugin/host_away \
	tests/plugin/host_away_band \
	tests/plugin/host_boots \
	tests/plugin/host_claims \
	tests/plugin/host_clock \
	tests/plugin/host_events \
	tests/plugin/host_gpu_limits \
	tests/plugin/host_groups \
	tests/plugin/host_jobs \
	tests/plugin/host_kept \
	tests/plugin/host_learned \
	tests/plugin/host_lifecycle \
	tests/plugin/host_limits \
	tests/plugin/host_load \
	tests/plugin/host_memory \
	tests/plugin/host_moves \
	tests/plugin/host_plans \
	tests/plugin/host_preempt \
	tests/plugin/host_requests \
	tests/plugin/host_restore \
	tests/plugin/host_submit \
	tests/plugin/host_sync \
	tests/plugin/host_texts \
	tests/plugin/host_threads \
	tests/plugin/host_two \
	tests/plugin/host_untold \
	tests/plugin/host_update \
	tests/plugin/host_width
check_PROGRAMS += $(host_tests)
TESTS += $(host_tests)
EXTRA_PROGRAMS += tests/bench/calls
CLEANFILES += tests/bench/calls
endif
if SLURM_SELECT
slurmplugin_LTLIBRARIES += plugin/select_cons_tres_libra.la
select_tests = \
	tests/plugin/select_access \
	tests/plugin/select_asked \
	tests/plugin/select_follow \
	tests/plugin/select_limits \
	tests/plugin/select_memory \
	tests/plugin/select_plugin \
	tests/plugin/select_record \
	tests/plugin/select_question \
	tests/plugin/select_rules \
	tests/plugin/select_start
check_PROGRAMS += $(select_tests)
check_LIBRARIES += tests/plugin/libselect.a
TESTS += $(select_tests)
endif

# What needs no header of Slurm, compiled once for this library, the command libra
# and the tests.
plugin_libparts_la_SOURCES = $(plugin_parts)
plugin_libparts_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
if SLURM
noinst_LTLIBRARIES += plugin/libparts.la
else
check_LTLIBRARIES += plugin/libparts.la
endif

plugin_libslurm_libra_la_SOURCES = $(plugin_sources)
plugin_libslurm_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_libslurm_libra_la_LDFLAGS = -avoid-version -shared \
	-Wl,-z,defs -export-symbols-regex '^libra_host_'
plugin_libslurm_libra_la_LIBADD = plugin/libparts.la core/libcore.la -lm -lpthread

include plugin/job_submit/local.mk
include plugin/select/local.mk

# configure made two files that Slurm's own configure would have.  They change
# with the Slurm that is configured: then all that knows Slurm is built again.
plugin_stub = plugin/stub/config.h plugin/stub/slurm/slurm_version.h
DISTCLEANFILES += $(plugin_stub)

if SLURM
$(libra_OBJECTS) $(plugin_cli_libparts_a_OBJECTS) \
$(plugin_job_submit_libra_la_OBJECTS) \
$(plugin_libslurm_libra_la_OBJECTS) $(plugin_spank_libra_la_OBJECTS): \
	$(plugin_stub)
endif
if SLURM_SELECT
$(plugin_select_cons_tres_libra_la_OBJECTS) \
$(tests_plugin_libselect_a_OBJECTS) \
$(tests_plugin_select_access_OBJECTS) \
$(tests_plugin_select_asked_OBJECTS) \
$(tests_plugin_select_follow_OBJECTS) \
$(tests_plugin_select_limits_OBJECTS) \
$(tests_plugin_select_memory_OBJECTS) \
$(tests_plugin_select_plugin_OBJECTS) \
$(tests_plugin_select_record_OBJECTS) \
$(tests_plugin_select_question_OBJECTS) \
$(tests_plugin_select_rules_OBJECTS) \
$(tests_plugin_select_start_OBJECTS): $(plugin_stub)
endif

# The plugins are linked again to the installed library.  Slurm looks for .so
# files alone.  They are put in place by rename: a slurmctld that runs keeps those
# it has loaded, and one that starts never sees half a file.
relinked = install-slurmpluginLTLIBRARIES
$(relinked): install-pkglibLTLIBRARIES

by_rename = $(relinked) install-pkglibLTLIBRARIES
$(by_rename): INSTALL = $(SHELL) \
	$(abs_top_srcdir)/contrib/build-aux/install-rename

install-exec-hook:
	cd $(DESTDIR)$(pkglibdir) 2>/dev/null || exit 0; \
	  for l in $(pkglib_LTLIBRARIES); do rm -f "$${l##*/}"; done
	cd $(DESTDIR)$(slurmplugindir) 2>/dev/null || exit 0; \
	  for l in $(slurmplugin_LTLIBRARIES); do rm -f "$${l##*/}"; done

# libtool would find them by their .la files.  The folder is ours alone.
uninstall-hook:
	cd $(DESTDIR)$(pkglibdir) 2>/dev/null || exit 0; \
	  for l in $(pkglib_LTLIBRARIES); do \
	    l="$${l##*/}"; rm -f "$${l%.la}.so"; done; \
	  cd / && rmdir $(DESTDIR)$(pkglibdir) 2>/dev/null || :
	cd $(DESTDIR)$(slurmplugindir) 2>/dev/null || exit 0; \
	  for l in $(slurmplugin_LTLIBRARIES); do \
	    l="$${l##*/}"; rm -f "$${l%.la}.so"; done

# What "make check" leaves out: the tests with a real Slurm, which say why where
# they cannot run, and those that take long.
check-live: all
	$(MAKE) check TESTS='$(live_tests) $(slow_tests)' check_PROGRAMS=

# Both at one time: the live ones wait more than they compute.
check-all: all
	$(MAKE) check TESTS='$(live_tests) $(slow_tests) $(TESTS)'

# The same with the Slurm of Debian 13.  Where that cannot be had it is skipped.
check-slurm-24.11:
	@$(abs_top_srcdir)/tests/live/chroot.sh $(abs_top_srcdir) \
	  $(abs_top_builddir)/slurm-24.11 || test $$? -eq 77

# The Debian packages, from a fresh system to the first promise, and an upgrade
# of Slurm alone: for this Debian, and for Debian 13; and the images of
# contrib/container, where buildah or podman is.
check-packages:
	@status=0; \
	$(abs_top_srcdir)/tests/live/packages.sh $(abs_top_builddir)/packages/host || \
	  status=1; \
	$(abs_top_srcdir)/tests/live/packages.sh $(abs_top_builddir)/packages/trixie \
	  --suite trixie || status=1; \
	$(abs_top_srcdir)/tests/live/container.sh $(abs_top_builddir)/container || \
	  status=1; \
	exit $$status

# docs/admin.md on fresh systems: with the Slurm of this Debian, with that of
# Debian 13, and with the one that was configured, if it has a folder of its own.
check-admin:
	@status=0; \
	$(abs_top_srcdir)/tests/live/admin.sh $(abs_top_builddir)/admin/host || \
	  status=1; \
	$(abs_top_srcdir)/tests/live/admin.sh $(abs_top_builddir)/admin/trixie \
	  trixie || status=1; \
	test -z '$(SLURM_PREFIX)' || \
	$(abs_top_srcdir)/tests/live/admin.sh $(abs_top_builddir)/admin/own '' \
	  '$(SLURM_PREFIX)' '$(SLURM_SRC)' || status=1; \
	exit $$status

# The live tests with slurmctld under valgrind.  Without optimisation of ours it
# tells more, but any build will do.
check-live-valgrind: $(pkglib_LTLIBRARIES) $(slurmplugin_LTLIBRARIES)
	@test -n '$(VALGRIND)' || { \
	  echo 'check-live-valgrind: valgrind was not found by configure' >&2; \
	  exit 1; }
	@tests=; for t in $(VALGRIND_LIVE_TESTS); do \
	  tests="$$tests $(abs_top_srcdir)/$$t"; done; \
	$(abs_top_srcdir)/tests/live/valgrind.sh \
	  $(abs_top_builddir)/valgrind-live $$tests

VALGRIND_LIVE_TESTS = $(live_tests)

# Sixteen submitters, starts and ends, with slurmctld under helgrind and under
# memcheck: minutes, where the above is hours.
in_short = LOAD_NODES=4 LOAD_CPUS=4 LOAD_HELD=32 LOAD_TURNS=1 LOAD_EACH=8 \
	LOAD_STARTS=16 LOAD_SUBMISSIONS=128 LIBRA_PATIENCE=12
check-live-helgrind: $(pkglib_LTLIBRARIES) $(slurmplugin_LTLIBRARIES)
	@status=0; for tool in helgrind memcheck; do \
	  LIBRA_VALGRIND=$$tool $(in_short) \
	    $(abs_top_srcdir)/tests/live/valgrind.sh \
	    $(abs_top_builddir)/valgrind-live/$$tool \
	    $(abs_top_srcdir)/tests/live/load.sh || status=1; done; exit $$status

# Threads at the host's entry points, and at two hosts, under ThreadSanitizer.
tsan_tests = host_threads host_two
tsan_sources = $(core_libcore_la_SOURCES) $(plugin_parts) $(plugin_sources)

check-tsan:
	@$(MKDIR_P) tests/plugin
	for t in $(tsan_tests); do \
	  (cd $(srcdir) && $(CC) $(LIBRA_CPPFLAGS) -D_GNU_SOURCE -std=gnu11 -O1 \
	    -g -fsanitize=thread -I. \
	    -o $(abs_builddir)/tests/plugin/$$t.tsan tests/plugin/$$t.c \
	    $(filter %.c,$(tsan_sources)) -lpthread -lm) && \
	  TSAN_OPTIONS=halt_on_error=1 ./tests/plugin/$$t.tsan || exit 1; \
	done

# What the plugins cost, in the engine and in a live Slurm.
bench-live: $(pkglib_LTLIBRARIES) $(slurmplugin_LTLIBRARIES) \
		tests/plugin/host_threads
	./tests/plugin/host_threads
	$(abs_top_srcdir)/tests/live/bench.sh

CLEANFILES += tests/plugin/host_threads.tsan tests/plugin/host_two.tsan

distclean-local:
	rm -rf admin container packages slurm slurm-24.11 slurm-matrix slurm-src valgrind-live

.PHONY: bench-live check-admin check-all check-live check-live-helgrind \
	check-live-valgrind check-packages \
	check-slurm-24.11 check-tsan
