#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a refusal advises comes true: "try --deadline=now+N" is accepted when it
# is typed at once, as a promise and no bet, by every policy (or LIBRA_POLICIES)
# and for every shape of request.

. "$(dirname "$0")/lib.sh"
need_slurm

# What is tried is within 1 %, and at least a minute, of the earliest deadline:
# the same message says both.
is_nearest() { # with the message in $said, the advice in $advice
	local n=${advice##*+} earliest tried most=60
	n=${n%minutes}
	[ $((n * 60 / 100)) -le $most ] || most=$((n * 60 / 100))
	earliest=$(sed -n 's/.*earliest deadline now[^2]*\(2[^ ]*\).*/\1/p' \
		<<<"$said")
	tried=$(sed -n 's/.*try --deadline=[^ ]* (\([0-9][^)]*\)).*/\1/p' <<<"$said")
	# The clocks are of UTC, and one without a date is today, in UTC.
	[ $(($(TZ=UTC date -d "$tried" +%s) -
		$(TZ=UTC date -d "$earliest" +%s))) -le $most ]
}

# Refused; then accepted as advised.
try_it() { # NAME OPTIONS of sbatch, without a deadline
	local name=$1 advice
	shift
	submit "$@" --deadline=now+11minutes
	same "$name: refused" 1 $?
	advice=$(sed -n 's/.*try \(--deadline=now+[0-9]*minutes\) .*/\1/p' \
		<<<"$said")
	matches "$name: with a time from now" '^--deadline=now[+]' "$advice"
	matches "$name: and its clock with the zone" \
		"try ${advice/+/[+]} \\([0-9-]* ?[0-9:]+ UTC[^)]*\\)" \
		"$said"
	# It is the nearest, or the message says that it need not be.
	[[ $said == *"(a nearer one may do)"* ]] || is_nearest
	ok $? "$name: it is near the earliest, where nothing is said of that"
	check "$name: accepted with it" submit "$@" "$advice"
	matches "$name: as a promise" 'libra: accepted: ' "$said"
	scancel "$id"
	until_true 20 is_gone "$id"
}
is_gone() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}

for policy in ${LIBRA_POLICIES:-libra librarisk demand band planned}; do
	start_cluster --policy $policy
	# All processors are busy until their deadlines, some less than others.
	for n in 16 8 3; do
		submit --time=9 --deadline=now+$((32 - n))minutes -n $n ||
			submit --time=4 --deadline=now+$((32 - n))minutes -n $n
		wait_state "$id" RUNNING 2>/dev/null || :
	done
	submit --time=9 --deadline=now+10minutes -n 16 >/dev/null 2>&1
	try_it "$policy, a job" --time=10 -n 16
	try_it "$policy, an array" --array=0-31 --time=10 -n 1
	try_it "$policy, an array with steps" --array=1-29:4,40 --time=10 -n 5
	try_it "$policy, nodes" --time=10 -N 4 -n 16
	try_it "$policy, tasks of two CPUs" --time=10 -n 8 -c 2
	try_it "$policy, tasks per node" --time=10 -N 4 --ntasks-per-node=4
	# A zone of the user's own changes nothing.
	export TZ=Asia/Tokyo
	try_it "$policy, in Tokyo" --time=10 -n 16
	unset TZ
	stop_cluster
done
finish
