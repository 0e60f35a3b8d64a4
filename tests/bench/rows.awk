# SPDX-License-Identifier: GPL-2.0-or-later
#
# rows.awk - n jobs as sacct prints them for librasim import; awk -v n=N -f.
BEGIN {
	print "JobIDRaw|JobID|Cluster|Partition|QOS|Account|User|UID|Submit|Eligible|Start|End|ElapsedRaw|Suspended|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes|ReqTRES|AllocTRES|ReqMem|TotalCPU|AdminComment"
	srand(1)
	for (i = 1; i <= n; i++) {
		at = 1700000000 + 30 * i; start = at + int(rand() * 9000)
		run = 1 + int(rand() * 20000); cpus = 2 ^ int(rand() * 8)
		tres = "billing=" cpus ",cpu=" cpus ",mem=4000M,node=1"
		printf "%d|%d|c|main|normal|acc%d|user%d|%d|", i, i, i % 50,
			i % 400, 1000 + i % 400
		printf "%d|%d|%d|%d|%d|00:00:00|%d|COMPLETED|", at, at, start,
			start + run, run, 60 + i % 1000
		printf "%d|%d|1|%s|%s|4000M|00:10:00|\n", cpus, cpus, tres, tres
	}
}
