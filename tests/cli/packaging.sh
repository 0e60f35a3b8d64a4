#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packages are of this release and have what the tree has.  They are built by
# make check-packages.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

packaging=$srcdir/contrib/packaging
release=$(sed -n 's/^AC_INIT(\[slurm-libra\], \[\(.*\)\]).*/\1/p' \
	"$srcdir/configure.ac")
check "the Debian packages are of this release" \
	grep -q "^slurm-libra ($release) " "$packaging/debian/changelog"
check "so is the spec" grep -q "^Version: *$release\$" \
	"$packaging/slurm-libra.spec"
{
	sed -n 's/^\(contrib[^ ]*\) .*/\1/p' "$packaging"/debian/*.install
	cat "$packaging"/debian/*.docs "$packaging"/debian/*.examples
	sed -n 's/^%doc //p' "$packaging/slurm-libra.spec" | tr ' ' '\n'
} | sort -u | while read -r file; do
	[ -e "$srcdir/$file" ] || echo "$file"
done >"$tmp/gone"
empty "files that they name are there" "$tmp/gone"
# Every manual page is in one of them, with both packagers.
sed -n 's|^usr/share/man/||p' "$packaging"/debian/*.install >"$tmp/debian"
sed -n 's|^%{_mandir}/||p' "$packaging/slurm-libra.spec" >"$tmp/spec"
# packages LIST PAGE: how many entries of the list have it
packages() {
	while read -r pattern; do
		# shellcheck disable=SC2254
		case man${2##*.}/$2 in
		$pattern | $pattern/*) echo "$pattern" ;;
		esac
	done <"$1" | wc -l
}
for page in "$srcdir"/docs/man/*.[1578]; do
	page=${page##*/}
	[ "$(packages "$tmp/debian" "$page")" -eq 1 ] &&
		[ "$(packages "$tmp/spec" "$page")" -eq 1 ] || echo "$page"
done >"$tmp/unpacked"
empty "every manual page is in one package" "$tmp/unpacked"
# The decision log that the settings' example names is the one that is rotated.
log=$(sed -n 's/.*libra_log=\([^, ]*\).*/\1/p' "$srcdir/slurm.conf.example" |
	head -n 1)
check "logrotate has the log of slurm.conf.example" \
	grep -qxF "${log:-none} {" "$packaging/slurm-libra.logrotate"

# Recipes of others.
check "spack's recipe is of this release" \
	grep -q "^    version(\"$release\")" "$packaging/package.py"
check "so is guix's" grep -q "^  (version \"$release\")" "$packaging/guix.scm"
if command -v python3 >/dev/null; then
	check "python reads the one" env PYTHONPYCACHEPREFIX="$tmp/cache" \
		python3 -m py_compile "$packaging/package.py"
else
	skip "python reads the one" "no python3"
fi
if command -v guile >/dev/null; then
	check "guile reads the other" guile --no-auto-compile -c '
		(with-input-from-file (cadr (command-line))
		  (lambda ()
		    (let loop ((form (read)))
		      (unless (eof-object? form) (loop (read))))))' \
		"$packaging/guix.scm"
else
	skip "guile reads the other" "no guile"
fi
# The libraries of configure.ac's are in both.
libraries() {
	sed -n 's/.*LIBRA_NEED_LIB(\[[A-Z]*\], \[\([a-z]*\)\( .*\)*\],.*/\1/p' \
		"$srcdir/contrib/m4/libra_sim.m4" >"$tmp/libs"
	cat "$tmp/libs"
	[ "$(wc -l <"$tmp/libs")" -ge 5 ] || return 1
	while read -r lib; do
		grep -q "depends_on(\"$lib" "$packaging/package.py" &&
			grep -qw "$lib" "$packaging/guix.scm" || return 1
	done <"$tmp/libs"
}
check "each library is in both" libraries

# Images, which make check-packages builds, and the lines that slurmctld of
# another's compose file adds.
container=$srcdir/contrib/container
stages() {
	for stage in $(sed -n 's/^COPY --from=\([a-z]*\) .*/\1/p' \
		"$container"/Containerfile*); do
		grep -q "^FROM .BASE AS $stage\$" "$container"/Containerfile* ||
			return 1
	done
	for stage in librasim demo; do
		grep -q "^FROM .BASE AS $stage\$" "$container/Containerfile" ||
			return 1
	done
	grep -qx 'contrib/demo-cluster.*' \
		"$packaging"/debian/slurm-libra.examples \
		"$packaging"/debian/slurm-libra.install
}
check "the Containerfile has both images" stages
# What is no JSON is a command for a shell instead.
entries() {
	sed -n 's/^ENTRYPOINT //p' "$container/Containerfile" >"$tmp/entries"
	[ "$(wc -l <"$tmp/entries")" -eq 2 ] &&
		python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' <"$tmp/entries"
}
if command -v python3 >/dev/null; then
	check "their commands are JSON" entries
else
	skip "their commands are JSON" "no python3"
fi
settings() {
	mkdir "$tmp/bin"
	printf '#!/bin/sh\necho "$@"\n' >"$tmp/bin/docker-entrypoint.sh"
	chmod +x "$tmp/bin/docker-entrypoint.sh"
	sed -n '/^      - |$/,/^      - slurmctld$/s/^        //p' \
		"$container/compose.override.yml" | sed 's/[$][$]/$/g' >"$tmp/start"
	printf 'ClusterName=linux\nSelectType=select/cons_tres\n' >"$tmp/conf"
	for i in 1 2; do
		SLURM_CONF=$tmp/conf PATH=$tmp/bin:$PATH sh "$tmp/start" \
			slurmctld || return 1
	done
	cat "$tmp/conf"
	[ "$(wc -l <"$tmp/conf")" -eq 4 ] &&
		grep -qx 'JobSubmitPlugins=libra' "$tmp/conf" &&
		grep -qx 'SelectType=select/cons_tres_libra' "$tmp/conf" &&
		grep -q '^SchedulerParameters=.*libra_policy=planned' "$tmp/conf"
}
check "the compose file adds three lines to slurm.conf, once" settings
if python3 -c 'import yaml' 2>/dev/null; then
	check "and is YAML" python3 -c 'import sys, yaml
services = yaml.safe_load(open(sys.argv[1]))["services"]
sys.exit(set(services) != {"slurmctld", "slurmrestd", "c1", "c2"})' \
		"$container/compose.override.yml"
else
	skip "and is YAML" "no python3 with yaml"
fi

debs=$srcdir/contrib/build-debs
check "build-debs --help" run 0 "$debs" --help
check "an option that is not known is a usage error" run 2 "$debs" --nosuch
check "an option without its value too" run 2 "$debs" --output
nowhere() {
	run 1 "$debs" --output "$tmp/none" && grep -q "no folder" "$tmp/err"
}
check "a folder that is not there is named" nowhere
finish
