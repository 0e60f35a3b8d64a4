# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's own scheduler: a site's settings, nodes, accounts and jobs as its
# commands print them, and the rules by which slurmctld would start the jobs.
# Only promises/ knows a promise, and nothing is linked into slurmctld.

include sim/slurm/promises/local.mk
include sim/slurm/sched/local.mk

sim_libsim_a_SOURCES += \
	sim/slurm/load.c \
	sim/slurm/load.h \
	sim/slurm/load_jobs.c \
	sim/slurm/load_jobs.h \
	sim/slurm/node_set.c \
	sim/slurm/node_set.h \
	sim/slurm/order.c \
	sim/slurm/order.h \
	sim/slurm/recording.c \
	sim/slurm/recording.h \
	sim/slurm/result.c \
	sim/slurm/result.h \
	sim/slurm/simulate.c \
	sim/slurm/simulate.h \
	sim/slurm/fairshare.c \
	sim/slurm/fairshare.h \
	sim/slurm/priority.c \
	sim/slurm/priority.h \
	sim/slurm/site.c \
	sim/slurm/site.h \
	sim/slurm/site_assoc.c \
	sim/slurm/site_change.c \
	sim/slurm/site_config.c \
	sim/slurm/site_impl.h \
	sim/slurm/site_jobs.c \
	sim/slurm/site_node.c \
	sim/slurm/site_node_list.c \
	sim/slurm/site_partitions.c \
	sim/slurm/site_qos.c \
	sim/slurm/site_records.c \
	sim/slurm/site_store.c \
	sim/slurm/site_table.c \
	sim/slurm/site_values.c \
	sim/slurm/steps.c \
	sim/slurm/steps.h \
	sim/slurm/submit_line.c \
	sim/slurm/submit_line.h
