/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if.c - libra what-if: a verdict without submitting.
 *
 * For a policy of shares an engine is filled from the job records, as slurmctld
 * does after a restart, and asked.  Nothing is reserved: another submission may
 * come first.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/base/units.h"

static bool read_count(const char **s, uint32_t *n)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	v = strtoul(*s, &end, 10);
	if (v < 1 || v > 1000000)
		return false;
	*n = (uint32_t)v;
	*s = end;
	return true;
}

int cli_parse_nodes(const char *text, uint32_t *min, uint32_t *max)
{
	uint32_t low, high = 0;

	if (!read_count(&text, &low))
		goto bad;
	if (*text == '-') {
		text++;
		if (!read_count(&text, &high) || high < low)
			goto bad;
	}
	if (*text)
		goto bad;
	*min = low;
	*max = high;
	return 0;
bad:
	errno = EINVAL;
	return -1;
}

/* Set the processors of a partition, in the engine's numbers, if they are not
 * all.
 * Result: 0, or -1 with ENOMEM.
 */
static int set_allowed(const struct cli_cluster *cluster,
		       const struct cli_partition *part,
		       struct libra_where *where, struct libra_range **allowed)
{
	struct libra_range *last = NULL;
	uint32_t n = 0;
	bool all = true;

	*allowed = calloc(cluster->nnodes + 1u, sizeof(**allowed));
	if (!*allowed)
		return -1;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct cli_node *node = &cluster->nodes[i];

		if (!node->managed)
			continue;
		if (!part->nodes[i]) {
			all = false;
		} else if (last && last->first + last->count == node->first) {
			last->count += node->procs;
		} else {
			last = &(*allowed)[n++];
			*last = (struct libra_range){node->first, node->procs};
		}
	}
	if (!all) {
		where->allowed = *allowed;
		where->nallowed = n;
	}
	return 0;
}

/* Answer by a rule of the cluster, before the policy is asked. */
static void ask_rules(const struct cli_cluster *cluster,
		      const struct cli_request *r,
		      const struct cli_partition *part, struct cli_answer *a)
{
	char most[32];

	if (!cluster->enabled) {
		a->by = CLI_BY_NO_MANAGER;
		snprintf(a->why, sizeof(a->why),
			 "JobSubmitPlugins does not name libra");
	} else if (!part->managed) {
		a->by = CLI_BY_NO_MANAGER;
		snprintf(a->why, sizeof(a->why),
			 "partition %s is not managed (it is not in "
			 "libra_partitions): name another with --partition",
			 part->name);
	} else if (!libra_host_conf_plans(&cluster->conf) &&
		   r->deadline_s - cluster->now_s >
			   libra_host_minutes_s(part->max_minutes)) {
		a->by = CLI_BY_MAX_TIME;
		libra_host_duration_text(60.0 * part->max_minutes, most);
		snprintf(a->why, sizeof(a->why),
			 "MaxTime of partition %s ends a job after %s, and a "
			 "promised one may take until its deadline: give a "
			 "nearer one",
			 part->name, most);
	}
}

int cli_what_if_rules(const struct cli_cluster *cluster,
		      const struct cli_request *r, struct cli_answer *a,
		      struct libra_error *err)
{
	const struct cli_partition *part =
		cli_cluster_partition(cluster, r->partition);

	*a = (struct cli_answer){
		.job = {.submit_s = cluster->now_s,
			.estimate_s = r->estimate_s,
			.deadline_s = r->deadline_s},
		.earliest_s = INFINITY,
		.try_s = INFINITY,
	};
	if (!part)
		return libra_errf(err, ENOENT, "there is no %s%s",
				  r->partition ? "partition "
					       : "default partition: give ",
				  r->partition ? r->partition : "--partition");
	if (!isfinite(r->estimate_s) || r->estimate_s <= 0)
		return libra_errf(err, EINVAL,
				  "--time is the estimate of the run time: it "
				  "must be positive and not unlimited");
	if (r->deadline_s <= cluster->now_s)
		return libra_errf(err, EINVAL,
				  "the deadline is in the past: give a later "
				  "one");
	a->share_needed = r->estimate_s / (r->deadline_s - cluster->now_s);
	ask_rules(cluster, r, part, a);
	return 0;
}

/* A policy that plans goes by all jobs, and where jobs take turns a reserve
 * goes by what was learned of the load.
 */
bool cli_slurmctld_answers(const struct libra_host_conf *conf)
{
	return libra_host_conf_plans(conf) || libra_host_conf_in_turn(conf);
}

/* Can an engine that was made of records answer for slurmctld? */
static int check_knowledge(const struct cli_cluster *cluster,
			   struct libra_error *err)
{
	if (cli_slurmctld_answers(&cluster->conf))
		return libra_errf(
			err, ENOTSUP,
			"policy %s goes by more than the records have: ask "
			"slurmctld with sbatch --test-only",
			cluster->conf.policy->name);
	if (cluster->hidden)
		return libra_errf(
			err, EPERM,
			"jobs of other users are hidden from you "
			"(PrivateData=jobs), so their shares are not known; "
			"ask slurmctld with sbatch --test-only");
	return 0;
}

uint32_t cli_request_procs(const struct cli_cluster *cluster,
			   const struct cli_request *r,
			   struct libra_where *where)
{
	uint32_t per = cluster->cpus_per_proc, procs;

	where->chunk = 1;
	if (r->cpus_per_task > 1)
		where->chunk = (r->cpus_per_task + per - 1) / per;
	where->min_nodes = r->min_nodes > 1 ? r->min_nodes : 0;
	where->max_nodes = r->max_nodes;
	procs = (r->tasks * r->cpus_per_task + per - 1) / per;
	if (r->cpus_per_task > 1)
		procs = r->tasks * where->chunk;
	if (procs < r->min_nodes * where->chunk)
		procs = r->min_nodes * where->chunk;
	return procs;
}

/* Nodes of the partition that a task fits on, as slurmctld counts them. */
static void count_room(const struct cli_cluster *cluster,
		       const struct cli_partition *part,
		       const struct cli_request *r,
		       const struct libra_where *where, struct cli_answer *a)
{
	a->chunk = where->chunk;
	a->min_nodes = r->min_nodes;
	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct cli_node *node = &cluster->nodes[i];

		if (!node->managed || !part->nodes[i])
			continue;
		if (node->procs > a->largest)
			a->largest = node->procs;
		a->fit_nodes += node->procs >= where->chunk;
		a->fit_procs += node->procs - node->procs % where->chunk;
	}
}

static bool fits(const struct cli_answer *a)
{
	return a->fit_nodes > 0 && a->fit_nodes >= a->min_nodes &&
	       a->fit_procs >= a->job.nprocs;
}

static int ask(const struct cli_cluster *cluster, struct libra_engine *e,
	       struct cli_answer *a, struct libra_error *err)
{
	if (libra_engine_offer(e, &a->job, cluster->now_s, &a->verdict, err) <
	    0)
		return -1;
	if (a->verdict.answer != LIBRA_REJECT ||
	    a->verdict.reason == LIBRA_REASON_TOO_LARGE)
		return 0;
	/* Nobody waits for this engine.  Where memory ends a search finds
	 * nothing.
	 */
	libra_engine_allow_search(e, UINT64_MAX);
	errno = 0;
	a->earliest_s =
		libra_engine_earliest_deadline(e, &a->job, cluster->now_s);
	a->try_s = libra_engine_advise(e, &a->job, 1, a->earliest_s, 60,
				       cluster->now_s);
	a->bound = !libra_engine_earliest_is_exact(e, 1);
	return errno == ENOMEM ? libra_no_memory(err, NULL) : 0;
}

int cli_what_if(const struct cli_cluster *cluster, const struct cli_request *r,
		struct cli_answer *a, struct libra_error *err)
{
	const struct cli_partition *part =
		cli_cluster_partition(cluster, r->partition);
	struct libra_where where = {0};
	struct libra_range *allowed = NULL;
	struct libra_engine *e;
	int rc = -1;

	if (cli_what_if_rules(cluster, r, a, err) < 0)
		return -1;
	if (a->by != CLI_BY_POLICY)
		return 0;
	if (check_knowledge(cluster, err) < 0)
		return -1;
	a->job.nprocs = cli_request_procs(cluster, r, &where);
	if (set_allowed(cluster, part, &where, &allowed) < 0)
		return libra_no_memory(err, NULL);
	if (where.allowed || where.chunk > 1 || where.min_nodes ||
	    where.max_nodes)
		a->job.where = &where;
	count_room(cluster, part, r, &where, a);
	if (fits(a)) {
		e = cli_cluster_engine(cluster, err);
		if (e)
			rc = ask(cluster, e, a, err);
		libra_engine_destroy(e);
	} else {
		a->verdict.answer = LIBRA_REJECT;
		a->verdict.reason = LIBRA_REASON_TOO_LARGE;
		rc = 0;
	}
	free(allowed);
	a->job.where = NULL;
	return rc;
}

static bool is_refused(const struct cli_answer *a)
{
	return a->by == CLI_BY_MAX_TIME ||
	       (a->by == CLI_BY_POLICY && a->verdict.answer == LIBRA_REJECT);
}

static const char *reason_of(const struct cli_answer *a)
{
	return a->by == CLI_BY_MAX_TIME ? "max_time"
	       : a->by == CLI_BY_NO_MANAGER
		       ? "not_managed"
		       : libra_reason_name(a->verdict.reason);
}

static void print_advice(const struct cli_answer *a, double now_s, FILE *out)
{
	static const char nearer[] = " (a nearer one may do)";
	double before_s = now_s + a->try_s - fmax(60, a->try_s / 100);
	char text[32];

	cli_clock_text(a->earliest_s, now_s, text);
	fprintf(out, "earliest deadline now: %s%s\n", text,
		a->bound ? nearer : "");
	if (isfinite(a->try_s))
		fprintf(out, "try --deadline=now+%.0fminutes%s\n",
			a->try_s / 60,
			a->bound || before_s < a->earliest_s ? "" : nearer);
}

static void print_too_large(const struct cli_answer *a, FILE *out)
{
	fputs("would be refused (too_large): ", out);
	if (a->largest < a->chunk)
		fprintf(out,
			"%u processors on one node: no node has more than %u: "
			"give a task fewer CPUs\n",
			a->chunk, a->largest);
	else if (a->fit_nodes < a->min_nodes)
		fprintf(out,
			"%u nodes: the partition has %u that are large enough: "
			"ask for fewer\n",
			a->min_nodes, a->fit_nodes);
	else
		fprintf(out,
			"%u processors: there are %u processors for such "
			"tasks: ask for fewer\n",
			a->job.nprocs, a->fit_procs);
}

static void print_refusal(const struct cli_answer *a, double now_s, FILE *out)
{
	char text[32], run[32];

	if (a->verdict.reason == LIBRA_REASON_TOO_LARGE) {
		print_too_large(a, out);
		return;
	}

	cli_clock_text(a->job.deadline_s, now_s, text);
	libra_host_duration_text(a->job.estimate_s, run);
	fprintf(out,
		"would be refused (%s): %u processor%s for %s by %s need%s a "
		"share of %.2f each\n",
		libra_reason_name(a->verdict.reason), a->job.nprocs,
		a->job.nprocs == 1 ? "" : "s", run, text,
		a->job.nprocs == 1 ? "s" : "", a->share_needed);
	if (!isfinite(a->earliest_s)) {
		fputs("no deadline would be accepted now: wait until a job "
		      "ends, or ask for less\n",
		      out);
	} else {
		print_advice(a, now_s, out);
	}
}

static void print_acceptance(const struct cli_answer *a, double now_s,
			     FILE *out)
{
	const char *s = a->job.nprocs == 1 ? "" : "s";
	char text[32], what[64];

	snprintf(what, sizeof(what), "share %.2f of %u processor%s",
		 a->verdict.share, a->job.nprocs, s);
	if (!(a->verdict.late_s > 0)) {
		cli_clock_text(a->job.deadline_s, now_s, text);
		fprintf(out, "would be accepted: %s, finish expected by %s\n",
			what, text);
		return;
	}
	libra_host_duration_text(ceil(a->verdict.late_s), text);
	fprintf(out,
		"would be accepted as a bet: %s\n"
		"no promise: by its estimate it ends %s after its deadline; it "
		"is in time only if it takes less\n",
		what, text);
}

static void print_text(const struct cli_cluster *cluster,
		       const struct cli_answer *a, FILE *out)
{
	char text[32];

	if (a->by == CLI_BY_NO_MANAGER)
		fprintf(out, "would get no promise: %s\n", a->why);
	else if (a->by == CLI_BY_MAX_TIME)
		fprintf(out, "would be refused (%s): %s\n", reason_of(a),
			a->why);
	else if (a->verdict.answer == LIBRA_REJECT)
		print_refusal(a, cluster->now_s, out);
	else
		print_acceptance(a, cluster->now_s, out);
	libra_host_clock_text(floor(cluster->now_s), NAN, NAN, text);
	fprintf(out, "This is as of %s; nothing is reserved.\n", text);
}

/* The lines of the text, which is freed. */
static json_t *lines_of(char *text)
{
	json_t *lines = json_array();
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		json_array_append_new(lines, json_string(line));
	free(text);
	return lines;
}

static json_t *json_text(const struct cli_cluster *cluster,
			 const struct cli_answer *a)
{
	char *text = NULL;
	size_t len = 0;
	FILE *fp = open_memstream(&text, &len);
	bool whole;

	if (!fp)
		cli_no_memory();
	print_text(cluster, a, fp);
	whole = !ferror(fp);
	if (fclose(fp) != 0 || !whole || !text)
		cli_no_memory();
	return lines_of(text);
}

static json_t *json_answer(const struct cli_cluster *cluster,
			   const struct cli_answer *a)
{
	bool accepted = !is_refused(a) && a->by == CLI_BY_POLICY;
	bool asked = a->by == CLI_BY_POLICY;
	json_t *json = json_object();

	cli_json_time(json, "now", cluster->now_s);
	json_object_update_new(
		json,
		json_pack("{s:b, s:s, s:s, s:s, s:b, s:o, s:f}", "reserved",
			  false, "policy", cluster->conf.policy->name, "answer",
			  is_refused(a) ? "reject"
			  : accepted	? "accept"
					: "not_managed",
			  "reason", reason_of(a), "bet",
			  accepted && a->verdict.late_s > 0, "procs",
			  asked ? json_integer(a->job.nprocs) : json_null(),
			  "estimate_s", a->job.estimate_s));
	cli_json_time(json, "deadline", a->job.deadline_s);
	json_object_update_new(
		json,
		json_pack("{s:o, s:f, s:o}", "share",
			  accepted ? json_real(a->verdict.share) : json_null(),
			  "share_needed", a->share_needed, "late_s",
			  accepted ? json_real(a->verdict.late_s)
				   : json_null()));
	cli_json_time(json, "earliest_deadline", a->earliest_s);
	cli_json_time(json, "planned_start", NAN);
	json_object_set_new(json, "text", json_text(cluster, a));
	return json;
}

void cli_set_answer(struct cli_output *o, json_t *answer)
{
	o->data = answer;
	o->rows = json_pack("[O]", answer);
	o->columns = "answer,reason,bet,procs,estimate_s,deadline,share,"
		     "share_needed,late_s,earliest_deadline,planned_start";
}

int cli_print_answer(const struct cli_cluster *cluster,
		     const struct cli_answer *a, struct cli_output *o)
{
	if (!cli_for_programs(o))
		print_text(cluster, a, o->out);
	else
		cli_set_answer(o, json_answer(cluster, a));
	if (a->by == CLI_BY_NO_MANAGER)
		return CLI_NOT_MANAGED;
	return is_refused(a) ? CLI_REFUSED : CLI_DONE;
}
