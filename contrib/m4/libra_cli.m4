# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_CLI: the command libra, by the public libraries of Slurm and jansson.
# Result: libra_cli; CLI_CFLAGS, CLI_LIBS; conditional CLI.

AC_DEFUN([LIBRA_CLI], [
  libra_cli=no
  AS_IF([test "x$libra_have_slurm" = xyes], [
    PKG_CHECK_MODULES([CLI], [jansson >= 2.14],
      [AC_CHECK_LIB([slurm], [slurm_load_jobs],
        [libra_cli=yes
         AC_CHECK_LIB([slurm], [slurm_free_conf],
           [CLI_CFLAGS="$CLI_CFLAGS -DHAVE_SLURM_FREE_CONF"])
         CLI_LIBS="-lslurm $CLI_LIBS"])], [:])
  ])
  AC_SUBST([CLI_CFLAGS])
  AC_SUBST([CLI_LIBS])
  AM_CONDITIONAL([CLI], [test "x$libra_cli" = xyes])
])
