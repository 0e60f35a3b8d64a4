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
	[ "$lines" -ge 20 ] && [ "$lines" -le 300 ] ||
		echo "$page has $lines lines"
done >"$tmp/bad"
empty "each page has 20 to 300 lines" "$tmp/bad"
mkdir "$tmp/plain"
for page in *.[1578]; do
	plain "$page" | tr -d '"' >"$tmp/plain/$page"
done
(cd "$tmp/plain" && awk '
	function need(found, text) {
		if (!found)
			print page ": " text
	}
	function end_page() {
		if (page == "")
			return
		need(right, ".TH is of another page")
		need(named, "no NAME")
		need(filled["EXAMPLES"], "no EXAMPLES")
		need(filled["SEE ALSO"], "no SEE ALSO")
		need(command, "no command under EXAMPLES")
		right = named = command = 0
		split("", filled)
	}
	FNR == 1 {
		end_page()
		page = FILENAME
		name = substr(page, 1, length(page) - 2)
		title = ".th " name " " substr(page, length(page)) "  slurm-libra "
	}
	/^\.TH / { right = index(tolower($0), title) == 1 }
	/^\.(SH|SS|TH) / {
		heading = substr($0, 5)
		next
	}
	/./ { filled[heading] = 1 }
	heading == "NAME" && index($0, name " - ") == 1 { named = 1 }
	heading == "EXAMPLES" && /^[$#] / { command = 1 }
	END { end_page() }' *) >"$tmp/bad"
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
	grep -q "^\.BR ${page%.*} (${page##*.})" "$tmp/plain/$from" ||
		[ "$page" = "$from" ] || echo "$from does not refer to $page"
done >"$tmp/bad"
empty "an overview refers to each page" "$tmp/bad"

# References to pages of ours; in prose to page(N) and a HEADING in capitals after a
# comma; in pages to a bold HEADING "in" a page.
page='(libra|librasim|slurm-libra|spank_libra)(-[a-z-]+)? ?[(][1-9][)]'
grep -oHE "\\b$page" "$srcdir"/sim/*/*.[ch] "$srcdir"/plugin/*/*.[ch] \
	"$srcdir"/plugin/cli/events/*.[ch] >"$tmp/sources"
ls "$tmp"/plain/* >"$tmp/exist"
awk -v ours="$page" -v found="$tmp/found" '
	# file_of "name (N)": name.N
	function file_of(reference) {
		gsub(/[ )]/, "", reference)
		sub(/\(/, ".", reference)
		return reference
	}
	function look_page(reference) {
		if (!(file_of(reference) in exists))
			print file " refers to " file_of(reference)
	}
	function look_heading(page, heading) {
		if (!(page in exists))
			return
		print heading >found
		if (!((page, heading) in headings))
			print file ": no " heading " in " page
	}
	function look(part, at, rest) {
		for (part = text; match(part, ours); part = rest) {
			rest = substr(part, RSTART + RLENGTH)
			look_page(substr(part, RSTART, RLENGTH))
		}
		for (part = raw; match(part, prose); part = rest) {
			rest = substr(part, RSTART + RLENGTH - 1)
			part = substr(part, RSTART, RLENGTH - 1)
			look_heading(file_of(substr(part, 1, index(part, ")"))),
				substr(part, match(part, /[A-Z]/)))
		}
		for (part = text; match(part, bold); part = rest) {
			rest = substr(part, RSTART + RLENGTH)
			part = substr(part, RSTART + 1, RLENGTH - 1)
			at = index(part, " in .BR ")
			look_heading(file_of(substr(part, at + 8)),
				substr(part, 1, at - 1))
		}
		raw = text = ""
	}
	BEGIN {
		prose = "[a-z_-]+[(][1-9][)],? [A-Z][A-Z, -]+[A-Z]([^A-Za-z0-9_]|$)"
		bold = "[^A-Za-z0-9_][A-Z][A-Z ,-]+[A-Z] in [.]BR [a-z_-]+ [(][1-9][)]"
	}
	FILENAME ~ /\/exist$/ {
		sub(/.*\//, "")
		exists[$0] = 1
		next
	}
	FILENAME ~ /\/plain\// {
		if (/^\.S[HS] /) {
			page = FILENAME
			sub(/.*\//, "", page)
			headings[page, substr($0, 5)] = 1
		}
		next
	}
	FILENAME ~ /\/sources$/ {
		file = substr($0, 1, index($0, ":") - 1)
		look_page(substr($0, index($0, ":") + 1))
		next
	}
	FNR == 1 {
		look()
		file = FILENAME
	}
	{
		raw = raw $0 " "
		gsub(/\\f[BIR]|\\&/, "")
		gsub(/\\-/, "-")
		sub(/^\.B /, "")
		text = text $0 " "
	}
	END { look() }' "$tmp/exist" "$tmp"/plain/* "$tmp/sources" *.[1578] \
	"$srcdir"/docs/*.md "$srcdir/README.md" "$srcdir/NEWS" \
	"$srcdir/slurm.conf.example" "$srcdir"/contrib/completion/* >"$tmp/bad"
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
