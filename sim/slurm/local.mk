# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's own scheduler: a site's settings, nodes, accounts and jobs as its
# commands print them, and the rules by which slurmctld would start the jobs.
# Nothing here knows a promise, and nothing is linked into slurmctld.

sim_libsim_a_SOURCES += \
	sim/slurm/fairshare.c \
	sim/slurm/fairshare.h \
	sim/slurm/priority.c \
	sim/slurm/priority.h \
	sim/slurm/site.c \
	sim/slurm/site.h \
	sim/slurm/site_assoc.c \
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
	sim/slurm/site_values.c
