#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policies that serve by deadline: who has his turn, and who gets it next.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

need_weights
start_shares --nodes 1 --cpus 1 --policy demand

is_weight() { # ID WEIGHT
	[ "$(weight "$1")" = "$2" ]
}

# The earlier deadline goes first.
busy 100 2000 && later=$id
check "a job begins" wait_begun "$later"
same "alone it has its turn" 1024 "$(weight "$later")"
busy 100 1000 && earlier=$id
busy_plain && effort=$id
check "one with an earlier deadline and one of best effort begin" \
	wait_begun "$earlier" "$effort"
same "the earlier one has the turn" "1024 3 2" \
	"$(weight "$earlier") $(weight "$later") $(weight "$effort")"
matches "the node knows the rule and the cores" \
	'^libra 2 .* rule=deadline cores=1 ' "$(cat "$state/n1/job_$earlier")"
got=$(parts_over 8 "$earlier" "$later" "$effort" | paste -sd' ')
[ "${got%% *}" -gt 9800 ]
ok $? "with its turn it gets more than 98 %: $got of 10000"

# It ends.
scancel "$earlier"
until_true_soon 10 has_ended "$earlier"
begin=$(date +%s%N)
check "the next one has its turn" until_true_soon 10 is_weight "$later" 1024
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt 1000 ]
ok $? "within 1 s: $took ms after its end"

# A deadline passes while nothing begins or ends.
busy 2 8 && short=$id
check "a job with a near deadline begins" wait_begun "$short"
same "it has the turn" "1024 3" "$(weight "$short") $(weight "$later")"
deadline=$(sed 's/.* deadline=\([0-9]*\).*/\1/' "$state/n1/job_$short")
alarms() { # ID: threads that wait in its slurmstepd
	cat /proc/"$(stepd_of "$1")"/task/*/comm |
		grep -c libra_alarm
}
same "one thread waits for its deadline" 1 "$(alarms "$short")"
check "then the other one has the turn" \
	until_true_soon 20 is_weight "$later" 1024
now=$(date +%s%N)
took=$(((now - deadline * 1000000000) / 1000000))
[ $took -ge 0 ] && [ $took -lt 1000 ]
ok $? "within 1 s: $took ms after the deadline"
same "the late one is held" 3 "$(weight "$short")"
scancel "$short"
gone() { [ ! -e "$(group "$1")" ]; }
check "it ends" until_true 10 gone "$short"

# The deadline is moved, and nothing begins or ends before it passes.
busy 2 14 && short=$id
check "one whose deadline is moved begins" wait_begun "$short"
old=$(sed 's/.* deadline=\([0-9]*\).*/\1/' "$state/n1/job_$short")
check "to a later one" scontrol update jobid="$short" deadline=now+1500
passed_old() { [ "$(date +%s%N)" -gt $((old * 1000000000 + 500000000)) ]; }
check "the old one passes" until_true 30 passed_old
same "the node has asked for the new one" "$(promise_field "$short" deadline)" \
	"$(sed 's/.* deadline=\([0-9]*\).*/\1/' "$state/n1/job_$short")"
same "and the job keeps its turn" "1024 3" \
	"$(weight "$short") $(weight "$later")"
check "it is moved to a nearer one" \
	scontrol update jobid="$short" deadline=now+12
deadline=$(promise_field "$short" deadline)
busy_plain && other=$id
check "which comes with the next job" wait_begun "$other"
same "nobody is late yet" "1024 3" "$(weight "$short") $(weight "$later")"
check "then the other one has the turn" \
	until_true_soon 30 is_weight "$later" 1024
took=$((($(date +%s%N) - deadline * 1000000000) / 1000000))
[ $took -ge 0 ] && [ $took -lt 1000 ]
ok $? "within 1 s: $took ms after the deadline"
scancel "$short" "$other"
check "they end" until_true 10 gone "$short"

# slurmstepd is killed: its deadline is seen at the next event.
busy 2 6 && short=$id
check "another one begins" wait_begun "$short"
deadline=$(sed 's/.* deadline=\([0-9]*\).*/\1/' "$state/n1/job_$short")
check "its slurmstepd is killed" \
	kill -9 "$(stepd_of "$short")"
passed() { [ "$(date +%s)" -gt "$deadline" ]; }
check "its deadline passes" until_true 20 passed
same "nobody saw it" "1024 3" "$(weight "$short") $(weight "$later")"
scancel "$effort"
check "the next event does" until_true 10 is_weight "$later" 1024

check "all end, nothing is left" end_all
same "nothing was reported" "" "$(told)"
finish
