/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.c - libra status: what it shows, for programs; status_text.c prints
 * for people.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/cli/selection.h"
#include "plugin/cli/status_text.h"

/* ---- for programs ---- */

static json_t *json_shares(const struct cli_node *node, const double *shares)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < node->procs; i++)
		json_array_append_new(list, json_real(shares[node->first + i]));
	return list;
}

static json_t *json_node(const struct cli_node *node, const double *shares,
			 const struct cli_offers *offers)
{
	return json_pack("{s:s, s:s, s:i, s:o, s:o}", "node", node->name,
			 "state", cli_node_state_name(node->state),
			 "processors", (int)node->procs, "shares",
			 json_shares(node, shares), "offered",
			 offers && offers->known
				 ? json_shares(node, offers->shares)
				 : json_null());
}

static json_t *json_offers(const struct cli_offers *offers)
{
	if (!offers || !offers->known)
		return json_null();
	return json_pack("{s:I, s:I}", "waiting", (json_int_t)offers->n,
			 "processors", (json_int_t)offers->nprocs);
}

static void set_text(json_t *row, const char *name, const char *text,
		     size_t len)
{
	json_object_set_new(row, name, json_stringn(text ? text : "", len));
}

static void set_number(json_t *row, const char *name, double value)
{
	json_object_set_new(row, name, json_real(value));
}

/* Jobs are many, and json_pack() reads its format for each. */
static json_t *json_row(const struct cli_row *row)
{
	const struct cli_job *job = row->job;
	const struct libra_promise *p = &job->promise;
	json_t *json = json_object();

	json_object_set_new(json, "job", json_string(job->label));
	json_object_set_new(json, "id", json_integer(job->id));
	json_object_set_new(json, "user", json_string(job->user));
	set_text(json, "partition", p->part.text, p->part.len);
	json_object_set_new(json, "state", json_string(job->state_name));
	json_object_set_new(json, "procs", json_integer(p->nprocs));
	json_object_set_new(json, "promised", json_boolean(p->offer != 0));
	json_object_set_new(json, "promise", json_string(cli_promise_state(p)));
	set_number(json, "estimate_s", p->estimate_s);
	cli_json_time(json, "deadline", p->deadline_s);
	cli_json_time(json, "submit", p->submit_s);
	json_object_set_new(json, "share", cli_json_number(row->now.share));
	json_object_set_new(json, "done", cli_json_number(row->now.done));
	json_object_set_new(json, "slack_s", cli_json_number(row->now.slack_s));
	set_number(json, "promised_share", p->share);
	set_number(json, "rate", row->now.rate);
	set_number(json, "late_s", row->late_s);
	json_object_set_new(json, "wait_reason",
			    job->reason ? json_string(job->reason)
					: json_null());
	set_text(json, "on", p->on.text, p->on.len);
	cli_json_times(json, "planned_starts", cli_planned_starts(job));
	return json;
}

/* The managed partitions that there are. */
static json_t *json_partitions(const struct cli_cluster *cluster)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < cluster->nparts; i++)
		if (cluster->parts[i].managed)
			json_array_append_new(
				list, json_string(cluster->parts[i].name));
	return list;
}

static json_t *json_group(const struct cli_group *g)
{
	const struct cli_cluster *cluster = g->cluster;
	json_t *nodes = json_array(), *jobs = json_array();

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (cluster->nodes[i].managed &&
		    cli_selects_node(cluster, g->selection, i))
			json_array_append_new(nodes,
					      json_node(&cluster->nodes[i],
							g->shares, g->offers));
	for (uint32_t i = 0; i < g->nrows; i++)
		json_array_append_new(jobs, json_row(&g->rows[i]));
	return json_pack("{s:s, s:o, s:i, s:o, s:o, s:o}", "policy",
			 cluster->conf.policy->name, "partitions",
			 json_partitions(cluster), "processors",
			 (int)cluster->nprocs, "nodes", nodes, "jobs", jobs,
			 "offers", json_offers(g->offers));
}

/* Add the sentences that the text has above its tables. */
static void add_warnings(const struct cli_cluster *cluster,
			 const struct cli_offers *offers, struct cli_output *o)
{
	if (!cluster->enabled)
		cli_warning(o, CLI_NOT_ENABLED);
	if (cluster->wrong)
		cli_warning(o, CLI_WRONG_SETTING);
	if (cluster->hidden)
		cli_warning(o, CLI_OTHERS_HIDDEN);
	for (size_t i = 0; offers && i < cluster->groups.n; i++)
		if (!offers[i].known && *offers[i].why.text)
			cli_warning(o, offers[i].why.text);
}

static void begin_data(const struct cli_cluster *cluster, struct cli_output *o)
{
	o->data = json_object();
	cli_json_time(o->data, "now", cluster->now_s);
	json_object_update_new(o->data,
			       json_pack("{s:b, s:b, s:[]}", "enabled",
					 cluster->enabled, "others_hidden",
					 cluster->hidden, "groups"));
	o->rows = json_array();
	o->columns = "job,user,partition,state,procs,promise,share,done,"
		     "deadline,slack_s,late_s,planned_starts,wait_reason,on";
}

/* ---- each group ---- */

static void add_group(const struct cli_group *g, struct cli_output *o)
{
	char nodes[192];
	json_t *json;

	if (!o->data) {
		cli_print_group(g, o->no_header, o->out);
		return;
	}
	cli_hidden_nodes(g->cluster, nodes);
	if (*nodes)
		cli_warning(o, nodes);
	json = json_group(g);
	json_array_extend(o->rows, json_object_get(json, "jobs"));
	json_array_append_new(json_object_get(o->data, "groups"), json);
}

int cli_print_status(struct cli_cluster *cluster,
		     const struct cli_offers *offers,
		     const struct cli_selection *selection,
		     struct cli_output *o)
{
	static const struct cli_selection all = {0};
	bool any = false;

	selection = selection ? selection : &all;
	if (o->json || o->parsable) {
		begin_data(cluster, o);
		add_warnings(cluster, offers, o);
	}
	for (size_t i = 0; i < cluster->groups.n; i++) {
		struct cli_group g = {
			.cluster = cluster,
			.selection = selection,
			.offers = offers ? &offers[i] : NULL,
		};
		struct cli_row *rows;
		double *shares;

		cli_cluster_choose(cluster, i);
		if (!cli_selects_group(cluster, selection))
			continue;
		if (any && !o->data)
			fputc('\n', o->out);
		any = true;
		g.shares = shares = cli_cluster_shares(cluster);
		g.nrows = cli_select_rows(cluster, selection, &rows);
		g.rows = rows;
		add_group(&g, o);
		free(shares);
		free(rows);
	}
	if (any)
		return CLI_DONE;
	if (!o->data)
		fprintf(o->out,
			"Partition %s is not managed: no promise is given "
			"there\n",
			selection->partitions);
	return CLI_NOT_MANAGED;
}
