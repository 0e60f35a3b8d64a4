# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SLURM: what the plugins need of Slurm.
#
# job_submit and SPANK plugins need the public headers.  The select plugin also
# needs the source headers of exactly the installed release, to the micro
# number: slurmctld loads no other, and no structure is checked.
#
# Nothing here is cached: the same build folder may be configured again for
# another release, also with a cache file.
#
# Result: libra_have_slurm, libra_slurm_version, libra_slurm_select;
#         SLURM_PREFIX, SLURM_CPPFLAGS, SLURM_LIBDIR_FLAGS, SLURM_NUMBER,
#         SLURM_RELEASE, SLURM_SRC, slurmplugindir; conditionals SLURM, SLURM_SELECT; the generated
#         headers of plugin/stub.

# LIBRA_SLURM_PREFIX: --with-slurm, and whether slurm.h compiles from there
AC_DEFUN([LIBRA_SLURM_PREFIX], [
  AC_ARG_WITH([slurm],
    [AS_HELP_STRING([--with-slurm=PREFIX],
      [the folder that Slurm is installed in (default: where the compiler
       finds slurm/slurm.h); --without-slurm builds no plugin])],
    [], [with_slurm=check])
  AS_CASE([$with_slurm],
    [check|yes|no], [SLURM_PREFIX=],
    [/*], [SLURM_PREFIX=`echo "$with_slurm" | $SED 's,//*$,,'`],
    [AC_MSG_ERROR([--with-slurm=$with_slurm is no absolute folder])])
  # Slurm's headers are not ours to warn about.
  SLURM_CPPFLAGS=
  AS_CASE([$SLURM_PREFIX], [''|/usr], [],
    [SLURM_CPPFLAGS="-isystem $SLURM_PREFIX/include"])
  AS_IF([test -n "$SLURM_PREFIX" &&
         test ! -r "$SLURM_PREFIX/include/slurm/slurm.h"],
    [AC_MSG_ERROR([there is no Slurm in $SLURM_PREFIX: no include/slurm/slurm.h])])
  libra_have_slurm=no
  AS_IF([test "x$with_slurm" != xno], [
    AC_MSG_CHECKING([for slurm/slurm.h${SLURM_PREFIX:+ in $SLURM_PREFIX}])
    LIBRA_WITH_SLURM_FLAGS([AC_COMPILE_IFELSE(
      [AC_LANG_PROGRAM([[#include <slurm/slurm.h>]], [])],
      [libra_have_slurm=yes])])
    AC_MSG_RESULT([$libra_have_slurm])
  ])
  AS_IF([test "x$libra_have_slurm,$with_slurm" = xno,yes],
    [AC_MSG_ERROR([slurm/slurm.h was not found: name Slurm's folder with --with-slurm=PREFIX.
On Debian: apt-get install libslurm-dev])])
  AS_IF([test "x$libra_have_slurm" = xno && test -n "$SLURM_PREFIX"],
    [AC_MSG_ERROR([$SLURM_PREFIX/include/slurm/slurm.h does not compile: see config.log])])
  AC_SUBST([SLURM_PREFIX])
  AC_SUBST([SLURM_CPPFLAGS])
])

# LIBRA_WITH_SLURM_FLAGS(COMMANDS): run with the flags for Slurm's headers
AC_DEFUN([LIBRA_WITH_SLURM_FLAGS], [
  libra_saved_CPPFLAGS="$CPPFLAGS"
  CPPFLAGS="$SLURM_CPPFLAGS $CPPFLAGS"
  $1
  CPPFLAGS="$libra_saved_CPPFLAGS"
])

# LIBRA_SLURM_VERSION: the installed release as major.minor.micro
AC_DEFUN([LIBRA_SLURM_VERSION], [
  LIBRA_WITH_SLURM_FLAGS([
    AC_COMPUTE_INT([libra_slurm_major], [SLURM_VERSION_NUMBER >> 16],
      [#include <slurm/slurm_version.h>])
    AC_COMPUTE_INT([libra_slurm_minor], [SLURM_VERSION_NUMBER >> 8 & 255],
      [#include <slurm/slurm_version.h>])
    AC_COMPUTE_INT([libra_slurm_micro], [SLURM_VERSION_NUMBER & 255],
      [#include <slurm/slurm_version.h>])
  ])
  libra_slurm_version=`printf '%d.%02d.%d' "$libra_slurm_major" \
    "$libra_slurm_minor" "$libra_slurm_micro"`
  libra_slurm_number=`printf '0x%02x%02x%02x' "$libra_slurm_major" \
    "$libra_slurm_minor" "$libra_slurm_micro"`
])

# LIBRA_SLURM_SRC: --with-slurm-src, checked against the installed release
AC_DEFUN([LIBRA_SLURM_SRC], [
  AC_ARG_WITH([slurm-src],
    [AS_HELP_STRING([--with-slurm-src=DIR],
      [source of the installed Slurm, for the select plugin])],
    [], [with_slurm_src=no])
  libra_slurm_select=no
  SLURM_SRC=
  AS_IF([test "x$with_slurm_src" != xno], [
    AS_IF([test "x$libra_have_slurm" = xno],
      [AC_MSG_ERROR([--with-slurm-src needs the installed Slurm's headers too: name its folder with --with-slurm=PREFIX.
On Debian: apt-get install libslurm-dev])])
    AS_IF([test ! -r "$with_slurm_src/META"],
      [AC_MSG_ERROR([--with-slurm-src=$with_slurm_src holds no Slurm source.
Fetch it: $srcdir/contrib/get-slurm-src DIR])])
    libra_src_version=`$SED -n ['s/^[ 	]*Version:[ 	]*//p'] \
      "$with_slurm_src/META"`
    AS_IF([test "x$libra_src_version" != "x$libra_slurm_version"],
      [AC_MSG_ERROR([--with-slurm-src=$with_slurm_src is Slurm $libra_src_version, but $libra_slurm_version is installed${SLURM_PREFIX:+ in $SLURM_PREFIX}.
Fetch the source of the installed one: $srcdir/contrib/get-slurm-src DIR])])
    SLURM_SRC=`cd "$with_slurm_src" && pwd`
    libra_slurm_select=yes
  ])
  AC_SUBST([SLURM_SRC])
])

# LIBRA_SLURM_LIBDIR: the folder of libslurm.so, where it is no system folder.
# What is built finds it there when it runs.
AC_DEFUN([LIBRA_SLURM_LIBDIR], [
  libra_multiarch=`$CC -print-multiarch 2>/dev/null`
  libra_slurm_libdir=
  SLURM_LIBDIR_FLAGS=
  AS_CASE([$SLURM_PREFIX], [''|/usr], [], [
    for libra_dir in lib64 lib ${libra_multiarch:+"lib/$libra_multiarch"}; do
      AS_IF([test -e "$SLURM_PREFIX/$libra_dir/libslurm.so"],
        [libra_slurm_libdir=$SLURM_PREFIX/$libra_dir; break])
    done
    AS_IF([test -n "$libra_slurm_libdir"],
      [SLURM_LIBDIR_FLAGS="-L$libra_slurm_libdir -Wl,-rpath,$libra_slurm_libdir"])
  ])
  AC_SUBST([SLURM_LIBDIR_FLAGS])
])

# LIBRA_SLURM_TRY_PLUGINDIR(DIR): take it, if it is the first with the plugins
AC_DEFUN([LIBRA_SLURM_TRY_PLUGINDIR], [
  AS_IF([test -z "$slurmplugindir" && test -e "$1/select_cons_tres.so"],
    [slurmplugindir="$1"])
])

# Beside the libraries that slurm.pc names.
AC_DEFUN([LIBRA_SLURM_PC_PLUGINDIR], [
  for libra_dir in lib64 lib ${libra_multiarch:+"lib/$libra_multiarch"}; do
    libra_pc=${SLURM_PREFIX:-/usr}/$libra_dir/pkgconfig/slurm.pc
    AS_IF([test -r "$libra_pc"],
      [libra_pc=`$PKG_CONFIG --variable=libdir "$libra_pc" 2>/dev/null`
       LIBRA_SLURM_TRY_PLUGINDIR([$libra_pc/slurm])])
  done
])

# PluginDir of a cluster that runs, or nothing: its first folder that is there.
AC_DEFUN([LIBRA_SLURM_ASK_PLUGINDIR], [
  AS_IF([test -n "$SLURM_PREFIX"],
    [libra_scontrol=$SLURM_PREFIX/bin/scontrol],
    [libra_scontrol=scontrol])
  for libra_dir in `timeout 5 $libra_scontrol show config 2>/dev/null |
    $SED -n 's/^PluginDir *= //p' | tr : ' '`; do
    LIBRA_SLURM_TRY_PLUGINDIR([$libra_dir])
  done
])

# LIBRA_SLURM_PLUGINDIR: where the installed Slurm looks for plugins
AC_DEFUN([LIBRA_SLURM_PLUGINDIR], [
  AC_ARG_WITH([slurm-plugindir],
    [AS_HELP_STRING([--with-slurm-plugindir=DIR],
      [where Slurm loads plugins from (default: where its own are)])],
    [slurmplugindir=$withval], [
      slurmplugindir=
      AS_IF([test "x$libra_have_slurm" = xyes], [
        LIBRA_SLURM_PC_PLUGINDIR
        for libra_dir in "lib/$libra_multiarch/slurm-wlm" \
          "lib/$libra_multiarch/slurm" lib64/slurm lib/slurm; do
          LIBRA_SLURM_TRY_PLUGINDIR([${SLURM_PREFIX:-/usr}/$libra_dir])
        done
        AS_IF([test -z "$SLURM_PREFIX"],
          [LIBRA_SLURM_TRY_PLUGINDIR([/usr/local/lib/slurm])])
        AS_IF([test -z "$slurmplugindir"], [LIBRA_SLURM_ASK_PLUGINDIR])
      ])
      AS_IF([test -z "$slurmplugindir"],
        [slurmplugindir='${libdir}/slurm'])
    ])
  AC_SUBST([slurmplugindir])
])

# LIBRA_SLURM_STUB: two headers that Slurm's own configure would have made, for
# the select plugin.  They change, and with them what is built is built again,
# only when another Slurm is configured.
AC_DEFUN([LIBRA_SLURM_STUB], [
  AC_CONFIG_COMMANDS([plugin/stub/slurm/slurm_version.h], [
    libra_stub=plugin/stub
    AS_MKDIR_P([$libra_stub/slurm])
    # NDEBUG: releases are built without debugging.
    printf '%s\n' '/* Generated by configure. */' '#define NDEBUG 1' \
      >$libra_stub/config.h.new
    { echo "/* Generated by configure, for Slurm $libra_slurm_version"
      echo " * in ${libra_slurm_prefix:-the system}, source ${libra_slurm_src:-none}"
      echo ' */'
      test "x$libra_have_slurm" = xno ||
        echo '#include <slurm/slurm_version.h>' |
          $libra_slurm_cpp -E -dM -x c - | LC_ALL=C sort |
          grep '^#define SLURM_\(VERSION_\|M[[AI]]\)'
    } >$libra_stub/slurm/slurm_version.h.new
    for libra_file in config.h slurm/slurm_version.h; do
      if cmp -s $libra_stub/$libra_file.new $libra_stub/$libra_file; then
        rm -f $libra_stub/$libra_file.new
      else
        mv -f $libra_stub/$libra_file.new $libra_stub/$libra_file
      fi
    done
  ], [
    libra_have_slurm='$libra_have_slurm'
    libra_slurm_version='$libra_slurm_version'
    libra_slurm_prefix='$SLURM_PREFIX'
    libra_slurm_src='$SLURM_SRC'
    libra_slurm_cpp='$CC $SLURM_CPPFLAGS $CPPFLAGS'
  ])
])

AC_DEFUN([LIBRA_SLURM], [
  AC_REQUIRE([AC_PROG_SED])
  AC_REQUIRE([PKG_PROG_PKG_CONFIG])
  LIBRA_SLURM_PREFIX
  libra_slurm_version=none
  libra_slurm_number=0
  AS_IF([test "x$libra_have_slurm" = xyes], [LIBRA_SLURM_VERSION])
  LIBRA_SLURM_SRC
  LIBRA_SLURM_LIBDIR
  LIBRA_SLURM_PLUGINDIR
  LIBRA_SLURM_STUB
  AC_SUBST([SLURM_NUMBER], [$libra_slurm_number])
  AC_SUBST([SLURM_RELEASE], [$libra_slurm_version])
  AM_CONDITIONAL([SLURM], [test "x$libra_have_slurm" = xyes])
  AM_CONDITIONAL([SLURM_SELECT], [test "x$libra_slurm_select" = xyes])
])
