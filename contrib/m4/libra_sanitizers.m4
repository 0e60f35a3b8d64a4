# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SANITIZERS: --enable-sanitizers builds everything with the address and
# the undefined behaviour sanitizer; the first report ends the program.

AC_DEFUN([LIBRA_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers],
    [AS_HELP_STRING([--enable-sanitizers],
      [build with the address and undefined behaviour sanitizers])],
    [], [enable_sanitizers=no])
  AS_IF([test "x$enable_sanitizers" = xyes], [
    libra_san="-fsanitize=address,undefined -fno-sanitize-recover=all"
    AC_MSG_CHECKING([whether $CC can link with $libra_san])
    libra_saved_CFLAGS="$CFLAGS"
    CFLAGS="$CFLAGS $libra_san"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([no sanitizer libraries; on Debian they come with gcc (libgcc-dev), or leave --enable-sanitizers out])])
    CFLAGS="$libra_saved_CFLAGS"
    LIBRA_CFLAGS="$LIBRA_CFLAGS $libra_san -fno-omit-frame-pointer"
  ])
  AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
])
