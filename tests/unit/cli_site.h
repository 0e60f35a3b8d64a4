/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli_site.h - a cluster that is written down here, for tests of the command
 * libra; and lines of its decision log.
 *
 * Three nodes of 2, 2 and 4 processors; partition "main" has the first and the
 * last, so that the engine numbers them 0-1 and 2-5.  It is 1000 s.
 */
#ifndef TESTS_UNIT_CLI_SITE_H
#define TESTS_UNIT_CLI_SITE_H

#include <errno.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"
#include "plugin/cli/selection.h"
#include "tests/unit/test.h"

static const struct cli_selection every_line = {.all_lines = true};

static inline void no_report(void *arg, const char *text)
{
	fail_msg("%s", text);
}

static inline char *copy(const char *text)
{
	char *s = strdup(text);

	assert_non_null(s);
	return s;
}

static inline void add_job(struct cli_cluster *cluster, uint32_t id,
			   const char *comment, enum cli_job_state state)
{
	struct cli_job *j;
	char label[16];

	cluster->jobs = realloc(cluster->jobs,
				(cluster->njobs + 1) * sizeof(*cluster->jobs));
	assert_non_null(cluster->jobs);
	j = &cluster->jobs[cluster->njobs++];
	snprintf(label, sizeof(label), "%u", id);
	*j = (struct cli_job){
		.id = id,
		.label = copy(label),
		.user = copy("ada"),
		.state_name = copy("RUNNING"),
		.state = state,
		.tasks = 1,
		.comment = comment ? copy(comment) : NULL,
	};
}

static inline void make_site(struct cli_cluster *cluster, const char *params)
{
	static const char *const names[] = {"a", "b", "c"};
	static const uint32_t procs[] = {2, 2, 4};

	*cluster = (struct cli_cluster){.now_s = 1000, .enabled = true};
	assert_int_equal(libra_host_conf_list_init(&cluster->groups, params,
						   no_report, NULL),
			 0);
	cluster->nodes = calloc(3, sizeof(*cluster->nodes));
	cluster->parts = calloc(2, sizeof(*cluster->parts));
	cluster->nnodes = 3;
	cluster->nparts = 2;
	for (int i = 0; i < 3; i++)
		cluster->nodes[i] = (struct cli_node){.name = copy(names[i]),
						      .procs = procs[i],
						      .cpus = procs[i],
						      .state = LIBRA_NODE_UP};
	for (int i = 0; i < 2; i++) {
		cluster->parts[i].nodes = calloc(3, 1);
		cluster->parts[i].max_minutes = UINT32_MAX;
	}
	cluster->parts[0].name = copy("main");
	cluster->parts[0].is_default = true;
	cluster->parts[0].nodes[0] = cluster->parts[0].nodes[2] = 1;
	cluster->parts[1].name = copy("other");
	cluster->parts[1].nodes[1] = 1;
}

#define SETTINGS "libra_policy=libra,libra_partitions=main"

/* 600 s of work by 2000 s, promised at 800 s (share .5); at 900 s half of it
 * was left on a:0-1, and it has the half of them: 250 s are left, and 1000 s
 * until the deadline.
 */
#define JOB7                                                                   \
	"libra:1 offer=5.1 tasks=1 procs=2 estimate=600 deadline=2000 "        \
	"submit=800 share=0.5 part=main shape=1.0.0.0 left=300/0.5/900 "       \
	"on=a:0-1"

static inline struct cli_request request(double estimate_s, double deadline_s,
					 uint32_t tasks)
{
	return (struct cli_request){
		.estimate_s = estimate_s,
		.deadline_s = deadline_s,
		.tasks = tasks,
		.cpus_per_task = 1,
	};
}

struct printed {
	char *text;
	size_t len;
	struct cli_output o;
};

/* Print into p->text, which the test frees after printed(). */
static inline struct cli_output *print_text(struct printed *p)
{
	p->o = (struct cli_output){.name = "libra test"};
	p->o.out = open_memstream(&p->text, &p->len);
	assert_non_null(p->o.out);
	return &p->o;
}

static inline struct cli_output *print_json(struct printed *p)
{
	print_text(p)->json = true;
	return &p->o;
}

static inline void printed(struct printed *p)
{
	const struct cli_cluster none = {0};

	assert_int_equal(cli_finish(&p->o, &none, CLI_DONE), CLI_DONE);
	fclose(p->o.out);
}

/* ---- the decision log ---- */

#define RUN                                                                    \
	"{\"call\":\"engine\",\"now_s\":700,\"epoch\":5,\"policy\":\"libra\"," \
	"\"params\":{},\"nodes\":[[\"a\",2],[\"c\",4]],\"offer_ttl_s\":60}\n"
#define OTHER                                                                  \
	"{\"call\":\"offer\",\"now_s\":750,\"submit_s\":750,"                  \
	"\"estimate_s\":100,\"deadline_s\":1150,\"nprocs\":1,\"user\":3,"      \
	"\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.25,"            \
	"\"ticket\":1,\"placement\":[[1,1]]}\n"
#define ITS                                                                    \
	"{\"call\":\"offer\",\"now_s\":800,\"submit_s\":800,"                  \
	"\"estimate_s\":600,\"deadline_s\":2000,\"nprocs\":2,\"user\":3,"      \
	"\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.5,"             \
	"\"ticket\":2,\"policy\":\"libra\",\"beside\":0.25,"                   \
	"\"placement\":[[0,2]]}\n"
#define CHANGED                                                                \
	"{\"call\":\"modify\",\"now_s\":850,\"ticket\":2,\"submit_s\":800,"    \
	"\"estimate_s\":700,\"deadline_s\":1850,\"nprocs\":2,\"user\":3,"      \
	"\"rc\":0,\"answer\":\"accept\",\"reason\":\"none\",\"share\":0.65,"   \
	"\"policy\":\"libra\",\"beside\":0.3}\n"
#define COMMIT                                                                 \
	"{\"call\":\"commit\",\"now_s\":801,\"ticket\":2,\"id\":7,\"rc\":0}\n"
#define STARTED "{\"call\":\"started\",\"now_s\":802,\"ticket\":2,\"rc\":0}\n"
#define DEPARTED                                                               \
	"{\"call\":\"departed\",\"now_s\":803,\"ticket\":%d,\"rc\":0}\n"
#define REFUSED                                                                \
	"{\"call\":\"offer\",\"now_s\":900,\"submit_s\":900,"                  \
	"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,\"user\":3,"        \
	"\"answer\":\"reject\",\"reason\":\"no_share\",\"share\":0,"           \
	"\"ticket\":0}\n"                                                      \
	"{\"call\":\"earliest\",\"now_s\":900,\"submit_s\":900,"               \
	"\"estimate_s\":90,\"deadline_s\":940,\"nprocs\":2,\"user\":3,"        \
	"\"earliest_s\":1020}\n"

/* A log in memory that counts what is read of it. */
struct counted {
	char *text;
	size_t size, at, read;
};

static inline ssize_t counted_read(void *cookie, char *data, size_t n)
{
	struct counted *c = cookie;

	n = n < c->size - c->at ? n : c->size - c->at;
	memcpy(data, c->text + c->at, n);
	c->at += n;
	c->read += n;
	return (ssize_t)n;
}

static inline int counted_seek(void *cookie, off64_t *at, int whence)
{
	struct counted *c = cookie;
	off64_t from = whence == SEEK_SET   ? 0
		       : whence == SEEK_CUR ? (off64_t)c->at
					    : (off64_t)c->size;

	c->at = (size_t)(from + *at);
	*at = (off64_t)c->at;
	return 0;
}

/* It is read from its beginning, and nothing has been read. */
static inline FILE *counted_open(struct counted *c)
{
	static const cookie_io_functions_t io = {.read = counted_read,
						 .seek = counted_seek};

	c->at = c->read = 0;
	return fopencookie(c, "r", io);
}

/* The lines of so many jobs that came, ran and went, after those of job 7. */
static inline void write_others(FILE *fp, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(fp,
			"{\"call\":\"offer\",\"now_s\":%d,\"submit_s\":%d,"
			"\"estimate_s\":100,\"deadline_s\":%d,\"nprocs\":1,"
			"\"user\":3,\"answer\":\"accept\",\"reason\":\"none\","
			"\"share\":0.25,\"ticket\":%d,\"policy\":\"libra\","
			"\"beside\":0,\"placement\":[[1,1]]}\n"
			"{\"call\":\"commit\",\"now_s\":%d,\"ticket\":%d,"
			"\"id\":%d,\"rc\":0}\n"
			"{\"call\":\"departed\",\"now_s\":%d,\"ticket\":%d,"
			"\"rc\":0}\n",
			900 + i, 900 + i, 1300 + i, 100 + i, 900 + i, 100 + i,
			100 + i, 901 + i, 100 + i);
}

#endif
