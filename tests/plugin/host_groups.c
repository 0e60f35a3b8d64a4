/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_groups.c - one host, two groups of partitions with a policy each.
 *
 * Partition a has nodes n0 and n1, b has n2 and n3, of two processors; c is a
 * second partition on the nodes of b.  Speaks TAP.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2, JOBS = 16 };

static double now_s = 1e9;
static char *records[JOBS]; /* by job id */
static char *said;	    /* the last error */
static char dir[] = "/tmp/host_groups.XXXXXX";

static void log_line(enum libra_host_level level, const char *text)
{
	if (level != LIBRA_HOST_ERROR || strstr(text, "bf_min_age_reserve") ||
	    strstr(text, "are not taken over"))
		return;
	free(said);
	said = strdup(text);
}

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *record)
{
	free(records[id]);
	records[id] = strdup(record->comment);
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.now_s = clock_s,
	.write_record = keep,
};

static int set_cluster(struct libra_host *host, const char *tokens)
{
	static const char *const names[NODES] = {"n0", "n1", "n2", "n3"};
	static const uint32_t procs[NODES] = {PROCS, PROCS, PROCS, PROCS};
	static const uint8_t of_a[NODES] = {1, 1}, of_b[NODES] = {0, 0, 1, 1};
	static const struct libra_host_partition parts[] = {
		{.name = "a", .max_minutes = UINT32_MAX, .nodes = of_a},
		{.name = "b", .max_minutes = UINT32_MAX, .nodes = of_b},
		{.name = "c", .max_minutes = UINT32_MAX, .nodes = of_b},
	};
	char params[512];
	struct libra_host_cluster cluster = {
		.sched_params = params,
		.default_partition = "a",
		.nnodes = NODES,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 3,
		.partitions = parts,
		.cpus_per_proc = 1,
	};

	snprintf(params, sizeof(params), "%s,libra_log=%s/l.jsonl", tokens,
		 dir);
	return libra_host_set_cluster(host, &cluster);
}

/* Result: the answer; an accepted one has this id and is placed. */
static enum libra_host_answer submit(struct libra_host *host, uint32_t id,
				     const char *partition, uint32_t ncpus,
				     struct libra_host_placement *p)
{
	struct libra_host_request r = {
		.partition = partition,
		.times.estimate_s = 100,
		.times.deadline_s = now_s + 150,
		.size.ncpus = ncpus,
		.size.cpus_per_task = 1,
	};
	struct libra_host_job job = {.job_id = id};
	struct libra_host_reply reply;
	enum libra_host_answer answer;

	p->nparts = 0;
	libra_host_submit(host, &r, &reply);
	answer = reply.answer;
	if (answer == LIBRA_HOST_ACCEPTED) {
		keep(id, &reply.record);
		job.comment = records[id];
		libra_host_place(host, &job, p);
		if (p->record.comment)
			keep(id, &p->record);
		free(p->record.comment);
	}
	libra_host_reply_fini(&reply);
	return answer;
}

static void start(struct libra_host *host, uint32_t id)
{
	struct libra_host_job job = {.job_id = id, .comment = records[id]};
	struct libra_host_placement p = {0};

	libra_host_started(host, &job, &p);
	if (p.record.comment)
		keep(id, &p.record);
	free(p.record.comment);
	free(p.parts);
	libra_host_flush_records(host);
}

static bool within(const struct libra_host_placement *p, uint32_t first,
		   uint32_t last)
{
	for (size_t i = 0; i < p->nparts; i++)
		if (p->parts[i].node < first || p->parts[i].node > last)
			return false;
	return p->nparts > 0;
}

static long size_of(const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

#define TWO "libra_policy=libra:a,band:b+c"

static void test_apart(struct libra_host *host)
{
	struct libra_host_placement p = {0};
	struct libra_host_counts counts;
	struct libra_promise promise;

	ok(set_cluster(host, TWO) == 0, "two policies are taken");
	libra_host_counts(host, &counts);
	ok(counts.nprocs == 8, "all processors are managed");
	ok(submit(host, 1, "a", 4, &p) == LIBRA_HOST_ACCEPTED &&
		   within(&p, 0, 1),
	   "a job of the first is on its nodes");
	ok(submit(host, 2, NULL, 4, &p) == LIBRA_HOST_REFUSED,
	   "they are promised then, to the default partition's jobs, too");
	ok(submit(host, 3, "b", 4, &p) == LIBRA_HOST_ACCEPTED &&
		   within(&p, 2, 3),
	   "a job of the second is on its own");
	ok(submit(host, 4, "c", 4, &p) == LIBRA_HOST_REFUSED,
	   "partitions of one policy have one ledger");
	ok(submit(host, 5, "a,b", 1, &p) == LIBRA_HOST_UNACCEPTABLE,
	   "a promise is of one of them");
	ok(submit(host, 5, "other", 1, &p) == LIBRA_HOST_STOCK,
	   "what no policy has is Slurm's");
	start(host, 1);
	start(host, 3);
	libra_host_counts(host, &counts);
	ok(counts.running == 2, "both run");
	ok(libra_admin_comment_parse(records[1], &promise) == 0 &&
		   promise.share > 0.6 && promise.share < 0.7 &&
		   strstr(records[1], " on=n0:0"),
	   "the record of the one has its share and nodes");
	ok(libra_admin_comment_parse(records[3], &promise) == 0 &&
		   strstr(records[3], " part=b ") &&
		   strstr(records[3], " on=n2:0"),
	   "that of the other has its own");
	ok(size_of("l.jsonl") < 0 && size_of("l.a.jsonl") > 0 &&
		   size_of("l.b.jsonl") > 0,
	   "each has a log");
	free(p.parts);
}

static void test_ends(struct libra_host *host)
{
	struct libra_host_placement p = {0};
	struct libra_host_counts counts;

	libra_host_ended(host, 3);
	libra_host_counts(host, &counts);
	ok(counts.running == 1, "an end is that of its job alone");
	ok(submit(host, 4, "c", 4, &p) == LIBRA_HOST_ACCEPTED &&
		   within(&p, 2, 3),
	   "and what it had is free where it was");
	start(host, 4);
	free(p.parts);
}

/* The engines are made anew where they must, and records are restored to the
 * group that has their partition now.
 */
static void test_changes(struct libra_host *host)
{
	struct libra_host_counts counts;
	long was;

	ok(set_cluster(host, TWO) == 0, "told again");
	libra_host_counts(host, &counts);
	ok(counts.running == 2, "nothing is lost");
	was = size_of("l.a.jsonl");
	ok(set_cluster(host, "libra_policy=libra:a,libra:b+c") == 0,
	   "another policy for the second");
	libra_host_counts(host, &counts);
	ok(counts.running == 1, "the first keeps its ledger");
	start(host, 4);
	libra_host_counts(host, &counts);
	ok(counts.running == 2 && size_of("l.a.jsonl") > was,
	   "the second restores its jobs");
	ok(set_cluster(host, "libra_policy=libra") == 0, "one policy for all");
	start(host, 1);
	start(host, 4);
	libra_host_counts(host, &counts);
	ok(counts.running == 2 && counts.nprocs == 8, "it restores both");
	ok(set_cluster(host, "libra_policy=libra:c+b") == 0,
	   "only the second, its partitions in another order");
	start(host, 1);
	start(host, 4);
	libra_host_counts(host, &counts);
	ok(counts.running == 1 && counts.nprocs == 4, "has its own alone");
}

static void test_shared_nodes(struct libra_host *host)
{
	struct libra_host_placement p = {0};
	struct libra_host_counts counts;

	ok(set_cluster(host, TWO) == 0, "two policies again");
	start(host, 1);
	start(host, 4);
	ok(set_cluster(host, "libra_policy=libra:a+b,band:c") == 0,
	   "partitions that share nodes may not have two policies");
	ok(said && strstr(said, "partitions b and c share node n2") &&
		   strstr(said, "libra:b+c"),
	   "the line says which, where, and what to do");
	libra_host_counts(host, &counts);
	ok(counts.nprocs == 8 && counts.running == 2, "what ran before stays");
	ok(submit(host, 6, "c", 4, &p) == LIBRA_HOST_REFUSED,
	   "with its promises");
	ok(set_cluster(host, "libra_policy=planned:a,bnd:b+c") == 0,
	   "nor is there an unknown policy");
	libra_host_counts(host, &counts);
	ok(counts.nprocs == 8 && counts.running == 2,
	   "which changes nothing either");
	ok(set_cluster(host, TWO) == 0, "put right, it is taken");
	libra_host_counts(host, &counts);
	ok(counts.running == 2, "with all jobs");
	free(p.parts);
}

int main(void)
{
	struct libra_host *host = libra_host_create();
	char command[64];

	if (!host || !mkdtemp(dir))
		return 1;
	libra_host_init(host, &ops);
	test_apart(host);
	test_ends(host);
	test_changes(host);
	test_shared_nodes(host);
	libra_host_destroy(host);
	for (int i = 0; i < JOBS; i++)
		free(records[i]);
	free(said);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) != 0 || finish();
}
