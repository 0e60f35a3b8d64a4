/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres.c - see gres.h.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/text.h"
#include "plugin/engine/gres.h"

/* More than any node has.  Its product with the nodes or tasks of a real
 * cluster does not overflow.
 */
#define MOST (UINT64_C(1) << 40)

static uint64_t scaled(uint64_t n, const char *unit)
{
	static const char units[] = "kKmMgG";
	const char *at = *unit ? strchr(units, *unit) : NULL;
	int shift = at ? (int)(at - units) / 2 * 10 + 10 : 0;

	return n < MOST >> shift ? n << shift : MOST;
}

/* Read up to three words: "gpu", "a100", "2(S:0-1)".  A number is the count. */
static bool next(const char **at, struct host_gres *gres)
{
	char text[2 * HOST_RESOURCE_NAME] = "", *word, *save = NULL, *end;
	const char *from = *at;
	size_t n = 0;
	int depth = 0;

	if (!from || !*from)
		return false;
	if (strncmp(from, "gres:", 5) == 0 || strncmp(from, "gres/", 5) == 0)
		from += 5;
	for (; *from && (*from != ',' || depth > 0); from++) {
		depth += (*from == '(') - (*from == ')');
		/* Some counts are in parentheses: gpu(CNT:2). */
		if (strncmp(from, "(CNT:", 5) == 0 && n < sizeof(text) - 1)
			text[n++] = ':';
		else if (depth == 0 && *from != ')' && n < sizeof(text) - 1)
			text[n++] = *from == '=' ? ':' : *from;
		if (strncmp(from, "(CNT:", 5) == 0) {
			from += 4;
			depth--;
		}
	}
	text[n] = '\0';
	host_text_defuse(text);
	*at = *from ? from + 1 : from;
	*gres = (struct host_gres){.count = 1};
	for (word = strtok_r(text, ":", &save); word;
	     word = strtok_r(NULL, ":", &save)) {
		if (isdigit((unsigned char)*word) && *gres->kind) {
			gres->count = strtoull(word, &end, 10);
			gres->count = scaled(gres->count, end);
		} else if (!*gres->kind && strlen(word) < 32) {
			snprintf(gres->kind, sizeof(gres->kind), "%s", word);
			snprintf(gres->name, sizeof(gres->name), "%s", word);
		} else if (strlen(word) < 30 &&
			   strcmp(word, "no_consume") != 0) {
			n = strlen(gres->name);
			snprintf(gres->name + n, sizeof(gres->name) - n, ":%s",
				 word);
		}
	}
	return true;
}

/* Newer releases write the CPUs of a task among its generic resources. */
bool host_gres_next(const char **at, struct host_gres *gres)
{
	bool any;

	do {
		any = next(at, gres);
	} while (any && strcmp(gres->kind, "cpu") == 0);
	return any;
}

bool host_gres_only(const char *list, struct host_gres *gres)
{
	struct host_gres more;

	return host_gres_next(&list, gres) && !host_gres_next(&list, &more);
}

uint64_t host_gres_gpus(const char *list)
{
	struct host_gres gres;
	uint64_t n = 0;

	while (host_gres_next(&list, &gres))
		if (strcmp(gres.kind, "gpu") == 0)
			n += gres.count;
	return n;
}

bool host_gres_splits(const char *list)
{
	struct host_gres gres;

	while (host_gres_next(&list, &gres))
		if (gres.count > 0 && (strcmp(gres.kind, "shard") == 0 ||
				       strcmp(gres.kind, "mps") == 0))
			return true;
	return false;
}

uint32_t host_gres_find(const struct host_cluster *c, const char *name)
{
	for (uint32_t i = 0; i < c->nresources; i++)
		if (*name && strcmp(c->resources[i], name) == 0)
			return i;
	return UINT32_MAX;
}

static void know(struct host_cluster *c, const char *name)
{
	if (*name && c->nresources < LIBRA_RESOURCES &&
	    host_gres_find(c, name) == UINT32_MAX)
		snprintf(c->resources[c->nresources++], HOST_RESOURCE_NAME,
			 "%s", name);
}

void host_gres_names(struct host_cluster *c, const char *list)
{
	struct host_gres gres;

	while (host_gres_next(&list, &gres)) {
		know(c, gres.kind);
		know(c, gres.name);
	}
}

bool host_gres_add(const struct host_cluster *c, const char *list,
		   uint64_t times, uint64_t *amounts)
{
	struct host_gres gres;
	uint32_t kind, name;
	bool all = true;

	while (host_gres_next(&list, &gres)) {
		if (strcmp(gres.kind, "none") == 0)
			continue;
		kind = host_gres_find(c, gres.kind);
		name = host_gres_find(c, gres.name);
		if (kind == UINT32_MAX || name == UINT32_MAX ||
		    gres.count > UINT32_MAX || times > UINT32_MAX) {
			all = false;
			continue;
		}
		amounts[kind] += times * gres.count;
		if (name != kind)
			amounts[name] += times * gres.count;
	}
	return all;
}

bool host_gres_mixed(const struct host_cluster *c, uint32_t node,
		     const char *kind)
{
	const uint64_t *of_node = &c->amounts[(size_t)node * c->nresources];
	size_t len = strlen(kind);
	uint32_t types = 0;

	for (uint32_t i = 1; i < c->nresources; i++)
		types += of_node[i] > 0 &&
			 strncmp(c->resources[i], kind, len) == 0 &&
			 c->resources[i][len] == ':';
	return types > 1;
}
