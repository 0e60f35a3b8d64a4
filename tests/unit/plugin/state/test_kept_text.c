/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kept_text.c - the file of kept places, as text. */
#include "plugin/state/kept_text.h"
#include "plugin/state/state_file.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

static void assert_damaged(const char *text, size_t size)
{
	struct host_kept kept;

	errno = 0;
	assert_int_equal(host_kept_read(&kept, text, size), -1);
	assert_int_equal(errno, EBADMSG);
}

static const char two_places[] =
	"libra_kept 1 mem gpu\n"
	"job=42 since=1000.25 until=1360.5 limit=1800 gone=17,18 parts=2\n"
	"n1 0 4 2000 1\n"
	"n2 2 1 18446744073709551615 0\n"
	"job=43 since=1 until=2 limit=60.5 gone= parts=1\n"
	"n2 0 1 0 0\n"
	"end 2\n";

static void places_are_read(void **state)
{
	struct host_kept kept;
	const struct host_kept_place *p;

	(void)state;
	assert_int_equal(host_kept_read(&kept, two_places, strlen(two_places)),
			 0);
	assert_int_equal(kept.nresources, 2);
	assert_string_equal(kept.resources[0], "mem");
	assert_string_equal(kept.resources[1], "gpu");
	assert_int_equal(kept.nplaces, 2);
	p = &kept.places[0];
	assert_int_equal(p->job_id, 42);
	assert_near(p->since_s, 1000.25, 0);
	assert_near(p->until_s, 1360.5, 0);
	assert_near(p->limit_s, 1800, 0);
	assert_int_equal(p->ngone, 2);
	assert_int_equal(p->gone[1], 18);
	assert_int_equal(p->nparts, 2);
	assert_string_equal(p->parts[1].node, "n2");
	assert_int_equal(p->parts[1].first, 2);
	assert_int_equal(p->parts[1].count, 1);
	assert_true(p->parts[1].amounts[0] == UINT64_MAX);
	assert_int_equal(p->parts[0].amounts[1], 1);
	assert_int_equal(kept.places[1].ngone, 0);
	host_kept_fini(&kept);
	assert_int_equal(kept.nplaces, 0);
}

static void what_is_written_is_the_same(void **state)
{
	struct host_text out = {0};
	struct host_kept kept;

	(void)state;
	assert_int_equal(host_kept_read(&kept, two_places, strlen(two_places)),
			 0);
	host_kept_add_first(&out, kept.resources, kept.nresources);
	for (uint32_t i = 0; i < kept.nplaces; i++) {
		const struct host_kept_place *p = &kept.places[i];

		host_kept_add_head(&out, p->job_id, p->since_s, p->until_s);
		host_kept_add_rest(&out, p, kept.nresources);
	}
	host_kept_add_end(&out, kept.nplaces);
	assert_false(out.cut);
	assert_string_equal(out.text, two_places);
	host_text_fini(&out);
	host_kept_fini(&kept);
}

/* Of what was cut off nothing is read. */
static void a_piece_is_damaged(void **state)
{
	(void)state;
	for (size_t n = 0; n < strlen(two_places); n++)
		assert_damaged(two_places, n);
}

#define HEAD  "libra_kept 1 mem\n"
#define PLACE "job=42 since=1 until=2 limit=3 gone=4 parts=1\n"

static void nonsense_is_damaged(void **state)
{
	static const char *const texts[] = {
		"libra_kept 2 mem\nend 0\n",
		"libra_kept 1  mem\nend 0\n",
		"libra_kept 1 mem \nend 0\n",
		"libra_kept 1 a b c d e f g h i\nend 0\n",
		HEAD "end 1\n",
		HEAD "end 0\n\n",
		HEAD "end +0\n",
		HEAD "end 4294967296\n",
		HEAD PLACE "end 1\n",
		HEAD PLACE "n1 0 4\nend 1\n",
		HEAD PLACE "n1 0 4 1 1\nend 1\n",
		HEAD PLACE "n1 0 0 1\nend 1\n",
		HEAD PLACE "n1 0 4 -1\nend 1\n",
		HEAD PLACE "n1 0 4 1\nn2 0 4 1\nend 1\n",
		HEAD PLACE "n1 0 4 1\nend 2\n",
		HEAD "job=0 since=1 until=2 limit=3 gone=4 parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=nan until=2 limit=3 gone=4 parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=1 until=inf limit=3 gone=4 parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=1 until=2 limit=0 gone=4 parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=1 until=2 limit=3 gone=4,,5 parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=1 until=2 limit=3 gone=4, parts=1\n"
		     "n1 0 4 1\nend 1\n",
		HEAD "job=42 since=1 until=2 limit=3 gone=4 parts=0\nend 1\n",
		HEAD "job=42 since=1 until=2 limit=3 gone=4 parts=4294967295\n"
		     "n1 0 4 1\nend 1\n",
	};
	static const char nul[] = "libra_kept 1 mem\nend 0\n\0";
	struct host_kept kept;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_damaged(texts[i], strlen(texts[i]));
	assert_damaged(nul, sizeof(nul) - 1);
	assert_int_equal(
		host_kept_read(&kept, HEAD "end 0\n", strlen(HEAD "end 0\n")),
		0);
	host_kept_fini(&kept);
}

/* A label names no folder, and where there is no room there is no name. */
static void a_file_has_a_path(void **state)
{
	char path[HOST_STATE_PATH];
	static char longer[HOST_STATE_PATH];

	(void)state;
	assert_true(host_state_path(path, "/var/spool/s", "libra_x", NULL));
	assert_string_equal(path, "/var/spool/s/libra_x");
	assert_true(host_state_path(path, "/var/spool/s", "libra_x", "a/b/c"));
	assert_string_equal(path, "/var/spool/s/libra_x.a_b_c");
	assert_false(host_state_path(path, NULL, "libra_x", "a"));
	assert_string_equal(path, "");
	memset(longer, 'a', sizeof(longer) - 11);
	assert_true(host_state_path(path, "/", "libra_x", longer));
	longer[sizeof(longer) - 11] = 'a';
	assert_false(host_state_path(path, "/", "libra_x", longer));
	assert_string_equal(path, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_read),
		cmocka_unit_test(what_is_written_is_the_same),
		cmocka_unit_test(a_piece_is_damaged),
		cmocka_unit_test(nonsense_is_damaged),
		cmocka_unit_test(a_file_has_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
