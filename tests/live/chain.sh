#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra chain with a real sbatch: the deadlines that jobs get, the end of the
# whole, and nothing that is left of a chain which is refused.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "libra was not built"
start_cluster --policy planned
export TZ=UTC

cat >"$cluster/three" <<END
--time=1 -o /dev/null $cluster/job 2
sbatch -t 2 -o /dev/null $cluster/job 2
--time=3 -o /dev/null --wrap='sleep 1; true'
END
deadline=$(date -u -d '+20 minutes' +%FT%T)
submitted() {
	"$libra" chain -d "$deadline" "$cluster/three" >"$cluster/shown"
}
check "a chain is submitted" submitted
mapfile -t ids < <(awk '$1 ~ /^[0-9]+$/ { print $2 }' "$cluster/shown")
same "three links" 3 ${#ids[@]}
sed 's/^/# /' "$cluster/shown"
deadline_of() { # JOB: as slurmctld's record has it
	scontrol show job "$1" | grep -oE ' deadline=[0-9.]+' | cut -d= -f2
}
last=$(date -u -d "$deadline" +%s)
same "the last one has its deadline" "$last" "$(deadline_of "${ids[2]}")"
same "the second one less the last one's limit" $((last - 180)) \
	"$(deadline_of "${ids[1]}")"
same "the first one less both" $((last - 300)) "$(deadline_of "${ids[0]}")"
matches "the second one waits for the first" "afterok:${ids[0]}" \
	"$(scontrol show job "${ids[1]}")"
check "the chain is on time" "$libra" chain "${ids[@]}"
completed() {
	"$libra" chain "${ids[@]}" >"$cluster/shown" &&
		[ "$(grep -c COMPLETED "$cluster/shown")" -eq 3 ]
}
check "and completes" until_true 60 completed
matches "in time" '^chain: on time: ' "$(tail -n 1 "$cluster/shown")"
sed 's/^/# /' "$cluster/shown"

# The second link never starts.
printf -- '--time=1 -o /dev/null --wrap=%s\n' false true >"$cluster/fails"
"$libra" chain -P -d "$deadline" "$cluster/fails" >"$cluster/shown"
last=$(tail -n 1 "$cluster/shown" | cut -d'|' -f2)
failed() {
	"$libra" chain -d "$deadline" "$last" >"$cluster/shown"
	[ $? -eq 3 ] && grep -q '^chain: failed: link 1 ' "$cluster/shown"
}
check "a link behind one that failed has failed, too" until_true 20 failed
scancel "$last"

# An interrupt comes while links are submitted.
for ((i = 0; i < 100; i++)); do
	echo "--time=1 -o /dev/null $cluster/job 2"
done >"$cluster/many"
"$libra" chain -d "$(date -u -d '+200 minutes' +%FT%T)" "$cluster/many" \
	>/dev/null 2>"$cluster/said" &
pid=$!
some() {
	[ "$(squeue -h | wc -l)" -gt 2 ]
}
check "many links are being submitted" until_true 20 some
kill -TERM $pid
wait $pid
same "an interrupt ends the command" 143 $?
empty() {
	[ -z "$(squeue -h)" ]
}
check "and leaves none of them" until_true 20 empty

# Too large for the machine: what was submitted is cancelled.
cat >"$cluster/large" <<END
--time=1 -o /dev/null --hold $cluster/job 2
--time=1 -N 999 -o /dev/null $cluster/job 2
END
refused() {
	"$libra" chain -d "$deadline" "$cluster/large" 2>"$cluster/said"
	local status=$?
	cat "$cluster/said"
	[ $status -eq 3 ] && grep -q 'link 2 (line 2) was refused' \
		"$cluster/said" && [ -z "$(squeue -h)" ]
}
check "a chain that is refused leaves nothing" refused
alone() {
	"$libra" chain -d "$deadline" --test-only "$cluster/three" &&
		[ -z "$(squeue -h)" ]
}
check "a question submits nothing" alone
finish
