# SPDX-License-Identifier: GPL-2.0-or-later
#
# lib.sh - a Slurm cluster for one test; sourced, not run.
#
# Speaks TAP.  LIBRA_PLUGINDIR names the folder of the plugins (default: the
# build's); LIBRA_SLURM the folder that Slurm is installed in (default: that of
# PATH); DEMO the script that starts clusters; LIBRA_CTLD_WRAPPER a checker to
# start slurmctld under.  LIBRA_CHECK_LOCKS=yes checks in every test that the
# plugin holds Slurm's locks.  Nothing sleeps for a fixed time: until_true polls.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
DEMO=${DEMO:-$top/contrib/demo-cluster}
LIBRA_PLUGINDIR=${LIBRA_PLUGINDIR:-$PWD/plugin/.libs}
[ -z "${LIBRA_SLURM-}" ] || PATH=$LIBRA_SLURM/bin:$LIBRA_SLURM/sbin:$PATH
cases=0
failures=0
cluster=
extra_files= # of the test, outside the cluster; removed at the end
at_end=stop_cluster # or a function that calls it
program_pid=

# A test that is ended, by whatever signal, leaves no daemon and no folder.  make
# sends a second signal behind that of the terminal: it does not end the end.
end_test() {
	local status=$?
	trap '' HUP INT TERM ALRM PIPE
	$at_end
	# shellcheck disable=SC2046
	kill $(below $$) 2>/dev/null
	return $status
}
trap end_test EXIT
trap 'exit 1' HUP INT TERM ALRM PIPE

# Bash takes no signal while a program runs, but while it waits for one.
run_program() { # COMMAND...
	local status
	"$@" &
	program_pid=$!
	wait "$program_pid"
	status=$?
	program_pid=
	return $status
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

ok() { # STATUS NAME
	cases=$((cases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $cases - $2"
	else
		echo "not ok $cases - $2"
		failures=$((failures + 1))
		[ $failures -gt 3 ] || tell_state
	fi
}

# Why something failed may be to be seen nowhere else: the cluster ends with the
# test.
tell_state() {
	[ -e "$cluster/log/slurmctld.log" ] || return 0
	{
		[ -z "${said-}" ] || echo "last said: $said"
		timeout 5 sinfo -h -o '%N %T %E'
		timeout 5 squeue -h -o '%A %P %T %r %l %S' | head -n 10
		grep -hE 'error:|not responding' "$cluster"/log/slurm*.log |
			grep -vi 'mpi' |
			tail -n 6
		timeout 5 scontrol ping | grep -q 'is UP' || tell_silence
	} 2>&1 | sed 's/^/#   /'
}
# Show the last lines of slurmctld's logs, and where its threads are.
tell_silence() {
	tail -n 25 "$cluster/log/slurmctld.log" "$cluster/log/slurmctld.out"
	command -v gdb >/dev/null || return 0
	timeout 30 gdb -batch -p "$(cat "$cluster/run/slurmctld.pid")" \
		-ex 'thread apply all bt 12' 2>/dev/null |
		grep -E '^(Thread|#)' | grep -vE 'nptl/|clone3'
}

# The rest is a command; it must succeed.  It runs in this shell.
check() { # NAME COMMAND...
	local name=$1 status
	shift
	"$@" >"$cluster.out" 2>&1
	status=$?
	ok $status "$name"
	[ $status -eq 0 ] || { echo "$* -> $status" && cat "$cluster.out"; } |
		sed 's/^/#   /'
}

same() { # NAME EXPECTED GOT
	[ "$2" = "$3" ]
	ok $? "$1"
	[ "$2" = "$3" ] || printf '#   expected: %s\n#   got:      %s\n' "$2" "$3"
}

matches() { # NAME REGEX TEXT
	local status
	grep -qE -e "$2" <<<"$3"
	status=$?
	ok $status "$1"
	[ $status -eq 0 ] ||
		{ echo "#   no match of: $2" && sed 's/^/#   /' <<<"$3"; }
}

# A machine under load is slower: LIBRA_PATIENCE multiplies what is waited.  Each
# look is a few processes: where it takes longer there are fewer of them.
until_true() { # SECONDS COMMAND...
	look_until 400 "$@"
}

# Likewise, where it matters how long it took.
until_true_soon() { # SECONDS COMMAND...
	look_until 50 "$@"
}

look_until() { # PAUSE_MS SECONDS COMMAND...
	local longest=$1 end=$((SECONDS + $2 * ${LIBRA_PATIENCE:-2})) pause=50
	local began took text
	shift 2
	[ -n "${never-}" ] || exec {never}<> <(:) # nothing comes from it
	while
		began=${EPOCHREALTIME/[^0-9]/}
		! "$@" >/dev/null 2>&1
	do
		[ $SECONDS -lt $end ] || return 1
		pause=$((pause < longest ? pause * 5 / 4 : longest))
		# Looks take a fifth of the time at most.
		took=$(((${EPOCHREALTIME/[^0-9]/} - began) / 250))
		took=$((took < pause ? pause : took < 4 * longest ? took : 4 * longest))
		printf -v text %d.%03d $((took / 1000)) $((took % 1000))
		read -r -t "$text" -u "$never" || :
	done
}

finish() {
	[ "${LIBRA_CHECK_LOCKS-}" != yes ] ||
		check "what needs a lock of Slurm's holds it" locks_held
	echo "1..$cases"
	[ $failures -eq 0 ]
	exit
}

# The tree as it is, without what was built in it.
copy_tree() { # TO
	rm -rf "$1" && mkdir -p "$1" || return 1
	if [ -e "$top/.git" ]; then
		(cd "$top" && git ls-files -zco --exclude-standard |
			xargs -0 tar -cf -) | tar -xf - -C "$1"
	else
		tar -cf - -C "$top" --exclude=./build . | tar -xf - -C "$1"
	fi
}

need_slurm() {
	local c
	[ "$(id -u)" = 0 ] || skip_all "needs root: slurmd starts jobs"
	for c in slurmctld slurmd munged sbatch scontrol; do
		command -v $c >/dev/null || skip_all "$c is not installed"
	done
	[ -e "$LIBRA_PLUGINDIR/select_cons_tres_libra.so" ] ||
		skip_all "the plugins were not built in $LIBRA_PLUGINDIR"
	limit_time "${limit_s-$((450 * ${LIBRA_PATIENCE:-2}))}"
}

# A test that waits for what never comes ends as failed, and its cluster with
# it: who runs all tests is not to wait as well.
limit_time() { # SECONDS, or 0 for none
	[ "$1" -gt 0 ] || return 0
	(watch_test $$ "$1" 2>/dev/null </dev/null &)
}
watch_test() { # PID SECONDS
	local end=$((SECONDS + $2)) pid never
	exec {never}<> <(:)
	while
		read -r -t 1 -u "$never"
		kill -0 "$1"
	do
		[ $SECONDS -ge $end ] || continue
		echo "Bail out! not done after $2 s"
		kill -ALRM "$1"
		for pid in $(below "$1"); do
			kill -TERM "$pid"
		done
		return
	done
}
below() { # PID: its children, and theirs
	local pid
	for pid in $(pgrep -P "$1"); do
		echo "$pid"
		below "$pid"
	done
}

# A program or plugin of ours, with Slurm's headers and library.
compile_with_slurm() { # FILE SOURCE OPTION...
	local file=$1 source=$2 flags=() d
	shift 2
	[ -z "${LIBRA_SLURM-}" ] || {
		flags=(-I"$LIBRA_SLURM/include")
		for d in "$LIBRA_SLURM"/lib64 "$LIBRA_SLURM"/lib; do
			flags+=(-L"$d" -Wl,-rpath,"$d")
		done
	}
	${CC:-cc} "${flags[@]}" -I"$top" -o "$file" "$source" "$@"
}

# slurmctld checks in what the plugin does that the locks are held.
check_locks() {
	local so=$cluster.so
	[ -z "${LIBRA_CTLD_WRAPPER-}" ] || return 0
	${CC:-cc} -shared -fPIC -o "$so" "$top/tests/live/verify_lock.c" -ldl ||
		return 0
	LIBRA_CTLD_WRAPPER="env LD_PRELOAD=$so"
	LIBRA_CHECK_LOCKS=yes
}
locks_held() {
	! ctld_log_has 'without Slurm.s write lock'
}

# Start a cluster of this test; it ends with the test.
start_cluster() { # OPTIONS of demo-cluster
	cluster=$(mktemp -d /tmp/libra-live.XXXXXX) || exit 1
	rmdir "$cluster"
	[ "${LIBRA_CHECK_LOCKS-}" != yes ] || check_locks
	set -- --timeout $((30 * ${LIBRA_PATIENCE:-2})) "$@" \
		${LIBRA_CTLD_WRAPPER:+--ctld-wrapper "$LIBRA_CTLD_WRAPPER" \
		--timeout 120}
	"$DEMO" start -d "$cluster" --plugindir "$LIBRA_PLUGINDIR" "$@" \
		>"$cluster.out" 2>&1 || {
		sed 's/^/# /' "$cluster.out"
		echo "Bail out! the cluster did not start"
		exit 1
	}
	export SLURM_CONF=$cluster/slurm.conf
	printf '#!/bin/sh\nexec sleep "${1:-300}"\n' >"$cluster/job"
	chmod 0755 "$cluster/job"
	chmod 0755 "$cluster"
}

stop_cluster() {
	[ -z "$program_pid" ] || { # which may have a cluster of its own
		kill "$program_pid"
		wait "$program_pid"
		program_pid=
	} 2>/dev/null
	[ -z "$cluster" ] || {
		[ ! -e "$cluster" ] || "$DEMO" stop -d "$cluster"
		rm -f "$cluster.out" "$cluster.db" "$cluster.so"
		cluster=
	}
	[ -z "$extra_files" ] || {
		umount "$extra_files" 2>/dev/null
		rm -rf "$extra_files"
	}
}

# Submit: the job id into $id, what the user reads into $said.
submit() { # OPTIONS of sbatch
	local out status
	out=$(sbatch --parsable -o /dev/null "$@" "$cluster/job" \
		2>"$cluster/said")
	status=$?
	id=${out%%;*}
	said=$(<"$cluster/said")
	return $status
}

# Print the value of the first word "FIELD=VALUE".  What is asked most is read by
# the shell: each process takes longer than that.
find_field() { # FIELD TEXT
	local text=" ${2//$'\n'/ }"
	[[ $text == *" $1="* ]] || return 0
	text=${text#*" $1="}
	printf '%s\n' "${text%% *}"
}

job_field() { # ID FIELD, as scontrol names it
	find_field "$2" "$(scontrol -d show job "$1" 2>/dev/null)"
}

job_state() { # ID
	job_field "$1" JobState
}

in_state() { # ID STATE
	[ "$(job_state "$1")" = "$2" ]
}

wait_state() { # ID STATE [SECONDS]
	until_true "${3:-20}" in_state "$1" "$2"
}

# Promised jobs with "-L key:1" wait, on a cluster with "Licenses=key:9", while a
# job of the partition stock has all of these licenses.
hold_keys() {
	keys=$(sbatch --parsable -o /dev/null -p stock -n 1 -L key:9 --time=60 \
		"$cluster/job") && wait_state "$keys" RUNNING
}
free_keys() {
	scancel "$keys"
}

# Slurm lets a requeued job wait for two minutes; we do not, but a start that
# meets the end of its first run on a node loses its script, and in the second
# of that end slurmd takes it for the first run's and refuses it: Slurm holds it.
over() { # ID
	local name
	printf -v name job%05d "$1"
	! compgen -G "$cluster/spool/*/$name" >/dev/null
}
later_than() { # SECOND
	[ "$EPOCHSECONDS" -gt "$1" ]
}
starts_now() { # ID
	! in_state "$1" RUNNING || return 0
	until_true 20 over "$1"
	until_true 5 later_than $((EPOCHSECONDS + 1))
	[ "$(job_field "$1" Priority)" != 0 ] || scontrol release "$1"
	scontrol update job "$1" starttime=now
	until_true 2 in_state "$1" RUNNING
}
idle() {
	[ -z "$(squeue -h)" ]
}
# A start that slurmctld had not saved when it was killed is made again; slurmd,
# which knows the job, refuses it, and Slurm drains the node and holds the job.
idle_after_kill() {
	local what
	for what in $(squeue -h -t PENDING -o '%A %r' |
		sed -n 's/ launch failed.*//p'); do
		scontrol release "$what"
	done
	for what in $(sinfo -h -N -o '%N %E' |
		sed -n 's/ Duplicate jobid.*//p' | sort -u); do
		scontrol update nodename="$what" state=resume
	done
	idle
}
# A node that slurmctld has not heard of since it, or itself, came back runs no
# job, and of one still unknown Slurm takes no other state.
nodes_answer() {
	[[ ! $(sinfo -h -N -o %T) =~ [*]|unknown|drain ]]
}

# "n1:0-2,n2:0" as single cores.
single_cores() {
	tr ',' '\n' | awk -F'[:-]' 'NF > 1 {
		for (i = $2; i <= (NF > 2 ? $3 : $2); i++)
			print $1 ":" i
	}' | sort | paste -sd' ' -
}

# The cores a job runs on, and those it was promised.
runs_on() { # ID
	scontrol -d show job "$1" | sed -n \
		's/^ *Nodes=\([^ ]*\) CPU_IDs=\([^ ]*\) .*/\1 \2/p' |
		while read -r nodes ids; do
			for n in $(scontrol show hostnames "$nodes"); do
				for r in ${ids//,/ }; do
					echo "$n:$r"
				done
			done
		done | paste -sd, - | single_cores
}

promised_on() { # ID
	promise_field "$1" on | single_cores
}

promise_field() { # ID FIELD: of each task of an array
	local text line=$'(^|\n) *AdminComment=([^\n]*)'
	text=$(scontrol show job "$1")
	while [[ $text =~ $line ]]; do
		find_field "$2" "${BASH_REMATCH[2]}"
		text=${text#*"${BASH_REMATCH[0]}"}
	done
}

has_field() { # ID FIELD
	[ -n "$(promise_field "$1" "$2")" ]
}
planned_start() { # ID
	local start
	start=$(promise_field "$1" start)
	[ -z "$start" ] || echo "${start%%.*}"
}
epoch() { # TIME as Slurm prints it
	date -d "$1" +%s
}
near() { # A B SECONDS
	local d=$(($1 - $2))
	[ ${d#-} -le "$3" ]
}

# After a start of slurmctld.  Where one stays away, that is told with what its
# slurmd says, and it is started again: what is tested is not slurmd.
wait_nodes() {
	local n
	until_true 20 nodes_answer && return
	echo "# nodes do not answer:"
	tell_state
	for n in $(sinfo -h -N -o '%N %T' | grep -E '[*]|unknown|down' |
		cut -d' ' -f1 | sort -u); do
		tail -n 5 "$cluster/log/slurmd.$n.log" | sed 's/^/#   /'
		start_again "$n"
	done
	until_true 20 nodes_answer
}
start_again() { # NODE
	local pid
	pid=$(cat "$cluster/run/slurmd.$1.pid" 2>/dev/null)
	! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$SLURM_CONF" ||
		kill -KILL "$pid"
	slurmd -f "$SLURM_CONF" -N "$1"
} 2>/dev/null

# What they have was changed in slurm.conf, or gres.conf.
restart_slurmds() { # NODE...
	local n pid
	for n; do
		pid=$(cat "$cluster/run/slurmd.$n.pid") && kill "$pid" ||
			return 1
		until_true 20 sh -c "! kill -0 $pid"
		slurmd -f "$SLURM_CONF" -N "$n"
	done
	until_true 20 all_sane
	scontrol update nodename="$(IFS=,; echo "$*")" state=resume 2>/dev/null
	wait_nodes
}
all_sane() {
	[[ ! $(sinfo -h -N -o %T) =~ inval|[*]|unk ]]
}

# Slurm saves its state every few seconds: what is not saved, a killed slurmctld
# has forgotten.
saved() {
	[ "$cluster/state/job_state" -nt "$cluster/mark" ]
}
let_it_save() { # JOB
	touch "$cluster/mark"
	scontrol update job "$1" comment="$RANDOM"
	until_true 20 saved
}

log_calls() { # CALL: how often the engine was called so
	grep -c "^{\"call\":\"$1\"" "$cluster/log/libra.jsonl"
}

ctld_log_has() { # REGEX
	grep -qE "$1" "$cluster/log/slurmctld.log"
}
