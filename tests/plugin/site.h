/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site.h - a slurmctld for tests of the host: what it knows, and all that it
 * was told.
 *
 * Two nodes of four processors in the partitions main and side; a clock of our
 * own.  A test sets what Slurm knows in site, calls the host by the functions
 * below, and compares what is left in site.
 */
#ifndef LIBRA_TEST_SITE_H
#define LIBRA_TEST_SITE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/engine/admin_comment.h"
#include "tests/plugin/machine.h"

enum { SITE_JOBS = 32, SITE_NODES = 2, SITE_PROCS = 4, SITE_LOG = 1 << 16 };

/* As slurm.h has it, which most tests do without. */
#define SITE_INFINITE UINT32_MAX

static struct site {
	struct libra_host *host;
	double now_s;
	double steady_s;	  /* what the clock is ahead of a steady one */
	double pause_s;		  /* before the next reading of the clock */
	double asking_s;	  /* that it takes to ask for a job's state */
	char *records[SITE_JOBS]; /* admin_comment by job id */
	struct libra_host_record told[SITE_JOBS]; /* with no comment */
	unsigned writes[SITE_JOBS];		  /* of records by the host */
	enum libra_host_job_state states[SITE_JOBS]; /* 0 = pending */
	struct libra_host_job views[SITE_JOBS]; /* what else is seen of it */
	enum libra_node_state nodes[SITE_NODES];
	bool reserved[SITE_NODES];
	uint64_t stamp;
	unsigned asked_nodes, asked_jobs, woken;
	enum libra_host_end ends[SITE_JOBS]; /* 0 = over */
	const char *barriers[SITE_JOBS];     /* what keeps it from starting */
	struct libra_host_rules rules;
	uint32_t most_cpus; /* of a job, by a limit; 0 = any number */
	double charged[SITE_JOBS];
	unsigned charges;
	uint32_t max_minutes; /* of main */
	bool whole_nodes;     /* both partitions */
	const char *folder;   /* of slurmctld's state */
	uint32_t cpus_per_proc;
	char log[SITE_LOG]; /* what slurmctld's log has: levels and lines */
	char declog[32];
	/* Of the last reply and placement. */
	struct libra_host_reply reply; /* with no text and comment */
	char text[2048];
	struct libra_host_placement at;
} site;

/* A reading that comes late is late once. */
static inline double site_clock_s(void)
{
	double now_s = site.now_s + site.pause_s;

	site.pause_s = 0;
	return now_s;
}

static inline double site_steady_s(void)
{
	return site.now_s - site.steady_s;
}

static inline void site_log(enum libra_host_level level, const char *text)
{
	size_t n = strlen(site.log);

	snprintf(site.log + n, sizeof(site.log) - n, "%d %s\n", (int)level,
		 text);
}

static inline void site_keep(uint32_t id,
			     const struct libra_host_record *record)
{
	free(site.records[id]);
	site.records[id] = strdup(record->comment);
	site.told[id] = *record;
	site.told[id].comment = NULL;
}

static inline void site_write(uint32_t id,
			      const struct libra_host_record *record)
{
	site_keep(id, record);
	site.writes[id]++;
}

static inline enum libra_host_job_state site_state(uint32_t id)
{
	site.asked_jobs++;
	site.now_s += site.asking_s;
	return id < SITE_JOBS && site.states[id] ? site.states[id]
						 : LIBRA_JOB_PENDING;
}

static inline const char *site_barrier(uint32_t id)
{
	return id < SITE_JOBS ? site.barriers[id] : NULL;
}

static inline enum libra_node_state site_node(uint32_t node)
{
	site.asked_nodes++;
	return site.nodes[node] ? site.nodes[node] : LIBRA_NODE_UP;
}

static inline bool site_reserved(uint8_t *nodes, uint32_t n)
{
	bool any = false;

	for (uint32_t i = 0; i < n; i++)
		any = any || site.reserved[i];
	for (uint32_t i = 0; i < n && any; i++)
		nodes[i] = site.reserved[i];
	return any;
}

static inline uint64_t site_stamp(void)
{
	return site.stamp;
}

static inline void site_rules(const struct libra_host_request *r,
			      struct libra_host_rules *rules)
{
	*rules = site.rules;
	if (!site.most_cpus)
		return;
	rules->limits.limit_name = "MaxTRES";
	rules->limits.room = r->size.ncpus <= site.most_cpus;
	rules->limits.never = rules->limits.room < 1;
}

static inline bool site_ended_by_itself(uint32_t id)
{
	return true;
}

static inline enum libra_host_end site_ended(uint32_t id)
{
	return site.ends[id] ? site.ends[id] : LIBRA_END_OVER;
}

static inline void site_charge(uint32_t id, double rate)
{
	site.charged[id] = rate;
	site.charges++;
}

static inline void site_wake(void)
{
	site.woken++;
}

static inline struct libra_host_job site_job(uint32_t id)
{
	struct libra_host_job job = site.views[id];

	job.job_id = id;
	job.comment = site.records[id];
	return job;
}

/* A job's record is its id. */
static inline struct libra_host_job site_view(const void *record)
{
	return site_job(*(const uint32_t *)record);
}

/* User 0 is an operator. */
static inline enum libra_host_right site_right(const void *record,
					       uint32_t user)
{
	return user ? LIBRA_RIGHT_OWNER : LIBRA_RIGHT_OPERATOR;
}

/* As Slurm's job records have it. */
static inline bool site_claims(uint32_t id, uint64_t epoch, uint64_t offer)
{
	char text[64];

	snprintf(text, sizeof(text), "libra:1 offer=%llu.%llu ",
		 (unsigned long long)epoch, (unsigned long long)offer);
	return site.records[id] &&
	       strncmp(site.records[id], text, strlen(text)) == 0;
}

static const struct libra_host_ops site_ops = {
	.log = site_log,
	.now_s = site_clock_s,
	.steady_s = site_steady_s,
	.job_state = site_state,
	.has_claim = site_claims,
	.barrier = site_barrier,
	.node_state = site_node,
	.reserved = site_reserved,
	.nodes_stamp = site_stamp,
	.rules = site_rules,
	.write_record = site_write,
	.ended_by_itself = site_ended_by_itself,
	.ended = site_ended,
	.charge = site_charge,
	.wake = site_wake,
	.view = site_view,
	.right = site_right,
};

static inline int site_configure(const char *params)
{
	static const char *const names[] = {"n0", "n1"};
	static const uint32_t procs[] = {SITE_PROCS, SITE_PROCS};
	static const uint8_t all[] = {1, 1};
	const struct libra_host_partition parts[] = {
		{.name = "main",
		 .max_minutes = site.max_minutes,
		 .max_jobs = site.whole_nodes ? 1 : 0,
		 .nodes = all,
		 .whole_nodes = site.whole_nodes},
		{.name = "side",
		 .max_minutes = SITE_INFINITE,
		 .max_jobs = site.whole_nodes ? 1 : 0,
		 .nodes = all,
		 .whole_nodes = site.whole_nodes},
	};
	const struct libra_host_cluster cluster = {
		.sched_params = params,
		.default_partition = "main",
		.state_folder = site.folder,
		.nnodes = SITE_NODES,
		.node_names = names,
		.node_procs = procs,
		.npartitions = 2,
		.partitions = parts,
		.cpus_per_proc = site.cpus_per_proc,
		.max_array = 1200,
	};

	return libra_host_set_cluster(site.host, &cluster);
}

/* slurmctld starts again: what it knew is in the records alone. */
static inline int site_restart(const char *params)
{
	libra_host_fini(site.host);
	libra_host_init(site.host, &site_ops);
	return site_configure(params);
}

static inline void site_end(void)
{
	libra_host_destroy(site.host);
	if (*site.declog)
		unlink(site.declog);
	free(site.at.parts);
	for (int i = 0; i < SITE_JOBS; i++)
		free(site.records[i]);
	site = (struct site){0};
}

/* Another cluster, on which nothing has happened. */
static inline void site_begin(const char *params)
{
	site_end();
	site.now_s = 1e9;
	site.max_minutes = SITE_INFINITE;
	site.cpus_per_proc = 1;
	site.rules.limits.limit_s = INFINITY;
	site.host = libra_host_create();
	libra_host_init(site.host, &site_ops);
	if (site_configure(params) < 0)
		printf("Bail out! no cluster: %s\n", params);
}

static inline void site_take_reply(struct libra_host_reply *reply, uint32_t id)
{
	snprintf(site.text, sizeof(site.text), "%s",
		 reply->text ? reply->text : "");
	if (reply->record.comment)
		site_keep(id, &reply->record);
	libra_host_reply_fini(reply);
	site.reply = *reply;
}

static inline struct libra_host_request site_asking(uint32_t ncpus,
						    double estimate_s,
						    double within_s)
{
	return (struct libra_host_request){
		.times.estimate_s = estimate_s,
		.times.deadline_s = site.now_s + within_s,
		.size.ncpus = ncpus,
		.size.cpus_per_task = 1,
		.user = 7,
	};
}

static inline enum libra_host_answer site_ask(
	uint32_t id, const struct libra_host_request *r)
{
	struct libra_host_reply reply;

	if (libra_host_submit(site.host, r, &reply) != 0)
		return 0;
	site_take_reply(&reply, id);
	return reply.answer;
}

static inline enum libra_host_answer site_submit(uint32_t id, uint32_t ncpus,
						 double estimate_s,
						 double within_s)
{
	struct libra_host_request r = site_asking(ncpus, estimate_s, within_s);

	return site_ask(id, &r);
}

static inline void site_take_record(uint32_t id)
{
	if (site.at.record.comment)
		site_keep(id, &site.at.record);
	free(site.at.record.comment);
	site.at.record.comment = NULL;
}

static inline enum libra_host_place site_place(uint32_t id)
{
	struct libra_host_job seen = site_job(id);
	enum libra_host_place where;

	site.at.nparts = 0;
	site.at.minutes = 0;
	where = libra_host_place(site.host, &seen, &site.at);
	site_take_record(id);
	return where;
}

static inline void site_start(uint32_t id)
{
	struct libra_host_job seen = site_job(id);

	site.at.nparts = 0;
	libra_host_started(site.host, &seen, &site.at);
	site_take_record(id);
	site.states[id] = LIBRA_JOB_ALIVE;
}

static inline void site_restore(uint32_t id)
{
	struct libra_host_job seen = site_job(id);

	site.at.nparts = 0;
	libra_host_restore(site.host, &seen, &site.at);
	site_take_record(id);
}

/* All that is due, records too: a call may leave some for later. */
static inline void site_look(void)
{
	for (int i = 0; i < 1000 && libra_host_look(site.host); i++)
		;
	for (int i = 0; i < 1000 && libra_host_flush_records(site.host); i++)
		;
}

static inline struct libra_host_counts site_counts(void)
{
	struct libra_host_counts c;

	libra_host_counts(site.host, &c);
	return c;
}

/* What a job's record has; all of it 0 if it has none. */
static inline struct libra_promise site_promise(uint32_t id)
{
	struct libra_promise p = {0};

	if (libra_admin_comment_parse(site.records[id], &p) < 0)
		return (struct libra_promise){0};
	return p;
}

static inline bool site_near(double a, double b)
{
	return fabs(a - b) < 1e-6 * fmax(1, fabs(b));
}

static inline bool site_says(const char *what)
{
	if (strcmp(site.text, what) == 0)
		return true;
	printf("# said: %s\n# not:  %s\n", site.text, what);
	return false;
}

/* How often is that in slurmctld's log? */
static inline unsigned site_logged(const char *what)
{
	unsigned n = 0;

	for (const char *s = site.log; (s = strstr(s, what)); s++)
		n++;
	return n;
}

/* A decision log in a file of its own, which site_end() removes. */
static inline void site_begin_logged(const char *params)
{
	char text[512], path[] = "/tmp/host_site.XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0)
		close(fd);
	snprintf(text, sizeof(text), "%s,libra_log=%s", params, path);
	site_begin(text);
	strcpy(site.declog, path);
}

/* How many of its lines have that? */
static inline unsigned site_decided(const char *what)
{
	FILE *f = fopen(site.declog, "r");
	char line[4096];
	unsigned n = 0;

	while (f && fgets(line, sizeof(line), f))
		n += strstr(line, what) != NULL;
	if (f)
		fclose(f);
	return n;
}

/* As ok(); what was answered last is shown if it is not so. */
static inline void site_ok(int good, const char *name)
{
	if (!good)
		printf("# answer %d, %u minutes: %s\n", (int)site.reply.answer,
		       site.reply.minutes, site.text);
	ok(good, name);
}

#endif
