/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.c - libra settings: are the libra_ tokens right?
 *
 * They are read by the code that slurmctld reads them with.
 */
#include <stdbool.h>

#include "plugin/cli/cli.h"

struct check {
	FILE *out;
	bool wrong;
};

static void print_wrong(void *arg, const char *text)
{
	struct check *c = arg;

	c->wrong = true;
	fprintf(c->out, "%s\n", text);
}

int cli_check_settings(const char *tokens, FILE *out)
{
	struct check c = {.out = out};
	struct libra_host_conf conf;

	if (libra_host_conf_init(&conf, tokens, print_wrong, &c) < 0) {
		fputs("libra settings: out of memory\n", stderr);
		return CLI_FAILED;
	}
	if (!c.wrong)
		fprintf(out, "all settings are right: policy %s\n",
			conf.policy->name);
	libra_host_conf_fini(&conf);
	return c.wrong ? CLI_FAILED : CLI_DONE;
}
