/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_wide.c - swf_fast.c once more, for processors with AVX2 and what came
 * with it; and the choice between the two.
 */
#include "sim/log/swf_fields.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#define swf_narrow_fast wide_fast
#define swf_narrow_skip wide_skip
static bool wide_fast(const char *p, double v[SWF_NKEPT]);
static const char *wide_skip(const char *p, const char *end, size_t *lines);
#include "sim/log/swf_fast.c"
#undef swf_narrow_fast
#undef swf_narrow_skip
#pragma GCC pop_options

static inline bool is_wide(void)
{
	return __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("popcnt");
}

bool swf_fields_fast(const char *p, double v[SWF_NKEPT])
{
	return is_wide() ? wide_fast(p, v) : swf_narrow_fast(p, v);
}

const char *swf_fields_skip(const char *p, const char *end, size_t *lines)
{
	return is_wide() ? wide_skip(p, end, lines)
			 : swf_narrow_skip(p, end, lines);
}

#else

bool swf_fields_fast(const char *p, double v[SWF_NKEPT])
{
	return swf_narrow_fast(p, v);
}

const char *swf_fields_skip(const char *p, const char *end, size_t *lines)
{
	return swf_narrow_skip(p, end, lines);
}

#endif
