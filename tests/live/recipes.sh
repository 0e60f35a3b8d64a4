#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Those recipes of docs/recipes.md that a stand-in for Slurm cannot show: what
# sbatch --wait ends with, a script that asks first, and the documents that
# Slurm's own plugin sends to Elasticsearch.

. "$(dirname "$0")/lib.sh"
need_slurm
libra=${LIBRA:-${builddir:-$PWD}/libra}
[ -x "$libra" ] || skip_all "libra was not built"
for program in python3 jq make; do
	command -v $program >/dev/null || skip_all "needs $program"
done
recipe() { # NAME
	awk -v mark="<!-- recipe: $1 -->" '
		$0 == mark { on = 1; next }
		on && /^    |^$/ { print substr($0, 5); next }
		on { exit }' "$top/docs/recipes.md"
}
start_cluster --policy planned
cd "$cluster" || exit 99
mkdir bin
ln -s "$libra" bin/libra
PATH=$cluster/bin:$PATH
for name in submit.sh Makefile jobcomp.conf; do
	recipe $name >$name
done

# ---- asking first

hour() {
	sh submit.sh 5 now+1hour "$cluster/job" >said
}
check "submit.sh: a job that is accepted" hour
check "it is there" squeue -h -j "$(cat said)"
scancel "$(cat said)"
# The machine is full for 30 minutes, once the place of that job is given back.
submit --time=30 --deadline=now+40minutes -N 4 -n 16
full=$id
check "the machine is full" wait_state "$full" RUNNING
earlier() {
	sh submit.sh 5 now+6minutes "$cluster/job" >said 2>told
	local status=$?
	cat told
	[ $status -eq 0 ] && grep -q '^refused; the earliest deadline is' told
}
check "a job that is refused takes the earliest deadline" earlier
check "and is there" squeue -h -j "$(cat said)"
scancel "$(cat said)" "$full"

# ---- make

printf '#!/bin/sh\necho prepared >input\n' >prepare.sh
printf '#!/bin/sh\ncp input result\n' >compute.sh
made() {
	make -s && cmp input result
}
check "make waits for each job" made
fails() {
	rm -f input result
	printf '#!/bin/sh\nexit 7\n' >prepare.sh
	make -s
	[ $? -eq 2 ] && [ ! -e result ]
}
check "and stops where one fails" fails
submit --time=30 --deadline=now+40minutes -N 4 -n 16
refused() {
	make -s DEADLINE=now+6minutes -o input
	[ $? -eq 2 ] && [ -z "$(squeue -h -n compute.sh)" ]
}
touch input
check "or is refused" refused
scancel "$id"

# ---- Slurm's own plugin

plugindir=$(scontrol show config | awk '$1 == "PluginDir" { print $3 }')
found=
for folder in ${plugindir//:/ }; do
	[ ! -e "$folder/jobcomp_elasticsearch.so" ] || found=y
done
if [ -z "$found" ]; then
	cases=$((cases + 1))
	echo "ok $cases - documents of all jobs # SKIP no jobcomp/elasticsearch"
	finish
fi
# The interpreter itself: the end of a wrapper does not end it.
"$(python3 -c 'import sys; print(sys.executable)')" \
	"$top/tests/cli/receiver.py" "$cluster/port" &
receiver=$!
until_true 10 test -s port
sed "s/:9200/:$(cat port)/" jobcomp.conf >>"$SLURM_CONF"
check "slurmctld starts with jobcomp/elasticsearch" "$DEMO" restart-ctld \
	-d "$cluster"
id=$(sbatch --parsable -o /dev/null --time=1 --deadline=now+10minutes \
	--wrap=true)
document() {
	grep -q "\"jobid\": $id," posted
}
check "a document is posted when a job ends" until_true 60 document
grep "\"jobid\": $id," posted | cut -d' ' -f2- >document
check "to the path of JobCompLoc" grep -q '^/slurm/_doc ' posted
release=$(scontrol --version | awk '{ print $2 }')
if [ "$(printf '%s\n26.05\n' "$release" | sort -V | head -n 1)" = 26.05 ]; then
	matches "with the promise" '^libra:1 ' \
		"$(jq -r .admin_comment document)"
else
	same "before 26.05 without the promise" null \
		"$(jq -r .admin_comment document)"
fi
kill $receiver
finish
