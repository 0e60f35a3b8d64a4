#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim import --format csv: a trace by a map of its columns.  The maps and
# commands of docs/your-own-log.md are tried as they stand there, on extracts
# that are made up but have the headings of the public traces.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

librasim=${LIBRASIM:-$builddir/librasim}
guide=$srcdir/docs/your-own-log.md
cd "$tmp" || exit 99

# ---- the public traces ----

# section TITLE: the indented lines of a trace's section in the guide
section() {
	awk -v want="### $1" '
		/^##/ { on = index($0, want) == 1; next }
		on && /^    / { print substr($0, 5) }' "$guide"
}
# imports TITLE NAME: run what the section says; NAME.swf is as NAME.want
imports() {
	section "$1" | grep -E '^[a-z_]+: ' >"$2.map"
	section "$1" | grep -E '(^|\| )librasim import' |
		sed "s|librasim import|'$librasim' import|" >"$2.sh"
	test "$(wc -l <"$2.sh")" -eq 1 || return 1
	sh "$2.sh" >"$2.out" 2>&1 || {
		cat "$2.sh" "$2.out"
		return 1
	}
	grep -v '^;' "$2.swf" | diff "$2.want" - &&
		run 0 "$librasim" run --policy easy "$2.swf"
}

cat >elasticflow.csv <<END
job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration
0f2c6d1a-0000-4000-8000-000000000001,0,40285,bert,21347,64,4,3890
0f2c6d1a-0000-4000-8000-000000000002,16566,1200,vgg16,17000,64,2,300
END
cat >elasticflow.want <<END
1 0 -1 3890 4 -1 -1 -1 3890 -1 -1 -1 -1 1 -1 -1 -1 -1
2 16566 -1 300 2 -1 -1 -1 300 -1 -1 -1 -1 2 -1 -1 -1 -1
END
check "ElasticFlow" imports ElasticFlow elasticflow
# 2021-03-04 UTC is 1614816000.
deadlines() {
	cut -d , -f 2,8,10,11,19,21 elasticflow.jobs.csv >got
	diff got - <<END &&
job,submit_s,start_s,end_s,gpus,deadline_s
1,1614816000,,,4,21347
2,1614832566,,,2,434
END
		grep -q 'no start in the trace' elasticflow.out &&
		section ElasticFlow | sed -n "s|^librasim run|'$librasim' run|p" |
		sh >run.out && grep -q '^planned  *2  *2 ' run.out
}
check "ElasticFlow: deadlines go to --jobs-in" deadlines

cat >cluster_log.csv <<END
job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
700,u1,vcA,16,64,2,COMPLETED,2020-04-01 00:00:19,2020-04-01 00:01:19,2020-04-01 01:01:19,3600,60
701,u2,vcB,1,4,1,CANCELLED,2020-04-01 00:00:20,2020-04-01 00:00:20,2020-04-01 00:10:20,600,0
702,u2,vcB,0,4,1,COMPLETED,2020-04-01 00:00:21,2020-04-01 00:00:21,2020-04-01 00:10:21,600,0
703,u3,vcB,8,32,1,TIMEOUT,2020-04-01 00:00:29,2020-04-01 00:00:30,2020-04-01 00:00:40,10,1
END
cat >helios.want <<END
700 0 60 3600 16 -1 -1 -1 3600 -1 1 1 -1 -1 -1 1 -1 -1
701 1 0 600 1 -1 -1 -1 600 -1 5 2 -1 -1 -1 2 -1 -1
703 10 1 10 8 -1 -1 -1 10 -1 0 3 -1 -1 -1 2 -1 -1
END
check "Helios" imports Helios helios
zone() {
	grep -q '^; UnixStartTime: 1585670419$' helios.swf &&
		grep -q '^; MaxProcs: 1064$' helios.swf
}
check "Helios: local times by --tz" zone

cat >cluster_job_log <<END
[{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1", "user": "ce2f49",
  "submitted_time": "2017-10-08 10:00:00", "attempts": [
   {"start_time": "2017-10-08 10:01:00", "end_time": "2017-10-08 10:02:00",
    "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu0"]}]},
   {"start_time": "2017-10-08 10:03:00", "end_time": "2017-10-08 10:11:00",
    "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu0"]}]}]},
 {"status": "Killed", "vc": "ee9e8c", "jobid": "application_2", "user": "7aff3c",
  "submitted_time": "2017-10-08 10:05:00", "attempts": [
   {"start_time": "2017-10-08 10:05:00", "end_time": "2017-10-08 10:05:30",
    "detail": [{"ip": "m3", "gpus": ["gpu0"]}]}]},
 {"status": "Killed", "vc": "ee9e8c", "jobid": "application_3", "user": "7aff3c",
  "submitted_time": "2017-10-08 10:06:00", "attempts": []},
 {"status": "Failed", "vc": "6214e9", "jobid": "application_4", "user": "7aff3c",
  "submitted_time": "2017-10-08 10:07:00", "attempts": [
   {"start_time": "2017-10-08 10:07:10", "end_time": null,
    "detail": [{"ip": "m3", "gpus": ["gpu1"]}]}]}]
END
cat >philly.want <<END
1 0 60 600 3 -1 -1 -1 600 -1 1 1 -1 -1 -1 1 -1 -1
2 300 0 30 1 -1 -1 -1 30 -1 5 2 -1 -1 -1 1 -1 -1
END
philly() {
	section Philly | grep '^jq ' | sh && imports Philly philly
}
if command -v jq >/dev/null; then
	check "Philly" philly
else
	skip "Philly" "no jq"
fi

echo job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type \
	>pai_task_table.header
cat >pai_task_table.csv <<END
a1,worker,3.0,Terminated,1000.0,1600.0,600.0,29.296875,50.0,MISC
a1,ps,1.0,Terminated,1000.0,1600.0,600.0,29.296875,,
b2,tensorflow,1.0,Failed,1100.0,1200.0,600.0,10.0,25.0,T4
c3,tensorflow,1.0,Running,1200.0,,600.0,10.0,100.0,T4
d4,tensorflow,1.0,Waiting,,,600.0,10.0,100.0,T4
END
# 3 times half a GPU is 2, with 3 x 29.296875 GB, 46,080,000 KB for each.
cat >alibaba2020.want <<END
1 0 0 600 2 -1 -1 -1 600 46080000 1 -1 -1 1 -1 1 -1 -1
3 100 0 100 1 -1 -1 -1 100 10485760 0 -1 -1 2 -1 2 -1 -1
END
check "Alibaba, 2020" imports "Alibaba, 2020" alibaba2020

cat >openb_pod_list_default.csv <<END
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
openb-pod-0,12000,16384,1,1000,,LS,Running,0,12537,0
openb-pod-1,6000,12288,1,460,,LS,Succeeded,4270,5000,4274
openb-pod-2,8000,1024,8,1000,,BE,Failed,4300,4400,4300
openb-pod-3,11908,47104,1,1000,,BE,Pending,4500,4600,
openb-pod-4,20000,65536,0,0,,LS,Running,4700,4800,4700
END
cat >alibaba2023.want <<END
1 0 0 12537 1 -1 -1 -1 12537 16777216 -1 -1 -1 -1 1 -1 -1 -1
2 4270 4 726 1 -1 -1 -1 726 12582912 1 -1 -1 -1 1 -1 -1 -1
3 4300 0 100 8 -1 -1 -1 100 131072 0 -1 -1 -1 2 -1 -1 -1
END
check "Alibaba, 2023" imports "Alibaba, 2023" alibaba2023

cat >pm100.csv <<END
cores_alloc_layout,job_id,job_state,nodes,num_cores_req,num_cores_alloc,num_gpus_alloc,num_nodes_alloc,partition,qos,submit_time,eligible_time,start_time,end_time,run_time,time_limit,user_id,power_consumption
"{'3': [0, 1]}",5005,COMPLETED,"[3, 4]",64,256,8,2,1,0,2020-05-05 18:00:00+00:00,2020-05-05 18:00:10+00:00,2020-05-05 18:01:00+00:00,2020-05-05 18:11:00+00:00,600,60,42,"[510. 512.
 520. 500.]"
"{'3': [0]}",5006,TIMEOUT,"[3]",4,4,1,1,1,0,2020-05-05 18:00:20+00:00,2020-05-05 18:00:20+00:00,2020-05-05 18:00:20+00:00,2020-05-05 18:05:20+00:00,300,5,42,"[200.]"
END
cat >pm100.want <<END
5005 0 50 600 256 -1 -1 64 3600 -1 1 1 -1 -1 1 1 -1 -1
5006 10 0 300 4 -1 -1 4 300 -1 0 1 -1 -1 1 1 -1 -1
END
check "PM100" imports PM100 pm100

cat >fugaku.csv <<END
jid,usr,jnam,cnumr,cnumat,cnumut,nnumr,adt,qdt,schedsdt,deldt,ec,elpl,sdt,edt,nnuma,pri,mszl,exit state,duration
jid_0,usr_0,jnam_0,48,192,190,4,2024-04-01 09:00:00,2024-04-01 09:00:05,2024-04-01 09:00:06,,0,86400.0,2024-04-01 09:01:00,2024-04-01 10:01:00,4,127,1.0,completed,3600.0
jid_1,usr_1,jnam_1,48,48,48,1,2024-04-01 09:00:30,2024-04-01 09:00:35,2024-04-01 09:00:36,NaT,9,600.0,2024-04-01 09:02:00,2024-04-01 09:02:30,1,127,1.0,failed,30.0
END
cat >fugaku.want <<END
1 0 60 3600 4 -1 -1 4 86400 -1 1 1 -1 1 -1 -1 -1 -1
2 30 90 30 1 -1 -1 1 600 -1 0 2 -1 2 -1 -1 -1 -1
END
check "Fugaku" imports Fugaku fugaku

# ---- units ----

# reads MAP-LINES TRACE EXPECTED: fields 1 to 9 of each record
reads() {
	printf '%b' "$1" >units.map
	printf '%b' "$2" >units.csv
	run 0 "$librasim" import --format csv --map units.map --tz UTC \
		-o units.swf units.csv || return 1
	grep -v '^;' units.swf | cut -d ' ' -f 1-9 >got
	printf '%b' "$3" | diff - got
}
check "instants in ms, durations in minutes, and a wait" reads \
	'submit: t ms\nwait: w min\nrun: r min\nprocs: n\nlimit: l h\n' \
	't,w,r,n,l\n1600000000500,2,1.5,4.0,1\n1600000060999,0,1,2,-1\n' \
	'1 0 120 90 4 -1 -1 -1 3600\n2 60 0 60 2 -1 -1 -1 60\n'
check "dates with and without a zone, and numbers, in one column" reads \
	'submit: t\nrun: r\nprocs: 1\n' \
	't,r\n2020-01-01T00:00:00+01:00,00:01:00\n2020-01-01 00:00:00.5,90\n1577836900,1-00:00:00\n' \
	'1 0 -1 60 1 -1 -1 -1 60\n2 3600 -1 90 1 -1 -1 -1 90\n3 3700 -1 86400 1 -1 -1 -1 86400\n'
check "names with blanks, tabs, comments, numbers as ids" reads \
	'# a map\nid: "Job Id" # numbers\nsubmit: "queued at" s\nrun: r\nprocs: nodes * 48\n' \
	'Job Id\tqueued at\tr\tnodes\n12.0\t100\t5\t2\n7\t200\t5\t1\n' \
	'12 0 -1 5 96 -1 -1 -1 5\n7 100 -1 5 48 -1 -1 -1 5\n'
check "deadlines after the submission" reads \
	'submit: t\nrun: r\nprocs: n\ndeadline_after: slack * r min\n' \
	't,r,n,slack\n100,60,1,2\n110,60,1,\n120,60,1,0\n' \
	'1 0 -1 60 1 -1 -1 -1 60\n2 10 -1 60 1 -1 -1 -1 60\n3 20 -1 60 1 -1 -1 -1 60\n'
after() {
	cut -d , -f 21 units.jobs.csv | paste -sd : | grep -qx 'deadline_s:7200::' &&
		grep -q '1 deadline not after the arrival' out
}
check "deadlines: none, and none that is not after the arrival" after
several() {
	printf 'submit: t\nrun: r\nprocs: n\n' >two.map
	printf 't,r,n\n100,5,1\n200,5,1\n' >one.csv
	printf 'n,t,r\n3,300,5\n' >two.csv
	run 0 "$librasim" import --from csv --map two.map -o - one.csv two.csv &&
		grep -v '^;' out | cut -d ' ' -f 1,2,5 | paste -sd , |
		grep -qx '1 0 1,2 100 1,3 200 3'
}
check "--from csv, two files with their own headings" several
gzipped() {
	gzip -c one.csv >one.csv.gz
	run 0 "$librasim" import --from csv --map two.map -o - one.csv.gz &&
		test "$(grep -vc '^;' out)" = 2
}
check "a gzipped trace" gzipped
# As pandas writes arrays: 400 numbers, six on a line; and one that never ends.
arrays() {
	awk 'BEGIN {
		print "t,embedding,r,n"
		for (job = 1; job <= 300; job++) {
			printf "%d,\"[", job * 100
			for (i = 1; i <= 400; i++)
				printf " 0.%04d%s", i, i % 6 ? "" : "\n "
			print "]\",5,1"
		}
		print "90000,\"[ 0.1,5,1" }' >arrays.csv
	run 0 "$librasim" import --from csv --map two.map -o - arrays.csv &&
		test "$(grep -vc '^;' out)" = 300 &&
		grep -q ' 1 rows with too few fields' err
}
check "quoted arrays of many lines" arrays
windows() {
	printf '\357\273\277t;r;n\r\n100;5;1\r\n' >excel.csv
	run 0 "$librasim" import --from csv --map two.map -o - excel.csv &&
		test "$(grep -vc '^;' out)" = 1
}
check "semicolons, CR LF, and a byte order mark" windows
hashed() {
	head -c 32 /dev/zero | tr '\0' k >key
	printf 'user: u\nsubmit: t\nrun: r\nprocs: n\n' >user.map
	cp user.map kept.map
	printf 'u,t,r,n\nann,100,5,1\n' >user.csv
	run 0 "$librasim" import --from csv --map user.map --hash key -o h.swf \
		user.csv && ! grep -q ann h.jobs.csv && cmp user.map kept.map
}
check "--hash leaves the map as it is" hashed

# ---- wrong maps ----

# refused TEXT MAP-LINES [TRACE]: one line with file, line and what to do
refused() {
	printf '%b' "$2" >bad.map
	printf '%b' "${3-t,r,n,s\n100,5,1,Pass\n}" >bad.csv
	rm -f bad.swf
	run 1 "$librasim" import --format csv --map bad.map -o bad.swf bad.csv &&
		test "$(wc -l <err)" = 1 && grep -qF "$1" err && test ! -e bad.swf
	status=$?
	cat err
	return $status
}
good='submit: t\nrun: r\nprocs: n\n'
check "no such field" refused "bad.map:4: 'sumbit' is no field (did you mean 'submit'?): a line is FIELD: COLUMN [UNIT]" \
	"${good}sumbit: t\n"
check "no colon" refused "bad.map:1: 'submit' is no field" 'submit t\n'
check "no column" refused "bad.map:4: 'user' has no column" "${good}user:\n"
check "no such unit" refused "bad.map:1: 'minutes' is no unit of this field: take s, ms, us, ns, min, h, d, iso" \
	'submit: t minutes\n'
check "a unit of text" refused "bad.map:4: 'name' is no unit" "${good}user: user name\n"
check "a field twice" refused "bad.map:4: 'run' is already in line 2" "${good}run: t\n"
check "a needed field" refused "bad.map: no line is for 'procs'" 'submit: t\nrun: r\n'
check "end alone is no run time" refused "bad.map: no line is for 'run'" \
	'submit: t\nend: r\nprocs: n\n'
check "a product of four" refused "bad.map:4: 'n' is one factor too many" \
	"${good}gpus: n * n * n * n\n"
check "no such state" refused "bad.map:4: 'Pass=DONE' ends in no state of Slurm" \
	"${good}state: s Pass=DONE\n"
check "a date that is none" refused "bad.map:4: 'soon' is no date" "${good}origin: soon\n"
check "no such column" refused "bad.csv:1: no column is named 'nn' (did you mean 'n'?): correct bad.map:3 (procs)" \
	'submit: t\nrun: r\nprocs: nn\n'
check "a state that is not mapped" refused "bad.csv:2: 'Pass' is no state of Slurm: add 'Pass=COMPLETED'" \
	"${good}state: s\n"
check "a wrong unit" refused "bad.csv:2: submit '1600000000000' is after the year 9999: name its unit, ms, us or ns (bad.map:1)" \
	"$good" 't,r,n\n1600000000000,5,1\n'
check "times from the trace's begin" refused "bad.csv:2: submit '0' counts from the trace's begin: add a line 'origin: DATE' to the map (bad.map:1)" \
	"$good" 't,r,n\n0,5,1\n'
check "a local time" refused "bad.csv:2: submit '2020-01-01 00:00:00' is a local time: name its zone with --tz" \
	"$good" 't,r,n\n2020-01-01 00:00:00,5,1\n'
check "no number in any row" refused "bad.csv:2: 'Pass' is no number: correct bad.map:3 (procs)" \
	'submit: t\nrun: r\nprocs: s\n'
check "no duration in any row" refused "bad.csv:2: 'Pass' is no duration: correct bad.map:2 (run)" \
	'submit: t\nrun: s\nprocs: n\n'
check "no date in any row" refused "bad.csv:2: '100' is no instant of that unit: correct bad.map:1 (submit)" \
	'submit: t iso\nrun: r\nprocs: n\n'
check "an empty trace" refused "bad.csv: the file is empty" "$good" ''
check "a heading alone" refused "no jobs are in the trace" "$good" 't,r,n\n'
check "a second heading" refused "bad.csv:3: a second heading, with other columns" \
	"$good" 't,r,n\n1,5,1\nt,n,r\n'
check "Parquet" refused "bad.csv: this is Parquet" "$good" 'PAR1xxxx'
check "JSON" refused "bad.csv: this is JSON" "$good" '[{"t": 1}]'
some_bad() {
	printf 't,r,n\n100,5,1\nx,5,1\n200,x,1\n300,5\n' >some.csv
	run 0 "$librasim" import --format csv --map two.map some.csv &&
		grep -q '^4 rows, 1 runs' out &&
		grep -q ' 2 job id or time that cannot be read' out &&
		grep -q ' 1 rows with too few fields' out
}
check "single rows that cannot be read are counted" some_bad
usage() {
	run 2 "$librasim" import --format csv one.csv &&
		grep -q -- '--map FILE' err &&
		run 2 "$librasim" import --map two.map one.csv &&
		grep -q -- '--map goes with --format csv' err &&
		run 1 "$librasim" import --from csv --map none.map one.csv &&
		grep -q 'none.map' err
}
check "--format csv and --map go together" usage
finish
