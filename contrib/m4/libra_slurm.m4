# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SLURM: what the plugins need of Slurm.
#
# job_submit and SPANK plugins need the public headers.  The select plugin also
# needs the source headers of exactly the installed release, to the micro
# number: slurmctld loads no other, and no structure is checked.
#
# Result: libra_have_slurm, libra_slurm_version, libra_slurm_select;
#         SLURM_SRC, slurmplugindir; conditionals SLURM, SLURM_SELECT.

# LIBRA_SLURM_VERSION: the installed release as major.minor.micro
AC_DEFUN([LIBRA_SLURM_VERSION], [
  AC_COMPUTE_INT([libra_slurm_major], [SLURM_VERSION_NUMBER >> 16],
    [#include <slurm/slurm_version.h>])
  AC_COMPUTE_INT([libra_slurm_minor], [SLURM_VERSION_NUMBER >> 8 & 255],
    [#include <slurm/slurm_version.h>])
  AC_COMPUTE_INT([libra_slurm_micro], [SLURM_VERSION_NUMBER & 255],
    [#include <slurm/slurm_version.h>])
  libra_slurm_version=`printf '%d.%02d.%d' "$libra_slurm_major" \
    "$libra_slurm_minor" "$libra_slurm_micro"`
])

# LIBRA_SLURM_SRC: --with-slurm-src, checked against the installed release
AC_DEFUN([LIBRA_SLURM_SRC], [
  AC_ARG_WITH([slurm-src],
    [AS_HELP_STRING([--with-slurm-src=DIR],
      [source of the installed Slurm, for the select plugin])],
    [], [with_slurm_src=no])
  libra_slurm_select=no
  AS_IF([test "x$with_slurm_src" != xno], [
    AS_IF([test "x$libra_have_slurm" = xno],
      [AC_MSG_ERROR([--with-slurm-src needs the installed Slurm's headers too.
On Debian: apt-get install libslurm-dev])])
    AS_IF([test ! -r "$with_slurm_src/META"],
      [AC_MSG_ERROR([--with-slurm-src=$with_slurm_src holds no Slurm source.
Fetch it: $srcdir/contrib/get-slurm-src DIR])])
    libra_src_version=`$SED -n ['s/^[ 	]*Version:[ 	]*//p'] \
      "$with_slurm_src/META"`
    AS_IF([test "x$libra_src_version" != "x$libra_slurm_version"],
      [AC_MSG_ERROR([--with-slurm-src=$with_slurm_src is Slurm $libra_src_version, but $libra_slurm_version is installed.
Fetch the source of the installed one: $srcdir/contrib/get-slurm-src DIR])])
    SLURM_SRC=`cd "$with_slurm_src" && pwd`
    libra_slurm_select=yes
  ])
  AC_SUBST([SLURM_SRC])
])

# LIBRA_SLURM_PLUGINDIR: where the installed Slurm looks for plugins
AC_DEFUN([LIBRA_SLURM_PLUGINDIR], [
  AC_ARG_WITH([slurm-plugindir],
    [AS_HELP_STRING([--with-slurm-plugindir=DIR],
      [where Slurm loads plugins from (default: where its own are)])],
    [slurmplugindir=$withval], [
      slurmplugindir=
      libra_multiarch=`$CC -print-multiarch 2>/dev/null`
      for libra_dir in "/usr/lib/$libra_multiarch/slurm-wlm" \
        /usr/lib64/slurm /usr/lib/slurm /usr/local/lib/slurm; do
        AS_IF([test -e "$libra_dir/select_cons_tres.so"],
          [slurmplugindir=$libra_dir; break])
      done
      AS_IF([test -z "$slurmplugindir"],
        [slurmplugindir='${libdir}/slurm'])
    ])
  AC_SUBST([slurmplugindir])
])

AC_DEFUN([LIBRA_SLURM], [
  AC_CHECK_HEADER([slurm/slurm.h], [libra_have_slurm=yes],
    [libra_have_slurm=no])
  AS_IF([test "x$libra_have_slurm" = xyes], [LIBRA_SLURM_VERSION])
  LIBRA_SLURM_SRC
  LIBRA_SLURM_PLUGINDIR
  AM_CONDITIONAL([SLURM], [test "x$libra_have_slurm" = xyes])
  AM_CONDITIONAL([SLURM_SELECT], [test "x$libra_slurm_select" = xyes])
])
