/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_jobs.c - jobs of sacct's log, each run of a job for itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/import/text.h"
#include "sim/slurm/site_impl.h"

struct jobs {
	struct site_file *f;
	struct import_text_reader text;
	const struct import_row *row;
};

static struct import_text column(const struct jobs *j, enum import_column c)
{
	return j->row->given[c] ? import_trimmed(j->row->col[c])
				: (struct import_text){"", 0};
}

static int64_t number_of(const struct jobs *j, enum import_column c,
			 int64_t otherwise)
{
	int64_t n;

	if (import_count(column(j, c), &n) != IMPORT_OK)
		return otherwise;
	return n;
}

static uint32_t u32_of(const struct jobs *j, enum import_column c)
{
	int64_t n = number_of(j, c, 0);

	return n < 0 ? 0 : n < UINT32_MAX - 1 ? (uint32_t)n : UINT32_MAX - 2;
}

static int set_text(const struct jobs *j, enum import_column c,
		    const char **text)
{
	struct import_text t = column(j, c);

	/* "None assigned" of node lists */
	if (site_is_none(t) || import_is(t, "None assigned"))
		t.n = 0;
	*text = site_text(j->f->site, t);
	return *text ? 0 : sim_no_memory(j->f->err);
}

static int set_texts(const struct jobs *j, struct slurm_job *job)
{
	static const struct {
		enum import_column c;
		size_t at;
	} texts[] = {
		{IMPORT_C_USER, offsetof(struct slurm_job, text.user_name)},
		{IMPORT_C_ACCOUNT, offsetof(struct slurm_job, text.account)},
		{IMPORT_C_PARTITION,
		 offsetof(struct slurm_job, text.partition)},
		{IMPORT_C_JOBNAME, offsetof(struct slurm_job, text.name)},
		{IMPORT_C_NODELIST, offsetof(struct slurm_job, text.node_list)},
		{IMPORT_C_SUBMITLINE,
		 offsetof(struct slurm_job, text.submit_line)},
		{IMPORT_C_CONSTRAINTS,
		 offsetof(struct slurm_job, text.constraints)},
		{IMPORT_C_RESERVATION,
		 offsetof(struct slurm_job, text.reservation)},
		{IMPORT_C_FLAGS, offsetof(struct slurm_job, text.flags)},
		{IMPORT_C_REASON, offsetof(struct slurm_job, text.reason)},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = "";

		if (set_text(j, texts[i].c, &text) < 0)
			return -1;
		memcpy((char *)job + texts[i].at, &text, sizeof(text));
	}
	return 0;
}

/* main,short: in the order of the list. */
static int set_partitions(const struct jobs *j, struct slurm_job *job)
{
	struct slurm_site *site = j->f->site;
	struct import_text list = column(j, IMPORT_C_PARTITION), word;
	uint32_t *to = NULL;
	size_t most = 1;

	for (size_t i = 0; i < list.n; i++)
		most += list.at[i] == ',';
	for (size_t i = 0; most == 1 && i < site->npartitions; i++)
		if (import_is(list, site->partitions[i].name)) {
			/* The usual case needs no list of its own. */
			job->partitions = &site->partitions[i].index;
			job->npartitions = 1;
			return 0;
		}
	while (site_next(&list, ',', &word)) {
		uint32_t p = 0;

		while (p < site->npartitions &&
		       !import_is(word, site->partitions[p].name))
			p++;
		if (p == site->npartitions) {
			if (word.n > 0 &&
			    site_unknown(j->f, "partition", word) < 0)
				return -1;
			continue;
		}
		if (!to)
			to = site_alloc(site, most * sizeof(*to));
		if (!to)
			return sim_no_memory(j->f->err);
		to[job->npartitions++] = p;
	}
	job->partitions = to;
	return 0;
}

static int set_owner(const struct jobs *j, struct slurm_job *job)
{
	struct slurm_site *site = j->f->site;
	struct import_text qos = column(j, IMPORT_C_QOS);
	struct import_text user = {job->text.user_name,
				   strlen(job->text.user_name)};
	const char *part = job->npartitions
				   ? site->partitions[job->partitions[0]].name
				   : "";

	job->assoc = slurm_site_find_assoc(site, job->text.account,
					   job->text.user_name, part);
	if (job->assoc == SLURM_NONE && site->nassocs > 0 &&
	    site_unknown(j->f, "no association of user", user) < 0)
		return -1;
	job->user = names_add(&site->store->users, user.at, user.n);
	if (job->user == UINT32_MAX)
		return sim_no_memory(j->f->err);
	job->qos = SLURM_NONE;
	for (uint32_t q = 0; q < site->nqos; q++)
		if (import_is(qos, site->qos[q].name))
			job->qos = q;
	if (job->qos == SLURM_NONE && qos.n > 0 && site->nqos > 0)
		return site_unknown(j->f, "QOS", qos);
	return 0;
}

static int set_times(const struct jobs *j, struct slurm_job *job)
{
	double s = 0;

	if (site_instant(j->f, column(j, IMPORT_C_SUBMIT), &job->submit_s) <
		    0 ||
	    site_instant(j->f, column(j, IMPORT_C_ELIGIBLE), &job->eligible_s) <
		    0 ||
	    site_instant(j->f, column(j, IMPORT_C_START), &job->start_s) < 0 ||
	    site_instant(j->f, column(j, IMPORT_C_END), &job->end_s) < 0)
		return -1;
	job->elapsed_s = u32_of(j, IMPORT_C_ELAPSEDRAW);
	if (import_duration(column(j, IMPORT_C_SUSPENDED), &s) == IMPORT_OK &&
	    s > 0)
		job->suspended_s = s < 4e9 ? (uint32_t)s : UINT32_MAX - 2;
	s = 0;
	switch (import_limit(column(j, IMPORT_C_TIMELIMITRAW), 60, &s)) {
	case IMPORT_OK:
		job->limit_s = s < 4e9 ? (uint32_t)s : SLURM_INFINITE;
		break;
	case IMPORT_UNLIMITED:
		job->limit_s = SLURM_INFINITE;
		break;
	default:
		job->limit_s = SLURM_LIMIT_OF_PARTITION;
	}
	return 0;
}

static int set_amounts(const struct jobs *j, struct slurm_job *job)
{
	job->req_cpus = u32_of(j, IMPORT_C_REQCPUS);
	job->cpus = u32_of(j, IMPORT_C_ALLOCCPUS);
	job->nodes = u32_of(j, IMPORT_C_NNODES);
	job->priority = number_of(j, IMPORT_C_PRIORITY, -1);
	job->req = site_amounts(j->f, column(j, IMPORT_C_REQTRES), 0);
	job->alloc = site_amounts(j->f, column(j, IMPORT_C_ALLOCTRES), 0);
	if (!job->req || !job->alloc)
		return -1;
	job->req_nodes = job->req[SLURM_NODE] < UINT32_MAX
				 ? (uint32_t)job->req[SLURM_NODE]
				 : 0;
	if (job->req_nodes == 0)
		job->req_nodes = 1;
	if (job->req_cpus == 0)
		job->req_cpus = (uint32_t)(job->req[SLURM_CPU] & 0x7fffffff);
	return 0;
}

/* Result: 1, 0 if the row is no job (a step), or -1. */
static int set_id(const struct jobs *j, struct slurm_job *job)
{
	struct import_text raw = column(j, IMPORT_C_JOBIDRAW);
	struct import_text name = column(j, IMPORT_C_JOBID);
	struct import_id id, part;

	if (import_job_id(raw.n ? raw : name, &id) != IMPORT_OK)
		return site_fail(j->f,
				 "'%.*s' is no job id: give the output of the "
				 "command of `librasim import --show-command`",
				 (int)(raw.n < 40 ? raw.n : 40), raw.at);
	if (id.kind == IMPORT_STEP)
		return 0;
	job->id = id.number;
	job->task = SLURM_NONE;
	if (import_job_id(name, &part) != IMPORT_OK)
		return 1;
	if (part.kind == IMPORT_TASK || part.kind == IMPORT_TASKS)
		job->array_id = part.number;
	if (part.kind == IMPORT_TASK && part.part < SLURM_NONE)
		job->task = (uint32_t)part.part;
	return 1;
}

static int add_job(struct jobs *j)
{
	struct slurm_site *site = j->f->site;
	struct import_text cluster = column(j, IMPORT_C_CLUSTER);
	struct slurm_job job = {0}, *to;
	int rc;

	if (cluster.n && *site->config.cluster &&
	    !import_is(cluster, site->config.cluster))
		return site_unknown(j->f, "jobs of cluster", cluster);
	rc = set_id(j, &job);
	if (rc <= 0)
		return rc;
	if (set_texts(j, &job) < 0 || set_partitions(j, &job) < 0 ||
	    set_owner(j, &job) < 0 || set_times(j, &job) < 0 ||
	    set_amounts(j, &job) < 0)
		return -1;
	job.state = (uint8_t)import_state(column(j, IMPORT_C_STATE));
	to = site_append(site, &site->jobs, &site->njobs, sizeof(job), 7);
	if (!to)
		return sim_no_memory(j->f->err);
	*to = job;
	return 0;
}

static int read_rows(struct jobs *j)
{
	struct site_file *f = j->f;

	for (;;) {
		struct import_row row = {.split = false};

		switch (import_text_row(&j->text, &f->in, &row)) {
		case IMPORT_ROW_END:
			return 0;
		case IMPORT_ROW:
			j->row = &row;
			if (add_job(j) < 0)
				return -1;
			break;
		case IMPORT_ROW_FAILED:
			return -1;
		default:
			if (site_unknown(f, "rows with too few or many fields",
					 (struct import_text){"", 0}) < 0)
				return -1;
		}
	}
}

/* Stable: rows of one second stay in the order of the log. */
static int sort_jobs(struct slurm_site *site, struct libra_error *err)
{
	struct slurm_job *to, *from = site->jobs, *swap;
	size_t n = site->njobs;

	for (size_t i = 1; i < n; i++)
		if (from[i - 1].submit_s > from[i].submit_s)
			goto sort;
	return 0;
sort:
	to = malloc(n * sizeof(*to));
	if (!to)
		return sim_no_memory(err);
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t mid = low + width < n ? low + width : n;
			size_t high = mid + width < n ? mid + width : n;
			size_t a = low, b = mid;

			for (size_t k = low; k < high; k++)
				to[k] = a < mid && (b >= high ||
						    from[a].submit_s <=
							    from[b].submit_s)
						? from[a++]
						: from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	free(to);
	site->jobs = from;
	site->store->caps[7] = n;
	return 0;
}

static int read_file(struct site_file *f)
{
	struct jobs j = {.f = f};
	int rc = import_text_begin(&j.text, &f->in, NULL);

	if (rc == 0)
		rc = read_rows(&j);
	import_text_fini(&j.text);
	f->site->nusers = f->site->store->users.n + 1;
	return rc < 0 ? -1 : sort_jobs(f->site, f->err);
}

int64_t slurm_site_first_s(const struct slurm_site *site)
{
	size_t i = 0;

	/* jobs without a submission are the first ones */
	while (i < site->njobs && site->jobs[i].submit_s == 0)
		i++;
	return i < site->njobs ? site->jobs[i].submit_s : 0;
}

bool slurm_job_waited(const struct slurm_job *job, int64_t *from_s,
		      int64_t *wait_s)
{
	*from_s = job->eligible_s ? job->eligible_s : job->submit_s;
	*wait_s = job->start_s - *from_s;
	return job->start_s > 0 && *from_s > 0 && *wait_s >= 0;
}

int slurm_site_read_jobs(struct slurm_site *site, const char *path,
			 struct libra_error *err)
{
	struct site_file f = {.site = site, .err = err, .file = "jobs.txt"};
	int rc;

	snprintf(f.path, sizeof(f.path), "%s", path);
	if (input_open(&f.in, path, err) < 0)
		return -1;
	f.open = true;
	rc = read_file(&f);
	site_close(&f);
	return rc;
}

int site_read_jobs(struct slurm_site *site, const char *folder,
		   struct libra_error *err)
{
	struct site_file f;
	int rc = site_open(&f, site, folder, "jobs.txt", err);

	if (rc == 0)
		return libra_errf(err, ENOENT,
				  "%s has no jobs.txt: run site-snapshot with "
				  "--from, or give a log",
				  folder);
	if (rc > 0)
		rc = read_file(&f);
	site_close(&f);
	return rc;
}
