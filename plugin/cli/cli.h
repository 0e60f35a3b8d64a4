/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli.h - functions that the commands of libra share.
 *
 * A failure is one line on standard error; a refusal is an answer, on standard
 * output.  The command has one thread and no locks.  If memory is out, the
 * command ends (print.h).
 */
#ifndef LIBRA_CLI_CLI_H
#define LIBRA_CLI_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/cli/cluster.h"
#include "plugin/cli/offers.h"
#include "plugin/cli/print.h"

/* The exit status; libra(1) has them. */
enum {
	CLI_DONE = 0, /* what-if: would be accepted */
	CLI_FAILED = 1,
	CLI_USAGE = 2,	     /* the command line is wrong */
	CLI_REFUSED = 3,     /* what-if: the answer is no */
	CLI_NOT_MANAGED = 4, /* what-if: the partition has no promises */
	CLI_AWAY = 5,	     /* slurmctld does not answer */
};

/* errno if slurmctld did not answer. */
#define CLI_NO_ANSWER ENOTCONN

/* The request of "libra what-if". */
struct cli_request {
	double estimate_s;
	double deadline_s; /* instant */
	uint32_t tasks, cpus_per_task;
	bool tasks_given;	       /* false: tasks is 1 by default */
	uint32_t min_nodes, max_nodes; /* 0 = any */
	const char *partition;	       /* NULL = the default one */
};

/* The source of an answer: one of two rules, or else the policy. */
enum cli_answered {
	CLI_BY_POLICY,
	CLI_BY_MAX_TIME,   /* refused: MaxTime of the partition is too short */
	CLI_BY_NO_MANAGER, /* no promise: the partition is not managed */
};

struct cli_answer {
	enum cli_answered by;
	char why[256]; /* the rule's reason; empty if by is CLI_BY_POLICY */
};

/* Check a request by the rules, without slurmctld.  answer->by is the rule that
 * answers the request, or else CLI_BY_POLICY.
 * Result: 0, or -1 with errno and a text (the request is wrong).
 */
int cli_what_if_rules(const struct cli_cluster *cluster,
		      const struct cli_request *request,
		      struct cli_answer *answer, struct libra_error *err);

/* Ask slurmctld by sbatch --test-only, and print its answer, for people or
 * programs.
 * Result: exit status.
 */
int cli_what_if_sbatch(const struct cli_cluster *cluster,
		       const struct cli_request *request, struct cli_output *o);

/* Return the processors that slurmctld will count for a request: whole cores
 * for each task.
 */
uint32_t cli_request_procs(const struct cli_cluster *cluster,
			   const struct cli_request *request);

/* Check the libra_ tokens of a SchedulerParameters line, and print each wrong
 * token and the value that slurmctld would use instead.  Result: exit status.
 */
int cli_check_settings(const char *tokens, struct cli_output *o);

/* Read "2" or "2-4", as sbatch's --nodes.
 * Result: 0, or -1 with EINVAL.
 */
int cli_parse_nodes(const char *text, uint32_t *min, uint32_t *max);

struct cli_selection; /* selection.h */

/* Print the promises, for people or programs.  offers: one entry for each
 * group; NULL: not known.  selection NULL: all jobs.
 * Result: exit status.
 */
int cli_print_status(struct cli_cluster *cluster,
		     const struct cli_offers *offers,
		     const struct cli_selection *selection,
		     struct cli_output *o);

/* Return a new JSON object with the members that all answers to a request have.
 * reason: as in docs/libra-what-if.schema.json, "none" for an acceptance.
 * Owner:  the caller.
 */
json_t *cli_json_answer(const struct cli_cluster *cluster,
			const struct cli_request *request, const char *answer,
			const char *reason);

/* Set o->data to an answer.  Owner: o, from now on. */
void cli_set_answer(struct cli_output *o, json_t *answer);

/* Print the answer of a rule, for people or programs.  Result: exit status. */
int cli_print_answer(const struct cli_cluster *cluster,
		     const struct cli_request *request,
		     const struct cli_answer *answer, struct cli_output *o);

/* The lines of the decision log about a job. */
struct cli_history {
	json_t *offer;	 /* the line of its verdict; NULL = not found */
	json_t *changed; /* the line of its last change; NULL = none */
	json_t *events;	 /* array of {"what", "at_s"} */
	/* At the verdict, NAN = unknown: the sum of the others' shares on the
	 * fullest of the job's processors; the latest end by a gang policy.
	 */
	double beside, ends_s;
	const char *policy; /* that decided; NULL = unknown */
	json_t *run; /* the line "engine" before the verdict; NULL = unknown */
};

/* Find a job in a log: by its record, or by its id if job is NULL.
 * Result: 0, or -1 with errno of the system, or EINVAL (the log is damaged).
 * Owner:  the caller ends *history with cli_history_fini(), after an error as
 *         well.
 */
int cli_history_read(FILE *log, const struct cli_cluster *cluster,
		     const struct cli_job *job, uint32_t id,
		     struct cli_history *history, struct libra_error *err);
void cli_history_fini(struct cli_history *history);

/* Print what is known of a job, for people or programs.  job NULL: Slurm has no
 * such job.  history NULL: not known, because of no_history (a text).
 * Result: exit status.
 */
int cli_print_job(const struct cli_cluster *cluster, const struct cli_job *job,
		  uint32_t id, const struct cli_history *history,
		  const char *no_history, struct cli_output *o);

/* Print, as part of a sentence, how many processors were free at a verdict, and
 * the jobs after which the job was planned.  line: the verdict in the log.
 * Print nothing if the policy does not plan.  zone_s: as in
 * libra_host_clock_text().
 */
void cli_print_ahead(const json_t *line, double now_s, double zone_s,
		     FILE *out);

/* Return true if a waiting job with a broken promise still has processors, or a
 * planned start with which it ends late.  (A planned start in
 * time says nothing: the record keeps the last one after the reservation is
 * gone.)
 */
bool cli_is_planned_late(const struct libra_promise *promise);

/* Return by how many seconds a job with a broken promise will miss its
 * deadline, estimated now.  (The record has the estimate of the time when the
 * promise broke.)
 */
double cli_late_now_s(const struct cli_cluster *cluster,
		      const struct cli_job *job);

/* Print the last n refusals of a log, of one user or of all (UINT32_MAX).  For
 * programs a second call appends to o->rows.
 * Result: exit status; if it is CLI_FAILED, err is set.
 */
int cli_print_refusals(FILE *log, uint32_t user, uint32_t n, double now_s,
		       struct cli_output *o, struct libra_error *err);

/* Return the state of a promise as a constant text: "promised", "bet" (an
 * unguaranteed acceptance), "broken", "lost", "refused", or "none" (the job has
 * not asked yet).
 */
const char *cli_promise_state(const struct libra_promise *promise);

/* Return the planned starts of a job that waits, or of the waiting tasks of an
 * array, in order of time; the caller frees the list.
 */
json_t *cli_planned_starts(const struct cli_job *job);

#endif
