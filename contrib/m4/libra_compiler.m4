# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_COMPILER: the dialect and the warnings of all our code.
# Result: LIBRA_CFLAGS, LIBRA_CPPFLAGS.
#
# No fused multiply-add: a decision must not depend on the machine that the
# code was built for.  Hidden by default: plugins are loaded into a process
# whose symbols we do not choose, and calls inside the core stay direct.

AC_DEFUN([LIBRA_COMPILER], [
  AC_LANG_PUSH([C])
  LIBRA_CPPFLAGS="-D_GNU_SOURCE"
  LIBRA_CFLAGS="-std=gnu11"
  LIBRA_NEED_CFLAG([-ffp-contract=off])
  LIBRA_TRY_CFLAGS([-fvisibility=hidden -Wall -Wextra -Wshadow dnl
-Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla dnl
-Wno-unused-parameter])

  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror],
      [make warnings errors: for developers and CI, whose compilers and
       headers are known])],
    [], [enable_werror=no])
  AS_IF([test "x$enable_werror" = xyes],
    [LIBRA_CFLAGS="$LIBRA_CFLAGS -Werror"])

  AC_LANG_POP([C])
  AC_SUBST([LIBRA_CFLAGS])
  AC_SUBST([LIBRA_CPPFLAGS])
])

# LIBRA_CFLAG_WORKS(FLAG, IF-YES, IF-NO)
# -Werror: clang only warns about a flag that it does not know.
AC_DEFUN([LIBRA_CFLAG_WORKS], [
  AC_MSG_CHECKING([whether $CC takes $1])
  libra_saved_CFLAGS="$CFLAGS"
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [libra_flag_works=yes], [libra_flag_works=no])
  CFLAGS="$libra_saved_CFLAGS"
  AC_MSG_RESULT([$libra_flag_works])
  AS_IF([test "x$libra_flag_works" = xyes], [$2], [$3])
])

AC_DEFUN([LIBRA_NEED_CFLAG], [
  LIBRA_CFLAG_WORKS([$1], [LIBRA_CFLAGS="$LIBRA_CFLAGS $1"],
    [AC_MSG_ERROR([$CC does not take $1: results would depend on the machine. Use gcc or clang.])])
])

AC_DEFUN([LIBRA_TRY_CFLAGS], [
  for libra_flag in $1; do
    LIBRA_CFLAG_WORKS([$libra_flag],
      [LIBRA_CFLAGS="$LIBRA_CFLAGS $libra_flag"], [:])
  done
])
