#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A live test that is ended leaves no daemon and no folder, however it is ended.
# The cluster is a process and a folder: what is tested is tests/live/lib.sh.
. "$(dirname "$0")/../tap.sh"

# Both take their time, so that a signal may come meanwhile.
cat >"$tmp/demo" <<-'END'
	#!/bin/sh
	case $1 in
	start)
		mkdir "$3" && echo "$3" >"$WORK/cluster"
		setsid sleep 60 >/dev/null 2>&1 &
		echo $! >"$WORK/daemon"
		;;
	stop) sleep .4 && kill "$(cat "$WORK/daemon")" && rm -r "$3" && exit ;;
	esac
	echo "$1" >"$WORK/$1"
	sleep .2
END
cat >"$tmp/program" <<-'END'
	#!/bin/sh
	trap 'sleep .2; echo ended >"$WORK/program.end"; exit 1' TERM
	: >"$WORK/waits"
	while :; do sleep .05; done
END
chmod +x "$tmp/demo" "$tmp/program"
cat >"$tmp/test" <<-END
	. "$srcdir/tests/live/lib.sh"
	extra_files=\$(mktemp -d "$tmp/extra.XXXXXX")
	[ "\$1" != bail ] || limit_time 1
	start_cluster
	sleep 60 &
	[ "\$1" != program ] || run_program "\$WORK/program"
	waits() { : >"\$WORK/waits" && echo waits && false; }
	[ "\$1" != write ] || while waits || :; do :; done
	until_true 60 waits
END

# ended MODE COMMAND...: once the test does what MODE says
ended() {
	local mode=$1 awaited=waits
	shift
	[ "$mode" != start ] || awaited=start
	rm -f "$tmp"/{start,waits,program.end,out}
	if [ "$mode" = write ]; then
		WORK=$tmp DEMO=$tmp/demo bash "$tmp/test" "$mode" 2>/dev/null |
			until_there waits
	else
		WORK=$tmp DEMO=$tmp/demo env --default-signal=INT,HUP,TERM \
			setsid bash "$tmp/test" "$mode" >"$tmp/out" 2>&1 &
		until_there $awaited
		"$@"
	fi
	wait
	[ -s "$tmp/cluster" ] && [ ! -e "$(cat "$tmp/cluster")" ] &&
		[ ! -e "$(cat "$tmp/cluster").out" ] &&
		! grep -q . "/proc/$(cat "$tmp/daemon")/cmdline" 2>/dev/null &&
		[ -z "$(find "$tmp" -name 'extra.*')" ] &&
		! pgrep -f "^(bash )?$tmp/" >/dev/null
}
until_there() { # FILE
	local i
	for ((i = 0; i < 200; i++)); do
		[ ! -e "$tmp/$1" ] || return 0
		sleep .05
	done
	return 1
}
group() { # SIGNAL...: as a terminal and make send them
	local s
	for s; do
		kill -"$s" -- -$!
		sleep .1
	done
}

for s in TERM INT HUP; do
	check "SIG$s" ended wait eval "kill -$s \$!"
	check "SIG$s to all of its processes, twice" ended wait group $s $s
done
check "SIGINT while the cluster starts" ended start group INT TERM
check "its time is over" ended bail true
check "which is told" grep -q '^Bail out! not done after 1 s' "$tmp/out"
check "SIGTERM while it waits for a program" ended program eval 'kill $!'
check "the program cleans up, too" test -e "$tmp/program.end"
check "nobody reads what it prints" ended write
finish
