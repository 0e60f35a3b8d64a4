#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Slurm's releases differ in compat.h and nowhere else; docs/porting.md names
# what stands there.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

cd "$srcdir" || exit 99
askers() {
	find "$@" -name '*.[ch]' ! -path plugin/base/compat.h -exec grep -nE \
		'LIBRA_SLURM\(|SLURM_VERSION_NUM\(|^ *# *if.*SLURM_VERSION' {} +
}
askers core plugin sim tests >"$tmp/askers"
empty "no file but compat.h asks for the release" "$tmp/askers"
# It would be seen.
mkdir "$tmp/new"
printf '#if LIBRA_SLURM(26, 5)\n#endif\n' >"$tmp/new/a.c"
printf '#if SLURM_VERSION_NUMBER > 1\n#endif\n' >"$tmp/new/b.h"
asks_twice() {
	test "$(askers "$tmp/new" | wc -l)" -eq 2
}
check "one that did would be found" asks_twice

# Each release at which compat.h turns has its row.
sed -n 's/.*LIBRA_SLURM(\([0-9]*\), \([0-9]*\)).*/\1 \2/p' plugin/base/compat.h |
	sort -u | while read -r major minor; do
	release=$(printf '%d.%02d' "$major" "$minor")
	grep -q "^| $release |" docs/porting.md || echo "$release"
done >"$tmp/missing"
empty "docs/porting.md has a row for each" "$tmp/missing"

# What the page names is there.
grep -o '`LIBRA_[A-Z0-9_]*\*\?`\|`libra_[a-z_]*`' docs/porting.md | tr -d '`*' |
	sort -u | while read -r name; do
	grep -q "$name" plugin/base/compat.h || echo "$name"
done >"$tmp/gone"
empty "compat.h has what it names" "$tmp/gone"
tr ' ' '\n' <docs/porting.md | grep -oE '[a-z/-]+\.sh\b' | sort -u |
	while read -r test; do
		ls "$test" "tests/live/$test" "tests/enforce/$test" 2>/dev/null |
			grep -q . || echo "$test"
	done >"$tmp/gone"
empty "the tests that it names are there" "$tmp/gone"
sed -n 's/^| .* | \(.*\) |$/\1/p' docs/porting.md | grep -o '"[^"]*"' | tr -d '"' |
	while read -r name; do
		grep -rqFe "$name" tests/live || echo "$name"
	done >"$tmp/gone"
empty "and so are their cases" "$tmp/gone"
finish
