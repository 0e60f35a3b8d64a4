# SPDX-License-Identifier: GPL-2.0-or-later
#
# job_submit_libra.so: Slurm's entry points for a submission and its update.
# They read the request and write the answer; what is decided is decided in
# plugin/host.

plugin_job_submit_libra_la_SOURCES = \
	plugin/job_submit/job_submit_libra.c \
	plugin/job_submit/request.c \
	plugin/job_submit/request.h \
	plugin/job_submit/texts.c \
	plugin/job_submit/texts.h \
	plugin/base/text.c \
	plugin/base/text.h
plugin_job_submit_libra_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
plugin_job_submit_libra_la_LDFLAGS = $(plugin_module)
plugin_job_submit_libra_la_LIBADD = plugin/libslurm_libra.la
