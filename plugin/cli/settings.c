/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings.c - libra settings: are the libra_ tokens right?
 *
 * They are read by the code that slurmctld reads them with.
 */
#include <stdbool.h>
#include <stdio.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/base/conf_list.h"

struct check {
	FILE *out; /* NULL: only collect */
	json_t *wrong;
};

static void print_wrong(void *arg, const char *text)
{
	struct check *c = arg;

	json_array_append_new(c->wrong, json_string(text));
	if (c->out)
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

static void print_text(const struct libra_host_conf_list *list, FILE *out)
{
	fputs("all settings are right: policy", out);
	for (size_t i = 0; i < list->n; i++)
		print_group(&list->confs[i], i ? ", " : " ", out);
	fputc('\n', out);
}

static json_t *json_policies(const struct libra_host_conf_list *list)
{
	json_t *policies = json_array();

	for (size_t i = 0; i < list->n; i++) {
		const struct libra_host_conf *conf = &list->confs[i];
		json_t *names = json_array();

		for (size_t k = 0; k < conf->npartitions; k++)
			json_array_append_new(names,
					      json_string(conf->partitions[k]));
		json_array_append_new(policies,
				      json_pack("{s:s, s:o}", "policy",
						conf->policy->name,
						"partitions", names));
	}
	return policies;
}

int cli_check_settings(const char *tokens, struct cli_output *o)
{
	struct check c = {.out = o->json ? NULL : o->out,
			  .wrong = json_array()};
	struct libra_host_conf_list list;
	bool wrong;

	if (libra_host_conf_list_init(&list, tokens, print_wrong, &c) < 0)
		cli_no_memory();
	wrong = json_array_size(c.wrong) > 0;
	if (o->json)
		o->data = json_pack("{s:O, s:o}", "wrong", c.wrong, "policies",
				    json_policies(&list));
	else if (!wrong)
		print_text(&list, o->out);
	json_decref(c.wrong);
	libra_host_conf_list_fini(&list);
	return wrong ? CLI_FAILED : CLI_DONE;
}
