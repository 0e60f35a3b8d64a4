/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names as numbers: users, accounts, partitions.
 *
 * Numbers begin at 1, in order of appearance; 0 is no name.  A table that is
 * all zeros is empty.  The table owns copies of the texts.
 */
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	char **text;	 /* by number - 1; NULL if texts are not kept */
	uint64_t *hash;	 /* by number - 1 */
	uint32_t *place; /* a hash table of numbers; 0 = free */
	uint32_t n, cap, nplaces;
	bool no_text;  /* set before the first name: keep no texts, and take
			  names for equal if their 64-bit hashes are equal */
	uint32_t last; /* number of the name found last; 0 = none */
};

/* Find the name of n bytes at text, which need not end with NUL, or add it.
 * Result: its number, 0 for n = 0, or UINT32_MAX with ENOMEM and no name added.
 * Cost:   O(n) on average.
 */
uint32_t names_add(struct names *names, const char *text, size_t n);

/* Return the text of a number; "" for 0 and in a table without texts.  The
 * table owns the text.
 */
const char *names_text(const struct names *names, uint32_t number);

/* Free all names; the table is empty then. */
void names_fini(struct names *names);

#endif
