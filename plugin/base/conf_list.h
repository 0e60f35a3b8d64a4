/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_list.h - one policy for the cluster, or several, each for partitions of
 * its own.
 *
 *   libra_policy=NAME                           all, or libra_partitions
 *   libra_policy=NAME:PART+PART,NAME:PART       one policy for each group
 *   libra_KEY=VALUE                             for every group that knows it
 *   libra_KEY:PART=VALUE                        for the group of a partition
 *
 * Each group has settings of its own (conf.h).  Where there are several, a
 * decision log of one path becomes a file for each: /var/log/libra.jsonl that
 * of the group whose first partition is gpu is /var/log/libra.gpu.jsonl.
 */
#ifndef LIBRA_BASE_CONF_LIST_H
#define LIBRA_BASE_CONF_LIST_H

#include "plugin/base/conf.h"

enum { LIBRA_HOST_MAX_GROUPS = 16 };

struct libra_host_conf_list {
	struct libra_host_conf confs[LIBRA_HOST_MAX_GROUPS];
	size_t n; /* >= 1 */
};

/* Read the tokens of all groups.
 * Result: 0, or -1 with ENOMEM.
 * Owner:  the caller ends it with libra_host_conf_list_fini(); it may take a
 *         member out, and leave zeros there.
 */
int libra_host_conf_list_init(struct libra_host_conf_list *list,
			      const char *sched_params,
			      libra_host_report_f report, void *arg);
void libra_host_conf_list_fini(struct libra_host_conf_list *list);

#endif
