/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy.h - the policies, as const tables.
 *
 * A policy is a row: what it is called, how it uses processors, which
 * parameters it has, and the functions by which the engine asks it.  Nothing
 * else in the project asks which policy it is: what differs stands here.
 * Variants share functions and differ in their traits.
 */
#ifndef LIBRA_POLICY_H
#define LIBRA_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/param.h"

struct libra_engine;
struct libra_verdict;

/* How jobs use processors. */
enum libra_mode {
	LIBRA_SPACE = 1, /* one job on a processor at a time; jobs may queue */
	LIBRA_SHARE,	 /* several; each gets a share of the processor's time */
};

/* What a policy's host calls, in the terms of engine.h; job is the index of
 * the engine's slot.  The engine has checked the arguments; only offer and
 * init may fail, and then nothing has changed.
 */
struct libra_policy_ops {
	int (*init)(struct libra_engine *e, struct libra_error *err);
	void (*fini)(struct libra_engine *e);
	int (*offer)(struct libra_engine *e, uint32_t job,
		     struct libra_verdict *verdict);
	void (*withdraw)(struct libra_engine *e, uint32_t job);
	void (*started)(struct libra_engine *e, uint32_t job);
	void (*departed)(struct libra_engine *e, uint32_t job);
	void (*schedule)(struct libra_engine *e);
	double (*earliest_deadline)(struct libra_engine *e,
				    const struct libra_job *job);
};

struct libra_policy_type {
	const char *name;
	const char *summary; /* one line */
	const char *source;  /* paper and section */
	enum libra_mode mode;
	bool needs_deadline; /* refuses a job that has none */
	const struct libra_param *params;
	size_t nparams;
	const struct libra_policy_ops *ops;
	const void *traits; /* for ops only */
	size_t state_size;  /* bytes of the ops' own state per engine */
};

/* All policies, in the order they are listed to users; ends with NULL. */
extern const struct libra_policy_type *const libra_policies[];

/* Result: the policy, or NULL with ENOENT and the nearest name in err. */
const struct libra_policy_type *libra_policy_find(const char *name,
						  struct libra_error *err);

/* The printable name of a mode: "space", "share". */
const char *libra_mode_name(enum libra_mode mode);

#endif
