#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A node is completing while the epilog of a job runs there, and Slurm starts
# nothing on it.  Here that takes 15 s on n1 alone, under planned and band.

. "$(dirname "$0")/lib.sh"
need_slurm
librasim=${LIBRASIM:-${builddir:-$PWD}/librasim}
extra_files=$(mktemp -d /tmp/libra-epilog.XXXXXX) || exit 1
chmod 0755 "$extra_files"
cat >"$extra_files/epilog" <<'END'
#!/bin/sh
[ "$SLURMD_NODENAME" = n1 ] || exit 0
exec sleep 15
END
chmod 0755 "$extra_files/epilog"
keep=$extra_files

completes() {
	sinfo -h -N -n n1 -p main -o %t | grep -q '^comp$'
}
n1_is_idle() {
	[ "$(sinfo -h -N -n n1 -p main -o %t)" = idle ]
}
# The log names it as soon as anybody asks for it.
named() {
	ctld_log_has "node n1 is completing since [0-9:]{8}"
}

short() { # OPTIONS of sbatch; as submit
	id=$(sbatch --parsable -o /dev/null "$@" --wrap 'sleep 5' \
		2>"$cluster/said")
	said=$(cat "$cluster/said")
}

starts_within() { # ID FROM TO: seconds from now on
	local in=$(($(planned_start "$1") - $(date +%s)))
	[ $in -ge "$2" ] && [ $in -le "$3" ]
}

for policy in planned band; do
	extra_files=
	[ -z "$cluster" ] || stop_cluster
	more=
	[ $policy = band ] || more=,libra_margin=10,libra_hold_back=0,libra_machine_reserve=no
	start_cluster --policy $policy --params libra_offer_ttl=5$more \
		--slurm-conf-extra "Epilog=$keep/epilog"
	extra_files=$keep
	sbatch -Q -w n1 --time=1 -n 4 -o /dev/null --wrap 'sleep 0.5'
	check "$policy: a node is completing" until_true 20 completes
	submit --time=1 --deadline=now+80 -n 4
	matches "a job with a near deadline is accepted" accepted "$said"
	wait_state "$id" RUNNING 8
	check "it starts on another node" test "$(job_field "$id" NodeList)" != n1
	check "while the node is completing" completes
	check "the log names the node" until_true 5 named
	submit --time=4 --deadline=now+5minutes -n 8
	check "the other nodes are taken" wait_state "$id" RUNNING 8
	short --time=1 --deadline=now+110 -n 4
	matches "one that has to wait for the node is accepted" accepted "$said"
	[ $policy = band ] ||
		check "and planned behind the epilog" starts_within "$id" 5 40
	check "the node is back" until_true 20 n1_is_idle
	check "the job is done" wait_state "$id" COMPLETED 20
	check "in time" test "$(epoch "$(job_field "$id" EndTime)")" -le \
		"$(cut -d. -f1 <<<"$(promise_field "$id" deadline)")"
	same "no promise is broken" 0 \
		"$(grep -cE 'promise (broken|lost)' "$cluster/log/slurmctld.log")"
	scancel -u root
	[ ! -x "$librasim" ] ||
		check "the log can be replayed" "$librasim" replay \
			"$cluster/log/libra.jsonl"
done
finish
