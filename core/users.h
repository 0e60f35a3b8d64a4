/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * users.h - map a host's user numbers to array indices.
 *
 * Users get the indices 0, 1, ... in the order in which they first appear, so
 * that data about users can be in plain arrays.  No user is ever removed.
 * Memory grows by doubling; a lookup does not allocate.
 */
#ifndef LIBRA_USERS_H
#define LIBRA_USERS_H

#include <stdint.h>

#define LIBRA_NO_USER UINT32_MAX

/* Initialise with zeros: no user is known. */
struct libra_users {
	uint32_t *id;	  /* the host's number of each user */
	uint32_t *places; /* hash table of 2 x cap: a user's index + 1, or 0 */
	uint32_t n, cap;
};

/* Return the index of a user, or LIBRA_NO_USER. */
uint32_t libra_users_find(const struct libra_users *users, uint32_t id);

/* Return the index of a user; add an unknown one as index users->n.
 * Result: the index, or LIBRA_NO_USER with ENOMEM and nothing changed.
 */
uint32_t libra_users_need(struct libra_users *users, uint32_t id);

void libra_users_fini(struct libra_users *users);

#endif
