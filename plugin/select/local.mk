# SPDX-License-Identifier: GPL-2.0-or-later
#
# select_cons_tres_libra.so: it stands before Slurm's own select/cons_tres,
# narrows what that may choose to the processors that were promised, and says
# what becomes of jobs.  It alone needs Slurm's internal headers.

# Slurm's headers need two files that its own configure would have made.
plugin_stub = plugin/stub/config.h plugin/stub/slurm/slurm_version.h

plugin/stub/config.h:
	@$(MKDIR_P) plugin/stub
	$(AM_V_GEN)echo '#define NDEBUG 1' >$@

plugin/stub/slurm/slurm_version.h:
	@$(MKDIR_P) plugin/stub/slurm
	$(AM_V_GEN)echo '#include <slurm/slurm_version.h>' | \
		$(CC) -E -dM -x c - | grep 'SLURM_VERSION_\|SLURM_MAJOR' >$@

CLEANFILES += $(plugin_stub)

plugin_select_cons_tres_libra_la_SOURCES = \
	plugin/select/select_cons_tres_libra.c
plugin_select_cons_tres_libra_la_CPPFLAGS = \
	-Iplugin/stub $(AM_CPPFLAGS) -isystem $(SLURM_SRC)
plugin_select_cons_tres_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_select_cons_tres_libra_la_LDFLAGS = $(plugin_module)
plugin_select_cons_tres_libra_la_LIBADD = plugin/libslurm_libra.la

$(plugin_select_cons_tres_libra_la_OBJECTS): $(plugin_stub)
