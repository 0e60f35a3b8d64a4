#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nobody shuts admission for others: submissions that Slurm refuses after our
# verdict keep nothing, however many there are, of however many users.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy libra --params max_script_size=1000
big="--time=6 --deadline=now+10minutes -n 16"
# Slurm refuses so long a script when we have said our word.
refused=$cluster/long
{
	cat "$cluster/job"
	printf '#%01000d\n' 0
} >"$refused"
chmod 0755 "$refused"
rounds=${LIBRA_ROUNDS:-20}
users="daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc nobody"

# One submission after the other, each for all there is.
attack() { # USER
	local uid
	uid=$(id -u "$1" 2>/dev/null) || uid=65534
	while :; do
		setpriv --reuid="$uid" --regid=65534 --clear-groups \
			sbatch --chdir=/tmp -o /dev/null $big "$refused" 2>&1 |
			sed 's/^/# /'
	done >"$cluster/attack.$1"
}
no_promise() {
	! squeue -h -o %i | grep -q .
}
honest() { # how many of the rounds were refused
	local i refused=0
	for i in $(seq "$rounds"); do
		if submit $big; then
			scancel "$id"
			until_true 10 no_promise
		else
			refused=$((refused + 1))
			echo "# $said" >&2
		fi
	done
	echo "$refused"
}

alone=$(honest)
same "alone nobody is refused" 0 "$alone"

# One is enough to shut it, if its offer is kept.
setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --chdir=/tmp \
	-o /dev/null $big "$refused" >"$cluster/one" 2>&1
matches "what Slurm refuses after our verdict" 'submission failed' \
	"$(cat "$cluster/one")"

# From 24.11 a submission's thread goes on with other work: only time tells that
# it is over.
release=$(sinfo --version | sed 's/^[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1\2/')
soon() {
	if [ "$release" -lt 2411 ]; then
		submit $big
	else
		until_true 10 submit $big
	fi
}
check "leaves all there is at once, or (24.11) within seconds" soon
scancel "$id"
until_true 10 no_promise
check "slurmctld's log tells of it" ctld_log_has \
	'offer [0-9]+ to user [0-9]+ dropped'

# Asking what would be keeps nothing either.
sbatch --test-only $big "$cluster/job" >/dev/null 2>&1
check "nor does --test-only keep it" soon
scancel "$id"
until_true 10 no_promise

# What can be looked at before a word is said, is.
for o in --licenses=nosuch:1 --comment="$(printf %01025d 0)" \
	--threads-per-core=9; do
	submit $big "$o"
	matches "refused, and never accepted: ${o%%=*}" \
		'^sbatch: error: libra: ' "$(grep -v accepted <<<"$said")"
	same "and nothing more is said" 0 "$(grep -c accepted <<<"$said")"
done

# A text costs its sender's request as little as its length does, and others
# nothing.
longest=$((500 * ${LIBRA_PATIENCE:-2})) # ms
repeat() { # TEXT LENGTH
	printf "%$(($2 / ${#1}))s" "" | sed "s/ /$1/g"
}
ms() { # COMMAND...
	local from
	from=$(date +%s%N)
	"$@" >"$cluster/ms" 2>&1
	echo $((($(date +%s%N) - from) / 1000000))
}
flood() {
	while :; do
		sbatch -o /dev/null --time=6 --deadline=now+10minutes \
			--array="$(repeat 0-4000000, 20000)0" "$cluster/job"
	done >/dev/null 2>&1
}
for o in "array=$(repeat 0-4000000, 20000)0" "array=$(repeat 0-4000000, 3990)0" \
	"array=$(repeat 0-999, 4000)0%1" "constraint=$(repeat 'a\&' 1000)a" \
	"nodelist=n[0-999999999]" "licenses=$(repeat x, 100000)"; do
	took=$(ms sbatch -o /dev/null $big "--$o" "$cluster/job")
	echo "# $took ms"
	check "${#o} characters of --${o%%=*} are answered at once" \
		[ "$took" -lt "$longest" ]
	matches "with a refusal" 'libra: |nvalid|error' "$(cat "$cluster/ms")"
done
# The longest of ten small submissions: on a machine that runs much else each
# takes long, also without the arrays.
longest_of_ten() {
	local worst=0 took
	for i in $(seq 10); do
		took=$(ms sbatch -H -o /dev/null --time=1 "$cluster/job")
		[ "$took" -le "$worst" ] || worst=$took
	done
	echo "$worst"
}
quiet=$(longest_of_ten)
flood & pid=$!
worst=$(longest_of_ten)
kill $pid
wait $pid 2>/dev/null
echo "# $quiet ms before, $worst ms beside them"
check "beside long arrays others are answered at once" \
	[ "$worst" -lt $((longest + 2 * quiet)) ]
scancel --me
until_true 10 no_promise

pids=
for u in $users; do
	attack "$u" &
	pids+=" $!"
done
# The first few lost offers live their second each (24.11), one after the other;
# then who is not known has none.
attacked() {
	[ "$(cat "$cluster"/attack.* | grep -c 'submission failed')" -ge 64 ] &&
		grep -q 'did not become jobs' "$cluster"/attack.*
}
check "sixteen users submit what Slurm refuses" until_true 60 attacked
beside=$(honest)
kill $pids
wait $pids 2>/dev/null
echo "# $(cat "$cluster"/attack.* | grep -c 'submission failed') refused" \
	"beside $rounds honest submissions"
same "beside them an honest user is refused no more often" "$alone" "$beside"
matches "they are told why nothing is kept for them" \
	'did not become jobs' "$(cat "$cluster"/attack.*)"
until_true 10 no_promise

# It passes: and who has left nothing is not concerned.
check "another user has a promise at once" submit $big
matches "with a share" 'accepted: share' "$said"
scancel "$id"
finish
