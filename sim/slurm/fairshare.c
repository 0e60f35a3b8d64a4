/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - rank users by their shares and their usage. */
#include "sim/slurm/fairshare.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const long double no_level = 4294967294.0L; /* Slurm's NO_VAL */

static void set_norm(struct slurm_prio *p, struct slurm_usage *usage)
{
	long double all = p->usage[0].raw;

	usage->norm = all == 0 ? 0 : usage->raw / all;
	if (usage->norm > 1)
		usage->norm = 1;
}

/* ---- Fair Tree ---- */

static void set_level(struct slurm_prio *p, uint32_t i)
{
	struct slurm_usage *usage = &p->usage[i];
	long double up = p->usage[usage->fs_parent].raw;

	usage->effective = up == 0 ? 0 : usage->raw / up;
	set_norm(p, usage);
	if (usage->has_parents)
		usage->level = usage->is_user ? INFINITY : no_level;
	else
		usage->level = usage->shares == 0 ? 0
						  : (long double)usage->shares /
							    usage->effective;
}

/* The highest level first, users before accounts, then as in assoc.txt. */
static bool goes_before(const struct slurm_prio *p, uint32_t i, uint32_t j)
{
	const struct slurm_usage *x = &p->usage[i], *y = &p->usage[j];

	if (x->level != y->level)
		return x->level > y->level;
	return x->is_user != y->is_user ? x->is_user : i < j;
}

/* Sort by insertion: little changes from one decay run to the next. */
static void sort_kids(const struct slurm_prio *p, uint32_t *kids, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		uint32_t kid = kids[i], at = i;

		for (; at > 0 && goes_before(p, kid, kids[at - 1]); at--)
			kids[at] = kids[at - 1];
		kids[at] = kid;
	}
}

static void enter(struct slurm_prio *p, struct slurm_level *level,
		  uint32_t account, bool tied)
{
	const struct slurm_usage *usage = &p->usage[account];

	for (uint32_t k = 0; k < usage->n; k++)
		set_level(p, p->kids[usage->first + k]);
	sort_kids(p, p->kids + usage->first, usage->n);
	*level = (struct slurm_level){account, 0, no_level, tied};
}

/* Users that tie share the rank of the first of them; the next one has the rank
 * it would have without ties.  An account that ties with what is before it has
 * its first user tie too.
 */
void slurm_fairshare_tree(struct slurm_prio *p)
{
	uint32_t rank = p->nusers, next = rank;
	size_t depth = 1;

	if (p->site->nassocs == 0)
		return;
	set_norm(p, &p->usage[0]);
	p->usage[0].level = no_level;
	enter(p, &p->levels[0], 0, false);
	while (depth > 0) {
		struct slurm_level *level = &p->levels[depth - 1];
		const struct slurm_usage *up = &p->usage[level->account];
		uint32_t i;
		bool tied;

		if (level->at == up->n) {
			depth--;
			continue;
		}
		i = p->kids[up->first + level->at];
		tied = level->at == 0 && level->tied
			       ? true
			       : level->previous == p->usage[i].level;
		level->at++;
		level->previous = p->usage[i].level;
		if (p->usage[i].is_user) {
			if (!tied)
				rank = next;
			p->usage[i].factor = rank / (double)p->nusers;
			next--;
		} else {
			enter(p, &p->levels[depth++], i, tied);
		}
	}
}

/* ---- classic ---- */

/* R of a parent, drawn nearer to 1 by the ratio of the child among its
 * siblings; R times the shares is the effective usage.
 */
static long double oblivious(const struct slurm_prio *p, uint32_t i)
{
	const struct slurm_usage *usage = &p->usage[i];
	const struct slurm_usage *up = &p->usage[usage->fs_parent];
	long double of_parent, of_level = 0, own, k = 1;

	if (usage->shares == 0 || up->shares == 0 || up->effective == 0 ||
	    usage->norm == 0)
		return usage->norm;
	of_parent = up->effective / up->shares;
	for (uint32_t c = 0; c < up->n; c++) {
		uint32_t kid = p->kids[up->first + c];

		if (p->site->assocs[kid].shares != SLURM_PARENT)
			of_level += p->usage[kid].norm;
	}
	of_level /= up->shares;
	own = usage->norm / usage->shares / of_level;
	if (of_parent != 0 && own != 0 && logl(of_parent) * logl(own) < 0)
		k = 1 / (1 + powl(5.0 * logl(of_parent), 2));
	return of_parent * (long double)pow((double)own, (double)k) *
	       usage->shares;
}

static void set_effective(struct slurm_prio *p, uint32_t i)
{
	const struct slurm_priority_params *params = &p->site->config.priority;
	const struct slurm_assoc *assoc = &p->site->assocs[i];
	struct slurm_usage *usage = &p->usage[i], *of = usage;
	const struct slurm_usage *up = &p->usage[usage->fs_parent];

	set_norm(p, usage);
	if (usage->fs_parent == 0)
		usage->effective = usage->norm;
	else if (assoc->shares == SLURM_PARENT)
		usage->effective = up->effective;
	else if (params->flags & SLURM_PRIO_DEPTH_OBLIVIOUS)
		usage->effective = oblivious(p, i);
	else if (usage->level_shares == 0)
		usage->effective = up->effective;
	else
		usage->effective = usage->norm +
				   (up->effective - usage->norm) *
					   (assoc->shares /
					    (long double)usage->level_shares);
	if (assoc->shares == SLURM_PARENT)
		of = &p->usage[usage->fs_parent];
	usage->factor =
		of->shares <= 0
			? 0
			: pow(2.0, (double)-((of->effective / of->shares) /
					     params->dampening));
}

void slurm_fairshare_accounts(struct slurm_prio *p)
{
	for (uint32_t i = 1; i < p->site->nassocs; i++)
		if (*p->site->assocs[i].user)
			p->usage[i].effective = -1;
		else
			set_effective(p, i);
}

double slurm_prio_fairshare(struct slurm_prio *p, uint32_t assoc)
{
	if (!p->fair_tree && p->usage[assoc].effective < 0)
		set_effective(p, assoc);
	return p->usage[assoc].factor;
}

/* ---- PriorityUsageResetPeriod ---- */

int64_t slurm_fairshare_next_reset(enum slurm_usage_reset reset, int64_t at_s)
{
	time_t at = at_s;
	struct tm tm;

	if (reset < SLURM_RESET_DAILY || !gmtime_r(&at, &tm))
		return 0;
	tm.tm_sec = tm.tm_min = tm.tm_hour = 0;
	switch (reset) {
	case SLURM_RESET_DAILY:
		tm.tm_mday++;
		break;
	case SLURM_RESET_WEEKLY: /* on Sundays */
		tm.tm_mday += 7 - tm.tm_wday;
		break;
	case SLURM_RESET_MONTHLY:
		tm.tm_mon++;
		tm.tm_mday = 1;
		break;
	case SLURM_RESET_QUARTERLY:
		tm.tm_mon += 3 - tm.tm_mon % 3;
		tm.tm_mday = 1;
		break;
	default:
		tm.tm_year++;
		tm.tm_mon = 0;
		tm.tm_mday = 1;
	}
	return timegm(&tm);
}
