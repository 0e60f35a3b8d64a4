#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# configure finds the Slurm that it is told, in any folder; and what was built
# for one release is built again for the next in the same build folder.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

slurm_src=$(sed -n 's/^SLURM_SRC = //p' "$builddir/Makefile")
include=${LIBRA_SLURM:-/usr}/include
[ -r "$include/slurm/slurm.h" ] && [ -n "$slurm_src" ] || {
	echo "1..0 # SKIP no Slurm and its source was configured"
	exit 0
}
number=$(sed -n 's/^#define SLURM_VERSION_NUMBER 0x//p' \
	"$include/slurm/slurm_version.h")
series=$(printf '%d.%02d' $((0x$number >> 16)) $((0x$number >> 8 & 255)))

# slurm NAME MICRO: this Slurm with another number, in $tmp/NAME and its source
# in $tmp/NAME-src.  Its headers have a prototype that we are warned of.
slurm() {
	mkdir -p "$tmp/$1/include" "$tmp/$1/lib/slurm" "$tmp/$1-src" &&
		cp -RL "$include/slurm" "$tmp/$1/include/" &&
		: >"$tmp/$1/lib/slurm/select_cons_tres.so" &&
		echo 'extern int libra_test_old_style();' \
			>>"$tmp/$1/include/slurm/slurm_errno.h" &&
		renumber "$1" "$2" || return 1
	for part in src slurm; do
		ln -s "$slurm_src/$part" "$tmp/$1-src/$part" || return 1
	done
	echo "  Version:	$series.$2" >"$tmp/$1-src/META"
}
renumber() {
	sed -i "s/VERSION_NUMBER 0x.*/VERSION_NUMBER 0x${number%??}$(
		printf %02x "$2")/" "$tmp/$1/include/slurm/slurm_version.h"
}
slurm one 91 && slurm two 92 || exit 99

# A cache file must not remember the Slurm of before.  The plugins are built
# three times, and not to be run.
mkdir "$tmp/build" && cd "$tmp/build" || exit 99
configure() {
	run 0 "$srcdir/configure" -C --disable-sim --prefix="$tmp/usr" CC="$CC" \
		CFLAGS=-O0 "$@"
}
for_release() { # RELEASE PLUGINDIR
	grep -q "for Slurm $1, into $2\$" "$tmp/out"
}
refused() { # MESSAGE OPTION...
	message=$1
	shift
	run 1 "$srcdir/configure" -C --disable-sim CC="$CC" CFLAGS=-O0 "$@" &&
		grep -q -e "$message" "$tmp/err"
}

check "a folder with Slurm is taken" configure --with-slurm="$tmp/one/" \
	--with-slurm-src="$tmp/one-src" --enable-werror
check "with the plugin folder that it has" \
	for_release "$series.91" "$tmp/one/lib/slurm"
werror() {
	grep -q '^LIBRA_CFLAGS = .*-Werror' Makefile
}
check "--enable-werror makes warnings errors" werror

# Of the plugins and of what they are made of.
version_of() { # FILE
	# shellcheck disable=SC2046
	set -- "$1" $(objdump -t "$1" |
		awk '$NF == "plugin_version" { print $(NF - 2), "0x" $1 }')
	objdump -s -j "$2" --start-address="$3" --stop-address=$(($3 + 4)) \
		"$1" | sed -n 's/^ [0-9a-f]* \(..\)\(..\)\(..\)\(..\) .*/\4\3\2\1/p'
}
plugins="plugin/job_submit_libra plugin/select_cons_tres_libra
	plugin/spank_libra"
made_for() { # MICRO
	# shellcheck disable=SC2046,SC2086
	MAKEFLAGS='' ${MAKE:-make} -s -j2 $(printf '%s.la ' $plugins) \
		>"$tmp/make.out" 2>&1 || {
		tail -n 20 "$tmp/make.out"
		return 1
	}
	for plugin in $plugins; do
		got=$(version_of "plugin/.libs/${plugin#plugin/}.so")
		echo "$plugin: $got"
		test "$got" = "00${number%??}$(printf %02x "$1")" || return 1
	done
}
check "the plugins are of that release, warnings of Slurm's headers aside" \
	made_for 91
quiet() {
	MAKEFLAGS='' ${MAKE:-make} -q plugin/select_cons_tres_libra.la
}
check "a second make builds nothing" quiet
check "the next release is configured in the same folder" configure \
	--with-slurm="$tmp/two" --with-slurm-src="$tmp/two-src"
check "and found" for_release "$series.92" "$tmp/two/lib/slurm"
not_werror() {
	! werror
}
check "warnings are no errors by default" not_werror
check "the plugins are of that one now" made_for 92
check "and back" configure --with-slurm="$tmp/one" \
	--with-slurm-src="$tmp/one-src"
plugins=plugin/spank_libra
check "a plugin is of the first one again" made_for 91

replaced() {
	renumber one 93 || return 1
	MAKEFLAGS='' run 2 "${MAKE:-make}" -s plugin/job_submit_libra.la &&
		grep -q 'run configure again' "$tmp/err"
}
check "a Slurm that was replaced since is an error that says so" replaced
renumber one 91

check "the source of another release is refused" \
	refused "is Slurm $series.92, but $series.91 is installed in $tmp/one" \
	--with-slurm="$tmp/one" --with-slurm-src="$tmp/two-src"
check "a folder without Slurm is refused" \
	refused "there is no Slurm in $tmp/none" --with-slurm="$tmp/none"
check "a relative folder too" refused "no absolute folder" --with-slurm=one
check "Slurm can be left out" configure --without-slurm
none() {
	grep -q 'job_submit .*not built' "$tmp/out" &&
		! grep -q '^slurmplugin_LTLIBRARIES *=.*plugin/job_submit' Makefile
}
check "then there is no plugin" none

# Where the plugins lie elsewhere.
mkdir -p "$tmp/else/slurm" "$tmp/one/lib/pkgconfig" "$tmp/one/bin"
mv "$tmp/one/lib/slurm/select_cons_tres.so" "$tmp/else/slurm/"
printf '%s\n' "libdir=$tmp/else" 'Name: slurm' 'Description: Slurm' \
	'Version: 1' >"$tmp/one/lib/pkgconfig/slurm.pc"
if pkg-config --version >/dev/null 2>&1; then
	check "slurm.pc is read" configure --with-slurm="$tmp/one"
	check "and names the plugin folder" \
		for_release "$series.91" "$tmp/else/slurm"
else
	skip "slurm.pc is read" "there is no pkg-config"
fi
rm "$tmp/one/lib/pkgconfig/slurm.pc"
printf '#!/bin/sh\necho "PluginDir               = /nowhere:%s"\n' \
	"$tmp/else/slurm" >"$tmp/one/bin/scontrol"
chmod +x "$tmp/one/bin/scontrol"
check "scontrol is asked" configure --with-slurm="$tmp/one"
check "and names the plugin folder too" \
	for_release "$series.91" "$tmp/else/slurm"

distclean() {
	MAKEFLAGS='' ${MAKE:-make} -s distclean && ! find plugin -name '*.h' |
		grep .
}
check "distclean leaves no generated header" distclean
cd / || exit 99
finish
