#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What overwrites the record of a promise.  scontrol is refused.  job_submit/lua
# behind libra, jobcomp/lua and an operator's scancel --admin-comment (25.11 and
# later) overwrite it: it is written again, and the promise outlives a restart.

. "$(dirname "$0")/lib.sh"
need_slurm
start_cluster --policy planned
printf '#!/bin/sh\ntrap "" USR1\nwhile :; do sleep 1; done\n' >"$cluster/job"

comment() { # JOB
	scontrol show job "$1" | sed -n 's/ *$//; s/^ *AdminComment=//p'
}
field() { # JOB NAME
	comment "$1" | grep -o " $2=[^ ]*"
}
has_record() { # JOB NOTE
	comment "$1" | grep -qE "^libra:1 offer=.* note=$2\$"
}
is_running() {
	[ "$(squeue -h -j "$1" -o %T)" = RUNNING ]
}
overwrite() { # TEXT
	scancel --admin-comment="$1" --signal=USR1 --ctld $runs $waits
}

# ---- Slurm's plugins for scripts ----

has_plugin() { # NAME
	scontrol show config | sed -n 's/^PluginDir *= //p' | tr ':' '\n' |
		while read -r dir; do ls "$dir/$1.so" 2>/dev/null; done |
		grep -q .
}
ended_with() { # NOTE
	in_state "$id" COMPLETED && has_record "$id" "$1"
}
lua=
if has_plugin job_submit_lua && has_plugin jobcomp_lua; then
	lua=yes
	cat >"$cluster/job_submit.lua" <<-'LUA'
		function slurm_job_submit(job, parts, uid)
			return slurm.SUCCESS
		end
		function slurm_job_modify(job, record, parts, uid)
			job.admin_comment = "by lua"
			return slurm.SUCCESS
		end
	LUA
	cat >"$cluster/jobcomp.lua" <<-'LUA'
		function slurm_jobcomp_log_record(job)
			job.admin_comment = "billed"
			return slurm.SUCCESS
		end
	LUA
	sed -i 's/^JobSubmitPlugins=.*/JobSubmitPlugins=libra,lua/' "$SLURM_CONF"
	echo JobCompType=jobcomp/lua >>"$SLURM_CONF"
	check "slurmctld starts with lua" "$DEMO" restart-ctld -d "$cluster"
	wait_nodes
	id=$(sbatch --parsable -o /dev/null --time=1 --deadline=now+9minutes \
		--wrap=true 2>/dev/null)
	check "jobcomp/lua writes over the record of a job that ends, too" \
		until_true 20 ended_with billed
else
	ok 0 "job_submit/lua and jobcomp/lua # SKIP Slurm has not both"
fi

# ---- scontrol ----

submit --time=10 --deadline=now+60minutes -n 16
runs=$id
until_true 20 is_running "$runs"
submit --time=10 --deadline=now+24minutes -n 16
waits=$id
until_true 10 [ -n "$(field "$waits" start)" ]
start=$(field "$waits" start)
deadlines="$(field "$runs" deadline)$(field "$waits" deadline)"

for j in $runs $waits; do
	record=$(comment "$j")
	scontrol update job "$j" AdminComment="seen by ops" 2>/dev/null
	same "job $j: scontrol is refused" 1 $?
	same "and changes nothing" "$record" "$(comment "$j")"
done

if [ -n "$lua" ]; then
	scontrol update job "$waits" Comment=any
	check "job_submit/lua writes over a record: it is written again" \
		until_true 10 has_record "$waits" by_lua
	check "job_submit/lua is logged" ctld_log_has \
		'AdminComment was overwritten with "by_lua"'
fi

# ---- scancel --admin-comment ----

scancel --help 2>/dev/null | grep -q admin-comment || finish
overwrite "seen by ops"
for j in $runs $waits; do
	check "job $j has its record again, and the text behind it" \
		until_true 10 has_record "$j" seen_by_ops
done
same "with the deadlines of before" "$deadlines" \
	"$(field "$runs" deadline)$(field "$waits" deadline)"
same "and the planned start" "$start" "$(field "$waits" start)"
check "slurmctld's log has a line for each" until_true 10 \
	[ "$(grep -c 'AdminComment was overwritten with "seen_by_ops"' \
		"$cluster/log/slurmctld.log")" -eq 2 ]
overwrite "late=5 promise=lost and so on"
for j in $runs $waits; do
	check "a text that looks like words of a record is none" \
		until_true 10 has_record "$j" late=5_promise=lost_and_so_on
done
submit --array=1-2 --time=5 --deadline=now+90minutes -n 16
array=$id
check "an array waits" until_true 10 has_field "$array" start
scancel --admin-comment="of tasks" --signal=USR1 --ctld "${array}_[1-2]"
check "and has its record again" until_true 10 has_record "$array" of_tasks
scancel "$array"
same "job $waits may not be put off" PENDING \
	"$(squeue -h -j "$waits" -o %T)"

check "slurmctld starts again" "$DEMO" restart-ctld -d "$cluster"
until_true 20 has_record "$waits" late=5_promise=lost_and_so_on
same "the promises are those of before" "$deadlines" \
	"$(field "$runs" deadline)$(field "$waits" deadline)"
check "with the text still behind them" has_record "$runs" \
	late=5_promise=lost_and_so_on
submit --time=10 --deadline=now+27minutes -n 16
matches "and nobody else has the place" 'refused' "$said"

scancel --admin-comment="ended by ops" "$runs"
ended() {
	comment "$runs" | grep -qE '^libra:1 .* note=ended_by_ops$'
}
check "a job that is ended so keeps both" until_true 10 ended
check "and the next one starts in its place" until_true 60 is_running "$waits"
finish
