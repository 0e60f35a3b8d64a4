#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Promised shares are really given: how busy jobs divide one CPU.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

need_weights
start_shares --nodes 1 --cpus 1

# A deadline is a whole second, a share therefore a little above: .99 of it.
busy 495 1000 && one=$id
busy 297 1000 && two=$id
busy 198 1000 && three=$id
busy_plain && effort=$id
check "three jobs with shares and one of best effort run" \
	wait_begun "$one" "$two" "$three" "$effort"
got=$(parts_over 20 "$one" "$two" "$three" "$effort" | paste -sd' ')
within "shares .5 .3 .2 over 20 s" 5 "5000 3000 2000" \
	"$(cut -d' ' -f1-3 <<<"$got")"
[ "$(cut -d' ' -f4 <<<"$got")" -lt 200 ]
ok $? "best effort gets less than 2 %: ${got##* } of 10000"
same "the least weight there is" 2 "$(weight "$effort")"

# One ends.
old=$(weight "$two")
scancel "$one"
until_true_soon 10 has_ended "$one"
begin=$(date +%s%N)
changed() { [ "$(weight "$two")" -gt "$old" ]; }
until_true_soon 10 changed
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt 1000 ]
ok $? "the rest are renewed within 1 s: $took ms after its end"
within "then .6 .4 over 20 s" 5 "6000 4000" \
	"$(parts_over 20 "$two" "$three" | paste -sd' ')"
check "nothing is left" end_all

# Best effort next to one promised job.
busy 100 1000 && one=$id
busy_plain && effort=$id
check "a job and one of best effort run" wait_begun "$one" "$effort"
got=$(parts_over 10 "$one" "$effort" | paste -sd' ')
[ "${got##* }" -lt 200 ]
ok $? "best effort gets less than 2 % beside one job: ${got##* } of 10000"
scancel "$one"
alone() { [ ! -e "$(group "$one")" ]; }
check "the job ends" until_true 10 alone
check "nothing is left" end_all

# A deadline passes while nothing begins or ends: the late job gets what the
# share of the other leaves, and no more.
busy 594 1000 && one=$id
busy 6 20 && late=$id
check "a job with share .6 and a short one run" wait_begun "$one" "$late"
deadline=$(sed 's/.* deadline=\([0-9]*\).*/\1/' "$state/n1/job_$late")
matches "the node knows that late jobs yield" \
	'^libra 4 .* rule=yield cores=1 ' "$(cat "$state/n1/job_$late")"
# A second until it begins makes .33 of .3.
[ "$(weight "$late")" -lt 640 ]
ok $? "with .3 it weighs half as much: $(weight "$late") and $(weight "$one")"
gets_the_rest() { [ "$(weight "$late")" -gt 650 ]; }
check "then the late one weighs .4" until_true_soon 30 gets_the_rest
took=$((($(date +%s%N) - deadline * 1000000000) / 1000000))
[ $took -ge 0 ] && [ $took -lt 1000 ]
ok $? "within 1 s: $took ms after the deadline"
same "the other one still weighs most" 1024 "$(weight "$one")"
within "and so they divide the CPU over 10 s" 5 "5930 4070" \
	"$(parts_over 10 "$one" "$late" | paste -sd' ')"
check "nothing is left in the end" end_all
same "nothing was reported" "" "$(told)"
finish
