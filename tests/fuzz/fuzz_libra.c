/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_libra.c - what the command libra reads: records of jobs, decision logs.
 *
 * The first lines of the input, up to an empty one, are the AdminComments of
 * jobs; what follows is a decision log.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/cli.h"
#include "sim/replay/replay.h"
#include "tests/fuzz/fuzz.h"

static void no_report(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

static char *copy(const char *text)
{
	char *s = strdup(text);

	FUZZ_CHECK(s);
	return s;
}

static void make_nodes(struct cli_cluster *c)
{
	static const char *const names[] = {"n1", "n2", "n3"};

	FUZZ_CHECK(libra_host_conf_list_init(&c->groups, "libra_policy=libra",
					     no_report, NULL) == 0);
	c->nodes = calloc(3, sizeof(*c->nodes));
	c->parts = calloc(1, sizeof(*c->parts));
	FUZZ_CHECK(c->nodes && c->parts);
	c->nnodes = 3;
	c->nparts = 1;
	for (uint32_t i = 0; i < 3; i++)
		c->nodes[i] = (struct cli_node){.name = copy(names[i]),
						.procs = 2 + i,
						.cpus = 2 + i,
						.state = LIBRA_NODE_UP};
	c->parts[0].name = copy("main");
	c->parts[0].is_default = true;
	c->parts[0].nodes = malloc(3);
	FUZZ_CHECK(c->parts[0].nodes);
	memset(c->parts[0].nodes, 1, 3);
}

static void add_job(struct cli_cluster *c, const char *comment)
{
	struct cli_job *more =
		realloc(c->jobs, (c->njobs + 1) * sizeof(*c->jobs));

	FUZZ_CHECK(more);
	c->jobs = more;
	c->jobs[c->njobs] = (struct cli_job){
		.id = c->njobs + 1,
		.array_id = c->njobs % 3 == 2 ? c->njobs + 1 : 0,
		.label = copy(c->njobs % 3 == 2 ? "3_[0-3]" : "3"),
		.user = copy("ada"),
		.state_name = copy("RUNNING"),
		.state = c->njobs % 2 ? CLI_JOB_WAITING : CLI_JOB_RUNNING,
		.tasks = c->njobs % 3 == 2 ? 4 : 1,
		.comment = copy(comment),
	};
	c->njobs++;
}

/* For people, for programs in columns, and as JSON. */
enum { OUTPUTS = 3 };

static struct cli_output output(int kind)
{
	return (struct cli_output){
		.out = fuzz_sink(),
		.name = "libra fuzz",
		.parsable = kind == 1,
		.json = kind == 2,
	};
}

static void print_status(struct cli_cluster *c, const struct cli_offers *offers)
{
	for (int kind = 0; kind < OUTPUTS; kind++) {
		struct cli_output o = output(kind);

		cli_print_status(c, offers, NULL, &o);
		cli_finish(&o, c, CLI_DONE);
	}
}

static void print_job(struct cli_cluster *c, const struct cli_job *job,
		      const struct cli_history *history)
{
	for (int kind = 0; kind < OUTPUTS; kind++) {
		struct cli_output o = output(kind);

		cli_print_job(c, job, 1, history, "none", &o);
		cli_finish(&o, c, CLI_DONE);
	}
}

static void print_refusals(struct cli_cluster *c, FILE *log)
{
	for (int kind = 0; kind < OUTPUTS; kind++) {
		struct cli_output o = output(kind);
		struct libra_error err = {0};

		rewind(log);
		cli_print_refusals(log, UINT32_MAX, 3, 1000, &o, &err);
		cli_finish(&o, c, CLI_DONE);
	}
}

static void read_log(struct cli_cluster *c, const char *log)
{
	const struct cli_job *job = c->njobs ? c->jobs : NULL;
	struct cli_history history;
	struct cli_offers offers;
	struct libra_error err = {0};
	FILE *fp = fuzz_open((const uint8_t *)log, strlen(log));

	if (cli_history_read(fp, c, job, 1, &history, &err) == 0)
		print_job(c, job, &history);
	cli_history_fini(&history);
	print_refusals(c, fp);
	rewind(fp);
	FUZZ_CHECK(cli_offers_read(fp, c, &offers) == 0 || *offers.why.text);
	print_status(c, &offers);
	cli_offers_fini(&offers);
	fclose(fp);
}

void fuzz_libra(const uint8_t *data, size_t size)
{
	struct cli_cluster c = {.now_s = 1000, .enabled = true};
	char *text = fuzz_text(data, size), *line = text, *end;

	make_nodes(&c);
	while (*line && *line != '\n' && c.njobs < 8) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		add_job(&c, line);
		line = end ? end + 1 : line + strlen(line);
	}
	cli_cluster_arrange(&c);
	print_status(&c, NULL);
	free(cli_cluster_shares(&c));
	read_log(&c, line);
	cli_cluster_fini(&c);
	free(text);
}

static void see(void *arg, const struct sim_replay_difference *d)
{
	(void)arg;
	FUZZ_CHECK(d->line > 0 && d->call && d->field);
}

static void see_gap(void *arg, const char *file, uint64_t line, const char *why)
{
	(void)arg;
	FUZZ_CHECK(file && line > 0 && why);
}

void fuzz_log(const uint8_t *data, size_t size)
{
	struct sim_replay *r = sim_replay_create(see, see_gap, NULL);
	struct libra_error err = {0};
	FILE *fp = fuzz_open(data, size);

	FUZZ_CHECK(r);
	if (sim_replay_file(r, fp, "log", &err) < 0)
		FUZZ_CHECK(*err.text);
	fclose(fp);
	sim_replay_destroy(r);
}
