/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_list.h - the settings of all groups: one policy for the cluster, or
 * several policies, each with partitions of its own.
 *
 *   libra_policy=NAME                           all, or libra_partitions
 *   libra_policy=NAME:PART+PART,NAME:PART       one policy per group
 *   libra_KEY=VALUE                             for each group that has KEY
 *   libra_KEY:PART=VALUE                        for the group of a partition
 *
 * Each group has its own settings (conf.h).  If there are several groups, one
 * log path gives a file per group: with /var/log/libra.jsonl, the group whose
 * first partition is gpu has /var/log/libra.gpu.jsonl.
 *
 * Callers: the host under its lock; the libra command without one.
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
 * Result: 0, or -1 with ENOMEM; then nothing has to be freed.
 * Owner:  after 0 the caller calls libra_host_conf_list_fini().  A caller that
 *         takes an element over leaves zeros in its place.
 */
int libra_host_conf_list_init(struct libra_host_conf_list *list,
			      const char *sched_params,
			      libra_host_report_f report, void *arg);
void libra_host_conf_list_fini(struct libra_host_conf_list *list);

#endif
