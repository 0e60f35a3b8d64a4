# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_UNIT_TESTS: cmocka, for the programs that "make check" builds.
# Result: conditional UNIT_TESTS, CMOCKA_CFLAGS, CMOCKA_LIBS.

AC_DEFUN([LIBRA_UNIT_TESTS], [
  libra_missing=
  LIBRA_NEED_LIB([CMOCKA], [cmocka >= 1.1.5], [libcmocka-dev])
  AS_IF([test -z "$libra_missing"], [libra_have_cmocka=yes],
    [libra_have_cmocka=no])
  AM_CONDITIONAL([UNIT_TESTS], [test "x$libra_have_cmocka" = xyes])
])
