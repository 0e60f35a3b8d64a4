/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned.c - what slurmctld's reserve goes by, for an engine that was made of
 * records: they do not have it.
 *
 * slurmctld saves the averages once a minute, where its own user alone may read
 * them.  Who may not is told that the answer goes without.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/base/units.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/state/averages.h"

static bool is_on(const struct libra_host_conf *conf, const char *name)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 name, NULL);

	return i >= 0 && conf->params[i] != 0;
}

/* Result: of the file, or NAN with errno. */
static double saved_s(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (double)st.st_mtime : NAN;
}

static void read_averages(const struct cli_cluster *cluster,
			  struct libra_engine *e, const char *path,
			  struct cli_learned *learned)
{
	double values[HOST_MOST_LEARNED];
	double at_s = saved_s(path);
	int n = host_averages_read(path, cluster->conf.policy->name, false,
				   values);

	if (n > 0 && libra_engine_relearn(e, values, (size_t)n, NULL) == 0) {
		learned->how = CLI_LEARNED_SAVED;
		learned->as_of_s = at_s;
	} else if (n >= 0 || errno == ENOENT) {
		learned->how = CLI_LEARNED_NONE;
	} else if (errno == ENOMEM) {
		cli_no_memory();
	} else {
		snprintf(learned->why, sizeof(learned->why), "%s",
			 strerror(errno));
	}
}

void cli_learn(const struct cli_cluster *cluster, struct libra_engine *e,
	       struct cli_learned *learned)
{
	char path[HOST_STATE_PATH];

	*learned = (struct cli_learned){.as_of_s = NAN};
	if (libra_engine_learned(e, NULL, 0) == 0)
		return;
	learned->machine = is_on(&cluster->conf, "machine_reserve");
	learned->used = learned->machine || is_on(&cluster->conf, "reserve");
	learned->how = CLI_LEARNED_HIDDEN;
	if (!cluster->state_folder) {
		snprintf(learned->why, sizeof(learned->why),
			 "slurmctld names no folder");
		return;
	}
	if (host_averages_path(path, cluster->state_folder,
			       cluster->conf.label))
		read_averages(cluster, e, path, learned);
	else
		snprintf(learned->why, sizeof(learned->why),
			 "its path is too long");
}

bool cli_learned_text(const struct cli_learned *learned, char text[256])
{
	char at[32];

	*text = '\0';
	if (learned->how == CLI_LEARNED_HIDDEN && learned->used) {
		snprintf(text, 256,
			 "What slurmctld knows of the load is hidden here "
			 "(%s): its reserve may refuse a large job that fits; "
			 "ask it with sbatch --test-only.",
			 learned->why);
		return true;
	}
	if (learned->how == CLI_LEARNED_NONE && learned->machine) {
		snprintf(text, 256,
			 "slurmctld has not saved what it knows of the load: "
			 "its reserve may refuse a large job that fits.");
		return true;
	}
	if (learned->how == CLI_LEARNED_SAVED && learned->machine) {
		libra_host_clock_text(learned->as_of_s, NAN, NAN, at);
		snprintf(text, 256,
			 "The load that its reserve goes by was saved at %s.",
			 at);
	}
	return false;
}
