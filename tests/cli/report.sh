#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim report, and libra report: the counts of decision logs and of
# accounting, beside those of librasim replay; the page.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
libra=${LIBRA:-$builddir/libra}
cd "$tmp" || exit 99

# ---- a log that slurmctld could have written, of policy libra on 2 processors

opening() { # NOW EPOCH [FIELD]
	echo '{"call":"engine","now_s":'"$1"',"epoch":'"$2"',"policy":"libra","params":{"late_yields":0},"nodes":[["a",2]],"offer_ttl_s":60'"${3-}"'}'
}
event() { # EVENT NOW ID DEADLINE STATE [FIELDS]
	echo '{"event":"'"$1"'","now_s":'"$2"',"id":'"$3"',"user":3,"partition":"main","nprocs":1,"estimate_s":10,"deadline_s":'"$4"',"state":"'"$5"'"'"${6-}"'}'
}
decision() { # NOW VERDICT REASON DEADLINE
	echo '{"event":"decision","now_s":'"$1"',"user":3,"partition":"main","verdict":"'"$2"'","reason":"'"$3"'","estimate_s":10,"deadline_s":'"$4"',"took_s":0.001}'
}
job() { # NOW DEADLINE
	echo '"now_s":'"$1"',"submit_s":'"$1"',"estimate_s":10,"deadline_s":'"$2"',"nprocs":1,"user":3'
}
# A job of 10 s in 40 s, which has a share of 0.25 of the first processor.
accepted() { # NOW ID TICKET SHARE
	echo '{"call":"offer",'"$(job "$1" $(($1 + 40)))"',"answer":"accept","reason":"none","ticket":'"$3"',"share":'"$4"',"placement":[[0,1]]}'
	decision "$1" accept none $(($1 + 40))
	echo '{"call":"commit","now_s":'"$1"',"ticket":'"$3"',"id":'"$2"',"rc":0}'
	event promised "$1" "$2" $(($1 + 40)) waiting
	echo '{"call":"started","now_s":'"$1"',"ticket":'"$3"',"rc":0}'
	event started "$1" "$2" $(($1 + 40)) running
}
departed() { # NOW TICKET
	echo '{"call":"departed","now_s":'"$1"',"ticket":'"$2"',"rc":0}'
}

# Two jobs and a refusal; then the log is rotated.
{
	opening 1000 7
	accepted 1000 1 4294967296 0.25
	event kept 1036 1 1040 running ',"ran_s":9'
	departed 1036 4294967296
	accepted 1100 2 8589934592 0.25
	echo '{"call":"offer",'"$(job 1101 1105)"',"answer":"reject","reason":"no_share","ticket":0,"share":0,"placement":[]}'
	echo '{"call":"earliest",'"$(job 1101 1105)"',"earliest_s":1111}'
	decision 1101 reject no_share 1105
} >libra.log.1
{
	opening 1103 7 ',"continues":'"$(wc -l <libra.log.1)"
	event late 1150 2 1140 running ',"ran_s":12.5,"cause":"it_ran_for_longer_than_its_estimate"'
	departed 1150 8589934592
	accepted 1200 3 12884901888 0.25
	# slurmctld goes away, and job 3 ends.
	opening 1300 8
	accepted 1300 4 4294967296 0.25
} >libra.log

replayed() {
	run 0 "$librasim" replay --json libra.log.1 libra.log || {
		cat "$tmp/out"
		return 1
	}
	cp "$tmp/out" replay.json
}
check "the log replays" replayed
report() { # FOLDER ARGUMENT...
	folder=$1
	shift
	run 0 "$librasim" report -o "$folder" "$@" || {
		cat "$tmp/err"
		return 1
	}
}
check "a page is written" report one libra.log libra.log.1
counts() {
	python3 "$srcdir/tests/cli/reconcile.py" one replay.json
}
if command -v python3 >/dev/null; then
	check "its counts are those of the replay" counts
else
	skip "its counts are those of the replay" "no python3"
fi
has() { # FILE LINE...
	file=$1
	shift
	for line; do
		grep -qF -e "$line" "$file" && continue
		echo "no $line"
		cat "$file"
		return 1
	done
}
check "with its tables" has one/groups.csv \
	'all,,4,0,1,1,1,0,0,0,1,50,' 'partition,main,4,0,1,1,1,0,0,0,1,50,'
check "why" has one/causes.csv 'late,it_ran_for_longer_than_its_estimate,1'
check "refusals, and what would have done" has one/answers.csv \
	'main,reject,no_share,1,1,0,6,6'
check "each promise" has one/promises.csv \
	'1,main,,,1,1000,1040,10,1000,1036,9,kept,,0,log' \
	'3,main,,,1,1200,1240,10,1200,,,end_not_seen,,0,log'
check "on the page" has one/index.html '<strong>Kept:</strong> 50.0 %' \
	'>it ran for longer than its estimate<' 'End not seen:' \
	'each job on its own' '<svg'
packed() {
	gzip -k libra.log.1 && report packed libra.log libra.log.1.gz &&
		cmp one/groups.csv packed/groups.csv
}
check "rotated files may be packed" packed
again() {
	report two libra.log libra.log.1 && for f in groups causes answers \
		promises; do
		cmp one/$f.csv two/$f.csv || return 1
	done
	sed 's/-o two/-o one/' two/index.html | cmp - one/index.html
}
check "the same command writes the same" again

# ---- accounting

head='JobIDRaw|JobID|Partition|QOS|Account|Submit|Start|End|ElapsedRaw|State|AllocCPUS|AdminComment'
record() { # JOB DEADLINE [WORDS]
	echo "libra:1 offer=7.$1 tasks=1 procs=1 estimate=10 deadline=$2 submit=$(($2 - 40)) share=0.25 part=main${3-}"
}
{
	echo "$head"
	echo "1|1|main|high|phys|1000|1000|1036|36|COMPLETED|1|$(record 1 1040)"
	echo "2|2|main|high|bio|1100|1100|1150|50|COMPLETED|1|$(record 2 1140)"
	echo "3|3|main|low|bio|1200|1200|1239|39|COMPLETED|1|$(record 3 1240)"
	echo "4|4|main|low|bio|1300|1300|Unknown|9|RUNNING|1|$(record 4 1340)"
	echo "5|5|main|low|bio|1300|1300|1310|9|COMPLETED|1|"
} >sacct.txt
check "accounting adds to the log" report both --sacct sacct.txt libra.log*1 \
	libra.log
check "the end that was not seen" has both/promises.csv \
	'3,main,bio,low,1,1200,1240,10,1200,1239,39,kept,,0,both'
check "accounts and QOS" has both/groups.csv 'all,,4,0,1,2,1,0,0,0,0,66.' \
	'account,phys,1,0,0,1,0,' 'QOS,low,2,0,1,1,0,'
check "nothing is unseen any more" has both/report.json '"end_not_seen": 0,'
{
	cat sacct.txt
	echo "6|6|main|low|bio|1300|1300|1310|9|NODE_FAIL|1|$(record 6 1340)"
	echo "7|7|main|low|bio|1300|1300|1320|9|CANCELLED by 0|1|$(record 7 1340)"
	echo "8|8|main|low|bio|1300|1300|1320|9|REQUEUED|1|$(record 8 1340)"
	echo "8|8|main|low|bio|1300|1330|1360|9|COMPLETED|1|$(record 8 1340 ' promise=lost')"
	echo "9|9|main|low|bio|1300|1300|1360|9|COMPLETED|1|$(record 9 1340 ' late=30')"
	echo "10|10|main|low|bio|1300|1300|1360|9|COMPLETED|1|$(record 10 1340 ' late=9 broken=node_lost:n3')"
	echo "11|11|main|low|bio|1300|1300|1330|9|COMPLETED|1|libra:1 offer=7.0 tasks=1 procs=1 estimate=10 deadline=1340 submit=1300 part=main refused=no_share/1300/1400"
	echo "13|13|main|low|bio|1300|1300|1330|9|COMPLETED|1|libra:1 offer=7.13 tasks=1 procs=many estimate=10 deadline=1340 submit=1300 part=main"
	echo "12|12|main|low|bio|1300|Unknown|Unknown|0|PENDING|1|operator's note"
} >alone.txt
check "accounting alone" report alone --sacct alone.txt
check "what became of its promises" has alone/groups.csv \
	'all,,9,0,1,3,2,2,1,0,0,42.8'
check "and why" has alone/causes.csv 'lost,node_failed,1' 'lost,requeued,1' \
	'late,node_lost:n3,1'
check "a bet is no promise" has alone/promises.csv \
	'9,main,bio,low,1,1300,1340,10,1300,1360,9,late,,1,accounting'
check "a number that is none is 0" has alone/promises.csv \
	'13,main,bio,low,0,1300,1340,10,1300,1330,9,kept,,0,accounting'
check "refusals when the job could start" has alone/answers.csv \
	'main,reject,no_share,1,1,0,60,60'
check "what is not there is told" has alone/index.html \
	'is in the decision log alone' 'jobs drawn where they could have been'

# ---- arrays, replaced promises, bets, ends of logs

{
	opening 5000 9
	event promised 5000 20 5040 waiting
	event promised 5000 20 5040 waiting
	event promised 5000 20 5040 waiting
	# A task gets an id of its own when it starts.
	event started 5001 21 5040 running
	event kept 5030 21 5040 running ',"ran_s":9'
	event promised 5010 20 5090 waiting
	event replaced 5010 20 5040 waiting
	event moved 5011 20 5040 waiting ',"start_s":5020,"was_s":5015'
	event broken 5012 20 5040 waiting ',"cause":"node_lost:n1"'
	event lost 5013 20 5040 waiting ',"cause":"node_lost:n1"'
	event cancelled 5060 20 5090 waiting
	event kept 5070 15 5080 running ',"ran_s":30'
	echo '{"call":"offer",'"$(job 5080 5085)"',"answer":"accept","reason":"none","ticket":77,"share":1,"late_s":5,"placement":[[0,1]]}'
	echo '{"call":"commit","now_s":5080,"ticket":77,"id":30,"rc":0}'
	event promised 5080 30 5085 waiting
	event late 5099 30 5085 running ',"ran_s":10'
	# slurmctld is killed before it has saved that job 40 ended.
	event promised 5100 40 5190 waiting
	event kept 5110 40 5190 running ',"ran_s":10'
	opening 5120 10
	event restored 5120 40 5190 waiting
	event started 5121 40 5190 running
	event kept 5131 40 5190 running ',"ran_s":10'
	echo '{"call":"gap","lines":2}'
	echo '{"event":"kept","now'
} >odd.log
check "an odd log" report odd odd.log
check "is counted" has odd/groups.csv 'all,,5,0,0,3,0,1,1,0,0,75,'
check "bets apart" has odd/groups.csv ',1,0,1,4,'
check "missing lines are told" has odd/index.html \
	'3 lines of the decision log are missing'

# ---- a month

dated() { # EVENT DATE
	event "$1" "$(date -u -d "$2" +%s)" 1 2e9 waiting
}
{
	opening 1000 7
	dated promised '2026-10-31 23:59:59'
	dated cancelled '2026-11-05'
	dated promised '2026-11-01'
	dated cancelled '2026-12-05'
	dated promised '2026-12-01'
	dated cancelled '2026-12-05'
} >month.log
check "a month" report month --month 2026-11 month.log
check "has the promises that were given in it" has month/groups.csv \
	'all,,1,0,0,0,0,0,1,'
check "and its name" has month/index.html \
	'<h1>Deadline promises, 2026-11</h1>' \
	'<strong>Kept:</strong> none of 1 promises had to be kept so far'
december() {
	report december --month=2026-12 month.log &&
		has december/groups.csv 'all,,1,0,0,0,0,0,1,'
}
check "December" december
check "an empty month" report empty --month 2020-01 month.log
day() {
	report day --day 1970-01-02 libra.log libra.log.1 &&
		has day/index.html 'no promised job ran on 1970-01-02'
}
check "a day without jobs" day

# ---- what is wrong

refused() { # STATUS TEXT ARGUMENT...
	status=$1
	text=$2
	shift 2
	run "$status" "$librasim" report -o bad "$@" || return 1
	cat "$tmp/err"
	test "$(wc -l <"$tmp/err")" -eq 1 && grep -qF -e "$text" "$tmp/err" &&
		test ! -e bad
}
check "no log" refused 2 'no decision log is given'
check "a month that is none" refused 2 '--month takes' --month 2026-13 odd.log
check "another month that is none" refused 2 '--month takes' --month 2026-1 odd.log
check "a day that is none" refused 2 '--day takes' --day 2026-11 odd.log
echo '; MaxProcs: 4' >log.swf
check "another file" refused 1 'log.swf: not a decision log' log.swf
check "no such file" refused 1 'nowhere' nowhere
check "accounting without its columns" refused 1 'no column is named' \
	--sacct log.swf
sed '2s/|1000|/|2026-11-20T10:00:00|/; 2s/|1036|/|2026-11-20T10:00:00|/' \
	sacct.txt >local.txt
check "local times" refused 1 '--tz' --sacct local.txt
zoned() {
	report zoned --tz Europe/Paris --sacct local.txt
}
check "in their zone" zoned

# ---- libra report

if [ -x "$libra" ]; then
	mkdir bin
	cat >bin/sacct <<-'END'
		#!/bin/sh
		echo "$SLURM_TIME_FORMAT $*" >asked
		[ ! -e fail ] || { echo "sacct: error: no slurmdbd" >&2; exit 1; }
		cat sacct.txt
	END
	chmod +x bin/sacct
	ln -s "$librasim" bin/librasim
	libra_report() { # STATUS ARGUMENT...
		status=$1
		shift
		run "$status" env PATH="$tmp/bin:$PATH" "$libra" report "$@" || {
			cat "$tmp/err"
			return 1
		}
	}
	rm -f libra.log.1.gz
	cp odd.log libra.log2 # of another group
	all() {
		libra_report 0 -l libra.log -o libra && for f in groups causes \
			answers promises; do
			cmp libra/$f.csv both/$f.csv || return 1
		done
	}
	check "libra report reads rotated files and accounting" all
	check "times as seconds" grep -q '^%s -a -X -D -P ' asked
	month() {
		libra_report 0 -l month.log --month 2026-11 -o m2 &&
			cmp m2/groups.csv month/groups.csv &&
			grep -q -e '-S 2026-11-01' asked
	}
	check "of a month" month
	touch fail
	without() {
		libra_report 0 -l libra.log -o without &&
			grep -q 'no slurmdbd' "$tmp/err" &&
			grep -q 'accounts' "$tmp/err" &&
			cmp without/groups.csv one/groups.csv
	}
	check "without accounting" without
	rm fail bin/librasim
	no_librasim() {
		PATH=/usr/bin:/bin libra_report 1 -l libra.log -o none &&
			grep -q 'librasim' "$tmp/err"
	}
	if PATH=/usr/bin:/bin command -v librasim >/dev/null; then
		skip "without librasim" "librasim is installed"
	else
		check "without librasim" no_librasim
	fi
	ln -s "$librasim" bin/librasim
	check "a command line that is wrong" libra_report 2 what
else
	skip "libra report" "libra was not built"
fi

in_browser "the page fits phones and screens" "$tmp/both/index.html" \
	"$tmp/alone/index.html" "$tmp/month/index.html"
finish
