# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SIM: the simulator librasim and its libraries.
# Result: SIM_CFLAGS, SIM_LIBS, conditional SIM.
#
# It is built unless one says --disable-sim: a cluster that only loads the
# plugins needs none of these libraries.

AC_DEFUN([LIBRA_SIM], [
  AC_ARG_ENABLE([sim],
    [AS_HELP_STRING([--disable-sim], [do not build the simulator librasim])],
    [], [enable_sim=yes])
  AS_IF([test "x$enable_sim" != xno], [
    libra_missing=
    LIBRA_NEED_LIB([GSL], [gsl >= 2.7], [libgsl-dev])
    LIBRA_NEED_LIB([JANSSON], [jansson >= 2.14], [libjansson-dev])
    LIBRA_NEED_LIB([ZLIB], [zlib], [zlib1g-dev])
    LIBRA_NEED_LIB([CONFUSE], [libconfuse >= 3.3], [libconfuse-dev])
    LIBRA_NEED_LIB([MD], [libmd], [libmd-dev])
    AS_IF([test -n "$libra_missing"],
      [AC_MSG_ERROR([librasim lacks libraries. On Debian:
    apt-get install$libra_missing
or leave the simulator out with --disable-sim])])
    # Only faster: without it zlib unpacks all traces.
    PKG_CHECK_MODULES([DEFLATE], [libdeflate >= 1.10],
      [libra_have_deflate=yes
       DEFLATE_CFLAGS="$DEFLATE_CFLAGS -DHAVE_LIBDEFLATE"],
      [libra_have_deflate=no])
    # Without it logs that zstd packed are refused.
    PKG_CHECK_MODULES([ZSTD], [libzstd >= 1.4.0],
      [libra_have_zstd=yes
       ZSTD_CFLAGS="$ZSTD_CFLAGS -DHAVE_LIBZSTD"],
      [libra_have_zstd=no])
    SIM_CFLAGS="$GSL_CFLAGS $JANSSON_CFLAGS $ZLIB_CFLAGS $CONFUSE_CFLAGS $MD_CFLAGS $DEFLATE_CFLAGS $ZSTD_CFLAGS"
    SIM_LIBS="$GSL_LIBS $JANSSON_LIBS $ZLIB_LIBS $CONFUSE_LIBS $MD_LIBS $DEFLATE_LIBS $ZSTD_LIBS"
  ])
  AC_SUBST([SIM_CFLAGS])
  AC_SUBST([SIM_LIBS])
  AM_CONDITIONAL([SIM], [test "x$enable_sim" != xno])
])
