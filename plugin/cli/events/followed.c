/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * followed.c - which decision logs there are, by the settings (follow.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/text.h"
#include "plugin/cli/cluster.h"
#include "plugin/cli/events/follow.h"
#include "plugin/cli/print.h"

static void ignore(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* Its partitions, as in libra_policy: "gpu+main". */
static char *label_of(const struct libra_host_conf *conf)
{
	struct host_text label = {0};

	host_text_add(&label, "%s", "");
	for (size_t i = 0; i < conf->npartitions; i++)
		host_text_add(&label, "%s%s", i ? "+" : "",
			      conf->partitions[i]);
	if (label.cut)
		cli_no_memory();
	return label.text;
}

static char *copy_text(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		cli_no_memory();
	return copy;
}

int cli_followed_init(struct cli_followed logs[LIBRA_HOST_MAX_GROUPS],
		      const char *given, struct libra_error *err)
{
	struct libra_host_conf_list list;
	struct cli_cluster cluster;
	char *tokens;
	int n = 0;

	if (given) {
		logs[0] =
			(struct cli_followed){copy_text(given), copy_text("")};
		return 1;
	}
	tokens = cli_load_settings(&cluster, err);
	cli_cluster_fini(&cluster);
	if (!tokens)
		return -1;
	if (libra_host_conf_list_init(&list, tokens, ignore, NULL) < 0)
		cli_no_memory();
	free(tokens);
	for (size_t i = 0; i < list.n; i++)
		if (list.confs[i].log_path)
			logs[n++] = (struct cli_followed){
				copy_text(list.confs[i].log_path),
				label_of(&list.confs[i])};
	libra_host_conf_list_fini(&list);
	if (n == 0)
		return libra_errf(err, ENOENT,
				  "no decision log is written: set libra_log "
				  "in slurm.conf, or give --log=FILE");
	return n;
}

void cli_followed_fini(struct cli_followed *logs, int n)
{
	for (int i = 0; i < n; i++) {
		free(logs[i].path);
		free(logs[i].label);
	}
}
