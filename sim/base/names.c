/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - a table of names.
 *
 * place[] is a hash table with linear probing that is at most half full; text[]
 * and hash[] are arrays by number.  The name that was found last is compared
 * first, because neighbouring records of a log often have the same user.
 */
#include "sim/base/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, with its bits mixed: tables take the low ones. */
static uint64_t hash_of(const char *at, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)at[i]) * UINT64_C(0x100000001b3);
	h ^= h >> 32;
	return h * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

/* Return true if a number stands for the n bytes at `at`, by hash and text. */
static bool is_name(const struct names *names, uint32_t number, uint64_t hash,
		    const char *at, size_t n)
{
	const char *text = names->no_text ? NULL : names->text[number - 1];

	if (names->hash[number - 1] != hash)
		return false;
	return !text || (strlen(text) == n && memcmp(text, at, n) == 0);
}

/* The place of a name, or the free one where it belongs. */
static uint32_t find_place(const struct names *names, uint64_t hash,
			   const char *at, size_t n)
{
	uint32_t mask = names->nplaces - 1;
	uint32_t place = (uint32_t)(hash >> 32) & mask;

	while (names->place[place] &&
	       !is_name(names, names->place[place], hash, at, n))
		place = (place + 1) & mask;
	return place;
}

/* Double the table, and insert all numbers again.  Result: 0, or -1. */
static int grow(struct names *names)
{
	uint32_t cap = names->cap ? names->cap * 2 : 64, nplaces = cap * 2;
	uint64_t *hash = realloc(names->hash, cap * sizeof(*hash));
	char **text;
	uint32_t *place;

	if (!hash)
		return -1;
	names->hash = hash;
	if (!names->no_text) {
		text = realloc(names->text, cap * sizeof(*text));
		if (!text)
			return -1;
		names->text = text;
	}
	place = calloc(nplaces, sizeof(*place));
	if (!place)
		return -1;
	free(names->place);
	names->place = place;
	names->nplaces = nplaces;
	names->cap = cap;
	for (uint32_t i = 0; i < names->n; i++) {
		uint32_t at = (uint32_t)(names->hash[i] >> 32) & (nplaces - 1);

		while (place[at])
			at = (at + 1) & (nplaces - 1);
		place[at] = i + 1;
	}
	return 0;
}

uint32_t names_add(struct names *names, const char *at, size_t n)
{
	uint64_t hash;
	uint32_t place;

	if (n == 0)
		return 0;
	hash = hash_of(at, n);
	if (names->last && is_name(names, names->last, hash, at, n))
		return names->last;
	if (names->n == names->cap && grow(names) < 0)
		goto fail;
	place = find_place(names, hash, at, n);
	if (!names->place[place]) {
		if (!names->no_text) {
			names->text[names->n] = strndup(at, n);
			if (!names->text[names->n])
				goto fail;
		}
		names->hash[names->n] = hash;
		names->place[place] = ++names->n;
	}
	names->last = names->place[place];
	return names->last;
fail:
	errno = ENOMEM;
	return UINT32_MAX;
}

const char *names_text(const struct names *names, uint32_t number)
{
	if (number == 0 || names->no_text)
		return "";
	return names->text[number - 1];
}

void names_fini(struct names *names)
{
	for (uint32_t i = 0; names->text && i < names->n; i++)
		free(names->text[i]);
	free(names->text);
	free(names->hash);
	free(names->place);
	memset(names, 0, sizeof(*names));
}
