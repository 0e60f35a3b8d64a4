/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_band_crowd.c - the promise of band with everything at once.
 *
 * Random wheres, closed nodes, changes and a restart, with all numbers
 * multiples of 1/64: sums are exact, so that an engine that was restored must
 * decide as the one that has seen everything, bit for bit.
 */
#include "core/gang/near.h"
#include "tests/gang_check.h"
#include "tests/unit/band_host.h"

#define MOST_NODES 8
#define MOST_WORDS 16 /* of a set of processors */

struct crowd {
	struct host h[2]; /* the second one is restored from the first */
	int nhosts;
	uint64_t seed;
	uint32_t nodes[MOST_NODES], first[MOST_NODES + 1], nnodes;
	bool closed[MOST_NODES];
	bool overruns;
	struct sim_workload w;
	struct member {
		struct libra_job job; /* numbers as changed */
		uint64_t ticket[2];   /* 0 = not there */
		double left_s;	      /* of the run time */
		bool runs, started;
	} jobs[MOST_JOBS];
	uint32_t job_of[2][MOST_JOBS];
	uint32_t next;
	size_t accepted, changed, refused_changes, restored, shaped;
	size_t clocks;
};

static double draw64(struct crowd *c, double low, double high)
{
	return ceil(random_between(&c->seed, low, high) * 64) / 64;
}

static uint32_t draw_below(struct crowd *c, uint32_t n)
{
	return (uint32_t)random_between(&c->seed, 0, n);
}

static void open_crowd(struct crowd *c, int which)
{
	open_nodes(&c->h[which], "band", c->nodes, c->nnodes,
		   "reserve machine_reserve overrun");
	c->h[which].now_s = which ? c->h[0].now_s : 0;
	c->nhosts = which + 1;
}

static void make_crowd(struct crowd *c, uint64_t seed)
{
	memset(c, 0, sizeof(*c));
	random_workload(&c->w, seed);
	c->seed = seed;
	c->overruns = seed % 4 == 0;
	c->nnodes = 1 + draw_below(c, MOST_NODES);
	for (uint32_t i = 0; i < c->nnodes; i++) {
		c->nodes[i] = 1 + draw_below(c, 6);
		c->first[i + 1] = c->first[i] + c->nodes[i];
	}
	for (size_t i = 0; i < c->w.njobs; i++) {
		struct sim_job *job = &c->w.jobs[i];
		double end_s = job->deadline_rel_s;

		job->job.submit_s = ceil(job->job.submit_s * 64) / 64;
		job->runtime_s = ceil(job->runtime_s * 64) / 64;
		job->job.estimate_s = ceil(job->job.estimate_s * 64) / 64;
		if (c->overruns && i % 5 == 0)
			job->job.estimate_s = ceil(job->runtime_s * 16) / 64;
		job->job.deadline_s = job->job.submit_s + ceil(end_s * 64) / 64;
		job->job.nprocs = 1 + draw_below(c, c->first[c->nnodes]);
		if (draw_below(c, 2))
			job->job.nprocs = 1 + job->job.nprocs / 4;
	}
	open_crowd(c, 0);
}

static struct libra_gang *gang_of(struct crowd *c, int which)
{
	return &libra_gang_state(c->h[which].e)->gang;
}

/* The invariant of finish.h, in each engine. */
static void look_inside_crowd(struct crowd *c)
{
	static struct libra_finishes f;

	for (int k = 0; k < c->nhosts; k++) {
		struct libra_gang *g = gang_of(c, k);
		const char *wrong;

		libra_gang_touch(g, c->h[k].now_s);
		wrong = gang_check(g, c->h[k].now_s);
		if (wrong)
			print_error("at %.9f: %s\n", c->h[k].now_s, wrong);
		assert_null(wrong);
		if (!c->overruns)
			assert_null(find_out_of_time(g, c->h[k].now_s, &f));
	}
	libra_finishes_fini(&f);
}

/* The actions of an engine, by number of the job: "S1 H2 ". */
static void take_all(struct crowd *c, int which, char *text, size_t size)
{
	static const char letters[] = "?SR?HG";
	struct libra_engine *e = c->h[which].e;
	struct libra_action action;
	size_t n = 0;

	text[0] = '\0';
	libra_engine_schedule(e, c->h[which].now_s);
	while (libra_engine_next_action(e, &action)) {
		uint32_t i = c->job_of[which][libra_ticket_slot(action.ticket)];
		bool runs = action.kind != LIBRA_ACTION_HOLD;

		n += (size_t)snprintf(text + n, size - n, "%c%u ",
				      letters[action.kind], i);
		assert_true(n < size);
		if (action.kind == LIBRA_ACTION_START)
			assert_int_equal(
				libra_engine_started(e, action.ticket,
						     c->h[which].now_s),
				0);
		if (which > 0) {
			assert_int_equal(c->jobs[i].runs, runs);
			continue;
		}
		c->jobs[i].runs = runs;
		c->jobs[i].started = true;
	}
}

/* Both do the same. */
static void decide(struct crowd *c)
{
	char text[2][1024];

	for (int k = 0; k < c->nhosts; k++)
		take_all(c, k, text[k], sizeof(text[k]));
	if (c->nhosts == 2)
		assert_string_equal(text[0], text[1]);
	look_inside_crowd(c);
}

/* A sound where for a job, whose processors may have to be more. */
static void draw_where(struct crowd *c, struct libra_job *job,
		       struct libra_where *where, struct libra_range *allowed)
{
	uint32_t end = 0, procs = c->first[c->nnodes], n = 0;

	*where = (struct libra_where){.chunk = draw_below(c, 4)};
	while (draw_below(c, 2) && end + 1 < procs) {
		uint32_t first = end + draw_below(c, (procs - end + 1) / 2);

		allowed[n].first = first;
		allowed[n].count = 1 + draw_below(c, procs - first);
		end = first + allowed[n++].count;
	}
	if (n > 0) {
		where->allowed = allowed;
		where->nallowed = n;
	}
	if (where->chunk > 1)
		job->nprocs +=
			where->chunk - 1 - (job->nprocs - 1) % where->chunk;
	if (draw_below(c, 3) == 0)
		where->node_max = 1 + draw_below(c, 6);
	if (draw_below(c, 3) == 0)
		where->min_nodes = draw_below(c, 4);
	if (draw_below(c, 3) == 0)
		where->max_nodes = where->min_nodes + 1 + draw_below(c, 3);
	job->where = where;
}

static bool is_allowed(const struct libra_where *w, uint32_t proc)
{
	for (uint32_t i = 0; w->allowed && i < w->nallowed; i++)
		if (proc >= w->allowed[i].first &&
		    proc - w->allowed[i].first < w->allowed[i].count)
			return true;
	return !w->allowed;
}

/* Is a job where it may be, in the shape that it asked for? */
static void check_place(const struct crowd *c, const struct libra_job *job,
			const struct libra_gang *g, uint32_t slot)
{
	static const struct libra_where anywhere;
	uint64_t set[MOST_WORDS] = {0};
	const struct libra_where *w = job->where ? job->where : &anywhere;
	uint32_t nodes = 0, n = 0;

	assert_true(g->words <= MOST_WORDS);
	libra_gang_put(g, slot, set);
	for (uint32_t i = 0; i < c->nnodes; i++) {
		uint32_t here = 0;

		for (uint32_t p = c->first[i]; p < c->first[i + 1]; p++) {
			if (!libra_bits_has(set, p))
				continue;
			here++;
			assert_false(c->closed[i]);
			assert_true(is_allowed(w, p));
		}
		if (w->chunk > 1)
			assert_int_equal(here % w->chunk, 0);
		if (w->node_max > 0)
			assert_true(here <= w->node_max);
		nodes += here > 0;
		n += here;
	}
	assert_int_equal(n, job->nprocs);
	assert_true(nodes >= w->min_nodes);
	assert_true(w->max_nodes == 0 || nodes <= w->max_nodes);
}

/* Each engine is asked; they must agree, on the place too. */
static void arrive_in_crowd(struct crowd *c)
{
	uint32_t i = c->next++;
	struct member *m = &c->jobs[i];
	struct libra_range allowed[MOST_JOBS];
	struct libra_where where;
	struct libra_verdict v;
	char place[256] = "";

	m->job = c->w.jobs[i].job;
	m->left_s = c->w.jobs[i].runtime_s;
	if (draw_below(c, 2))
		draw_where(c, &m->job, &where, allowed);
	for (int k = 0; k < c->nhosts; k++) {
		struct host *h = &c->h[k];

		assert_int_equal(
			libra_engine_offer(h->e, &m->job, h->now_s, &v, NULL),
			0);
		m->ticket[k] = v.ticket;
		assert_int_equal(m->ticket[k] != 0, m->ticket[0] != 0);
		if (!v.ticket)
			continue;
		assert_int_equal(
			libra_engine_commit(h->e, v.ticket, i, h->now_s), 0);
		c->job_of[k][libra_ticket_slot(v.ticket)] = i;
		check_place(c, &m->job, gang_of(c, k),
			    libra_ticket_slot(v.ticket));
		if (k > 0)
			assert_string_equal(placed(h, v.ticket), place);
		strcpy(place, placed(h, v.ticket));
	}
	c->accepted += m->ticket[0] != 0;
	c->shaped += m->ticket[0] && m->job.where;
	m->job.where = NULL;
}

static void end_in_crowd(struct crowd *c, uint32_t i)
{
	struct member *m = &c->jobs[i];

	for (int k = 0; k < c->nhosts; k++)
		assert_int_equal(libra_engine_departed(c->h[k].e, m->ticket[k],
						       c->h[k].now_s),
				 0);
	m->ticket[0] = 0;
	m->runs = false;
	if (!c->overruns)
		assert_true(c->h[0].now_s <= m->job.deadline_s);
}

/* W over all neighbours that come before, by trying every k. */
static double plain_wait_s(const struct libra_gang *g, uint32_t slot,
			   const double *gone_s, double now_s)
{
	const struct libra_gang_job *a = &g->jobs[slot];
	double least_s = INFINITY;
	uint32_t n = 0, list[MOST_JOBS];

	for (uint32_t i = 0; i < g->njobs; i++) {
		const struct libra_gang_job *b = &g->jobs[g->order[i]];

		if (b != a && !b->late &&
		    libra_gang_need_s(g, g->order[i]) > 0 &&
		    libra_gang_before(b, a) && libra_gang_meet(a, b))
			list[n++] = g->order[i];
	}
	for (uint32_t k = 0; k <= n; k++) {
		double until_s = k < n ? gone_s[list[k]] : -INFINITY;
		double sum_s = fmax(0, until_s - now_s);

		for (uint32_t i = 0; i < n; i++)
			if (gone_s[list[i]] > until_s)
				sum_s += libra_gang_need_s(g, list[i]);
		least_s = fmin(least_s, sum_s);
	}
	return least_s;
}

/* Who is in time by the bound of finishes, computed in the plainest way. */
static void plain_in_time(const struct libra_gang *g, double now_s,
			  bool *in_time)
{
	double gone_s[MOST_JOBS];
	bool known[MOST_JOBS] = {false};

	for (uint32_t done = 0; done < g->njobs; done++) {
		uint32_t first = UINT32_MAX;

		for (uint32_t i = 0; i < g->njobs; i++) {
			uint32_t k = g->order[i];

			if (!known[k] &&
			    (first == UINT32_MAX ||
			     libra_gang_before(&g->jobs[k], &g->jobs[first])))
				first = k;
		}
		known[first] = true;
		gone_s[first] = now_s + libra_gang_need_s(g, first) +
				plain_wait_s(g, first, gone_s, now_s);
		in_time[first] =
			!g->jobs[first].late &&
			gone_s[first] <= g->jobs[first].deadline_s + 1e-6;
		gone_s[first] = fmin(gone_s[first], g->jobs[first].deadline_s);
	}
}

/* The rule to the letter: all finishes anew, before and with the numbers. */
static bool may_change(struct crowd *c, uint32_t slot, double estimate_s,
		       double deadline_s)
{
	struct libra_gang *g = gang_of(c, 0);
	struct libra_gang_job saved = g->jobs[slot], *job = &g->jobs[slot];
	struct libra_gang_need_line claim = g->need_lines[slot];
	double now_s = c->h[0].now_s;
	bool in_time[2][MOST_JOBS] = {0}, holds = deadline_s > now_s;

	plain_in_time(g, now_s, in_time[0]);
	job->estimate_s = estimate_s;
	job->deadline_s = deadline_s;
	job->late = false;
	g->need_lines[slot].falls = 0;
	g->need_lines[slot].base_s = libra_need(
		&g->overrun, estimate_s, libra_gang_executed_s(job, now_s),
		deadline_s, now_s);
	plain_in_time(g, now_s, in_time[1]);
	*job = saved;
	g->need_lines[slot] = claim;
	for (uint32_t i = 0; i < g->njobs; i++) {
		uint32_t k = g->order[i];

		if (k == slot || in_time[0][k])
			holds &= in_time[1][k];
	}
	return holds;
}

static void keep_room(struct libra_gang_side *was,
		      const struct libra_gang_side *is)
{
	was->slots = is->slots;
	was->cap = is->cap;
	was->listed_at = is->listed_at;
}

/* New numbers for some job: its user knows how long it really runs. */
static void change_one(struct crowd *c)
{
	uint32_t i = draw_below(c, c->next + 1), slot;
	struct member *m = &c->jobs[i];
	struct libra_gang_job before;
	struct libra_job job;
	bool expected;

	if (i == c->next || !m->ticket[0])
		return;
	slot = libra_ticket_slot(m->ticket[0]);
	job = m->job;
	job.estimate_s = ceil(c->w.jobs[i].runtime_s *
			      random_between(&c->seed, 1, 4) * 64) /
			 64;
	job.deadline_s = c->h[0].now_s + m->left_s + draw64(c, 0, 400);
	libra_gang_touch(gang_of(c, 0), c->h[0].now_s);
	expected = may_change(c, slot, job.estimate_s, job.deadline_s);
	before = gang_of(c, 0)->jobs[slot];
	for (int k = 0; k < c->nhosts; k++) {
		struct libra_verdict v;

		assert_int_equal(libra_engine_modify(c->h[k].e, m->ticket[k],
						     &job, c->h[k].now_s, &v,
						     NULL),
				 0);
		assert_int_equal(v.answer == LIBRA_ACCEPT, expected);
	}
	/* Its place in the list of those that move is no matter of its own, nor
	 * is the room of its lists.
	 */
	before.moves = gang_of(c, 0)->jobs[slot].moves;
	keep_room(&before.before, &gang_of(c, 0)->jobs[slot].before);
	keep_room(&before.behind, &gang_of(c, 0)->jobs[slot].behind);
	if (!expected)
		assert_memory_equal(&before, &gang_of(c, 0)->jobs[slot],
				    sizeof(before));
	else
		m->job = job;
	c->changed += expected;
	c->refused_changes += !expected;
}

static void open_or_close(struct crowd *c)
{
	uint32_t i = draw_below(c, c->nnodes);

	c->closed[i] = !c->closed[i];
	for (int k = 0; k < c->nhosts; k++)
		assert_int_equal(libra_engine_node(c->h[k].e, i,
						   c->closed[i]
							   ? LIBRA_NODE_DRAIN
							   : LIBRA_NODE_UP,
						   c->h[k].now_s),
				 0);
}

static void restore_one(struct crowd *c, uint32_t i)
{
	struct member *m = &c->jobs[i];
	struct libra_range range[64];
	struct libra_part parts[64];
	int64_t n = libra_engine_placement(c->h[0].e, m->ticket[0], range, 64);
	double rate, left_s = libra_engine_left_s(c->h[0].e, m->ticket[0],
						  c->h[0].now_s, &rate);

	assert_in_range(n, 1, 64);
	assert_near(rate, m->runs, 0);
	for (int64_t k = 0; k < n; k++)
		parts[k] = (struct libra_part){range[k], left_s, NULL};
	assert_int_equal(libra_engine_restore(c->h[1].e, &m->job, parts,
					      (uint32_t)n, m->started,
					      c->h[1].now_s, &m->ticket[1],
					      NULL),
			 0);
	c->job_of[1][libra_ticket_slot(m->ticket[1])] = i;
	c->restored++;
}

/* Another engine takes all jobs over, and both go on. */
static void restart(struct crowd *c)
{
	char text[1024];

	open_crowd(c, 1);
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (c->closed[i])
			libra_engine_node(c->h[1].e, i, LIBRA_NODE_DRAIN,
					  c->h[1].now_s);
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].ticket[0])
			restore_one(c, i);
	/* All are told what they do already, in the first engine. */
	take_all(c, 1, text, sizeof(text));
	look_inside_crowd(c);
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].ticket[0] && c->jobs[i].started)
			assert_true(libra_engine_left_s(c->h[0].e,
							c->jobs[i].ticket[0],
							1e6, NULL) ==
				    libra_engine_left_s(c->h[1].e,
							c->jobs[i].ticket[1],
							1e6, NULL));
}

/* The first engine's clock is set, and set back at once: it must go on as the
 * other one.
 */
static void there_and_back(struct crowd *c)
{
	double now_s = c->h[0].now_s, far_s = now_s + draw64(c, -500, 5000);

	assert_int_equal(libra_engine_clock(c->h[0].e, now_s, far_s), 0);
	assert_null(gang_check(gang_of(c, 0), far_s));
	assert_int_equal(libra_engine_clock(c->h[0].e, far_s, now_s), 0);
	c->clocks += gang_of(c, 0)->njobs > 0;
}

static double next_of_crowd(const struct crowd *c, uint32_t *which)
{
	double at_s = INFINITY, late_s;

	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].runs &&
		    c->h[0].now_s + c->jobs[i].left_s < at_s) {
			at_s = c->h[0].now_s + c->jobs[i].left_s;
			*which = i;
		}
	if (c->next < c->w.njobs && c->w.jobs[c->next].job.submit_s < at_s) {
		at_s = c->w.jobs[c->next].job.submit_s;
		*which = UINT32_MAX;
	}
	late_s = ceil(libra_engine_next_event_s(c->h[0].e) * 64) / 64;
	if (late_s < at_s) {
		at_s = late_s;
		*which = UINT32_MAX - 1;
	}
	return at_s;
}

static void pass_in_crowd(struct crowd *c, double until_s)
{
	for (uint32_t i = 0; i < c->next; i++)
		if (c->jobs[i].runs)
			c->jobs[i].left_s -= until_s - c->h[0].now_s;
	for (int k = 0; k < c->nhosts; k++)
		c->h[k].now_s = until_s;
	look_inside_crowd(c);
}

static void drive_crowd(struct crowd *c)
{
	uint32_t which = 0, restart_at = 5 + draw_below(c, 60);

	for (uint32_t event = 0;; event++) {
		double at_s = next_of_crowd(c, &which);

		if (at_s == INFINITY)
			return;
		pass_in_crowd(c, at_s);
		if (which == UINT32_MAX)
			arrive_in_crowd(c);
		else if (which < UINT32_MAX - 1)
			end_in_crowd(c, which);
		if (draw_below(c, 4) == 0)
			change_one(c);
		if (draw_below(c, 12) == 0)
			open_or_close(c);
		if (draw_below(c, 8) == 0)
			there_and_back(c);
		decide(c);
		if (event == restart_at)
			restart(c);
	}
}

static void all_of_it_keeps_the_promise(void **state)
{
	size_t accepted = 0, shaped = 0, changed = 0, refused = 0, restored = 0;
	size_t clocks = 0;

	for (uint64_t seed = 1; seed <= WORKLOADS; seed++) {
		static struct crowd c;

		make_crowd(&c, seed);
		drive_crowd(&c);
		for (int k = 0; k < c.nhosts; k++) {
			assert_int_equal(gang_of(&c, k)->njobs, 0);
			libra_engine_destroy(c.h[k].e);
		}
		accepted += c.accepted;
		shaped += c.shaped;
		changed += c.changed;
		refused += c.refused_changes;
		restored += c.restored;
		clocks += c.clocks;
		free(c.w.jobs);
	}
	/* All of it has happened, and often. */
	assert_true(accepted > 10 * WORKLOADS && shaped > 3 * WORKLOADS);
	assert_true(changed > WORKLOADS && refused > WORKLOADS / 10);
	assert_true(restored > WORKLOADS && clocks > WORKLOADS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it_keeps_the_promise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
