/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_alloc.c - each allocation of the host fails once, in turn.
 *
 * A day of slurmctld, from its settings to a restart and the end of all jobs,
 * is repeated with a failure at its first, second, ... allocation, until none
 * fails.  Each time
 *   what was told is kept: a job that was accepted has its promise, or asks for
 *   one by itself as soon as there is memory; one that was not holds nothing;
 *   table and engine agree: when all jobs are over the machine is empty;
 *   the decision log has no line in part.
 * Two nodes of four processors; without Slurm.  Then the same of jobs on 250
 * nodes, whose records are longer than what the C library has at once
 * for a text in memory: each record that is written is whole.  Then the same
 * where a job is stopped for an urgent one, whose place is kept.  Speaks TAP.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/machine.h"
#include "tests/plugin/own_memory.h"

/* --- slurmctld -------------------------------------------------------------
 */

enum { JOBS = 12 };

static double now_s;
static struct libra_host *host;
static char records[JOBS][1 << 16];
static enum libra_host_job_state states[JOBS];
static const char *params;
static bool in_turn;

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	snprintf(records[id], sizeof(records[id]), "%s", record->comment);
}

static enum libra_host_job_state job_state(uint32_t id)
{
	return id < JOBS && states[id] ? states[id] : LIBRA_JOB_GONE;
}

static struct libra_host_job view(const void *record)
{
	return *(const struct libra_host_job *)record;
}

static bool ended_by_itself(uint32_t id)
{
	return true;
}

static const char *bad; /* what was wrong first */

static void must(bool good, const char *what)
{
	if (!good && !bad)
		bad = what;
}

/* The nodes are what they were all day. */
static void hear(enum libra_host_level level, const char *text)
{
	must(!strstr(text, "not managed"), "a lack of memory is called so");
}

static const struct libra_host_ops ops = {
	.log = hear,
	.now_s = clock_s,
	.write_record = keep,
	.job_state = job_state,
	.view = view,
	.ended_by_itself = ended_by_itself,
};

static struct libra_host_job job(uint32_t id, uint32_t waiting)
{
	return (struct libra_host_job){
		.job_id = id,
		.comment = records[id],
		.waiting = waiting,
		.whole_array = true,
		.size.ncpus = 1,
		.size.ntasks = 1,
		.size.cpus_per_task = 1,
		.start_s = states[id] == LIBRA_JOB_ALIVE ? now_s : 0,
	};
}

/* Without memory for it slurmctld has no settings: it is configured again. */
static void configure(void)
{
	while (machine_set(host, params, 2, 4) < 0)
		if (!failed)
			break;
}

static enum libra_host_place place(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);
	enum libra_host_place where = libra_host_place(host, &seen, &p);

	machine_take(id, &p, keep);
	return where;
}

/* Result: accepted. */
static bool submit(uint32_t id, uint32_t ncpus, double estimate_s,
		   double until_s, const char *array)
{
	struct libra_host_request r =
		machine_asking(ncpus, estimate_s, now_s + until_s);

	r.array = array;
	records[id][0] = '\0';
	if (!machine_submit(host, id, &r, keep))
		return false;
	states[id] = LIBRA_JOB_PENDING;
	return true;
}

static void started(uint32_t id)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen;

	states[id] = LIBRA_JOB_ALIVE;
	seen = job(id, 0);
	libra_host_started(host, &seen, &p);
	machine_take(id, &p, keep);
}

static void known(uint32_t id, uint32_t waiting)
{
	struct libra_host_placement p = {0};
	struct libra_host_job seen = job(id, waiting);

	libra_host_restore(host, &seen, &p);
	machine_take(id, &p, keep);
}

/* Result: accepted.  Who gets no answer is told that there is none: Slurm would
 * take for done what was not.
 */
static bool change(uint32_t id, double estimate_s, uint32_t ncpus)
{
	struct libra_host_request r = {
		.times.estimate_s = estimate_s,
		.times.deadline_s = NAN,
		.change.size = ncpus > 0,
		.size.ncpus = ncpus,
		.size.ntasks = ncpus,
	};
	struct libra_host_job record = job(id, 0);
	struct libra_host_reply reply;
	bool accepted;
	int rc = libra_host_modify(host, &record, 0, &r, &reply);

	must(rc == 0 || rc == -1, "a change is answered, or it fails");
	if (rc != 0)
		return false;
	must(!records[id][0] || reply.answer != LIBRA_HOST_STOCK,
	     "a change of a promised job is not Slurm's alone");
	accepted = reply.answer == LIBRA_HOST_ACCEPTED;
	if (accepted && reply.record.comment)
		keep(id, &reply.record);
	libra_host_reply_fini(&reply);
	return accepted;
}

/* A job that is held asks for 120 s, and then for 180 s. */
static void hold(uint32_t id)
{
	struct libra_host_request r = machine_asking(1, 120, now_s + 5000);
	bool changed;

	r.blocked = true;
	records[id][0] = '\0';
	if (!machine_submit(host, id, &r, keep) || !records[id][0])
		return;
	states[id] = LIBRA_JOB_BLOCKED;
	changed = change(id, 180, 0);
	must(strstr(records[id],
		    changed ? " estimate=180 " : " estimate=120 ") != NULL,
	     "a held job's record says what its user was told");
	states[id] = LIBRA_JOB_GONE;
}

static void flush(void)
{
	for (int i = 0; i < 100 && libra_host_flush_records(host); i++)
		now_s += 0.01;
}

static struct libra_host_counts counts(void)
{
	struct libra_host_counts c;

	libra_host_counts(host, &c);
	return c;
}

/* As soon as there is memory a job that was accepted is promised, and may start
 * if its policy does not let it wait for its turn.
 */
static void comes_to_it(uint32_t id, uint32_t waiting)
{
	enum libra_host_place where = LIBRA_PLACE_STOCK;

	for (int i = 0; i < 20; i++, now_s += 1) {
		where = place(id, waiting);
		if (where == LIBRA_PLACE_HERE)
			break;
	}
	must(where == LIBRA_PLACE_HERE ||
		     (in_turn && where == LIBRA_PLACE_WAIT),
	     "a job that was accepted may start, or waits for its turn");
}

static void are_promised(uint32_t n, const char *what)
{
	must(counts().committed + counts().running == n, what);
}

static void ends(uint32_t id)
{
	states[id] = LIBRA_JOB_GONE;
	libra_host_ended(host, id);
}

/* Job 1 runs, 2 waits and is changed, 3 is an array of three, 4 is held. */
static void day(void)
{
	bool one, two, three, changed;
	uint32_t n;

	memset(records, 0, sizeof(records));
	memset(states, 0, sizeof(states));
	now_s = 1e9;
	host = libra_host_create();
	if (!host)
		return; /* slurmctld's own is there from the beginning */
	libra_host_init(host, &ops);
	configure();
	one = submit(1, 2, 100, 4000, NULL);
	two = submit(2, 8, 100, 5000, NULL);
	three = submit(3, 1, 50, 6000, "1-3");
	n = (one ? 1 : 0) + (two ? 1 : 0) + (three ? 3 : 0);
	if (one)
		comes_to_it(1, 0);
	if (two)
		comes_to_it(2, 0);
	if (three)
		comes_to_it(3, 3);
	are_promised(n, "who was accepted is promised");
	if (one)
		started(1);
	flush();
	change(1, 120, 0);
	change(2, 110, 0);
	flush();
	if (two) {
		changed = change(2, NAN, 4);
		flush();
		must(counts().committed + counts().running == n,
		     "a change of the size leaves one promise");
		must(strstr(records[2], changed ? " procs=4 " : " procs=8 ") !=
			     NULL,
		     "of the size that the user was told");
	}
	hold(4);
	flush();
	libra_host_suspended(host, 1, true);
	now_s += 10;
	libra_host_suspended(host, 1, false);
	libra_host_look(host);
	flush();

	/* A restart: the records are all that is left. */
	libra_host_fini(host);
	libra_host_init(host, &ops);
	configure();
	if (one)
		started(1);
	if (two)
		known(2, 0);
	if (three)
		known(3, 3);
	if (two)
		comes_to_it(2, 0);
	if (three)
		comes_to_it(3, 3);
	must(counts().committed == n - (one ? 1 : 0),
	     "after a restart who waits is promised");
	if (one)
		ends(1);
	if (two) {
		started(2);
		ends(2);
	}
	states[3] = LIBRA_JOB_GONE;
	for (int i = 0; i < 4; i++, now_s += 2)
		libra_host_look(host);
	now_s += 400; /* offers nobody came for expire */
	for (int i = 0; i < 4; i++, now_s += 2)
		libra_host_look(host);
	countdown = -1;
	must(counts().running + counts().committed + counts().offers == 0,
	     "all jobs are over: the table is empty");
	must(submit(9, 8, 1000, 1001, NULL) && place(9, 0) == LIBRA_PLACE_HERE,
	     "and so is the machine");
	libra_host_destroy(host);
}

/* ---- places of urgent jobs ---- */

static char folder[] = "/tmp/host_alloc.d.XXXXXX";
static char places[64]; /* the file of them */

static void configure_kept(void)
{
	const struct machine m = {.params = params,
				  .nnodes = 2,
				  .nprocs = 4,
				  .state_folder = folder};

	while (machine_make(host, &m) < 0)
		if (!failed)
			break;
}

/* On all of the first node. */
static struct libra_host_job ordinary(uint32_t id, uint32_t minutes)
{
	static const struct libra_host_part part = {.count = 4};

	return (struct libra_host_job){
		.job_id = id, .minutes = minutes, .parts = &part, .nparts = 1};
}

/* May an urgent job start there, where another one is stopped for it (or 0)? */
static bool may_come(uint32_t id, uint32_t victim)
{
	struct libra_host_job urgent = ordinary(id, 10);

	urgent.victims.ids = &victim;
	urgent.victims.n = victim != 0;
	urgent.victims.take_s = 60;
	urgent.victims.preempted = victim != 0;
	return libra_host_may_run(host, &urgent, NULL, 0);
}

static bool places_are_whole(void)
{
	char text[512] = "";
	FILE *fp = fopen(places, "r");
	size_t n;

	if (!fp)
		return true;
	n = fread(text, 1, sizeof(text) - 1, fp);
	fclose(fp);
	return n > 6 && strncmp(text, "libra_kept 1 mem\njob=6 ", 23) == 0 &&
	       strcmp(text + n - 7, "\nend 1\n") == 0;
}

/* Job 5 is stopped for 6, while 1 is promised the other node; then slurmctld
 * starts again.
 */
static void day_of_places(void)
{
	struct libra_host_placement p = {0};
	struct libra_host_job victim = ordinary(5, 60);
	bool one, may, comes;

	memset(records, 0, sizeof(records));
	memset(states, 0, sizeof(states));
	now_s = 1e9;
	host = libra_host_create();
	if (!host)
		return;
	libra_host_init(host, &ops);
	configure_kept();
	states[5] = LIBRA_JOB_ALIVE;
	victim.start_s = now_s;
	libra_host_started(host, &victim, &p);
	free(p.parts);
	one = submit(1, 4, 1000, 8000, NULL);
	if (one)
		comes_to_it(1, 0);
	states[6] = states[7] = LIBRA_JOB_PENDING;
	may = may_come(6, 5);
	must(places_are_whole(), "places are noted whole, or not at all");
	ends(5);
	now_s += 5;
	libra_host_look(host);
	must(places_are_whole(), "places are noted whole, or not at all");

	libra_host_fini(host);
	libra_host_init(host, &ops);
	configure_kept();
	if (one)
		known(1, 0);
	for (int i = 0; i < 3; i++, now_s += 2)
		libra_host_look(host);
	comes = may_come(6, 0);
	must(failed || (one && may && comes), "who others stopped for comes");
	must(failed || !may_come(7, 0), "and nobody else");
	must(places_are_whole(), "places are noted whole, or not at all");
	if (one)
		comes_to_it(1, 0);
	states[1] = states[6] = LIBRA_JOB_GONE;
	for (int i = 0; i < 8; i++, now_s += 60)
		libra_host_look(host);
	countdown = -1;
	for (int i = 0; i < 4; i++, now_s += 2)
		libra_host_look(host);
	must(access(places, F_OK) < 0, "no place is noted any more");
	must(counts().running + counts().committed + counts().offers == 0,
	     "all jobs are over: the table is empty");
	must(submit(9, 8, 1000, 1001, NULL) && place(9, 0) == LIBRA_PLACE_HERE,
	     "and so is the machine");
	libra_host_destroy(host);
}

static void test_places(void)
{
	char name[128], learned[64];
	long points = 0, bad_points = 0;

	if (!mkdtemp(folder))
		abort();
	snprintf(places, sizeof(places), "%s/libra_kept", folder);
	params = "libra_policy=planned,libra_partitions=main";
	in_turn = true;
	snprintf(learned, sizeof(learned), "%s/libra_learned", folder);
	for (failed = true; failed; points++) {
		unlink(places);
		unlink(learned); /* each day is the same */
		bad = NULL;
		failed = false;
		countdown = points;
		day_of_places();
		countdown = -1;
		if (bad && bad_points++ < 10)
			printf("# places, allocation %ld: not so: %s\n",
			       points + 1, bad);
	}
	snprintf(name, sizeof(name),
		 "each of %ld allocations failed once: places are kept over a "
		 "restart or forgotten, and nothing is left over",
		 points - 1);
	ok(bad_points == 0 && points > 50, name);
	snprintf(name, sizeof(name), "rm -rf %s", folder);
	ok(system(name) == 0, "all is removed");
}

/* ---- long records ---- */

enum { WIDE = 250, LONG = 8192 };

static size_t longest;

/* All processors are in the record, and what a job that runs has left on each
 * of them.
 */
static bool record_is_whole(uint32_t id)
{
	bool runs = states[id] == LIBRA_JOB_ALIVE;
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	struct libra_promise p;
	uint32_t n = 0;

	if (libra_admin_comment_parse(records[id], &p) < 0)
		return false;
	if (p.on.len == 0)
		return p.left.len == 0;
	while (libra_promise_part(&p, &at, &part)) {
		if (part.begun != (p.left.len > 0))
			return false;
		n += part.count;
	}
	return at.on == p.on.len && n == p.nprocs && (runs || !p.left.len);
}

static void keep_whole(uint32_t id, const struct libra_host_record *record)
{
	keep(id, record);
	longest = fmax(longest, strlen(record->comment));
	must(record_is_whole(id), "a long record is whole");
}

/* Two jobs on all processors, one after the other: the second makes the first
 * one's record stale, and so does its end.
 */
static void day_of_long_records(void)
{
	const struct libra_host_ops own = {.now_s = clock_s,
					   .write_record = keep_whole,
					   .job_state = job_state,
					   .view = view};
	bool accepted;

	memset(states, 0, sizeof(states));
	now_s = 1e9 + 1.0 / 3;
	host = libra_host_create();
	if (!host)
		return;
	libra_host_init(host, &own);
	while (machine_set(host, params, WIDE, 4) < 0)
		if (!failed)
			break;
	for (uint32_t id = 1; id <= 2; id++, now_s += 10.0 / 3) {
		struct libra_host_request r =
			machine_asking(4 * WIDE, 100, now_s + 4000.0 / id);

		records[id][0] = '\0';
		accepted = machine_submit(host, id, &r, keep_whole);
		if (!accepted)
			continue;
		states[id] = LIBRA_JOB_PENDING;
		comes_to_it(id, 0);
		started(id);
		must(record_is_whole(id), "a long record is whole");
		flush();
	}
	for (uint32_t id = 2; id > 0; id--) {
		now_s += 10.0 / 3;
		if (states[id])
			ends(id);
		flush();
	}
	libra_host_destroy(host);
}

static void test_long_records(const char *policy)
{
	char text[128], name[128];
	long points = 0, bad_points = 0;

	snprintf(text, sizeof(text), "libra_policy=%s,libra_partitions=main",
		 policy);
	params = text;
	in_turn = strcmp(policy, "band") == 0;
	longest = 0;
	for (failed = true; failed; points++) {
		bad = NULL;
		failed = false;
		countdown = points;
		day_of_long_records();
		countdown = -1;
		if (bad && bad_points++ < 10)
			printf("# %s, long records, allocation %ld: not so: "
			       "%s\n",
			       policy, points + 1, bad);
	}
	snprintf(name, sizeof(name),
		 "%s: each of %ld allocations failed once: records of %zu "
		 "characters are whole",
		 policy, points - 1, longest);
	ok(bad_points == 0 && points > 50 && longest > LONG, name);
}

/* Every line is whole: it begins and ends as one, and has no other in it. */
static bool log_is_whole(const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	bool whole = f != NULL;
	ssize_t n;

	while (whole && (n = getline(&line, &cap, f)) > 0) {
		int depth = 0;

		for (ssize_t i = 0; i < n; i++)
			depth += (line[i] == '{' || line[i] == '[') -
				 (line[i] == '}' || line[i] == ']');
		whole = n > 3 && line[0] == '{' && line[n - 1] == '\n' &&
			line[n - 2] == '}' && depth == 0 &&
			!strstr(line, ",,") && !strstr(line, ":,") &&
			!strstr(line, ":}");
	}
	free(line);
	if (f)
		fclose(f);
	return whole;
}

static void test_policy(const char *policy, const char *path)
{
	char text[512], name[128];
	long points = 0, bad_points = 0;

	snprintf(text, sizeof(text),
		 "libra_policy=%s,libra_partitions=main,libra_log=%s", policy,
		 path);
	params = text;
	for (;; points++) {
		unlink(path);
		bad = NULL;
		failed = false;
		in_turn = strcmp(policy, "band") == 0 ||
			  strcmp(policy, "planned") == 0;
		countdown = points;
		day();
		countdown = -1;
		if (!log_is_whole(path) && access(path, F_OK) == 0)
			must(false, "every line of the log is whole");
		if (bad && bad_points++ < 10)
			printf("# %s, allocation %ld: not so: %s\n", policy,
			       points + 1, bad);
		if (!failed)
			break;
	}
	snprintf(name, sizeof(name),
		 "%s: each of %ld allocations failed once: promises are kept, "
		 "or asked for again, and nothing is left over",
		 policy, points);
	ok(bad_points == 0 && points > 50, name);
}

int main(void)
{
	static const char *const policies[] = {"libra", "librarisk", "band",
					       "planned"};
	char path[] = "/tmp/host_alloc.XXXXXX";
	int fd;

	if (!memory_may_fail())
		return 0;
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		test_policy(policies[i], path);
	for (size_t i = 0; i < 3; i++)
		test_long_records(policies[i]);
	test_places();
	unlink(path);
	return finish();
}
