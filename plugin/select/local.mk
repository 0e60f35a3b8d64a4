# SPDX-License-Identifier: GPL-2.0-or-later
#
# select_cons_tres_libra.so: it stands before Slurm's own select/cons_tres,
# narrows what that may choose to the processors that were promised, and says
# what becomes of jobs.  It alone needs Slurm's internal headers.

select_sources = \
	$(node_state_sources) \
	plugin/base/text.c \
	plugin/base/text.h \
	plugin/select/access.c \
	plugin/select/access.h \
	plugin/select/cluster.c \
	plugin/select/cluster.h \
	plugin/select/comment.c \
	plugin/select/comment.h \
	plugin/select/core_bitmap.c \
	plugin/select/core_bitmap.h \
	plugin/select/follow.c \
	plugin/select/follow.h \
	plugin/select/forecast.c \
	plugin/select/forecast.h \
	plugin/select/job_env.c \
	plugin/select/job_env.h \
	plugin/select/limit_groups.c \
	plugin/select/limit_groups.h \
	plugin/select/limits.c \
	plugin/select/limits.h \
	plugin/select/locks.c \
	plugin/select/locks.h \
	plugin/select/ordinary.c \
	plugin/select/ordinary.h \
	plugin/select/pending.c \
	plugin/select/pending.h \
	plugin/select/power_save.c \
	plugin/select/power_save.h \
	plugin/select/reasons.c \
	plugin/select/reasons.h \
	plugin/select/rules.c \
	plugin/select/rules.h \
	plugin/select/select_cons_tres_libra.c \
	plugin/select/shared_capacity.c \
	plugin/select/shared_capacity.h \
	plugin/select/slurm_ops.c \
	plugin/select/slurm_ops.h \
	plugin/select/sockets.c \
	plugin/select/sockets.h \
	plugin/select/starter.c \
	plugin/select/starter.h \
	plugin/select/test_only.c \
	plugin/select/test_only.h \
	plugin/select/wake.c \
	plugin/select/wake.h
plugin_select_cons_tres_libra_la_SOURCES = $(select_sources)
plugin_select_cons_tres_libra_la_CPPFLAGS = \
	-Iplugin/stub $(AM_CPPFLAGS) -isystem $(SLURM_SRC)
plugin_select_cons_tres_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_select_cons_tres_libra_la_LDFLAGS = $(plugin_module)
plugin_select_cons_tres_libra_la_LIBADD = plugin/libslurm_libra.la

# What stands before Slurm's own is replaced by the test, but for its lists and
# bitmaps, which libslurm has by names of their own.
select_cppflags = -DUSE_ALIAS=1 $(plugin_select_cons_tres_libra_la_CPPFLAGS)
select_libs = tests/plugin/libselect.a $(SLURM_LIBDIR_FLAGS) -lslurm -lm
tests_plugin_libselect_a_SOURCES = $(select_sources) plugin/base/units.c
tests_plugin_libselect_a_CPPFLAGS = $(select_cppflags)
select_memory = -Wl,--wrap=calloc,--wrap=realloc,--wrap=free
select_follow = $(select_memory),--wrap=open_memstream,--wrap=time
select_follow += -Wl,--wrap=slurm_list_iterator_create
select_start = $(select_memory),--wrap=clock_gettime,--wrap=nanosleep
select_start += -Wl,--wrap=pthread_create,--wrap=pthread_join
select_start += -Wl,--wrap=pthread_cond_timedwait
select_start += -Wl,--wrap=slurm_list_iterator_create
select_start += -Wl,--wrap=slurm_list_iterator_destroy
select_plugin = $(select_memory),--wrap=strdup
select_plugin += -Wl,--wrap=dlopen,--wrap=dlsym,--wrap=dlclose
select_bits = $(select_memory),--wrap=slurm_bit_alloc
select_bits += -Wl,--wrap=slurm_bit_copy,--wrap=slurm_bit_free
tests_plugin_select_question_SOURCES = \
	tests/plugin/select_question.c \
	tests/plugin/wrapped.h
tests_plugin_select_question_CPPFLAGS = $(select_cppflags)
tests_plugin_select_question_LDFLAGS = $(select_bits)
tests_plugin_select_question_LDADD = $(select_libs)

tests_plugin_select_access_SOURCES = tests/plugin/select_access.c
tests_plugin_select_access_CPPFLAGS = $(select_cppflags)
tests_plugin_select_access_LDFLAGS = \
	-Wl,--wrap=getpwuid_r,--wrap=getgrgid_r
tests_plugin_select_access_LDADD = $(select_libs)

tests_plugin_select_asked_SOURCES = \
	tests/plugin/select_asked.c \
	tests/plugin/wrapped.h
tests_plugin_select_asked_CPPFLAGS = $(select_cppflags)
tests_plugin_select_asked_LDFLAGS = $(select_memory),--wrap=time
tests_plugin_select_asked_LDADD = $(select_libs)

tests_plugin_select_memory_SOURCES = \
	tests/plugin/select_memory.c \
	tests/plugin/wrapped.h
tests_plugin_select_memory_CPPFLAGS = $(select_cppflags)
tests_plugin_select_memory_LDFLAGS = $(select_memory)
tests_plugin_select_memory_LDADD = $(select_libs)

tests_plugin_select_follow_SOURCES = \
	tests/plugin/select_follow.c \
	tests/plugin/wrapped.h
tests_plugin_select_follow_CPPFLAGS = $(select_cppflags)
tests_plugin_select_follow_LDFLAGS = $(select_follow)
tests_plugin_select_follow_LDADD = $(select_libs)

tests_plugin_select_rules_SOURCES = \
	tests/plugin/select_rules.c \
	tests/plugin/wrapped.h
tests_plugin_select_rules_CPPFLAGS = $(select_cppflags)
tests_plugin_select_rules_LDFLAGS = $(select_memory)
tests_plugin_select_rules_LDADD = $(select_libs)

tests_plugin_select_limits_SOURCES = tests/plugin/select_limits.c
tests_plugin_select_limits_CPPFLAGS = $(select_cppflags)
tests_plugin_select_limits_LDADD = $(select_libs)

tests_plugin_select_start_SOURCES = \
	tests/plugin/select_start.c \
	tests/plugin/wrapped.h
tests_plugin_select_start_CPPFLAGS = $(select_cppflags)
tests_plugin_select_start_LDFLAGS = $(select_start)
tests_plugin_select_start_LDADD = $(select_libs) -lpthread

tests_plugin_select_plugin_SOURCES = \
	tests/plugin/select_plugin.c \
	tests/plugin/wrapped.h
tests_plugin_select_plugin_CPPFLAGS = $(select_cppflags)
tests_plugin_select_plugin_LDFLAGS = $(select_plugin)
tests_plugin_select_plugin_LDADD = $(select_libs)

tests_plugin_select_record_SOURCES = tests/plugin/select_record.c
tests_plugin_select_record_CPPFLAGS = $(select_cppflags)
tests_plugin_select_record_LDFLAGS = \
	-Wl,--wrap=dlopen,--wrap=dlsym,--wrap=dlclose
tests_plugin_select_record_LDADD = $(select_libs)
