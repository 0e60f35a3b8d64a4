# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_SLURM: Slurm's public headers.
# Result: libra_have_slurm.

AC_DEFUN([LIBRA_SLURM], [
  AC_CHECK_HEADER([slurm/slurm.h], [libra_have_slurm=yes],
    [libra_have_slurm=no])
])
