#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A promise that is changed while its job runs reaches the job's nodes, with the
# next job that begins or ends there; nobody else can change one.
# shellcheck source=tests/enforce/lib.sh
. "$(dirname "$0")/lib.sh"

need_weights
command -v setpriv >/dev/null || skip_all "setpriv is not installed"
start_shares --nodes 1 --cpus 1

record() { # ID FIELD
	tr ' ' '\n' <"$state/n1/job_$1" | sed -n "s/^$2=//p"
}
# How much more one job weighs than another, in percent.
ratio() { # ID ID
	local w
	w=$(weight "$2")
	[ "$w" -gt 0 ] && echo $(($(weight "$1") * 100 / w))
}
near() { # PERCENT ID ID
	local r
	r=$(ratio "$2" "$3") || return 1
	[ "$r" -ge $(($1 * 95 / 100)) ] && [ "$r" -le $(($1 * 105 / 100)) ]
}
gone() { # ID...
	local j
	for j in "$@"; do
		[ ! -e "$(group "$j")" ] || return 1
	done
}
# Something begins and ends on the node.
event() {
	busy 1 1000
	wait_begun "$id" && scancel "$id" && until_true 20 gone "$id"
}

busy 100 1000 && one=$id
busy 200 1000 && two=$id
check "two jobs begin" wait_begun "$one" "$two"
check "their shares are .1 and .2" near 50 "$one" "$two"
same "as they began" "" "$(record "$one" change)"

# A user's own SPANK plugin writes what only slurmctld may.
home=$scratch/user
mkdir "$home" && chown 65534:65534 "$home"
cat >"$home/forge.c" <<'C'
#include <stdlib.h>
#include <slurm/spank.h>

SPANK_PLUGIN(forge, 1)

int slurm_spank_init_post_opt(spank_t spank, int ac, char *argv[])
{
	spank_job_control_setenv(spank, "LIBRA_SHARE", "0", 1);
	spank_job_control_setenv(spank, "LIBRA_CHANGE", "9", 1);
	return spank_job_control_setenv(spank, "LIBRA_CHANGES",
					getenv("FORGED"), 1) != ESPANK_SUCCESS;
}
C
compile_with_slurm "$home/forge.so" "$home/forge.c" -shared -fPIC \
	2>"$scratch/cc" || {
	echo "Bail out! $(head -n 1 "$scratch/cc")"
	exit 1
}
echo "required $home/forge.so" >"$home/plugstack.conf"
sed "s,^PlugStackConfig=.*,PlugStackConfig=$home/plugstack.conf," \
	"$SLURM_CONF" >"$home/slurm.conf"
forged() { # ID OF THE OTHER'S JOB, OPTIONS of sbatch
	local out other=$1
	shift
	out=$(cd / && SLURM_CONF=$home/slurm.conf \
		FORGED=$other/9/0.01/1/4000000000 setpriv --reuid=65534 \
		--regid=65534 --clear-groups sbatch --parsable -o /dev/null \
		"$@" "$cluster/busy" 2>"$scratch/said") || return 1
	id=${out%%;*}
	wait_begun "$id" && scancel "$id" && until_true 20 gone "$id"
}
before=$(cat "$state/n1/job_$two")
check "a user's job with a forged change begins and ends" \
	forged "$two" --time=1 --deadline=now+1000
same "the other's promise is as it was" "$before" \
	"$(cat "$state/n1/job_$two")"
check "the same with a job that is promised nothing" forged "$two"
same "it is as it was" "$before" "$(cat "$state/n1/job_$two")"

check "the deadline of one is moved nearer" \
	scontrol update jobid="$one" deadline=now+250
at=$(promise_field "$one" deadline)
check "with the next job on the node" event
same "the node knows it" "$at" "$(record "$one" deadline)"
same "as the first change" 1 "$(record "$one" change)"
check "their shares are .4 and .2" near 200 "$one" "$two"

check "the estimate of the other one grows" \
	scontrol update jobid="$two" timelimit=5
check "the node" event
same "knows it" 300 "$(record "$two" estimate)"
check "their shares are .4 and .3" near 133 "$one" "$two"

# Slurm's state file keeps what the nodes have to know.
check "the deadline moves again" \
	scontrol update jobid="$one" deadline=now+500
at=$(promise_field "$one" deadline)
check "slurmctld saves its state" let_it_save "$two"
check "and is killed" "$DEMO" restart-ctld -k -d "$cluster"
check "it knows the nodes again" wait_nodes
check "an event after that" event
same "the node knows it" "$at" "$(record "$one" deadline)"
same "as the second change" 2 "$(record "$one" change)"

# Now nobody else removes what a user puts into his submission.
busy 50 1000 && three=$id
check "another job begins" wait_begun "$three"
scancel "$one" "$two"
check "those that were changed end" until_true 20 gone "$one" "$two"
sed -i '/^JobSubmitPlugins/d' "$SLURM_CONF" "$home/slurm.conf"
check "no promises are given any more" scontrol reconfigure
check "a user's job with a forged change begins and ends" forged "$three"
same "the other's promise is as it was" "" "$(record "$three" change)"

check "all end, nothing is left" end_all
same "nothing was reported" "" "$(told)"
finish
