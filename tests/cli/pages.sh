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

# missing NAME(SECTION)...: those of ours that are no page, on standard input
missing() {
	grep -oE '\b(libra|librasim|slurm-libra|spank_libra)(-[a-z-]+)? ?\([1-9]\)' |
		tr -d ' )' | tr '(' . | sort -u | while read -r page; do
		[ -e "$page" ] || echo "$1 refers to $page"
	done
}
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
for file in *.[1578] "$srcdir"/docs/*.md "$srcdir/README.md" "$srcdir/NEWS" \
	"$srcdir/slurm.conf.example" "$srcdir"/sim/*/*.[ch] \
	"$srcdir"/plugin/*/*.[ch] "$srcdir"/plugin/cli/events/*.[ch] \
	"$srcdir"/contrib/completion/*; do
	plain "$file" | missing "${file#"$srcdir"/}"
	case $file in
	*.[ch]) continue ;;
	esac
	headings "$file" | while read -r page heading; do
		[ -e "$page" ] || continue
		echo >>"$tmp/found"
		plain "$page" | tr -d '"' | grep -qx "^\.S[HS] $heading" ||
			echo "$file: no $heading in $page"
	done
done >"$tmp/bad"
empty "pages and headings that are referred to exist" "$tmp/bad"
check "there are headings to look at" test "$(wc -l <"$tmp/found")" -ge 10

# Form.
if groff -man -Tutf8 /dev/null >/dev/null 2>&1; then
	for page in *.[1578]; do
		groff -man -Tutf8 -ww "$page" 2>&1 >"$tmp/out"
		test "$(wc -l <"$tmp/out")" -gt 20 || echo "$page is empty"
	done >"$tmp/bad"
	empty "groff warns of nothing" "$tmp/bad"
else
	skip "groff warns of nothing" "no groff with the man macros"
fi
if man -l librasim.1 >/dev/null 2>&1 </dev/null; then
	for page in *.[1578]; do
		LC_ALL=C MANWIDTH=80 man --warnings -E ascii -l "$page" \
			2>&1 >/dev/null </dev/null
	done >"$tmp/bad"
	empty "man opens them without a warning" "$tmp/bad"
else
	skip "man opens them without a warning" "no man that reads files"
fi
finish
