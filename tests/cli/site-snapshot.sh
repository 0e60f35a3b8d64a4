#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/site-snapshot, with programs that print a small site in the place of
# Slurm's commands.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

command -v bash >/dev/null || skip_all "no bash"
snapshot=$(cd "$srcdir" && pwd)/contrib/site-snapshot
site=$(cd "$srcdir" && pwd)/tests/fuzz/corpus/site/good

# The small site, a file a command.
mkdir "$tmp/bin" "$tmp/parts"
awk -v dir="$tmp/parts" '/^=== / { file = dir "/" $2; next }
	{ print >file }' "$site"
cat >"$tmp/bin/fake" <<END
#!/bin/sh
# part FILE: of the small site
part() {
	cat "$tmp/parts/\$1"
}
case "\$OLD \$*" in
1*LimitFactor*) echo " Unknown field 'LimitFactor'" >&2; exit 1 ;;
esac
case "\${0##*/} \$*" in
"scontrol show config")
	part config.txt
	echo "AccountingStorageType = accounting_storage/slurmdbd"
	echo "PrivateData = \${PRIVATE:-none}"
	;;
"scontrol show partition") part partitions.txt ;;
"scontrol show node") part nodes.txt ;;
"scontrol show reservation") part reservations.txt ;;
"sacctmgr -P show tres "*) part tres.txt ;;
"sacctmgr -P show qos "*) part qos.txt ;;
"sacctmgr -P show assoc "*) part assoc.txt ;;
"sacctmgr -P show event "*) part event.txt ;;
"sshare "*) [ -z "\$NO_SHARES" ] && part sshare.txt ;;
"sacct --helpformat") echo "Account AdminComment User JobID JobIDRaw State Submit" ;;
"sacct "*)
	echo "\$*" >"$tmp/asked"
	part jobs.txt | sed "s#sbatch -n 4 job#\${LINE:-&}#"
	;;
"sdiag "*) printf 'Main schedule\nRemote Procedure Call statistics by user\nann 7\n' ;;
esac
END
chmod +x "$tmp/bin/fake"
for f in scontrol sacctmgr sshare sacct sdiag; do
	ln -s fake "$tmp/bin/$f"
done

# snap STATUS ARGUMENT...
snap() {
	want=$1
	shift
	PATH=$tmp/bin:$PATH run "$want" bash "$snapshot" "$@"
}

usage_is_2() {
	snap 2 "$@" && grep -q 'site-snapshot: ' "$tmp/err"
}
check "no -o is a usage error" usage_is_2
check "an unknown option is a usage error" usage_is_2 -o x --nosuch
check "a value that is missing is a usage error" usage_is_2 -o
helps() {
	snap 0 --help && grep -q '^Usage:' "$tmp/out"
}
check "--help prints the usage" helps

# An old Slurm, which does not know all columns.
from_old() {
	OLD=1 snap 0 -o "$tmp/site" --from 2026-01-01
}
check "a folder is written" from_old
for f in config partitions nodes reservations tres qos assoc event sshare jobs \
	sdiag; do
	check "$f.txt is in it" test -s "$tmp/site/$f.txt"
done
check "nothing is left beside it" test ! -e "$tmp/site.part"
check "the columns that sacct knows are asked for" grep -q \
	'S 2026-01-01 .*-o JobIDRaw,JobID,Account,User,Submit,State,AdminComment$' "$tmp/asked"
check "a folder that is there is kept" snap 1 -o "$tmp/site"

withheld() {
	NO_SHARES=1 PRIVATE=jobs snap 1 -o "$tmp/less" &&
		grep -q 'sshare.txt: withheld' "$tmp/err" &&
		grep -q 'PrivateData=jobs' "$tmp/less/snapshot.txt" &&
		test -s "$tmp/less/jobs.txt"
}
check "what is withheld is told, the rest is there" withheld

if ! command -v python3 >/dev/null; then
	skip "hashes" "no python3"
	finish
fi
printf '0123456789abcdef\n' >"$tmp/key"
check "names are hashed" snap 0 -o "$tmp/hashed.tar.gz" --hash "$tmp/key"
(cd "$tmp" && tar xzf hashed.tar.gz)
names() {
	! grep -rqwE 'ann|ben|cyd|phys|sci|staff|guest|KillWait.*/etc' "$tmp/hashed"
}
check "no name of a user or an account is in any file" names
ann=$(printf ann | openssl dgst -sha256 -hmac 0123456789abcdef 2>/dev/null |
	sed 's/.*= *//' | cut -c 1-12)
if [ -n "$ann" ]; then
	same_hash() {
		for f in jobs assoc sshare; do
			grep -q "h$ann" "$tmp/hashed/$f.txt" || return 1
		done
	}
	check "one user has one hash in all files" same_hash
fi
check "root keeps its name" grep -q '^1|small|root|' "$tmp/hashed/assoc.txt"
check "comments of nodes are left out" sh -c "! grep -q Reason '$tmp/hashed/nodes.txt'"
check "but not what stands before them" grep -q 'NodeName=n2 .*Weight=5' \
	"$tmp/hashed/nodes.txt"
# line WORD...: hash a SubmitLine; what is left of it is in $tmp/line
line() {
	rm -rf "$tmp/line.d"
	LINE="$*" snap 0 -o "$tmp/line.d" --hash "$tmp/key" &&
		grep -ao '\(sbatch\|srun\).*' "$tmp/line.d/jobs.txt" >"$tmp/line"
}
kept='-n4 --dependency=afterok:5 --mem=4G -pbatch,whole --exclusive'
kept="$kept --array=1-9%2 --licenses=withheld"
options_stay() {
	line /srv/ann/bin/sbatch -J ann -n 4 --dependency afterok:5 --mem=4G \
		-p batch,whole --exclusive --array=1-9%2 -L ann:2 job.sh &&
		grep -qx "sbatch $kept" "$tmp/line"
}
check "options of the schedule stay, with their values" options_stay
script_goes() {
	line srun -N 2 -d ann --begin=ann job -data/srv/ann -pann --gres=gpu &&
		grep -qx 'srun -N2' "$tmp/line"
}
check "but no other word, nor what is behind the script" script_goes
printf 'short' >"$tmp/key"
check "a key that is too short is refused" snap 1 -o "$tmp/no" --hash "$tmp/key"
check "and nothing is written" test ! -e "$tmp/no"

finish
