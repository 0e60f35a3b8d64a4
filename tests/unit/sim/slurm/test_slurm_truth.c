/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_slurm_truth.c - priorities and usage beside recordings of a real Slurm.
 *
 * LIBRA_TRUTH names a folder of recordings (A, A2, B).  Starts and ends of jobs
 * and the instants of decay runs are the recording's; usage, fair-share and
 * factors are computed, and compared as sshare and sprio print them.
 */
#include <ctype.h>
#include <errno.h>
#include <strings.h>
#include <zlib.h>

#include "sim/slurm/priority.h"
#include "tests/unit/test.h"

enum { IDS = 4096, LINE = 65536 };

enum kind { RUN_LOOPS, DECAY, SUBMIT, END, SSHARE, SPRIO };

struct event {
	double at_s; /* since 1970 */
	enum kind kind;
	int64_t id;
	uint32_t job; /* of END, in the site */
	long text;    /* of samples: place in the file */
};

struct count {
	const char *what;
	size_t equal, all;
	char first[400]; /* that differs */
};

enum field {
	C_RAW,
	C_NORM,
	C_EFFECTIVE,
	C_SHARE,
	C_LEVEL,
	C_SHARES,
	C_PRIORITY,
	C_AGE,
	C_ASSOC,
	C_FAIRSHARE,
	C_SIZE,
	C_PARTITION,
	C_QOS,
	C_TRES,
	C_SUBMIT,

	NCOUNTS,
};

struct recording {
	char folder[1024];
	struct slurm_site site;
	struct slurm_prio prio;
	double t0;
	struct event *events;
	size_t nevents, cap;
	int64_t accrue[IDS];
	double submitted[IDS], tested[IDS];
	double started[IDS]; /* by job of the site */
	struct slurm_factors factors[IDS];
	bool charged[IDS], ended[IDS]; /* by job of the site */
	int64_t place[IDS];
	uint32_t order[IDS]; /* of jobs in slurmctld's list */
	struct count count[NCOUNTS];
};

static char line[LINE];

static gzFile open_file(const struct recording *r, const char *name)
{
	char path[1200];
	gzFile f;

	snprintf(path, sizeof(path), "%s/%s", r->folder, name);
	f = gzopen(path, "r");
	assert_non_null(f);
	return f;
}

static struct event *add_event(struct recording *r, double at_s, enum kind kind,
			       int64_t id)
{
	if (r->nevents == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 1024;
		r->events = realloc(r->events, r->cap * sizeof(*r->events));
		assert_non_null(r->events);
	}
	r->events[r->nevents] =
		(struct event){.at_s = at_s, .kind = kind, .id = id};
	return &r->events[r->nevents++];
}

static size_t split(char *text, char *fields[], size_t most)
{
	size_t n = 0;

	text[strcspn(text, "\n")] = '\0';
	while (n < most) {
		fields[n++] = text;
		text = strchr(text, '|');
		if (!text)
			break;
		*text++ = '\0';
	}
	return n;
}

/* ---- what was recorded ---- */

static void read_beginning(struct recording *r)
{
	gzFile f = open_file(r, "events.txt");

	assert_non_null(gzgets(f, line, LINE));
	assert_int_equal(sscanf(line, "# T0=%lf", &r->t0), 1);
	gzclose(f);
}

/* AccrueTime, as the recording's last look at each job has it. */
static void read_accrue(struct recording *r)
{
	gzFile f = open_file(r, "show-job.txt.gz");
	long id = 0;
	char *at;

	while (gzgets(f, line, LINE)) {
		if (strncmp(line, "JobId=", 6) == 0)
			id = atol(line + 6);
		at = strstr(line, "AccrueTime=2");
		if (at && id > 0 && id < IDS) {
			struct import_clock clock = {.zoned = false};
			char text[40];
			bool twice;

			snprintf(text, sizeof(text), "%.19sZ", at + 11);
			import_time(&clock,
				    (struct import_text){text, strlen(text)},
				    &r->accrue[id], &twice);
		}
	}
	gzclose(f);
}

static void read_loops(struct recording *r)
{
	gzFile f = open_file(r, "loops.txt");
	double at_s;

	while (gzgets(f, line, LINE))
		if (sscanf(line, "%lf|", &at_s) == 1)
			add_event(r, r->t0 + at_s, RUN_LOOPS, 0);
	gzclose(f);
}

/* Submissions, and the phase of the decay runs. */
static void read_priorities(struct recording *r)
{
	gzFile f = open_file(r, "priorities.txt.gz");
	double at_s, last_s = 0, phase_s = -1, period_s;
	long id, priority;

	while (gzgets(f, line, LINE)) {
		if (sscanf(line, "%lf|%ld|%ld|", &at_s, &id, &priority) != 3)
			continue;
		if (strstr(line, "initial"))
			add_event(r, r->t0 + at_s, SUBMIT, id)->text = priority;
		else if (phase_s < 0)
			phase_s = at_s;
		last_s = at_s;
	}
	gzclose(f);
	period_s = r->site.config.priority.calc_period_s;
	assert_true(phase_s >= 0);
	/* slurmctld's start is the first one. */
	while (r->t0 + phase_s - period_s >= (double)r->site.config.boot_s)
		phase_s -= period_s;
	for (; phase_s < last_s + 600; phase_s += period_s)
		add_event(r, r->t0 + phase_s, DECAY, 0);
}

static void read_samples(struct recording *r, const char *name, enum kind kind)
{
	gzFile f = open_file(r, name);
	double at_s;

	while (gzgets(f, line, LINE))
		if (sscanf(line, "### %lf", &at_s) == 1)
			add_event(r, at_s, kind, 0)->text = gztell(f);
	gzclose(f);
}

/* The milliseconds of starts, which sacct has not. */
static void read_starts(struct recording *r)
{
	gzFile f = open_file(r, "starts.txt");
	char *field[20];

	while (gzgets(f, line, LINE)) {
		if (line[0] == '#' || split(line, field, 20) < 12)
			continue;
		for (size_t i = 0; i < r->site.njobs; i++)
			if (r->site.jobs[i].id == atol(field[0]) &&
			    r->site.jobs[i].start_s ==
				    (int64_t)r->t0 + atol(field[10]))
				r->started[i] = r->t0 + atof(field[9]);
	}
	gzclose(f);
}

/* The next run of a job that has started and whose end was not seen yet. */
static uint32_t next_end(struct recording *r, int64_t id)
{
	for (uint32_t i = 0; i < r->site.njobs; i++)
		if (r->site.jobs[i].id == id && r->site.jobs[i].start_s &&
		    r->site.jobs[i].end_s && !r->ended[i]) {
			r->ended[i] = true;
			return i;
		}
	return SLURM_NONE;
}

/* slurmctld's log has the milliseconds at which a job was charged: what comes
 * before a decay run of the same second decays in it.
 */
static void read_ends(struct recording *r)
{
	static const char mark[] = "priority_p_job_end: called for job ";
	gzFile f = open_file(r, "slurmctld.log.gz");

	while (gzgets(f, line, LINE)) {
		const char *at = strstr(line, mark);
		struct import_clock clock = {.zoned = false};
		char text[40];
		int64_t at_s;
		bool twice;
		uint32_t job;

		if (!at)
			continue;
		snprintf(text, sizeof(text), "%.19sZ", line + 1);
		assert_int_equal(import_time(&clock,
					     (struct import_text){text, 20},
					     &at_s, &twice),
				 IMPORT_OK);
		job = next_end(r, atol(at + strlen(mark)));
		if (job != SLURM_NONE)
			add_event(r, (double)at_s + atof(line + 20), END, 0)
				->job = job;
	}
	gzclose(f);
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* ---- jobs ---- */

/* The row of a job that waits or runs at an instant: a requeued one has
 * several.
 */
static const struct slurm_job *row_of(const struct recording *r, int64_t id,
				      double at_s)
{
	const struct slurm_job *found = NULL;

	for (size_t i = 0; i < r->site.njobs; i++) {
		const struct slurm_job *job = &r->site.jobs[i];

		if (job->id == id && (!found || (double)job->submit_s <= at_s))
			found = job;
	}
	return found;
}

static const char *option(const struct slurm_job *job, const char *name)
{
	const char *at = strstr(job->text.submit_line, name);

	return at ? at + strlen(name) : NULL;
}

static uint32_t partition_of(const struct recording *r,
			     const struct slurm_job *job, const char *of)
{
	const char *list = option(job, " -p ");
	char name[64];

	if (of)
		return slurm_site_find_partition(&r->site, of);
	if (!list)
		list = job->text.partition;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(list, ", "), list);
	return slurm_site_find_partition(&r->site, name);
}

static struct slurm_prio_job request(const struct recording *r,
				     const struct slurm_job *job, double at_s,
				     const char *partition)
{
	struct slurm_prio_job out = {
		.assoc = job->assoc,
		.qos = job->qos,
		.partition = partition_of(r, job, partition),
		.cpus = job->req_cpus,
		.nodes = job->req_nodes,
		.limit_s = job->limit_s,
		.tres = job->req,
	};
	const char *nice = option(job, "--nice=");

	if (nice)
		out.nice = atol(nice);
	if (r->tested[job->id] && r->tested[job->id] < at_s) {
		out.accrue_s = r->accrue[job->id];
		/* A scheduler has given it whole nodes. */
		if (option(job, "--exclusive"))
			out.cpus = 8 * job->req_nodes;
	}
	return out;
}

static void compute(struct recording *r, int64_t id, double at_s)
{
	const struct slurm_job *job = row_of(r, id, at_s);
	struct slurm_prio_job in;

	if (!job || id >= IDS)
		return;
	in = request(r, job, at_s, NULL);
	slurm_prio_factors(&r->prio, &in, (int64_t)at_s, &r->factors[id]);
}

static double billing(const struct recording *r, const struct slurm_job *job)
{
	return slurm_prio_billing(
		&r->prio,
		slurm_site_find_partition(&r->site, job->text.partition),
		job->cpus, job->alloc);
}

/* Does the job wait at an instant?  sacct's Start is up to a second early. */
static bool waits(const struct recording *r, const struct slurm_job *job,
		  double at_s)
{
	double until_s = r->started[job - r->site.jobs];

	if (until_s == 0)
		until_s = (double)job->end_s;
	return r->submitted[job->id] && (double)job->submit_s <= at_s &&
	       (until_s == 0 || until_s > at_s);
}

/* The place of a job in slurmctld's list.  A task that starts takes the place
 * of its array and a new id; what is left keeps the array's id and goes to the
 * end, behind the job of the id before.
 */
static int64_t place_of(const struct recording *r, const struct slurm_job *job,
			double at_s)
{
	int64_t place = job->array_id ? job->array_id : job->id;

	for (size_t i = 0; job->array_id && i < r->site.njobs; i++) {
		const struct slurm_job *other = &r->site.jobs[i];

		if (other->array_id == job->array_id && other->id != place &&
		    other->id > place && (double)other->start_s <= at_s &&
		    (job->id == job->array_id || other->id < job->id))
			place = other->id;
	}
	return place;
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct recording *r = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (r->place[x] != r->place[y])
		return r->place[x] < r->place[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void decay_run(struct recording *r, double at_s)
{
	int64_t now_s = (int64_t)at_s;
	bool tree = r->prio.fair_tree;

	for (uint32_t i = 0; i < r->site.njobs; i++) {
		r->order[i] = i;
		r->place[i] = place_of(r, &r->site.jobs[i], at_s);
	}
	qsort_r(r->order, r->site.njobs, sizeof(*r->order), by_place, r);
	slurm_prio_begin_run(&r->prio, now_s);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t k = 0; k < r->site.njobs; k++) {
			uint32_t i = r->order[k];
			const struct slurm_job *job = &r->site.jobs[i];

			if ((double)job->submit_s > at_s)
				continue;
			if (pass == 0 && !r->charged[i] && job->start_s &&
			    job->start_s <= now_s)
				slurm_prio_charge(&r->prio, job->assoc,
						  job->qos, billing(r, job),
						  job->start_s, now_s);
			if (pass == tree && waits(r, job, at_s))
				compute(r, job->id, at_s);
		}
		if (pass == 0)
			slurm_prio_end_run(&r->prio, now_s);
	}
}

/* ---- compare ---- */

static void compare(struct recording *r, enum field f, const char *who,
		    double at_s, const char *mine, const char *real)
{
	struct count *c = &r->count[f];

	c->all++;
	if (strcmp(mine, real) == 0)
		c->equal++;
	else if (strlen(c->first) < 250)
		snprintf(c->first + strlen(c->first),
			 sizeof(c->first) - strlen(c->first),
			 " [%s at %.0f: %s, not %s]", who, at_s - r->t0, mine,
			 real);
}

/* A number as printed, or nothing where the record has nothing. */
static void compare_number(struct recording *r, enum field f, const char *who,
			   double at_s, const char *format, double mine,
			   const char *real)
{
	char text[64];

	if (!*real)
		return;
	if (isinf(mine))
		snprintf(text, sizeof(text), "inf");
	else
		snprintf(text, sizeof(text), format, mine);
	compare(r, f, who, at_s, text, real);
}

static void compare_shares(struct recording *r, double at_s, long text)
{
	gzFile f = open_file(r, "sshare.txt.gz");
	char *field[16];

	/* sshare itself looks at all users. */
	for (uint32_t i = 1; i < r->site.nassocs; i++)
		slurm_prio_fairshare(&r->prio, i);
	gzseek(f, text, SEEK_SET);
	while (gzgets(f, line, LINE) && strncmp(line, "###", 3) != 0) {
		const struct slurm_usage *u;
		char *account = line;
		uint32_t i;

		if (split(line, field, 16) < 8 ||
		    strcmp(field[0], "Account") == 0)
			continue;
		while (*account == ' ')
			account++;
		i = slurm_site_find_assoc(&r->site, account, field[1], "");
		assert_int_not_equal(i, SLURM_NONE);
		u = &r->prio.usage[i];
		compare_number(r, C_RAW, field[1], at_s, "%.0f",
			       floor((double)u->raw), field[4]);
		compare_number(r, C_EFFECTIVE, field[1], at_s, "%.6f",
			       (double)u->effective, field[6]);
		if (i == 0)
			continue;
		compare_number(r, C_SHARES, field[1], at_s, "%.6f", u->shares,
			       field[3]);
		compare_number(r, C_NORM, field[1], at_s, "%.6f",
			       (double)u->norm, field[5]);
		compare_number(r, C_SHARE, field[1], at_s, "%.6f", u->factor,
			       field[7]);
		if (r->prio.fair_tree)
			compare_number(r, C_LEVEL, field[1], at_s, "%.6f",
				       (double)u->level, field[8]);
	}
	gzclose(f);
}

/* cpu=100,mem=30: what is not 0. */
static void tres_text(const struct recording *r,
		      const struct slurm_factors *factors, char *text,
		      size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; i < r->site.ntres && n < size; i++)
		if (factors->by_tres[i] != 0)
			n += (size_t)snprintf(
				text + n, size - n, "%s%s=%.0f", n ? "," : "",
				r->site.tres[i].name, factors->by_tres[i]);
}

static void compare_factors(struct recording *r, double at_s, char *field[])
{
	int64_t id = atol(field[0]);
	const struct slurm_job *job = row_of(r, id, at_s);
	const struct slurm_factors *x;
	struct slurm_factors own;
	char text[256];

	if (!job || id >= IDS || !r->submitted[id])
		return;
	x = &r->factors[id];
	/* A job of several partitions has a line for each. */
	if (strchr(option(job, " -p ") ? option(job, " -p ") : "", ',') &&
	    strchr(option(job, " -p "), ',') <
		    strchr(option(job, " -p "), ' ')) {
		own = *x;
		own.partition =
			(double)r->site
				.partitions[partition_of(r, job, field[3])]
				.job_factor /
			r->prio.max_job_factor *
			r->site.config.priority.partition;
		own.total += own.partition - x->partition;
		x = &own;
	}
	snprintf(text, sizeof(text), "%lld", (long long)x->total);
	compare(r, C_PRIORITY, field[0], at_s, text, field[5]);
	compare_number(r, C_AGE, field[0], at_s, "%.7f",
		       x->age / r->site.config.priority.age, field[8]);
	compare_number(r, C_ASSOC, field[0], at_s, "%.0f", x->assoc, field[9]);
	compare_number(r, C_FAIRSHARE, field[0], at_s, "%.7f",
		       x->fairshare / r->site.config.priority.fairshare,
		       field[12]);
	compare_number(r, C_SIZE, field[0], at_s, "%.7f",
		       x->job_size / r->site.config.priority.job_size,
		       field[14]);
	compare_number(r, C_PARTITION, field[0], at_s, "%.7f",
		       x->partition / r->site.config.priority.partition,
		       field[16]);
	compare_number(r, C_QOS, field[0], at_s, "%.0f", x->qos, field[1]);
	tres_text(r, x, text, sizeof(text));
	compare(r, C_TRES, field[0], at_s, text, field[20]);
}

static void compare_sprio(struct recording *r, double at_s, long text)
{
	gzFile f = open_file(r, "sprio.txt.gz");
	char *field[24];

	gzseek(f, text, SEEK_SET);
	while (gzgets(f, line, LINE) && strncmp(line, "###", 3) != 0)
		if (split(line, field, 24) >= 22)
			compare_factors(r, at_s, field);
	gzclose(f);
}

static void submit(struct recording *r, const struct event *e)
{
	char mine[32], real[32], who[32];

	if (e->id >= IDS || !row_of(r, e->id, e->at_s))
		return;
	r->submitted[e->id] = e->at_s;
	compute(r, e->id, e->at_s);
	snprintf(who, sizeof(who), "%lld", (long long)e->id);
	snprintf(mine, sizeof(mine), "%u", r->factors[e->id].priority);
	snprintf(real, sizeof(real), "%ld", e->text);
	compare(r, C_SUBMIT, who, e->at_s, mine, real);
}

/* A loop looks at all jobs that wait: their age begins. */
static void look(struct recording *r, double at_s)
{
	for (size_t i = 0; i < r->site.njobs; i++) {
		const struct slurm_job *job = &r->site.jobs[i];

		/* Tasks are eligible later, when others have ended. */
		int64_t from_s = r->accrue[job->id % IDS];

		if (job->id < IDS && r->submitted[job->id] &&
		    !r->tested[job->id] &&
		    (double)(from_s ? from_s : job->eligible_s) <= at_s)
			r->tested[job->id] = at_s;
	}
}

static void replay(struct recording *r)
{
	for (size_t i = 0; i < r->nevents; i++) {
		const struct event *e = &r->events[i];

		switch (e->kind) {
		case RUN_LOOPS:
			look(r, e->at_s);
			break;
		case DECAY:
			decay_run(r, e->at_s);
			break;
		case SUBMIT:
			submit(r, e);
			break;
		case END: {
			const struct slurm_job *job = &r->site.jobs[e->job];

			r->charged[e->job] = true;
			slurm_prio_charge(&r->prio, job->assoc, job->qos,
					  billing(r, job), job->start_s,
					  job->end_s);
			break;
		}
		case SSHARE:
			compare_shares(r, e->at_s, e->text);
			break;
		default:
			compare_sprio(r, e->at_s, e->text);
		}
	}
}

/* ---- the tests ---- */

static const char *const names[NCOUNTS] = {
	"RawUsage", "NormUsage",  "EffectvUsage", "FairShare",
	"LevelFS",  "NormShares", "PRIORITY",	  "AGE",
	"ASSOC",    "FAIRSHARE",  "JOBSIZE",	  "PARTITION",
	"QOS",	    "TRES",	  "at submission"};

static void compare_recording(const char *name, double least)
{
	const char *folder = getenv("LIBRA_TRUTH");
	struct libra_error err = {""};
	struct recording *r;
	char path[1200];

	if (!folder ||
	    snprintf(path, sizeof(path), "%s/%s/config.txt", folder, name) <
		    0 ||
	    access(path, R_OK) != 0) {
		print_message("# no recording %s in LIBRA_TRUTH\n", name);
		skip();
	}
	r = calloc(1, sizeof(*r));
	assert_non_null(r);
	snprintf(r->folder, sizeof(r->folder), "%s/%s", folder, name);
	if (slurm_site_read(&r->site, r->folder, false, &err) < 0)
		fail_msg("%s", err.text);
	snprintf(path, sizeof(path), "%s/sacct.txt.gz", r->folder);
	if (slurm_site_read_jobs(&r->site, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(slurm_prio_init(&r->prio, &r->site, &err), 0);
	read_beginning(r);
	read_accrue(r);
	read_loops(r);
	read_priorities(r);
	read_samples(r, "sshare.txt.gz", SSHARE);
	read_samples(r, "sprio.txt.gz", SPRIO);
	read_starts(r);
	read_ends(r);
	qsort(r->events, r->nevents, sizeof(*r->events), by_time);
	replay(r);
	for (int i = 0; i < NCOUNTS; i++) {
		const struct count *c = &r->count[i];

		if (c->all == 0)
			continue;
		print_message("# %s %s: %zu of %zu equal, %.2f %%%s\n", name,
			      names[i], c->equal, c->all,
			      100.0 * (double)c->equal / (double)c->all,
			      c->first);
		assert_true((double)c->equal >= least * (double)c->all);
	}
	slurm_prio_fini(&r->prio);
	slurm_site_fini(&r->site);
	free(r->events);
	free(r);
}

static void fair_tree_as_recorded(void **state)
{
	(void)state;
	compare_recording("A", 0.99);
}

static void fair_tree_as_recorded_again(void **state)
{
	(void)state;
	compare_recording("A2", 0.99);
}

static void classic_as_recorded(void **state)
{
	(void)state;
	compare_recording("B", 0.93);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fair_tree_as_recorded),
		cmocka_unit_test(fair_tree_as_recorded_again),
		cmocka_unit_test(classic_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
