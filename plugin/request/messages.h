/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.h - all messages to the user about a request.
 *
 * A reply's text has one line for each message, and each line begins with
 * "libra: ".  The functions change only the reply.  If memory runs out, a line
 * is missing.  Each function that returns int rejects a request: it sets the
 * answer LIBRA_HOST_UNACCEPTABLE, adds one line with the reason that the
 * function's comment states, and returns 0.
 *
 * Callers: plugin/host and plugin/request, under the host's lock.
 * host_reply_fini() and host_reply_log() are called without it, too.
 */
#ifndef LIBRA_REQUEST_MESSAGES_H
#define LIBRA_REQUEST_MESSAGES_H

#include <math.h>
#include <stdbool.h>

#include "plugin/base/types.h"

#define HOST_ALL_NODES                                                         \
	"--constraint may name what all nodes of the partition have, joined "  \
	"by & or by |, as a promise is for any of them: leave out the rest"

/* For a job without a deadline. */
#define HOST_ONE_USER                                                           \
	"in this partition no job keeps others from its nodes, as they may be " \
	"promised to them: leave out --exclusive=user, --exclusive=mcs and "    \
	"--exclusive=topo, or give --exclusive"
/* For an ordinary job that gets a deadline, or comes with one. */
#define HOST_LATE_DEADLINE                                                     \
	"a deadline is promised at submission only, and Slurm would cancel "   \
	"the job at this one: cancel the job and submit it again with "        \
	"--deadline"
/* For a promised job that waits. */
#define HOST_LATE_BLOCK                                                        \
	"a promised job cannot get a later start or a dependency: cancel it "  \
	"and submit it again with --begin or --dependency"
#define HOST_EXPAND                                                            \
	"no job gives its nodes to another where starts are planned: leave "   \
	"out --dependency=expand"
#define HOST_SPREAD                                                            \
	"--spread-job cannot be promised, as the start alone tells how many "  \
	"nodes have room: give --nodes=N and --ntasks-per-node=M"
#define HOST_GRES_SOCKET                                                       \
	"--gpus-per-socket cannot be promised, as a promise is of cores on "   \
	"any socket: give --gpus-per-node=N, or --exclusive"
#define HOST_GRES_NEAR                                                         \
	"--gres-flags=enforce-binding cannot be promised, as a promise is of " \
	"cores near or far: leave it out, or give --exclusive"
#define HOST_GRES_TASKS                                                        \
	"GPUs, and CPUs with them, are counted for each node or each task: "   \
	"give each node as many tasks (--ntasks a multiple of --nodes), and "  \
	"--gpus-per-task only with --ntasks"
#define HOST_GRES_UNEVEN                                                       \
	"where GPUs are near certain cores Slurm may never give them to "      \
	"tasks that nodes have unequal numbers of: give --ntasks that equal "  \
	"nodes have with --ntasks-per-node, or --nodes=N and "                 \
	"--gpus-per-node=M"
#define HOST_NO_WHOLE_GPUS                                                     \
	"a promise counts no GPUs of the nodes that it may be on: they have "  \
	"none, or give them out in parts, too (shard, mps): give other nodes " \
	"or another --partition, or leave --deadline out"

/* If the policy promises processors only. */
#define HOST_NO_GRES                                                           \
	"--gres and --gpus cannot have a deadline yet, as a promise is for "   \
	"processors: leave the deadline out, or what is no processor"

/* After a refusal; %u is the number of nodes. */
#define HOST_NO_MEMORY                                                         \
	"libra: on %u nodes too little memory is free for it: ask for less "   \
	"with --mem or --mem-per-cpu, or wait until a job ends"

/* Reasons why a promise is given only in the queue. */
#define HOST_YOU_LEAVE                                                         \
	"several of your submissions were accepted and did not become jobs: "  \
	"for two minutes each is promised something only when it is in the "   \
	"queue"

#define HOST_OTHERS_LEAVE                                                      \
	"many submissions were accepted and did not become jobs: for two "     \
	"minutes the first job of a user is promised something only when it "  \
	"is in the queue"

/* A limit of the account or QOS ends the job before its deadline or, if
 * planned, before its --time.
 */
int host_over_limit(struct libra_host_reply *reply, double limit_s,
		    bool planned);

/* MaxTime of the partition ends the job before its deadline or, if planned,
 * before its --time.
 */
int host_over_max_time(struct libra_host_reply *reply, const char *partition,
		       uint32_t max_minutes, bool planned);

/* A limit of the account or QOS, limit_name, has no headroom for the job. */
int host_no_room(struct libra_host_reply *reply,
		 const struct libra_host_limits *limits);

/* Slurm would reject the account or the QOS; NULL = the user's default. */
int host_no_account(struct libra_host_reply *reply, const char *account,
		    const char *qos);

/* The cluster lacks the licences of a request, or has too few. */
int host_no_license(struct libra_host_reply *reply, const char *licenses);

/* No node that promises are given for has such generic resources. */
int host_no_gres(struct libra_host_reply *reply, const char *gres);

/* The options for GPUs that a request has do not go together. */
int host_mixed_gres(struct libra_host_reply *reply,
		    const struct libra_host_request *request);

/* A node of whole nodes has too little for each of its GPUs, all of which Slurm
 * gives to the job.
 */
struct host_per_gpu {
	const char *option;   /* "--cpus-per-gpu" or "--mem-per-gpu" */
	const char *standard; /* DefCpuPerGPU, if that was not given; or NULL */
	const char *instead;  /* option that replaces the standard */
	uint64_t each, has;   /* CPUs or MB: for each GPU; of the node */
	const char *node;
	uint64_t gpus;	/* of the node */
	bool exclusive; /* without --exclusive the job gets its own GPUs only */
};
int host_few_per_gpu(struct libra_host_reply *reply,
		     const struct host_per_gpu *few);

/* The text of an option that names nodes is not understood. */
int host_odd_nodes(struct libra_host_reply *reply,
		   const struct libra_host_nodes *asked, const char *option);

/* No node meets what a request says of nodes. */
int host_no_nodes(struct libra_host_reply *reply,
		  const struct libra_host_request *request);

/* A job would end late_s seconds after its deadline, even if it starts now, or
 * at the start that the option begin ("--begin", "StartTime") gives; NULL: no
 * such option.
 */
int host_late_end(struct libra_host_reply *reply, const char *begin,
		  double late_s);

/* An option of a request, or a property in a change, names certain nodes, cores
 * or sharing.  planned: the policy plans starts.
 */
int host_pinned(struct libra_host_reply *reply, const char *option,
		bool planned);

/* The deadline is not after now_s. */
int host_in_past(struct libra_host_reply *reply, double deadline_s,
		 double now_s);

/* The partition has a setting that makes promises impossible. */
int host_no_promises(struct libra_host_reply *reply, const char *partition,
		     const char *setting);

/* A rule of a partition or QOS would never let the job start. */
int host_denied(struct libra_host_reply *reply,
		const struct libra_host_denial *denial);

/* The request has an option that promises do not count.  what: the option and
 * the remedy.
 */
int host_uncounted(struct libra_host_reply *reply, const char *what);

/* An option is longer than longest characters. */
int host_too_long(struct libra_host_reply *reply, const char *option,
		  uint32_t longest);

/* Add a line for the user. */
void host_reply_text(struct libra_host_reply *reply, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Free the texts of a reply, also its record's; its answer stays valid. */
void host_reply_fini(struct libra_host_reply *reply);

/* The reason is this text. */
int host_unacceptable(struct libra_host_reply *reply, const char *text);

/* Add a line with the deadline that a setting gave a job. */
void host_deadline_by(struct libra_host_reply *reply, double deadline_s,
		      const char *setting, double now_s);

/* Set the answer LIBRA_HOST_REFUSED, and add lines with the policy's reason.
 * in_turn: the job needs whole processors, not a share of each.  what: a
 * processor's name ("node").  nfree: the processors that are free now;
 * UINT32_MAX: leave them out.
 */
void host_refuse(struct libra_host_reply *reply, const struct libra_job *job,
		 enum libra_reason reason, bool in_turn, const char *what,
		 uint32_t nfree, double now_s);

/* Refuse to change a running job: because its size would change (resized), or
 * for reply->reason.
 */
void host_refuse_change(struct libra_host_reply *reply, bool resized);

/* Refuse a job whose deadline is nearer than its estimate and the boot of a
 * node, wait_s.
 */
void host_refuse_boots(struct libra_host_reply *reply, double wait_s,
		       double estimate_s);

/* Advice: a deadline that would be accepted. */
struct host_advice {
	double earliest_s; /* instant; INFINITY = none, NAN = not found in time
			    */
	double try_s; /* seconds from now, whole minutes; INFINITY = none */
	bool bound;   /* a nearer deadline may be accepted, too */
	bool endless; /* a job or a reservation without an end is in the way */
	uint32_t nodes, closed; /* that the job may be on; down or drained */
};

/* Return true if no deadline nearer than try_s by 1 % (at least 60 s) would be
 * accepted.
 */
static inline bool host_advice_is_near(const struct host_advice *advice,
				       double now_s)
{
	return now_s + advice->try_s - fmax(60, advice->try_s / 100) <
	       advice->earliest_s;
}

/* Add a line to a refusal: the number of processors of the machine; or the
 * deadline that would be accepted for all tasks.
 */
void host_reply_size(struct libra_host_reply *reply, uint32_t nprocs);
void host_reply_advice(struct libra_host_reply *reply,
		       const struct host_advice *advice, uint32_t tasks,
		       double now_s);

/* Report the acceptance of a job, or of each task, on processors of its own.
 * The planned start, an instant, may move until latest_s.  late_s above 0: only
 * the start is promised.
 */
void host_accept_plan(struct libra_host_reply *reply,
		      const struct libra_job *job, double late_s,
		      double start_s, double latest_s, bool whole_nodes,
		      uint32_t tasks, double now_s);

/* Report that a refused job joins Slurm's queue without a promise. */
void host_accept_ordinary(struct libra_host_reply *reply);

/* Report the acceptance of a job, or of each task, with the promise of the
 * verdict; or without a guarantee if verdict->late_s is positive.
 */
void host_accept(struct libra_host_reply *reply, const struct libra_job *job,
		 const struct libra_verdict *verdict, bool in_turn,
		 uint32_t tasks, double now_s);

/* Write each line of a reply to slurmctld's log, with the user's id.  Writes a
 * file, so call this function without the host's lock.
 */
void host_reply_log(const struct libra_host_ops *ops, uint32_t user,
		    const struct libra_host_reply *reply);

#endif
