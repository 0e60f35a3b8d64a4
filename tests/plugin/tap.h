/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tap.h - the cases of a test program, as TAP.
 */
#ifndef LIBRA_TEST_TAP_H
#define LIBRA_TEST_TAP_H

#include <stdio.h>

static int cases, failures;

static inline void ok(int good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++cases, name);
	failures += !good;
}

/* At the end of main(): how many there were.  Result: for exit(). */
static inline int finish(void)
{
	printf("1..%d\n", cases);
	return failures != 0;
}

#endif
