/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * texts.c - see texts.h.
 */
#include <limits.h>
#include <string.h>

#include "plugin/job_submit/texts.h"

/* Slurm's bounds, which are the same in all releases: _test_job_desc_fields()
 * in slurmctld/job_mgr.c.  Slurm bounds neither lists of nodes, nor --extra
 * before 23.02; and a script and the line of the command, which are not read
 * here, as the site says.
 */
enum { TEXT = 1024, NODES = 64 * 1024, LONG = 128 * 1024 };

#define FIELD(name) offsetof(job_desc_msg_t, name)

const struct libra_text libra_texts[] = {
	{FIELD(account), TEXT, "--account"},
	{FIELD(alloc_node), TEXT, "the submitting host's name"},
	{FIELD(array_inx), 4 * TEXT, "--array"},
	{FIELD(burst_buffer), 8 * TEXT, "--bb"},
	{FIELD(cluster_features), TEXT, "--cluster-constraint"},
	{FIELD(comment), TEXT, "--comment"},
	{FIELD(cpu_bind), LONG, "--cpu-bind"},
	{FIELD(cpus_per_tres), TEXT, "--cpus-per-gpu"},
	{FIELD(dependency), LONG, "--dependency"},
	{FIELD(exc_nodes), NODES, "--exclude"},
	{FIELD(extra), TEXT, "--extra"},
	{FIELD(features), TEXT, "--constraint"},
	{FIELD(licenses), TEXT, "--licenses"},
	{FIELD(mail_user), TEXT, "--mail-user"},
	{FIELD(mcs_label), TEXT, "--mcs-label"},
	{FIELD(mem_bind), LONG, "--mem-bind"},
	{FIELD(mem_per_tres), TEXT, "--mem-per-gpu"},
	{FIELD(name), TEXT, "--job-name"},
	{FIELD(network), TEXT, "--network"},
	{FIELD(partition), TEXT, "--partition"},
	{FIELD(prefer), TEXT, "--prefer"},
	{FIELD(qos), TEXT, "--qos"},
	{FIELD(req_nodes), NODES, "--nodelist"},
	{FIELD(reservation), TEXT, "--reservation"},
	{FIELD(std_err), PATH_MAX, "--error"},
	{FIELD(std_in), PATH_MAX, "--input"},
	{FIELD(std_out), PATH_MAX, "--output"},
	{FIELD(tres_bind), TEXT, "--tres-bind"},
	{FIELD(tres_freq), TEXT, "--gpu-freq"},
	{FIELD(tres_per_job), TEXT, "--gpus"},
	{FIELD(tres_per_node), TEXT, "--gres"},
	{FIELD(tres_per_socket), TEXT, "--gpus-per-socket"},
	{FIELD(tres_per_task), TEXT, "--gpus-per-task"},
	{FIELD(wckey), TEXT, "--wckey"},
	{FIELD(work_dir), PATH_MAX, "--chdir"},
	{0, 0, NULL},
};

const struct libra_text *libra_texts_cut(job_desc_msg_t *copy)
{
	const struct libra_text *first = NULL;

	for (const struct libra_text *t = libra_texts; t->option; t++) {
		char **text = (char **)((char *)copy + t->at);

		if (!*text || strnlen(*text, t->longest + 1) <= t->longest)
			continue;
		*text = NULL;
		if (!first)
			first = t;
	}
	return first;
}
