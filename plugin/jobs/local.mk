# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of Slurm's jobs that have a promise or ask for one, their records, and
# the run time estimates of their users.  Requests do not belong here.

plugin_parts += \
	plugin/jobs/job_record.c \
	plugin/jobs/job_record.h \
	plugin/jobs/job_table.c \
	plugin/jobs/job_table.h \
	plugin/jobs/released.c \
	plugin/jobs/released.h

plugin_sources += \
	plugin/jobs/estimates.c \
	plugin/jobs/estimates.h
