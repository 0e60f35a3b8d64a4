/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - see record.h.
 *
 *   libra VERSION job=ID user=UID cpus=N [change=N] [rule=RULE cores=MASK]
 *   share=S estimate=SECONDS deadline=INSTANT group=PATH end
 *
 * The cores are a mask in hexadecimal digits.  The rule "deadline", of jobs
 * with turns, makes version 2, and a changed promise version 3.  The rule
 * "yield" makes version 4, changed or not.  Others are written as version 1,
 * which an earlier plugin on the same node can read.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/record.h"

enum { DIGITS = SPANK_CORES / 4 }; /* of a mask */

#define NO_JOB 0xfffffffeu /* Slurm's NO_VAL */

/* --- cores ---------------------------------------------------------------- */

static void print_cores(const uint64_t *cores, char text[DIGITS + 1])
{
	size_t len = 0;

	for (int i = DIGITS - 1; i >= 0; i--) {
		unsigned digit = cores[i / 16] >> (i % 16 * 4) & 15;

		if (digit || len || i == 0)
			text[len++] = "0123456789abcdef"[digit];
	}
	text[len] = '\0';
}

static void scan_cores(const char *text, uint64_t *cores)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		char c = text[len - 1 - i];
		uint64_t digit = c <= '9' ? c - '0' : c - 'a' + 10;

		cores[i / 16] |= digit << (i % 16 * 4);
	}
}

static void set_cores(uint64_t *cores, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last && i < SPANK_CORES; i++)
		cores[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Result: the text behind the range, or NULL. */
static const char *read_range(const char *list, uint32_t *first, uint32_t *last)
{
	int end;

	if (sscanf(list, "%6u%n", first, &end) != 1)
		return NULL;
	*last = *first;
	list += end;
	if (*list != '-')
		return list;
	if (sscanf(list, "-%6u%n", last, &end) != 1 || *last < *first)
		return NULL;
	return list + end;
}

uint32_t spank_read_cores(const char *list, uint64_t cores[SPANK_CORE_WORDS])
{
	uint32_t n = 0, first, last, most = 0;

	memset(cores, 0, SPANK_CORE_WORDS * sizeof(*cores));
	while (list && *list) {
		list = read_range(list, &first, &last);
		if (!list || (*list && *list != ',')) {
			n = 0;
			break;
		}
		set_cores(cores, first, last);
		most = last > most ? last : most;
		n += last - first + 1;
		list += *list == ',';
	}
	if (n == 0 || most >= SPANK_CORES)
		memset(cores, 0, SPANK_CORE_WORDS * sizeof(*cores));
	return n;
}

/* --- records -------------------------------------------------------------- */

int spank_record_format(const struct spank_job *job, char *text, size_t size)
{
	char mask[DIGITS + 1], rule[DIGITS + 64] = "", change[32] = "";
	int version = job->change ? 3 : job->turns ? 2 : 1, n;

	version = job->yields ? 4 : version;
	if (job->turns || job->yields) {
		print_cores(job->cores, mask);
		snprintf(rule, sizeof(rule), "rule=%s cores=%s ",
			 job->turns ? "deadline" : "yield", mask);
	}
	if (job->change)
		snprintf(change, sizeof(change), "change=%u ", job->change);
	n = snprintf(text, size,
		     "libra %d job=%u user=%u cpus=%u %s%sshare=%.17g "
		     "estimate=%.17g deadline=%.17g group=%s end\n",
		     version, job->id, job->user, job->ncpus, change, rule,
		     job->share, job->estimate_s, job->deadline_s, job->group);
	if (n > 0 && (size_t)n < size && !strpbrk(job->group, " \n"))
		return 0;
	errno = EINVAL;
	return -1;
}

static bool sound_promise(double share, double estimate_s, double deadline_s)
{
	if (!(share >= 0) || !isfinite(share))
		return false;
	return share == 0 ||
	       (estimate_s > 0 && isfinite(estimate_s) && !isnan(deadline_s));
}

/* Nine digits are read; only a sign makes more of them. */
static bool sound_number(uint32_t n)
{
	return n > 0 && n <= 999999999;
}

/* An id has ten digits in a federation, whose cluster is in its upper bits. */
static bool sound_id(uint64_t id)
{
	return id > 0 && id < NO_JOB;
}

static bool sound(const struct spank_job *job)
{
	return job->ncpus <= 1u << 20 &&
	       sound_promise(job->share, job->estimate_s, job->deadline_s);
}

/* Read the number of the last change.  Result: the text behind it, or NULL. */
static const char *read_change(const char *text, struct spank_job *job)
{
	int at = -1;

	if (sscanf(text, "change=%9u %n", &job->change, &at) != 1 || at < 0 ||
	    !sound_number(job->change))
		return NULL;
	return text + at;
}

/* Read the rule and the cores.  Result: the text behind them, or NULL. */
static const char *read_rule(const char *text, struct spank_job *job)
{
	char rule[16], mask[DIGITS + 1];
	int at = -1;

	if (sscanf(text, "rule=%15[a-z] cores=%256[0-9a-f] %n", rule, mask,
		   &at) != 2 ||
	    at < 0)
		return NULL;
	job->turns = strcmp(rule, "deadline") == 0;
	job->yields = strcmp(rule, "yield") == 0;
	scan_cores(mask, job->cores);
	return job->turns || job->yields ? text + at : NULL;
}

/* Read what differs between versions.  Result: the text behind it, or NULL. */
static const char *read_extras(const char *text, unsigned version,
			       struct spank_job *job)
{
	bool changed = strncmp(text, "change=", 7) == 0;
	bool ruled;

	if (version == 3 || (version == 4 && changed))
		text = read_change(text, job);
	ruled = text && strncmp(text, "rule=", 5) == 0;
	if (text && (version == 2 || version == 4 || (version == 3 && ruled)))
		text = read_rule(text, job);
	return text && job->yields == (version == 4) ? text : NULL;
}

int spank_record_parse(const char *text, struct spank_job *job)
{
	unsigned version;
	uint64_t id;
	size_t len;
	int at = -1;

	*job = (struct spank_job){0};
	if (sscanf(text, "libra %9u job=%n", &version, &at) == 1 && at > 0 &&
	    version > 4) {
		errno = ENOTSUP;
		return -1;
	}
	at = -1;
	if (sscanf(text, "libra %1u job=%10" SCNu64 " user=%10u cpus=%9u %n",
		   &version, &id, &job->user, &job->ncpus, &at) != 4 ||
	    at < 0 || version < 1 || version > 4 || !sound_id(id))
		goto bad;
	job->id = (uint32_t)id;
	text = read_extras(text + at, version, job);
	if (!text)
		goto bad;
	at = -1;
	if (sscanf(text, "share=%40lf estimate=%40lf deadline=%40lf group=%n",
		   &job->share, &job->estimate_s, &job->deadline_s, &at) != 3 ||
	    at < 0 || !sound(job))
		goto bad;
	text += at;
	len = strcspn(text, " \n");
	/* A line that was cut short has no end. */
	if (len >= sizeof(job->group) || strcmp(text + len, " end\n") != 0)
		goto bad;
	memcpy(job->group, text, len);
	return 0;
bad:
	errno = EINVAL;
	return -1;
}

/* --- changes -------------------------------------------------------------- */

const char *spank_change_next(const char *text, struct spank_change *change)
{
	uint64_t id;
	int at = -1;

	*change = (struct spank_change){0};
	if (!text || !*text)
		return NULL;
	if (sscanf(text, "%10" SCNu64 "/%9u/%40lf/%40lf/%40lf%n", &id,
		   &change->number, &change->share, &change->estimate_s,
		   &change->deadline_s, &at) != 5 ||
	    at < 0 || (text[at] != ';' && text[at] != '\0') || !sound_id(id) ||
	    !sound_number(change->number) ||
	    !sound_promise(change->share, change->estimate_s,
			   change->deadline_s))
		return NULL;
	change->id = (uint32_t)id;
	return text[at] ? text + at + 1 : text + at;
}
