/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_texts.c - whatever texts a user sends, job_submit() and job_modify()
 * answer at once: every text of a request as long as its bound permits, and of
 * 1 MB, made of what is slow to read.  Then each caller of job_submit(). Speaks
 * TAP.
 *
 * A large cluster, as many loops are over a text and its nodes.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/base/compat.h"
#include "plugin/host/host.h"
#include "plugin/job_submit/request.h"
#include "plugin/job_submit/texts.h"
#include "tests/plugin/tap.h"

typedef struct job_record job_record_t;
extern int job_submit(job_desc_msg_t *desc, uint32_t uid, char **err_msg);
extern int job_modify LIBRA_MODIFY_PARAMS;

enum {
	NODES = 2000,
	PARTITIONS = 60,
	MB = 1024 * 1024,
	TIMES = 4,
	/* 1 ms is what it may take.  So much more it takes on a slow machine
	 * that counts memory accesses, and so much less than the loops that
	 * this is about.
	 */
	SLOW = 10
};

static double now_s = 1e9;
static struct libra_host *host;
static char record[4096];
static char *big; /* of 1 MB and a 0 */

/* ---- slurmctld ---- */

char *slurm_xstrdup(const char *text);
void slurm_xfree(void **item);
void *slurm_xrecalloc(void **item, size_t count, size_t size, bool clear,
		      bool try_it, const char *file, int line,
		      const char *func);
void slurm_error(const char *fmt, ...);
void slurm_info(const char *fmt, ...);

char *slurm_xstrdup(const char *text)
{
	return text ? strdup(text) : NULL;
}

void slurm_xfree(void **item)
{
	free(*item);
	*item = NULL;
}

void *slurm_xrecalloc(void **item, size_t count, size_t size, bool clear,
		      bool try_it, const char *file, int line, const char *func)
{
	*item = realloc(*item, count * size);
	if (!*item)
		abort();
	return *item;
}

void slurm_error(const char *fmt, ...)
{
}

void slurm_info(const char *fmt, ...)
{
}

static void log_line(enum libra_host_level level, const char *text)
{
}

static double clock_s(void)
{
	return now_s;
}

static void keep(uint32_t id, const struct libra_host_record *r)
{
	snprintf(record, sizeof(record), "%s", r->comment);
}

static struct libra_host_job view(const void *job)
{
	return (struct libra_host_job){
		.job_id = 7,
		.comment = record,
		.whole_array = true,
		.minutes = UINT32_MAX,
		.size.ncpus = 1,
		.partition = "main",
	};
}

static enum libra_host_job_state job_state(uint32_t id)
{
	return LIBRA_JOB_PENDING;
}

static const char *usable(const struct libra_host_request *r, uint8_t *nodes,
			  uint32_t n)
{
	memset(nodes, 1, n);
	return NULL;
}

static void rules(const struct libra_host_request *r,
		  struct libra_host_rules *to)
{
	*to = (struct libra_host_rules){.limits.limit_s = INFINITY};
}

static const struct libra_host_ops ops = {
	.log = log_line,
	.now_s = clock_s,
	.view = view,
	.job_state = job_state,
	.usable = usable,
	.rules = rules,
	.write_record = keep,
};

static void start_host(const char *params, bool whole_nodes)
{
	static char names[NODES][8], parts[PARTITIONS][8];
	static const char *node_names[NODES], *gres[NODES];
	static struct libra_host_partition partitions[PARTITIONS];
	static uint32_t procs[NODES];
	static uint8_t all[NODES];
	struct libra_host_cluster site = {
		.sched_params = params,
		.default_partition = "main",
		.nnodes = NODES,
		.node_names = node_names,
		.node_procs = procs,
		.node_gres = gres,
		.npartitions = PARTITIONS,
		.partitions = partitions,
		.cpus_per_proc = 1,
		.max_array = 4000001,
	};

	for (int i = 0; i < NODES; i++) {
		snprintf(names[i], sizeof(names[i]), "n%d", i);
		node_names[i] = names[i];
		procs[i] = 8;
		gres[i] = "gpu:a:4,nic:2";
		all[i] = 1;
	}
	for (int i = 0; i < PARTITIONS; i++) {
		snprintf(parts[i], sizeof(parts[i]), "p%d", i);
		partitions[i] = (struct libra_host_partition){
			.name = i ? parts[i] : "main",
			.max_minutes = UINT32_MAX,
			.nodes = all,
			.whole_nodes = whole_nodes,
		};
	}
	host = libra_host_shared();
	libra_host_fini(host);
	libra_host_init(host, &ops);
	if (libra_host_set_cluster(host, &site) < 0)
		abort();
}

/* ---- requests ---- */

static job_desc_msg_t blank(void)
{
	return (job_desc_msg_t){
		.num_tasks = NO_VAL,
		.min_cpus = NO_VAL,
		.max_cpus = NO_VAL,
		.min_nodes = NO_VAL,
		.max_nodes = NO_VAL,
		.cpus_per_task = NO_VAL16,
		.threads_per_core = NO_VAL16,
		.ntasks_per_core = NO_VAL16,
		.ntasks_per_node = NO_VAL16,
		.ntasks_per_socket = NO_VAL16,
		.ntasks_per_tres = NO_VAL16,
		.sockets_per_node = NO_VAL16,
		.cores_per_socket = NO_VAL16,
		.pn_min_cpus = NO_VAL16,
		.pn_min_memory = NO_VAL64,
		.pn_min_tmp_disk = NO_VAL,
		.contiguous = NO_VAL16,
		.core_spec = NO_VAL16,
		.shared = NO_VAL16,
		.requeue = NO_VAL16,
		.reboot = NO_VAL16,
		.delay_boot = NO_VAL,
		.req_switch = NO_VAL,
		.het_job_offset = NO_VAL,
		.priority = NO_VAL,
		.nice = NO_VAL,
		.time_limit = NO_VAL,
		.time_min = NO_VAL,
	};
}

static job_desc_msg_t submission(void)
{
	job_desc_msg_t d = blank();

	d.num_tasks = d.min_cpus = 1;
	d.time_limit = 10;
	d.deadline = (time_t)now_s + 36000;
	return d;
}

static void clear(job_desc_msg_t *d, char **err_msg)
{
	free(d->admin_comment);
	for (uint32_t i = 0; i < d->spank_job_env_size; i++)
		free(d->spank_job_env[i]);
	free(d->spank_job_env);
	free(*err_msg);
	*err_msg = NULL;
}

static double used_s(const struct timespec *from)
{
	struct timespec to;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	return (double)(to.tv_sec - from->tv_sec) +
	       (double)(to.tv_nsec - from->tv_nsec) / 1e9;
}

/* Milliseconds of our code, and what was answered; the text may be NULL. */
static double take_ms(job_desc_msg_t d, bool update, int *rc)
{
	struct timespec from;
	char *err_msg = NULL;
	char *texts[4] = {d.tres_per_job, d.tres_per_node};
	double ms;

	/* Slurm's own memory, where our code writes another. */
	if (texts[0])
		d.tres_per_job = strdup(texts[0]);
	if (texts[1])
		d.tres_per_node = strdup(texts[1]);
	now_s += 1000; /* the offer before has expired */
	if (!update)
		d.deadline = (time_t)now_s + 36000;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	if (!update)
		*rc = job_submit(&d, 1000, &err_msg);
	else
		*rc = LIBRA_MODIFY(&d, NULL, 1000, &err_msg);
	ms = 1000 * used_s(&from);
	free(d.tres_per_job);
	free(d.tres_per_node);
	clear(&d, &err_msg);
	return ms;
}

static char **text_of(job_desc_msg_t *d, const struct libra_text *t)
{
	return (char **)((char *)d + t->at);
}

/* What is slow to read where; each is repeated. */
static const char *const patterns[] = {
	"0-4000000,",
	"0-3999999:2,",
	"0-999,",
	"0-62937:63,",
	"1,",
	"[",
	"]",
	"9",
	",",
	"a&",
	"a|b*",
	"!(",
	"gres/gpu,",
	"gpu:a:1,",
	"gpu:0,",
	"nic,",
	"gres:gpu:0,",
	"n[0-99999],",
	"n[0-9][0-9],",
	"q,",
	"p59,",
	"expand",
	"gres",
	":",
	" ;",
};

static void fill(char *text, size_t len, const char *pattern)
{
	size_t n = strlen(pattern);

	memcpy(text, pattern, n < len ? n : len);
	for (; n < len; n *= 2)
		memcpy(text + n, text, n < len - n ? n : len - n);
	text[len] = '\0';
}

struct worst {
	double ms;
	const char *option, *pattern;
	bool too_long;
};

/* Other work takes the processor's memory meanwhile: the least of some. */
static void try_text(const struct libra_text *t, size_t len,
		     const char *pattern, bool update, struct worst *worst)
{
	double least = INFINITY;
	job_desc_msg_t d;
	int rc = 0;

	fill(big, len, pattern);
	/* Tasks are counted, and then no offers made. */
	if (strcmp(t->option, "--array") == 0 && strchr(big, ','))
		strcpy(strrchr(big, ','), "%1");
	for (int i = 0; i < TIMES && least > 1; i++) {
		d = update ? blank() : submission();
		if (update)
			d.time_limit = 20;
		*text_of(&d, t) = big;
		least = fmin(least, take_ms(d, update, &rc));
	}
	if (least > worst->ms)
		*worst = (struct worst){least, t->option, pattern,
					len > t->longest};
	if (len > t->longest && rc == SLURM_SUCCESS) {
		printf("# %s: %zu characters\n", t->option, len);
		worst->ms = INFINITY;
	}
}

static void all_texts(bool update, const char *name)
{
	struct worst worst = {0};

	for (const struct libra_text *t = libra_texts; t->option; t++)
		for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns);
		     i++) {
			try_text(t, t->longest, patterns[i], update, &worst);
			try_text(t, MB, patterns[i], update, &worst);
		}
	printf("# the worst: %.2f ms, %s of \"%s\"%s\n", worst.ms, worst.option,
	       worst.pattern, worst.too_long ? ", too long" : "");
	ok(worst.ms < SLOW, name);
}

/* Is refused, or is left to Slurm, in the same time with other options. */
static void with_gpus(void)
{
	static const char *const lists[] = {"gres/gpu,", "nic,", "gpu:a:1,",
					    "gpu:0,", "gres/gpu:1("};
	struct worst worst = {0};
	job_desc_msg_t d;
	double least;
	int rc;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		least = INFINITY;
		fill(big, 1024, lists[i]);
		for (int k = 0; k < TIMES; k++) {
			d = submission();
			d.tres_per_node = "gres/gpu:1";
			d.cpus_per_tres = big;
			d.mem_per_tres = big;
			d.shared = JOB_SHARED_NONE;
			least = fmin(least, take_ms(d, false, &rc));
		}
		if (least > worst.ms)
			worst = (struct worst){.ms = least,
					       .pattern = lists[i]};
	}
	printf("# the worst: %.2f ms, \"%s\"\n", worst.ms, worst.pattern);
	ok(worst.ms < SLOW, "a list for each GPU is read once, not by nodes");
}

static bool has_line(const job_desc_msg_t *d, const char *line)
{
	for (uint32_t i = 0; i < d->spank_job_env_size; i++)
		if (strcmp(d->spank_job_env[i], line) == 0)
			return true;
	return false;
}

static void fill_lines(job_desc_msg_t *d, uint32_t n, const char *line)
{
	d->spank_job_env_size = n;
	d->spank_job_env = calloc(n, sizeof(char *));
	for (uint32_t i = 0; i < n; i++)
		d->spank_job_env[i] =
			strdup(i == n - 1 ? "LIBRA_SHARE=9" : line);
}

/* 1 MB of lines is a quarter of a million of them. */
static void many_lines(bool update)
{
	static const char *const lines[] = {"", "A", "SPANK_", "LIBRA_A",
					    "SPANK_LIBRA_ASK_"};
	double worst = 0, least;
	job_desc_msg_t d;
	int rc;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		least = INFINITY;
		for (int k = 0; k < TIMES; k++) {
			d = update ? blank() : submission();
			d.time_limit = 20;
			fill_lines(&d, MB / (5 + (uint32_t)strlen(lines[i])),
				   lines[i]);
			least = fmin(least, take_ms(d, update, &rc));
		}
		printf("# %.2f ms: \"%s\"\n", least, lines[i]);
		worst = fmax(worst, least);
	}
	ok(worst < SLOW, update ? "nor do lines of the environment of an update"
				: "lines of the environment do not hold it up");
}

static void forged(void)
{
	job_desc_msg_t d = submission();
	char *err_msg = NULL;

	d.deadline = 0;
	d.partition = "elsewhere";
	fill_lines(&d, 1000, "B=1");
	job_submit(&d, 1000, &err_msg);
	ok(!has_line(&d, "LIBRA_SHARE=9") && has_line(&d, "B=1"),
	   "a forged line behind many is taken out");
	clear(&d, &err_msg);
}

static void long_number(void)
{
	char *line = malloc(MB + 32), *err_msg = NULL;
	job_desc_msg_t d = submission();
	int rc;

	fill(line, MB, "9");
	memcpy(line, "LIBRA_ASK_BUDGET=", 17);
	fill_lines(&d, 2, line);
	rc = job_submit(&d, 1000, &err_msg);
	ok(rc != SLURM_SUCCESS && strstr(err_msg, "numbers of credits"),
	   "a number of a million digits is none");
	clear(&d, &err_msg);
	free(line);
}

/* What is too long is not read, and is named. */
static void told(void)
{
	job_desc_msg_t d = submission();
	char *err_msg = NULL;
	int rc;

	fill(big, 20000, "0-4000000,");
	d.array_inx = big;
	rc = job_submit(&d, 1000, &err_msg);
	ok(rc != SLURM_SUCCESS &&
		   strstr(err_msg, "--array is longer than the 4096"),
	   "the user is told which text is too long");
	clear(&d, &err_msg);
	d = submission();
	d.deadline = 0;
	d.array_inx = big;
	d.partition = "elsewhere";
	ok(job_submit(&d, 1000, &err_msg) == SLURM_SUCCESS && !err_msg &&
		   d.array_inx == big,
	   "in partitions of others it stays Slurm's");
	clear(&d, &err_msg);
}

/* Requests as slurmctld passes them on.  A requeue, and a task that leaves its
 * array, call nothing: the job's record goes with it.
 */
static void callers(void)
{
	static const struct {
		const char *name;
		uint32_t component;
		uint64_t flags;
		const char *answer;
	} rows[] = {
		{"sbatch, srun, salloc, slurmrestd", NO_VAL, 0, "accepted: "},
		{"the first component of sbatch with \":\"", 0, 0,
		 "a heterogeneous job cannot have a deadline"},
		{"the second", 1, 0,
		 "a heterogeneous job cannot have a deadline"},
		{"scrontab, whose jobs go on without a deadline", 0, CRON_JOB,
		 "a promise does not count runs of scrontab"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool promised = rows[i].component == NO_VAL;
		job_desc_msg_t d = submission();
		char *err_msg = NULL;
		int rc;

		d.het_job_offset = rows[i].component;
		d.bitflags = rows[i].flags;
		rc = job_submit(&d, 1000, &err_msg);
		ok((rc == SLURM_SUCCESS) == (promised || rows[i].flags) &&
			   (!rows[i].flags || d.deadline == 0) &&
			   !d.admin_comment == !promised && err_msg &&
			   strstr(err_msg, rows[i].answer),
		   rows[i].name);
		clear(&d, &err_msg);
		d = submission();
		d.het_job_offset = rows[i].component;
		d.bitflags = rows[i].flags;
		d.deadline = 0;
		ok(job_submit(&d, 1000, &err_msg) == SLURM_SUCCESS && !err_msg,
		   "without a deadline it is Slurm's");
		clear(&d, &err_msg);
	}
}

/* A waiting job with a promise, to be changed. */
static void promise(void)
{
	struct libra_host_placement p = {0};
	job_desc_msg_t d = submission();
	struct libra_host_job job;
	char *err_msg = NULL;

	d.deadline = (time_t)now_s + 100000000;
	if (job_submit(&d, 1000, &err_msg) != SLURM_SUCCESS ||
	    !d.admin_comment) {
		printf("# %s\n", err_msg ? err_msg : "no promise");
		abort();
	}
	snprintf(record, sizeof(record), "%s", d.admin_comment);
	clear(&d, &err_msg);
	job = view(NULL);
	libra_host_place(host, &job, &p);
	free(p.record.comment);
	free(p.parts);
}

/* Slurm reads --mem-per-cpu=0 as --mem=0. */
static void all_memory(void)
{
	job_desc_msg_t d = submission();

	ok(!libra_request(&d, NULL).mem.whole, "no memory is the default");
	d.pn_min_memory = 0;
	ok(libra_request(&d, NULL).mem.whole, "--mem=0 is all of a node");
	d.pn_min_memory = MEM_PER_CPU;
	ok(libra_request(&d, NULL).mem.whole, "so is --mem-per-cpu=0");
	d.pn_min_memory = 1 | MEM_PER_CPU;
	ok(!libra_request(&d, NULL).mem.whole, "but not --mem-per-cpu=1");
}

int main(void)
{
	big = malloc(MB + 1);
	if (!big)
		return 99;
	start_host("libra_policy=libra", false);
	all_texts(false, "no text holds a submission up, on shares");
	promise();
	all_texts(true, "nor an update");
	start_host("libra_policy=planned", false);
	all_texts(false, "nor a submission where starts are planned");
	with_gpus();
	promise();
	all_texts(true, "nor an update there");
	start_host("libra_policy=planned", true);
	all_texts(false, "nor a submission for whole nodes");
	with_gpus();
	many_lines(false);
	promise();
	many_lines(true);
	forged();
	long_number();
	told();
	all_memory();
	callers();
	libra_host_fini(host);
	free(big);
	return finish();
}
