/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_gpu_limits.c - how many GPUs limits of accounts are asked for, of a
 * submission and of a change.  Speaks TAP.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/plugin/plans.h"

/* An account may have so many GPUs. */
static uint64_t most = UINT64_MAX;
static uint64_t asked_gpus, asked_node_gpus;

static void rules(const struct libra_host_request *r,
		  struct libra_host_rules *out)
{
	asked_gpus = r->gpu.all;
	asked_node_gpus = r->gpu.per_node;
	*out = (struct libra_host_rules){
		.limits.limit_s = INFINITY,
		.limits.room = r->gpu.all > most ? 0 : INFINITY,
		.limits.limit_name = r->gpu.all > most ? "GrpTRES" : NULL,
	};
	if (r->gpu.per_node && most != UINT64_MAX)
		out->max_nodes = (uint32_t)(most / r->gpu.per_node);
}

/* Slurm's record is just what we see of it. */
static struct libra_host_job view(const void *record)
{
	return *(const struct libra_host_job *)record;
}

static enum libra_host_right right(const void *record, uint32_t user)
{
	return LIBRA_RIGHT_OWNER;
}

static void begin_limited(void)
{
	static struct libra_host_ops limited;

	limited = ops;
	limited.rules = rules;
	limited.view = view;
	limited.right = right;
	libra_host_fini(host);
	libra_host_init(host, &limited);
	for (int i = 0; i < NODES; i++)
		nodes[i] = LIBRA_NODE_UP;
	set_cluster("", false);
}

static bool asks(uint64_t gpus, uint64_t node_gpus)
{
	return asked_gpus == gpus && asked_node_gpus == node_gpus;
}

static void test_submissions(void)
{
	static const char *const huge[] = {
		"gres:gpu:18446744073709551615",
		"gres:gpu:18446744073709551615,gres:gpu:a100:1",
		"gres:gpu:18014398509481984k",
	};
	struct libra_host_request r;

	begin_limited();
	r = asking(10, 3600, 2);

	r.gpu.any = true;
	r.gres.node = "gres:gpu:a100:1";
	ask(1, &r);
	ok(asks(2, 1), "so many of each node");
	r.gres.node = NULL;
	r.gres.job = "gres:gpu:3";
	ask(1, &r);
	ok(asks(3, 0), "so many in all, whatever the nodes");
	r.gres.job = NULL;
	r.gres.task = "gres:gpu:2";
	r.size.ntasks = r.size.ncpus = 4;
	ask(1, &r);
	ok(asks(8, 0), "so many of each task");
	r.gres.task = NULL;
	r.gres.socket = "gres:gpu:1";
	r.gres.sockets = 2;
	ask(1, &r);
	ok(asks(4, 2), "so many of each socket");
	r.gres.socket = NULL;
	r.gpu.per_task = 2;
	ask(1, &r);
	ok(asks(2, 0), "one for some tasks");
	r.gpu.per_task = 0;
	r.gpu.any = false;
	ask(1, &r);
	ok(asks(0, 0), "or none");
	r.gpu.any = true;
	for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
		r.gres.node = huge[i];
		ok(ask(1, &r) == LIBRA_HOST_UNACCEPTABLE &&
			   asked_node_gpus > UINT32_MAX &&
			   strstr(reply_text, "has the generic resources "),
		   "more than any node has is not counted as few");
	}
}

/* A waiting job with one GPU of each node is to have so many nodes. */
static enum libra_host_answer resize(uint32_t n)
{
	const struct libra_host_request r = {
		.times.estimate_s = NAN,
		.times.deadline_s = NAN,
		.size.min_nodes = n,
		.size.max_nodes = n,
		.change.size = true,
	};
	const struct libra_host_job seen = {
		.job_id = 1,
		.comment = records[1],
		.minutes = minutes[1],
		.size.ncpus = 1,
		.size.ntasks = 1,
		.size.cpus_per_task = 1,
		.size.min_nodes = 1,
		.gres.node = "gres:gpu:1",
	};
	enum libra_host_answer answer;
	struct libra_host_reply reply;

	libra_host_modify(host, &seen, 1000, &r, &reply);
	answer = reply.answer;
	free(reply_text);
	reply_text = strdup(reply.text ? reply.text : "");
	libra_host_reply_fini(&reply);
	return answer;
}

static void test_changes(void)
{
	struct libra_host_request r;

	begin_limited();
	r = asking(10, 3600, 1);
	r.gpu.any = true;
	r.gres.node = "gres:gpu:1";
	most = 1;
	ok(ask(1, &r) == LIBRA_HOST_ACCEPTED && asks(1, 1),
	   "a job has all GPUs that its account may have");
	place(1);
	ok(resize(2) == LIBRA_HOST_UNACCEPTABLE && asks(2, 1) &&
		   strstr(reply_text, "GrpTRES"),
	   "on more nodes it would have more, and is refused");
	most = 2;
	ok(resize(2) == LIBRA_HOST_ACCEPTED, "if these are too many");
}

int main(void)
{
	host = libra_host_create();
	if (!host)
		return 1;
	now_s = T0;
	test_submissions();
	test_changes();
	return finish_plans();
}
