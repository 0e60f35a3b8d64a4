# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# pages.sh - read our manual pages; the tests of the pages source it after tap.sh.

man=$srcdir/docs/man

# plain FILE...: the pages without escapes; one word per hyphenated name
plain() {
	sed 's/\\-/-/g; s/\\f[BIR]//g; s/\\&//g' "$@"
}

# section HEADING FILE...: from its heading to the next one
section() {
	section_of=$1
	shift
	plain "$@" | awk -v want="$section_of" '
		/^\.(SH|SS|TH) / { on = substr($0, 5) == want; next }
		on'
}

# tagged_options: of a page on standard input, the options that begin a tagged
# paragraph, as words: -j --jobs
tagged_options() {
	awk 'tag && /^\.BR? "?-/ { print } { tag = /^\.T[PQ]/ }' |
		grep -oE -e '(^|[" ])--?[a-zA-Z][a-z0-9-]*' | tr -d ' "' | sort -u
}

# help_options COMMAND...: the options that its --help lists, as words
help_options() {
	"$@" --help </dev/null | grep -E '^ {2,8}-' |
		grep -oE -e '(^ *-.,|--[a-z][a-z0-9-]*)' | tr -d ' ,' |
		grep -vxE -e '-\?|--help|--usage' | sort -u
}
