#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a client of slurmrestd reads: the verdict on a job that is accepted, an
# error number for one that is refused, and the verdict again where a refused job
# may wait without a promise.  The reasons of refusals are for slurmrestd's log,
# and for libra explain, which a user may have through sudo.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "the command libra was not built"
for program in slurmrestd curl python3; do
	command -v $program >/dev/null || skip_all "needs $program"
done
id daemon >/dev/null 2>&1 || skip_all "needs the user daemon"
case $(slurmrestd -V) in
"$(slurmctld -V)") ;;
*) skip_all "slurmrestd is not of the Slurm tested" ;;
esac
case $(slurmctld -V) in
*" 22.05"*) ;;
*) skip_all "tried with the API v0.0.38 of Slurm 22.05 alone" ;;
esac
start_cluster --policy planned --params libra_machine_reserve=no
mkdir -m 1777 "$cluster/work"
chmod a+rx "$cluster"
socket=$cluster/work/rest
as_daemon() {
	setpriv --reuid=daemon --regid="$(id -g daemon)" --clear-groups "$@"
}
SLURMRESTD_SECURITY=disable_user_check setpriv --reuid=daemon \
	--regid="$(id -g daemon)" --clear-groups slurmrestd -a rest_auth/local -s openapi/v0.0.38 "unix:$socket" \
	>"$cluster/work/rest.log" 2>&1 &
rest=$!
end_rest() {
	kill $rest 2>/dev/null
	wait $rest 2>/dev/null
	stop_cluster
}
at_end=end_rest
check "slurmrestd listens" until_true 20 test -S "$socket"

post() { # TASKS COMMENT: the answer in $said, HTTP's status in $status
	said=$(as_daemon curl -s --unix-socket "$socket" -w '\n%{http_code}' \
		-H 'Content-Type: application/json' -X POST -d "{
	\"script\": \"#!/bin/sh\nsleep 60\", \"job\": {\"name\": \"rest\",
	\"tasks\": $1, \"time_limit\": 20, \"deadline\": \"now+25minutes\",
	\"comment\": \"$2\", \"current_working_directory\": \"$cluster/work\",
	\"environment\": {\"PATH\": \"/bin\"}}}" \
		http://localhost/slurm/v0.0.38/job/submit)
	status=${said##*$'\n'}
}
post 16 ''
same "a job is accepted" 200 "$status"
matches "with the verdict" '"job_submit_user_msg": "libra: accepted: 16' "$said"
post 16 ''
same "one that cannot be in time is refused" 500 "$status"
matches "with an error number" '"error_code": 2014' "$said"
matches "the reason is in slurmrestd's log" 'libra: refused \(would_miss\)' \
	"$(cat "$cluster/work/rest.log")"
post 16 libra_refused=queue
same "one that may wait without a promise is let in" 200 "$status"
matches "and its client reads the refusal" \
	'"job_submit_user_msg": ".*libra: refused \(would_miss\)' "$said"

log=$cluster/log/libra.jsonl
unreadable() {
	! as_daemon "$libra" explain --refused >"$cluster/work/out" 2>&1 &&
		grep -q 'sudo -u slurm libra explain --refused --me' \
			"$cluster/work/out"
}
chmod 0640 "$log"
check "a user cannot read the log, and is told the way" unreadable
matches "behind sudo he reads his refusals" 'refused \(would_miss\)' \
	"$(SUDO_UID=$(id -u daemon) "$libra" explain --refused --me 2>&1)"
same "and nobody else's" "No refusal in the decision log" \
	"$(SUDO_UID=12345 "$libra" explain --refused --me 2>&1)"
finish
