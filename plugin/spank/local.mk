# SPDX-License-Identifier: GPL-2.0-or-later
#
# The plugin that slurmd, slurmstepd, srun and sbatch load: cgroup weights for
# promised jobs on their nodes, and options for users.  spank_libra.c has Slurm's
# entry points and includes Slurm's public headers; all other files know nothing
# of Slurm and of each other's callers: record, cgroup < weights, node_files
# (records, lock) < node_store (files and notes) < node (events) < alarm.  What is decided in slurmctld does
# not belong here.  Beside it lie libra-doctor, which checks a host, and the
# programs and tests of the cgroup weights.

spank_sources = \
	plugin/spank/alarm.c \
	plugin/spank/alarm.h \
	plugin/spank/cgroup.c \
	plugin/spank/cgroup.h \
	plugin/spank/cgroup_impl.h \
	plugin/spank/cgroup_remove.c \
	plugin/spank/clock.h \
	plugin/spank/node.c \
	plugin/spank/node.h \
	plugin/spank/node_files.c \
	plugin/spank/node_files.h \
	plugin/spank/node_store.c \
	plugin/spank/node_store.h \
	plugin/spank/options.c \
	plugin/spank/options.h \
	plugin/spank/record.c \
	plugin/spank/record.h \
	plugin/spank/weights.c \
	plugin/spank/weights.h

enforce_tests = \
	tests/enforce/test_alarm \
	tests/enforce/test_record \
	tests/enforce/test_shares \
	tests/enforce/test_weights
if UNIT_TESTS
check_PROGRAMS += $(enforce_tests)
TESTS += $(enforce_tests)
endif

# Programs that the scripts run: jobs whose tasks wait for each other, and a
# measurement of how well a job is held.
EXTRA_PROGRAMS += tests/enforce/coupled tests/enforce/hold
tests_enforce_coupled_SOURCES = tests/enforce/coupled.c tests/enforce/coupled.h
tests_enforce_hold_SOURCES = \
	plugin/spank/cgroup.c \
	plugin/spank/cgroup.h \
	plugin/spank/cgroup_impl.h \
	plugin/spank/cgroup_remove.c \
	tests/enforce/coupled.h \
	tests/enforce/hold.c
tests_enforce_hold_LDADD = core/libcore.la -lm

# Linked statically, for a guest without libraries.
EXTRA_PROGRAMS += tests/enforce/weigh
tests_enforce_weigh_SOURCES = tests/enforce/weigh.c $(spank_sources)
tests_enforce_weigh_LDFLAGS = -all-static
tests_enforce_weigh_LDADD = core/libcore.la -lm -lpthread

node_tests = tests/enforce/spank_fixture.h $(spank_sources)
tests_enforce_test_alarm_SOURCES = tests/enforce/test_alarm.c $(node_tests)
tests_enforce_test_record_SOURCES = tests/enforce/test_record.c $(node_tests)
tests_enforce_test_shares_SOURCES = tests/enforce/test_shares.c $(node_tests)
tests_enforce_test_weights_SOURCES = tests/enforce/test_weights.c $(node_tests)

if SLURM
slurmplugin_LTLIBRARIES += plugin/spank_libra.la
endif

plugin_spank_libra_la_SOURCES = \
	$(spank_sources) \
	plugin/engine/admin_comment.c \
	plugin/engine/admin_comment.h \
	plugin/base/text.c \
	plugin/base/text.h \
	plugin/spank/spank_libra.c
plugin_spank_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_spank_libra_la_LDFLAGS = -module -avoid-version -shared \
	-export-symbols-regex '^(plugin_|spank_plugin_|slurm_spank_)'
plugin_spank_libra_la_LIBADD = core/libcore.la -lm -lpthread

# Slurm looks for .so files alone.
install-data-hook:
	rm -f $(DESTDIR)$(slurmplugindir)/job_submit_libra.la \
		$(DESTDIR)$(slurmplugindir)/select_cons_tres_libra.la \
		$(DESTDIR)$(slurmplugindir)/spank_libra.la

# Tests that need real cgroups and a real Slurm.
enforce_scripts = \
	tests/enforce/changes.sh \
	tests/enforce/events.sh \
	tests/enforce/faults.sh \
	tests/enforce/guest.sh \
	tests/enforce/guest-slurm.sh \
	tests/enforce/hold.sh \
	tests/enforce/security.sh \
	tests/enforce/shares.sh \
	tests/enforce/turns.sh \
	tests/enforce/validate.sh

dist_sbin_SCRIPTS = plugin/spank/libra-doctor

EXTRA_DIST += \
	contrib/live-validation \
	docs/enforcement.md \
	docs/live-validation.svg \
	docs/live-validation-coupled.svg \
	plugin/spank/plugstack.conf.example

EXTRA_DIST += \
	$(enforce_scripts) \
	tests/enforce/forge.c \
	tests/enforce/guest-jobs.sh \
	tests/enforce/lib.sh

enforce_programs = \
	tests/enforce/coupled \
	tests/enforce/hold \
	tests/enforce/weigh

CLEANFILES += $(enforce_programs)

check-enforce: $(enforce_programs) $(pkglib_LTLIBRARIES) \
		$(slurmplugin_LTLIBRARIES) librasim$(EXEEXT)
	$(MAKE) check TESTS='$(enforce_tests) $(enforce_scripts)' \
		check_PROGRAMS='$(enforce_tests)'

# Those of them that need a Slurm and no more than a minute.
enforce_live = \
	tests/enforce/faults.sh \
	tests/enforce/security.sh \
	tests/enforce/shares.sh \
	tests/enforce/turns.sh

check-enforce-live: $(enforce_programs) $(pkglib_LTLIBRARIES) \
		$(slurmplugin_LTLIBRARIES)
	$(MAKE) check TESTS='$(enforce_live)' check_PROGRAMS=

.PHONY: check-enforce check-enforce-live
