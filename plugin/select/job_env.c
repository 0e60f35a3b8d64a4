/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_env.c - see job_env.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"

#include "plugin/base/compat.h"
#include "plugin/select/job_env.h"
#include "plugin/base/text.h"

#pragma weak find_job_record
#pragma weak job_list

#define CHANGE	"LIBRA_CHANGE"
#define CHANGES "LIBRA_CHANGES"

/* A variable of the environment is at most 128 KiB long for the kernel. */
enum { LONGEST = 100000 };

/* Jobs that run, or did lately, and whose promises were changed meanwhile. */
static struct {
	uint32_t *ids;
	size_t n, cap;
	bool forgot; /* memory was out for a job */
} changed;

/* --- the SPANK environment of a job --------------------------------------- */

static char **find(const job_record_t *job, const char *name)
{
	size_t len = strlen(name);

	for (uint32_t i = 0; i < job->spank_job_env_size; i++) {
		char *line = job->spank_job_env[i];

		if (line && strncmp(line, name, len) == 0 && line[len] == '=')
			return &job->spank_job_env[i];
	}
	return NULL;
}

/* Return the number in a variable; NAN if it is not set. */
static double get(const job_record_t *job, const char *name)
{
	char **at = find(job, name);

	return at ? strtod(*at + strlen(name) + 1, NULL) : NAN;
}

double libra_job_env_estimate(const struct job_record *job)
{
	return get(job, "LIBRA_ESTIMATE");
}

/* Return true if a variable has the value already, as most have. */
static bool says(const char *line, const char *name, const char *value)
{
	return line && strcmp(line + strlen(name) + 1, value) == 0;
}

static void set(job_record_t *job, const char *name, const char *value)
{
	char **at = find(job, name);
	uint32_t n = job->spank_job_env_size;

	if (at && says(*at, name, value))
		return;
	if (!at) {
		xrecalloc(job->spank_job_env, n + 2, sizeof(char *));
		job->spank_job_env_size = n + 1;
		at = &job->spank_job_env[n];
	}
	xfree(*at);
	*at = xstrdup_printf("%s=%s", name, value);
}

static void set_number(job_record_t *job, const char *name, double value)
{
	char text[HOST_NUMBER];

	host_print_number(text, value);
	set(job, name, text);
}

static void drop(job_record_t *job, const char *name)
{
	char **at = find(job, name);

	if (!at)
		return;
	xfree(*at);
	*at = job->spank_job_env[--job->spank_job_env_size];
	job->spank_job_env[job->spank_job_env_size] = NULL;
}

/* --- what was changed ----------------------------------------------------- */

static void remember(uint32_t id)
{
	size_t cap = changed.cap ? 2 * changed.cap : 64;
	uint32_t *more;

	for (size_t i = 0; i < changed.n; i++)
		if (changed.ids[i] == id)
			return;
	if (changed.n == changed.cap) {
		more = realloc(changed.ids, cap * sizeof(*more));
		/* The nodes keep the former promise until there is memory. */
		if (!more) {
			changed.forgot = true;
			return;
		}
		changed.ids = more;
		changed.cap = cap;
	}
	changed.ids[changed.n++] = id;
}

/* Restored numbers are rounded: that is no change. */
static bool differ(double a, double b, double tolerance)
{
	return !(fabs(a - b) <= tolerance);
}

static bool news(const job_record_t *job, const struct libra_host_record *r)
{
	double share = get(job, "LIBRA_SHARE");

	if (isnan(share))
		return false; /* the job began without a promise */
	if (share == 0 || r->share == 0)
		return differ(share, r->share, 0);
	return differ(share, r->share, 1e-4 * share) ||
	       differ(get(job, "LIBRA_ESTIMATE"), r->estimate_s, 1e-3) ||
	       differ(get(job, "LIBRA_DEADLINE"), r->deadline_s, 1e-3);
}

void libra_job_env_set(struct job_record *job,
		       const struct libra_host_record *record)
{
	double n = get(job, CHANGE);

	if (!IS_JOB_PENDING(job)) {
		if (!news(job, record))
			return;
		set_number(job, CHANGE, isnan(n) ? 1 : n + 1);
		remember(job->job_id);
	}
	set_number(job, "LIBRA_SHARE", record->share);
	set_number(job, "LIBRA_ESTIMATE", record->estimate_s);
	set_number(job, "LIBRA_DEADLINE", record->deadline_s);
	set(job, "LIBRA_RULE", libra_host_rule_name(record->rule));
}

void libra_job_env_known(struct job_record *job)
{
	if (find(job, CHANGE))
		remember(job->job_id);
}

/* --- what the nodes of a job have to know --------------------------------- */

static bool runs(const job_record_t *job)
{
	return job && job->node_bitmap &&
	       (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job));
}

static void add(char **list, const job_record_t *job)
{
	xstrfmtcat(*list, "%s%u/%.0f/%.17g/%.17g/%.17g", *list ? ";" : "",
		   job->job_id, get(job, CHANGE), get(job, "LIBRA_SHARE"),
		   get(job, "LIBRA_ESTIMATE"), get(job, "LIBRA_DEADLINE"));
}

/* If memory was out for a running job, read all of them. */
void libra_job_env_look(void)
{
	LIBRA_LIST_ITERATOR it;
	job_record_t *job;

	if (!changed.forgot)
		return;
	changed.forgot = false;
	it = list_iterator_create(job_list);
	while (!changed.forgot && (job = list_next(it)))
		if (runs(job))
			libra_job_env_known(job);
	list_iterator_destroy(it);
}

void libra_job_env_send(struct job_record *job)
{
	char *list = NULL;
	size_t kept = 0;

	drop(job, CHANGES);
	for (size_t i = 0; i < changed.n; i++) {
		const job_record_t *other = find_job_record(changed.ids[i]);

		if (!runs(other))
			continue;
		changed.ids[kept++] = changed.ids[i];
		if (other != job && job->node_bitmap &&
		    bit_overlap_any(job->node_bitmap, other->node_bitmap) &&
		    (!list || strlen(list) < LONGEST))
			add(&list, other);
	}
	changed.n = kept;
	if (list && find(job, "LIBRA_SHARE"))
		set(job, CHANGES, list);
	xfree(list);
}
