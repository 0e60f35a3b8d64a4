#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/quickstart and the counting of results, without installing anything.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

quickstart=$srcdir/contrib/quickstart
summary=$srcdir/contrib/build-aux/tap-summary

usage_is_2() {
	run 2 "$quickstart" "$@" && grep -q '^Usage:' "$tmp/err"
}
check "no command is a usage error" usage_is_2
check "an unknown command is a usage error" usage_is_2 chekc
check "two commands are a usage error" usage_is_2 demo check
check "an unknown option is a usage error" usage_is_2 --nosuch check
check "an option without its value is a usage error" usage_is_2 check -b
check "zero jobs are a usage error" usage_is_2 -j 0 check
in_one_word() {
	usage_is_2 -j0 check && grep -q "a number from 1, not '0'" "$tmp/err"
}
check "so they are in one word" in_one_word
check "what is no release of Slurm is a usage error" usage_is_2 --slurm new check
helps() {
	run 0 "$quickstart" --help && grep -q '^Usage:' "$tmp/out"
}
check "--help prints the usage" helps
ci_helps() {
	[ -e "$srcdir/.ci/run" ] || return 0 # an archive has none
	run 0 "$srcdir/.ci/run" --help && grep -q '^Usage:' "$tmp/out" &&
		run 2 "$srcdir/.ci/run" chekc && grep -q '^Usage:' "$tmp/err"
}
check "so does that of .ci/run, which takes no other argument" ci_helps

# Where there is another package manager, or none.
elsewhere() {
	mkdir -p "$tmp/dnf" "$tmp/tree/contrib"
	for c in sh env dirname nproc cat sed cmp mkdir; do
		ln -sf "$(command -v "$c")" "$tmp/dnf/$c"
	done
	printf '#!/bin/sh\n' >"$tmp/dnf/dnf" && chmod +x "$tmp/dnf/dnf"
	cp "$quickstart" "$tmp/tree/contrib/"
	printf '#!/bin/sh\nexit 1\n' >"$tmp/tree/configure"
	chmod +x "$tmp/tree/configure"
	run 1 env PATH="$tmp/dnf" "$tmp/tree/contrib/quickstart" -b "$tmp/b" demo &&
		grep -q 'As root: dnf install gcc .*libtool' "$tmp/out" &&
		grep -q 'Without root: see quickstart --help' "$tmp/out"
}
check "without apt-get it says what to do" elsewhere

# A tree whose configure fails, and no package manager asked.
tree_without_build() {
	mkdir -p "$tmp/tree/contrib"
	cp "$quickstart" "$tmp/tree/contrib/"
	printf '#!/bin/sh\nexit 1\n' >"$tmp/tree/configure"
	chmod +x "$tmp/tree/configure"
	run 1 "$tmp/tree/contrib/quickstart" -n -b "$tmp/b" check &&
		grep -q 'configure failed' "$tmp/err"
}
check "a failing configure fails the command" tree_without_build

# A live test that fails is run once more, alone.  make is a script here: what
# fails at the first try passes at the second, or fails again.
second_try() { # STATUS SECOND-RESULT LINE
	rm -rf "$tmp/again" && mkdir -p "$tmp/again/contrib/build-aux" "$tmp/fake"
	cp "$quickstart" "$tmp/again/contrib/"
	cp "$summary" "$tmp/again/contrib/build-aux/"
	printf '#!/bin/sh\nexit 0\n' >"$tmp/again/configure"
	chmod +x "$tmp/again/configure"
	cat >"$tmp/fake/make" <<-END
		#!/bin/sh
		cd "$tmp/again/b" || exit 1
		case "\$*" in
		*TESTS=tests/live/one.sh*) word=$2 ;;
		*TESTS=*) exit 0 ;;
		*check-all) word=FAIL ;;
		*) exit 0 ;;
		esac
		mkdir -p tests/live
		echo ":test-result: \$word" >tests/live/one.trs
		echo "\$word: tests/live/one.sh 1 - case" >tests/live/one.log
		[ \$word = PASS ]
	END
	chmod +x "$tmp/fake/make"
	run "$1" env PATH="$tmp/fake:$PATH" "$tmp/again/contrib/quickstart" -n \
		--no-fetch -b "$tmp/again/b" check &&
		grep -q 'tests of make check and of make check-live' "$tmp/out" &&
		grep -q 'Failed at the first try: tests/live/one.sh' "$tmp/out" &&
		sed '1,/==> Results/d' "$tmp/out" | grep -q "$3"
}
check "a live test may pass at the second try, and the summary names it" \
	second_try 0 PASS '^PASS at the second try: tests/live/one.sh'
first_log() {
	log=$tmp/again/b/tests/live/one
	grep -qx "==> Its whole output: $log.first.log" "$tmp/out" &&
		grep -q '^FAIL: .* case' "$log.first.log" &&
		grep -q '^PASS: .* case' "$log.log"
}
check "the output of its first try is kept, and named" first_log
check "one that fails twice has failed" second_try 1 FAIL \
	'^FAIL: tests/live/one.sh'

# result NAME WORD...: as automake's TAP driver leaves it
result() {
	base=$tmp/results/tests/unit/$1
	name=tests/unit/$1
	number=0
	mkdir -p "${base%/*}"
	: >"$base.trs"
	: >"$base.log"
	shift
	for word in "$@"; do
		number=$((number + 1))
		echo ":test-result: $word" >>"$base.trs"
		echo "$word: $name $number - case" >>"$base.log"
	done
}
sums_to() {
	run "$1" "$summary" "$tmp/results" &&
		test "$(tail -n 1 "$tmp/out")" = "$2"
}
mkdir -p "$tmp/results/tests"
check "no results are a failure" sums_to 1 "0 passed, 0 failed"
result one PASS PASS SKIP
check "passed cases are counted, skipped ones are not" \
	sums_to 0 "2 passed, 0 failed"
result two PASS FAIL ERROR
check "a failed case counts once" sums_to 1 "3 passed, 1 failed"
names_cases() {
	grep -qx 'FAIL: tests/unit/two 2 - case' "$tmp/out" &&
		grep -qx 'SKIP: tests/unit/one 3 - case' "$tmp/out" &&
		! grep -q PASS "$tmp/out"
}
check "failed and skipped cases are named" names_cases
result three ERROR
check "a crashed program counts as failed" sums_to 1 "3 passed, 2 failed"

# Where no chroot can be made its tests are skipped, and all is well.
mkdir "$tmp/bin"
printf '#!/bin/sh\necho "E: Failed getting release file $4/Release"\nexit 1\n' \
	>"$tmp/bin/debootstrap"
chmod +x "$tmp/bin/debootstrap"
no_chroot() {
	run 77 env PATH="$tmp/bin:$PATH" LIBRA_MIRROR=http://127.0.0.1:9/none \
		"$srcdir/tests/live/chroot.sh" "$srcdir" "$tmp/chroot" || return 1
	cat "$tmp/out"
	grep -qE '^SKIP: live tests in a chroot of trixie: .' "$tmp/out" &&
		test "$(wc -l <"$tmp/out")" -eq 1 || return 1
	# Others are told something else: they cannot try.
	[ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null ||
		grep -qE 'debootstrap failed: E: .* http://127.0.0.1:9/none/R' \
			"$tmp/out"
}
check "a chroot that cannot be made is a skip with its reason" no_chroot

# cmocka's own way to say that a case was skipped, and its exit status.
printf '#!/bin/sh\necho "1..2"\necho "not ok 1 - a"\necho "not ok 2 # SKIP b"\nexit 1\n' \
	>"$tmp/prog"
chmod +x "$tmp/prog"
passes_through() {
	run 1 sh "$srcdir/contrib/build-aux/cmocka-tap" "$tmp/prog" &&
		grep -qx 'not ok 1 - a' "$tmp/out" &&
		grep -qx 'ok 2 # SKIP b' "$tmp/out"
}
check "cmocka's skipped cases are skipped, failed ones fail" passes_through
finish
