#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge of crash campaigns sees what is wrong in a decision log, and nothing
# in one that is right.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"

same() { # NAME EXPECTED GOT
	check "$1" test "$2" = "$3"
}
matches() { # NAME REGEX TEXT
	printf '%s\n' "$3" >"$tmp/text"
	check "$1" grep -E -e "$2" "$tmp/text"
}

# Result: the findings in a log (of stdin) that begins with a machine of two
# nodes of two processors.
findings() { # POLICY
	{
		echo '{"call":"engine","now_s":0,"policy":"'"$1"'","nodes":[["a",2],["b",2,1000]]}'
		cat
	} >"$tmp/log"
	PYTHONDONTWRITEBYTECODE=1 python3 - "$srcdir/contrib/crash" "$tmp/log" <<-'PY'
		import sys
		sys.path.insert(0, sys.argv[1])
		import judge
		walk = judge.Walk(sys.argv[2])
		walk.read()
		print("\n".join(walk.findings))
	PY
}
offer() { # TICKET PROCESSORS SECONDS DEADLINE [PLACEMENT]
	echo '{"call":"offer","now_s":0,"submit_s":0,"estimate_s":'"$3"',"deadline_s":'"$4"',"nprocs":'"$2"',"user":1,"answer":"accept","share":0.1,"ticket":'"$1${5:+,\"placement\":$5}"'}'
}

# Four processors do 400 s of work in 100 s, and no more.
same "plans that fill the machine are no finding" "" "$(
	{ offer 1 4 50 100 && offer 2 2 100 100; } | findings planned)"
matches "plans beyond it are one" "over-promised: 470.000 s of work in 100.000 s of 4" \
	"$({ offer 1 4 50 100 && offer 2 3 90 100; } | findings planned)"
matches "a bet is promised nothing" "^$" \
	"$({ offer 1 4 50 100 && offer 2 3 90 100 | sed 's/"ticket"/"late_s":10,&/'; } |
		findings planned)"
matches "what nobody offered is not committed" "promised what nobody offered" \
	"$(echo '{"call":"commit","now_s":1,"ticket":7,"id":3,"rc":0}' |
		findings planned)"
same "by shares a processor is filled" "" "$(
	{ offer 1 1 50 100 '[[0,1]]' && offer 2 1 50 100 '[[0,1]]'; } |
		findings librarisk)"
matches "and not beyond that" "over-promised: 110.000 s of work for a:0" "$(
	{ offer 1 1 50 100 '[[0,1]]' && offer 2 1 60 100 '[[0,1]]'; } |
		findings librarisk)"
matches "a promise has as many processors as were asked for" \
	"2 processors were asked for, 1 promised" \
	"$(offer 1 2 50 100 '[[0,1]]' | findings band)"

plans() { # DEADLINE WORDS START...: one job of 3 processors for 60 s for each start
	PYTHONDONTWRITEBYTECODE=1 python3 - "$srcdir/contrib/crash" "$@" <<-'PY'
		import sys
		sys.path.insert(0, sys.argv[1])
		import judge
		records = [judge.Record(
		    "JobId=%d JobState=PENDING Priority=1 AdminComment=libra:1 offer=1.%d "
		    "tasks=1 procs=3 estimate=60 deadline=%s start=%s%s" %
		    (i, i, sys.argv[2], start, sys.argv[3]), None)
		    for i, start in enumerate(sys.argv[4:], 1)]
		print("\n".join(judge.plans_fit(records, 1000, 4)))
	PY
}
same "one plan after another fits" "" "$(plans 2000 '' 1000 1060 1120)"
matches "two beside each other do not" "6 processors are planned" \
	"$(plans 2000 '' 1000 1030)"
matches "nor one that ends after its deadline" "job 1: planned from 1990" \
	"$(plans 2000 '' 1990)"
same "unless its record says that its promise is broken" "" \
	"$(plans 2000 ' late=50 broken=node_lost:n1' 1990)"
finish
