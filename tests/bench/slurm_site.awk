# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurm_site.awk - a site and n jobs of it for librasim run --policy slurm;
# awk -v n=600000 -v dir=FOLDER -f.  5,860 nodes (-v nodes=N) of 128 cores, which
# jobs have alone, 500 users in 60 accounts, 3 QOS; the same bytes on each machine.
# Jobs come 17.28 s after each other (-v gap=S): 600,000 in four months.

function chance() {
	seed = seed * 16807 % 2147483647
	return seed / 2147483647
}

# Between two numbers, the logarithm uniform.
function between(low, high) {
	return int(low * exp(chance() * log((high + 0.99) / low)))
}

function site(name) {
	return dir "/" name ".txt"
}

function write_site(i) {
	print "Configuration data as of 2026-01-01T00:00:00\n" \
		"AccountingStorageEnforce = associations,limits,qos\n" \
		"AccountingStorageTRES = cpu,mem,energy,node,billing\n" \
		"ClusterName = large\nKillWait = 30 sec\n" \
		"PreemptType = preempt/none\n" \
		"PriorityCalcPeriod = 00:05:00\n" \
		"PriorityDecayHalfLife = 2-00:00:00\n" \
		"PriorityMaxAge = 14-00:00:00\n" \
		"PriorityType = priority/multifactor\n" \
		"PriorityWeightAge = 1000\nPriorityWeightFairShare = 10000\n" \
		"PriorityWeightQOS = 1000\n" \
		"SchedulerParameters = bf_interval=30,bf_window=1440," \
		"bf_max_job_test=1000,bf_continue\n" \
		"SchedulerType = sched/backfill\n" \
		"SelectType = select/cons_tres\n" \
		"SelectTypeParameters = CR_CORE\n" \
		"SLURM_VERSION = 25.11.7" >site("config")
	print "PartitionName=standard\n   Default=YES QoS=N/A\n" \
		"   DefaultTime=01:00:00 MaxNodes=UNLIMITED MaxTime=1-00:00:00\n" \
		"   MinNodes=1 LLN=NO\n" \
		"   Nodes=n[0001-" sprintf("%04d", nodes) "]\n" \
		"   PriorityJobFactor=1 PriorityTier=1 OverSubscribe=EXCLUSIVE\n" \
		"   State=UP TotalCPUs=" nodes * 128 " TotalNodes=" nodes "\n" \
		"   TRES=cpu=" nodes * 128 ",mem=" nodes * 256000 "M,node=" \
		nodes ",billing=" nodes * 128 >site("partitions")
	for (i = 1; i <= nodes; i++)
		printf "NodeName=n%04d CoresPerSocket=64\n   CPUEfctv=128 " \
			"CPUTot=128\n   RealMemory=256000 Sockets=2 Boards=1\n" \
			"   State=IDLE ThreadsPerCore=1 Weight=1\n" \
			"   Partitions=standard\n\n", i >site("nodes")
	print "Type|Name|ID\ncpu||1\nmem||2\nenergy||3\nnode||4\nbilling||5" \
		>site("tres")
	print "ID|Name|Flags|GraceTime|GrpJobs|GrpTRES|MaxJobsPU|MaxTRESPU|" \
		"MaxWall|Preempt|PreemptMode|Priority|UsageFactor\n" \
		"1|normal||00:00:00|||24|||||10|1.000000\n" \
		"2|short||00:00:00|||8||00:20:00|||50|1.000000\n" \
		"3|long||00:00:00|||12|||||0|1.000000" >site("qos")
	print "ID|Cluster|Account|User|Partition|ParentName|Share|Priority|" \
		"Def QOS|QOS|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall\n" \
		"1|large|root||||1|||normal,short,long|||||" >site("assoc")
	for (i = 0; i < 60; i++)
		printf "%d|large|acc%02d|||root|1|||normal,short,long|||||\n",
			i + 2, i >site("assoc")
	for (i = 0; i < 500; i++)
		printf "%d|large|acc%02d|user%03d||acc%02d|1|||" \
			"normal,short,long|||||\n", i + 100, i % 60, i, i % 60 \
			>site("assoc")
}

# How many jobs come, by the hour of the week.
function rate(at_s, hour) {
	hour = int(at_s / 3600) % 168
	return hour >= 120 ? 0.72 : hour % 24 >= 8 && hour % 24 < 18 ? 1.5 : 0.8
}

function write_job(id, at, wide, class, limit, run, user, qos, cpus, tres) {
	class = chance()
	wide = class < 0.45 ? 1 : class < 0.66 ? between(2, 4) \
		: class < 0.87 ? between(5, 16) : class < 0.97 ? between(17, 128) \
		: between(129, 512)
	class = chance()
	limit = class < 0.15 ? 20 : class < 0.35 ? 60 : class < 0.55 ? 180 \
		: class < 0.75 ? 360 : class < 0.9 ? 720 : 1440
	run = int(limit * 60 * chance() ^ power) + 1
	user = int(500 * chance() ^ 1.5)
	qos = limit == 20 ? "short" : limit == 1440 ? "long" : "normal"
	cpus = wide * 128
	tres = "billing=" cpus ",cpu=" cpus ",mem=" wide * 256000 "M,node=" wide
	work += wide * run
	printf "%d|%d|large|standard|%s|acc%02d|user%03d|%d|%d|%d|%d|%d|%d|" \
		"00:00:00|%d|COMPLETED|%d|%d|%d|%s|%s||00:00:00||%d||None||j|" \
		"0|%d|sbatch -N %d --ntasks-per-node=128 -t %d --qos=%s job.sh\n",
		id, id, qos, user % 60, user, 1000 + user, at, at, at, at + run,
		run, limit, cpus, cpus, wide, tres, tres,
		1000 + int(chance() * 1000) + (qos == "short" ? 1000 : 0),
		user + 100, wide, limit, qos >site("jobs")
}

BEGIN {
	seed = 12345
	if (!power)
		power = 3.6
	if (!nodes)
		nodes = 5860
	if (!gap)
		gap = 17.28
	write_site()
	print "JobIDRaw|JobID|Cluster|Partition|QOS|Account|User|UID|Submit|" \
		"Eligible|Start|End|ElapsedRaw|Suspended|TimelimitRaw|State|" \
		"ReqCPUS|AllocCPUS|NNodes|ReqTRES|AllocTRES|ReqMem|TotalCPU|" \
		"AdminComment|Priority|Flags|Reason|NodeList|JobName|Restarts|" \
		"AssocID|SubmitLine" >site("jobs")
	for (i = 1; i <= n; i++) {
		at_s -= log(chance()) * gap / rate(at_s)
		write_job(i, 1767571200 + int(at_s))
	}
	if (verbose)
		printf "offered load %.3f, %.1f days\n",
			work / nodes / at_s, at_s / 86400 >"/dev/stderr"
}
