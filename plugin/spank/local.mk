# SPDX-License-Identifier: GPL-2.0-or-later
#
# What slurmd, srun and sbatch load.  It needs Slurm's public headers alone.

spank_sources = \
	plugin/spank/alarm.c \
	plugin/spank/alarm.h \
	plugin/spank/cgroup.c \
	plugin/spank/cgroup.h \
	plugin/spank/options.c \
	plugin/spank/options.h \
	plugin/spank/record.c \
	plugin/spank/node.c \
	plugin/spank/node.h \
	plugin/spank/weights.c

enforce_tests = tests/enforce/test_shares
if UNIT_TESTS
check_PROGRAMS += $(enforce_tests)
TESTS += $(enforce_tests)
endif

# What the scripts run: jobs whose tasks wait for each other, and how well one
# is held.
EXTRA_PROGRAMS += tests/enforce/coupled tests/enforce/hold
tests_enforce_coupled_SOURCES = tests/enforce/coupled.c tests/enforce/coupled.h
tests_enforce_hold_SOURCES = \
	plugin/spank/cgroup.c \
	plugin/spank/cgroup.h \
	tests/enforce/coupled.h \
	tests/enforce/hold.c
tests_enforce_hold_LDADD = core/libcore.la -lm

# For a guest that has no library.
EXTRA_PROGRAMS += tests/enforce/weigh
tests_enforce_weigh_SOURCES = tests/enforce/weigh.c $(spank_sources)
tests_enforce_weigh_LDFLAGS = -all-static
tests_enforce_weigh_LDADD = core/libcore.la -lm -lpthread

tests_enforce_test_shares_SOURCES = tests/enforce/test_shares.c $(spank_sources)

if SLURM
slurmplugin_LTLIBRARIES += plugin/spank_libra.la
endif

plugin_spank_libra_la_SOURCES = plugin/spank/spank_libra.c $(spank_sources)
plugin_spank_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_spank_libra_la_LDFLAGS = -module -avoid-version -shared \
	-export-symbols-regex '^(plugin_|spank_plugin_|slurm_spank_)'
plugin_spank_libra_la_LIBADD = core/libcore.la -lm -lpthread

# Slurm looks for .so files alone.
install-data-hook:
	rm -f $(DESTDIR)$(slurmplugindir)/job_submit_libra.la \
		$(DESTDIR)$(slurmplugindir)/select_cons_tres_libra.la \
		$(DESTDIR)$(slurmplugindir)/spank_libra.la

# The tests that need real cgroups, and a real Slurm.
enforce_scripts = \
	tests/enforce/events.sh \
	tests/enforce/faults.sh \
	tests/enforce/guest.sh \
	tests/enforce/guest-slurm.sh \
	tests/enforce/hold.sh \
	tests/enforce/security.sh \
	tests/enforce/shares.sh \
	tests/enforce/turns.sh \
	tests/enforce/validate.sh

dist_man8_MANS = \
	plugin/spank/libra-doctor.8 \
	plugin/spank/spank_libra.8
dist_sbin_SCRIPTS = plugin/spank/libra-doctor

EXTRA_DIST += \
	contrib/live-validation \
	docs/enforcement.md \
	docs/live-validation.md \
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

.PHONY: check-enforce
