/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promises_log.c - promises as the events of decision logs have them.
 *
 * Waiting tasks of an array have the array's id, and get their own when they
 * start.  They were promised the same, so any of them is taken for the one that
 * starts.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/site/promises.h"

/* The state of the reader of one log. */
struct reader {
	struct promises *p;
	const json_t *line;
	size_t *open; /* places of the promises that are not over, oldest first
		       */
	size_t nopen, open_cap;
	uint64_t *bets; /* tickets of offers without a guarantee */
	size_t nbets, bets_cap;
	bool bet; /* the commit before this line was of one */
	/* The last earliest deadline that was asked for, and when. */
	double asked_s, earliest_s;
	struct libra_error *err;
};

/* Return a number of the present line, or NAN. */
static double number_in(const struct reader *r, const char *name)
{
	const json_t *v = json_object_get(r->line, name);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* Return a whole number of the present line, or 0. */
static uint64_t whole_in(const struct reader *r, const char *name)
{
	const json_t *v = json_object_get(r->line, name);

	return json_is_integer(v) ? (uint64_t)json_integer_value(v) : 0;
}

/* Return a text of the present line, or "". */
static const char *text_in(const struct reader *r, const char *name)
{
	const char *text = json_string_value(json_object_get(r->line, name));

	return text ? text : "";
}

/* Result: 0 with the number of a text, or -1. */
static int name_in(const struct reader *r, const char *name, uint32_t *number)
{
	const char *text = text_in(r, name);

	*number = promises_name(r->p, text, strlen(text));
	return *number == UINT32_MAX ? sim_no_memory(r->err) : 0;
}

/* ---- promises ---- */

/* Return true if a promise waits or runs, and no other one has replaced it. */
static bool is_open(const struct promise *q)
{
	return q->outcome <= PROMISE_RUNNING && !q->replaced;
}

/* Is it of the same job, or of a task of the same array? */
static bool is_like(const struct promise *q, const struct promise *job)
{
	return q->user == job->user && q->partition == job->partition &&
	       q->procs == job->procs && q->estimate_s == job->estimate_s &&
	       q->deadline_s == job->deadline_s;
}

/* Find the oldest open promise of a job: of its id and state first, then of its
 * id, then of its array.  restored: only those not seen in this run.
 */
static struct promise *find(const struct reader *r, const struct promise *job,
			    bool restored)
{
	struct promise *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < r->nopen && best_rank < 3; i++) {
		struct promise *q = &r->p->list[r->open[i]];
		int rank = q->id != job->id		? is_like(q, job)
			   : q->outcome == job->outcome ? 3
							: 2;

		if (rank <= best_rank || (restored && q->run == r->p->runs))
			continue;
		best = q;
		best_rank = rank;
	}
	return best;
}

/* Put a promise of the list among the open ones.  Result: 0 or -1. */
static int open_promise(struct reader *r, size_t place)
{
	size_t *open =
		sim_grown(r->open, &r->open_cap, r->nopen + 1, sizeof(*open));

	if (!open)
		return sim_no_memory(r->err);
	r->open = open;
	r->open[r->nopen++] = place;
	return 0;
}

/* Add a copy of a promise to the list and to the open ones.
 * Result: the promise, or NULL with ENOMEM.
 */
static struct promise *add_promise(struct reader *r, const struct promise *job)
{
	struct promise *q = promises_add(r->p, r->err);

	if (!q || open_promise(r, r->p->n - 1) < 0)
		return NULL;
	*q = *job;
	return q;
}

/* Find the promise of a job that was restored after it had ended: slurmctld was
 * killed before it saved its state, and runs the job again.
 * Result: its place in the list, or that of none.
 */
static size_t find_ended(const struct reader *r, const struct promise *job)
{
	for (size_t i = r->p->n; i-- > 0;) {
		const struct promise *q = &r->p->list[i];

		if (q->id == job->id && is_like(q, job) && !q->replaced)
			return i;
	}
	return r->p->n;
}

/* Drop promises that are over from the list of open ones. */
static void drop_closed(struct reader *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nopen; i++)
		if (is_open(&r->p->list[r->open[i]]))
			r->open[n++] = r->open[i];
	r->nopen = n;
}

/* Follow a promise that should be there already. */
static struct promise *known(struct reader *r, const struct promise *job,
			     bool restored)
{
	struct promise *q = find(r, job, restored);
	size_t ended = !q && restored ? find_ended(r, job) : r->p->n;

	if (!q && ended < r->p->n) {
		q = &r->p->list[ended];
		q->start_s = q->end_s = q->ran_s = NAN;
		if (open_promise(r, ended) < 0)
			return NULL;
	} else if (!q) {
		q = add_promise(r, job);
		if (!q)
			return NULL;
		q->earlier = true;
	}
	q->id = job->id;
	q->run = r->p->runs;
	q->estimate_s = job->estimate_s;
	q->deadline_s = job->deadline_s;
	return q;
}

/* End a promise with an outcome, at the instant of the line.
 * Result: 0, or -1 with ENOMEM.
 */
static int end_promise(struct reader *r, struct promise *q,
		       enum promise_outcome outcome)
{
	q->outcome = (uint8_t)outcome;
	q->end_s = number_in(r, "now_s");
	q->ran_s = number_in(r, "ran_s");
	if (outcome == PROMISE_LATE || outcome == PROMISE_LOST)
		return name_in(r, "cause", &q->cause);
	q->cause = 0;
	return 0;
}

/* Result: that of an event which ends a promise, or PROMISE_NOUTCOMES. */
static enum promise_outcome end_of(const char *event)
{
	for (int i = PROMISE_KEPT; i < PROMISE_UNSEEN; i++)
		if (strcmp(event, promise_outcomes[i]) == 0)
			return i;
	return PROMISE_NOUTCOMES;
}

/* Handle an event of a promise.
 * Result: 0, or -1 with ENOMEM.
 */
static int read_change(struct reader *r, const char *event)
{
	enum promise_outcome end = end_of(event);
	bool restored = strcmp(event, "restored") == 0;
	struct promise *q,
		job = {
			.id = whole_in(r, "id"),
			.user = whole_in(r, "user"),
			.given_s = number_in(r, "now_s"),
			.start_s = NAN,
			.end_s = NAN,
			.ran_s = NAN,
			.deadline_s = number_in(r, "deadline_s"),
			.estimate_s = number_in(r, "estimate_s"),
			.procs = (uint32_t)whole_in(r, "nprocs"),
			.run = r->p->runs,
			.from = PROMISE_FROM_LOG,
			.outcome = strcmp(text_in(r, "state"), "running") == 0
					   ? PROMISE_RUNNING
					   : PROMISE_WAITING,
		};

	if (name_in(r, "partition", &job.partition) < 0)
		return -1;
	if (strcmp(event, "promised") == 0) {
		job.bet = r->bet;
		r->bet = false;
		return add_promise(r, &job) ? 0 : -1;
	}
	if (strcmp(event, "started") == 0)
		job.outcome = PROMISE_WAITING;
	q = known(r, &job, restored);
	if (!q)
		return -1;
	if (strcmp(event, "replaced") == 0)
		q->replaced = true;
	else if (strcmp(event, "started") == 0) {
		q->start_s = number_in(r, "now_s");
		q->outcome = PROMISE_RUNNING;
	} else if (restored)
		q->outcome = job.outcome;
	else if (strcmp(event, "broken") == 0)
		return name_in(r, "cause", &q->cause);
	else if (strcmp(event, "holds") == 0)
		q->cause = 0;
	if (end < PROMISE_NOUTCOMES && end_promise(r, q, end) < 0)
		return -1;
	if (!is_open(q))
		drop_closed(r);
	return 0;
}

/* ---- answers ---- */

/* Add the answer of a line {"event":"decision"}. */
static int read_decision(struct reader *r)
{
	struct promise_answer *a = promises_add_answer(r->p, r->err);

	if (!a)
		return -1;
	a->at_s = number_in(r, "now_s");
	a->deadline_s = number_in(r, "deadline_s");
	if (name_in(r, "partition", &a->partition) < 0 ||
	    name_in(r, "verdict", &a->verdict) < 0 ||
	    name_in(r, "reason", &a->reason) < 0)
		return -1;
	if (json_object_get(r->line, "earliest_s"))
		a->earliest_s = number_in(r, "earliest_s");
	else if (r->asked_s == a->at_s)
		a->earliest_s = r->earliest_s;
	r->asked_s = NAN;
	return 0;
}

/* The earliest deadline is asked for before the refusal is reported.  It is
 * null if there is none.
 */
static void read_earliest(struct reader *r)
{
	r->asked_s = number_in(r, "now_s");
	r->earliest_s = number_in(r, "earliest_s");
	if (isnan(r->earliest_s))
		r->earliest_s = INFINITY;
}

/* ---- bets ---- */

/* Remember the ticket of an offer that was accepted without a guarantee. */
static int read_bet(struct reader *r)
{
	uint64_t *bets =
		sim_grown(r->bets, &r->bets_cap, r->nbets + 1, sizeof(*bets));

	if (!bets)
		return sim_no_memory(r->err);
	r->bets = bets;
	r->bets[r->nbets++] = whole_in(r, "ticket");
	return 0;
}

/* If the line commits such an offer, mark the next promise as a bet. */
static void read_commit(struct reader *r)
{
	uint64_t ticket = whole_in(r, "ticket");

	for (size_t i = r->nbets; i-- > 0 && !r->bet;)
		if (r->bets[i] == ticket) {
			r->bet = true;
			r->bets[i] = r->bets[--r->nbets];
		}
}

/* ---- runs ---- */

/* Close the promises that were open before this run, and not restored in it. */
static void close_unseen(struct reader *r)
{
	for (size_t i = 0; i < r->nopen; i++) {
		struct promise *q = &r->p->list[r->open[i]];

		if (q->run != r->p->runs)
			q->outcome = PROMISE_UNSEEN;
	}
	drop_closed(r);
}

/* Handle the line "engine": a run begins, unless a rotated file continues one.
 * first: the line is the first of all files.
 */
static void begin_run(struct reader *r, bool first)
{
	if (!first && json_object_get(r->line, "continues"))
		return;
	close_unseen(r);
	r->p->runs++;
	r->nbets = 0;
}

/* ---- lines ---- */

/* Return true if a text begins with another one. */
static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Extend the time that the logs cover. */
static void note_time(struct reader *r)
{
	double now_s = number_in(r, "now_s");

	r->p->first_s = fmin(r->p->first_s, now_s);
	r->p->last_s = fmax(r->p->last_s, now_s);
}

/* Handle a parsed line.
 * Result: 0, or -1 with ENOMEM.
 */
static int read_json(struct reader *r, bool first)
{
	const char *call = text_in(r, "call"), *event = text_in(r, "event");

	note_time(r);
	if (strcmp(event, "decision") == 0)
		return read_decision(r);
	if (*event)
		return read_change(r, event);
	if (strcmp(call, "engine") == 0)
		begin_run(r, first);
	else if (strcmp(call, "earliest") == 0)
		read_earliest(r);
	else if (strcmp(call, "gap") == 0)
		r->p->missing += whole_in(r, "lines");
	else if (strcmp(call, "offer") == 0)
		return read_bet(r);
	else if (strcmp(call, "commit") == 0)
		read_commit(r);
	return 0;
}

/* Count the calls.  Result: whether the line must be parsed. */
static bool look_at(struct reader *r, const char *text)
{
	static const char *const read[] = {"engine\"", "earliest\"", "gap\""};
	static const char mark[] = "{\"call\":\"";

	if (begins(text, "{\"event\":\""))
		return true;
	if (!begins(text, mark))
		return false;
	text += sizeof(mark) - 1;
	for (size_t i = 0; i < PROMISE_NCALLS; i++) {
		size_t n = strlen(promise_calls[i]);

		if (begins(text, promise_calls[i]) && text[n] == '"')
			r->p->calls[i]++;
	}
	r->bet = false;
	if (begins(text, "offer\""))
		return strstr(text, ",\"late_s\":") != NULL;
	if (begins(text, "commit\""))
		return r->nbets > 0;
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++)
		if (begins(text, read[i]))
			return true;
	return false;
}

/* Read a line; a damaged one is missing. */
static int read_line(struct reader *r, const char *text, size_t n, bool *first)
{
	json_t *line;
	int rc;

	if (!look_at(r, text))
		return 0;
	line = json_loadb(text, n, 0, NULL);
	if (!line) {
		r->p->missing++;
		return 0;
	}
	r->line = line;
	rc = read_json(r, *first);
	*first = false;
	json_decref(line);
	return rc;
}

/* Handle all lines of a file.
 * Result: 0, or -1 with errno and text.
 */
static int read_file(struct reader *r, const char *path, bool first)
{
	struct input in;
	char *text;
	size_t n;
	int rc;

	if (input_open(&in, path, r->err) < 0)
		return -1;
	while ((rc = input_line(&in, &text, &n)) > 0) {
		if (in.line == 1 && !begins(text, "{\"call\":\"") &&
		    !begins(text, "{\"event\":\""))
			rc = libra_errf(r->err, EINVAL,
					"%s: not a decision log (the file that "
					"libra_log names)",
					in.name);
		else
			rc = read_line(r, text, n, &first);
		if (rc < 0)
			break;
	}
	input_close(&in);
	return rc;
}

/* Handle the files of one log, oldest first. */
static int read_log(struct promises *p, const struct promise_log *log,
		    struct libra_error *err)
{
	struct reader r = {.p = p, .asked_s = NAN, .err = err};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < log->nfiles; i++)
		rc = read_file(&r, log->files[i], i == 0);
	if (rc == 0)
		close_unseen(&r);
	free(r.bets);
	free(r.open);
	return rc;
}

/* ---- files to logs ---- */

/* The length of a name without what rotation adds: digits, and what packs. */
static size_t base_length(const char *name)
{
	size_t n = strlen(name);

	if (n > 3 && strcmp(name + n - 3, ".gz") == 0)
		n -= 3;
	else if (n > 4 && strcmp(name + n - 4, ".zst") == 0)
		n -= 4;
	while (n > 1 && strchr(".-0123456789", name[n - 1]))
		n--;
	return n;
}

/* Return the log to which a file belongs by its name, or add one; NULL with
 * ENOMEM.
 */
static struct promise_log *log_of(struct promises *p, const char *path,
				  struct libra_error *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t n = base_length(name);
	struct promise_log *logs;

	for (size_t i = 0; i < p->nlogs; i++)
		if (strlen(p->logs[i].name) == n &&
		    memcmp(p->logs[i].name, name, n) == 0)
			return &p->logs[i];
	logs = sim_grown(p->logs, &p->logs_cap, p->nlogs + 1, sizeof(*logs));
	if (logs) {
		p->logs = logs;
		logs += p->nlogs;
		*logs = (struct promise_log){.name = strndup(name, n)};
		p->nlogs += logs->name != NULL;
	}
	if (!logs || !logs->name)
		sim_no_memory(err);
	return logs && logs->name ? logs : NULL;
}

/* The instant of a file's first line that has one. */
static int first_instant(const char *path, double *at_s,
			 struct libra_error *err)
{
	const char *at = NULL;
	struct input in;
	char *text;
	size_t n;
	int rc;

	*at_s = INFINITY;
	if (input_open(&in, path, err) < 0)
		return -1;
	while (!at && (rc = input_line(&in, &text, &n)) > 0)
		at = strstr(text, ",\"now_s\":");
	if (at)
		*at_s = strtod(at + strlen(",\"now_s\":"), NULL);
	input_close(&in);
	return rc < 0 ? -1 : 0;
}

/* Insert a file into its log, by its first instant. */
static int add_file(struct promises *p, char *path, struct libra_error *err)
{
	struct promise_log *log = log_of(p, path, err);
	double at_s, *first_s;
	char **files;
	size_t i;

	if (!log || first_instant(path, &at_s, err) < 0)
		return -1;
	files = reallocarray(log->files, log->nfiles + 1, sizeof(*files));
	if (files)
		log->files = files;
	first_s = reallocarray(log->first_s, log->nfiles + 1, sizeof(*first_s));
	if (first_s)
		log->first_s = first_s;
	if (!files || !first_s)
		return sim_no_memory(err);
	for (i = log->nfiles++; i > 0 && first_s[i - 1] > at_s; i--) {
		files[i] = files[i - 1];
		first_s[i] = first_s[i - 1];
	}
	files[i] = path;
	first_s[i] = at_s;
	return 0;
}

int promises_read_logs(struct promises *p, char **files, size_t n,
		       struct libra_error *err)
{
	int rc = 0;

	p->first_s = p->last_s = NAN;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_file(p, files[i], err);
	for (size_t i = 0; rc == 0 && i < p->nlogs; i++)
		rc = read_log(p, &p->logs[i], err);
	return rc;
}
