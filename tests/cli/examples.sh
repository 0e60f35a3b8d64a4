#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the manual pages run.  In each page the lines between .EX and
# .EE that begin with "$ " are commands, in a folder of the page's own, lines with
# "> " go on with one, and others are what it prints ("..." stands for any lines).
# A line with "# " is for root, and is looked at only.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
# shellcheck source=tests/pages.sh
. "$srcdir/tests/pages.sh"

librasim=${LIBRASIM:-$builddir/librasim}
libra=${LIBRA:-$builddir/libra}
[ -x "$librasim" ] || skip_all "librasim was not built"

# What the examples find: our programs, a cluster that libra can ask, its
# accounting and decision log, what librasim-import(1) makes of them, and the site
# of librasim-slurm(7).
mkdir -p "$tmp/bin" "$tmp/pages" "$tmp/site"
cp -r "$srcdir/tests/data/slurm-site" "$tmp/site/" && chmod -R u+w "$tmp/site"
ln -s "$librasim" "$tmp/bin/librasim"
cat >"$tmp/bin/libra" <<END
#!/bin/sh
LD_PRELOAD='$tmp/libslurm-fake.so' exec '$libra' "\$@"
END
cat >"$tmp/bin/sacct" <<END
#!/bin/sh
cat '$tmp/site/accounting'
END
chmod +x "$tmp/bin/libra" "$tmp/bin/sacct"
PATH=$tmp/bin:$PATH
export PATH
# shellcheck source=tests/cli/fake_site.sh
. "$srcdir/tests/cli/fake_site.sh"
with_libra=no
if [ -x "$libra" ] && make_site; then
	with_libra=yes
	FAKE_SLURM_PARAMS=libra_policy=libra,libra_log=$tmp/log.jsonl
	export FAKE_SLURM_PARAMS
fi
cat >"$tmp/site/libra.jsonl" <<'END'
{"call":"engine","now_s":100,"epoch":7,"policy":"libra","params":{"late_yields":0},"nodes":[["a",2]],"offer_ttl_s":60}
{"call":"offer","now_s":100,"submit_s":100,"estimate_s":10,"deadline_s":140,"nprocs":1,"user":3,"answer":"accept","reason":"none","ticket":4294967296,"share":0.25,"placement":[[0,1]]}
END
librasim gen -n 600 --users 20 2>/dev/null |
	librasim run --policy easy --jobs-out - - 2>/dev/null | awk -F , '
	BEGIN {
		OFS = "|"
		print "JobIDRaw", "JobID", "Partition", "QOS", "Account", "User",
			"UID", "Submit", "Eligible", "Start", "End", "ElapsedRaw",
			"Suspended", "TimelimitRaw", "State", "ReqCPUS", "AllocCPUS"
	}
	NR > 1 {
		t = 1700000000
		print $1, $1, "main", "normal", "physics", "user" $1 % 9,
			500 + $1 % 9, t + $2, t + $2, t + int($10),
			t + int($10) + $4, $4, "00:00:00", int($4 / 30) + 1,
			"COMPLETED", $3, $3
	}' >"$tmp/site/accounting"
(cd "$tmp/site" && librasim import -o mine.swf accounting) >"$tmp/out" 2>&1 ||
	fail "the log of the cluster" "$tmp/out"

# examples PAGE: its commands, each in a file NUMBER.sh, and what they print in
# NUMBER.expected
examples() {
	plain "$man/$1" | sed 's/\\e/\\/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g' |
		awk -v dir="$2" '
		/^\.EX$/ { on = 1; next }
		/^\.EE$/ { on = 0; next }
		!on { next }
		/^\$ / || /^# / {
			file = sprintf("%s/%02d", dir, ++n)
			print substr($0, 3) >(file (/^#/ ? ".root" : ".sh"))
			more = /\\$/
			next
		}
		/^> / || more {
			sub(/^> /, "")
			print >(file ".sh")
			more = /\\$/
			next
		}
		{ print >(file ".expected") }'
}

# fits EXPECTED GOT: line by line, where "..." stands for any lines
fits() {
	awk 'NR == FNR { want[++n] = $0; next }
		{ got[++m] = $0 }
		function same(i, j) {
			if (i > n)
				return j > m
			if (want[i] == "...") {
				for (; j <= m + 1; j++)
					if (same(i + 1, j))
						return 1
				return 0
			}
			return j <= m && want[i] == got[j] && same(i + 1, j + 1)
		}
		END { exit !same(1, 1) }' "$1" "$2"
}

# goes COMMAND-FILE: it ends well, or prints what the page says.  What libra
# prints depends on the time of the day.
goes() {
	sh "$1" >"$tmp/printed" 2>&1 </dev/null
	status=$?
	if ended_well "$1"; then
		return
	fi
	cat "$1"
	sed 's/^/  /' "$tmp/printed"
	return 1
}
ended_well() {
	expected=${1%.sh}.expected
	# No page expects a command that is killed.
	[ $status -lt 128 ] || return 1
	if asks_libra "$1"; then
		[ $status -eq 0 ] || [ $status -eq 3 ]
	elif [ -e "$expected" ]; then
		fits "$expected" "$tmp/printed"
	else
		[ $status -eq 0 ]
	fi
}
asks_libra() {
	while read -r program _; do
		[ "$program" != libra ] || return 0
	done <"$1"
	return 1
}

# known COMMAND-FILE: each option of ours is one of --help
known() {
	read -r program command sub _ <"$1"
	case $program/$command in
	libra-doctor/*) command= ;;
	librasim/model) command="model $sub" ;;
	libra/* | librasim/*) ;;
	*) return 0 ;;
	esac
	options=$tmp/options-$program-$command
	# shellcheck disable=SC2086
	[ -e "$options" ] || case $program in
	libra-doctor) plain "$man/libra-doctor.8" | tagged_options ;;
	*) help_options "$program" $command ;;
	esac >"$options"
	awk 'FILENAME == ARGV[1] { known[$0]; next }
		{ sub(/[|].*/, ""); sub(/ --slurm .*/, " --slurm") }
		{
			text = $0
			for (; match(text, /(^| )--?[a-zA-Z][a-z0-9-]*/);
			     text = substr(text, RSTART + RLENGTH)) {
				option = substr(text, RSTART, RLENGTH)
				sub(/^ /, "", option)
				if (option in known)
					continue
				print $0 ": no option " option
				bad = 1
			}
		}
		END { exit bad }' "$options" "$1"
}

# one_page PAGE: runs what can be run
one_page() {
	dir=$tmp/pages/$1
	mkdir "$dir" && cp -r "$tmp/site" "$dir/here" && examples "$1" "$dir" &&
		cd "$dir/here" || return 1
	for script in "$dir"/*.sh "$dir"/*.root; do
		[ -e "$script" ] || continue
		echo >>"$tmp/found"
		known "$script" || return 1
		read -r program words <"$script"
		case "$script/$program $words" in
		*.root/* | *" /var/"*) ;; # the host's own folders
		*/libra\ *) [ $with_libra = no ] || goes "$script" || return 1 ;;
		*/sbatch\ * | */srun\ * | */scontrol\ * | */squeue\ * | */systemctl\ *) ;;
		*) goes "$script" || return 1 ;;
		esac
	done
}
for page in "$man"/*.[1578]; do
	page=${page##*/}
	case $page in
	libra[-.]*) [ -x "$libra" ] || continue ;;
	esac
	check "the examples of $page run" one_page "$page"
done
check "there are examples to run" test "$(wc -l <"$tmp/found")" -ge 50
finish
