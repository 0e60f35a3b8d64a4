/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_lines.c - the two readers of a record against each other.
 *
 * Lines are drawn from right and wrong numbers, blanks and odd characters.
 * What the fast reader takes, the general one takes, with the same values; and
 * no number that is usual makes a line unusual.  The fast one has three forms:
 * for processors with AVX2, with SSE2, and without both.  The first is asked
 * where the processor has it; the last is compiled here under other names.
 */
#include "sim/log/swf_fields.h"
#include "tests/unit/test.h"

bool portable_fast(const char *p, double v[SWF_NKEPT]);
const char *portable_skip(const char *p, const char *end, size_t *lines);

#undef __SSE2__
#define swf_narrow_fast portable_fast
#define swf_narrow_skip portable_skip
#include "sim/log/swf_fast.c"
#undef swf_narrow_fast
#undef swf_narrow_skip

enum { LINES = 200000, ROOM = 1024 };

static const char *const usual[] = {
	"-1", "0", "5", "1", "10", "123", "99999999", "00000000",
};

static const char *const others[] = {
	"123456789", "1.5", "0.25",	  "-1.0", "-2",	  "-",	  "1.",
	".",	     ".5",  "1.2.3",	  "--1",  "-11",  "1e3",  "x",
	"12345.67",  "0-1", "2147483648", "1-",	  "\t",	  "7.0",  "000001.5",
	"-1.5",	     "-0",  "+4",	  "1;2",  "12/3", "4:05", "-1.",
};

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % n;
}

static const char *draw_token(int field, uint32_t wild)
{
	if (draw(18) < wild)
		return others[draw(sizeof(others) / sizeof(*others))];
	if (field < 2)
		return usual[1 + draw(6)];
	return usual[draw(sizeof(usual) / sizeof(*usual))];
}

static char *add(char *p, const char *text)
{
	return stpcpy(p, text);
}

/* Result: the end of the line, where a newline is; before SWF_SLACK bytes that
 * would do harm if they counted.
 */
static char *draw_line(char line[ROOM], uint32_t wild)
{
	int n = draw(20) == 0 ? 17 + (int)draw(3) : SWF_NFIELDS;
	char *p = line;

	memset(line, draw(2) ? '1' : '.', ROOM);
	for (int i = 0; i < n; i++) {
		for (uint32_t k = i > 0; k < 8; k += 1 + draw(8))
			p = add(p, i > 0 || draw(4) == 0 ? " " : "");
		if (i > 0)
			p = add(p, " ");
		p = add(p, draw_token(i, wild));
	}
	if (draw(8) == 0)
		p = add(p, "  ");
	*p = '\n';
	if (wild > 0 && draw(20) == 0)
		line[draw((uint32_t)(p - line))] =
			"\t\0\r;x\xff\x80/:"[draw(9)];
	return p;
}

typedef const char *pass_f(const char *p, const char *end, size_t *lines);

static void check_skip(pass_f *pass, const char *p, const char *end, bool taken)
{
	size_t lines = 7;

	assert_ptr_equal(pass(p, end, &lines), taken ? end + 1 : p);
	assert_int_equal(lines, taken ? 8 : 7);
}

static void check(const char *line, const char *end, bool is_usual)
{
	double fast[SWF_NKEPT], narrow[SWF_NKEPT];
	double portable[SWF_NKEPT], general[SWF_NFIELDS];
	const struct swf_place at = {.name = "test", .line = 1};
	const char *p = swf_skip_blanks(line);
	struct swf_trace trace = {.name = NULL};
	bool taken = swf_fields_fast(p, fast);

	check_skip(swf_fields_skip, p, end, taken);
	check_skip(swf_narrow_skip, p, end, taken);
	check_skip(portable_skip, p, end, taken);
	assert_int_equal(swf_narrow_fast(p, narrow), taken);
	assert_int_equal(portable_fast(p, portable), taken);
	if (is_usual && end - p < 128)
		assert_true(taken);
	if (!taken)
		return;
	assert_int_equal(swf_fields_parse(&at, p, general, &trace), 1);
	assert_int_equal(trace.extra_fields + trace.odd_line, 0);
	for (int i = 0; i < SWF_NKEPT; i++) {
		assert_true(fast[i] == general[i]);
		assert_true(narrow[i] == general[i]);
		assert_true(portable[i] == general[i]);
	}
}

/* The share of odd numbers is none, one in a line, and many. */
static void all_readers_agree(void **state)
{
	static const uint32_t wild[] = {0, 1, 9};
	char line[ROOM];

	for (seed = 1; seed <= 3; seed++) {
		uint64_t begin = seed;

		for (int i = 0; i < LINES; i++) {
			char *end = draw_line(line, wild[begin - 1]);
			size_t n = 0;

			for (const char *p = line; p < end; p++)
				n += *p != ' ' && (p == line || p[-1] == ' ');
			check(line, end, begin == 1 && n == SWF_NFIELDS);
		}
		seed = begin;
	}
}

/* Fractions, by field: where they are allowed, and one to a number. */
static void fractions_are_taken_where_they_may_be(void **state)
{
	for (int i = 0; i < SWF_NFIELDS; i++) {
		char line[ROOM], *p = line;
		double v[SWF_NKEPT];

		memset(line, '1', ROOM);
		for (int k = 0; k < SWF_NFIELDS; k++)
			p = add(p, k == i ? " 2.50" : " 7");
		*p = '\n';
		check(line, p, false);
		assert_int_equal(swf_fields_fast(line + 1, v),
				 !swf_fields[i].whole);
		if (!swf_fields[i].whole && i < SWF_NKEPT)
			assert_true(v[i] == 2.5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_readers_agree),
		cmocka_unit_test(fractions_are_taken_where_they_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
