/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.c - libra status: promised shares by node, and jobs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

#define NOT_ENABLED "JobSubmitPlugins does not name libra: no promise is given"
#define OTHERS_HIDDEN                                                          \
	"Jobs of other users are hidden (PrivateData): only the shares of "    \
	"your own jobs are counted"

static const char *state_name(enum libra_node_state state)
{
	static const char *const names[] = {"", "up", "drain", "down"};

	return names[state];
}

/* ---- for people ---- */

/* Processors with the same share together: "0-3: 0.33". */
static void print_shares(const struct cli_node *node, const double *shares,
			 bool in_turn, FILE *out)
{
	int digits = in_turn ? 0 : 2;
	uint32_t first = 0;

	for (uint32_t i = 1; i <= node->procs; i++) {
		if (i < node->procs && fabs(shares[i] - shares[first]) < 0.005)
			continue;
		if (i - first > 1)
			fprintf(out, "  %u-%u: %.*f", first, i - 1, digits,
				shares[first]);
		else
			fprintf(out, "  %u: %.*f", first, digits,
				shares[first]);
		first = i;
	}
	fputc('\n', out);
}

static bool any_offered(const struct cli_offers *offers,
			const struct cli_node *node)
{
	bool any = false;

	for (uint32_t i = 0; offers && offers->known && i < node->procs; i++)
		any = any || offers->shares[node->first + i] > 0;
	return any;
}

static void print_nodes(const struct cli_cluster *cluster, const double *shares,
			const struct cli_offers *offers, FILE *out)
{
	/* With turns a job has all of its processors or none. */
	bool in_turn = cli_cluster_in_turn(cluster);

	fprintf(out, "%-16s %-6s %s\n", "NODE", "STATE",
		in_turn ? "JOBS PROMISED EACH PROCESSOR, IN TURN"
			: "PROMISED SHARE OF EACH PROCESSOR");
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct cli_node *n = &cluster->nodes[i];

		if (!n->managed)
			continue;
		fprintf(out, "%-16s %-6s", n->name, state_name(n->state));
		print_shares(n, shares + n->first, in_turn, out);
		if (!any_offered(offers, n))
			continue;
		fprintf(out, "%-16s %-6s", "", "offers");
		print_shares(n, offers->shares + n->first, in_turn, out);
	}
}

/* Of submissions under way, which have processors and are in no record yet. */
static void print_offers(const struct cli_offers *offers, FILE *out)
{
	bool one;

	if (!offers || (offers->known && offers->n == 0))
		return;
	one = offers->n == 1;
	if (offers->known)
		fprintf(out,
			"%u offer%s for %s job%s, on %u processor%s: accepted, "
			"but not in the queue\n",
			offers->n, one ? " waits" : "s wait",
			one ? "its" : "their", one ? "" : "s", offers->nprocs,
			offers->nprocs == 1 ? "" : "s");
	else if (*offers->why.text)
		fprintf(out,
			"Offers that wait for their jobs are not known: "
			"%s\n",
			offers->why.text);
}

static void print_job(const struct cli_cluster *cluster,
		      const struct cli_job *job, FILE *out)
{
	const struct libra_promise *p = &job->promise;
	struct cli_part *parts;
	int64_t n = cli_job_parts(cluster, job, &parts);
	struct cli_progress now =
		cli_job_progress(cluster, job, parts, n > 0 ? (size_t)n : 0);
	char by[32], slack[32], late[32], bet[96] = "";
	char why[128] = "", share[16], start[32];

	cli_duration_text(ceil(cli_late_now_s(cluster, job)), late);
	if (p->late_s > 0)
		snprintf(bet, sizeof(bet), "  (%s: by its estimate %s late)",
			 p->broken_len > 0 ? "promise broken" : "bet", late);
	cli_clock_text(p->deadline_s, by);
	cli_duration_text(now.slack_s, slack);
	if (job->state == CLI_JOB_WAITING &&
	    (p->broken_len == 0 || cli_is_planned_late(p)) &&
	    !isnan(cli_planned_start(p))) {
		cli_clock_text(cli_planned_start(p), start);
		snprintf(why, sizeof(why), "  (planned start %s)", start);
	} else if (job->state == CLI_JOB_WAITING && job->reason)
		snprintf(why, sizeof(why), "  (waits: %s)", job->reason);
	if (libra_host_conf_plans(&cluster->conf))
		strcpy(share, job->state == CLI_JOB_RUNNING ? "runs" : "waits");
	else if (cli_gives_way(cluster, p))
		strcpy(share, "rest");
	else if (!cli_cluster_in_turn(cluster))
		snprintf(share, sizeof(share), "%.2f", now.share);
	else
		strcpy(share, job->state != CLI_JOB_RUNNING ? "waits"
			      : now.rate > 0		    ? "runs"
							    : "held");
	fprintf(out, "%-12s %-10.10s %-10.10s %5u %5s %4.0f%% %-19s %12s",
		job->label, job->user, job->state_name, p->nprocs, share,
		100 * now.done, by, slack);
	if (p->on_len)
		fprintf(out, "  %.*s%s%s\n", (int)p->on_len, p->on, bet, why);
	else
		fprintf(out, "  (%s)%s%s\n",
			strstr(job->comment, " promise=lost ")
				? "promise lost: best effort"
			: p->offer	 ? "placed when it starts"
			: p->refused_len ? "refused when it asked"
					 : "no promise yet",
			bet, why);
	free(parts);
}

/* The first number behind the label's '_', "12_[4-7]" too; 0 for a job. */
static unsigned long task_of(const struct cli_job *job)
{
	const char *at = strchr(job->label, '_');

	return at ? strtoul(at + 1 + (at[1] == '['), NULL, 10) : 0;
}

/* By job, tasks of an array by their index. */
static int compare(const void *a, const void *b)
{
	const struct cli_job *x = *(const struct cli_job *const *)a;
	const struct cli_job *y = *(const struct cli_job *const *)b;
	uint32_t i = x->array_id ? x->array_id : x->id;
	uint32_t k = y->array_id ? y->array_id : y->id;
	unsigned long s = task_of(x), t = task_of(y);

	if (i != k)
		return i < k ? -1 : 1;
	return s < t ? -1 : s > t;
}

/* The jobs in their order; the caller frees it. */
static const struct cli_job **sorted(const struct cli_cluster *cluster)
{
	const struct cli_job **jobs =
		calloc(cluster->njobs + 1u, sizeof(*jobs));

	if (!jobs)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->njobs; i++)
		jobs[i] = &cluster->jobs[i];
	qsort(jobs, cluster->njobs, sizeof(*jobs), compare);
	return jobs;
}

static void print_text(const struct cli_cluster *cluster, const double *shares,
		       const struct cli_offers *offers, FILE *out)
{
	const struct cli_job **jobs = sorted(cluster);
	bool any = false;

	fprintf(out, "Policy %s on %u processors of %u nodes",
		cluster->conf.policy->name, cluster->nprocs, cluster->nmanaged);
	for (size_t i = 0; cluster->conf.label && i < cluster->conf.npartitions;
	     i++)
		fprintf(out, "%s%s", i ? ", " : " of partition ",
			cluster->conf.partitions[i]);
	fputc('\n', out);
	if (!cluster->enabled)
		fputs(NOT_ENABLED "\n", out);
	if (cluster->hidden)
		fputs(OTHERS_HIDDEN "\n", out);
	print_offers(offers, out);
	if (!libra_host_conf_plans(&cluster->conf)) {
		fputc('\n', out);
		print_nodes(cluster, shares, offers, out);
	}
	for (uint32_t i = 0; i < cluster->njobs; i++) {
		const struct cli_job *job = jobs[i];

		if (!job->promised || job->state == CLI_JOB_OVER ||
		    !cli_cluster_has(cluster, job))
			continue;
		if (!any)
			fprintf(out,
				"\n%-12s %-10s %-10s %5s %5s %5s %-19s %12s"
				"  %s\n",
				"JOB", "USER", "STATE", "PROCS",
				libra_host_conf_plans(&cluster->conf) ? "PLAN"
				: cli_cluster_in_turn(cluster)	      ? "TURN"
								      : "SHARE",
				"DONE", "DEADLINE", "SLACK", "PROCESSORS");
		any = true;
		print_job(cluster, job, out);
	}
	free(jobs);
	if (!any)
		fputs("\nNo job has a promise\n", out);
}

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
	return json_pack(
		"{s:s, s:s, s:i, s:o, s:o}", "node", node->name, "state",
		state_name(node->state), "processors", (int)node->procs,
		"shares", json_shares(node, shares), "offered",
		offers && offers->known ? json_shares(node, offers->shares)
					: json_null());
}

static json_t *json_offers(const struct cli_offers *offers)
{
	if (!offers || !offers->known)
		return json_null();
	return json_pack("{s:I, s:I}", "waiting", (json_int_t)offers->n,
			 "processors", (json_int_t)offers->nprocs);
}

static json_t *json_job(const struct cli_cluster *cluster,
			const struct cli_job *job)
{
	const struct libra_promise *p = &job->promise;
	struct cli_part *parts;
	int64_t n = cli_job_parts(cluster, job, &parts);
	struct cli_progress now =
		cli_job_progress(cluster, job, parts, n > 0 ? (size_t)n : 0);
	json_t *json;

	free(parts);
	json = json_pack("{s:s, s:I, s:s, s:s#, s:s, s:i, s:b, s:s, s:f}",
			 "job", job->label, "id", (json_int_t)job->id, "user",
			 job->user, "partition", p->part_len ? p->part : "",
			 (int)p->part_len, "state", job->state_name, "procs",
			 (int)p->nprocs, "promised", p->offer != 0, "promise",
			 cli_promise_state(p), "estimate_s", p->estimate_s);
	cli_json_time(json, "deadline", p->deadline_s);
	cli_json_time(json, "submit", p->submit_s);
	json_object_update_new(
		json, json_pack("{s:o, s:o, s:o, s:f, s:f, s:f, s:s?, s:s#}",
				"share", cli_json_number(now.share), "done",
				cli_json_number(now.done), "slack_s",
				cli_json_number(now.slack_s), "promised_share",
				p->share, "rate", now.rate, "late_s",
				cli_late_now_s(cluster, job), "wait_reason",
				job->reason, "on", p->on_len ? p->on : "",
				(int)p->on_len));
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

static json_t *json_group(const struct cli_cluster *cluster,
			  const double *shares, const struct cli_offers *offers)
{
	json_t *nodes = json_array(), *jobs = json_array();

	for (uint32_t i = 0; i < cluster->nnodes; i++)
		if (cluster->nodes[i].managed)
			json_array_append_new(
				nodes,
				json_node(&cluster->nodes[i], shares, offers));
	for (uint32_t i = 0; i < cluster->njobs; i++)
		if (cluster->jobs[i].promised &&
		    cluster->jobs[i].state != CLI_JOB_OVER &&
		    cli_cluster_has(cluster, &cluster->jobs[i]))
			json_array_append_new(
				jobs, json_job(cluster, &cluster->jobs[i]));
	return json_pack("{s:s, s:o, s:i, s:o, s:o, s:o}", "policy",
			 cluster->conf.policy->name, "partitions",
			 json_partitions(cluster), "processors",
			 (int)cluster->nprocs, "nodes", nodes, "jobs", jobs,
			 "offers", json_offers(offers));
}

/* What the text says above its tables. */
static void add_warnings(const struct cli_cluster *cluster,
			 const struct cli_offers *offers, struct cli_output *o)
{
	if (!cluster->enabled)
		cli_warning(o, NOT_ENABLED);
	if (cluster->hidden)
		cli_warning(o, OTHERS_HIDDEN);
	for (size_t i = 0; offers && i < cluster->groups.n; i++)
		if (!offers[i].known && *offers[i].why.text)
			cli_warning(o, offers[i].why.text);
}

static json_t *begin_json(const struct cli_cluster *cluster)
{
	json_t *json = json_object();

	cli_json_time(json, "now", cluster->now_s);
	json_object_update_new(
		json, json_pack("{s:b, s:b, s:[]}", "enabled", cluster->enabled,
				"others_hidden", cluster->hidden, "groups"));
	return json;
}

int cli_print_status(struct cli_cluster *cluster,
		     const struct cli_offers *offers, struct cli_output *o)
{
	json_t *list;

	if (o->json) {
		o->data = begin_json(cluster);
		add_warnings(cluster, offers, o);
	}
	list = json_object_get(o->data, "groups");
	for (size_t i = 0; i < cluster->groups.n; i++) {
		const struct cli_offers *its = offers ? &offers[i] : NULL;
		double *shares;

		if (i && !o->json)
			fputc('\n', o->out);
		cli_cluster_choose(cluster, i);
		shares = cli_cluster_shares(cluster);
		if (o->json)
			json_array_append_new(list,
					      json_group(cluster, shares, its));
		else
			print_text(cluster, shares, its, o->out);
		free(shares);
	}
	return CLI_DONE;
}
