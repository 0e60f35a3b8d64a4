/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load_jobs.c - the jobs of a log, as a scheduler's model has them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/bits.h"
#include "sim/base/memory.h"
#include "sim/base/names.h"
#include "sim/slurm/load_jobs.h"
#include "sim/slurm/node_set.h"
#include "sim/slurm/submit_line.h"

/* One row of the log; those of one array follow each other. */
struct key {
	int64_t group; /* the array's id, or the job's */
	uint32_t task, row;
	int64_t id;
};

struct reader {
	struct sched_load *load;
	struct names names;
	struct key *keys;
	size_t n;
	uint32_t gpu;	    /* the site's number of gres/gpu */
	uint32_t most_gpus; /* of a node */
};

static int by_group(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void count_ignored(void *arg, const char *option)
{
	sched_ignore(arg, option);
}

static uint32_t at_least(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* ---- what a job asks for ---- */

/* Take the size from the log's ReqTRES, and whole nodes from what the job got:
 * the options were in the script.
 */
static void guess(struct reader *r, const struct slurm_job *from,
		  struct sched_request *req)
{
	const struct slurm_site *site = r->load->site;
	const struct slurm_partition *part =
		&site->partitions[from->partitions[0]];

	req->min_nodes = from->req_nodes ? from->req_nodes : 1;
	req->max_nodes =
		req->min_nodes > 1 || from->nodes == 1 ? req->min_nodes : 0;
	if (part->nnodes > 0 && from->nodes > 0) {
		uint32_t cpus = site->nodes[part->nodes[0]].cpus;

		req->whole = from->cpus >= cpus * from->nodes &&
			     from->cpus > from->req_cpus;
	}
}

static void take_line(const struct sched_line *line, struct sched_request *req)
{
	uint32_t per_task = at_least(line->cpus_per_task, 1);

	req->min_nodes = 1;
	if (line->nodes_said) {
		req->min_nodes = line->min_nodes;
		req->max_nodes = line->max_nodes;
	}
	req->ntasks = line->ntasks;
	req->cpus_per_task = line->cpus_per_task;
	req->tasks_per_node = line->tasks_per_node;
	if (req->ntasks == 0)
		req->ntasks =
			req->min_nodes * at_least(line->tasks_per_node, 1);
	req->min_cpus = req->ntasks * per_task;
}

/* Take GPUs: of each node, or of the job.  If no option tells, they are those
 * of ReqTRES, and of each node if one can have so many.
 */
static void take_gpus(const struct reader *r, const struct slurm_job *from,
		      const struct sched_line *line, struct sched_request *req)
{
	uint32_t n = line->gpus.job, each = 0;

	if (line->gpus.task && n == 0)
		n = at_least(req->ntasks, 1) * line->gpus.task;
	req->gpus_node = line->gpus.node;
	if (req->gpus_node && line->gpus.job >= req->gpus_node)
		req->min_nodes = req->max_nodes =
			line->gpus.job / req->gpus_node;
	if (req->gpus_node)
		return;
	if (n == 0 && r->gpu != SLURM_NONE && from->req[r->gpu] > 0) {
		n = (uint32_t)from->req[r->gpu];
		each = r->most_gpus;
	}
	req->gpus_node = (n + req->min_nodes - 1) / req->min_nodes;
	if (req->gpus_node > each) {
		req->gpus_job = n;
		req->gpus_task = line->gpus.task;
	}
}

static void take_size(struct reader *r, const struct slurm_job *from,
		      const struct sched_line *line, struct sched_request *req)
{
	req->min_cpus = from->req_cpus ? from->req_cpus : 1;
	if (line->sized)
		take_line(line, req);
	else
		guess(r, from, req);
	req->whole = req->whole || line->exclusive;
	req->contiguous = line->contiguous;
	req->unpromised = line->unpromised;
	req->mincpus = line->mincpus;
	take_gpus(r, from, line, req);
}

static void take_memory(struct reader *r, const struct slurm_job *from,
			const struct sched_line *line,
			struct sched_request *req)
{
	const struct slurm_site *site = r->load->site;
	const struct slurm_partition *part =
		&site->partitions[from->partitions[0]];
	int64_t per_cpu = part->mem.def_cpu, per_node = part->mem.def_node;

	if (!site->config.select_memory)
		return;
	if (per_cpu == SLURM_UNLIMITED && per_node == SLURM_UNLIMITED) {
		per_cpu = site->config.mem.def_cpu;
		per_node = site->config.mem.def_node;
	}
	if (line->mem_said && line->mem_mb > 0) {
		req->mem_mb = line->mem_mb;
		req->mem_per_cpu = line->mem_per_cpu;
	} else if (from->req[SLURM_MEM] > 0) {
		bool cpus = per_cpu != SLURM_UNLIMITED && req->min_cpus > 0;

		req->mem_per_cpu = cpus;
		req->mem_mb = (uint64_t)from->req[SLURM_MEM] /
			      (cpus ? req->min_cpus : req->min_nodes);
	} else if (per_cpu != SLURM_UNLIMITED) {
		req->mem_mb = (uint64_t)per_cpu;
		req->mem_per_cpu = true;
	} else if (per_node != SLURM_UNLIMITED) {
		req->mem_mb = (uint64_t)per_node;
	} else if (part->nnodes > 0) { /* no default: all of a node's */
		req->mem_mb = (uint64_t)site->nodes[part->nodes[0]].memory_mb;
	}
}

static int take_node_sets(struct reader *r, const struct sched_line *line,
			  struct sched_request *req)
{
	const struct sched_model *m = &r->load->model;

	if (line->required[0]) {
		req->required = calloc(m->words + 1, sizeof(uint64_t));
		if (!req->required)
			return -1;
		sched_node_set(r->load->site, line->required, req->required);
		for (uint32_t n = 0, i = 0; i < m->nnodes; i++) {
			n += libra_bits_has(req->required, i);
			req->min_nodes = at_least(req->min_nodes, n);
		}
	}
	if (line->excluded[0]) {
		req->excluded = calloc(m->words + 1, sizeof(uint64_t));
		if (!req->excluded)
			return -1;
		sched_node_set(r->load->site, line->excluded, req->excluded);
	}
	return 0;
}

/* Return true if a comma list such as a,b,c has a word. */
static bool has_word(const char *list, const char *word, size_t n)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length == n && strncasecmp(list, word, n) == 0)
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

/* Features joined by & exclude the nodes that lack one of them; other forms
 * are counted as ignored.
 */
static int take_features(struct reader *r, const char *text,
			 struct sched_request *req)
{
	const struct slurm_site *site = r->load->site;
	uint32_t words = r->load->model.words;

	if (!*text)
		return 0;
	if (strpbrk(text, "|[(*,")) {
		sched_ignore(&r->load->ignored, "constraint with |, [] or *");
		return 0;
	}
	if (!req->excluded)
		req->excluded = calloc(words + 1, sizeof(uint64_t));
	if (!req->excluded)
		return -1;
	while (*text) {
		size_t n = strcspn(text, "&");

		for (uint32_t i = 0; i < site->nnodes; i++)
			if (!has_word(site->nodes[i].features, text, n))
				libra_bits_put(req->excluded, i);
		text += n + (text[n] == '&');
	}
	return 0;
}

static int take_deps(const struct sched_line *line, struct sched_job *job)
{
	if (line->ndeps == 0)
		return 0;
	job->depends.on = calloc(line->ndeps, sizeof(*job->depends.on));
	if (!job->depends.on)
		return -1;
	memcpy(job->depends.on, line->deps,
	       line->ndeps * sizeof(*job->depends.on));
	job->depends.n = line->ndeps;
	job->depends.any = line->deps_any;
	return 0;
}

/* ---- jobs and tasks ---- */

static int64_t limit_of(const struct reader *r, const struct slurm_job *from)
{
	const struct sched_part *part =
		&r->load->model.parts[from->partitions[0]];
	uint64_t limit_s = from->limit_s;

	if (from->limit_s == SLURM_LIMIT_OF_PARTITION)
		limit_s = part->default_time_s;
	if (from->limit_s == SLURM_INFINITE || limit_s == SCHED_UNLIMITED)
		limit_s = part->max_time_s;
	if (limit_s == SCHED_UNLIMITED)
		limit_s = 365 * 24 * 3600;
	return (int64_t)limit_s;
}

static void take_times(const struct sched_line *line,
		       const struct slurm_job *from, struct sched_job *job)
{
	job->times.submit_s = from->submit_s;
	job->time_min_s = line->time_min_s;
	if (line->begin_after_s)
		job->times.begin_s = job->times.submit_s + line->begin_after_s;
	else if (line->begin_said)
		job->times.begin_s = from->eligible_s;
	job->held = line->hold;
	if (line->hold)
		job->times.held_until_s = from->eligible_s;
	/* an option in the script: a late Eligible is all that is known */
	if (!line->begin_said && !line->hold && line->ndeps == 0 &&
	    from->eligible_s > from->submit_s)
		job->times.begin_s = from->eligible_s;
}

static uint32_t number(struct names *names, const char *text)
{
	return *text ? names_add(names, text, strlen(text)) : 0;
}

/* The log keeps only the partition in which a job ran. */
static void take_partitions(const struct reader *r,
			    const struct slurm_job *from,
			    const struct sched_line *line,
			    struct sched_job *job)
{
	const char *list = line->partitions;

	while (*list && job->nparts < SCHED_MAX_PARTS) {
		size_t n = strcspn(list, ",");
		char name[SCHED_LINE_TEXT];
		uint32_t part;

		memcpy(name, list, n);
		name[n] = '\0';
		part = slurm_site_find_partition(r->load->site, name);
		if (part != SLURM_NONE)
			job->parts[job->nparts++] = (uint16_t)part;
		list += n + (list[n] == ',');
	}
	if (job->nparts > 0)
		return;
	for (uint32_t p = 0; p < from->npartitions && p < SCHED_MAX_PARTS; p++)
		job->parts[job->nparts++] = (uint16_t)from->partitions[p];
}

static bool lists_account(const struct slurm_site *site, const char *list,
			  uint32_t assoc)
{
	const char *account = "";

	for (; *list && assoc != SLURM_NONE;
	     assoc = site->assocs[assoc].parent) {
		if (strcmp(account, site->assocs[assoc].account) == 0)
			continue; /* a user's is that of the account */
		account = site->assocs[assoc].account;
		if (has_word(list, account, strlen(account)))
			return true;
	}
	return false;
}

static bool lists_qos(const struct slurm_site *site, const char *list,
		      uint32_t qos)
{
	return qos != SLURM_NONE &&
	       has_word(list, site->qos[qos].name, strlen(site->qos[qos].name));
}

/* Return true if a job may use a partition because it ran there in the log: the
 * lists were others then.
 */
static bool ran_there(const struct slurm_job *from, uint32_t part)
{
	return from->start_s > 0 && from->npartitions == 1 &&
	       from->partitions[0] == part;
}

/* Note partitions whose MaxTime is less than the job needs; --time-min is the
 * least that it needs.
 */
static void take_max_time(const struct reader *r, const struct slurm_job *from,
			  struct sched_job *job)
{
	const struct slurm_site *site = r->load->site;
	int64_t needed_s = job->time_min_s ? job->time_min_s : job->limit_s;

	if (from->qos != SLURM_NONE &&
	    site->qos[from->qos].flags & SLURM_QOS_PART_TIME)
		return;
	for (uint32_t p = 0; p < job->nparts; p++) {
		uint16_t part = job->parts[p];

		if ((uint64_t)needed_s <= r->load->model.parts[part].max_time_s)
			continue;
		if (!site->partitions[part].access.new_time &&
		    ran_there(from, part))
			sched_ignore(&r->load->ignored,
				     "MaxTime of jobs that ran");
		else
			job->refused_by.time |= (uint8_t)(1 << p);
	}
}

static void take_access(const struct reader *r, const struct slurm_job *from,
			struct sched_job *job)
{
	const struct slurm_site *site = r->load->site;

	for (uint32_t p = 0; p < job->nparts; p++) {
		const struct slurm_access *a =
			&site->partitions[job->parts[p]].access;
		bool no_qos =
			*a->allow_qos
				? !lists_qos(site, a->allow_qos, from->qos)
				: lists_qos(site, a->deny_qos, from->qos);
		bool no_account =
			*a->allow_accounts
				? !lists_account(site, a->allow_accounts,
						 from->assoc)
				: lists_account(site, a->deny_accounts,
						from->assoc);

		if (!site->config.enforce_assoc || from->assoc == SLURM_NONE)
			no_account = false;
		if (!no_qos && !no_account)
			continue;
		if (!a->changed && ran_there(from, job->parts[p])) {
			sched_ignore(&r->load->ignored,
				     "access of jobs that ran");
			continue;
		}
		job->refused_by.qos |= (uint8_t)(no_qos << p);
		job->refused_by.account |= (uint8_t)(no_account << p);
	}
}

static int make_job(struct reader *r, const struct slurm_job *from,
		    struct sched_job *job)
{
	struct sched_load *load = r->load;
	struct sched_line line;

	sched_line_read(&line, from->text.submit_line, count_ignored,
			&load->ignored);
	job->id = (uint32_t)(from->array_id ? from->array_id : from->id);
	job->array = (uint32_t)from->array_id;
	job->owner.qos = from->qos;
	job->owner.assoc = from->assoc;
	job->owner.user = from->user;
	job->owner.account = from->assoc == SLURM_NONE
				     ? load->model.nassocs
				     : load->model.assocs[from->assoc].account;
	take_partitions(r, from, &line, job);
	take_access(r, from, job);
	job->priority_part = job->last_part = job->parts[0];
	job->batch = !line.interactive;
	job->tasks.throttle = line.throttle;
	job->priority = from->priority > 0 ? (uint32_t)from->priority : 0;
	load->nice[load->model.njobs] = line.nice;
	job->owner.name = number(&r->names, from->text.name && *from->text.name
						    ? from->text.name
						    : line.name);
	job->limit_s = limit_of(r, from);
	take_size(r, from, &line, &job->req);
	take_memory(r, from, &line, &job->req);
	take_times(&line, from, job);
	take_max_time(r, from, job);
	if (*from->text.reservation) {
		sched_ignore(&load->ignored, "reservation");
		job->req.unpromised = "reservation";
	}
	if (take_node_sets(r, &line, &job->req) < 0 ||
	    take_features(r,
			  line.features[0] ? line.features
					   : from->text.constraints,
			  &job->req) < 0)
		return -1;
	return take_deps(&line, job);
}

static enum sched_outcome outcome_of(uint8_t state)
{
	switch (state) {
	case IMPORT_COMPLETED:
		return SCHED_COMPLETED;
	case IMPORT_TIMEOUT:
		return SCHED_TIMEOUT;
	case IMPORT_CANCELLED:
	case IMPORT_PREEMPTED:
		return SCHED_CANCELLED;
	}
	return SCHED_FAILED;
}

/* The last of a job's rows says how long it ran. */
static void make_task(const struct slurm_job *from, struct sched_task *task,
		      uint32_t job)
{
	task->id = (uint32_t)from->id;
	task->array = (uint32_t)from->array_id;
	task->index = from->task;
	task->job = job;
	task->outcome = outcome_of(from->state);
	task->runtime_s = from->elapsed_s;
	task->cancel_s = from->start_s == 0 ? from->end_s : 0;
	task->priority = from->priority > 0 ? (uint32_t)from->priority : 0;
}

/* Return true if the next row is a later run of the same job, not another job
 * after the ids began anew.
 */
static bool is_rerun(const struct reader *r, size_t i)
{
	const struct slurm_job *jobs = r->load->site->jobs;
	const struct slurm_job *job, *next;

	if (i + 1 == r->n || r->keys[i + 1].id != r->keys[i].id ||
	    r->keys[i + 1].group != r->keys[i].group)
		return false;
	job = &jobs[r->keys[i].row];
	next = &jobs[r->keys[i + 1].row];
	return job->user == next->user &&
	       strcmp(job->text.name, next->text.name) == 0;
}

/* Make the jobs of the sorted rows. */
static int make_all(struct reader *r, struct libra_error *err)
{
	struct sched_load *load = r->load;
	struct sched_model *m = &load->model;
	const struct slurm_job *jobs = load->site->jobs;

	for (size_t i = 0; i < r->n;) {
		struct sched_job *job = &m->jobs[m->njobs];
		uint64_t ignored = load->ignored.all;
		size_t first = i;

		if (make_job(r, &jobs[r->keys[i].row], job) < 0)
			return sim_no_memory(err);
		job->tasks.base = m->njobs;
		job->tasks.next = m->ntasks;
		while (i < r->n && r->keys[i].group == r->keys[first].group &&
		       (i == first || job->array)) {
			while (is_rerun(r, i))
				i++;
			make_task(&jobs[r->keys[i].row], &m->tasks[m->ntasks],
				  m->njobs);
			load->row[m->ntasks++] = r->keys[i].row;
			i++;
		}
		job->tasks.n = m->ntasks - job->tasks.next;
		job->tasks.first = job->tasks.next;
		job->tasks.total = job->tasks.n;
		if (load->ignored.all > ignored)
			load->unmodelled += job->tasks.n;
		m->njobs++;
	}
	return 0;
}

static int list_rows(struct reader *r)
{
	const struct slurm_site *site = r->load->site;
	bool priorities = false;

	for (uint32_t i = 0; i < site->njobs; i++) {
		const struct slurm_job *job = &site->jobs[i];
		struct key *key = &r->keys[r->n];

		if (job->npartitions == 0 || job->submit_s == 0) {
			r->load->skipped++;
			continue;
		}
		if (job->npartitions > SCHED_MAX_PARTS)
			sched_ignore(&r->load->ignored,
				     "partitions beyond eight");
		priorities = priorities || job->priority >= 0;
		key->group = job->array_id ? job->array_id : job->id;
		key->task = job->array_id ? job->task : 0;
		key->id = job->id;
		key->row = i;
		r->n++;
	}
	if (site->config.priority.multifactor &&
	    site->config.priority.as_logged && !priorities)
		sched_ignore(&r->load->ignored,
			     "PriorityType without Priority in the log");
	qsort(r->keys, r->n, sizeof(*r->keys), by_group);
	return r->n > 0 ? 0 : -1;
}

int sched_load_jobs(struct sched_load *load, struct libra_error *err)
{
	const struct slurm_site *site = load->site;
	struct sched_model *m = &load->model;
	struct reader r = {.load = load};
	int rc = -1;

	r.gpu = slurm_site_find_tres(site, "gres/gpu");
	for (uint32_t i = 0; i < m->nnodes; i++)
		r.most_gpus = at_least(r.most_gpus, m->nodes[i].gpus);
	r.keys = calloc(site->njobs + 1, sizeof(*r.keys));
	m->jobs_cap = (uint32_t)site->njobs + 1;
	m->jobs = calloc(m->jobs_cap, sizeof(*m->jobs));
	m->tasks = calloc(site->njobs + 1, sizeof(*m->tasks));
	load->row = calloc(site->njobs + 1, sizeof(*load->row));
	load->nice = calloc(site->njobs + 1, sizeof(*load->nice));
	if (!r.keys || !m->jobs || !m->tasks || !load->row || !load->nice)
		sim_no_memory(err);
	else if (list_rows(&r) < 0)
		libra_errf(err, EINVAL,
			   "no job of the log fits the site: give the log of "
			   "this cluster, with the columns of librasim import "
			   "--show-command");
	else
		rc = make_all(&r, err);
	free(r.keys);
	names_fini(&r.names);
	return rc;
}
