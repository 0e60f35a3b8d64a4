#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recipes of docs/recipes.md run as they stand there.  Slurm is a stand-in;
# tests/live/recipes.sh has those that need a real one.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
cd "$tmp" || exit 99

# recipe NAME: the indented block behind its mark
recipe() {
	awk -v mark="<!-- recipe: $1 -->" '
		$0 == mark { on = 1; next }
		on && /^    |^$/ { print substr($0, 5); next }
		on { exit }' "$srcdir/docs/recipes.md"
}
all="submit.sh steps Makefile Snakefile snakemake.sh elastic.sh jobcomp.conf"
for name in $all; do
	recipe "$name" >"$name"
	[ -s "$name" ] || echo "$name"
done >none
empty "each recipe is there" none
named() {
	sed -n 's/^<!-- recipe: \(.*\) -->$/\1/p' "$srcdir/docs/recipes.md" |
		sort >found
	for name in $all; do echo "$name"; done | sort | diff found -
}
check "and no other one" named

# A cluster of one computer: a job runs when it is submitted.  --deadline=$REFUSE
# is refused.
mkdir bin
cat >bin/sbatch <<'END'
#!/bin/sh
echo "$*" >>asked
wait=
for word; do
	case $word in
	--wait) wait=y ;;
	--deadline="$REFUSE")
		echo "sbatch: error: libra: refused (no_share)" >&2
		exit 1
		;;
	esac
	script=$word
done
n=$(($(cat n 2>/dev/null || echo 0) + 1))
echo $n >n
sh "./$script" >/dev/null 2>&1 || sh "$script" >job.out 2>&1
status=$?
echo "$n"
[ -z "$wait" ] || exit $status
END
cat >bin/libra <<'END'
#!/bin/sh
cat answer
exit "$(cat status)"
END
chmod +x bin/*
PATH=$tmp/bin:$PATH
export REFUSE
# The last line of sbatch's command lines.
asked() {
	tail -n 1 asked
	test "$(tail -n 1 asked)" = "$1"
}

# ---- shell

printf 'exit 0\n' >job.sh
submit() { # STATUS OF-LIBRA ANSWER STATUS
	echo "$2" >answer
	echo "$1" >status
	rm -f asked
	sh submit.sh 30 now+1hour job.sh >said 2>&1
	got=$?
	cat said
	test $got -eq "$3"
}
check "submit.sh: would be accepted" submit 0 '{}' 0
check "so it is submitted" asked '--parsable --time=30 --deadline=now+1hour job.sh'
check "nobody promises there" submit 4 '{}' 0
check "so it is submitted without a deadline" asked '--parsable --time=30 job.sh'
check "slurmctld is away" submit 5 '{}' 75
check "nothing is submitted" test ! -e asked
if command -v jq >/dev/null; then
	check "refused" submit 3 \
		'{"earliest_deadline": "2026-11-20T17:40:03+01:00"}' 0
	check "so it asks for the earliest deadline" asked \
		'--parsable --time=30 --deadline=2026-11-20T17:40:03 job.sh'
	check "none would do" submit 3 '{"earliest_deadline": null}' 3
	check "so nothing is submitted" test ! -e asked
else
	skip "refused" "no jq"
fi
steps() {
	printf '#!/bin/sh\nn=$(($(cat n) + 1)); echo $n >n; echo $n\n' >sbatch
	chmod +x sbatch
	echo 0 >n
	PATH=$tmp:$PATH SLURM_CONF=/nowhere "$libra" chain \
		--deadline=now+3hours steps >said 2>&1
	cat said n
	rm sbatch
	# There is no slurmctld to show the state of the jobs.
	test "$(cat n)" -eq 3
}
if [ -x "$libra" ]; then
	check "libra chain submits the steps" steps
else
	skip "libra chain submits the steps" "libra was not built"
fi

# ---- make

echo 'echo prepared >input' >prepare.sh
echo 'cp input result' >compute.sh
made() {
	rm -f input result asked
	make -s && cmp input result && test "$(wc -l <asked)" -eq 2
}
if command -v make >/dev/null; then
	MAKEFLAGS=
	export MAKEFLAGS
	check "make: all steps" made
	REFUSE=now+30minutes
	stops() {
		rm -f input result asked
		make -s
		test $? -eq 2 && test ! -e result && test "$(wc -l <asked)" -eq 1
	}
	check "it stops where a job is refused" stops
	REFUSE=
	fails() {
		rm -f input result
		echo 'exit 7' >compute.sh
		make -s
		test $? -eq 2
	}
	check "and where one fails" fails
else
	skip "make" "no make"
fi

# ---- Snakemake

if ! command -v snakemake >/dev/null; then
	skip "Snakemake" "no snakemake"
elif ! snakemake --help 2>/dev/null | grep -q -e '--cluster '; then
	skip "Snakemake" "its release has no --cluster"
else
	workflow() {
		rm -rf data result asked .snakemake
		timeout 120 sh snakemake.sh >said 2>&1 || {
			cat said
			return 1
		}
		cat asked
		cmp data result
	}
	deadlines() { # LINES of command lines, without the scripts
		sed 's/ [^ ]*$//' asked >got
		cat got
		printf '%s\n' "$@" | diff - got
	}
	check "Snakemake: all rules" workflow
	check "each with its deadline" deadlines \
		'--parsable --time=10 --deadline=now+30minutes' \
		'--parsable --time=60 --deadline=now+2hours'
	REFUSE=now+2hours
	check "a rule that is refused" workflow
	check "asks for a later deadline" deadlines \
		'--parsable --time=10 --deadline=now+30minutes' \
		'--parsable --time=60 --deadline=now+2hours' \
		'--parsable --time=60 --deadline=now+4hours'
	REFUSE=
fi

# ---- Elasticsearch

posted() {
	rm bin/libra
	ln -s "$libra" bin/libra
	# The interpreter itself: the end of a wrapper does not end it.
	"$(python3 -c 'import sys; print(sys.executable)')" \
		"$srcdir/tests/cli/receiver.py" port &
	pid=$!
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ ! -s port ] || break
		sleep 0.5
	done
	echo '{"call":"engine","now_s":100,"version":1,"epoch":100,"policy":"planned","params":{},"nodes":[["a",8]],"offer_ttl_s":60}' >log
	STATE=$tmp/state URL=http://127.0.0.1:$(cat port)
	export STATE URL
	# The log that the recipe leaves to slurm.conf.
	sed 's/^libra notify/& --log=log/' elastic.sh >elastic
	sh elastic
	echo '{"event":"late","now_s":4200,"id":7,"user":0,"partition":"main","nprocs":3,"estimate_s":600,"deadline_s":3600,"state":"running","ran_s":900,"cause":"node_lost:n3"}' >>log
	echo '{"event":"started","now_s":4200,"id":8,"user":0,"partition":"main","nprocs":3,"estimate_s":600,"deadline_s":3600,"state":"running"}' >>log
	sh elastic
	sh elastic
	kill "$pid"
	cat posted
	test "$(wc -l <posted)" -eq 1 && grep -q '^/promises/_doc {.*"event": "late"' posted &&
		grep -q '"ran_s": 900' posted && grep -q '"cause": "node_lost:n3"' posted
}
if [ -x "$libra" ] && command -v curl >/dev/null &&
	command -v python3 >/dev/null; then
	check "ends of promises are posted, once" posted
else
	skip "ends of promises are posted, once" "no libra, curl or python3"
fi
finish
