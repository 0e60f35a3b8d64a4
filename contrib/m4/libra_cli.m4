# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_CLI: the command libra, by the public libraries of Slurm and jansson.
# Result: libra_cli; CLI_CFLAGS, CLI_LIBS; conditional CLI.

AC_DEFUN([LIBRA_CLI], [
  libra_cli=no
  AS_IF([test "x$libra_have_slurm" = xyes], [
    PKG_CHECK_MODULES([CLI], [jansson >= 2.14],
      [LIBRA_SLURM_HAS([slurm_load_jobs],
        [libra_cli=yes
         LIBRA_SLURM_HAS([slurm_free_conf],
           [CLI_CFLAGS="$CLI_CFLAGS -DHAVE_SLURM_FREE_CONF"])
         CLI_LIBS="$SLURM_LIBDIR_FLAGS -lslurm $CLI_LIBS"])], [:])
  ])
  AC_SUBST([CLI_CFLAGS])
  AC_SUBST([CLI_LIBS])
  AM_CONDITIONAL([CLI], [test "x$libra_cli" = xyes])
])

# LIBRA_SLURM_HAS(FUNCTION, IF-YES): is it in libslurm?  Never from a cache: the
# next Slurm may differ.
AC_DEFUN([LIBRA_SLURM_HAS], [
  AC_MSG_CHECKING([for $1 in libslurm])
  libra_saved_LIBS="$LIBS"
  LIBS="$SLURM_LIBDIR_FLAGS -lslurm $LIBS"
  AC_LINK_IFELSE([AC_LANG_CALL([], [$1])],
    [libra_slurm_has=yes], [libra_slurm_has=no])
  LIBS="$libra_saved_LIBS"
  AC_MSG_RESULT([$libra_slurm_has])
  AS_IF([test "x$libra_slurm_has" = xyes], [$2])
])
