/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_text.c - libra status for people: 80 columns, and as many lines as can
 * be read.  Nodes that are alike share a line; of many jobs each user has a
 * line for each partition and state.  With --long there is a line for each, of
 * any width.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/base/units.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/cli/status_text.h"

enum {
	NODE_LINES = 16, /* more are summed up by state */
	JOB_LINES = 40,	 /* more are summed up by user, partition and state */
	SUM_LINES = 16,	 /* of these */
	SHARES_WIDTH = 80 - 23,
};

const char *cli_node_state_name(enum libra_node_state state)
{
	static const char *const names[] = {"", "up", "drain", "down"};

	return names[state];
}

/* ---- nodes ---- */

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
}

/* The sum of the shares of so many processors. */
struct sum {
	double least, most, all;
	uint32_t procs;
};

static void add_shares(struct sum *sum, const double *shares, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		sum->least =
			fmin(sum->procs ? sum->least : INFINITY, shares[i]);
		sum->most = fmax(sum->procs ? sum->most : 0, shares[i]);
		sum->all += shares[i];
		sum->procs++;
	}
}

static void print_sum(const struct sum *sum, bool in_turn, FILE *out)
{
	int digits = in_turn ? 0 : 2;

	fprintf(out, "  %u processors: %.*f to %.*f, %.2f in the mean",
		sum->procs, digits, sum->least, digits, sum->most,
		sum->procs ? sum->all / sum->procs : 0);
}

/* The shares of a node, or their sum, for the caller to free. */
static char *shares_text(const struct cli_node *node, const double *shares,
			 bool in_turn, bool summed)
{
	struct sum sum = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *fp = open_memstream(&text, &len);
	bool whole;

	if (!fp)
		cli_no_memory();
	add_shares(&sum, shares, node->procs);
	if (summed)
		print_sum(&sum, in_turn, fp);
	else
		print_shares(node, shares, in_turn, fp);
	whole = !ferror(fp);
	if (fclose(fp) != 0 || !whole || !text)
		cli_no_memory();
	return text;
}

/* The same; fit: in a line of 80 columns. */
static char *fit_shares(const struct cli_node *node, const double *shares,
			bool in_turn, bool fit)
{
	char *text = shares_text(node, shares, in_turn, false);

	if (!fit || strlen(text) <= SHARES_WIDTH)
		return text;
	free(text);
	return shares_text(node, shares, in_turn, true);
}

static bool any_offered(const struct cli_offers *offers,
			const struct cli_node *node)
{
	bool any = false;

	for (uint32_t i = 0; offers && offers->known && i < node->procs; i++)
		any = any || offers->shares[node->first + i] > 0;
	return any;
}

/* Nodes that are alike and follow each other by their numbers: "n[1-12]". */
struct node_line {
	const struct cli_node *first, *last;
	char *shares, *offers; /* the latter NULL: none */
};

/* Return where the number at the end of a name begins. */
static size_t number_at(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	return n;
}

static bool follows(const char *name, const char *before)
{
	size_t at = number_at(name);

	return name[at] && number_at(before) == at &&
	       strlen(name) == strlen(before) &&
	       strncmp(name, before, at) == 0 &&
	       strtoul(name + at, NULL, 10) ==
		       strtoul(before + at, NULL, 10) + 1;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_alike(const struct node_line *a, const struct node_line *b)
{
	return a->last->state == b->first->state &&
	       same_text(a->shares, b->shares) &&
	       same_text(a->offers, b->offers) &&
	       follows(b->first->name, a->last->name);
}

static void free_line(struct node_line *line)
{
	free(line->shares);
	free(line->offers);
}

/* Result: the number of lines, which the caller frees. */
static uint32_t make_lines(const struct cli_group *g, bool in_turn,
			   struct node_line **lines)
{
	const struct cli_cluster *cluster = g->cluster;
	bool fit = !g->selection->all_lines;
	uint32_t n = 0;

	*lines = calloc(cluster->nnodes + 1u, sizeof(**lines));
	if (!*lines)
		cli_no_memory();
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct cli_node *node = &cluster->nodes[i];
		struct node_line *line = &(*lines)[n];

		if (!node->managed ||
		    !cli_selects_node(cluster, g->selection, i))
			continue;
		*line = (struct node_line){.first = node, .last = node};
		line->shares =
			fit_shares(node, g->shares + node->first, in_turn, fit);
		if (any_offered(g->offers, node))
			line->offers = fit_shares(
				node, g->offers->shares + node->first, in_turn,
				fit);
		if (fit && n > 0 && is_alike(&line[-1], line)) {
			line[-1].last = node;
			free_line(line);
		} else {
			n++;
		}
	}
	return n;
}

static void print_line(const struct node_line *line, FILE *out)
{
	const char *name = line->first->name;
	int at = (int)number_at(name);
	char both[256];

	if (line->first == line->last)
		snprintf(both, sizeof(both), "%s", name);
	else
		snprintf(both, sizeof(both), "%.*s[%s-%s]", at, name, name + at,
			 line->last->name + at);
	fprintf(out, "%-16s %-6s%s\n", both,
		cli_node_state_name(line->first->state), line->shares);
	if (line->offers)
		fprintf(out, "%-16s %-6s%s\n", "", "offers", line->offers);
}

/* One line for all nodes of a state. */
static void print_states(const struct cli_group *g, bool in_turn, FILE *out)
{
	for (int state = LIBRA_NODE_UP; state <= LIBRA_NODE_DOWN; state++) {
		struct sum sum = {0};
		uint32_t nodes = 0;
		char count[32];

		for (uint32_t i = 0; i < g->cluster->nnodes; i++) {
			const struct cli_node *node = &g->cluster->nodes[i];

			if (!node->managed || (int)node->state != state ||
			    !cli_selects_node(g->cluster, g->selection, i))
				continue;
			add_shares(&sum, g->shares + node->first, node->procs);
			nodes++;
		}
		snprintf(count, sizeof(count), "%u node%s", nodes,
			 nodes == 1 ? "" : "s");
		if (nodes == 0)
			continue;
		fprintf(out, "%-16s %-6s", count,
			cli_node_state_name((enum libra_node_state)state));
		print_sum(&sum, in_turn, out);
		fputc('\n', out);
	}
}

static void print_nodes(const struct cli_group *g, bool no_header, FILE *out)
{
	/* With turns a job has all of its processors or none. */
	bool in_turn = cli_cluster_in_turn(g->cluster);
	struct node_line *lines;
	uint32_t n = make_lines(g, in_turn, &lines);

	if (!no_header)
		fprintf(out, "\n%-16s %-6s %s\n", "NODE", "STATE",
			in_turn ? "JOBS PROMISED EACH PROCESSOR, IN TURN"
				: "PROMISED SHARE OF EACH PROCESSOR");
	if (n > NODE_LINES && !g->selection->all_lines)
		print_states(g, in_turn, out);
	for (uint32_t i = 0; i < n; i++) {
		if (n <= NODE_LINES || g->selection->all_lines)
			print_line(&lines[i], out);
		free_line(&lines[i]);
	}
	free(lines);
}

/* Print the submissions under way: they hold processors and are in no record
 * yet.
 */
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

/* ---- a line for each job, of any width ---- */

/* The share of a job now, or whether it has its turn. */
static const char *share_text(const struct cli_cluster *cluster,
			      const struct cli_row *row, char text[16])
{
	bool runs = row->job->state == CLI_JOB_RUNNING;

	if (libra_host_conf_plans(&cluster->conf))
		return runs ? "runs" : "waits";
	if (cli_gives_way(cluster, &row->job->promise))
		return "rest";
	if (cli_cluster_in_turn(cluster))
		return !runs ? "waits" : row->now.rate > 0 ? "runs" : "held";
	snprintf(text, 16, "%.2f", row->now.share);
	return text;
}

static const char *share_heading(const struct cli_cluster *cluster)
{
	return libra_host_conf_plans(&cluster->conf) ? "PLAN"
	       : cli_cluster_in_turn(cluster)	     ? "TURN"
						     : "SHARE";
}

static void print_long_heading(const struct cli_cluster *cluster, FILE *out)
{
	fprintf(out, "%-12s %-10s %-10s %5s %5s %5s %-19s %12s  %s\n", "JOB",
		"USER", "STATE", "PROCS", share_heading(cluster), "DONE",
		"DEADLINE", "SLACK", "PROCESSORS");
}

static void print_long_row(const struct cli_cluster *cluster,
			   const struct cli_row *row, FILE *out)
{
	const struct cli_job *job = row->job;
	const struct libra_promise *p = &job->promise;
	char by[32], slack[32], late[32], bet[96] = "";
	char why[128] = "", share[16], start[32];

	libra_host_duration_text(ceil(row->late_s), late);
	if (p->late_s > 0)
		snprintf(bet, sizeof(bet), "  (%s: by its estimate %s late)",
			 p->broken.len > 0 ? "promise broken" : "bet", late);
	cli_clock_text(p->deadline_s, cluster->now_s, by);
	libra_host_duration_text(row->now.slack_s, slack);
	if ((p->broken.len == 0 || cli_is_planned_late(p)) &&
	    !isnan(row->start_s)) {
		cli_clock_text(row->start_s, cluster->now_s, start);
		snprintf(why, sizeof(why), "  (planned start %s)", start);
	} else if (job->state == CLI_JOB_WAITING && job->reason)
		snprintf(why, sizeof(why), "  (waits: %s)", job->reason);
	fprintf(out, "%-12s %-10.10s %-10.10s %5u %5s %4.0f%% %-19s %12s",
		job->label, job->user, job->state_name, p->nprocs,
		share_text(cluster, row, share), 100 * row->now.done, by,
		slack);
	if (p->on.len)
		fprintf(out, "  %.*s%s%s\n", (int)p->on.len, p->on.text, bet,
			why);
	else
		fprintf(out, "  (%s)%s%s\n",
			p->lost		 ? "promise lost: best effort"
			: p->offer	 ? "placed when it starts"
			: p->refused.len ? "refused when it asked"
					 : "no promise yet",
			bet, why);
}

/* ---- a line of 80 columns for each job ---- */

static void print_short_heading(const struct cli_cluster *cluster, FILE *out)
{
	fprintf(out, "%-12s %-8s %-7s %5s %-8s ", "JOB", "USER", "STATE",
		"PROCS", "PROMISE");
	if (libra_host_conf_plans(&cluster->conf))
		fprintf(out, "%-11s", "START");
	else
		fprintf(out, "%5s %4s", share_heading(cluster), "DONE");
	fprintf(out, " %-11s %12s\n", "DEADLINE", "SLACK");
}

static void print_short_row(const struct cli_cluster *cluster,
			    const struct cli_row *row, FILE *out)
{
	const struct cli_job *job = row->job;
	const struct libra_promise *p = &job->promise;
	char by[32], slack[32], start[32], share[16];

	cli_print_cut(job->label, strlen(job->label), 12, out);
	cli_print_cut(job->user, strlen(job->user), 8, out);
	cli_print_cut(job->state_name, strlen(job->state_name), 7, out);
	fprintf(out, "%5u %-8s ", p->nprocs, cli_promise_state(p));
	if (!libra_host_conf_plans(&cluster->conf)) {
		fprintf(out, "%5s %3.0f%%", share_text(cluster, row, share),
			100 * fmin(row->now.done, 9.99));
	} else {
		cli_short_clock(row->start_s, cluster->now_s, start);
		fprintf(out, "%-11s",
			job->state == CLI_JOB_RUNNING ? "runs" : start);
	}
	cli_short_clock(p->deadline_s, cluster->now_s, by);
	libra_host_duration_text(row->now.slack_s, slack);
	fprintf(out, " %-11s %12s\n", by, slack);
}

/* ---- a line for many jobs ---- */

/* Jobs of one user in one partition and state. */
struct job_sum {
	const struct cli_job *first;
	uint32_t jobs, late;
	uint64_t procs;
	double deadline_s, slack_s; /* the nearest, the least */
};

static bool is_summed(const struct job_sum *sum, const struct cli_job *job)
{
	const struct libra_promise *p = &sum->first->promise;
	const struct libra_promise *q = &job->promise;

	return strcmp(sum->first->user, job->user) == 0 &&
	       strcmp(sum->first->state_name, job->state_name) == 0 &&
	       p->part.len == q->part.len &&
	       (p->part.len == 0 ||
		strncmp(p->part.text, q->part.text, p->part.len) == 0);
}

/* Sums in the order of their first jobs.
 * Result: their number; the caller frees them.
 */
static uint32_t sum_up(const struct cli_group *g, struct job_sum **sums)
{
	uint32_t n = 0;

	*sums = calloc(g->nrows + 1u, sizeof(**sums));
	if (!*sums)
		cli_no_memory();
	for (uint32_t i = 0; i < g->nrows; i++) {
		const struct cli_row *row = &g->rows[i];
		const struct libra_promise *p = &row->job->promise;
		struct job_sum *s = *sums;

		while (s < *sums + n && !is_summed(s, row->job))
			s++;
		if (s == *sums + n)
			(*sums)[n++] = (struct job_sum){
				.first = row->job,
				.deadline_s = INFINITY,
				.slack_s = INFINITY,
			};
		s->jobs++;
		s->procs += (uint64_t)p->nprocs * row->job->tasks;
		s->late += row->late_s > 0 || row->now.slack_s < 0;
		s->deadline_s = fmin(s->deadline_s, p->deadline_s);
		s->slack_s = fmin(s->slack_s, row->now.slack_s);
	}
	return n;
}

static void print_job_sum(const struct cli_cluster *cluster,
			  const struct job_sum *s, FILE *out)
{
	const struct libra_promise *p = &s->first->promise;
	char by[32], slack[32];

	cli_print_cut(s->first->user, strlen(s->first->user), 10, out);
	cli_print_cut(p->part.len ? p->part.text : "", p->part.len, 11, out);
	cli_print_cut(s->first->state_name, strlen(s->first->state_name), 9,
		      out);
	cli_short_clock(s->deadline_s, cluster->now_s, by);
	libra_host_duration_text(s->slack_s, slack);
	fprintf(out, "%6u %8llu %6u %-11s %12s\n", s->jobs,
		(unsigned long long)s->procs, s->late, by, slack);
}

static void print_sums(const struct cli_group *g, bool no_header, FILE *out)
{
	struct job_sum *sums;
	uint32_t n = sum_up(g, &sums), jobs = 0;

	if (!no_header)
		fprintf(out, "%-10s %-11s %-9s %6s %8s %6s %-11s %12s\n",
			"USER", "PARTITION", "STATE", "JOBS", "PROCS", "LATE",
			"FIRST DUE", "LEAST SLACK");
	for (uint32_t i = 0; i < n; i++) {
		if (i < SUM_LINES)
			print_job_sum(g->cluster, &sums[i], out);
		else
			jobs += sums[i].jobs;
	}
	if (jobs > 0)
		fprintf(out, "and %u jobs in %u more such lines\n", jobs,
			n - SUM_LINES);
	if (!no_header)
		fprintf(out,
			"%u jobs: --user and --partition show fewer, --long "
			"has a line for each\n",
			g->nrows);
	free(sums);
}

/* ---- all of it ---- */

static void print_jobs(const struct cli_group *g, bool no_header, FILE *out)
{
	bool all = g->selection->all_lines;

	if (!no_header || !libra_host_conf_plans(&g->cluster->conf))
		fputc('\n', out);
	if (!all && g->nrows > JOB_LINES) {
		print_sums(g, no_header, out);
		return;
	}
	if (!no_header && all)
		print_long_heading(g->cluster, out);
	else if (!no_header)
		print_short_heading(g->cluster, out);
	for (uint32_t i = 0; i < g->nrows; i++)
		if (all)
			print_long_row(g->cluster, &g->rows[i], out);
		else
			print_short_row(g->cluster, &g->rows[i], out);
}

static void print_policy(const struct cli_cluster *cluster, FILE *out)
{
	char now[32];

	fprintf(out, "Policy %s on %u processors of %u nodes",
		cluster->conf.policy->name, cluster->nprocs, cluster->nmanaged);
	for (size_t i = 0; cluster->conf.label && i < cluster->conf.npartitions;
	     i++)
		fprintf(out, "%s%s", i ? ", " : " of partition ",
			cluster->conf.partitions[i]);
	libra_host_clock_text(floor(cluster->now_s), NAN, NAN, now);
	fprintf(out, " at %s\n", now);
}

void cli_hidden_nodes(const struct cli_cluster *cluster, char text[192])
{
	uint32_t n = cluster->nhidden;

	*text = '\0';
	if (n == 0)
		return;
	snprintf(text, 192,
		 "%u more node%s hidden and not counted: Slurm shows "
		 "powered-down nodes of State=CLOUD only with "
		 "PrivateData=cloud in slurm.conf",
		 n, n == 1 ? " is" : "s are");
}

void cli_print_group(const struct cli_group *g, bool no_header, FILE *out)
{
	const struct cli_cluster *cluster = g->cluster;
	char nodes[192];

	if (!no_header)
		print_policy(cluster, out);
	cli_hidden_nodes(cluster, nodes);
	if (*nodes)
		fprintf(out, "%s\n", nodes);
	if (!cluster->enabled)
		fputs(CLI_NOT_ENABLED "\n", out);
	if (cluster->wrong)
		fputs(CLI_WRONG_SETTING "\n", out);
	if (cluster->hidden)
		fputs(CLI_OTHERS_HIDDEN "\n", out);
	print_offers(g->offers, out);
	if (!libra_host_conf_plans(&cluster->conf))
		print_nodes(g, no_header, out);
	if (g->nrows > 0)
		print_jobs(g, no_header, out);
	else if (!no_header)
		fputs("\nNo job has a promise\n", out);
}
