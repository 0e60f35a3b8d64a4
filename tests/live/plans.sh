#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A short campaign of planned: promises of whole nodes, GPUs and memory beside
# ordinary jobs; a node fails, slurmctld is killed, restarted and configured anew.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
[ -x "$librasim" ] || skip_all "librasim was not built"
command -v python3 >/dev/null || skip_all "python3 is not installed"
python3 -c 'import csv, tempfile' 2>/dev/null ||
	skip_all "python3 has only a part of its library here"
work=$(mktemp -d /tmp/libra-live.XXXXXX)
extra_files=$work
run_program "$top/contrib/plan-campaign" --jobs "${LIBRA_JOBS:-50}" \
	--seed "${LIBRA_SEED:-1}" --gap 0.7 --dir "$work/c" --out "$work/out" \
	--plugindir "$LIBRA_PLUGINDIR" --librasim "$librasim" >"$work/said" 2>&1
same "a campaign ends without a finding" 0 $?
sed 's/^/# /' "$work/said"
matches "all its jobs were judged" \
	"^${LIBRA_JOBS:-50} jobs, 3 kills, [0-9]+ s, 0 findings" \
	"$(cat "$work/said")"
finish
