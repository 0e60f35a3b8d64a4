#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The folders are layers: tests/layout/layers says who may include whom.  The
# test is shown to bite: in a copy of the tree each forbidden pair of folders is
# given an include, and each must be found.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

cd "$srcdir" || exit 99
rules=$srcdir/tests/layout

# look DIR: what is wrong in the tree that lies there
look() (
	cd "$1" || exit 99
	find core sim plugin -name '*.[ch]' | sort >"$tmp/files"
	# shellcheck disable=SC2046
	grep -HE '^[[:space:]]*#[[:space:]]*include' $(cat "$tmp/files") |
		sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/; s/[[:space:]].*//' \
			>"$tmp/includes"
	awk -f "$rules/layers.awk" "$rules/layers" "$tmp/files" "$tmp/includes"
)

look . >"$tmp/bad"
check "there are includes to look at" test -s "$tmp/includes"
empty "no file includes what its folder may not" "$tmp/bad"

# Plant every forbidden include at once; each must be complained about.
mkdir "$tmp/copy"
cp -r core sim plugin "$tmp/copy"
chmod -R u+w "$tmp/copy"
awk -v plant=1 -f "$rules/layers.awk" "$rules/layers" "$tmp/files" /dev/null \
	>"$tmp/plants"
check "there are rules to break" test "$(wc -l <"$tmp/plants")" -ge 300
while read -r file header; do
	printf '#include %s\n' "$header" >>"$tmp/copy/$file"
done <"$tmp/plants"
look "$tmp/copy" >"$tmp/found"
awk '
	NR == FNR {
		if ($2 ~ /^\(/ || $2 " " $3 == "must never")
			complaints[$1] = complaints[$1] "\n" $0
		next
	}
	{
		header = $2
		gsub(/"/, "", header)
		if (!index(complaints[$1], header))
			print $1 " was given " header " and nobody saw it"
	}' "$tmp/found" "$tmp/plants" >"$tmp/bad"
empty "each forbidden include is found where it is planted" "$tmp/bad"

# A folder without an entry must be reported.
mkdir "$tmp/copy/sim/nowhere"
echo >"$tmp/copy/sim/nowhere/lost.c"
look "$tmp/copy" >"$tmp/found"
check "a file in a folder without an entry is found" \
	grep -q 'sim/nowhere/lost.c is in no folder' "$tmp/found"

# Only policy.c lists the policies.
grep -lE '(&|extern const struct libra_policy_type )libra_policy_[a-z_]+\b' \
	$(cat "$tmp/files" | grep -E '^(core|sim|plugin)/' | grep -v nowhere) |
	grep -vE '^core/policy/' >"$tmp/bad"
empty "no file outside core/policy names a policy's table" "$tmp/bad"

# Folders.
find core sim plugin -name '*.c' | sed 's,/[^/]*$,,' | sort | uniq -c |
	awk '$1 > 25 { print $2 " has " $1 " .c files" }' >"$tmp/bad"
empty "no folder has more than 25 .c files" "$tmp/bad"
find sim -maxdepth 1 -type f ! -name local.mk >"$tmp/bad"
empty "sim/ itself holds its list only" "$tmp/bad"
for d in $(find core sim plugin -type f -name '*.[ch]' | sed 's,/[^/]*$,,' |
	sort -u); do
	line=
	{
		read -r line
		read -r line
		read -r line
	} 2>/dev/null <"$d/local.mk"
	case $line in
	'# '????????????????????*) ;;
	*) echo "$d/local.mk does not open with what lives there" ;;
	esac
done >"$tmp/bad"
empty "each folder says what lives there" "$tmp/bad"
finish
