#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pages stay short enough to be read, and their links lead somewhere.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

cd "$srcdir" || exit 99

# at_most N FILE...: so many words in all
at_most() {
	most=$1
	shift
	wc -w "$@"
	[ "$(cat "$@" | wc -w)" -le "$most" ]
}
check "README.md has 900" at_most 900 README.md
check "docs/ has 20,000 words at most" at_most 20000 docs/*.md

# too_long FILE: each release of a NEWS with more than 1,500 words
too_long() {
	awk '/^slurm-libra / { release = $2 }
		{ words[release] += NF }
		END {
			for (release in words)
				if (words[release] > 1500)
					print release, words[release] " words"
		}' "$1"
}
too_long NEWS >"$tmp/bad"
empty "NEWS has 1,500 words at most for each release" "$tmp/bad"
{
	printf 'slurm-libra 2, today\n\n- A line.\n\nslurm-libra 1, before\n'
	yes word | head -n 1498
} >"$tmp/news"
too_long "$tmp/news" >"$tmp/found"
check "a longer one would be found" grep -qx '1, 1501 words' "$tmp/found"

# anchors PAGE: of its headings, as GitHub makes them
anchors() {
	sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' |
		tr -cd 'a-z0-9_\n-'
}
# broken PAGE: its links that lead nowhere
broken() {
	grep -oE '\]\([^)]+\)' "$1" | tr -d '])(' | grep -vE '^https?:' | sort -u |
		while read -r link; do
			file=${link%%#*}
			file=${file:+$(dirname "$1")/$file}
			[ -e "${file:-$1}" ] || echo "$1: no $link"
			case $link in
			*.md#* | '#'*)
				anchors "${file:-$1}" | grep -qxF -e "${link#*#}" ||
					echo "$1: no heading for $link"
				;;
			esac
		done
}
for page in README.md docs/*.md; do
	broken "$page"
done >"$tmp/bad"
empty "each link of a page leads somewhere" "$tmp/bad"

mkdir "$tmp/docs"
printf '# A page\n\n[a](#a-page) [b](#no-page) [c](none.md) [d](data)\n' >"$tmp/docs/a.md"
broken "$tmp/docs/a.md" >"$tmp/found"
check "a link that does not would be found" test "$(wc -l <"$tmp/found")" -eq 3

# Each page is in the index.
for page in docs/*.md; do
	[ "$page" = docs/README.md ] || grep -qF "](${page#docs/})" docs/README.md ||
		echo "$page"
done >"$tmp/bad"
empty "docs/README.md has every page" "$tmp/bad"
finish
