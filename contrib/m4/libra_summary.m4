# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SUMMARY: the last lines of configure, for the person who runs it: what
# will be built, and what to install for what will not.

# LIBRA_LINE(WORD, YES-TEXT, NO-TEXT): WORD is a shell value, "no" or empty = no
AC_DEFUN([LIBRA_LINE], [
  AS_CASE([$1], [no|''], [echo "  $3"], [echo "  $2"])
])

AC_DEFUN([LIBRA_SUMMARY], [
  echo
  echo "$PACKAGE_NAME $PACKAGE_VERSION, to be installed in $prefix"
  LIBRA_LINE([$enable_sim],
    [simulator     librasim],
    [simulator     not built (--disable-sim)])
  LIBRA_LINE([$libra_have_deflate],
    [gzip          by libdeflate],
    [gzip          by zlib; twice as fast after apt-get install libdeflate-dev])
  LIBRA_LINE([$libra_have_zstd],
    [zstd          logs packed by it are read],
    [zstd          logs packed by it are refused; on Debian: apt-get install libzstd-dev])
  LIBRA_LINE([$libra_have_cmocka],
    [unit tests    make check builds and runs them],
    [unit tests    not built: no cmocka; on Debian: apt-get install libcmocka-dev])
  LIBRA_LINE([$GNUPLOT],
    [figures       drawn by $GNUPLOT],
    [figures       none in reports, tables only: no gnuplot; on Debian: apt-get install gnuplot-nox])
  LIBRA_LINE([$libra_have_slurm],
    [job_submit    and spank, for Slurm $libra_slurm_version, into $slurmplugindir],
    [job_submit    and spank: not built: no Slurm headers; on Debian: apt-get install libslurm-dev])
  LIBRA_LINE([$libra_slurm_select],
    [select        cons_tres_libra, with the headers in $SLURM_SRC],
    [select        not built: --with-slurm-src=DIR; contrib/get-slurm-src fetches DIR])
  LIBRA_LINE([$libra_cli],
    [libra         the command: status, explain, what-if],
    [libra         the command is not built: it needs Slurm and jansson; on Debian: apt-get install libslurm-dev libjansson-dev])
  LIBRA_LINE([$VALGRIND],
    [valgrind      make check-valgrind],
    [valgrind      no make check-valgrind; on Debian: apt-get install valgrind])
  LIBRA_LINE([$enable_sanitizers],
    [sanitizers    address, undefined behaviour],
    [sanitizers    off (--enable-sanitizers)])
  LIBRA_LINE([$enable_werror],
    [warnings      are errors (--disable-werror)],
    [warnings      are shown (--enable-werror makes them errors)])
  echo
])
