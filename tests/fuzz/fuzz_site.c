/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_site.c - the folder of a site: its files one behind the other, each
 * after a line "=== NAME", perhaps changes; and the model that is made of it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/slurm/load.h"
#include "sim/slurm/priority.h"
#include "tests/fuzz/fuzz.h"

static const char *const files[] = {
	"config.txt", "partitions.txt", "nodes.txt", "reservations.txt",
	"tres.txt",   "qos.txt",	"assoc.txt", "sshare.txt",
	"event.txt",  "jobs.txt",
};

enum { NFILES = sizeof(files) / sizeof(files[0]) };

static void write_files(const char *folder, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < NFILES; i++) {
		char mark[64], path[128];
		const uint8_t *begin, *end;
		FILE *fp;

		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		snprintf(mark, sizeof(mark), "=== %s\n", files[i]);
		unlink(path);
		begin = size ? memmem(data, size, mark, strlen(mark)) : NULL;
		if (!begin)
			continue;
		begin += strlen(mark);
		end = memmem(begin, size - (size_t)(begin - data), "=== ", 4);
		fp = fopen(path, "w");
		FUZZ_CHECK(fp);
		fwrite(begin, 1, (size_t)((end ? end : data + size) - begin),
		       fp);
		FUZZ_CHECK(fclose(fp) == 0);
	}
}

static void check(const struct slurm_site *site)
{
	FUZZ_CHECK(site->nnodes > 0 && site->npartitions > 0);
	for (size_t i = 0; i < site->npartitions; i++)
		for (size_t k = 0; k < site->partitions[i].nnodes; k++)
			FUZZ_CHECK(site->partitions[i].nodes[k] < site->nnodes);
	for (size_t i = 0; i < site->nassocs; i++)
		FUZZ_CHECK(i == 0 ? site->assocs[i].parent == SLURM_NONE
				  : site->assocs[i].parent < i);
	for (size_t i = 0; i < site->njobs; i++) {
		const struct slurm_job *job = &site->jobs[i];

		FUZZ_CHECK(i == 0 ||
			   site->jobs[i - 1].submit_s <= job->submit_s);
		FUZZ_CHECK(job->assoc == SLURM_NONE ||
			   job->assoc < site->nassocs);
		FUZZ_CHECK(job->qos == SLURM_NONE || job->qos < site->nqos);
		for (uint32_t k = 0; k < job->npartitions; k++)
			FUZZ_CHECK(job->partitions[k] < site->npartitions);
		FUZZ_CHECK(job->req && job->alloc && job->text.submit_line);
	}
}

static void check_model(const struct sched_model *m)
{
	FUZZ_CHECK(m->njobs > 0 && m->njobs <= m->ntasks);
	FUZZ_CHECK(m->params.bf.resolution_s > 0);
	for (uint32_t i = 0; i < m->njobs; i++) {
		const struct sched_job *job = &m->jobs[i];

		FUZZ_CHECK(job->nparts > 0 && job->tasks.n > 0);
		FUZZ_CHECK(job->tasks.next + job->tasks.n <= m->ntasks);
		FUZZ_CHECK(job->req.min_nodes > 0 && job->limit_s >= 0);
		FUZZ_CHECK(job->owner.user <= m->nusers);
	}
}

/* Apply the lines after "=== changes". */
static void change(struct slurm_site *site, const uint8_t *data, size_t size)
{
	static const char mark[] = "=== changes\n";
	const uint8_t *begin = memmem(data, size, mark, strlen(mark));
	char text[512], *line, *rest;
	size_t n;

	if (!begin)
		return;
	begin += strlen(mark);
	n = size - (size_t)(begin - data);
	if (n >= sizeof(text))
		n = sizeof(text) - 1;
	memcpy(text, begin, n);
	text[n] = '\0';
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct libra_error err = {0};

		if (slurm_site_change(site, line, &err) < 0)
			FUZZ_CHECK(*err.text && !strchr(err.text, '\n'));
	}
	check(site);
}

void fuzz_site(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/fuzz-site.XXXXXX";
	struct libra_error err = {0};
	struct slurm_site site;
	struct sched_load load;

	FUZZ_CHECK(mkdtemp(folder));
	write_files(folder, data, size);
	if (slurm_site_read(&site, folder, true, &err) < 0) {
		FUZZ_CHECK(*err.text && !strchr(err.text, '\n'));
	} else {
		check(&site);
		if (size > 0)
			change(&site, data, size);
		FUZZ_CHECK(slurm_prio_rewind(&site, &err) == 0);
		if (sched_load(&load, &site, &err) < 0)
			FUZZ_CHECK(*err.text && !strchr(err.text, '\n'));
		else
			check_model(&load.model);
		sched_load_fini(&load);
	}
	slurm_site_fini(&site);
	write_files(folder, NULL, 0);
	rmdir(folder);
}
