/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.c - libra settings: are the libra_ tokens right?
 *
 * They are read by the code that slurmctld reads them with.
 */
#include <stdbool.h>

#include "plugin/cli/cli.h"
#include "plugin/base/conf_list.h"

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

/* "band", or "band of a+b" where other partitions have another policy. */
static void print_group(const struct libra_host_conf *conf, const char *comma,
			FILE *out)
{
	fprintf(out, "%s%s", comma, conf->policy->name);
	for (size_t i = 0; conf->label && i < conf->npartitions; i++)
		fprintf(out, "%s%s", i ? "+" : " of ", conf->partitions[i]);
}

int cli_check_settings(const char *tokens, FILE *out)
{
	struct check c = {.out = out};
	struct libra_host_conf_list list;

	if (libra_host_conf_list_init(&list, tokens, print_wrong, &c) < 0) {
		fputs("libra settings: out of memory\n", stderr);
		return CLI_FAILED;
	}
	if (!c.wrong)
		fputs("all settings are right: policy", out);
	for (size_t i = 0; !c.wrong && i < list.n; i++)
		print_group(&list.confs[i], i ? ", " : " ", out);
	if (!c.wrong)
		fputc('\n', out);
	libra_host_conf_list_fini(&list);
	return c.wrong ? CLI_FAILED : CLI_DONE;
}
