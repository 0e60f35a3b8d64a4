#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What Slurm loads is put in place by rename: it is the old file or the new one
# at any time, and never a part.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

install_rename=$srcdir/contrib/build-aux/install-rename
mkdir "$tmp/to" "$tmp/bin"
echo new >"$tmp/a.so"
echo old >"$tmp/to/a.so"
exec 8<"$tmp/to/a.so"

check "a file takes the place of another" run 0 "$install_rename" -c -m 644 \
	"$tmp/a.so" "$tmp/to/a.so"
check "it is the new one" cmp "$tmp/a.so" "$tmp/to/a.so"
check "with the mode asked for" test "$(stat -c %a "$tmp/to/a.so")" = 644
check "whoever had the old one open still has it" test "$(cat <&8)" = old
two() {
	echo two >"$tmp/b.so"
	run 0 "$install_rename" "$tmp/a.so" "$tmp/b.so" "$tmp/to" &&
		cmp "$tmp/b.so" "$tmp/to/b.so" &&
		test "$(stat -c %a "$tmp/to/a.so")" = 755
}
check "files go into a folder" two
only() {
	ls -A "$tmp/to" >"$tmp/list"
	cat "$tmp/list"
	test "$(cat "$tmp/list")" = "$1"
}
check "nothing else is left there" only "a.so
b.so"

# A copy that breaks off half-way, as on a full disk.
cat >"$tmp/bin/install" <<'END'
#!/bin/sh
for target; do :; done
printf half >"$target"
exit 1
END
chmod +x "$tmp/bin/install"
breaks() {
	run 1 env PATH="$tmp/bin:$PATH" "$@"
}
check "a copy that breaks off is a failure" breaks "$install_rename" \
	"$tmp/b.so" "$tmp/to/a.so"
check "which leaves the old file" cmp "$tmp/a.so" "$tmp/to/a.so"
check "and no other" only "a.so
b.so"
check "a file that is not there too" run 1 "$install_rename" "$tmp/none" \
	"$tmp/to/a.so"
check "no target is a failure" run 1 "$install_rename" "$tmp/a.so"
check "an option that is not known too" run 1 "$install_rename" -d "$tmp/x" y

# make install does so.  Nothing is built for it.
pkglib() {
	MAKEFLAGS='' ${MAKE:-make} -C "$builddir" \
		install-pkglibLTLIBRARIES DESTDIR="$tmp/root" 2>&1
}
find_library() {
	find "$tmp/root" -name libslurm_libra.so
}
replaced() {
	pkglib && echo old >"$(find_library)" || return 1
	(PATH="$tmp/bin:$PATH" && pkglib)
	test "$(cat "$(find_library)")" = old || return 1
	pkglib && test "$(head -c 3 "$(find_library)")" != old
}
if [ -e "$builddir/plugin/libslurm_libra.la" ]; then
	check "make install renames" replaced
else
	skip "make install renames" "the plugins were not built"
fi

# What make install puts somewhere make uninstall removes, and a folder that is
# ours.
removed() {
	rm -rf "$tmp/root"
	MAKEFLAGS='' ${MAKE:-make} -C "$builddir" install \
		DESTDIR="$tmp/root" || return 1
	find "$tmp/root" -type f | grep -q libslurm_libra.so || return 1
	MAKEFLAGS='' ${MAKE:-make} -C "$builddir" uninstall \
		DESTDIR="$tmp/root" || return 1
	# The way to the prefix may have our name.
	prefix=$(sed -n 's/^prefix = //p' "$builddir/Makefile")
	{
		find "$tmp/root" ! -type d
		find "$tmp/root$prefix" -mindepth 1 -name '*libra*'
	} | tee "$tmp/left"
	test ! -s "$tmp/left"
}
if [ -e "$builddir/plugin/libslurm_libra.la" ]; then
	check "make uninstall leaves neither file nor folder" removed
else
	skip "make uninstall leaves neither file nor folder" \
		"the plugins were not built"
fi
finish
