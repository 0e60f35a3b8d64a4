/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names as numbers: users, accounts, partitions.
 *
 * Numbers begin at 1, in order of appearance; 0 is no name.
 */
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names {
	char **text; /* NULL if the texts are not kept */
	uint64_t *hash;
	uint32_t *place; /* a hash table of numbers; 0 = free */
	uint32_t n, cap, nplaces;
	bool no_text; /* set before the first name: numbers alone, and two
			 names are one if their 64-bit hashes are */
	uint32_t last;
};

/* Result: the number of the n bytes at text, or UINT32_MAX with ENOMEM. */
uint32_t names_add(struct names *names, const char *text, size_t n);

/* Result: the text of a number; "" for 0 and where no text is kept. */
const char *names_text(const struct names *names, uint32_t number);
void names_fini(struct names *names);

#endif
