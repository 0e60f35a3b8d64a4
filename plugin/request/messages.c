/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * messages.c - see messages.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin/request/messages.h"
#include "plugin/base/ops.h"
#include "plugin/engine/gres.h"
#include "plugin/base/units.h"

void host_reply_text(struct libra_host_reply *reply, const char *fmt, ...)
{
	va_list ap;
	char *line = NULL, *both = NULL;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		line = NULL;
	va_end(ap);
	if (line && reply->text &&
	    asprintf(&both, "%s\n%s", reply->text, line) >= 0) {
		free(reply->text);
		free(line);
		reply->text = both;
	} else if (line && !reply->text) {
		reply->text = line;
	} else {
		free(line);
	}
}

void host_reply_fini(struct libra_host_reply *reply)
{
	free(reply->text);
	free(reply->record.comment);
	reply->text = NULL;
	reply->record.comment = NULL;
}

int host_over_limit(struct libra_host_reply *reply, double limit_s,
		    bool planned)
{
	char text[192], after[32];

	libra_host_duration_text(limit_s, after);
	snprintf(text, sizeof(text),
		 "limits of your account or QOS end this job after %s%s", after,
		 planned ? ": give a shorter --time"
			 : ", and a promised job may take until its deadline: "
			   "give one that is nearer");
	reply->account = true;
	return host_unacceptable(reply, text);
}

int host_over_max_time(struct libra_host_reply *reply, const char *partition,
		       uint32_t max_minutes, bool planned)
{
	char text[256], after[32];

	libra_host_duration_text(60.0 * max_minutes, after);
	snprintf(text, sizeof(text),
		 "MaxTime of partition %s ends this job after %s%s", partition,
		 after,
		 planned ? ": give a shorter --time, or another partition"
			 : ", and a promised job may take until its deadline: "
			   "give one that is nearer, or another partition");
	return host_unacceptable(reply, text);
}

int host_no_room(struct libra_host_reply *reply,
		 const struct libra_host_limits *limits)
{
	const char *name = limits->limit_name;
	const char *ask = strncmp(name, "Min", 3) == 0 ? "more" : "less";
	const char *is = *limits->value ? "=" : "";
	char text[320];

	if (limits->never)
		snprintf(text, sizeof(text),
			 "the limit %s%s%s of your account or QOS lets no such "
			 "job run: ask for %s, or name another with --account "
			 "or --qos",
			 name, is, limits->value, ask);
	else
		snprintf(text, sizeof(text),
			 "the limit %s%s%s of your account or QOS has no room "
			 "for it, counting jobs that run or are promised: wait "
			 "until some have ended, or leave --deadline out",
			 name, is, limits->value);
	reply->account = true;
	return host_unacceptable(reply, text);
}

int host_no_account(struct libra_host_reply *reply, const char *account,
		    const char *qos)
{
	char text[320];

	snprintf(text, sizeof(text),
		 "you may not submit under this account or QOS here (%s%.64s, "
		 "%s%.64s): name others with --account and --qos, or ask an "
		 "administrator for them",
		 account ? "--account=" : "your default account",
		 account ? account : "", qos ? "--qos=" : "its default QOS",
		 qos ? qos : "");
	reply->account = true;
	return host_unacceptable(reply, text);
}

int host_no_license(struct libra_host_reply *reply, const char *licenses)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "--licenses=%.100s names what this cluster has not, or more "
		 "of it: give what scontrol show licenses lists",
		 licenses ? licenses : "");
	return host_unacceptable(reply, text);
}

int host_no_gres(struct libra_host_reply *reply, const char *gres)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "no node that promises are given for has the generic "
		 "resources %.100s: give what scontrol show node lists as "
		 "Gres=",
		 gres);
	return host_unacceptable(reply, text);
}

int host_odd_nodes(struct libra_host_reply *reply,
		   const struct libra_host_nodes *asked, const char *option)
{
	const char *value = asked->constraint, *why;
	char text[320];

	why = "a promise counts features joined by & or by |, and nothing "
	      "else: leave the rest out";
	if (strcmp(option, "--constraint") != 0) {
		why = "it names nodes that do not exist, or too many: give "
		      "nodes that sinfo -N lists, or leave it out";
		value = strcmp(option, "--exclude") == 0 ? asked->exclude
							 : asked->list;
	}
	snprintf(text, sizeof(text), "%s=%.100s: %s", option, value, why);
	return host_unacceptable(reply, text);
}

/* Append an option as the user gives it. */
static void add_option(char *text, size_t size, const char *option,
		       const char *value)
{
	size_t len = strlen(text);

	if (value)
		snprintf(text + len, size - len, " %s=%.64s", option, value);
}

/* Append a list of generic resources as the user gives it. */
static void add_gres(char *text, size_t size, const char *option,
		     const char *list)
{
	struct host_gres gres;
	char value[64] = "";
	size_t n = 0;

	while (n < sizeof(value) && host_gres_next(&list, &gres))
		n += (size_t)snprintf(value + n, sizeof(value) - n, "%s%s:%llu",
				      n ? "," : "", gres.name,
				      (unsigned long long)gres.count);
	add_option(text, size, option, n ? value : NULL);
}

int host_mixed_gres(struct libra_host_reply *reply,
		    const struct libra_host_request *r)
{
	char options[640] = "", tasks[16], text[1024];

	add_gres(options, sizeof(options), "--gpus", r->gres.job);
	add_gres(options, sizeof(options), "--gres", r->gres.node);
	add_gres(options, sizeof(options), "--gpus-per-socket", r->gres.socket);
	add_gres(options, sizeof(options), "--gpus-per-task", r->gres.task);
	add_gres(options, sizeof(options), "--cpus-per-gpu", r->gres.cpus_per);
	add_gres(options, sizeof(options), "--mem-per-gpu", r->gres.mem_per);
	snprintf(tasks, sizeof(tasks), "%u", r->gpu.per_task);
	add_option(options, sizeof(options), "--ntasks-per-gpu",
		   r->gpu.per_task ? tasks : NULL);
	snprintf(tasks, sizeof(tasks), "%u", r->size.tasks_per_node);
	add_option(options, sizeof(options), "--ntasks-per-node",
		   r->gpu.per_task && r->size.tasks_per_node ? tasks : NULL);
	snprintf(text, sizeof(text),
		 "this cannot be promised:%s: with a deadline give one kind of "
		 "GPU in one way: --gpus=N, --gpus-per-node=N, --gres=NAME:N, "
		 "--gpus-per-socket=N or --gpus-per-task=N, the last with "
		 "--ntasks; --ntasks-per-gpu with the first three",
		 options);
	return host_unacceptable(reply, text);
}

int host_few_per_gpu(struct libra_host_reply *reply,
		     const struct host_per_gpu *few)
{
	bool mem = strcmp(few->option, "--mem-per-gpu") == 0;
	char text[512];

	snprintf(
		text, sizeof(text),
		"with whole nodes a job gets all GPUs of a node, and %s%s=%llu "
		"counts for each: node %s has %llu GPUs and %llu %s: give %s%s"
		"%s",
		few->standard ? "the cluster's " : "",
		few->standard ? few->standard : few->option,
		(unsigned long long)few->each, few->node,
		(unsigned long long)few->gpus, (unsigned long long)few->has,
		mem ? "MB" : "CPUs", few->standard ? "" : "less ",
		few->standard ? few->instead : few->option,
		few->exclusive ? ", or leave --exclusive out" : "");
	return host_unacceptable(reply, text);
}

int host_no_nodes(struct libra_host_reply *reply,
		  const struct libra_host_request *r)
{
	const struct libra_host_kind *near = &r->gpu.near_each;
	char options[400] = "", sockets[16], gpus[80], text[512];

	add_option(options, sizeof(options), "--nodelist", r->nodes.list);
	add_option(options, sizeof(options), "--exclude", r->nodes.exclude);
	add_option(options, sizeof(options), "--constraint",
		   r->nodes.constraint);
	snprintf(sockets, sizeof(sockets), "%u", r->gres.sockets);
	add_option(options, sizeof(options), "--sockets-per-node",
		   r->gres.socket && r->gres.sockets ? sockets : NULL);
	snprintf(gpus, sizeof(gpus), "%s%s%llu", near->type,
		 *near->type ? ":" : "", (unsigned long long)near->count);
	add_option(options, sizeof(options), "--gpus-per-socket",
		   r->gres.socket ? gpus : NULL);
	snprintf(text, sizeof(text),
		 "no node of the partition meets%s: leave out or change what "
		 "is too much, or give another --partition",
		 options);
	return host_unacceptable(reply, text);
}

int host_late_end(struct libra_host_reply *reply, const char *begin,
		  double late_s)
{
	bool update = begin && *begin != '-';
	char text[224], late[32];

	libra_host_duration_text(ceil(late_s), late);
	snprintf(text, sizeof(text),
		 "even if it started %s%s the job would end %s after its "
		 "deadline: give %s%s%sa shorter %s or a later %s",
		 begin ? "at its " : "now", begin ? begin : "", late,
		 begin ? "an earlier " : "", begin ? begin : "",
		 begin ? ", " : "", update ? "TimeLimit" : "--time",
		 update ? "Deadline" : "--deadline");
	return host_unacceptable(reply, text);
}

int host_pinned(struct libra_host_reply *reply, const char *option,
		bool planned)
{
	char text[192];

	snprintf(text, sizeof(text),
		 "%s cannot be promised, as a promise is %s: leave it out",
		 option,
		 planned ? "of cores, nodes, memory and GPUs only"
			 : "for any nodes of the partition");
	return host_unacceptable(reply, text);
}

int host_in_past(struct libra_host_reply *reply, double deadline_s,
		 double now_s)
{
	char text[LIBRA_PAST_TEXT];

	libra_host_past_text(deadline_s, now_s, text);
	return host_unacceptable(reply, text);
}

int host_no_promises(struct libra_host_reply *reply, const char *partition,
		     const char *setting)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "partition %s has %s: no promise can be given there, leave "
		 "--deadline out",
		 partition, setting);
	return host_unacceptable(reply, text);
}

int host_denied(struct libra_host_reply *reply,
		const struct libra_host_denial *denial)
{
	char text[512];

	snprintf(text, sizeof(text), "%s %s has %s=%s%s",
		 denial->of_qos ? "QOS" : "partition", denial->name,
		 denial->rule, denial->value, denial->advice);
	reply->denied = true;
	return host_unacceptable(reply, text);
}

int host_uncounted(struct libra_host_reply *reply, const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "a promise does not count %s", what);
	return host_unacceptable(reply, text);
}

int host_too_long(struct libra_host_reply *reply, const char *option,
		  uint32_t longest)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "%s is longer than the %u characters that are read: shorten "
		 "it",
		 option, longest);
	return host_unacceptable(reply, text);
}

int host_unacceptable(struct libra_host_reply *reply, const char *text)
{
	reply->answer = LIBRA_HOST_UNACCEPTABLE;
	host_reply_text(reply, "libra: %s", text);
	return 0;
}

/* Write an instant for programs, as libra-formats(5) has it. */
static void iso_text(double at_s, char text[32])
{
	time_t t = (time_t)ceil(at_s);
	struct tm tm;

	if (!localtime_r(&t, &tm) ||
	    strftime(text, 32, "%Y-%m-%dT%H:%M:%S%z", &tm) == 0)
		strcpy(text, "?");
}

void host_deadline_by(struct libra_host_reply *reply, double deadline_s,
		      const char *setting, double now_s)
{
	char at[32];

	libra_host_clock_text(deadline_s, now_s, NAN, at);
	host_reply_text(reply, "libra: the job names no --deadline: %s by %s",
			at, setting);
}

void host_refuse(struct libra_host_reply *reply, const struct libra_job *job,
		 enum libra_reason reason, bool in_turn, const char *what,
		 uint32_t nfree, double now_s)
{
	char asked[32], run[32], need[64] = "";

	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = reason;
	libra_host_clock_text(job->deadline_s, now_s, NAN, asked);
	libra_host_duration_text(job->estimate_s, run);
	if (!in_turn)
		snprintf(need, sizeof(need), " need%s a share of %.2f each",
			 job->nprocs == 1 ? "s" : "",
			 job->estimate_s / (job->deadline_s - now_s));
	else if (reason == LIBRA_REASON_WOULD_MISS && nfree < job->nprocs)
		snprintf(need, sizeof(need), ": %u %s free now", nfree,
			 nfree == 1 ? "is" : "are");
	host_reply_text(reply, "libra: refused (%s): %u %s%s for %s by %s%s",
			libra_reason_name(reason), job->nprocs, what,
			job->nprocs == 1 ? "" : "s", run, asked, need);
	if (reason == LIBRA_REASON_CROWDED)
		host_reply_text(
			reply,
			"libra: too few cores have fewer jobs than may share "
			"one (the partition's OverSubscribe=FORCE:n): wait "
			"until some end, or ask for less");
	if (reason == LIBRA_REASON_RESERVE)
		host_reply_text(
			reply,
			"libra: more is asked for than the machine has, and "
			"the rest of it is kept for smaller jobs "
			"(libra_machine_reserve): ask for a later deadline or "
			"fewer processors");
}

void host_refuse_change(struct libra_host_reply *reply, bool resized)
{
	reply->answer = LIBRA_HOST_REFUSED;
	if (resized) {
		reply->reason = LIBRA_REASON_NO_SHARE;
		host_reply_text(reply,
				"libra: a promised job cannot change its size "
				"while it runs: cancel it and submit it again");
		return;
	}
	host_reply_text(reply,
			"libra: refused (%s): %s: its old promise holds; a "
			"later Deadline or a shorter TimeLimit may do",
			libra_reason_name(reply->reason),
			reply->reason == LIBRA_REASON_WOULD_MISS
				? "this job, or one promised before it, would "
				  "be late"
				: "too much of its processors is promised to "
				  "other jobs");
}

void host_refuse_boots(struct libra_host_reply *reply, double wait_s,
		       double estimate_s)
{
	char boots[32];

	reply->answer = LIBRA_HOST_REFUSED;
	reply->reason = LIBRA_REASON_WOULD_MISS;
	libra_host_duration_text(wait_s, boots);
	host_reply_text(reply,
			"libra: refused (would_miss): nodes are powered down, "
			"and boot for up to %s: try "
			"--deadline=now+%.0fminutes",
			boots, ceil((estimate_s + wait_s) / 60) + 1);
}

void host_reply_size(struct libra_host_reply *reply, uint32_t nprocs)
{
	host_reply_text(reply,
			"libra: there are %u processors: ask for no more",
			nprocs);
}

/* Say why no deadline would be accepted, and what to wait for. */
static void reply_none(struct libra_host_reply *reply,
		       const struct host_advice *advice, const char *all)
{
	if (advice->closed > 0)
		host_reply_text(reply,
				"libra: no deadline would be accepted now%s: "
				"%u of %u node%s that it may be on %s down or "
				"drained: wait until sinfo lists more as idle, "
				"or ask for less",
				all, advice->closed, advice->nodes,
				advice->nodes == 1 ? "" : "s",
				advice->closed == 1 ? "is" : "are");
	else if (advice->endless)
		host_reply_text(reply,
				"libra: no deadline would be accepted now%s: "
				"jobs or reservations without an end have what "
				"it needs: wait until one is over, or ask for "
				"less",
				all);
	else
		host_reply_text(reply,
				"libra: no deadline would be accepted now%s: "
				"wait until a job ends, or ask for less",
				all);
}

void host_reply_advice(struct libra_host_reply *reply,
		       const struct host_advice *advice, uint32_t tasks,
		       double now_s)
{
	char best[32], all[48] = "";

	if (tasks > 1)
		snprintf(all, sizeof(all), " for all %u tasks", tasks);
	if (isnan(advice->earliest_s)) {
		host_reply_text(reply,
				"libra: which deadline would be accepted%s "
				"takes too long to find out: try a later one, "
				"or ask for less",
				all);
		return;
	}
	if (!isfinite(advice->earliest_s)) {
		reply_none(reply, advice, all);
		return;
	}
	iso_text(advice->earliest_s, best);
	host_reply_text(reply, "libra: earliest deadline now%s: %s%s", all,
			best, advice->bound ? " (a nearer one may do)" : "");
	if (!isfinite(advice->try_s))
		return;
	libra_host_clock_text(now_s + advice->try_s, now_s, NAN, best);
	host_reply_text(reply, "libra: try --deadline=now+%.0fminutes (%s)%s",
			advice->try_s / 60, best,
			advice->bound || host_advice_is_near(advice, now_s)
				? ""
				: " (a nearer one may do)");
}

/* A job that is not promised to finish in time. */
static void reply_bet(struct libra_host_reply *reply, double late_s)
{
	char late[32];

	libra_host_duration_text(ceil(late_s), late);
	host_reply_text(reply,
			"libra: no promise: by its estimate it ends %s after "
			"its deadline; it is in time only if it takes less",
			late);
}

void host_accept_plan(struct libra_host_reply *reply,
		      const struct libra_job *job, double late_s,
		      double start_s, double latest_s, bool whole_nodes,
		      uint32_t tasks, double now_s)
{
	const char *bet = late_s > 0 ? " as a bet" : "";
	/* The last instant of the line names its zone. */
	double zone_s = *bet ? NAN : job->deadline_s;
	bool moves = latest_s >= start_s + 1;
	char start[32], latest[32], each[32] = "", until[64] = "", by[64] = "";

	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->record.share = 1;
	if (tasks > 1)
		snprintf(each, sizeof(each), "%u tasks, each ", tasks);
	libra_host_clock_text(start_s, now_s, *bet && moves ? latest_s : zone_s,
			      start);
	libra_host_clock_text(latest_s, now_s, zone_s, latest);
	if (moves)
		snprintf(until, sizeof(until), " (%s at the latest)", latest);
	if (!*bet) {
		libra_host_clock_text(job->deadline_s, now_s, NAN, latest);
		snprintf(by, sizeof(by), ", finish promised by %s", latest);
	}
	host_reply_text(
		reply, "libra: accepted%s: %s%u %s%s, planned start %s%s%s",
		bet, each, job->nprocs, whole_nodes ? "node" : "processor",
		job->nprocs == 1 ? "" : "s", start, until, by);
	if (*bet)
		reply_bet(reply, late_s);
}

void host_accept_ordinary(struct libra_host_reply *reply)
{
	reply->answer = LIBRA_HOST_ORDINARY;
	host_reply_text(
		reply,
		"libra: the job joins the ordinary queue WITHOUT A PROMISE: "
		"its deadline is not looked at; scancel it if it is of no use "
		"then");
}

void host_accept(struct libra_host_reply *reply, const struct libra_job *job,
		 const struct libra_verdict *verdict, bool in_turn,
		 uint32_t tasks, double now_s)
{
	char text[32], each[32] = "", what[96];
	const char *s = job->nprocs == 1 ? "" : "s";

	reply->answer = LIBRA_HOST_ACCEPTED;
	reply->record.share = in_turn ? 1 : verdict->share;
	if (tasks > 1)
		snprintf(each, sizeof(each), "%u tasks, each ", tasks);
	if (in_turn)
		snprintf(what, sizeof(what),
			 "%u processor%s, in turn by deadline", job->nprocs, s);
	else
		snprintf(what, sizeof(what), "share %.2f of %u processor%s",
			 verdict->share, job->nprocs, s);
	if (!(verdict->late_s > 0)) {
		libra_host_clock_text(job->deadline_s, now_s, NAN, text);
		host_reply_text(reply,
				"libra: accepted: %s%s, finish expected by %s",
				each, what, text);
		return;
	}
	host_reply_text(reply, "libra: accepted as a bet: %s%s", each, what);
	reply_bet(reply, verdict->late_s);
}

void host_reply_log(const struct libra_host_ops *ops, uint32_t user,
		    const struct libra_host_reply *reply)
{
	static const char name[] = "libra: ";
	const char *line = reply->text;
	size_t len;

	for (; line && *line; line += len + (line[len] != '\0')) {
		len = strcspn(line, "\n");
		if (strncmp(line, name, strlen(name)) == 0) {
			line += strlen(name);
			len -= strlen(name);
		}
		host_log(ops, LIBRA_HOST_INFO, "user %u: %.*s", user, (int)len,
			 line);
	}
}
