# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_UNIT_TESTS: cmocka, for the programs that "make check" builds.
# Result: conditional UNIT_TESTS, CMOCKA_CFLAGS, CMOCKA_LIBS; TESTS_PATH, put
# before PATH where python3 is a script that looks for the interpreter (pyenv's
# takes longer than most tests): the interpreter's folder and a colon.

AC_DEFUN([LIBRA_UNIT_TESTS], [
  libra_missing=
  LIBRA_NEED_LIB([CMOCKA], [cmocka >= 1.1.5], [libcmocka-dev])
  AS_IF([test -z "$libra_missing"], [libra_have_cmocka=yes],
    [libra_have_cmocka=no])
  AM_CONDITIONAL([UNIT_TESTS], [test "x$libra_have_cmocka" = xyes])
  libra_python=`python3 -c 'import sys; print(sys.executable)' 2>/dev/null`
  AS_IF([test -n "$libra_python" &&
    test "x$libra_python" != "x`command -v python3`"],
    [TESTS_PATH=`AS_DIRNAME(["$libra_python"])`:], [TESTS_PATH=])
  AC_SUBST([TESTS_PATH])
])
