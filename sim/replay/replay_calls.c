/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay_calls.c - make the calls of the engine again.
 *
 * Each function takes its arguments from its line and compares the result with
 * the line.  Arguments that need memory are freed after the call, because the
 * engine copies them.
 */
#include "sim/replay/replay_calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- jobs ---- */

/* The job of a line, with its constraint; allowed is allocated. */
struct job_line {
	struct libra_job job;
	struct libra_where where;
	struct libra_range *allowed;
	uint64_t per_node[LIBRA_RESOURCES], per_chunk[LIBRA_RESOURCES];
};

/* -1 is all that a node has. */
static uint64_t read_amount(struct replay_line *l, const json_t *v,
			    const char *name)
{
	if (json_is_integer(v) && json_integer_value(v) == -1)
		return LIBRA_ALL;
	return replay_whole_value(l, v, name, INT64_MAX);
}

/* Read a list of amounts of resources; NULL if the line has none. */
static const uint64_t *read_amounts(struct replay_line *l, const json_t *w,
				    const char *name, uint64_t *amounts)
{
	const json_t *list = json_object_get(w, name);

	if (!list)
		return NULL;
	for (size_t i = 0; i < LIBRA_RESOURCES && i < json_array_size(list);
	     i++)
		amounts[i] = read_amount(l, json_array_get(list, i), name);
	return amounts;
}

/* Read a job's placement constraint.  Owner: j->allowed is freed later. */
static void read_where(struct replay_line *l, struct job_line *j,
		       const json_t *w)
{
	const json_t *list = json_object_get(w, "allowed");
	struct libra_where *where = &j->where;
	const struct {
		const char *name;
		uint32_t *at;
	} counts[] = {
		{"chunk", &where->chunk},
		{"node_max", &where->node_max},
		{"min_nodes", &where->min_nodes},
		{"max_nodes", &where->max_nodes},
	};

	for (int i = 0; i < 4; i++)
		*counts[i].at = (uint32_t)replay_whole_value(
			l, replay_field(l, w, counts[i].name), counts[i].name,
			UINT32_MAX);
	if (list) {
		list = replay_array(l, w, "allowed");
		where->nallowed = (uint32_t)json_array_size(list);
		j->allowed = calloc(where->nallowed + 1u, sizeof(*j->allowed));
		if (!j->allowed) {
			replay_spoil(l, ENOMEM, "out of memory");
			return;
		}
		for (uint32_t i = 0; i < where->nallowed; i++)
			j->allowed[i] = replay_range(l, json_array_get(list, i),
						     "allowed");
		where->allowed = j->allowed;
	}
	where->per_node = read_amounts(l, w, "per_node", j->per_node);
	where->per_chunk = read_amounts(l, w, "per_task", j->per_chunk);
	j->job.where = where;
}

/* Read the job of a line. */
static void read_job(struct replay_line *l, struct job_line *j)
{
	const json_t *id = json_object_get(l->json, "id");
	const json_t *where = json_object_get(l->json, "where");

	*j = (struct job_line){0};
	j->job.submit_s = replay_number(l, l->json, "submit_s");
	j->job.estimate_s = replay_number(l, l->json, "estimate_s");
	j->job.deadline_s = replay_number(l, l->json, "deadline_s");
	j->job.budget = replay_number_or(l, l->json, "budget", 0);
	j->job.penalty_rate = replay_number_or(l, l->json, "penalty_rate", 0);
	j->job.nprocs = (uint32_t)replay_whole(l, "nprocs", UINT32_MAX);
	j->job.user = (uint32_t)replay_whole(l, "user", UINT32_MAX);
	if (id)
		j->job.id = replay_whole(l, "id", INT64_MAX);
	if (where)
		read_where(l, j, where);
}

/* ---- calls ---- */

void replay_offer(struct replay_line *l)
{
	struct libra_verdict v = {0};
	struct job_line j;

	read_job(l, &j);
	if (!l->bad &&
	    replay_same_rc(l, libra_engine_offer(l->r->engine, &j.job, l->now_s,
						 &v, NULL))) {
		replay_same_verdict(l, &v);
		if (v.answer != LIBRA_REJECT &&
		    json_object_get(l->json, "placement"))
			replay_same_placement(l, v.ticket);
	}
	free(j.allowed);
}

void replay_earliest(struct replay_line *l)
{
	const json_t *jobs = json_object_get(l->json, "jobs");
	struct job_line j;
	uint32_t n = 1;

	read_job(l, &j);
	if (jobs)
		n = (uint32_t)replay_whole(l, "jobs", UINT32_MAX);
	if (!l->bad)
		replay_same_number(l, "earliest_s",
				   libra_engine_earliest_together(
					   l->r->engine, &j.job, n, l->now_s));
	free(j.allowed);
}

void replay_modify(struct replay_line *l)
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);
	struct libra_verdict v = {0};
	struct job_line j;

	read_job(l, &j);
	if (!l->bad &&
	    replay_same_rc(l, libra_engine_modify(l->r->engine, ticket, &j.job,
						  l->now_s, &v, NULL))) {
		/* A line has one ticket: that of the job asked about. */
		replay_same_text(l, "answer", libra_answer_name(v.answer));
		replay_same_text(l, "reason", libra_reason_name(v.reason));
		replay_same_number(l, "share", v.share);
	}
	free(j.allowed);
}

/* Read the list of parts.  Owner: the caller frees it. */
static struct libra_part *read_parts(struct replay_line *l, uint32_t *n)
{
	const json_t *list = replay_array(l, l->json, "parts"), *part;
	struct libra_part *parts;
	uint64_t *amounts;

	*n = (uint32_t)json_array_size(list);
	parts = calloc(*n + 1u,
		       sizeof(*parts) + LIBRA_RESOURCES * sizeof(*amounts));
	if (!parts) {
		replay_spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	for (uint32_t i = 0; i < *n; i++) {
		part = json_array_get(list, i);
		if (json_array_size(part) < 3 ||
		    !json_is_number(json_array_get(part, 2)))
			replay_spoil(
				l, EINVAL,
				"'parts' has an element that is not [FIRST, "
				"COUNT, LEFT_S]");
		parts[i].procs = replay_range(l, part, "parts");
		parts[i].est_left_s =
			json_number_value(json_array_get(part, 2));
		amounts = (uint64_t *)&parts[*n + 1] + i * LIBRA_RESOURCES;
		for (size_t k = 3;
		     k < json_array_size(part) && k < 3 + LIBRA_RESOURCES; k++)
			amounts[k - 3] = read_amount(l, json_array_get(part, k),
						     "parts");
		if (json_array_size(part) > 3)
			parts[i].resources = amounts;
	}
	return parts;
}

void replay_restore(struct replay_line *l)
{
	const json_t *running = replay_field(l, l->json, "running");
	uint64_t ticket = 0;
	struct job_line j;
	struct libra_part *parts;
	uint32_t n;

	if (running && !json_is_boolean(running))
		replay_spoil(l, EINVAL, "'running' is neither true nor false");
	read_job(l, &j);
	parts = read_parts(l, &n);
	if (!l->bad &&
	    replay_same_rc(l, libra_engine_restore(l->r->engine, &j.job, parts,
						   n, json_is_true(running),
						   l->now_s, &ticket, NULL)))
		replay_same_whole(l, "ticket", ticket);
	free(parts);
	free(j.allowed);
}

/* ---- of policies that plan ---- */

void replay_restore_waiting(struct replay_line *l)
{
	double start_s = replay_number_or(l, l->json, "start_s", NAN);
	uint64_t ticket = 0;
	struct job_line j;

	if (json_is_null(json_object_get(l->json, "start_s")))
		start_s = NAN;
	read_job(l, &j);
	if (!l->bad && replay_same_rc(l, libra_engine_restore_waiting(
						 l->r->engine, &j.job, start_s,
						 l->now_s, &ticket, NULL)))
		replay_same_whole(l, "ticket", ticket);
	free(j.allowed);
}

/* The jobs that would be stopped, by tickets. */
static uint64_t *read_gone(struct replay_line *l,
			   struct libra_start_query *opening)
{
	const json_t *list = replay_array(l, l->json, "gone");
	uint32_t n = (uint32_t)json_array_size(list);
	uint64_t *gone = calloc(n + 1u, sizeof(*gone));

	if (!gone) {
		replay_spoil(l, ENOMEM, "out of memory");
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		gone[i] = replay_whole_value(l, json_array_get(list, i), "gone",
					     INT64_MAX);
	opening->ngone = n;
	opening->stops = json_is_true(json_object_get(l->json, "stops"));
	opening->delay_s = replay_number(l, l->json, "delay_s");
	return gone;
}

void replay_may_start(struct replay_line *l)
{
	const json_t *may = replay_field(l, l->json, "may");
	struct libra_start_query opening = {0};
	struct libra_part *parts = NULL;
	uint64_t *gone = NULL;
	struct job_line j;
	bool is;

	read_job(l, &j);
	if (json_object_get(l->json, "parts"))
		parts = read_parts(l, &opening.nparts);
	if (json_object_get(l->json, "gone"))
		gone = read_gone(l, &opening);
	opening.parts = parts;
	opening.gone = gone;
	if (!l->bad) {
		is = libra_engine_may_start(l->r->engine, &j.job, &opening,
					    l->now_s);
		if (is != json_is_true(may))
			replay_differ(l, "may", is ? "false" : "true",
				      is ? "true" : "false");
	}
	free(gone);
	free(parts);
	free(j.allowed);
}

void replay_forgo(struct replay_line *l)
{
	uint64_t id = replay_whole(l, "id", INT64_MAX);

	if (!l->bad)
		libra_engine_forgo(l->r->engine, id, l->now_s);
}

void replay_restore_place(struct replay_line *l)
{
	struct libra_start_query opening = {0};
	struct libra_part *parts;
	uint64_t *gone;
	struct job_line j;

	read_job(l, &j);
	opening.parts = parts = read_parts(l, &opening.nparts);
	opening.gone = gone = read_gone(l, &opening);
	if (!l->bad)
		replay_same_rc(l, libra_engine_restore_place(l->r->engine,
							     &j.job, &opening,
							     l->now_s, NULL));
	free(gone);
	free(parts);
	free(j.allowed);
}

void replay_plan_ordinary(struct replay_line *l)
{
	struct libra_verdict v = {0};
	struct job_line j;

	read_job(l, &j);
	if (!l->bad &&
	    replay_same_rc(l, libra_engine_plan_ordinary(l->r->engine, &j.job,
							 l->now_s, &v, NULL)))
		replay_same_verdict(l, &v);
	free(j.allowed);
}

/* Restore the values that a policy had learned before a restart. */
void replay_relearn(struct replay_line *l)
{
	const json_t *list = replay_array(l, l->json, "values"), *value;
	size_t n = json_array_size(list), i;
	double *values = calloc(n + 1, sizeof(*values));

	if (!values) {
		replay_spoil(l, ENOMEM, "out of memory");
		return;
	}
	json_array_foreach(list, i, value)
	{
		if (!json_is_number(value))
			replay_spoil(l, EINVAL,
				     "'values' has an element that is no "
				     "number");
		values[i] = json_number_value(value);
	}
	if (!l->bad)
		replay_same_rc(
			l, libra_engine_relearn(l->r->engine, values, n, NULL));
	free(values);
}

/* Read an element of the list of outages. */
static struct libra_outage read_outage(struct replay_line *l, const json_t *out)
{
	if (json_array_size(out) != 3 ||
	    !json_is_number(json_array_get(out, 1)) ||
	    !json_is_number(json_array_get(out, 2)))
		replay_spoil(l, EINVAL,
			     "'list' has an element that is not [NODE, FROM_S, "
			     "TO_S]");
	return (struct libra_outage){
		.node = (uint32_t)replay_whole_value(l, json_array_get(out, 0),
						     "list", UINT32_MAX),
		.from_s = json_number_value(json_array_get(out, 1)),
		.to_s = json_number_value(json_array_get(out, 2)),
	};
}

void replay_outages(struct replay_line *l)
{
	const json_t *list = replay_array(l, l->json, "list"), *out;
	size_t n = json_array_size(list), i;
	struct libra_outage *outages = calloc(n + 1, sizeof(*outages));

	if (!outages) {
		replay_spoil(l, ENOMEM, "out of memory");
		return;
	}
	json_array_foreach(list, i, out)
	{
		outages[i] = read_outage(l, out);
	}
	if (!l->bad)
		replay_same_rc(l, libra_engine_outages(l->r->engine, outages,
						       (uint32_t)n, l->now_s,
						       NULL));
	free(outages);
}

void replay_commit(struct replay_line *l)
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);
	uint64_t id = replay_whole(l, "id", INT64_MAX);

	if (!l->bad)
		replay_same_rc(l, libra_engine_commit(l->r->engine, ticket, id,
						      l->now_s));
}

/* Calls whose only argument is a ticket. */
static void replay_ticket(struct replay_line *l,
			  int (*call)(struct libra_engine *e, uint64_t ticket,
				      double now_s))
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);

	if (!l->bad)
		replay_same_rc(l, call(l->r->engine, ticket, l->now_s));
}

void replay_withdraw(struct replay_line *l)
{
	replay_ticket(l, libra_engine_withdraw);
}

void replay_started(struct replay_line *l)
{
	replay_ticket(l, libra_engine_started);
}

void replay_departed(struct replay_line *l)
{
	replay_ticket(l, libra_engine_departed);
}

void replay_progress(struct replay_line *l)
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);
	double executed_s = replay_number(l, l->json, "executed_s");

	if (!l->bad)
		replay_same_rc(l, libra_engine_progress(l->r->engine, ticket,
							executed_s, l->now_s));
}

void replay_reestimate(struct replay_line *l)
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);
	double estimate_s = replay_number(l, l->json, "estimate_s");

	if (!l->bad)
		replay_same_rc(l,
			       libra_engine_reestimate(l->r->engine, ticket,
						       estimate_s, l->now_s));
}

void replay_suspend(struct replay_line *l)
{
	uint64_t ticket = replay_whole(l, "ticket", INT64_MAX);
	const json_t *suspended = replay_field(l, l->json, "suspended");

	if (suspended && !json_is_boolean(suspended))
		replay_spoil(l, EINVAL,
			     "'suspended' is neither true nor false");
	if (!l->bad)
		replay_same_rc(l, libra_engine_suspend(l->r->engine, ticket,
						       json_is_true(suspended),
						       l->now_s));
}

void replay_clock(struct replay_line *l)
{
	double was_s = replay_number(l, l->json, "was_s");

	if (!l->bad)
		replay_same_rc(
			l, libra_engine_clock(l->r->engine, was_s, l->now_s));
}

void replay_node(struct replay_line *l)
{
	static const char *const names[] = {"up", "drain", "down"};
	uint32_t node = (uint32_t)replay_whole(l, "node", UINT32_MAX);
	const char *state = replay_text(l, "state");
	int i;

	for (i = 0; i < 3; i++)
		if (strcmp(state, names[i]) == 0)
			break;
	if (i == 3)
		replay_spoil(l, EINVAL, "unknown state of a node '%.40s'",
			     state);
	if (!l->bad)
		replay_same_rc(l, libra_engine_node(l->r->engine, node,
						    (enum libra_node_state)(
							    LIBRA_NODE_UP + i),
						    l->now_s));
}

void replay_schedule(struct replay_line *l)
{
	libra_engine_schedule(l->r->engine, l->now_s);
}

void replay_compress(struct replay_line *l)
{
	uint64_t budget = replay_whole(l, "budget", INT64_MAX);
	uint64_t calls = replay_whole(l, "calls", UINT32_MAX);

	for (uint64_t i = 0; !l->bad && i < calls; i++)
		libra_engine_compress(l->r->engine, l->now_s, budget);
}

void replay_action(struct replay_line *l)
{
	struct libra_action a;

	l->r->counts.actions++;
	if (!libra_engine_next_action(l->r->engine, &a)) {
		replay_differ(l, "action", l->call, "none");
		return;
	}
	replay_same_text(l, "action", libra_action_name(a.kind));
	if (json_object_get(l->json, "group")) {
		replay_same_whole(l, "group", a.row);
		return;
	}
	replay_same_whole(l, "ticket", a.ticket);
	replay_same_whole(l, "id", a.job_id);
	replay_same_text(l, "reason", libra_reason_name(a.reason));
}
