/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if.c - libra what-if: the rules that need no slurmctld, and what all
 * answers have.
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
	char past[LIBRA_PAST_TEXT];

	*a = (struct cli_answer){CLI_BY_POLICY, ""};
	if (!part)
		return libra_errf(err, ENOENT, "there is no %s%s",
				  r->partition ? "partition "
					       : "default partition: give ",
				  r->partition ? r->partition : "--partition");
	if (!isfinite(r->estimate_s) || r->estimate_s <= 0)
		return libra_errf(err, EINVAL,
				  "--time is the estimate of the run time: it "
				  "must be positive and not unlimited");
	if (r->deadline_s <= cluster->now_s) {
		libra_host_past_text(r->deadline_s, cluster->now_s, past);
		return libra_errf(err, EINVAL, "%s", past);
	}
	ask_rules(cluster, r, part, a);
	return 0;
}

uint32_t cli_request_procs(const struct cli_cluster *cluster,
			   const struct cli_request *r)
{
	uint32_t per = cluster->cpus_per_proc;
	uint32_t task = (r->cpus_per_task + per - 1) / per; /* on one node */
	uint32_t procs = r->cpus_per_task > 1 ? r->tasks * task
					      : (r->tasks + per - 1) / per;

	return procs < r->min_nodes * task ? r->min_nodes * task : procs;
}

/* The two lines of an answer. */
static void write_lines(const struct cli_cluster *cluster,
			const struct cli_answer *a, char lines[2][320])
{
	char text[32];

	if (a->by == CLI_BY_NO_MANAGER)
		snprintf(lines[0], 320, "would get no promise: %s", a->why);
	else
		snprintf(lines[0], 320, "would be refused (max_time): %s",
			 a->why);
	libra_host_clock_text(floor(cluster->now_s), NAN, NAN, text);
	snprintf(lines[1], 320, "This is as of %s; nothing is reserved.", text);
}

json_t *cli_json_answer(const struct cli_cluster *cluster,
			const struct cli_request *r, const char *answer,
			const char *reason)
{
	json_t *json = json_object();

	cli_json_time(json, "now", cluster->now_s);
	json_object_update_new(json,
			       json_pack("{s:b, s:s, s:s, s:s, s:b, s:n, s:f}",
					 "reserved", false, "policy",
					 cluster->conf.policy->name, "answer",
					 answer, "reason", reason, "bet", false,
					 "procs", "estimate_s", r->estimate_s));
	cli_json_time(json, "deadline", r->deadline_s);
	json_object_update_new(json, json_pack("{s:n, s:n, s:n}", "share",
					       "share_needed", "late_s"));
	if (!libra_host_conf_plans(&cluster->conf))
		json_object_set_new(
			json, "share_needed",
			json_real(r->estimate_s /
				  (r->deadline_s - cluster->now_s)));
	cli_json_time(json, "earliest_deadline", NAN);
	cli_json_time(json, "planned_start", NAN);
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
		     const struct cli_request *r, const struct cli_answer *a,
		     struct cli_output *o)
{
	bool refused = a->by == CLI_BY_MAX_TIME;
	char lines[2][320];
	json_t *json;

	write_lines(cluster, a, lines);
	if (cli_for_programs(o)) {
		json = refused ? cli_json_answer(cluster, r, "reject",
						 "max_time")
			       : cli_json_answer(cluster, r, "not_managed",
						 "not_managed");
		json_object_set_new(json, "text",
				    json_pack("[s, s]", lines[0], lines[1]));
		cli_set_answer(o, json);
	} else {
		fprintf(o->out, "%s\n%s\n", lines[0], lines[1]);
	}
	return refused ? CLI_REFUSED : CLI_NOT_MANAGED;
}
