#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra notify: a program for each event, once, over restarts, rotations and
# failures; and the hook that comes with it.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
hook=$srcdir/contrib/notify-hook
cd "$tmp" || exit 99
TZ=UTC
export TZ

opening() { # NOW [FIELD]
	echo '{"call":"engine","now_s":'"$1"',"version":1,"epoch":'"$1"',"policy":"planned","params":{},"nodes":[["a",8]],"offer_ttl_s":60'"${2-}"'}'
}
event() { # EVENT ID [FIELDS]
	echo '{"event":"'"$1"'","now_s":4200,"id":'"$2"',"user":0,"partition":"main","nprocs":3,"estimate_s":600,"deadline_s":3600,"state":"waiting"'"${3-}"'}'
}
cat >hook <<'END'
#!/bin/sh
echo "$LIBRA_EVENT $LIBRA_JOB $LIBRA_USER $LIBRA_PARTITION $LIBRA_TEXT" >>out
cat >json
[ ! -e "fail-$LIBRA_JOB" ] || exit "$(cat "fail-$LIBRA_JOB")"
END
chmod +x hook

{
	opening 100
	event broken 1
} >log
notify() { # STATUS WANTED [OPTION...]: what the hook wrote
	status=$1
	want=$2
	shift 2
	rm -f out
	: >out
	run "$status" "$libra" notify -l log -s state "$@" ./hook || return 1
	cat "$tmp/err"
	got=$(cut -d' ' -f1,2 out | paste -sd,)
	echo "ran for $got"
	test "$got" = "$want"
}
check "at first old events are not told" notify 0 ""
event broken 2 ',"cause":"node_lost:n3"' >>log
event promised 3 >>log
event moved 3 ',"start_s":1200,"was_s":600' >>log
echo '{"call":"schedule","now_s":4300}' >>log
check "then new ones are, in their order" notify 0 "broken 2,moved 3"
check "with a sentence" grep -qx 'broken 2 root main job 2: promise broken: it cannot end by 1970-01-01 01:00:00 UTC, and starts as soon as it can (node lost: n3)' out
check "and another one" grep -qx 'moved 3 root main job 3: planned start moved from 1970-01-01 00:10:00 to 1970-01-01 00:20:00; its deadline is 1970-01-01 01:00:00 UTC' out
check "and the line on standard input" grep -q '^{"event":"moved",.*}$' json
check "once" notify 0 ""
event late 4 >>log
check "late" notify 0 "late 4"
check "by how much" grep -q 'ended at 1970-01-01 01:10:00, 10 min after its deadline 1970-01-01 01:00:00 UTC' out
echo '{"event":"decision","now_s":1,"user":0,"partition":"main","verdict":"reject","reason":"would_miss"}' >>log
echo '{"event":"decision","now_s":1,"user":0,"partition":"main","verdict":"reject","reason":"would_miss","id":5,"deadline_s":3600,"earliest_s":7200}' >>log
check "of refusals those that no sbatch told" notify 0 "refused 5"
event kept 6 >>log
event lost 6 >>log
check "events are chosen" notify 0 "kept 6" --events kept,promised

# Failures.
event broken 7 >>log
event broken 8 >>log
echo 75 >fail-8
check "a program that says try again" notify 1 "broken 7,broken 8"
check "which is told" grep -q 'try again later' "$tmp/err"
check "is run again, for that event" notify 1 "broken 8"
rm fail-8
check "until it is done" notify 0 "broken 8"
event broken 9 >>log
event broken 10 >>log
echo 3 >fail-9
check "one that fails is told, and not run again" notify 0 \
	"broken 9,broken 10"
check "with its status" grep -q 'status 3 for job 9 broken' "$tmp/err"
check "nor later" notify 0 ""
event broken 11 >>log
check "a program that is not there" run 1 "$libra" notify -l log -s state \
	./nowhere
check "costs no event" notify 0 "broken 11"

# Rotation.
event broken 12 >>log
mv log log.1
opening 200 ',"continues":30' >log
event broken 13 >>log
check "a log that is rotated" notify 0 "broken 12,broken 13"
empty() {
	rm -f state log*
	: >log
	notify 0 "" || return 1
	opening 300 >log
	event broken 14 >>log
	notify 0 "broken 14"
}
check "a log that was empty at first" empty

# It follows until it is ended, and what is under way then is done.
follows() {
	rm -f out
	"$libra" notify --follow -l log -s state ./hook 2>err &
	pid=$!
	event broken 15 >>log
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -s out ] && break
		sleep 0.5
	done
	kill $pid
	wait $pid
	cat err out
	grep -q '^broken 15' out
}
check "one that follows the log" follows
check "has left nothing for the next" notify 0 ""
two() {
	event broken 16 >>log
	rm -f out
	flock state.lock "$libra" notify -l log -s state ./hook &&
		test ! -e out && notify 0 "broken 16"
}
if command -v flock >/dev/null; then
	check "two at a time tell nothing twice" two
else
	skip "two at a time tell nothing twice" "no flock"
fi

usage() { # TEXT ARGUMENT...
	text=$1
	shift
	run 2 "$libra" notify "$@" && grep -qF -e "$text" "$tmp/err"
}
check "no program" usage "give --state=FILE and a program" -s state
check "no state" usage "give --state=FILE and a program" true
check "an event that there is not" usage "no event 'lates'" \
	--events kept,lates -s state true
check "options of the program are its own" run 0 "$libra" notify -l log \
	-s state ./hook --events what

# The hook.
mkdir bin
for program in sendmail curl scontrol; do
	# shellcheck disable=SC2016
	printf '#!/bin/sh\necho "%s $*" >told\n[ "$0" != "${0%%sendmail}" ] && cat >>told\nexit "${STATUS:-0}"\n' \
		$program >bin/$program
	chmod +x bin/$program
done
hook() { # STATUS TEXT ARGUMENT...
	status=$1
	text=$2
	shift 2
	rm -f told
	run "$status" env PATH="$tmp/bin:$PATH" SENDMAIL="$tmp/bin/sendmail" \
		LIBRA_EVENT=broken LIBRA_JOB=7 LIBRA_USER=ann \
		LIBRA_TEXT='job 7: "so"' "$hook" "$@" || return 1
	cat told "$tmp/err" 2>/dev/null
	grep -qF -e "$text" told "$tmp/err"
}
check "mail" hook 0 'To: ann@example.org' mail example.org
check "its text" grep -qx 'job 7: "so"' told
check "a chat" hook 0 '{"text": "job 7: \"so\""} http://chat' webhook \
	http://chat
STATUS=7
export STATUS
check "that cannot be reached: later" hook 75 curl webhook http://chat
STATUS=0
check "a comment" hook 0 'scontrol update job 7 Comment=job 7: "so"' comment
check "how" hook 2 Usage: what
finish
