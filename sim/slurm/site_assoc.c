/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_assoc.c - associations as a tree, from sacctmgr and sshare. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

#define AT(field) offsetof(struct slurm_assoc, field)

static const struct site_field assoc_fields[] = {
	{"ID", SITE_U32, AT(id)},
	{"Account", SITE_TEXT, AT(account)},
	{"User", SITE_TEXT, AT(user)},
	{"Partition", SITE_TEXT, AT(partition)},
	{"ParentName", SITE_TEXT, AT(parent_name)},
	{"Priority", SITE_U32, AT(priority)},
	{"GrpJobs", SITE_NUMBER, AT(grp.jobs)},
	{"GrpJobsAccrue", SITE_NUMBER, AT(grp.jobs_accrue)},
	{"GrpSubmit", SITE_NUMBER, AT(grp.submit)},
	{"GrpWall", SITE_WALL, AT(grp.wall_s)},
	{"GrpTRES", SITE_TRES, AT(grp.tres)},
	{"GrpTRESMins", SITE_TRES, AT(grp.tres_mins)},
	{"GrpTRESRunMins", SITE_TRES, AT(grp.tres_run_mins)},
	{"MaxJobs", SITE_NUMBER, AT(max_jobs)},
	{"MaxJobsAccrue", SITE_NUMBER, AT(max_accrue)},
	{"MaxSubmit", SITE_NUMBER, AT(max_submit)},
	{"MaxTRES", SITE_TRES, AT(max_tres_pj)},
	{"MaxTRESMins", SITE_TRES, AT(max_tres_mins_pj)},
	{"MaxTRESPerNode", SITE_TRES, AT(max_tres_pn)},
	{"MaxTRESRunMinsPU", SITE_TRES, AT(max_run_mins)},
	{"MaxWall", SITE_WALL, AT(max_wall_s)},
	{"MinPrioThres", SITE_NUMBER, AT(min_priority)},
	{"Cluster", SITE_OWN, 0},
	{"Share", SITE_OWN, 0},
	{.name = "Comment"},
	{.name = "Def QOS"},
	{.name = "Flags"},
	{.name = "LFT"},
	{.name = "Lineage"},
	{.name = "ParentID"},
	{.name = "QOS"},
	{.name = "QOS_RAW"},
	{.name = "RGT"},
};

#undef AT

static int set_shares(struct site_table *t, struct slurm_assoc *assoc)
{
	struct import_text value = site_table_value(t, "Share");
	int64_t n = 1;

	if (import_is(value, "parent")) {
		assoc->shares = SLURM_PARENT;
		return 0;
	}
	if (value.n > 0 && (!site_amount(value, false, &n) || n >= UINT32_MAX))
		return site_fail(&t->f,
				 "Share is '%.*s', which is no number "
				 "of shares",
				 (int)(value.n < 40 ? value.n : 40), value.at);
	assoc->shares = (uint32_t)n;
	return 0;
}

static int add_assoc(struct site_table *t)
{
	struct slurm_site *site = t->f.site;
	struct import_text cluster = site_table_value(t, "Cluster");
	struct slurm_assoc *assoc;

	if (cluster.n && *site->config.cluster &&
	    !import_is(cluster, site->config.cluster))
		return site_unknown(&t->f, "rows of cluster", cluster);
	assoc = site_append(site, &site->assocs, &site->nassocs, sizeof(*assoc),
			    6);
	if (!assoc)
		return sim_no_memory(t->f.err);
	*assoc = (struct slurm_assoc){
		.parent = SLURM_NONE,
		.account = "",
		.user = "",
		.partition = "",
		.parent_name = "",
		.grp.jobs = SLURM_UNLIMITED,
		.grp.jobs_accrue = SLURM_UNLIMITED,
		.grp.submit = SLURM_UNLIMITED,
		.grp.wall_s = SLURM_UNLIMITED,
		.max_jobs = SLURM_UNLIMITED,
		.max_accrue = SLURM_UNLIMITED,
		.max_submit = SLURM_UNLIMITED,
		.max_wall_s = SLURM_UNLIMITED,
		.min_priority = SLURM_UNLIMITED,
	};
	return site_table_set(t, assoc) < 0 ? -1 : set_shares(t, assoc);
}

/* ---- by user ---- */

static int compare(const struct slurm_assoc *a, const char *user,
		   const char *account, const char *partition)
{
	int c = strcmp(a->user, user);

	if (c == 0)
		c = strcmp(a->account, account);
	return c ? c : strcmp(a->partition, partition);
}

static int by_user(const void *a, const void *b, void *arg)
{
	const struct slurm_assoc *assocs = arg, *y;
	uint32_t i, j;

	memcpy(&i, a, sizeof(i));
	memcpy(&j, b, sizeof(j));
	y = &assocs[j];
	return compare(&assocs[i], y->user, y->account, y->partition);
}

static uint32_t find_exactly(const struct slurm_site *site, const char *user,
			     const char *account, const char *partition)
{
	const uint32_t *by = site->store ? site->store->by_user : NULL;
	size_t low = 0, high = by ? site->nassocs : 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = compare(&site->assocs[by[mid]], user, account,
				partition);

		if (c == 0)
			return by[mid];
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return SLURM_NONE;
}

uint32_t slurm_site_find_assoc(const struct slurm_site *site,
			       const char *account, const char *user,
			       const char *partition)
{
	uint32_t found = *partition
				 ? find_exactly(site, user, account, partition)
				 : SLURM_NONE;

	return found != SLURM_NONE ? found
				   : find_exactly(site, user, account, "");
}

static int sort_users(struct slurm_site *site, struct libra_error *err)
{
	uint32_t *by = malloc(site->nassocs * sizeof(*by));

	free(site->store->by_user);
	site->store->by_user = by;
	if (!by)
		return sim_no_memory(err);
	for (uint32_t i = 0; i < site->nassocs; i++)
		by[i] = i;
	qsort_r(by, site->nassocs, sizeof(*by), by_user, site->assocs);
	return 0;
}

/* ---- the tree ---- */

static uint32_t parent_of(const struct slurm_site *site, uint32_t i)
{
	const struct slurm_assoc *assoc = &site->assocs[i];
	uint32_t parent;

	if (*assoc->user)
		parent = find_exactly(site, "", assoc->account, "");
	else if (strcmp(assoc->account, "root") == 0)
		return SLURM_NONE;
	else
		parent = find_exactly(
			site, "",
			*assoc->parent_name ? assoc->parent_name : "root", "");
	return parent == i ? SLURM_NONE : parent;
}

/* Put parents before their children, else in the order of the file: depth
 * first, as sshare prints.
 */
static size_t lay_out(const struct slurm_site *site, const uint32_t *parents,
		      uint32_t *next, uint32_t *first, uint32_t *place,
		      uint32_t root)
{
	size_t n = 0;
	uint32_t at = root;

	for (size_t i = site->nassocs; i-- > 0;)
		if (parents[i] != SLURM_NONE) {
			next[i] = first[parents[i]];
			first[parents[i]] = (uint32_t)i;
		}
	while (at != SLURM_NONE) {
		place[at] = (uint32_t)n++;
		if (first[at] != SLURM_NONE) {
			at = first[at];
			continue;
		}
		while (at != root && next[at] == SLURM_NONE)
			at = parents[at];
		at = at == root ? SLURM_NONE : next[at];
	}
	return n;
}

static int move_all(struct slurm_site *site, const uint32_t *parents,
		    const uint32_t *place, struct libra_error *err)
{
	struct slurm_assoc *moved = malloc(site->nassocs * sizeof(*moved));

	if (!moved)
		return sim_no_memory(err);
	for (size_t i = 0; i < site->nassocs; i++) {
		moved[place[i]] = site->assocs[i];
		moved[place[i]].parent = parents[i] == SLURM_NONE
						 ? SLURM_NONE
						 : place[parents[i]];
	}
	free(site->assocs);
	site->assocs = moved;
	site->store->caps[6] = site->nassocs;
	return sort_users(site, err);
}

static int make_tree(struct slurm_site *site, const char *folder,
		     struct libra_error *err)
{
	size_t n = site->nassocs;
	uint32_t *parents = malloc(4 * n * sizeof(*parents));
	uint32_t *next, *first, *place, root;
	size_t i;
	int rc;

	if (!parents)
		return sim_no_memory(err);
	next = parents + n;
	first = next + n;
	place = first + n;
	memset(parents, 0xff, 4 * n * sizeof(*parents));
	rc = sort_users(site, err);
	root = rc < 0 ? SLURM_NONE : find_exactly(site, "", "root", "");
	for (i = 0; rc == 0 && i < n; i++)
		parents[i] = parent_of(site, (uint32_t)i);
	if (rc == 0 && root != SLURM_NONE &&
	    lay_out(site, parents, next, first, place, root) == n) {
		rc = move_all(site, parents, place, err);
	} else if (rc == 0) {
		for (i = 0; i < n && place[i] != SLURM_NONE; i++)
			;
		rc = libra_errf(err, EINVAL,
				"%s/assoc.txt: account '%.60s' of user '%.60s' "
				"has no way to account root: the file was cut "
				"off, run site-snapshot again",
				folder, site->assocs[i < n ? i : 0].account,
				site->assocs[i < n ? i : 0].user);
	}
	free(parents);
	return rc;
}

/* Two rows of one user, account and partition leave one of them unfound. */
static int check_twice(const struct slurm_site *site, const char *folder,
		       struct libra_error *err)
{
	const uint32_t *by = site->store->by_user;

	for (size_t i = 1; i < site->nassocs; i++) {
		const struct slurm_assoc *a = &site->assocs[by[i]];

		if (compare(&site->assocs[by[i - 1]], a->user, a->account,
			    a->partition) == 0)
			return libra_errf(err, EINVAL,
					  "%s/assoc.txt: account '%.60s', user "
					  "'%.60s' comes twice: keep one "
					  "cluster and one output",
					  folder, a->account, a->user);
	}
	return 0;
}

int site_read_assocs(struct slurm_site *site, const char *folder,
		     struct libra_error *err)
{
	if (site_read_table(site, folder, "assoc.txt", assoc_fields,
			    sizeof(assoc_fields) / sizeof(assoc_fields[0]),
			    "Account", add_assoc, err) < 0)
		return -1;
	if (site->nassocs == 0)
		return 0;
	return make_tree(site, folder, err) < 0
		       ? -1
		       : check_twice(site, folder, err);
}

/* ---- usage ---- */

struct share_row {
	const char *account, *user, *partition;
	double usage;
};

static const struct site_field share_fields[] = {
	{"Account", SITE_TEXT, offsetof(struct share_row, account)},
	{"User", SITE_TEXT, offsetof(struct share_row, user)},
	{"Partition", SITE_TEXT, offsetof(struct share_row, partition)},
	{"RawUsage", SITE_DOUBLE, offsetof(struct share_row, usage)},
	{.name = "RawShares"},
	{.name = "NormShares"},
	{.name = "NormUsage"},
	{.name = "EffectvUsage"},
	{.name = "FairShare"},
	{.name = "LevelFS"},
	{.name = "GrpTRESMins"},
	{.name = "GrpTRESRaw"},
	{.name = "TRESRunMins"},
};

static int add_share(struct site_table *t)
{
	struct share_row row = {"", "", "", 0};
	struct slurm_site *site = t->f.site;
	uint32_t i;

	if (site_table_set(t, &row) < 0)
		return -1;
	i = find_exactly(site, row.user, row.account, row.partition);
	if (i == SLURM_NONE)
		return site_unknown(
			&t->f, "association",
			(struct import_text){row.user, strlen(row.user)});
	site->assocs[i].usage = row.usage;
	return 0;
}

/* The first sample of a recording, or the only one. */
int site_read_shares(struct slurm_site *site, const char *folder,
		     struct libra_error *err)
{
	return site_read_table(site, folder, "sshare.txt", share_fields,
			       sizeof(share_fields) / sizeof(share_fields[0]),
			       "RawUsage", add_share, err);
}
