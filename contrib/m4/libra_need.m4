# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_NEED_LIB(PREFIX, MODULE, DEBIAN-PACKAGE): a library by pkg-config.
# Result: PREFIX_CFLAGS, PREFIX_LIBS; if it is missing, its package is added to
# libra_missing, so that one message names all that a part lacks.

AC_DEFUN([LIBRA_NEED_LIB], [
  PKG_CHECK_MODULES([$1], [$2], [],
    [AC_MSG_RESULT([missing])
     libra_missing="$libra_missing $3"])
])
