/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_slurm_promises.c - promises beside Slurm's own order, on random sites
 * and logs: they are kept, no node has more than it has, and no limit is
 * exceeded.
 */
#include <sys/stat.h>

#include "sim/base/rng.h"
#include "sim/slurm/promises/request.h"
#include "sim/slurm/simulate.h"
#include "tests/unit/test.h"

enum {
	JOBS = 160,
	NODES = 6,
	SITES = 80,
	MAX_JOBS_PU = 3,
	WIDE = 20, /* the job of all nodes in the stream */
	DAY_S = 86400,
	FIRST_S = 1767600000, /* when logs begin */
};

#define JOBS_HEADER                                                            \
	"JobIDRaw|JobID|Partition|QOS|Account|User|UID|Submit|Eligible|Start|" \
	"End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|AssocID|"  \
	"SubmitLine\n"

static const char *const files[] = {"config.txt", "partitions.txt", "nodes.txt",
				    "qos.txt",	  "assoc.txt",	    "tres.txt",
				    "jobs.txt"};

/* Features of a site depend on its number. */
static bool has_whole_nodes(unsigned seed)
{
	return seed % 4 == 1;
}

static bool preempts(unsigned seed)
{
	return seed % 4 == 2;
}

static bool has_nodes_of_two_sizes(unsigned seed)
{
	return seed % 2 == 0;
}

static bool has_overtime(unsigned seed)
{
	return seed % 7 == 6;
}

static FILE *open_file(const char *folder, const char *name)
{
	char path[128];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fp = fopen(path, "w");
	assert_non_null(fp);
	return fp;
}

static void write_config(const char *folder, unsigned seed)
{
	FILE *fp = open_file(folder, "config.txt");

	fprintf(fp,
		"Configuration data as of 2026-01-05T12:00:00\n"
		"AccountingStorageEnforce = associations,limits,qos\n"
		"AccountingStorageTRES = cpu,mem,energy,node,billing,"
		"gres/gpu\n"
		"DefMemPerCPU = 500\nGresTypes = gpu\nKillWait = %d sec\n"
		"OverTimeLimit = %d min\n"
		"PreemptMode = %s\nPreemptType = preempt/%s\n"
		"PriorityType = priority/multifactor\n"
		"PriorityWeightAge = 1000\nPriorityWeightQOS = 1000\n"
		"PriorityMaxAge = 1-00:00:00\n"
		"SchedulerParameters = bf_interval=30,bf_window=600\n"
		"SchedulerType = sched/backfill\n"
		"SelectType = select/cons_tres\n"
		"SelectTypeParameters = CR_CORE_MEMORY\n"
		"SLURM_VERSION = 25.11.7\n",
		has_overtime(seed) ? 60 : 30,
		has_overtime(seed) && seed % 2 == 0 ? 2 : 0,
		preempts(seed) ? "REQUEUE" : "OFF",
		preempts(seed) ? "qos" : "none");
	fclose(fp);
}

static void write_partitions(const char *folder, unsigned seed)
{
	FILE *fp = open_file(folder, "partitions.txt");

	for (int i = 0; i < 2; i++)
		fprintf(fp,
			"PartitionName=%s\n   Default=%s QoS=N/A\n"
			"   DefaultTime=00:10:00 MaxTime=UNLIMITED "
			"MaxNodes=UNLIMITED\n   Nodes=%s\n"
			"   PriorityJobFactor=1 PriorityTier=1 "
			"OverSubscribe=%s OverTimeLimit=%s\n   "
			"PreemptMode=%s State=%s\n   "
			"TRES=cpu=4,mem=4000M,node=1,billing=4\n\n",
			i ? "some" : "batch", i ? "NO" : "YES",
			i ? "c[4-6]" : "c[1-6]",
			has_whole_nodes(seed) ? "EXCLUSIVE" : "NO",
			has_overtime(seed) && seed % 2 ? "2" : "NONE",
			preempts(seed) ? "REQUEUE" : "OFF",
			i && seed % 5 == 4 ? "DOWN" : "UP");
	fclose(fp);
}

static void write_nodes(const char *folder, unsigned seed)
{
	FILE *fp = open_file(folder, "nodes.txt");

	for (int i = 1; i <= NODES; i++) {
		int cpus = has_nodes_of_two_sizes(seed) && i > 4 ? 8 : 4;

		fprintf(fp,
			"NodeName=c%d CoresPerSocket=%d\n"
			"   CPUEfctv=%d CPUTot=%d\n   Gres=%s\n"
			"   RealMemory=%d Sockets=1 Boards=1\n"
			"   State=%s ThreadsPerCore=1 Weight=1\n   "
			"CfgTRES=cpu=%d,mem=%dM,billing=%d\n\n",
			i, cpus, cpus, cpus, i == 3 ? "gpu:2" : "(null)",
			cpus * 1000, seed % 5 == 3 && i == 2 ? "DOWN" : "IDLE",
			cpus, cpus * 1000, cpus);
	}
	fclose(fp);
}

static void write_accounts(const char *folder)
{
	FILE *fp = open_file(folder, "qos.txt");

	fprintf(fp,
		"ID|Name|Flags|GraceTime|MaxJobsPU|Preempt|PreemptMode|"
		"Priority|UsageFactor\n"
		"1|normal||00:00:00|||cluster|10|1.0\n"
		"2|urgent||00:00:20||low|cluster|100|1.0\n"
		"3|low||00:00:10|||requeue|0|1.0\n"
		"4|few||00:00:00|%d||cluster|10|1.0\n",
		MAX_JOBS_PU);
	fclose(fp);
	fp = open_file(folder, "tres.txt");
	fputs("Type|Name|ID\ncpu||1\nmem||2\nenergy||3\nnode||4\nbilling||5\n"
	      "gres|gpu|1001\n",
	      fp);
	fclose(fp);
	fp = open_file(folder, "assoc.txt");
	fputs("ID|Cluster|Account|User|Partition|ParentName|Share|QOS\n"
	      "1|small|root||||1|few,low,normal,urgent\n"
	      "2|small|lab|||root|1|few,low,normal,urgent\n"
	      "3|small|lab|amy||lab|1|few,low,normal,urgent\n"
	      "4|small|lab|bob||lab|1|few,low,normal,urgent\n",
	      fp);
	fclose(fp);
}

static unsigned below(struct rng_stream *s, unsigned n)
{
	return (unsigned)(rng_uniform(s) * n);
}

/* Write the options of a job: its size, and rarely what cannot be promised. */
static void write_options(FILE *fp, struct rng_stream *s, unsigned id)
{
	switch (below(s, 6)) {
	case 0:
		fprintf(fp, "-N %u --ntasks-per-node=2", 1 + below(s, 3));
		break;
	case 1:
		fprintf(fp, "-n %u -c 2", 1 + below(s, 4));
		break;
	case 2:
		fprintf(fp, "-n 1 --mem=%u", 1000 + 1000 * below(s, 3));
		break;
	case 3:
		fprintf(fp, "-N %u --exclusive", 1 + below(s, 2));
		break;
	case 4:
		fputs("-n 1 --gres=gpu:1", fp);
		break;
	default:
		fprintf(fp, "-n %u", 1 + below(s, 12));
	}
	if (below(s, 20) == 0)
		fputs(" --begin=now+300", fp);
	if (below(s, 20) == 0)
		fprintf(fp, " -d afterany:%u", id > 1 ? id - 1 : id);
}

/* A job of the log, or an array: rows with the same limit. */
struct row {
	unsigned id, tasks, at, user, minutes;
	const char *partition, *qos;
};

static void write_task(FILE *fp, struct rng_stream *s, const struct row *row,
		       unsigned task)
{
	static const char *const users[] = {"amy", "bob"};
	unsigned ran = 1 + below(s, 60 * row->minutes);
	bool timeout = below(s, 5) == 0, lost = below(s, 25) == 0;

	if (timeout)
		ran = 60 * row->minutes + below(s, 31);
	if (row->tasks > 1)
		fprintf(fp, "%u|%u_%u", 1000 + 10 * row->id + task, row->id,
			task);
	else
		fprintf(fp, "%u|%u", row->id, row->id);
	fprintf(fp, "|%s|%s|lab|%s|%u|%u|%u|", row->partition, row->qos,
		users[row->user], row->user + 1, row->at, row->at);
	if (lost)
		fprintf(fp, "Unknown|%u|0|%u|CANCELLED", row->at + ran / 2,
			row->minutes);
	else
		fprintf(fp, "%u|%u|%u|%u|%s", row->at, row->at + ran, ran,
			row->minutes, timeout ? "TIMEOUT" : "COMPLETED");
	fprintf(fp, "|1|1|1|%u|sbatch ", row->user + 3);
}

static void write_jobs(const char *folder, unsigned seed)
{
	static const char *const qos[] = {"normal", "urgent", "low", "few"};
	FILE *fp = open_file(folder, "jobs.txt");
	struct row row = {.at = FIRST_S};
	struct rng_stream s;

	rng_stream_init(&s, seed, "jobs", 0);
	fputs(JOBS_HEADER, fp);
	for (row.id = 1; row.id <= JOBS; row.id++) {
		row.tasks = below(&s, 10) ? 1 : 2 + below(&s, 4);
		row.at += below(&s, 4) ? below(&s, 240) : 0;
		row.user = below(&s, 2);
		row.minutes = 1 + below(&s, 30);
		row.partition = below(&s, 4) ? "batch" : "some";
		row.qos = qos[below(&s, 4)];
		for (unsigned task = 1; task <= row.tasks; task++) {
			write_task(fp, &s, &row, task);
			if (row.tasks > 1)
				fprintf(fp, "--array=1-%u%s ", row.tasks,
					row.id % 3 ? "" : "%2");
			if (task == 1)
				write_options(fp, &s, row.id);
			fputs(" job.sh\n", fp);
		}
	}
	fclose(fp);
}

/* Write a job of all nodes that cannot ask, among jobs of one node that keep
 * the machine full for days.
 */
static void write_stream(const char *folder, unsigned seed)
{
	FILE *fp = open_file(folder, "jobs.txt");

	(void)seed;
	fputs(JOBS_HEADER, fp);
	for (unsigned id = 1; id <= 5 * DAY_S / 600; id++) {
		unsigned at = FIRST_S + 600 * id;

		fprintf(fp,
			"%u|%u|batch|normal|lab|amy|1|%u|%u|%u|%u|3500|60|"
			"COMPLETED|1|1|1|3|sbatch %s job.sh\n",
			id, id, at, at, at, at + 3500,
			id == WIDE ? "-N 6 --exclusive --switches=1" : "-n 4");
	}
	fclose(fp);
}

/* A job of a log whose right answers are known: it comes a second after the
 * one before, with a limit of an hour if none is given.
 */
struct known {
	const char *options;
	unsigned ran_s, minutes, tasks;
};

static const struct known *known;

static void write_known(const char *folder, unsigned seed)
{
	FILE *fp = open_file(folder, "jobs.txt");
	unsigned id = 0;

	(void)seed;
	fputs(JOBS_HEADER, fp);
	for (const struct known *k = known; k->options; k++) {
		unsigned tasks = k->tasks ? k->tasks : 1;

		id++;
		for (unsigned task = 1; task <= tasks; task++) {
			unsigned ran_s = task == 2 ? 3500 : k->ran_s;

			if (k->tasks)
				fprintf(fp, "%u|%u_%u", 1000 * id + task, id,
					task);
			else
				fprintf(fp, "%u|%u", id, id);
			fprintf(fp,
				"|batch|normal|lab|amy|1|%u|%u|%u|%u|%u|%u|"
				"COMPLETED|1|1|1|3|sbatch %s job.sh\n",
				FIRST_S + id, FIRST_S + id, FIRST_S + id,
				FIRST_S + id + ran_s, ran_s,
				k->minutes ? k->minutes : 60, k->options);
		}
	}
	fclose(fp);
}

static void (*write_log)(const char *folder, unsigned seed) = write_jobs;

static void read_site(struct slurm_site *site, unsigned seed)
{
	char folder[] = "promises.XXXXXX", path[128];
	struct libra_error err = {""};

	assert_non_null(mkdtemp(folder));
	write_config(folder, seed);
	write_partitions(folder, seed);
	write_nodes(folder, seed);
	write_accounts(folder);
	write_log(folder, seed);
	if (slurm_site_read(site, folder, true, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* Running jobs never exceed a node, nor the limit of QOS few. */
static void look(void *arg, double done, double all)
{
	const struct sched_model *m = &((struct sched_load *)arg)->model;
	uint64_t cpus[NODES] = {0}, mem[NODES] = {0}, gpus[NODES] = {0};
	uint32_t jobs[NODES] = {0}, few[3] = {0};
	bool alone[NODES] = {false};

	(void)done;
	(void)all;
	for (uint32_t r = 0; r < m->running.n; r++) {
		const struct sched_run *run = m->running.runs[r];
		const struct sched_job *job = &m->jobs[run->job];

		if (job->owner.qos != SCHED_NONE &&
		    strcmp(m->qos[job->owner.qos].name, "few") == 0)
			few[job->owner.user]++;
		for (uint32_t i = 0; i < run->nnodes; i++) {
			uint32_t n = run->node[i];

			assert_false(m->nodes[n].down);
			jobs[n]++;
			alone[n] = alone[n] || run->whole;
			cpus[n] += run->cpus[i];
			mem[n] += run->mem_per_cpu ? run->mem_mb * run->cpus[i]
						   : run->mem_mb;
			gpus[n] +=
				run->whole ? m->nodes[n].gpus : run->gpus_node;
		}
	}
	for (uint32_t n = 0; n < NODES; n++) {
		assert_true(cpus[n] <= m->nodes[n].cpus);
		assert_true(mem[n] <= m->nodes[n].mem_mb);
		assert_true(gpus[n] <= m->nodes[n].gpus);
		assert_true(!alone[n] || jobs[n] == 1);
	}
	for (size_t u = 0; u < 3; u++)
		assert_true(few[u] <= MAX_JOBS_PU);
}

static struct sched_figures figures; /* of the last simulation */

/* Simulate a site with promises; its model is the caller's. */
static void simulate(struct slurm_site *site, struct sched_load *load,
		     unsigned seed, const char *change)
{
	struct sched_phases phases = {7, 11, 13, 17};
	struct libra_error err = {""};

	read_site(site, seed);
	if (change && slurm_site_change(site, change, &err) < 0)
		fail_msg("%s", err.text);
	if (sched_load(load, site, &err) < 0)
		fail_msg("%s", err.text);
	load->progress = look;
	load->progress_arg = load;
	if (sched_simulate(load, &phases, &figures, &err) < 0)
		fail_msg("site %u: %s", seed, err.text);
}

/* Simulate known jobs on six nodes of four CPUs (if seed is odd). */
static void simulate_known(struct slurm_site *site, struct sched_load *load,
			   unsigned seed, const struct known *jobs,
			   const char *change)
{
	known = jobs;
	write_log = write_known;
	simulate(site, load, seed, change);
	write_log = write_jobs;
}

static void fini(struct slurm_site *site, struct sched_load *load)
{
	sched_load_fini(load);
	slurm_site_fini(site);
}

/* Deadlines count from here. */
static int64_t asks_from_s(const struct sched_job *job)
{
	return job->times.begin_s > job->times.submit_s ? job->times.begin_s
							: job->times.submit_s;
}

/* Every job keeps to its limit here, but for what slurmctld lets pass.  A job
 * that used OverTimeLimit may end late, and makes no other job late.
 */
static void promises_hold(void **state)
{
	uint64_t given = 0, refused = 0, unable = 0, preempted = 0, arrays = 0;
	uint64_t later = 0;

	(void)state;
	for (unsigned seed = 0; seed < SITES; seed++) {
		struct slurm_site site;
		struct sched_load load;

		simulate(&site, &load, seed, "promises=60%:within=3");
		for (uint32_t t = 0; t < load.model.ntasks; t++) {
			const struct sched_task *task = &load.model.tasks[t];
			const struct sched_job *job =
				&load.model.jobs[task->job];

			unable += task->promise == SCHED_PROMISE_UNABLE;
			refused += task->promise == SCHED_PROMISE_REFUSED;
			preempted += task->preempted;
			if (task->promise < SCHED_PROMISE_LATER) {
				assert_int_equal(task->deadline_s, 0);
				continue;
			}
			if (task->preempted == 0)
				assert_int_equal(task->deadline_s,
						 asks_from_s(job) +
							 3 * job->limit_s);
			if (task->promise != SCHED_PROMISE_GIVEN)
				continue;
			given++;
			arrays += job->array > 0;
			later += promise_asks_later(job);
			assert_int_equal(task->preempted, 0);
			assert_true(task->done);
			assert_true(task->start_s == 0 ||
				    !load.model.parts[task->part].closed);
			if (task->start_s == 0) {
				assert_true(task->cancel_s > 0);
				continue;
			}
			assert_int_equal(task->loop, SCHED_PROMISE);
			if (task->end_s > task->deadline_s &&
			    !(has_overtime(seed) &&
			      task->end_s - task->start_s > job->limit_s))
				fail_msg("site %u: job %u ends %d s late", seed,
					 task->id,
					 (int)(task->end_s - task->deadline_s));
		}
		fini(&site, &load);
	}
	assert_true(given > SITES * JOBS / 10);
	assert_true(refused > 0 && unable > 0 && preempted > 0 && arrays > 0);
	assert_true(later > 0);
}

/* Jobs that ask with a share ask with a higher one, too; without a share
 * nothing changes, and the same input gives the same starts.
 */
static void shares_are_nested(void **state)
{
	static const char *const changes[] = {NULL, "promises=0%",
					      "promises=30%", "promises=30%",
					      "promises=70%"};
	enum { N = sizeof(changes) / sizeof(changes[0]) };
	struct slurm_site site[N];
	struct sched_load load[N];
	unsigned asked[N] = {0};

	(void)state;
	for (size_t i = 0; i < N; i++)
		simulate(&site[i], &load[i], 1, changes[i]);
	for (uint32_t t = 0; t < load[0].model.ntasks; t++) {
		const struct sched_task *task[N];

		for (size_t i = 0; i < N; i++) {
			task[i] = &load[i].model.tasks[t];
			asked[i] +=
				task[i]->promise != SCHED_PROMISE_NONE &&
				load[i].model.jobs[task[i]->job].tasks.first ==
					t;
		}
		assert_int_equal(task[0]->start_s, task[1]->start_s);
		assert_int_equal(task[1]->promise, SCHED_PROMISE_NONE);
		assert_int_equal(task[2]->start_s, task[3]->start_s);
		assert_int_equal(task[2]->promise, task[3]->promise);
		assert_true(task[2]->promise == SCHED_PROMISE_NONE ||
			    task[4]->promise != SCHED_PROMISE_NONE);
	}
	assert_in_range(asked[2], JOBS / 5, JOBS * 2 / 5);
	assert_in_range(asked[4], JOBS * 3 / 5, JOBS * 4 / 5);
	for (size_t i = 0; i < N; i++)
		fini(&site[i], &load[i]);
}

/* Promises keep no ordinary job waiting for ever: after a day the oldest gets a
 * plan, whose start does not move.
 */
static void oldest_is_planned(void **state)
{
	struct slurm_site site;
	struct sched_load load;

	(void)state;
	write_log = write_stream;
	simulate(&site, &load, 7, "promises=100%:within=200");
	write_log = write_jobs;
	for (uint32_t t = 0; t < load.model.ntasks; t++) {
		const struct sched_task *task = &load.model.tasks[t];
		int64_t submit_s = load.model.jobs[task->job].times.submit_s;

		if (task->id != WIDE) {
			assert_int_equal(task->promise, SCHED_PROMISE_GIVEN);
			assert_true(task->end_s <= task->deadline_s);
			continue;
		}
		assert_int_equal(task->promise, SCHED_PROMISE_UNABLE);
		assert_int_equal(task->loop, SCHED_PROMISE);
		assert_in_range(task->start_s - submit_s, DAY_S, 3 * DAY_S);
	}
	fini(&site, &load);
}

/* A job on the node with GPUs, a second one that needs all of that node, and a
 * third one that cannot ask, whose first choice is that node, too.
 */
static const struct known conflict[] = {
	{"-n 1 --gres=gpu:2", 3500, 60, 0},
	{"-N 1 -n 4 --gres=gpu:2", 3500, 60, 0},
	{"-n 2 --switches=1", 3500, 600, 0},
	{NULL, 0, 0, 0},
};

/* A job that would delay a promise on the node of its choice takes another. */
static void other_node_is_taken(void **state)
{
	const struct sched_task *tasks;
	struct slurm_site site;
	struct sched_load load;

	(void)state;
	simulate_known(&site, &load, 7, conflict, "promises=100%");
	tasks = load.model.tasks;
	assert_int_equal(tasks[0].promise, SCHED_PROMISE_GIVEN);
	assert_int_equal(tasks[1].promise, SCHED_PROMISE_GIVEN);
	assert_true(tasks[1].start_s >= tasks[0].end_s);
	assert_int_equal(tasks[2].promise, SCHED_PROMISE_UNABLE);
	assert_in_range(tasks[2].start_s, FIRST_S + 3, FIRST_S + 120);
	fini(&site, &load);
}

/* Return the answer to the second job of the conflict, which can begin when the
 * limit of the first one and the margin are over.
 */
static enum sched_promise second_answer(unsigned seed, const char *change)
{
	enum sched_promise promise;
	struct slurm_site site;
	struct sched_load load;

	simulate_known(&site, &load, seed, conflict, change);
	promise = load.model.tasks[1].promise;
	fini(&site, &load);
	return promise;
}

/* The margin of 60 s covers KillWait=30.  Two minutes of OverTimeLimit, of the
 * cluster (site 20) or a partition (27), and 30 s more of KillWait make it 210
 * s.
 */
static void margin_covers_overtime(void **state)
{
	(void)state;
	assert_int_equal(second_answer(7, "promises=100%:within=2.04"),
			 SCHED_PROMISE_GIVEN);
	for (unsigned seed = 20; seed <= 27; seed += 7) {
		assert_true(has_overtime(seed));
		assert_int_equal(
			second_answer(seed, "promises=100%:within=2.11"),
			SCHED_PROMISE_REFUSED);
		assert_int_equal(
			second_answer(seed, "promises=100%:within=2.12"),
			SCHED_PROMISE_GIVEN);
	}
}

/* An array of more tasks than slurmctld's plugin promises cannot ask. */
static void long_arrays_cannot_ask(void **state)
{
	struct sched_job job = {.tasks.total = PROMISE_TASKS};

	(void)state;
	assert_null(promise_bar(&job));
	job.tasks.total++;
	assert_string_equal(promise_bar(&job), "array of over 1000 tasks");
}

/* A job that begins later, or depends on another, asks when it may start. */
static void blocked_jobs_ask_later(void **state)
{
	static const struct known jobs[] = {
		{"-n 4", 600, 0, 0},
		{"-n 4 -d afterany:1", 100, 0, 0},
		{"-n 4 --begin=now+300", 100, 0, 0},
		/* it ends by its deadline only if it starts within 180 s */
		{"-n 1 -d afterany:1", 30, 1, 0},
		{"-n 1 -d afterany:4", 30, 0, 0},
		{"-n 1 -d afterok:4", 30, 0, 0},
		{NULL, 0, 0, 0},
	};
	const struct sched_task *tasks;
	struct slurm_site site;
	struct sched_load load;

	(void)state;
	simulate_known(&site, &load, 7, jobs, "promises=100%");
	tasks = load.model.tasks;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(tasks[i].promise, SCHED_PROMISE_GIVEN);
		assert_int_equal(tasks[i].loop, SCHED_PROMISE);
	}
	assert_int_equal(tasks[1].start_s, tasks[0].end_s);
	assert_int_equal(tasks[1].deadline_s, FIRST_S + 2 + 4 * 3600);
	assert_int_equal(tasks[2].start_s, FIRST_S + 3 + 300);
	assert_int_equal(tasks[2].deadline_s, FIRST_S + 303 + 4 * 3600);
	assert_int_equal(tasks[3].promise, SCHED_PROMISE_EXPIRED);
	assert_int_equal(tasks[3].start_s, 0);
	assert_int_equal(tasks[3].end_s, tasks[0].end_s);
	assert_int_equal(tasks[4].promise, SCHED_PROMISE_GIVEN);
	assert_in_range(tasks[4].start_s, tasks[3].end_s, tasks[3].end_s + 1);
	assert_int_equal(tasks[5].promise, SCHED_PROMISE_LATER);
	fini(&site, &load);
}

/* The tasks of a dependent array are promised one by one, as room comes free;
 * tasks that are refused when no promised one waits are ordinary.
 */
static void dependent_tasks_ask_singly(void **state)
{
	static const struct known jobs[] = {
		{"-n 4", 600, 0, 0},
		{"-N 6 --exclusive -d afterany:1 --array=1-3", 600, 0, 3},
		{NULL, 0, 0, 0},
	};

	(void)state;
	for (uint32_t given = 1; given <= 3; given += 2) {
		struct sched_load load;
		struct slurm_site site;
		const struct sched_task *t;

		simulate_known(&site, &load, 7, jobs,
			       given == 1 ? "promises=100%:within=2.1"
					  : "promises=100%:within=2.5");
		t = load.model.tasks;
		for (uint32_t i = 1; i <= 3; i++) {
			assert_int_equal(t[i].promise,
					 i <= given ? SCHED_PROMISE_GIVEN
						    : SCHED_PROMISE_REFUSED);
			assert_int_equal(t[i].loop == SCHED_PROMISE,
					 i <= given);
			assert_in_range(t[i].start_s, t[i - 1].end_s,
					t[i - 1].end_s + (i <= given ? 0 : 60));
		}
		fini(&site, &load);
	}
}

/* Named nodes are promised, all of them; excluded ones are not. */
static void named_nodes_are_promised(void **state)
{
	static const struct known jobs[] = {
		{"-n 4 -w c1", 600, 0, 0},
		{"-n 8 -w c[1-2]", 600, 0, 0},
		{"-n 8 -x c[1-2]", 600, 0, 0},
		{"-n 17 -x c[1-2]", 600, 0, 0},
		{NULL, 0, 0, 0},
	};
	const struct sched_task *tasks;
	struct slurm_site site;
	struct sched_load load;

	(void)state;
	simulate_known(&site, &load, 7, jobs, "promises=100%");
	tasks = load.model.tasks;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(tasks[i].promise, SCHED_PROMISE_GIVEN);
	assert_int_equal(tasks[0].start_s, FIRST_S + 1);
	assert_int_equal(tasks[1].start_s, tasks[0].end_s);
	assert_int_equal(tasks[2].start_s, FIRST_S + 3);
	assert_int_equal(tasks[3].promise, SCHED_PROMISE_REFUSED);
	fini(&site, &load);
}

/* Jobs that slurmctld's plugin refuses are counted by reason. */
static void refused_kinds_are_named(void **state)
{
	static const struct known jobs[] = {
		{"-n 1 --array=1-2%1", 10, 0, 2},
		{"-n 1 -p batch,some", 10, 0, 0},
		{"-n 1 --contiguous", 10, 0, 0},
		{"-n 1 --exclusive=user", 10, 0, 0},
		{"-n 1 --reservation=x", 10, 0, 0},
		{"-N 1 -w c[1-2]", 10, 0, 0},
		{NULL, 0, 0, 0},
	};
	static const char *const names[] = {
		"array with %n",  "several partitions", "contiguous",
		"exclusive=user", "reservation",	"nodelist unlike nodes",
	};
	const struct sched_ignored_list *unable = &figures.unable;
	struct slurm_site site;
	struct sched_load load;

	(void)state;
	simulate_known(&site, &load, 7, jobs, "promises=100%");
	assert_int_equal(unable->n, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < unable->n; i++) {
		assert_string_equal(unable->of[i].what, names[i]);
		assert_int_equal(unable->of[i].n, i == 0 ? 2 : 1);
	}
	fini(&site, &load);
}

static void wrong_values(void **state)
{
	static const char *const wrong[] = {
		"promises=150%",
		"promises=-1%",
		"promises=0.3",
		"promises=nan%",
		"promises=30%:",
		"promises=30%:within=1",
		"promises=30%:within=",
		"promises=30%:within=x",
		"promises=30%:within=2x",
		"promises=30%within=2",
		"promises=%",
		"promises=30%:within=2.0000000000000000000000000000000000000x",
	};
	struct libra_error fine = {""};
	struct slurm_site site;

	(void)state;
	read_site(&site, 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct libra_error err = {""};

		assert_int_equal(slurm_site_change(&site, wrong[i], &err), -1);
		assert_non_null(strstr(err.text, wrong[i]));
		assert_non_null(strstr(err.text, "X of 0 to 100"));
		assert_true(site.promises.share == 0);
	}
	assert_int_equal(slurm_site_change(&site, "promises=12.5%", &fine), 0);
	assert_true(site.promises.share == 0.125);
	assert_true(site.promises.within == 4);
	slurm_site_fini(&site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(promises_hold),
		cmocka_unit_test(shares_are_nested),
		cmocka_unit_test(oldest_is_planned),
		cmocka_unit_test(other_node_is_taken),
		cmocka_unit_test(margin_covers_overtime),
		cmocka_unit_test(long_arrays_cannot_ask),
		cmocka_unit_test(blocked_jobs_ask_later),
		cmocka_unit_test(dependent_tasks_ask_singly),
		cmocka_unit_test(named_nodes_are_promised),
		cmocka_unit_test(refused_kinds_are_named),
		cmocka_unit_test(wrong_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
