/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spank_fixture.h - a node of one test: its folders, and jobs on it.
 *
 * Version 2 is played by a folder with the files a kernel would have made.
 */
#ifndef LIBRA_TEST_SPANK_FIXTURE_H
#define LIBRA_TEST_SPANK_FIXTURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "plugin/spank/node.h"
#include "plugin/spank/record.h"
#include "tests/unit/test.h"

#define NOW 1000000.0

static inline double clock_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* A folder for one test, and what was reported. */
struct fixture {
	char dir[64];
	char top[96], state[96];
	char said[4096];
	struct spank_node_conf conf;
};

static inline void hear(void *arg, const char *text)
{
	struct fixture *f = arg;
	size_t len = strlen(f->said);

	snprintf(f->said + len, sizeof(f->said) - len, "%s\n", text);
}

static inline void put(const struct fixture *f, const char *path,
		       const char *text)
{
	char name[512];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	file = fopen(name, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static inline void folder(const struct fixture *f, const char *path)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	assert_true(mkdir(name, 0755) == 0 || errno == EEXIST);
}

static inline long get(const struct fixture *f, const char *path)
{
	char name[512];
	long value = -1;
	FILE *file;

	snprintf(name, sizeof(name), "%s/%s", f->dir, path);
	file = fopen(name, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

/* A group as version 2 has it. */
static inline void group(const struct fixture *f, const char *path,
			 double used_s)
{
	char name[256], text[64];

	snprintf(name, sizeof(name), "cg/%s", path);
	folder(f, name);
	snprintf(name, sizeof(name), "cg/%s/cpu.weight", path);
	put(f, name, "100");
	snprintf(name, sizeof(name), "cg/%s/cgroup.procs", path);
	put(f, name, "");
	snprintf(name, sizeof(name), "cg/%s/cpu.stat", path);
	snprintf(text, sizeof(text), "usage_usec %.0f\nuser_usec 1\n",
		 used_s * 1e6);
	put(f, name, text);
}

static inline int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	strcpy(f->dir, "/tmp/libra-shares-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->top, sizeof(f->top), "%s/cg", f->dir);
	snprintf(f->state, sizeof(f->state), "%s/state", f->dir);
	folder(f, "cg");
	put(f, "cg/cgroup.controllers", "cpuset cpu memory\n");
	put(f, "cg/cgroup.subtree_control", "cpu");
	group(f, "libra", 0);
	put(f, "cg/libra/cgroup.subtree_control", "cpu");
	group(f, "libra/n1", 0);
	put(f, "cg/libra/n1/cgroup.subtree_control", "cpu");
	f->conf = (struct spank_node_conf){
		.cgroup_top = f->top,
		.state = f->state,
		.name = "n1",
		.report = hear,
		.arg = f,
	};
	*state = f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", f->dir);
	assert_int_equal(system(command), 0);
	free(f);
	return 0;
}

static inline struct spank_job job(uint32_t id, double share, double estimate_s,
				   double deadline_s)
{
	return (struct spank_job){.id = id,
				  .user = 1000,
				  .share = share,
				  .estimate_s = estimate_s,
				  .deadline_s = deadline_s};
}

/* One job's start on the node, in a group that "the kernel" has made. */
static inline void start_on(struct fixture *f, struct spank_job j,
			    uint32_t ncpus, const char *cores, double used_s,
			    double at_s)
{
	char path[64];
	struct spank_node *node = spank_node_open(&f->conf, NULL);

	snprintf(path, sizeof(path), "libra/n1/job_%u", j.id);
	group(f, path, used_s);
	assert_non_null(node);
	spank_node_begin(node, &j, at_s);
	assert_int_equal(spank_node_enter(node, j.id, ncpus, cores, "0::/\n",
					  4711, at_s),
			 0);
	spank_node_close(node);
}

static inline void start(struct fixture *f, struct spank_job j, uint32_t ncpus,
			 double used_s, double at_s)
{
	start_on(f, j, ncpus, NULL, used_s, at_s);
}

/* A job with turns that has the cores of a list here. */
static inline struct spank_job turn(uint32_t id, double deadline_s,
				    const char *cores)
{
	struct spank_job j = job(id, 1, 10, deadline_s);

	j.turns = true;
	j.ncpus = spank_read_cores(cores, j.cores);
	return j;
}

static inline struct spank_change change(uint32_t id, uint32_t number,
					 double share, double estimate_s,
					 double deadline_s)
{
	return (struct spank_change){id, number, share, estimate_s, deadline_s};
}

#endif
