#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Time limits hold, as without slurm-libra: an ordinary job ends at its limit,
# a promised one at its deadline and grace, and before that none.  Slurm's
# limits are whole minutes, and it looks at them every 30 s.

. "$(dirname "$0")/lib.sh"
need_slurm
# It accepts a job on an empty processor though its deadline is before its
# estimate: a limit of one minute.
start_cluster --policy librarisk --params libra_grace=1
same "Slurm's own OverTimeLimit" "0 min" "$(scontrol show config |
	sed -n 's/^OverTimeLimit *= //p')"

check "a job of a partition that is not managed" submit -p stock --time=1
ordinary=$id
check "a promised job" submit --time=1 --deadline=now+40
promised=$id
check "one whose deadline is far" submit --time=1 --deadline=now+10minutes
within=$id
for id in $ordinary $promised $within; do
	check "job $id runs" wait_state "$id" RUNNING
done
same "the limit of the promised one is deadline and grace" 00:01:00 \
	"$(job_field "$promised" TimeLimit)"
# Eleven minutes, or ten if it began a second after its submission.
matches "and of the other one, rounded up" '^00:1[01]:00$' \
	"$(job_field "$within" TimeLimit)"

check "the ordinary job ends at its limit" wait_state "$ordinary" TIMEOUT 60
check "the promised one past its grace" wait_state "$promised" TIMEOUT 60
same "over its estimate and before its deadline the other one runs on" \
	RUNNING "$(job_state "$within")"
ran=$(job_field "$ordinary" RunTime)
matches "after a minute, and not at once" '^00:0[12]:' "$ran"
finish
