#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbatch --test-only beside jobs that run and wait: the start that it tells is
# the one that comes, with a deadline and without, under each policy.  A node of
# four CPUs for each of five policies, in one slurmctld.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --nodes 6 --params \
	libra_no_deadline=best_effort,libra_hold_back=0,libra_machine_reserve=no,libra_margin=10
policies=(libra librarisk demand band planned)
groups=
for i in 0 1 2 3 4; do
	groups+=${groups:+,}${policies[$i]}:${policies[$i]}
	sharing=FORCE:16
	[ "${policies[$i]}" != planned ] || sharing=YES:4
	echo "PartitionName=${policies[$i]} Nodes=n$((i + 1)) MaxTime=INFINITE" \
		"State=UP OverSubscribe=$sharing" >>"$SLURM_CONF"
done
sed -i -e "s/libra_policy=band,libra_partitions=main/libra_policy=$groups/" \
	-e 's/^PartitionName=main Nodes=[^ ]*/PartitionName=main Nodes=n6/' \
	-e '/^PartitionName=stock/d' "$SLURM_CONF"
check "slurmctld starts with five policies" \
	"$DEMO" restart-ctld -d "$cluster"
wait_nodes

epoch() { # TIME as Slurm prints it
	date -d "$1" +%s
}
near() { # A B SECONDS
	local d=$(($1 - $2))
	[ ${d#-} -le "$3" ] || {
		echo "$1 and $2 are $d s apart"
		return 1
	}
}
# The start that is told into $told, as an instant; 0 if there is none.
ask() { # OPTIONS
	said=$(sbatch --test-only -o /dev/null "$@" "$cluster/job" 2>&1)
	told=$(sed -n 's/.* to start at \([^ ]*\) .*/\1/p' <<<"$said")
	[ -n "$told" ] && told=$(epoch "$told") || { told=0 && echo "$said"; }
}
now() {
	date +%s
}
# What is told is now, and a job that is submitted so starts.
starts_as_told() { # NAME OPTIONS
	local name=$1
	shift
	ask "$@"
	check "$name is told to start now" near "$told" "$(now)" 2
	check "and is submitted" submit "$@"
	check "and starts" wait_state "$id" RUNNING 3
}
began() { # JOB
	epoch "$(job_field "$1" StartTime)"
}

for p in "${policies[@]}"; do
	late=--deadline=now+50minutes
	starts_as_told "$p: a promised job" -p "$p" --time=10 -n 4 \
		--deadline=now+14minutes
	a=$id
	check "$p: another is promised" submit -p "$p" --time=2 -n 4 $late
	b=$id
	case $p in
	libra | librarisk | demand)
		check "$p: it starts at once, beside the first" \
			wait_state "$b" RUNNING 3
		starts_as_told "$p: a third" -p "$p" --time=2 -n 4 \
			--deadline=now+55minutes
		;;
	band)
		same "band: it waits for its turn" PENDING "$(job_state "$b")"
		want=$(($(began "$a") + 600))
		ask -p band --time=2 -n 4 --deadline=now+49minutes
		check "band: who comes before it starts when the first ends" \
			near "$told" $want 3
		ask -p band --time=2 -n 4 --deadline=now+55minutes
		check "band: who comes behind it when both have ended" \
			near "$told" $((want + 120)) 3
		;;
	planned)
		want=$(promise_field "$b" start | cut -d. -f1)
		check "planned: it has a plan" near "$want" \
			$(($(began "$a") + 610)) 3
		ask -p planned --time=2 -n 4 --deadline=now+55minutes
		check "planned: the next one starts when it has ended" \
			near "$told" $((want + 130)) 3
		plan=$(sed -n 's/.*planned start \([0-9: -]*[0-9]\).*/\1/p' <<<"$said")
		check "planned: as the verdict says" near "$told" \
			"$(epoch "$plan")" 2
		ask -p planned --time=2 -n 4
		check "planned: so does an ordinary job" \
			near "$told" $((want + 130)) 3
		check "planned: it is submitted" submit -p planned --time=2 -n 4
		o=$id
		in_queue() {
			[ "$(job_field "$o" Reason)" != None ]
		}
		until_true 5 in_queue
		ask -p planned --time=2 -n 4
		check "planned: the next waits for it, too" \
			near "$told" $((want + 130 + 130)) 12
		ask -p planned --time=2 -n 4 --deadline=now+55minutes
		check "planned: a promised one does not" \
			near "$told" $((want + 130)) 3
		;;
	esac
	[ "$p" = planned ] || starts_as_told "$p: an ordinary job" -p "$p" \
		--time=2 -n 2
	ask -p "$p" --time=2 -n 1 $late --begin=now+20minutes
	check "$p: a later begin is told as it is" near "$told" \
		$(($(now) + 1200)) 3
	scancel "$a"
	check "$p: an early end" wait_state "$b" RUNNING 5
	scancel -p "$p"
	until_true 10 sh -c "[ -z \"\$(squeue -h -p $p)\" ]"
	starts_as_told "$p: an ordinary job after that" -p "$p" --time=2 -n 4
	scancel "$id"
done

# Under planned these share no core, though Slurm would let them.
for i in 1 2 3; do
	submit -p planned --oversubscribe --time="$i" -n 4
done
tells_starts() {
	[ "$(squeue -h --start -p planned -o %S | grep -c '^[0-9]')" -eq 2 ]
}
check "planned: who could share cores is told a start, too" \
	until_true 40 tells_starts
scancel -p planned

# Where half as many ordinary jobs share each core as may, the next waits until
# the first of them ends.
for i in 1 2 3 4 5 6 7 8; do
	submit -p libra --time=$((i + 3)) -n 4
done
a=$id
check "half as many ordinary jobs as may run" wait_state "$a" RUNNING
first=$(squeue -h -p libra -t R -S L -o %i | head -n 1)
ask -p libra --time=2 -n 4
check "the next is told when the first of them ends" near "$told" \
	"$(epoch "$(job_field "$first" EndTime)")" 2
submit -p libra --time=2 -n 4
o=$id
scancel "$first"
check "and starts when it has ended" wait_state "$o" RUNNING 5

starts_as_told "a job of a partition that is not managed" --time=2 -n 4
scancel -u root
finish
