/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.c - what kept one job waiting. */
#include "sim/site/slurm/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memory.h"
#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/slurm/sched/passes.h"

enum { TEXT = 600, NAME = 32, CAUSES = 5 };

/* How long a reason, and one job, kept the job of the watch. */
struct cause {
	enum sched_reason reason;
	uint32_t blocker; /* a task, or SCHED_NONE */
	int64_t for_s;
};

/* The data of one job's report. */
struct answer {
	const struct sched_load *load;
	const struct sched_model *m;
	const struct sched_watch *watch;
	const struct sched_task *task;
	const struct sched_job *job;
	const struct slurm_job *row; /* the last run of the log */
	int64_t submit_s;
	struct cause *causes; /* the longest one first */
	size_t ncauses;
};

/* ---- names ---- */

/* Write the name of a task as squeue prints it.  Result: buf. */
static const char *name_task(const struct sched_model *m, uint32_t number,
			     char buf[NAME])
{
	const struct sched_task *task = &m->tasks[number];

	if (task->array && task->index != SLURM_NONE)
		snprintf(buf, NAME, "%u_%u", task->array, task->index);
	else
		snprintf(buf, NAME, "%u", task->id);
	return buf;
}

/* Write an instant in UTC; the number itself if it is no date.  Result: buf. */
static const char *instant(int64_t at_s, char buf[NAME])
{
	time_t at = (time_t)at_s;
	struct tm tm;

	if (!gmtime_r(&at, &tm) ||
	    strftime(buf, NAME, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(buf, NAME, "%" PRId64, at_s);
	return buf;
}

/* Return Slurm's name of a resource; "" for SCHED_NTRES. */
static const char *tres_name(enum sched_tres tres)
{
	static const char *const names[SCHED_NTRES] = {"cpu", "mem", "node",
						       "billing", "gres/gpu"};

	return tres < SCHED_NTRES ? names[tres] : "";
}

/* Return the name of the QOS of the job; "-": none. */
static const char *qos_name(const struct answer *a)
{
	uint32_t qos = a->job->owner.qos;

	return qos == SCHED_NONE ? "-" : a->m->qos[qos].name;
}

/* Return the resources that free nodes lack, for people. */
static const char *lacks_name(uint32_t lacks)
{
	static const char *const names[] = {
		"nodes", "CPUs",       "memory",       "CPUs, memory",
		"GPUs",	 "CPUs, GPUs", "memory, GPUs", "CPUs, memory, GPUs"};

	return lacks & SCHED_LACKS_IDLE ? "idle nodes" : names[lacks & 7];
}

int slurm_explain_find(const struct sched_load *load, const char *name,
		       uint32_t *task, struct libra_error *err)
{
	const struct sched_model *m = &load->model;
	uint32_t first = SCHED_NONE, raw = SCHED_NONE;
	char buf[NAME];

	for (uint32_t t = 0; t < m->ntasks; t++) {
		if (strcmp(name_task(m, t, buf), name) == 0) {
			*task = t;
			return 0;
		}
		snprintf(buf, sizeof(buf), "%u", m->tasks[t].array);
		if (first == SCHED_NONE && m->tasks[t].array &&
		    strcmp(buf, name) == 0)
			first = t;
		snprintf(buf, sizeof(buf), "%u", m->tasks[t].id);
		if (raw == SCHED_NONE && strcmp(buf, name) == 0)
			raw = t;
	}
	*task = first == SCHED_NONE ? raw : first;
	return *task != SCHED_NONE
		       ? 0
		       : libra_errf(err, EINVAL,
				    "the log has no job '%.40s' that the site "
				    "can run: give a JobID of the log, such as "
				    "17, or 17_3 for a task of an array",
				    name);
}

/* ---- how long ---- */

/* Add seconds to the cause that a look found; look NULL: no pass had tested the
 * job yet.
 * Result: 0, or -1 with ENOMEM.
 */
static int count(struct answer *a, size_t *cap, const struct sched_look *look,
		 int64_t for_s)
{
	struct cause cause = {SCHED_REASON_NONE, SCHED_NONE, 0};
	struct cause *bigger;

	if (for_s <= 0)
		return 0;
	if (look) {
		cause.reason = look->reason;
		if (look->reason != SCHED_RESOURCES)
			cause.blocker = look->blocker.task;
	}
	for (size_t i = 0; i < a->ncauses; i++)
		if (a->causes[i].reason == cause.reason &&
		    a->causes[i].blocker == cause.blocker) {
			a->causes[i].for_s += for_s;
			return 0;
		}
	bigger = sim_grown(a->causes, cap, a->ncauses + 1, sizeof(*bigger));
	if (!bigger)
		return -1;
	a->causes = bigger;
	cause.for_s = for_s;
	a->causes[a->ncauses++] = cause;
	return 0;
}

static int longest_first(const void *x, const void *y)
{
	const struct cause *a = x, *b = y;

	if (a->for_s != b->for_s)
		return a->for_s > b->for_s ? -1 : 1;
	if (a->reason != b->reason)
		return a->reason < b->reason ? -1 : 1;
	return a->blocker < b->blocker ? -1 : a->blocker > b->blocker;
}

/* Share the wait among what the main loop found; before its first look, and
 * without one, backfill.
 */
static int share_wait(struct answer *a)
{
	const struct sched_look *current = NULL;
	int64_t since_s = a->submit_s;
	bool waits = true;
	size_t cap = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->watch->n; i++) {
		const struct sched_look *look = &a->watch->looks[i];
		bool pass = look->what == SCHED_WATCH_PASS;

		if (look->aside)
			continue;
		if (!current && pass) {
			current = look; /* it was so from the submission on */
			continue;
		}
		if (pass && look->loop != SCHED_MAIN)
			continue;
		if (waits)
			rc = count(a, &cap, current, look->from_s - since_s);
		since_s = look->from_s;
		current = pass ? look : NULL;
		waits = pass || look->what == SCHED_WATCH_PREEMPTED;
	}
	if (rc == 0 && current)
		rc = count(a, &cap, current, current->last_s - since_s);
	if (a->ncauses > 1)
		qsort(a->causes, a->ncauses, sizeof(*a->causes), longest_first);
	return rc;
}

/* ---- one look, in words ---- */

/* A text that is composed piece by piece; what does not fit is cut. */
struct text {
	char at[TEXT];
	size_t n;
};

static void say(struct text *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct text *text, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text->at + text->n, sizeof(text->at) - text->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		text->n += (size_t)n;
	if (text->n >= sizeof(text->at))
		text->n = sizeof(text->at) - 1;
}

/* Name who has a limit: "QOS normal", "account lab", "user amy of lab". */
static const char *name_owner(const struct answer *a,
			      const struct sched_held *held, char buf[128])
{
	const struct slurm_assoc *assoc;

	if (held->qos != SCHED_NONE) {
		snprintf(buf, 128, "QOS %s", a->m->qos[held->qos].name);
		return buf;
	}
	assoc = &a->load->site->assocs[held->assoc];
	if (*assoc->user)
		snprintf(buf, 128, "user %s of %s", assoc->user,
			 assoc->account);
	else
		snprintf(buf, 128, "account %s", assoc->account);
	return buf;
}

/* Name each limit that keeps the job, with the amounts. */
static void say_limits(const struct answer *a, const struct sched_look *look,
		       struct text *text)
{
	char owner[128];

	if (look->nheld == 0)
		say(text, "MinNodes and MaxNodes of partition %s",
		    a->m->parts[look->part].name);
	for (size_t i = 0; i < look->nheld; i++) {
		const struct sched_held *held = &look->held[i];

		say(text, "%s%s of %s is %s%s%" PRIu64, i ? "; " : "",
		    held->limit, name_owner(a, held, owner),
		    tres_name(held->tres), held->tres < SCHED_NTRES ? "=" : "",
		    held->most);
		/* a limit on one job has nothing in use */
		say(text, ": ");
		if (held->used)
			say(text, "%" PRIu64 " in use, ", held->used);
		say(text, "%" PRIu64 " asked for", held->asked);
	}
}

/* Name the dependency as in --dependency. */
static void say_dependency(const struct answer *a,
			   const struct sched_look *look, struct text *text)
{
	static const char *const kinds[] = {
		[SCHED_AFTER] = "after",
		[SCHED_AFTEROK] = "afterok",
		[SCHED_AFTERANY] = "afterany",
		[SCHED_AFTERNOTOK] = "afternotok",
		[SCHED_SINGLETON] = "singleton",
		[SCHED_AFTERCORR] = "aftercorr",
	};
	const struct sched_dep *dep;

	if (look->dependency >= a->job->depends.n) {
		say(text, "satisfied in this run");
		return;
	}
	dep = &a->job->depends.on[look->dependency];
	say(text, "%s", kinds[dep->kind]);
	if (dep->kind != SCHED_SINGLETON)
		say(text, ":%u", dep->id);
}

/* Name the job that goes first, and both priorities. */
static void say_turn(const struct answer *a, const struct sched_look *look,
		     struct text *text)
{
	const struct sched_blocker *b = &look->blocker;
	char name[NAME], at[NAME];

	if (b->task == SCHED_NONE) {
		say(text, "%s",
		    look->reason == SCHED_NODES_RESERVED
			    ? "it asks for more nodes than are up and free of "
			      "jobs that go first"
		    : look->loop == SCHED_BACKFILL
			    ? "no start was found or looked for"
			    : "the run did not get to it");
		return;
	}
	if (look->loop == SCHED_BACKFILL)
		say(text, "free nodes are kept for job %s, planned for %s",
		    name_task(a->m, b->task, name), instant(b->at_s, at));
	else
		say(text, "job %s goes first and lacks nodes",
		    name_task(a->m, b->task, name));
	say(text, " (priority %u, its own %u; nodes %u, CPUs %u)", b->priority,
	    look->priority, b->nodes, b->cpus);
}

/* Name what free nodes lack, and the job whose end is waited for. */
static void say_resources(const struct answer *a, const struct sched_look *look,
			  struct text *text)
{
	const struct sched_blocker *b = &look->blocker;
	char name[NAME], at[NAME];

	say(text, "lacks %s", lacks_name(look->lacks));
	if (look->preempts)
		say(text, "; job %s is preempted for it",
		    name_task(a->m, b->task, name));
	else if (b->task != SCHED_NONE)
		say(text, "; fits when job %s has ended, by its limit at %s",
		    name_task(a->m, b->task, name), instant(b->at_s, at));
	if (look->loop == SCHED_BACKFILL && look->planned_s)
		say(text, "; planned for %s", instant(look->planned_s, at));
}

/* Describe a finding of the watch in one line; "" if the reason says all. */
static void say_look(const struct answer *a, const struct sched_look *look,
		     struct text *text)
{
	char at[NAME];

	text->n = 0;
	text->at[0] = '\0';
	switch (look->what) {
	case SCHED_WATCH_STARTED:
		say(text, "in partition %s", a->m->parts[look->part].name);
		return;
	case SCHED_WATCH_PREEMPTED:
	case SCHED_WATCH_CANCELLED:
		return;
	default:
		break;
	}
	if (a->job->nparts > 1)
		say(text, "%s: ", a->m->parts[look->part].name);
	switch (look->reason) {
	case SCHED_BEGIN_TIME:
	case SCHED_HELD:
		if (look->until_s)
			say(text, "until %s", instant(look->until_s, at));
		break;
	case SCHED_DEPENDENCY:
	case SCHED_NEVER:
		say_dependency(a, look, text);
		break;
	case SCHED_ARRAY_LIMIT:
		say(text, "as many tasks run as %%%u of the array allows",
		    a->m->jobs[a->job->tasks.base].tasks.throttle);
		break;
	case SCHED_NO_SUCH_NODES:
		say(text, "partition %s never has such nodes",
		    a->m->parts[look->part].name);
		break;
	case SCHED_PARTITION_DOWN:
		say(text, "partition %s is down", a->m->parts[look->part].name);
		break;
	case SCHED_PARTITION_INACTIVE:
		say(text, "partition %s is inactive",
		    a->m->parts[look->part].name);
		break;
	case SCHED_ACCOUNT_NOT_ALLOWED:
		say(text, "partition %s does not allow account %s",
		    a->m->parts[look->part].name, a->row->text.account);
		break;
	case SCHED_QOS_NOT_ALLOWED:
		say(text, "partition %s does not allow QOS %s",
		    a->m->parts[look->part].name, qos_name(a));
		break;
	case SCHED_RESOURCES:
		say_resources(a, look, text);
		break;
	case SCHED_QOS_LIMIT:
	case SCHED_ASSOC_LIMIT:
	case SCHED_PARTITION_LIMIT:
		if (sched_closed(a->m, a->job, look->part) ==
		    SCHED_PARTITION_LIMIT)
			say(text, "its limit is over MaxTime of partition %s",
			    a->m->parts[look->part].name);
		else
			say_limits(a, look, text);
		break;
	default:
		say_turn(a, look, text);
	}
	if (look->ahead > 1)
		say(text, "; %u jobs ahead in %s", look->ahead,
		    a->m->parts[look->part].name);
	if (look->siblings)
		say(text, "%s%u task%s of its array %s first",
		    text->n ? "; " : "", look->siblings,
		    look->siblings == 1 ? "" : "s",
		    look->siblings == 1 ? "goes" : "go");
}

/* Return what happened, or why the job waits. */
static const char *head_of(const struct sched_look *look)
{
	static const char *const names[] = {
		[SCHED_WATCH_STARTED] = "started",
		[SCHED_WATCH_PREEMPTED] = "preempted",
		[SCHED_WATCH_CANCELLED] = "cancelled",
	};

	return look->what == SCHED_WATCH_PASS ? sched_reason_name(look->reason)
					      : names[look->what];
}

/* ---- text ---- */

/* Print the table of all findings.  Result: 0, or -1 with ENOMEM. */
static int print_looks(const struct answer *a, FILE *fp)
{
	static const struct out_column columns[] = {
		{"from", OUT_LEFT}, {"last seen", OUT_LEFT},
		{"loop", OUT_LEFT}, {"reason", OUT_LEFT},
		{"what", OUT_LEFT},
	};
	struct out_table table;
	struct text text;
	char at[NAME];
	int rc;

	out_table_init(&table, columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < a->watch->n; i++) {
		const struct sched_look *look = &a->watch->looks[i];
		bool pass = look->what == SCHED_WATCH_PASS;

		say_look(a, look, &text);
		out_table_cell(&table, "%s", instant(look->from_s, at));
		out_table_cell(&table, "%s",
			       pass ? instant(look->last_s, at) : "");
		out_table_cell(&table, "%s", sched_loop_name(look->loop));
		out_table_cell(&table, "%s", head_of(look));
		out_table_cell(&table, "%s", text.at);
	}
	rc = out_table_print(&table, fp);
	out_table_fini(&table);
	return rc;
}

/* Print the sums of the reasons, the longest one first. */
static void print_reasons(const struct answer *a, FILE *fp)
{
	int64_t sums[SCHED_NREASONS] = {0};
	const char *before = ": ";

	for (size_t i = 0; i < a->ncauses; i++)
		sums[a->causes[i].reason] += a->causes[i].for_s;
	while (true) {
		size_t most = 0;

		for (size_t r = 1; r < SCHED_NREASONS; r++)
			if (sums[r] > sums[most])
				most = r;
		if (sums[most] == 0)
			break;
		fprintf(fp, "%s%s %" PRId64 " s", before,
			most == SCHED_REASON_NONE
				? "until a loop looked"
				: sched_reason_name((enum sched_reason)most),
			sums[most]);
		before = ", ";
		sums[most] = 0;
	}
	fputc('\n', fp);
}

/* Name the jobs that went first for longest. */
static void print_blockers(const struct answer *a, FILE *fp)
{
	size_t shown = 0, more = 0;
	char name[NAME];

	for (size_t i = 0; i < a->ncauses; i++) {
		const struct cause *c = &a->causes[i];
		int64_t for_s = c->for_s;
		size_t k = 0;

		while (k < i && a->causes[k].blocker != c->blocker)
			k++;
		if (c->blocker == SCHED_NONE || k < i)
			continue;
		for (k = i + 1; k < a->ncauses; k++)
			if (a->causes[k].blocker == c->blocker)
				for_s += a->causes[k].for_s;
		if (shown == CAUSES) {
			more++;
			continue;
		}
		fprintf(fp, "%s job %s for %" PRId64 " s",
			shown++ ? "," : "first went",
			name_task(a->m, c->blocker, name), for_s);
	}
	if (more)
		fprintf(fp, ", and %zu more", more);
	if (shown)
		fputc('\n', fp);
}

/* Print the report for people.  Result: 0, or -1 with ENOMEM. */
static int print_text(const struct answer *a, FILE *fp)
{
	const struct sched_task *task = a->task;
	char name[NAME], at[NAME];
	int64_t later_s = task->start_s - a->row->start_s;
	int64_t ran_s = task->start_s - a->submit_s;

	fprintf(fp, "job %s of %s, account %s, QOS %s: submitted %s\n\n",
		name_task(a->m, a->watch->task, name), a->row->text.user_name,
		*a->row->text.account ? a->row->text.account : "-", qos_name(a),
		instant(a->submit_s, at));
	if (print_looks(a, fp) < 0)
		return -1;
	for (size_t i = 0; i < a->ncauses; i++)
		ran_s -= a->causes[i].for_s;
	if (task->start_s)
		fprintf(fp, "\nstarted %" PRId64 " s after its submission",
			task->start_s - a->submit_s);
	else if (task->done && a->watch->n == 0)
		fprintf(fp, "\nrefused at submission: %s",
			sched_reason_name(task->reason));
	else
		fputs("\nnever started", fp);
	if (task->preempted && ran_s > 0)
		fprintf(fp, ", of which it ran for %" PRId64 " s", ran_s);
	print_reasons(a, fp);
	print_blockers(a, fp);
	if (!a->row->start_s) {
		fputs("in the log it never started\n", fp);
		return 0;
	}
	fprintf(fp, "in the log it started %s", instant(a->row->start_s, at));
	if (task->start_s && later_s == 0)
		fputs(", as here", fp);
	else if (task->start_s)
		fprintf(fp, ", %" PRId64 " s %s",
			later_s > 0 ? later_s : -later_s,
			later_s > 0 ? "earlier" : "later");
	fputc('\n', fp);
	return 0;
}

/* ---- JSON ---- */

/* Write an instant as a member; null for 0. */
static void json_time(struct out_json *j, const char *key, int64_t at_s)
{
	if (at_s)
		out_json_number(j, key, (double)at_s);
	else
		out_json_null(j, key);
}

/* Write the name of a task as a member; null for SCHED_NONE. */
static void json_task(const struct answer *a, struct out_json *j,
		      const char *key, uint32_t task)
{
	char name[NAME];

	out_json_text(j, key,
		      task == SCHED_NONE ? NULL : name_task(a->m, task, name));
}

/* Write a finding as an object. */
static void json_look(const struct answer *a, struct out_json *j,
		      const struct sched_look *look)
{
	const struct sched_blocker *b = &look->blocker;
	struct text text;
	char owner[128];

	say_look(a, look, &text);
	out_json_object(j, NULL);
	out_json_number(j, "from_s", (double)look->from_s);
	out_json_number(j, "last_s", (double)look->last_s);
	out_json_text(j, "loop", sched_loop_name(look->loop));
	out_json_text(j, "reason", head_of(look));
	out_json_text(j, "text", text.at);
	out_json_text(j, "partition", a->m->parts[look->part].name);
	if (look->what == SCHED_WATCH_PASS) {
		out_json_count(j, "priority", look->priority);
		out_json_bool(j, "aside", look->aside);
		out_json_count(j, "ahead", look->ahead);
		json_time(j, "planned_s", look->planned_s);
		json_task(a, j, "blocked_by", b->task);
		json_time(j, "blocked_until_s", b->at_s);
		out_json_array(j, "limits");
		for (size_t i = 0; i < look->nheld; i++) {
			const struct sched_held *held = &look->held[i];

			out_json_object(j, NULL);
			out_json_text(j, "limit", held->limit);
			out_json_text(j, "of", name_owner(a, held, owner));
			out_json_text(j, "tres", tres_name(held->tres));
			out_json_count(j, "most", held->most);
			out_json_count(j, "used", held->used);
			out_json_count(j, "asked", held->asked);
			out_json_end(j);
		}
		out_json_end(j);
	}
	out_json_end(j);
}

/* Print the report as one JSON object. */
static void print_json(const struct answer *a, FILE *fp)
{
	const struct sched_task *task = a->task;
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	json_task(a, &j, "job", a->watch->task);
	out_json_text(&j, "user", a->row->text.user_name);
	out_json_number(&j, "submit_s", (double)a->submit_s);
	json_time(&j, "start_s", task->start_s);
	json_time(&j, "logged_start_s", a->row->start_s);
	out_json_array(&j, "kept_by");
	for (size_t i = 0; i < a->ncauses; i++) {
		out_json_object(&j, NULL);
		out_json_text(&j, "reason",
			      sched_reason_name(a->causes[i].reason));
		json_task(a, &j, "job", a->causes[i].blocker);
		out_json_number(&j, "for_s", (double)a->causes[i].for_s);
		out_json_end(&j);
	}
	out_json_end(&j);
	out_json_array(&j, "looks");
	for (size_t i = 0; i < a->watch->n; i++)
		json_look(a, &j, &a->watch->looks[i]);
	out_json_end(&j);
	out_json_end(&j);
}

int slurm_explain_print(const struct sched_load *load, bool json, FILE *fp,
			struct libra_error *err)
{
	struct answer a = {
		.load = load, .m = &load->model, .watch = load->watch};
	int rc;

	a.task = &a.m->tasks[a.watch->task];
	a.job = &a.m->jobs[a.task->job];
	a.row = &load->site->jobs[load->row[a.watch->task]];
	a.submit_s = a.watch->submit_s;
	rc = share_wait(&a);
	if (rc == 0 && json)
		print_json(&a, fp);
	else if (rc == 0)
		rc = print_text(&a, fp);
	free(a.causes);
	return rc < 0 ? sim_no_memory(err) : 0;
}
