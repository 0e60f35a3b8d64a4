/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if_planned.c - libra what-if where starts are planned: slurmctld alone
 * knows all jobs and what its reserve has learned, so sbatch --test-only asks
 * it for the user.  What it says to him is passed on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

enum { MOST_ARGS = 16, LINE = 64 };

struct command {
	char text[MOST_ARGS][LINE];
	char *argv[MOST_ARGS + 1];
	int n;
};

static void add(struct command *c, const char *option, uint32_t n)
{
	snprintf(c->text[c->n], LINE, "%s%u", option, n);
	c->argv[c->n] = c->text[c->n];
	c->n++;
}

static void add_text(struct command *c, char *text)
{
	c->argv[c->n++] = text;
}

static void write_command(struct command *c, const struct cli_request *r)
{
	time_t at = (time_t)r->deadline_s;
	struct tm tm;

	*c = (struct command){0};
	add_text(c, "sbatch");
	add_text(c, "--test-only");
	add(c, "--time=", (uint32_t)((r->estimate_s + 59) / 60));
	localtime_r(&at, &tm);
	strftime(c->text[c->n], LINE, "--deadline=%Y-%m-%dT%H:%M:%S", &tm);
	add_text(c, c->text[c->n]);
	if (r->tasks_given) /* else as many as there are nodes */
		add(c, "--ntasks=", r->tasks);
	add(c, "--cpus-per-task=", r->cpus_per_task);
	if (r->min_nodes) {
		add(c, "--nodes=", r->min_nodes);
		if (r->max_nodes)
			snprintf(c->text[c->n - 1], LINE, "--nodes=%u-%u",
				 r->min_nodes, r->max_nodes);
	}
	if (r->partition) {
		add_text(c, "--partition");
		add_text(c, (char *)r->partition);
	}
	add_text(c, "--wrap=true");
}

/* Result: what the child writes to its standard error, or NULL. */
static FILE *run(const struct command *c, pid_t *child)
{
	int fds[2];
	FILE *from;

	if (pipe(fds) < 0)
		return NULL;
	*child = fork();
	if (*child == 0) {
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		execvp(c->argv[0], c->argv);
		dprintf(STDERR_FILENO, "sbatch cannot be run: %s\n",
			strerror(errno));
		_exit(127);
	}
	close(fds[1]);
	from = *child > 0 ? fdopen(fds[0], "r") : NULL;
	if (!from)
		close(fds[0]);
	return from;
}

/* What it says, without the program's own name; *promised: it was accepted. */
static json_t *read_lines(FILE *from, bool *promised)
{
	json_t *lines = json_array();
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	errno = 0;
	while ((n = getline(&line, &cap, from)) > 0) {
		const char *text = line;

		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (strncmp(text, "sbatch: ", 8) == 0)
			text += 8;
		if (strncmp(text, "error: ", 7) == 0)
			text += 7;
		if (strncmp(text, "libra: accepted", 15) == 0)
			*promised = true;
		if (strncmp(text, "libra: ", 7) == 0)
			text += 7;
		if (*text)
			json_array_append_new(lines, json_string(text));
	}
	if (errno == ENOMEM)
		cli_no_memory();
	free(line);
	return lines;
}

int cli_what_if_planned(const struct cli_cluster *cluster,
			const struct cli_request *r, bool json, FILE *out)
{
	struct command command;
	pid_t child = -1;
	json_t *lines;
	FILE *from;
	int status = 0;
	bool good = false;

	write_command(&command, r);
	from = run(&command, &child);
	if (!from) {
		fprintf(stderr, "libra what-if: sbatch cannot be run: %s\n",
			strerror(errno));
		return CLI_FAILED;
	}
	lines = read_lines(from, &good);
	fclose(from);
	waitpid(child, &status, 0);
	good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (json) {
		cli_json_print(json_pack("{s:f, s:b, s:s, s:s, s:o}", "now_s",
					 cluster->now_s, "reserved", false,
					 "policy", cluster->conf.policy->name,
					 "answer", good ? "accept" : "reject",
					 "text", lines),
			       out);
		return good ? CLI_DONE : CLI_FAILED;
	}
	fputs(good ? "would be accepted:\n" : "would get no promise:\n", out);
	for (size_t i = 0; i < json_array_size(lines); i++)
		fprintf(out, "  %s\n",
			json_string_value(json_array_get(lines, i)));
	fputs("So slurmctld answers sbatch --test-only; nothing is reserved.\n",
	      out);
	json_decref(lines);
	return good ? CLI_DONE : CLI_FAILED;
}
