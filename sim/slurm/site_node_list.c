/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_node_list.c - lists of nodes such as n[01-03,07],x1, and nodes by name.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

uint32_t slurm_site_find_node(const struct slurm_site *site, const char *name)
{
	const uint32_t *by_name = site->store ? site->store->by_name : NULL;
	size_t low = 0, high = by_name ? site->nnodes : 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int c = strcmp(site->nodes[by_name[mid]].name, name);

		if (c == 0)
			return by_name[mid];
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return SLURM_NONE;
}

/* Nodes found so far. */
struct found {
	struct site_file *f;
	uint32_t *nodes;
	size_t n, cap, steps;
};

/* Names of a list at most, known or not. */
enum { NAMES_MAX = 200 * 1000, NAME_MAX_BYTES = 255 };

static int too_many(const struct found *found)
{
	return site_fail(found->f,
			 "more than %d nodes in a list: run site-snapshot "
			 "again",
			 NAMES_MAX);
}

static int add_name(struct found *found, const char *name)
{
	uint32_t node = slurm_site_find_node(found->f->site, name);
	uint32_t *grown;

	if (++found->steps > NAMES_MAX)
		return too_many(found);
	if (node == SLURM_NONE)
		return site_unknown(found->f, "node",
				    (struct import_text){name, strlen(name)});
	grown = sim_grown(found->nodes, &found->cap, found->n + 1,
			  sizeof(*grown));
	if (!grown)
		return sim_no_memory(found->f->err);
	found->nodes = grown;
	grown[found->n++] = node;
	return 0;
}

static int expand(struct found *found, char *name, size_t used,
		  struct import_text rest);

/* Put the numbers of one range, such as 01-03, and what is behind it. */
static int expand_range(struct found *found, char *name, size_t used,
			struct import_text range, struct import_text rest)
{
	const char *dash = memchr(range.at, '-', range.n);
	size_t width = dash ? (size_t)(dash - range.at) : range.n;
	char first[16] = "", last[16] = "", *end;
	unsigned long from, to;
	int n;

	if (width == 0 || width >= sizeof(first) ||
	    (dash && range.n - width - 1 >= sizeof(last)))
		goto bad;
	memcpy(first, range.at, width);
	if (dash)
		memcpy(last, dash + 1, range.n - width - 1);
	from = strtoul(first, &end, 10);
	if (*end || first[0] < '0' || first[0] > '9')
		goto bad;
	to = dash ? strtoul(last, &end, 10) : from;
	if (*end || to < from || (dash && (last[0] < '0' || last[0] > '9')))
		goto bad;
	if (to - from >= NAMES_MAX)
		return too_many(found);
	for (unsigned long i = from; i <= to; i++) {
		n = snprintf(name + used, NAME_MAX_BYTES - used, "%0*lu",
			     (int)width, i);
		if (n < 0 || (size_t)n >= NAME_MAX_BYTES - used)
			goto bad;
		if (expand(found, name, used + (size_t)n, rest) < 0)
			return -1;
	}
	return 0;
bad:
	return site_fail(found->f,
			 "'%.*s' is no range of nodes: run site-snapshot again",
			 (int)(range.n < 40 ? range.n : 40), range.at);
}

/* Put the rest of a name, with its ranges, behind what is there. */
static int expand(struct found *found, char *name, size_t used,
		  struct import_text rest)
{
	const char *open = rest.n ? memchr(rest.at, '[', rest.n) : NULL;
	size_t plain = open ? (size_t)(open - rest.at) : rest.n;
	struct import_text ranges, behind, range;
	const char *close;

	if (used + plain >= NAME_MAX_BYTES)
		return site_fail(found->f,
				 "a node's name of more than %d "
				 "bytes: run site-snapshot again",
				 NAME_MAX_BYTES);
	if (plain)
		memcpy(name + used, rest.at, plain);
	used += plain;
	name[used] = '\0';
	if (!open)
		return add_name(found, name);
	close = memchr(open, ']', rest.n - plain);
	if (!close)
		return site_fail(found->f, "a list of nodes has no ]: the file "
					   "was cut off, run site-snapshot "
					   "again");
	ranges = (struct import_text){open + 1, (size_t)(close - open - 1)};
	behind = (struct import_text){
		close + 1, rest.n - plain - (size_t)(close - open) - 1};
	while (site_next(&ranges, ',', &range))
		if (expand_range(found, name, used, range, behind) < 0)
			return -1;
	return 0;
}

/* Take the part before a comma that is in no brackets. */
static bool next_item(struct import_text *list, struct import_text *item)
{
	size_t n = 0;
	bool inside = false;

	if (list->n == 0)
		return false;
	for (; n < list->n && (inside || list->at[n] != ','); n++)
		inside = list->at[n] == '['   ? true
			 : list->at[n] == ']' ? false
					      : inside;
	*item = (struct import_text){list->at, n};
	list->at += n + (n < list->n);
	list->n -= n + (n < list->n);
	return true;
}

static int by_index(const void *a, const void *b)
{
	uint32_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

int site_node_list(struct site_file *f, struct import_text t,
		   const uint32_t **nodes, size_t *n)
{
	struct found found = {.f = f};
	char name[NAME_MAX_BYTES + 1];
	struct import_text item;
	uint32_t *kept = NULL;
	int rc = 0;

	*nodes = NULL;
	*n = 0;
	if (site_is_none(t))
		return 0;
	while (rc == 0 && next_item(&t, &item))
		if (item.n > 0)
			rc = expand(&found, name, 0, item);
	if (rc == 0 && found.n > 0) {
		qsort(found.nodes, found.n, sizeof(*found.nodes), by_index);
		kept = site_alloc(f->site, found.n * sizeof(*kept));
		if (!kept)
			rc = sim_no_memory(f->err);
	}
	for (size_t i = 0; kept && i < found.n; i++)
		if (*n == 0 || kept[*n - 1] != found.nodes[i])
			kept[(*n)++] = found.nodes[i];
	*nodes = kept;
	free(found.nodes);
	return rc;
}
