#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promises that nobody gave: forged by a user, damaged, or of another version.

. "$(dirname "$0")/lib.sh"
need_slurm
watch=$(mktemp -d)
extra_files=$watch
printf '#!/bin/sh\nenv >%s/env.$SLURM_JOB_ID\n' "$watch" >"$watch/prolog"
chmod 0755 "$watch" "$watch/prolog"
start_cluster --policy libra --slurm-conf-extra "Prolog=$watch/prolog" \
	--slurm-conf-extra PrologFlags=Alloc

as_user() {
	(cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$@")
}
forged="libra:1 offer=1.1 tasks=1 procs=4 estimate=60 deadline=9e9 submit=1"
forged+=" share=1 part=main shape=1.0.0.0 left= on=n1:0-3"

# With Slurm's own interface a user says more than sbatch lets him.
cat >"$watch/submit.c" <<'C'
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "plugin/base/compat.h"

int main(int argc, char **argv)
{
	char *env[] = {"PATH=/bin:/usr/bin", NULL};
	char *spank[8] = {"LIBRA_SHARE=1", "LIBRA_DEADLINE=1",
			  "LIBRA_RULE=deadline"};
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t desc;

	slurm_init(NULL);
	slurm_init_job_desc_msg(&desc);
	desc.name = "forged";
	desc.script = "#!/bin/sh\nexec sleep 300\n";
	desc.environment = env;
	desc.env_size = 1;
	desc.spank_job_env = spank;
	desc.spank_job_env_size = 3;
	for (int i = 3; i < argc && i < 7; i++)
		spank[desc.spank_job_env_size++] = argv[i];
	desc.user_id = getuid();
	desc.group_id = getgid();
	desc.work_dir = "/";
	desc.std_out = desc.std_err = "/dev/null";
	desc.num_tasks = desc.min_cpus = 1;
	desc.time_limit = 5;
	desc.partition = argv[1];
	if (argc > 2 && strcmp(argv[2], "deadline") == 0)
		desc.deadline = time(NULL) + 3000;
	else if (argc > 2)
		desc.admin_comment = argv[2];
	if (slurm_submit_batch_job(&desc, &answer) != 0) {
		perror("refused");
		return 1;
	}
	printf("%u\n", LIBRA_SUBMITTED_ID(answer));
	return 0;
}
C
# A job is called running before its prolog has run.
prolog_ran() { # ID
	grep -q '^SLURM_JOB_ID=' "$watch/env.$1"
}
share_on_node() { # ID
	sed -n 's/^SPANK_LIBRA_SHARE=//p' "$watch/env.$1"
}
if compile_with_slurm "$watch/submit" "$watch/submit.c" -lslurm \
	>"$watch/cc.out" 2>&1; then
	as_user "$watch/submit" main "$forged" >"$watch/out" 2>&1
	same "a user may not bring a promise along" 1 $?
	id=$(as_user "$watch/submit" stock 2>&1)
	check "elsewhere a job runs" wait_state "$id" RUNNING
	until_true 10 prolog_ran "$id"
	same "without the share it claims" "" "$(share_on_node "$id")"
	scancel "$id"
	id=$(as_user "$watch/submit" main deadline 2>&1)
	check "a promised job runs" wait_state "$id" RUNNING
	until_true 10 prolog_ran "$id"
	matches "with the share it was promised, not the one it claims" \
		'^0\.1' "$(share_on_node "$id")"
	# Its record is written when it is first seen, with the rule.
	matches "nor before others" '^(share|yield)?$' \
		"$(sed -n 's/^SPANK_LIBRA_RULE=//p' "$watch/env.$id")"
	scancel "$id"
	id=$(as_user "$watch/submit" main deadline LIBRA_ASK_BUDGET=250.5 \
		LIBRA_ASK_PENALTY_RATE=0.125 2>&1)
	check "a job with a budget runs" wait_state "$id" RUNNING
	same "its record tells it, and the penalty" "250.5 0.125" \
		"$(promise_field "$id" budget) $(promise_field "$id" penalty)"
	matches "and so does the log" '"budget":250.5,"penalty_rate":0.125' \
		"$(grep '"call":"offer"' "$cluster/log/libra.jsonl" | tail -n 1)"
	check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
	same "which changes neither" "250.5 0.125" \
		"$(promise_field "$id" budget) $(promise_field "$id" penalty)"
	matches "nor does what is entered again" \
		'"budget":250.5,"penalty_rate":0.125' "$(grep \
			'"call":"restore"' "$cluster/log/libra.jsonl" | tail -n 1)"
	scancel "$id"
	for wrong in BUDGET=x BUDGET= BUDGET=-1 BUDGET=nan BUDGET=1e999 \
		PENALTY_RATE=-0.5 "PENALTY_RATE=1 2"; do
		as_user "$watch/submit" main deadline "LIBRA_ASK_$wrong" \
			>"$watch/out" 2>&1
		same "$wrong is refused" 1 $?
	done
	as_user "$watch/submit" stock deadline LIBRA_ASK_BUDGET=x \
		>"$watch/out" 2>&1
	same "where nothing is promised nobody cares" 0 $?
	scancel "$(cat "$watch/out")"
	[ ! -x "${LIBRASIM:=${builddir:-$PWD}/librasim}" ] ||
		check "the log replays" "$LIBRASIM" replay \
			"$cluster/log/libra.jsonl"
else
	ok 0 "a user may not bring a promise along # SKIP cannot be compiled"
	sed 's/^/#   /' "$watch/cc.out"
fi
# (With --export=NAME=VALUE newer releases ask for a login shell.)
id=$(as_user env SPANK_LIBRA_SHARE=1 LIBRA_SHARE=1 sbatch --parsable \
	-o /dev/null --time=5 -n 1 --comment="$forged" \
	--wrap 'exec sleep 300' 2>/dev/null)
check "a job with a promise as its comment runs" wait_state "$id" RUNNING
same "and was promised nothing" "" "$(promised_on "$id")"
as_user scontrol update job "$id" admincomment="$forged" >/dev/null 2>&1
same "nor can it be written later" "" "$(promised_on "$id")"
scancel "$id"

# Another user's promise.
submit --time=5 --deadline=now+30minutes -n 2
wait_state "$id" RUNNING
untouched() {
	local before calls
	before=$(job_field "$id" TimeLimit)
	before+=$(promise_field "$id" estimate)$(promise_field "$id" deadline)
	calls=$(log_calls modify).$(log_calls offer)
	as_user scontrol update job "$id" "$@" && return 1
	[ "$before" = "$(job_field "$id" TimeLimit)$(promise_field "$id" \
		estimate)$(promise_field "$id" deadline)" ] &&
		[ "$calls" = "$(log_calls modify).$(log_calls offer)" ]
}
check "a stranger changes no estimate" untouched timelimit=1
check "nor a deadline" untouched deadline=now+20minutes
check "nor is the engine asked about a size" untouched numcpus=1
check "its owner changes it" scontrol update job "$id" timelimit=4
same "and it says so" 240 "$(promise_field "$id" estimate)"
scancel "$id"

# Records damaged behind our back: one by one, of jobs that run.
declare -A hurt=(
	[older]="libra:0 offer=1 procs=4"
	[newer]="libra:2 offer=1.1 place=n1"
	[short]="libra:1 offer=1.1"
	[nan]="${forged/estimate=60/estimate=nan}"
	[huge]="${forged/procs=4/procs=99999999999}"
	[node]="${forged/on=n1/on=n77}"
	[cores]="${forged/0-3/0-77}"
	[sizes]="${forged/procs=4/procs=3}"
	[text]="${forged/on=*/on=,,,:::-}"
)
declare -A jobs
for k in "${!hurt[@]}"; do
	submit --time=1 --deadline=now+30minutes -n 4
	jobs[$k]=$id
done
for k in "${!hurt[@]}"; do
	wait_state "${jobs[$k]}" RUNNING
done
submit --time=15 --deadline=now+30minutes -n 16
good=$id
check "jobs run, and one more" wait_state "$good" RUNNING
where=$(promised_on "$good")
for k in "${!hurt[@]}"; do
	scontrol update job "${jobs[$k]}" admincomment="${hurt[$k]}" 2>/dev/null
	same "$k: an operator may not write it" 1 $?
done
# A slurmctld without the plugins neither refuses it nor writes the record again.
sed -i 's/^JobSubmitPlugins=/#&/; s/^\(SelectType=.*\)_libra$/\1/' \
	"$cluster/slurm.conf"
check "slurmctld restarts without the plugins" "$DEMO" restart-ctld \
	-d "$cluster"
all_hurt() {
	local k
	for k in "${!hurt[@]}"; do
		scontrol update job "${jobs[$k]}" admincomment="${hurt[$k]}"
	done
	for k in "${!hurt[@]}"; do
		scontrol show job "${jobs[$k]}" |
			grep -qF "AdminComment=${hurt[$k]}" || return 1
	done
}
check "they are damaged" until_true 20 all_hurt
sed -i 's/^#JobSubmitPlugins=/JobSubmitPlugins=/; s/^SelectType=.*/&_libra/' \
	"$cluster/slurm.conf"
check "slurmctld restarts" "$DEMO" restart-ctld -d "$cluster"
for k in "${!hurt[@]}"; do
	same "$k: the job still runs" RUNNING "$(job_state "${jobs[$k]}")"
	check "$k: the log says that its record cannot be restored" ctld_log_has \
		"job ${jobs[$k]}: (the promise in its admin_comment is damaged|its record cannot be restored)"
done
same "the promise of the other is untouched" "$where" \
	"$(promised_on "$good")"
submit --time=16 --deadline=now+30minutes -n 16
same "and holds against new jobs" 1 $?
check "what is left is promised" submit --time=1 --deadline=now+30minutes -n 16
scancel -p main
until_true 20 sh -c '[ -z "$(squeue -h)" ]'

# Overwritten while it waits: we know better.
submit --time=9 --deadline=now+30minutes -n 2
scontrol update job "$id" admincomment="a note of the administrator" \
	2>/dev/null
check "a job whose record was overwritten starts" wait_state "$id" RUNNING
matches "as promised, or as the note came too late" '.' "$(runs_on "$id")"
check "no job ran elsewhere than promised" \
	sh -c "! grep 'does not run where' $cluster/log/slurmctld.log"
finish
