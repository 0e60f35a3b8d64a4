#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libra metrics: counts of whole logs, of what is new, of rotated and damaged
# ones; what Prometheus says of the text.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
cd "$tmp" || exit 99

# A run of slurmctld's engine on 12 processors.
opening() { # NOW [FIELD]
	echo '{"call":"engine","now_s":'"$1"',"version":1,"epoch":'"$1"',"policy":"planned","params":{},"nodes":[["a",8],["b",4]],"offer_ttl_s":60'"${2-}"'}'
}
decision() { # PARTITION VERDICT REASON
	echo '{"event":"decision","now_s":100,"user":1,"partition":"'"$1"'","verdict":"'"$2"'","reason":"'"$3"'","estimate_s":600,"deadline_s":4300,"took_s":0.0002}'
}
event() { # EVENT PARTITION [FIELDS]
	echo '{"event":"'"$1"'","now_s":4200,"id":7,"user":1,"partition":"'"$2"'","nprocs":3,"estimate_s":600,"deadline_s":4300'"${3-}"'}'
}
waiting=',"state":"waiting"'
running=',"state":"running"'

{
	opening 100
	decision main accept none
	decision main accept none
	decision main reject would_miss
	event promised main "$waiting"
	event promised main "$waiting"
	event started main "$running"
	echo '{"call":"node","now_s":102,"node":1,"state":"down","rc":0}'
	event kept main "$running"',"ran_s":540'
	event promised main "$waiting"
	event started main "$running"
} >log

metrics() { run 0 "$libra" metrics -l log "$@"; }
has() { # LINE...: of the last output, or of $of
	for line; do
		grep -qxF -e "$line" "${of:-$tmp/out}" && continue
		echo "no $line"
		grep "^${line%%[\{ ]*}" "${of:-$tmp/out}"
		return 1
	done
}
check "a log is counted" metrics
check "decisions" has \
	'libra_decisions_total{partition="main",reason="none",verdict="accept"} 2' \
	'libra_decisions_total{partition="main",reason="would_miss",verdict="reject"} 1'
check "promises that wait, and run" has \
	'libra_promises{partition="main",state="waiting"} 1' \
	'libra_promises{partition="main",state="running"} 1' \
	'libra_promised_processors{partition="main"} 6'
check "those that are over" has \
	'libra_promises_ended_total{cause="none",outcome="kept",partition="main"} 1'
check "processors" has \
	'libra_processors{partition="",state="up"} 8' \
	'libra_processors{partition="",state="down"} 4'
check "times" has 'libra_decision_seconds_bucket{le="0.0001"} 0' \
	'libra_decision_seconds_bucket{le="0.001"} 3' \
	'libra_decision_seconds_bucket{le="+Inf"} 3' \
	'libra_promise_slack_seconds_sum 7200' \
	'libra_finish_error_seconds_bucket{le="-600.0"} 0' \
	'libra_finish_error_seconds_bucket{le="-60.0"} 1' \
	'libra_estimate_ratio_bucket{le="0.75"} 0' \
	'libra_estimate_ratio_bucket{le="0.9"} 1'
check "no error" has 'libra_log_errors_total 0'

# Causes, as the host words them.
causes() {
	{
		opening 200
		for cause in node_lost:n3 node_failed node_reserved:n1; do
			event promised main "$waiting"
			event lost main "$waiting"',"cause":"'$cause'"'
		done
		for cause in slurmctld_restarted_after_its_planned_start \
			Slurm_did_not_start_it_in_time; do
			event promised main "$waiting"
			event late main "$waiting"',"cause":"'$cause'"'
		done
		event promised main "$waiting"
		event late main "$waiting"',"cause":"it_ran_for_longer_than_its_estimate"'
		event promised main "$waiting"
		event lost main "$waiting"',"cause":"requeued"'
		event promised main "$waiting"
		event promised main "$waiting"
		event replaced main "$waiting"
		event promised main "$waiting"
		event cancelled main "$waiting"',"cause":"node_lost:n3"'
	} >>log
	metrics && has \
		'libra_promises_ended_total{cause="node",outcome="lost",partition="main"} 3' \
		'libra_promises_ended_total{cause="slurmctld",outcome="late",partition="main"} 2' \
		'libra_promises_ended_total{cause="overrun",outcome="late",partition="main"} 1' \
		'libra_promises_ended_total{cause="requeue",outcome="lost",partition="main"} 1' \
		'libra_promises_ended_total{cause="none",outcome="cancelled",partition="main"} 1'
}
check "causes are of few kinds" causes
check "slurmctld's next run has what it restores" has \
	'libra_promises{partition="main",state="waiting"} 1' \
	'libra_promises{partition="main",state="running"} 0'
check "a promise that is replaced has no outcome" test \
	"$(grep -c outcome=.replaced "$tmp/out")" -eq 0

# Incremental.
export of=libra.prom
textfile() { metrics --textfile libra.prom; }
accepted() { # N
	has 'libra_decisions_total{partition="main",reason="none",verdict="accept"} '"$1"
}
first() {
	textfile && accepted 2 && test ! -s "$tmp/out" &&
		test -n "$(find libra.prom -perm 644)" &&
		textfile && accepted 2
}
check "a second call counts nothing twice" first
# Lines that were read are not read again: they may as well be something else.
unread() {
	decision main accept none >>log
	size=$(wc -c <log)
	tr 'a' 'x' <log | tail -c +301 | head -c 400 |
		dd of=log bs=1 seek=300 conv=notrunc 2>/dev/null
	test "$(wc -c <log)" -eq "$size" && textfile && accepted 3
}
check "the bytes that were read are not read again" unread
half() {
	decision main accept none | head -c 40 >>log
	textfile && accepted 3 || return 1
	decision main accept none | tail -c +41 >>log
	textfile && accepted 4
}
check "a line that is not written to its end comes later" half

rotated() { # TO ACCEPTED NOW: slurmctld goes on in a new file
	decision main accept none >>log
	mv log "$1"
	textfile && accepted "$2" || return 1
	opening "$3" ',"continues":40' >log
	decision main accept none >>log
	textfile && accepted $(($2 + 1))
}
check "a log that is rotated" rotated log.1 5 210
mv log.1 log.2
check "and once more" rotated log-20261126 7 220
check "its run goes on" has 'libra_promises{partition="main",state="waiting"} 1'
create() { # as logrotate's create: an empty file
	mv log log.1
	: >log
	textfile && accepted 8 || return 1
	decision main accept none >>log.1
	textfile && accepted 9 || return 1
	opening 230 ',"continues":50' >log
	textfile && accepted 9
}
check "slurmctld may write into the old file for a while" create
twice() {
	mv log log.0
	decision main accept none >>log.0
	opening 300 ',"continues":60' >log.1.1
	decision main accept none >>log.1.1
	touch -d '+1 minute' log.1.1
	opening 400 ',"continues":70' >log
	decision main accept none >>log
	textfile && accepted 12
}
check "two rotations between calls" twice
copied() { # copytruncate
	decision main accept none >>log
	cp log log.3
	touch -d '+2 minutes' log.3
	opening 500 ',"continues":80' >log
	decision main accept none >>log
	textfile && accepted 14 && has 'libra_log_errors_total 0'
}
check "a log that is copied and cut" copied
gone() {
	rm -f log*
	opening 600 ',"continues":90' >log
	textfile && accepted 14 && has 'libra_log_errors_total 1'
}
check "a rest that is gone is an error that is counted" gone
damage() {
	echo '{"call":"gap","lines":3}' >>log
	echo 'what is this' >>log
	echo '{"event":"}' >>log
	decision main accept none >>log
	textfile && accepted 15 && has 'libra_log_errors_total 6'
}
check "so are lines that are missing or damaged" damage
refused() { # TEXT ARGUMENT...
	text=$1
	shift
	run 1 "$libra" metrics "$@" || return 1
	cat "$tmp/err"
	test "$(wc -l <"$tmp/err")" -eq 1 && grep -qF "$text" "$tmp/err"
}
check "no log" refused 'nowhere: No such file' -l nowhere
echo '{}' >bad.prom.state
check "a damaged state names the cure" refused 'remove it' -l log -t bad.prom
check "a folder that is not there" refused 'nowhere/x.prom' -l log \
	-t nowhere/x.prom
check "no other file is left" test -z "$(find . -name '*.next' -o -name '*.new')"

# Ten partitions, with all that mostly happens.
ten() {
	opening 100
	for p in a b c d e f g h i j; do
		decision $p accept none
		decision $p reject would_miss
		decision $p reject rule
		event promised $p "$waiting"
		event started $p "$running"
		event kept $p "$running"',"ran_s":540'
		for cause in it_ran node_failed slurmctld; do
			event promised $p "$waiting"
			event late $p "$waiting"',"cause":"'$cause'"'
		done
		event promised $p "$waiting"
		event cancelled $p "$waiting"
	done
}
ten >log
of=$tmp/out
# And a wait in each.
for p in a b c d e f g h i j; do
	echo "JobId=7 UserId=ada(1) GroupId=g(1) Name=x JobState=COMPLETED Partition=$p TimeLimit=10 StartTime=2026-11-20T10:10:00 EndTime=2026-11-20T10:20:00 NodeList=n NodeCnt=1 ProcCnt=2 WorkDir=/ Tres= SubmitTime=2026-11-20T10:00:00 EligibleTime=2026-11-20T10:00:00 ExitCode=0:0"
done >runs
series() {
	metrics --waits=runs || return 1
	grep -vc '^#' "$tmp/out"
	test "$(grep -vc '^#' "$tmp/out")" -le 200
}
check "200 series at most on ten partitions" series
check "with a wait in each" has \
	'libra_wait_seconds_bucket{partition="j",le="60.0"} 0' \
	'libra_wait_seconds_bucket{partition="j",le="3600.0"} 1' \
	'libra_wait_seconds_bucket{partition="j",le="+Inf"} 1'

# Waits of a log that grows, by either format; a site need not promise anything.
waits() { # 1-MINUTE 1-DAY
	metrics --textfile waits.prom --waits=grows && of=waits.prom has \
		'libra_wait_seconds_bucket{partition="main",le="60.0"} '"$1" \
		'libra_wait_seconds_bucket{partition="main",le="+Inf"} '"$2"
}
row() { # START
	echo "COMPLETED|main|1000|$1|$(($1 + 60))|5|2|7|1"
}
grown() {
	{
		echo 'State|Partition|Eligible|Start|End|TimelimitRaw|AllocCPUS|JobIDRaw|UID'
		row 1000
		row 1030
		echo 'CANCELLED by 7|main|1000|None|1010|5|2|8|1'
		echo 'RUNNING|main|1000|1010|Unknown|5|2|8|1'
	} >grows
	waits 2 2 || return 1
	row 99000 >>grows
	waits 2 3 && waits 2 3
}
check "waits of sacct's rows, new ones once" grown
wrong_rows() {
	before=$(sed -n 's/^libra_log_errors_total //p' waits.prom)
	echo 'what is this' >>grows
	waits 2 3 && of=waits.prom has "libra_log_errors_total $((before + 1))"
}
check "a line that is none is an error that is counted" wrong_rows
check "no file with waits" refused 'nowhere: No such file' -l log -w nowhere

# The dashboard names families that there are, and the alerts.
dashboard() {
	python3 - "$srcdir/contrib/grafana-dashboard.json" "$tmp/out" \
		"$srcdir/contrib/prometheus-alerts.yml" <<'END'
import json, re, sys
board = json.load(open(sys.argv[1]))
families = set(re.findall(r"^# TYPE (\S+)", open(sys.argv[2]).read(), re.M))
alerts = set(re.findall(r"- alert: (\S+)", open(sys.argv[3]).read()))
used, named = set(), set()
places = []
for panel in board["panels"]:
    g = panel["gridPos"]
    assert panel["title"] and panel["type"] and g["x"] + g["w"] <= 24, panel
    places.append((g["x"], g["y"], g["w"], g["h"]))
    for target in panel.get("targets", []):
        used |= set(re.findall(r"libra_[a-z_]+", target["expr"]))
        assert target["expr"].count("(") == target["expr"].count(")")
    named |= set(re.findall(r"Libra[A-Z]\w+", json.dumps(panel)))
for i, a in enumerate(places):
    for b in places[i + 1:]:
        assert (a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or
                a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]), (a, b)
base = {re.sub("_(bucket|sum|count)$", "", n) for n in used}
print("not there:", base - families, "not shown:", families - base,
      "no alert:", named - alerts, "alerts not shown:", alerts - named)
sys.exit(bool(base - families or families - base or named ^ alerts))
END
}
if command -v python3 >/dev/null; then
	metrics >/dev/null
	check "the dashboard has each family, and each alert" dashboard
else
	skip "the dashboard has each family, and each alert" "no python3"
fi
if command -v promtool >/dev/null; then
	lint() {
		metrics && promtool check metrics <"$tmp/out"
	}
	check "promtool finds nothing" lint
	opening 100 >log
	decision 'a\"b\\c' accept none >>log
	check "nor with a strange name" lint
else
	skip "promtool finds nothing" "no promtool"
	skip "nor with a strange name" "no promtool"
fi

# The alerts that come with it, by Prometheus' own engine: an hour in which each
# is due, and one in which none is.
expected() { # ALERT LABELS...
	echo "      - {eval_time: 59m, alertname: $1, exp_alerts: [{exp_labels: {severity: warning${2:+, $2}}}]}"
}
alerts() {
	sed '/annotations:/d; /^ *summary:/d; /^ *description:/d' \
		"$srcdir/contrib/prometheus-alerts.yml" >rules.yml
	{
		echo 'rule_files: [rules.yml]'
		echo 'evaluation_interval: 1m'
		echo 'tests:'
		echo '  - interval: 1m'
		echo '    input_series:'
		while read -r values name; do
			echo "      - {series: '$name', values: '$values'}"
		done <<-'END'
			0+1x60 libra_promises_ended_total{cause="node",outcome="lost",partition="main"}
			0+1x60 libra_promises_ended_total{cause="overrun",outcome="late",partition="main"}
			0+9x60 libra_promises_ended_total{cause="none",outcome="kept",partition="main"}
			0+1x60 libra_decisions_total{partition="main",reason="would_miss",verdict="reject"}
			0+1x60 libra_decisions_total{partition="side",reason="would_miss",verdict="reject"}
			0+1x60 libra_decisions_total{partition="side",reason="none",verdict="accept"}
			0+1x60 libra_log_errors_total
			0x60 node_textfile_mtime_seconds{file="/a/libra.prom"}
			0x60 libra_decision_seconds_bucket{le="0.1"}
			0+5x60 libra_decision_seconds_bucket{le="1.0"}
			0+5x60 libra_decision_seconds_bucket{le="+Inf"}
		END
		echo '    alert_rule_test:'
		expected LibraPromisesLost 'partition: main, cause: node'
		expected LibraPromisesLate 'partition: main'
		expected LibraAllRefused 'partition: main'
		expected LibraSlowDecisions
		expected LibraLogErrors
		expected LibraMetricsOld 'file: /a/libra.prom'
		echo '  - interval: 1m'
		echo '    input_series:'
		while read -r values name; do
			echo "      - {series: '$name', values: '$values'}"
		done <<-'END'
			0+1x60 libra_promises_ended_total{cause="overrun",outcome="late",partition="main"}
			0+99x60 libra_promises_ended_total{cause="none",outcome="kept",partition="main"}
			3x60 libra_promises_ended_total{cause="node",outcome="lost",partition="main"}
			0+1x60 libra_decisions_total{partition="main",reason="none",verdict="accept"}
			7x60 libra_log_errors_total
			0+60x60 node_textfile_mtime_seconds{file="/a/libra.prom"}
			0+5x60 libra_decision_seconds_bucket{le="0.001"}
			0+5x60 libra_decision_seconds_bucket{le="+Inf"}
		END
		echo '    alert_rule_test:'
		sed -n 's/.*- alert: //p' rules.yml | while read -r name; do
			echo "      - {eval_time: 59m, alertname: $name, exp_alerts: []}"
		done
	} >alerts.yml
	promtool check rules "$srcdir/contrib/prometheus-alerts.yml" &&
		promtool test rules alerts.yml
}
# What the dashboard asks, as rules.
asked() {
	python3 -c 'import json, sys
rules = [{"record": "x:y%d" % i, "expr": t["expr"].replace("$partition", "main")}
         for i, t in enumerate(t for p in json.load(open(sys.argv[1]))["panels"]
                               for t in p.get("targets", []))]
json.dump({"groups": [{"name": "x", "rules": rules}]}, open("asked.yml", "w"))' \
		"$srcdir/contrib/grafana-dashboard.json" &&
		promtool check rules asked.yml
}
if command -v promtool >/dev/null && command -v python3 >/dev/null; then
	check "Prometheus understands what the dashboard asks" asked
else
	skip "Prometheus understands what the dashboard asks" \
		"no promtool, or no python3"
fi
if command -v promtool >/dev/null; then
	check "each alert comes when it is due, and not before" alerts
else
	skip "each alert comes when it is due, and not before" "no promtool"
fi
openmetrics() {
	metrics --openmetrics &&
		has '# TYPE libra_decisions counter' '# EOF' &&
		test "$(tail -n 1 "$tmp/out")" = '# EOF'
}
check "OpenMetrics" openmetrics
if python3 -c 'import prometheus_client' 2>/dev/null; then
	check "as its parser reads it" python3 -c '
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
n = len(list(text_string_to_metric_families(open(sys.argv[1]).read())))
sys.exit(n != 12)' "$tmp/out"
else
	skip "as its parser reads it" "no python3-prometheus-client"
fi
check "a command line that is wrong" run 2 "$libra" metrics what
finish
