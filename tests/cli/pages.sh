#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The form of all manual pages: short, installed, without warnings, and what they
# refer to exists.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"
# shellcheck source=tests/pages.sh
. "$srcdir/tests/pages.sh"

cd "$man" || exit 99
check "there are pages to look at" test "$(ls ./*.[1578] | wc -l)" -ge 30
for page in *.[1578]; do
	lines=$(wc -l <"$page")
	[ "$lines" -le 300 ] || echo "$page has $lines lines"
done >"$tmp/bad"
empty "no page has more than 300 lines" "$tmp/bad"
for page in *.[1578]; do
	name=${page%.*}
	plain "$page" | grep -qix "^\.TH $name ${page##*.} \"\" \"slurm-libra\" .*" ||
		echo "$page: .TH is of another page"
	section NAME "$page" | grep -q "^$name - ." || echo "$page: no NAME"
	for heading in EXAMPLES "SEE ALSO"; do
		section "$heading" "$page" | grep -q . || echo "$page: no $heading"
	done
	section EXAMPLES "$page" | grep -q '^[$#] ' ||
		echo "$page: no command under EXAMPLES"
done >"$tmp/bad"
empty "each page has a name, an example and others to read" "$tmp/bad"
ls -- *.[1578] | sort >"$tmp/pages"
sed -n 's,^	docs/man/\([^ ]*\).*,\1,p' local.mk | sort >"$tmp/installed"
check "each page is installed" diff "$tmp/pages" "$tmp/installed"

# The overviews lead to all other pages.
for page in *.[1578]; do
	case $page in
	librasim*) from=librasim.1 ;;
	libra-doctor* | spank*) from=slurm-libra.7 ;;
	libra*) from=libra.1 ;;
	*) from=slurm-libra.7 ;;
	esac
	plain $from | grep -q "^\.BR ${page%.*} (${page##*.})" ||
		[ "$page" = "$from" ] || echo "$from does not refer to $page"
done >"$tmp/bad"
empty "an overview refers to each page" "$tmp/bad"

# missing: pages of ours that do not exist, of lines FILE:NAME(SECTION) on standard
# input
missing() {
	tr -d ' )' | tr '(' . | sort -u | while IFS=: read -r file page; do
		[ -e "$page" ] || echo "$file refers to $page"
	done
}
ours='\b(libra|librasim|slurm-libra|spank_libra)(-[a-z-]+)? ?\([1-9]\)'
# headings FILE: in prose, page(N) and a HEADING in capitals after a comma; in
# pages, a bold HEADING "in" a page, or by itself
headings() {
	tr '\n' ' ' <"$1" |
		grep -oE '[a-z_-]+\([1-9]\),? [A-Z][A-Z, -]+[A-Z]\b' |
		sed 's/(\(.\)),* /.\1 /'
	plain "$1" | sed 's/^\.B //' | tr '\n' ' ' |
		grep -oE '\b[A-Z][A-Z ,-]+[A-Z] in \.BR [a-z_-]+ \([1-9]\)' |
		sed 's/\(.*\) in \.BR \(.*\) (\(.\))/\2.\3 \1/'
}
mkdir "$tmp/plain"
for page in *.[1578]; do
	plain "$page" | tr -d '"' >"$tmp/plain/$page"
done
{
	grep -oHE "$ours" "$srcdir"/sim/*/*.[ch] "$srcdir"/plugin/*/*.[ch] \
		"$srcdir"/plugin/cli/events/*.[ch] | missing
	for file in *.[1578] "$srcdir"/docs/*.md "$srcdir/README.md" \
		"$srcdir/NEWS" "$srcdir/slurm.conf.example" \
		"$srcdir"/contrib/completion/*; do
		plain "$file" | grep -oHE --label="$file" "$ours" | missing
		headings "$file" | sort | uniq -c |
			while read -r count page heading; do
			[ -e "$page" ] || continue
			seq "$count" >>"$tmp/found"
			grep -qx "\.S[HS] $heading" "$tmp/plain/$page" ||
				echo "$file: no $heading in $page"
		done
	done
} >"$tmp/bad"
empty "pages and headings that are referred to exist" "$tmp/bad"
check "there are headings to look at" test "$(wc -l <"$tmp/found")" -ge 10

# Form.  Man calls groff as the second time, one page after another.
if groff -man -Tutf8 /dev/null >/dev/null 2>&1; then
	{
		groff -man -Tutf8 -ww -- *.[1578] 2>&1 >"$tmp/out"
		groff -Kutf8 -mandoc -Tascii -rLL=80n -ww -- *.[1578] 2>&1 \
			>/dev/null
	} >"$tmp/bad"
	empty "groff warns of nothing" "$tmp/bad"
else
	skip "groff warns of nothing" "no groff with the man macros"
fi
if man -l librasim.1 >/dev/null 2>&1 </dev/null; then
	LC_ALL=C MANWIDTH=80 man --warnings -E ascii -l librasim.1 \
		2>"$tmp/bad" >/dev/null </dev/null
	empty "man opens one without a warning" "$tmp/bad"
else
	skip "man opens one without a warning" "no man that reads files"
fi
finish
