# SPDX-License-Identifier: GPL-2.0-or-later
#
# LIBRA_CORE_FOLDER: our folder core/ is no core dump.
#
# After each of its questions, configure runs "rm -f core ...", and at its end a
# list of commands that stops if this fails.  A second run in a directory, whose
# core/ is there already, would complain at each question and leave files
# behind.  "rm" without -r cannot harm the folder; only its complaint goes.

AC_DEFUN([LIBRA_CORE_FOLDER], [
rm ()
{
  command rm "$[@]" 2>/dev/null || test -d core
}
])
