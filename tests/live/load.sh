#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurmctld under load: what submissions cost beside stock Slurm, how long our
# calls hold Slurm's locks, and whether memory stays where it is.
#
# The nodes are of State=CLOUD: slurmctld believes that they are powered up when
# jobs come, so that 10,000 processors need no slurmd.  Two clusters, with the
# plugins and without, take turns.
#
# LOAD_NODES x LOAD_CPUS    the processors (default 20 x 50)
# LOAD_SUBMITTERS           at one time (16)
# LOAD_HELD                 promises held while submissions are timed ("0 200")
# LOAD_TURNS, LOAD_EACH     turns, of so many submissions a submitter (3, 10)
# LOAD_STARTS               promises that are started and ended (200)
# LOAD_BESIDE               submissions of a submitter while those run (2)
# LOAD_SUBMISSIONS          that memory must be flat over (1000)
# LOAD_RESTARTED            jobs that both hold over a restart: what the heap grows
#                           by beside them is printed (0: not tried)
# LOAD_POLICY               (librarisk)
# LOAD_P99, LOAD_MOST       microseconds that 99 of 100 calls may take, and all
#                           (2000, 20000: the machine runs other tests)
# LOAD_LEAST                part of stock's submissions per second that are
#                           wanted (0: they are printed, and not judged)
# LOAD_QUEUE                jobs that wait, each fourth with a deadline: what they
#                           cost slurmctld is printed, and nothing else tried (0)
# LOAD_QUESTIONS            promises beside which the command libra is timed and
#                           judged, and nothing else tried (0)
#
# LOAD_PARAMS               more tokens of SchedulerParameters
#
# contrib/load-test runs it with the numbers that are promised.

. "$(dirname "$0")/lib.sh"
# As long as it takes, where more is asked for than all tests together ask.
[ -z "${LOAD_HELD-}${LOAD_SUBMISSIONS-}" ] || limit_s=0
need_slurm
release=$(slurmctld -V | sed 's/^[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1\2/')
nodes=${LOAD_NODES:-20} cpus=${LOAD_CPUS:-50}
submitters=${LOAD_SUBMITTERS:-16}
read -ra held <<<"${LOAD_HELD:-0 200}"
turns=${LOAD_TURNS:-3} each=${LOAD_EACH:-10}
starts=${LOAD_STARTS:-200}
running=${LOAD_BESIDE:-2}
submissions=${LOAD_SUBMISSIONS:-1000}
restarted=${LOAD_RESTARTED:-0}
policy=${LOAD_POLICY:-librarisk}
p99=${LOAD_P99:-2000} most=${LOAD_MOST:-20000}
least=${LOAD_LEAST:-0}
queue=${LOAD_QUEUE:-0}
questions=${LOAD_QUESTIONS:-0}
libra=${LIBRA:-${builddir:-$PWD}/libra}

# --- clusters ---------------------------------------------------------------

# slurmctld makes two files and a folder for each submission, with its job lock
# held.  ext4 does not use the inodes of the last minute again: where many jobs
# came and went, looking for another one takes a third of the time, or none, as
# chance has it.  That is no matter of plugins: the state is kept in memory.
state_in_memory() {
	local dir
	[ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] || {
		echo "# /dev/shm is no tmpfs: the disk is part of the times"
		return
	}
	dir=$(mktemp -d /dev/shm/libra-load.XXXXXX)
	chmod 0755 "$dir"
	states+=("$dir")
	sed -i "s|^StateSaveLocation=.*|StateSaveLocation=$dir|" \
		"$cluster/slurm.conf"
}

# A cluster of the same name with the nodes of the test.
begin() { # NAME OPTIONS of demo-cluster
	local name=$1 conf
	shift
	start_cluster --nodes 1 --cpus 1 "$@"
	at_end=end_all # start_cluster's own ends one cluster alone
	clusters[$name]=$cluster
	conf=$cluster/slurm.conf
	state_in_memory
	sed -i "s/libra_partitions=main/libra_partitions=load/
		s/^SlurmctldDebug=.*/SlurmctldDebug=info/" "$conf"
	cat >>"$conf" <<-CONF
		MaxJobCount=100000
		MinJobAge=2
		PrivateData=cloud
		SuspendTime=360000
		SuspendExcNodes=c[1-$nodes]
		SuspendProgram=/bin/true
		ResumeProgram=/bin/true
		ResumeTimeout=36000
		TreeWidth=65533
		NodeName=c[1-$nodes] NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=2000 State=CLOUD
		PartitionName=load Nodes=c[1-$nodes] MaxTime=INFINITE State=UP OverSubscribe=FORCE:64
		Licenses=key:1000000
	CONF
	restart
	until_true 30 sinfo -h -p load
	close
}

# Promised jobs wait while another one, on the node that is real, has all
# licenses.
export SUBMIT_LICENSES=key:1
close() {
	closed() {
		[ -n "$(squeue -h -p main -n close -t RUNNING -o %i)" ]
	}
	until_true 60 sbatch -Q -J close -p main -n 1 -L key:1000000 \
		-o /dev/null --time=1440 "$cluster/job" 36000
	until_true 60 closed || echo "Bail out! no job has the licenses"
}
open() {
	scancel -n close -p main
}

restart() {
	"$DEMO" restart-ctld -d "$cluster" ${LIBRA_CTLD_WRAPPER:+--ctld-wrapper \
		"$LIBRA_CTLD_WRAPPER"} >/dev/null 2>&1
}

use() { # NAME
	cluster=${clusters[$1]}
	export SLURM_CONF=$cluster/slurm.conf
}

declare -A clusters
states=()
end_all() {
	local name
	for name in "${!clusters[@]}"; do
		cluster=${clusters[$name]}
		# It would cancel jobs one by one.
		kill -KILL "$(ctld)" 2>/dev/null
		stop_cluster
	done
	rm -rf "${states[@]}"
}

ctld() {
	cat "$cluster/run/slurmctld.pid"
}

# --- submissions ------------------------------------------------------------

# Result: accepted, refused, and the seconds they took.
submit_many() { # NAME SUBMITTERS EACH [DEADLINE_IN]
	"$work/submitters" "$2" "$3" "$1" load 10 "${4:-72000}" 1
}

# scancel waits for seconds where jobs are many.
cancel() { # NAME
	squeue -h -p load -n "$1" -o %A | sort -u | "$work/submitters" 8 cancel
	until_true 60 gone "$1"
}

waiting() { # [NAME]
	squeue -h -r -p load -t PENDING ${1:+-n "$1"} -o %i | wc -l
}

started() { # N
	[ "$(squeue -h -p load -t RUNNING,CONFIGURING -o %i | wc -l)" -ge "$1" ]
}

gone() { # NAME
	[ -z "$(squeue -h -p load -n "$1" -o %i)" ]
}

# Of slurmctld, in hundredths of a second: user and system.
processor() {
	sed 's/.*) //' "/proc/$(ctld)/stat" | awk '{ print $12 + $13 }'
}

# One turn: submissions per second in $rate, and what slurmctld needed of the
# processor for each, in microseconds, in $cost: that is less a matter of the
# neighbours.  LOAD_SBATCH=1: by sbatch, not straight by the library.  What is
# refused costs less: $missing counts it.
timed() {
	local n=$((submitters * each)) took i j had
	had=$(processor)
	if [ "${LOAD_SBATCH:-0}" = 1 ]; then
		took=$(date +%s%N)
		for ((i = 0; i < submitters; i++)); do
			for ((j = 0; j < each; j++)); do
				sbatch -Q --parsable -J turn -p load -n 1 \
					-o /dev/null --time=10 -L key:1 \
					--deadline=now+20hours "$cluster/job"
			done >/dev/null 2>&1 &
		done
		wait
		took=$(($(date +%s%N) - took))
	else
		took=$(submit_many turn "$submitters" "$each" |
			awk '{ print int($3 * 1e9) }')
	fi
	rate=$(awk -v n="$n" -v t="$took" 'BEGIN { printf "%.1f", n * 1e9 / t }')
	cost=$((($(processor) - had) * 10000 / n))
	missing=$((missing + n - $(waiting turn)))
	cancel turn
}

median() {
	sort -n | awk '{ v[NR] = $1 } END {
		print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
	}'
}

# Slurm has forgotten the jobs of the turns before: each submission goes through
# the list of all jobs, however long ago they ended, and every ten seconds those
# that did so two seconds ago are taken out.
forgotten() {
	! squeue -h -p load -t CANCELLED -o %i | grep -q .
}

# One turn of a cluster: its rate and cost.
turn() { # NAME
	use "$1"
	timed
	rates[$1]+=" $rate"
	costs[$1]+=" $cost"
}

# Of a list of numbers.
middle() { # LIST
	tr ' ' '\n' <<<"${1# }" | median
}

# Turns, one of each after the other, so that both meet the same neighbours, and
# each first in turn.
compare() { # HELD
	local t ratio name
	local -A rates=() costs=()
	for name in ours stock; do
		use $name
		fill "$1"
		check "$name: $1 jobs are held" holds "$1"
	done
	for name in ours stock; do
		use $name
		check "$name: Slurm has looked at them" until_true 90 settled
	done
	missing=0
	for ((t = 0; t < turns; t++)); do
		for name in ours stock; do
			use $name
			until_true 60 forgotten
		done
		if ((t % 2)); then
			turn stock
			turn ours
		else
			turn ours
			turn stock
		fi
	done
	ratio=$(paste <(tr ' ' '\n' <<<"${rates[ours]# }") \
		<(tr ' ' '\n' <<<"${rates[stock]# }") |
		awk '{ print $1 / $2 }')
	# shellcheck disable=SC2086
	echo "# $1 promises held: the turns' ratios" $ratio
	ratio=$(median <<<"$ratio")
	echo "# $1 promises held: with the plugins" \
		"$(middle "${rates[ours]}") submissions per second," \
		"stock $(middle "${rates[stock]}"), median ratio $ratio;" \
		"of the processor $(middle "${costs[ours]}") us each," \
		"stock $(middle "${costs[stock]}")"
	same "beside $1 promises each submission is a job" 0 $missing
	[ "$least" = 0 ] || check "beside $1 promises $least of stock's rate" \
		awk -v r="$ratio" -v l="$least" 'BEGIN { exit r < l }'
}

# Hold so many jobs in the queue; slurmctld is told of them by several at once.
fill() { # N
	local have
	have=$(waiting held)
	[ "$have" -ge "$1" ] || submit_many held "$submitters" \
		$((($1 - have + submitters - 1) / submitters)) >"$work/filled"
}

holds() { # N
	[ "$(waiting held)" -ge "$1" ]
}

# Slurm's scheduler has seen all of them: how far a submission looks through the
# queue depends on why the others wait, and Slurm looks at all once a minute.
settled() {
	! squeue -h -p load -n held -t PENDING -o %r | grep -qv Licenses
}

# --- times ------------------------------------------------------------------

# They are measured at level debug alone, and slurmctld reads that anew whenever
# it is reconfigured.
time_calls() {
	[ "$release" -lt 2311 ] || return
	sed -i 's/^SlurmctldDebug=.*/SlurmctldDebug=debug/' "$cluster/slurm.conf"
	scontrol reconfigure
	until_true 20 sinfo -h -p load
}

# slurmctld says how long our calls took since it was last asked: at a
# reconfigure.  From 23.11 on that starts another process, and the old one ends
# without a word.
times() { # WHAT
	local n
	[ "$release" -lt 2311 ] || {
		echo "# $1: times are not told from Slurm 23.11 on"
		return
	}
	n=$(grep -c 'libra: times of' "$cluster/log/slurmctld.log")
	scontrol reconfigure
	until_true 20 more_times "$n"
	until_true 20 configured
	grep 'libra: times of' "$cluster/log/slurmctld.log" |
		tail -n "+$((n + 1))" | sed 's/.*times of/#   times of/' >"$work/times"
	echo "# $1:"
	cat "$work/times"
	[ -z "$checked" ] || return
	check "$1: 99 of 100 calls take $p99 us at most" within "$work/times" "$p99"
	check "$1: no call takes more than $most us" within "$work/times" '' "$most"
}

configured() { # they are said at once, and other lines come behind
	! tail -n 1 "$cluster/log/slurmctld.log" | grep -q 'libra: times of'
}

more_times() { # THAN
	[ "$(grep -c 'libra: times of' "$cluster/log/slurmctld.log")" -gt "$1" ]
}

# Of the processor's time.  What is held for Slurm's own work is printed alone.
# Of fewer than 100 calls the longest would count as the 99th of 100.
within() { # FILE [P99] [MOST]
	awk -v p99="$2" -v most="$3" '/times of hold/ { next } {
		match($0, /[0-9]+ calls/)
		many = substr($0, RSTART) + 0 >= 100
		split($0, half, ";")
		if (!match(half[2], /p99 [0-9]+/)) exit 2
		p = substr(half[2], RSTART + 4, RLENGTH - 4) + 0
		match(half[2], /most [0-9]+/)
		m = substr(half[2], RSTART + 5, RLENGTH - 5) + 0
		if ((p99 && many && p > p99 + 0) || (most && m > most + 0))
			bad = 1
		n++
	} END { exit bad || !n }' "$1"
}

# --- memory -----------------------------------------------------------------

# What slurmctld has asked for and not given back, in bytes.
heap() {
	touch "$work/heap"
	rm -f "$work/heap.$(ctld)"
	until_true 5 test -s "$work/heap.$(ctld)"
	rm -f "$work/heap"
	cat "$work/heap.$(ctld)"
}

beside=0 # jobs that are held meanwhile
purged() {
	[ "$(scontrol -o show jobs | grep -c JobId=)" -le $((beside + 2)) ]
}

# Some are promised, some are refused, all are cancelled.  After each thousand:
# what is resident.
churn() { # SUBMISSIONS
	local done=0 two=$((2 * submitters)) most each
	most=$(((1000 + two - 1) / two))
	each=$((($1 + two - 1) / two))
	each=$((each > most ? most : each))
	while [ $done -lt "$1" ]; do
		submit_many churn "$submitters" $each >>"$work/churned"
		submit_many churn "$submitters" $each 300 >>"$work/churned"
		cancel churn
		done=$((done + two * each))
		resident+=("$(ps -o rss= -p "$(ctld)" | tr -d ' ')")
	done
	until_true 150 purged
}

is_flat() { # BEFORE AFTER: who is told nothing knows nothing
	[ "${1:-0}" -gt 0 ] && [ "${2:-0}" -gt 0 ] &&
		[ $(($2 - $1)) -lt $((20 * submissions + 600000)) ]
}
# Messages of Slurm's are under way for a while.
flat_now() {
	last=$(heap)
	is_flat "$first" "$last"
}
memory_is_flat() {
	until_true 20 flat_now
	echo "# $submissions submissions, accepted, refused and cancelled: the heap has" \
		"$first bytes before and $last after," \
		"resident $rss and $(ps -o rss= -p "$(ctld)") KiB"
	echo "# resident after each thousand, KiB: ${resident[*]}"
	[ "$release" -lt 2311 ] || {
		echo "# not judged: what stock Slurm keeps of that is not known"
		return
	}
	# Slurm's tables and threads grow at first.
	check "memory is flat: 20 bytes a submission, beside 0.6 MB in all" \
		is_flat "$first" "$last"
}

saved() { # since $work/mark
	[ -n "$(find "$(sed -n 's/^StateSaveLocation=//p' \
		"$cluster/slurm.conf")/job_state" -newer "$work/mark")" ]
}

# What a restart has loaded lies one behind the other, and what comes later does
# not: the heap over each of four thousand submissions.
grows_beside() { # JOBS
	local name last now i grown
	for name in ours stock; do
		use $name
		close
		fill "$1"
		for ((i = 0; i < 2; i++)); do # the first began before
			touch "$work/mark"
			until_true 30 saved
		done
		LIBRA_CTLD_WRAPPER=$alike restart
		until_true 60 sinfo -h -p load
		check "$name: $1 jobs are held over a restart" holds "$1"
		check "$name: Slurm has looked at them" until_true 90 settled
		beside=$(waiting held)
		last=$(heap)
		grown=
		for ((i = 0; i < 4; i++)); do
			churn 1000
			now=$(heap)
			grown+=" $((now - last))"
			last=$now
		done
		echo "# $name, restarted with $beside jobs: the heap grew over each of" \
			"four thousand submissions by$grown bytes"
	done
	beside=0
	use ours
}

# --- a queue ----------------------------------------------------------------

# As processor(), of the thread of backfill alone.
backfill_processor() {
	local t name
	for t in "/proc/$(ctld)"/task/*; do
		{ read -r name <"$t/comm"; } 2>/dev/null
		[ "$name" != bckfl ] || sed 's/.*) //' "$t/stat"
	done | awk '{ n += $12 + $13 } END { print n + 0 }'
}

cycles() {
	sdiag | sed -n '/^Backfilling/,$ s/.*Total cycles: *//p'
}
more_cycles() { # THAN
	[ "$(cycles)" -gt "$1" ]
}

# Jobs of all processors that share them, as many as Slurm starts.
fill_rows() { # JOBS
	SUBMIT_LICENSES='' "$work/submitters" 1 "$1" row load 600 0 \
		$((nodes * cpus)) >/dev/null
	until_true 60 started "$1"
}

# Jobs of 1 to 16 processors and 1 to 30 minutes.  Jobs with a deadline wait for
# licenses: band would start them.
fill_queue() { # JOBS
	local i n=$((($1 + 63) / 64))
	for ((i = 1; i <= 16; i++)); do
		"$work/submitters" 1 $n with load $((1 + i * 7 % 30)) 720000 $i
		SUBMIT_LICENSES='' "$work/submitters" 3 $n without load \
			$((1 + i * 11 % 30)) 0 $i
	done >"$work/queued"
	awk '{ refused += $2 } END { exit refused > 0 }' "$work/queued"
}

# All threads but that of backfill, in milliseconds of the processor.
others() {
	echo $((10 * ($(processor) - $(backfill_processor))))
}

# Print milliseconds of the processor: whole cycles of backfill, what slurmctld
# does besides in a second, and squeue above that.
time_queue() { # NAME
	local had first n cycle idle all ns
	sdiag -r >/dev/null
	until_true 120 more_cycles 0
	had=$(backfill_processor)
	first=$(cycles)
	idle=$(others)
	ns=$(date +%s%N)
	until_true 120 more_cycles $((first + 3))
	ns=$(($(date +%s%N) - ns))
	idle=$((($(others) - idle) * 1000000 / (ns / 1000)))
	n=$(($(cycles) - first))
	cycle=$((($(backfill_processor) - had) * 10 / n))
	all=$(others)
	ns=$(date +%s%N)
	for ((n = 0; n < 50; n++)); do
		squeue -h -o %i >/dev/null
	done
	ns=$(($(date +%s%N) - ns))
	all=$(($(others) - all - idle * (ns / 1000) / 1000000))
	echo "# $1, $(squeue -h -p load -t RUNNING,CONFIGURING -o %i | wc -l)" \
		"jobs run and $(waiting) wait: milliseconds of the processor:" \
		"$cycle a cycle of backfill, $idle a second besides," \
		"$(awk -v c=$all 'BEGIN { printf "%.1f", c / 50 }') a squeue"
}

# The same jobs run and wait on both clusters, one cluster after the other.  Then
# band starts the jobs with deadlines.
compare_queues() { # JOBS
	local name had rows=32 # ordinary jobs get half of the plugins' FORCE:64
	use stock
	sed -i "/^PartitionName=load/ s/FORCE:64/FORCE:$rows/" \
		"$cluster/slurm.conf"
	LIBRA_CTLD_WRAPPER=$alike restart
	for name in ours stock; do
		use $name
		until_true 60 sinfo -h -p load
		check "$name: $rows jobs share each processor" fill_rows $rows
		had=$(($(processor) - $(backfill_processor)))
		check "$name: $1 jobs are submitted" fill_queue "$1"
		had=$(($(processor) - $(backfill_processor) - had))
		echo "# $name: milliseconds of the processor a submission:" \
			"$(awk -v c=$had -v n="$1" \
				'BEGIN { printf "%.2f", 10 * c / n }')"
		time_queue $name
		open
		[ $name = stock ] || until_true 15 started $((rows + $1 / 4))
		time_queue $name
		kill -KILL "$(ctld)" # the other one is measured alone
	done
}

# --- questions --------------------------------------------------------------

# Milliseconds of the processor that a command and its children take: the least
# of 15, as beside other programs they take longer.
took() { # COMMAND...
	local TIMEFORMAT='%U %S' i
	for ((i = 0; i < 15; i++)); do
		{ time "$@" >/dev/null 2>&1; } 2>&1
	done | awk '{ print int(1000 * ($1 + $2) + 0.5) }' | sort -n | head -n 1
}

# A command that fails at once is quick.
answers() { # COMMAND...
	"$@" || [ $? -eq 3 ] # refused
}

# Print what questions cost, and judge it.
time_questions() { # STATE of the promises
	local would refused status json
	check "$1: what-if answers" answers "$libra" what-if -p load -t 10 \
		-d now+20hours
	check "$1: so does status" "$libra" status --json
	would=$(took "$libra" what-if -p load -t 10 -d now+20hours)
	refused=$(took "$libra" what-if -p load -t 1200 -d now+1201minutes \
		-n $((nodes * cpus)))
	status=$(took "$libra" status)
	json=$(took "$libra" status --json)
	echo "# policy,promises,what-if,refused,status,status --json"
	echo "# $policy,$1,$would,$refused,$status,$json"
	check "$1: what-if takes 20 ms at most" test "$would" -le 20
	check "$1: if it is refused, too" test "$refused" -le 20
	check "$1: status takes 200 ms at most" test "$status" -le 200
	check "$1: with --json, too" test "$json" -le 200
}

# ---------------------------------------------------------------------------

work=$(mktemp -d /tmp/libra-load.XXXXXX) || exit 1
extra_files=$work
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compile_with_slurm "$work/submitters" "$here/submitters.c" -lslurm \
	>"$work/cc.out" 2>&1 || skip_all "no program can be built for Slurm here"
${CC:-cc} -shared -fPIC -o "$work/heap.so" "$here/heap.c" -lpthread ||
	skip_all "no library can be built here"

# A checker has its own memory and time: then nothing of these is judged.
checked=${LIBRA_CTLD_WRAPPER-}
# Both are started alike: one that is no daemon writes each line of its log twice.
alike="env LIBRA_HEAP=$work/heap LD_PRELOAD=$work/heap.so"
LIBRA_CTLD_WRAPPER=${checked:-$alike} begin ours --policy "$policy" \
	${LOAD_PARAMS:+--params "$LOAD_PARAMS"}
echo "# $((nodes * cpus)) processors, $submitters submitters, policy $policy"
[ -z "$checked" ] || alike=
[ "$questions" = 0 ] || {
	fill "$questions"
	check "$questions promises wait" holds "$questions"
	check "Slurm has looked at them" until_true 90 settled
	time_questions "$questions wait"
	open
	check "they start" until_true 120 started "$questions"
	time_questions "$questions run"
	finish
}
LIBRA_CTLD_WRAPPER=$alike begin stock --stock
[ "$queue" = 0 ] || {
	compare_queues "$queue"
	finish
}
for n in "${held[@]}"; do
	compare "$n"
done

use ours
time_calls
fill "$starts"
timed
times "submissions"
# Starts of promised jobs, and their ends: by cancels, as no node runs them.
open
check "$starts promised jobs start" until_true 120 started "$starts"
times "starts"
submit_many more "$submitters" "$running" >/dev/null
times "submissions beside jobs that run"
cancel held
cancel more
times "ends"

# No job starts from here on: for a node that never answers Slurm keeps the launch
# of each job.  As many come at one time as are measured: tables grow with those.
close
resident=()
churn "$submissions"
[ -n "$checked" ] || first=$(heap)
rss=$(ps -o rss= -p "$(ctld)")
resident=()
churn "$submissions"
[ -n "$checked" ] || memory_is_flat
[ -n "$checked" ] || [ "$restarted" = 0 ] || grows_beside "$restarted"
check "slurmctld lives" kill -0 "$(ctld)"
check "the decision log replays" "${LIBRASIM:-${builddir:-$PWD}/librasim}" \
	replay "$cluster/log/libra.jsonl"
finish
