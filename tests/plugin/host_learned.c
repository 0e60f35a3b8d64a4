/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_learned.c - what a policy's reserve has learned is kept over restarts.
 *
 * Four nodes of two processors in one partition, a state folder, and a clock of
 * our own.  Speaks TAP.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/plugin/machine.h"

enum { NODES = 4, PROCS = 2 };

static double now_s = 1e9;
static char *said; /* the last error */
static int nsaid;
static char dir[] = "/tmp/host_learned.XXXXXX";
static char file[64], log_file[64];
static struct libra_host *host;

static void log_line(enum libra_host_level level, const char *text)
{
	if (level != LIBRA_HOST_ERROR || !strstr(text, "libra_learned"))
		return;
	free(said);
	said = strdup(text);
	nsaid++;
}

static double clock_s(void)
{
	return now_s;
}

static const struct libra_host_ops ops = {.log = log_line, .now_s = clock_s};

static int set_cluster(const char *tokens, bool whole)
{
	char params[256];
	const struct machine m = {.params = params,
				  .nnodes = NODES,
				  .nprocs = PROCS,
				  .whole_nodes = whole,
				  .state_folder = dir};

	snprintf(params, sizeof(params), "%s,libra_log=%s", tokens, log_file);
	return machine_make(host, &m);
}

static void begin(const char *tokens, bool whole)
{
	libra_host_init(host, &ops);
	unlink(log_file);
	set_cluster(tokens, whole);
}

/* A job is offered; nobody comes for it. */
static void offer(void)
{
	struct libra_host_request r = {
		.times.estimate_s = 600,
		.times.limit_s = 600,
		.times.deadline_s = now_s + 3600,
		.size.ncpus = 1,
		.size.cpus_per_task = 1,
	};
	struct libra_host_reply reply;

	libra_host_submit(host, &r, &reply);
	libra_host_reply_fini(&reply);
}

static char *read_text(const char *path)
{
	FILE *fp = fopen(path, "r");
	char *text = NULL;
	size_t cap = 0;

	if (fp && getdelim(&text, &cap, '\0', fp) < 0) {
		free(text);
		text = NULL;
	}
	if (fp)
		fclose(fp);
	return text;
}

static bool has(const char *path, const char *what)
{
	char *text = read_text(path);
	bool found = text && strstr(text, what);

	free(text);
	return found;
}

static void write_text(const char *path, const char *text)
{
	FILE *fp = fopen(path, "w");

	if (!fp)
		exit(1);
	fputs(text, fp);
	fclose(fp);
}

/* The numbers of the file, behind a word, are those that the log says were
 * learned again.
 */
static bool relearned(const char *behind)
{
	char *text = read_text(file), *at, *values = NULL;
	bool found;

	at = text ? strstr(text, behind) : NULL;
	if (at) {
		values = strdup(at + strlen(behind));
		for (char *c = values; *c; c++)
			*c = *c == ' ' ? ',' : *c == '\n' ? ']' : *c;
	}
	found = values && strlen(values) > 20 && has(log_file, values);
	free(text);
	free(values);
	return found;
}

static void test_kept(const char *policy, bool whole)
{
	char tokens[64], line[64];
	const char *kind = whole ? "node " : "core ";
	struct stat st;

	snprintf(tokens, sizeof(tokens), "libra_policy=%s", policy);
	snprintf(line, sizeof(line), "libra_learned 1 %s %s", policy, kind);
	printf("# %s\n", policy);
	begin(tokens, whole);
	ok(!has(log_file, "relearn"), "at first there is nothing to learn");
	for (int i = 0; i < 30; i++) {
		now_s += 10;
		offer();
	}
	ok(has(file, line), "the averages are saved once a minute");
	libra_host_fini(host);
	ok(stat(file, &st) == 0 && (st.st_mode & 0777) == 0600,
	   "and at the end, for slurmctld alone");
	now_s += 100;
	begin(tokens, whole);
	ok(has(log_file, "{\"call\":\"relearn\"") && relearned(kind),
	   "a new run learns them again, and logs what");
	ok(nsaid == 0, "nothing is amiss");
	libra_host_fini(host);
}

static void test_of_others(void)
{
	begin("libra_policy=band", true);
	ok(!has(log_file, "relearn"), "another policy does not take them");
	libra_host_fini(host);
	begin("libra_policy=planned", false);
	ok(!has(log_file, "relearn"), "nor one of cores those of nodes");
	set_cluster("libra_policy=planned", true);
	ok(has(log_file, "relearn"), "what nobody wrote over is still there");
	libra_host_fini(host);
	ok(nsaid == 0, "none of that is an error");
}

static void damage(const char *text, const char *name)
{
	char bad[80];

	snprintf(bad, sizeof(bad), "%s.bad", file);
	unlink(bad);
	write_text(file, text);
	nsaid = 0;
	begin("libra_policy=planned", true);
	ok(nsaid == 2 && access(bad, F_OK) == 0 && access(file, F_OK) != 0 &&
		   !has(log_file, "\"rc\":0}"),
	   name);
	libra_host_fini(host);
	unlink(bad);
}

static void test_damaged(void)
{
	damage("", "an empty file is put aside");
	damage("libra_learned 2 planned node 1 2\n", "and one of a later day");
	damage("libra_learned 1 planned node 1 two\n", "and what is no number");
	damage("libra_learned 1 planned node 1 2 3", "and half a line");
	damage("libra_learned 1 planned node 1 2 3\n",
	       "and too few numbers, by the policy's own word");
	damage("libra_learned 1 planned node nan 2 3 4 5 6 7 8 9\n",
	       "and what it cannot have learned");
}

static void test_unwritable(void)
{
	nsaid = 0;
	unlink(file);
	if (mkdir(file, 0700) < 0)
		exit(1);
	begin("libra_policy=planned", true);
	ok(nsaid >= 1, "a folder of that name is no file");
	nsaid = 0;
	rmdir(file);
	rmdir("libra_learned.bad");
	if (mkdir(file, 0700) < 0)
		exit(1);
	for (int i = 0; i < 30; i++) {
		now_s += 10;
		offer();
	}
	ok(nsaid == 1 && strstr(said, "cannot be written"),
	   "what cannot be written is said once");
	libra_host_fini(host);
	rmdir(file);
}

int main(void)
{
	char rm[64];

	host = libra_host_create();
	if (!host || !mkdtemp(dir))
		return 1;
	snprintf(file, sizeof(file), "%s/libra_learned", dir);
	snprintf(log_file, sizeof(log_file), "%s/log.jsonl", dir);
	test_kept("demand", false);
	test_kept("band", false);
	test_kept("planned", true); /* the last, which the next ones find */
	test_of_others();
	test_damaged();
	test_unwritable();
	libra_host_destroy(host);
	free(said);
	snprintf(rm, sizeof(rm), "rm -rf %s", dir);
	return system(rm) == 0 ? finish() : 1;
}
