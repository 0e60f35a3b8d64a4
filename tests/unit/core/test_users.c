/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_users.c - users get places in the order in which they come. */
#include "core/users.h"
#include "tests/unit/test.h"

static void nobody_is_known_at_first(void **state)
{
	struct libra_users users = {NULL};

	assert_int_equal(libra_users_find(&users, 0), LIBRA_NO_USER);
	libra_users_fini(&users);
}

/* Numbers that fall on each other's places, 0 and the greatest, and more of
 * them than any first table has.
 */
static void places_are_in_order_of_coming(void **state)
{
	static const uint32_t ids[] = {1001, 0, UINT32_MAX, 1001 + (1u << 31)};
	struct libra_users users = {NULL};

	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(libra_users_need(&users, ids[i]), i);
	for (uint32_t i = 4; i < 1000; i++)
		assert_int_equal(libra_users_need(&users, i << 16 | 7), i);
	for (uint32_t i = 4; i < 1000; i++)
		assert_int_equal(libra_users_need(&users, i << 16 | 7), i);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(libra_users_find(&users, ids[i]), i);
		assert_int_equal(users.id[i], ids[i]);
	}
	assert_int_equal(users.n, 1000);
	assert_int_equal(libra_users_find(&users, 6), LIBRA_NO_USER);
	libra_users_fini(&users);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_known_at_first),
		cmocka_unit_test(places_are_in_order_of_coming),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
