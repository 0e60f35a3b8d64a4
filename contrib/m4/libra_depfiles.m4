# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_DEPFILES: make the files of dependencies that the Makefile includes, before
# automake does so by some processes for each, which is most of configure's time.

AC_DEFUN([LIBRA_DEPFILES], [
  AC_BEFORE([$0], [AC_PROG_CC])
  AC_CONFIG_COMMANDS([libra-depfiles], [
    libra_files=`sed -n ['s,^include \(.*\)$(DEPDIR)/\(.*\) # am--.*,\1.deps/\2,p'] \
      Makefile`
    test -z "$libra_files" ||
      echo "$libra_files" | sed ['s,/[^/]*$,,'] | sort -u | xargs mkdir -p
    for libra_file in $libra_files; do
      test -e "$libra_file" || echo '# dummy' >"$libra_file"
    done
  ])
])
