#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurm.conf.example and the manual pages of the plugins name every setting,
# parameter and option that there is, and none that there is not.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

libra=${LIBRA:-$builddir/libra}
librasim=${LIBRASIM:-$builddir/librasim}
example=$srcdir/slurm.conf.example
# shellcheck source=tests/pages.sh
. "$srcdir/tests/pages.sh"

# Settings: the table of conf.c.
sed -n '/^} tokens\[\]/d; s/^	{"\(libra_[a-z_]*\)", set_.*/\1/p' \
	"$srcdir/plugin/base/conf.c" | sort >"$tmp/tokens"
check "conf.c has settings" grep -qx libra_policy "$tmp/tokens"

# Explained: a line "# libra_NAME=..." of the example, a bold term of the page.
sed -n 's/^# \(libra_[a-z_]*\)=[^a-z]*[A-Za-z/].*/\1/p' "$example" |
	sort -u >"$tmp/said"
check "slurm.conf.example explains each setting" diff "$tmp/tokens" "$tmp/said"
awk 'tag && /^\.BR? libra_/ { print $2 } { tag = /^\.TP/ }' \
	"$man/slurm-libra-settings.5" |
	sed 's/=.*//' | sort -u >"$tmp/said"
check "slurm-libra-settings(5) explains each setting" diff "$tmp/tokens" "$tmp/said"

# The example sets each, and names what conf.c takes when it is not set.
sed -n 's/^SchedulerParameters=//p' "$example" | tr , '\n' |
	sed -n 's/^\(libra_[a-z_]*\)=.*/\1/p' | sort >"$tmp/set"
check "slurm.conf.example sets each" diff "$tmp/tokens" "$tmp/set"
defaults() {
	grep -qxE "# libra_policy=NAME +\(default $(sed -n \
		's/^#define DEFAULT_POLICY *"\(.*\)"/\1/p' \
		"$srcdir/plugin/base/conf.c")\)" "$example" &&
		tr , '\n' <"$example" | grep -qx "libra_offer_ttl=$(sed -n \
			's/^#define DEFAULT_TTL_S *\([0-9]*\).*/\1/p' \
			"$srcdir/plugin/base/conf.c")"
}
check "to the defaults" defaults
check "but begins with planned, as admin.md does" grep -q \
	'^SchedulerParameters=.*,libra_policy=planned,' "$example"

# Parameters of the policies that slurmctld takes, with their defaults.
if "$librasim" policies --json </dev/null >"$tmp/policies" 2>/dev/null; then
	awk -F '[",:]+' '
		/^  "name"/ { policy = $4 }
		/^  "mode"/ { shares = $4 != "space-shared" }
		/^  "plans": true/ { shares = 1 }
		/^  "needs_budget": true/ { shares = 0 }
		/^    "name"/ { name = $4 }
		/^    "cluster_default"/ && shares { sub(/^ /, "", $3)
			print policy, "libra_" name "=" $3 }' \
		"$tmp/policies" | sort >"$tmp/params"
	awk '/^# libra_policy=/ { policy = substr($2, 14) }
		/^#   libra_/ { print policy, $2 }' "$example" |
		sort >"$tmp/said"
	check "each parameter with its default, in slurm.conf.example" \
		diff "$tmp/params" "$tmp/said"
	check "there are some" test -s "$tmp/params"
	# And with what "librasim policies" says of it.
	sed -n 's/^    "help": "\(.*\)"$/\1/p' "$tmp/policies" |
		sort -u >"$tmp/help"
	awk '/^#   libra_[a-z_]*=/ { if (text) print text; text = ""; on = 1
			next }
		!/^#     / { if (text) print text; text = ""; on = 0 }
		on { sub(/^# */, ""); text = text (text ? " " : "") $0 }' \
		"$example" | sed 's/\( \[[^]]*\]\)*\. [^.]*\.$//' |
		sort -u >"$tmp/said"
	check "each explained there as by librasim policies" \
		test -z "$(comm -13 "$tmp/help" "$tmp/said")"
	check "all of them" test "$(wc -l <"$tmp/said")" -ge 8
else
	skip "each parameter with its default, in slurm.conf.example" \
		"librasim was not built"
fi

# admin.md: the first column of its table of options, where parameters of
# policies may stand, too; and the paragraph below it, with options of sbatch
# that are refused.
admin=$srcdir/docs/admin.md
rows() {
	sed -n '/^### Options and limits/,/^\*\*/s/^| \([^|]*\) |.*/\1/p' "$admin" |
		grep -o 'libra_[a-z_]*' | sort -u
}
rows >"$tmp/said"
comm -23 "$tmp/tokens" "$tmp/said" >"$tmp/bad"
empty "admin.md has a row for each setting" "$tmp/bad"
if [ -s "$tmp/params" ]; then
	sed 's/^[a-z]* \(.*\)=.*/\1/' "$tmp/params" | sort -u - "$tmp/tokens" |
		comm -13 - "$tmp/said" >"$tmp/bad"
	empty "and none for what is no setting" "$tmp/bad"
else
	skip "and none for what is no setting" "librasim was not built"
fi

# Refusals: texts of the sources, each in one line, that tell a user to leave an
# option out, or that it cannot be promised.
refusals() {
	sed 's/[[:blank:]]*\\$//' "$srcdir/plugin/job_submit/request.c" \
		"$srcdir/plugin/request/messages.h" \
		"$srcdir/plugin/select/rules.c" "$srcdir/plugin/host/submit.c" |
		tr '\n' ' ' | sed 's/"[[:blank:]]*"//g' | grep -o '"[^"]*"'
}
words_of() {
	grep -oE -e '--[a-z]+[a-z-]*(=[a-z-]+)?'
}
left_out() {
	refusals | sed -nE 's/.*leave out (--[^:]*)/\1/p' | sed 's/, or give .*//'
	refusals | grep -oE -e 'leave --[a-z-]+ out' -e '"--[a-z][^:]* (cannot|with a)'
	refusals | grep -oE -e '^"[a-z ]* in --[a-z-]+'
	# Options that pinned() and names_nodes() return, for such a text.
	grep -hoE 'return .*"--[a-z=-]+"|\? "--[a-z-]+"|: "--[a-z-]+"' \
		"$srcdir/plugin/job_submit/request.c" \
		"$srcdir/plugin/host/submit.c" | grep -v -- --begin
}
left_out | words_of | grep -vx -e --deadline | sort -u >"$tmp/refused"
sed -n '/^### Options and limits/,/^$/d; /^| option or limit/,/^\*\*When/p' "$admin" |
	grep -oE '`[^`]*`' >"$tmp/told"
sed -n '/^\*\*What `planned` cannot promise/,/^$/p' "$admin" |
	grep -oE '`--[^`]*`' | words_of | sort -u >"$tmp/listed"
check "sources refuse some options" test "$(wc -l <"$tmp/refused")" -ge 20
named_in() { # FILE: reads options, prints those that the file has not
	while read -r option; do
		value=${option#--exclusive=} # `--exclusive=user`, `=mcs`
		[ "$value" = "$option" ] && value=-$option || value="\`=$value"
		grep -qE -e "$option([^a-z-]|\$)" -e "$value" "$1" ||
			echo "$option"
	done
}
named_in "$tmp/told" <"$tmp/refused" >"$tmp/bad"
empty "admin.md names each option that is refused" "$tmp/bad"
refusals >"$tmp/texts"
grep -vxE -e '--gpus(-per-task)?' "$tmp/listed" | named_in "$tmp/texts" >"$tmp/bad"
empty "and lists none that no refusal names" "$tmp/bad"

# Options of the command.
same_options() {
	help_options "$libra" "$1" >"$tmp/help"
	plain "$man/libra-$1.1" | tagged_options >"$tmp/said"
	[ "$1" = settings ] || test -s "$tmp/help" || return 1
	diff "$tmp/help" "$tmp/said"
}
for command in $("$libra" --help </dev/null |
	sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
	check "libra-$command(1) has its options" same_options "$command"
	echo "$command" >>"$tmp/commands"
done
check "there are nine commands" test "$(wc -l <"$tmp/commands")" -eq 9
sort "$tmp/commands" >"$tmp/names"
for page in "$man"/libra-*.1; do
	page=${page##*/libra-}
	echo "${page%.1}"
done | sort >"$tmp/said"
check "no page is of another command" diff "$tmp/names" "$tmp/said"
section COMMANDS "$man/libra.1" | sed -n 's/^\.BR libra-\(.*\) (1)$/\1/p' |
	sort >"$tmp/said"
check "libra(1) lists the commands" diff "$tmp/names" "$tmp/said"

names_page() {
	run 0 "$libra" help "$1" && grep -qxF "Manual page: libra-$1(1)" "$tmp/out"
}
while read -r name; do
	names_page "$name" || echo "$name"
done <"$tmp/commands" >"$tmp/bad"
empty "the help on each command names its page" "$tmp/bad"

# The stable words of libra-formats(5) begin lines that users read.
words_begin() {
	section "WHAT PROGRAMS READ OF SBATCH" "$man/libra-formats.5" |
		awk 'tag && /^\.BI? / { sub(/^\.BI? /, ""); print }
			{ tag = /^\.TP/ }' |
		sed 's/^"//; s/\(now: \)*" [A-Z].*//' >"$tmp/words"
	test "$(wc -l <"$tmp/words")" -eq 7 || { cat "$tmp/words"; return 1; }
	cat "$srcdir"/plugin/request/*.c "$srcdir"/plugin/host/*.c \
		>"$tmp/sources"
	while IFS= read -r word; do
		grep -qF "\"libra: $word" "$tmp/sources" ||
			grep -qF "\"libra: ${word% as a bet}" "$tmp/sources" ||
			{ echo "no line begins with $word"; return 1; }
	done <"$tmp/words"
}
check "libra-formats(5) has words that lines begin with" words_begin

# What the command line gets wrong needs no Slurm.
usage() { # TEXT ARGUMENT...
	text=$1
	shift
	run 2 "$libra" "$@" || return 1
	cat "$tmp/err"
	grep -qF -e "$text" "$tmp/err"
}
check "no command" usage "Usage: libra COMMAND"
check "an unknown command" usage "unknown command 'statsu'" statsu
check "status of something" usage "'x'" status x
check "metrics of something" usage "'x'" metrics x
check "notify without a program" usage "give --state=FILE" notify
check "status in no such order" usage "--sort takes keys out of job, user," \
	status --sort=age
check "explain nothing" usage "give either a job id" explain
check "explain two jobs" usage "unexpected argument '4'" explain 3 4
check "explain a word" usage "'three' is not a job id" explain three
check "explain a job and refusals" usage "or --refused" explain -r 3
check "what-if of nothing" usage "give --time and --deadline" what-if
check "what-if without end" usage "cannot be unlimited" \
	what-if --time infinite
check "settings twice" usage "unexpected argument 'b'" settings a b

# Settings, before slurmctld reads them.
settings() { # STATUS TEXT TOKENS
	run "$1" "$libra" settings "$3" || return 1
	cat "$tmp/out"
	grep -qF -e "$2" "$tmp/out"
}
check "right settings" settings 0 "policy band" \
	bf_interval=5,libra_policy=band,libra_residents=4
check "a policy that slurmctld cannot use" settings 1 "using band" \
	libra_policy=edf
check "a token that does not exist" settings 1 libra_polcy \
	libra_polcy=libra
check "a parameter of another policy" settings 1 libra_residents \
	libra_policy=libra,libra_residents=4
check "those of the example" settings 0 "all settings are right" \
	"$(sed -n 's/^SchedulerParameters=//p' "$example")"

check "what-if on half a node" usage "--nodes takes" what-if --nodes 0.5
check "what-if with no tasks" usage "--ntasks takes" what-if -n 0
check "what-if with an argument" usage "'x'" what-if x

finish
