# SPDX-License-Identifier: GPL-2.0-or-later
#
# What slurmd, srun and sbatch load.  It needs Slurm's public headers alone.

spank_sources = \
	plugin/spank/cgroup.c \
	plugin/spank/cgroup.h \
	plugin/spank/options.c \
	plugin/spank/options.h \
	plugin/spank/record.c \
	plugin/spank/shares.c \
	plugin/spank/shares.h

if SLURM
slurmplugin_LTLIBRARIES += plugin/spank_libra.la
endif

plugin_spank_libra_la_SOURCES = plugin/spank/spank_libra.c $(spank_sources)
plugin_spank_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_spank_libra_la_LDFLAGS = -module -avoid-version -shared \
	-export-symbols-regex '^(plugin_|spank_plugin_|slurm_spank_)'
plugin_spank_libra_la_LIBADD = core/libcore.la -lm
