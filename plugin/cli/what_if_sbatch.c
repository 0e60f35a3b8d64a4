/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * what_if_sbatch.c - libra what-if: sbatch --test-only asks slurmctld, whose
 * words are passed on.  No list of jobs is read: that takes longest.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/base/units.h"
#include "plugin/cli/args.h"
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

/* Start a command.  A plugin of sbatch may print, too, which must not get into
 * our own output.
 * Result: all that the child writes, or NULL with errno.
 */
static FILE *run(const struct command *c, pid_t *child)
{
	int fds[2];
	FILE *from;

	if (pipe(fds) < 0)
		return NULL;
	*child = fork();
	if (*child == 0) {
		dup2(fds[1], STDOUT_FILENO);
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

/* The words of sbatch. */
struct said {
	json_t *lines; /* for people: "would be accepted: ..." */
	bool accepted, bet, refused;
	bool spoke, wrong; /* libra did; and called it an error */
	char reason[32];
	double share, earliest_s, start_s; /* NAN = not told */
};

/* Read a line of libra's.
 * Result: whether it is the verdict.
 */
static bool read_verdict(struct said *said, double now_s, const char *text,
			 bool error)
{
	const char *share;
	bool verdict = true;

	if (strncmp(text, "accepted", 8) == 0) {
		said->accepted = true;
		said->bet = strncmp(text + 8, " as a bet", 9) == 0;
	} else if (sscanf(text, "refused (%31[a-z_])", said->reason) == 1) {
		said->refused = true;
	} else {
		verdict = false;
	}
	said->spoke = true;
	said->wrong = said->wrong || error;
	share = strstr(text, "share ");
	if (said->accepted && share && isnan(said->share))
		sscanf(share, "share %lf of", &said->share);
	said->earliest_s = cli_instant_after(
		text, "earliest deadline now: ", now_s, said->earliest_s);
	said->start_s =
		cli_instant_after(text, "planned start ", now_s, said->start_s);
	return verdict;
}

/* Slurm repeats a refusal in words of its own, and tells a start that is no
 * promise.
 */
static bool is_slurms(const struct said *said, const char *text)
{
	return (said->wrong && !said->accepted &&
		strncmp(text, "allocation failure", 18) == 0) ||
	       (said->spoke && strncmp(text, "Job ", 4) == 0);
}

static void read_line(struct said *said, double now_s, const char *text)
{
	const char *would = "";
	bool error;

	if (strncmp(text, "sbatch: ", 8) == 0)
		text += 8;
	error = strncmp(text, "error: ", 7) == 0;
	if (error)
		text += 7;
	if (is_slurms(said, text))
		return;
	if (strncmp(text, "libra: ", 7) == 0) {
		text += 7;
		if (read_verdict(said, now_s, text, error))
			would = "would be ";
	}
	if (*text)
		json_array_append_new(said->lines,
				      json_sprintf("%s%s", would, text));
}

static void read_lines(FILE *from, double now_s, struct said *said)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	*said = (struct said){.lines = json_array(),
			      .reason = "request",
			      .share = NAN,
			      .earliest_s = NAN,
			      .start_s = NAN};
	errno = 0;
	while ((n = getline(&line, &cap, from)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		read_line(said, now_s, line);
	}
	if (errno == ENOMEM)
		cli_no_memory();
	free(line);
}

static int status_of(const struct said *said, int status)
{
	bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	/* After an acceptance Slurm refuses, and the lines are errors, too. */
	if (said->refused || (said->wrong && !said->accepted))
		return CLI_REFUSED;
	if (done && said->accepted)
		return CLI_DONE;
	return done && !said->spoke ? CLI_NOT_MANAGED : CLI_FAILED;
}

/* Add what people read round the answer. */
static void complete(struct said *said, double now_s)
{
	char text[32];

	if (!said->accepted && !said->refused)
		json_array_insert_new(said->lines, 0,
				      json_string("would get no promise:"));
	libra_host_clock_text(floor(now_s), NAN, NAN, text);
	json_array_append_new(
		said->lines,
		json_sprintf("This is as of %s; nothing is reserved.", text));
}

/* Set what slurmctld counts where jobs have no planned starts.  Where they take
 * turns, each has whole processors.
 */
static void set_share(const struct cli_cluster *cluster,
		      const struct cli_request *r, const struct said *said,
		      bool accepted, json_t *json)
{
	double late_s = r->estimate_s - (r->deadline_s - cluster->now_s);
	bool in_turn = libra_host_conf_in_turn(&cluster->conf);

	json_object_set_new(json, "procs",
			    json_integer(cli_request_procs(cluster, r)));
	if (!accepted)
		return;
	json_object_set_new(json, "share",
			    isnan(said->share) && !in_turn
				    ? json_null()
				    : json_real(in_turn ? 1 : said->share));
	/* Only a job that starts now, alone, is accepted as a bet. */
	json_object_set_new(json, "late_s",
			    json_real(said->bet ? fmax(0, late_s) : 0));
}

static json_t *json_answer(const struct cli_cluster *cluster,
			   const struct cli_request *r, const struct said *said,
			   int rc)
{
	bool accepted = rc == CLI_DONE, refused = rc == CLI_REFUSED;
	json_t *json = cli_json_answer(cluster, r,
				       accepted	 ? "accept"
				       : refused ? "reject"
						 : "not_managed",
				       accepted	 ? "none"
				       : refused ? said->reason
						 : "not_managed");

	json_object_set_new(json, "bet", json_boolean(said->bet));
	if (!libra_host_conf_plans(&cluster->conf))
		set_share(cluster, r, said, accepted, json);
	cli_json_time(json, "earliest_deadline", said->earliest_s);
	cli_json_time(json, "planned_start", said->start_s);
	json_object_set(json, "text", said->lines);
	return json;
}

static void print_text(const struct said *said, FILE *out)
{
	for (size_t i = 0; i < json_array_size(said->lines); i++)
		fprintf(out, "%s\n",
			json_string_value(json_array_get(said->lines, i)));
}

/* A refusal of Slurm's own is an error, not an answer. */
static void add_errors(struct cli_output *o, const struct said *said)
{
	for (size_t i = 0; i < json_array_size(said->lines); i++)
		cli_error(o, json_string_value(json_array_get(said->lines, i)));
}

int cli_what_if_sbatch(const struct cli_cluster *cluster,
		       const struct cli_request *r, struct cli_output *o)
{
	struct command command;
	struct libra_error err = {""};
	struct said said;
	pid_t child = -1;
	FILE *from;
	int status = 0, rc;

	write_command(&command, r);
	from = run(&command, &child);
	if (!from) {
		libra_errf(&err, errno, "sbatch cannot be run: %s",
			   strerror(errno));
		return cli_fail(o, &err);
	}
	read_lines(from, cluster->now_s, &said);
	fclose(from);
	waitpid(child, &status, 0);
	rc = status_of(&said, status);
	if (rc != CLI_FAILED)
		complete(&said, cluster->now_s);
	if (!cli_for_programs(o))
		print_text(&said, o->out);
	else if (rc == CLI_FAILED)
		add_errors(o, &said);
	else
		cli_set_answer(o, json_answer(cluster, r, &said, rc));
	json_decref(said.lines);
	return rc;
}
