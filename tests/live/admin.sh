#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# docs/admin.md followed word by word on a fresh system: every command of the
# page is run in its order, and prints what the page says but for numbers.
#
# Usage: admin.sh DIR [SUITE [PREFIX SOURCE]]
# In a chroot of SUITE (default: this host's Debian) under DIR, with Debian's
# Slurm, or with the one that is in PREFIX on this host, shown as /opt/slurm.
# Speaks TAP.  LIBRA_MIRROR names a package mirror.

. "$(dirname "$0")/lib.sh"

# The packages of this host whose libraries a Slurm was built with.
needed_by() { # PREFIX
	find "$1/sbin" "$1/bin" "$1/lib" -type f -perm -u+x -exec ldd {} + \
		2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | sort -u |
		sed 's|.*/|*/|' | xargs dpkg -S 2>/dev/null |
		cut -d: -f1 | grep -v '^slurm' | sort -u
}

# --- outside: a fresh system, with a copy of the tree ------------------------

outside() { # DIR SUITE PREFIX SOURCE
	local dir=$1 suite=$2 binds=() tree
	[ "$(id -u)" = 0 ] || skip_all "needs root: a chroot is made"
	# shellcheck source=/dev/null
	[ -n "$suite" ] || suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
	[ -n "$suite" ] && command -v debootstrap >/dev/null ||
		skip_all "no debootstrap, or no Debian"
	mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 1
	"$top/contrib/slurm-chroot" make --bare -d "$dir/root" --suite "$suite" \
		${LIBRA_MIRROR:+--mirror "$LIBRA_MIRROR"} \
		>"$dir/make.out" 2>&1 || skip_all "$(tail -n 1 "$dir/make.out")"
	tree=$dir/root/usr/src/slurm-libra
	copy_tree "$tree" || exit 1
	[ -z "$3" ] || binds=(--bind "$3" --bind "$4")
	[ -z "$3" ] || needed_by "$3" >"$tree/needed"
	exec "$top/contrib/slurm-chroot" run -d "$dir/root" --suite "$suite" \
		"${binds[@]}" -- env LIBRA_PATIENCE="${LIBRA_PATIENCE-}" \
		bash /usr/src/slurm-libra/tests/live/admin.sh --inside "$3" "$4"
}

# --- inside: the page -------------------------------------------------------

# The page as lines of a letter and a text: "C" is a command, "O" what it
# prints; blocks for the other kind of Slurm are left out.
script_of() { # debian|opt
	awk -v kind="$1" '
	/^## / { section = $2 + 0; for_kind = "" }
	/^[^ ]/ { prose = $0; block = 0 }
	prose ~ /Debian.s Slurm/ { for_kind = "debian" }
	prose ~ /folder of its own/ { for_kind = "opt" }
	prose !~ /Debian.s Slurm|folder of its own/ { for_kind = "" }
	/^$/ || !/^    / {
		if (block && /^$/)
			print "O"
		next
	}
	{
		text = $0
		sub(/^ +/, "", text)
		if (for_kind != "" && for_kind != kind)
			next
		# Settings, crontabs, and what is for another kind of packages.
		if (section == 4 || section == 6 || text ~ /^rpmbuild/ || skipping) {
			skipping = text ~ /\\$/
			next
		}
		if (sub(/^    \$ /, "")) {
			print "C" $0
			prompt = 1
			block = 1
		} else if (block && prompt) {
			sub(/^    /, "")
			print "O" $0
		} else if (text ~ /\\$/) {
			sub(/\\$/, "", text)
			joined = joined text
			prompt = 0
		} else {
			print "C" joined text
			joined = ""
			prompt = 0
		}
	}' "$top/docs/admin.md"
}

# Numbers, times and where the tree lies aside.
plain() {
	sed -E "s|$top/||g" | sed -E 's/[0-9]+([.:-][0-9]+)*/#/g; s/[[:space:]]+/ /g; s/ $//; /^$/d'
}

# Run a command of the page in this shell, as a reader does.  Those that only look
# are asked again while the cluster is busy.
looks='^(libra |librasim |scontrol show|grep )'
out=$(mktemp)
extra_files=$out
follow() { # COMMAND WANTED-OUTPUT
	local end=$((SECONDS + 20 * ${LIBRA_PATIENCE:-2})) status
	while :; do
		eval "$1" >"$out" 2>&1 </dev/null
		status=$?
		[ "$(plain <"$out")" != "$(plain <<<"$2")" ] || break
		[[ $1 =~ $looks ]] && [ $SECONDS -lt $end ] || break
		sleep 0.2
	done
	if [ -n "$2" ]; then
		same "prints what the page says: $1" "$(plain <<<"$2")" \
			"$(plain <"$out")"
		return
	fi
	ok $status "$1"
	[ $status -eq 0 ] || tail -n 15 "$out" | sed 's/^/#   /'
}

inside() { # PREFIX SOURCE
	local kind=debian line command='' wanted='' steps
	if [ -n "$1" ]; then
		kind=opt
		mkdir -p /opt/slurm /opt/src
		mount --bind "$1" /opt/slurm && ln -sfn "$2" /opt/src/ || exit 1
		# What that Slurm itself needs.
		apt-get -q update >/dev/null
		xargs apt-get -y -q install --no-install-recommends \
			<"$top/needed" >/tmp/needed.log 2>&1 ||
			echo "# $(tail -n 1 /tmp/needed.log)"
	fi
	# No service is started here: that it is asked for is all.
	printf '#!/bin/sh\necho "$@" >>/tmp/systemctl.log\n' \
		>/usr/local/bin/systemctl
	chmod 0755 /usr/local/bin/systemctl
	rm -f /tmp/systemctl.log
	cd "$top" || exit 1
	export DEBIAN_FRONTEND=noninteractive
	# A reader says yes.
	echo 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false";' \
		>/etc/apt/apt.conf.d/90yes
	mapfile -t steps < <(script_of $kind)
	for line in "${steps[@]}" C; do
		case $line in
		C*)
			[ -z "$command" ] || follow "$command" "$wanted"
			command=${line#C}
			wanted=
			;;
		O*) wanted+=${line#O}$'\n' ;;
		esac
	done
	same "slurmctld was started after the upgrade" "start slurmctld" \
		"$(cat /tmp/systemctl.log)"
	same "nothing is left of the plugins" "" "$(find /usr /opt/slurm/ \
		/var/cache/slurm-libra -xdev -path /usr/src -prune -o \
		-name '*libra*.so' -print 2>/dev/null)"
	finish
}

if [ "${1-}" = --inside ]; then
	inside "${2-}" "${3-}"
else
	outside "${1:?a folder}" "${2-}" "${3-}" "${4-}"
fi
