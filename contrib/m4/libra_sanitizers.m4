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
  AC_ARG_ENABLE([fuzzing],
    [AS_HELP_STRING([--enable-fuzzing],
      [make tests/fuzz/fuzz a program of libFuzzer (CC=clang)])],
    [], [enable_fuzzing=no])
  FUZZ_CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
  FUZZ_LDFLAGS=
  AS_IF([test "x$enable_fuzzing" = xyes], [
    FUZZ_CFLAGS="$FUZZ_CFLAGS -fsanitize=fuzzer-no-link -DLIBRA_FUZZER"
    FUZZ_LDFLAGS="-fsanitize=fuzzer"
  ])
  AC_MSG_CHECKING([whether the parsers' test can be built with sanitizers])
  libra_saved_CFLAGS="$CFLAGS"
  libra_saved_LDFLAGS="$LDFLAGS"
  CFLAGS="$CFLAGS $FUZZ_CFLAGS"
  LDFLAGS="$LDFLAGS $FUZZ_LDFLAGS"
  AS_IF([test "x$enable_fuzzing" = xyes],
    [libra_entry='int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n ? 0 : 0; }'],
    [libra_entry='int main(void) { return 0; }'])
  AC_LINK_IFELSE([AC_LANG_SOURCE([$libra_entry])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AS_IF([test "x$enable_fuzzing" = xyes],
       [AC_MSG_ERROR([--enable-fuzzing needs clang with its runtime (CC=clang; on Debian clang and libclang-rt-dev), or leave it out])])
     FUZZ_CFLAGS=])
  CFLAGS="$libra_saved_CFLAGS"
  LDFLAGS="$libra_saved_LDFLAGS"
  AC_SUBST([FUZZ_CFLAGS])
  AC_SUBST([FUZZ_LDFLAGS])
])
