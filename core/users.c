/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.c - a table of users, by hash. */
#include "core/users.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define FIRST_USERS 16

/* Return the place of a user in the table, or an empty one: there always is
 * one.
 */
static uint32_t place_of(const struct libra_users *users, uint32_t id)
{
	uint32_t mask = 2 * users->cap - 1;
	uint32_t at = (id * 2654435769u >> 16 ^ id) & mask;

	while (users->places[at] != 0 && users->id[users->places[at] - 1] != id)
		at = (at + 1) & mask;
	return at;
}

uint32_t libra_users_find(const struct libra_users *users, uint32_t id)
{
	uint32_t taken = users->cap ? users->places[place_of(users, id)] : 0;

	return taken ? taken - 1 : LIBRA_NO_USER;
}

static int grow(struct libra_users *users)
{
	uint32_t cap =
		libra_doubled(users->cap, FIRST_USERS, (uint64_t)users->n + 1);
	uint32_t *places = calloc(2 * (size_t)cap, sizeof(*places));
	bool ok = true;

	users->id = libra_grown(users->id, cap, sizeof(*users->id), &ok);
	if (!ok || !places) {
		free(places);
		return -1;
	}
	free(users->places);
	users->places = places;
	users->cap = cap;
	for (uint32_t i = 0; i < users->n; i++)
		places[place_of(users, users->id[i])] = i + 1;
	return 0;
}

uint32_t libra_users_need(struct libra_users *users, uint32_t id)
{
	uint32_t user = libra_users_find(users, id);

	if (user != LIBRA_NO_USER)
		return user;
	if (users->n == users->cap && grow(users) < 0)
		return LIBRA_NO_USER;
	users->id[users->n] = id;
	users->places[place_of(users, id)] = users->n + 1;
	return users->n++;
}

void libra_users_fini(struct libra_users *users)
{
	free(users->id);
	free(users->places);
	memset(users, 0, sizeof(*users));
}
