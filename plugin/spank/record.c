/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - what is known of a job, as text, and the weights that follow from
 * it.  See shares.h; nothing here looks at the node.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/share.h"
#include "plugin/spank/shares.h"

#define FORM                                                                   \
	"libra 1 job=%u user=%u cpus=%u share=%.17g estimate=%.17g "           \
	"deadline=%.17g group=%s end\n"

/* A moment before its deadline a job asks for any share; more than this could
 * not be told from weights.
 */
#define GREATEST_SHARE 1e6

int libra_record_format(const struct libra_share_job *job, char *text,
			size_t size)
{
	int n = snprintf(text, size, FORM, job->id, job->user, job->ncpus,
			 job->share, job->estimate_s, job->deadline_s,
			 job->group);

	if (n > 0 && (size_t)n < size && !strpbrk(job->group, " \n"))
		return 0;
	errno = EINVAL;
	return -1;
}

static bool sound(const struct libra_share_job *job)
{
	if (job->id == 0 || job->ncpus > 1u << 20 || !(job->share >= 0) ||
	    !isfinite(job->share))
		return false;
	return job->share == 0 ||
	       (job->estimate_s > 0 && isfinite(job->estimate_s) &&
		!isnan(job->deadline_s));
}

int libra_record_parse(const char *text, struct libra_share_job *job)
{
	const char *group;
	size_t len;
	int at = -1;

	*job = (struct libra_share_job){0};
	if (sscanf(text,
		   "libra 1 job=%9u user=%10u cpus=%9u share=%40lf "
		   "estimate=%40lf deadline=%40lf group=%n",
		   &job->id, &job->user, &job->ncpus, &job->share,
		   &job->estimate_s, &job->deadline_s, &at) != 6 ||
	    at < 0 || !sound(job))
		goto bad;
	group = text + at;
	len = strcspn(group, " ");
	/* A line that was cut short has no end. */
	if (len >= sizeof(job->group) || strcmp(group + len, " end\n") != 0)
		goto bad;
	memcpy(job->group, group, len);
	return 0;
bad:
	errno = EINVAL;
	return -1;
}

uint32_t libra_count_cores(const char *list)
{
	uint32_t n = 0;
	unsigned first, last;
	int end;

	while (list && *list) {
		if (sscanf(list, "%6u%n", &first, &end) != 1)
			return 0;
		last = first;
		list += end;
		if (*list == '-') {
			if (sscanf(list, "-%6u%n", &last, &end) != 1 ||
			    last < first)
				return 0;
			list += end;
		}
		n += last - first + 1;
		if (*list == ',')
			list++;
		else if (*list)
			return 0;
	}
	return n;
}

/* What a job needs of the node: a group's weight counts on all the CPUs on
 * which it has something to run, shared out among them.
 */
static double need(const struct libra_share_job *job, double used_s,
		   double now_s)
{
	double ncpus = job->ncpus ? job->ncpus : 1;
	double share;

	if (job->share == 0)
		return 0;
	share = libra_share(job->estimate_s - used_s / ncpus, job->share,
			    job->deadline_s, now_s);
	return ncpus * fmin(share, GREATEST_SHARE);
}

void libra_weights(const struct libra_share_job *jobs, const double *used_s,
		   size_t n, double now_s, uint32_t least, uint32_t most,
		   uint32_t *weights)
{
	double greatest = 0, weight;

	for (size_t i = 0; i < n; i++)
		greatest = fmax(greatest, need(&jobs[i], used_s[i], now_s));
	for (size_t i = 0; i < n; i++) {
		weights[i] = least;
		if (jobs[i].share == 0 || greatest == 0)
			continue;
		weight = round(most * need(&jobs[i], used_s[i], now_s) /
			       greatest);
		weights[i] = (uint32_t)fmax(weight, least + 1.0);
	}
}
