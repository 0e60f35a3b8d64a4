/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * users.h - from a host's numbers of users to places in arrays.
 *
 * Users are counted from 0 in the order in which they come, so that what is
 * known of them can lie in plain arrays.  Nobody is ever forgotten; memory
 * grows by doubling, and looking a user up allocates nothing.
 */
#ifndef LIBRA_USERS_H
#define LIBRA_USERS_H

#include <stdint.h>

#define LIBRA_NO_USER UINT32_MAX

/* All zero: nobody is known. */
struct libra_users {
	uint32_t *id;	  /* the host's number of each */
	uint32_t *places; /* 2 x cap, by hash: a user's place + 1, or 0 */
	uint32_t n, cap;
};

/* The place of a user, or LIBRA_NO_USER. */
uint32_t libra_users_find(const struct libra_users *users, uint32_t id);

/* The same, and a user who is not known gets the place users->n.
 * Result: the place, or LIBRA_NO_USER with ENOMEM and nothing changed.
 */
uint32_t libra_users_need(struct libra_users *users, uint32_t id);

void libra_users_fini(struct libra_users *users);

#endif
