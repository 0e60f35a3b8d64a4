#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# contrib/container: each image is built, on a base that debootstrap makes, and
# does what it is for.
#
# Usage: container.sh DIR
# Speaks TAP.  LIBRA_MIRROR names a package mirror.

. "$(dirname "$0")/lib.sh"
dir=${1:-${builddir:-$PWD}/container}
[ "$(id -u)" = 0 ] || skip_all "needs root: a base image is made"
tool=$(command -v buildah || command -v podman) ||
	skip_all "neither buildah nor podman is installed"
command -v debootstrap >/dev/null || skip_all "no debootstrap"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
[ -n "$suite" ] || skip_all "no Debian"
mkdir -p "$dir" || exit 1
dir=$(cd "$dir" && pwd)
cluster=$dir/test # where check() writes
"$top/contrib/slurm-chroot" make --bare -d "$dir/root" --suite "$suite" \
	${LIBRA_MIRROR:+--mirror "$LIBRA_MIRROR"} >"$dir/make.out" 2>&1 ||
	skip_all "$(tail -n 1 "$dir/make.out")"

# Images and what runs in them are this folder's alone.
tool() { # COMMAND...
	"$tool" --root "$dir/images" --runroot "$dir/run" --storage-driver vfs "$@"
}
remove_images() {
	[ "${tool##*/}" = podman ] || tool rm --all >/dev/null 2>&1
	tool rmi --all --force >/dev/null 2>&1
	rm -rf "$dir/images" "$dir/run" "$dir/context" "$dir/tree"
}
at_end=remove_images
# Layers are kept, so that the second image has the packages of the first.
image() { # NAME CONTEXT OPTION...
	local name=$1 context=$2
	shift 2
	tool build --layers --isolation chroot -t "localhost/$name" "$@" "$context"
}
# inside IMAGE COMMAND...: behind the entry point of the image
inside() {
	local name=localhost/$1 entry id
	shift
	if [ "${tool##*/}" = podman ]; then
		tool run --rm --network host "$name" "$@"
		return
	fi
	id=$(tool from "$name") || return 1
	mapfile -t entry < <(tool inspect --format \
		'{{range .OCIv1.Config.Entrypoint}}{{println .}}{{end}}' "$id" |
		sed '/^$/d')
	tool run --isolation chroot "$id" -- "${entry[@]}" "$@"
}

base() {
	mkdir -p "$dir/context" && cat >"$dir/context/Containerfile" <<-END &&
		FROM scratch
		ADD root.tar /
	END
		tar -C "$dir/root" -cf "$dir/context/root.tar" . &&
		image base "$dir/context" && rm -r "$dir/context"
}
check "a base image of Debian $suite" base
copy_tree "$dir/tree" || exit 1
ours="-f $dir/tree/contrib/container/Containerfile --build-arg BASE=localhost/base"
# shellcheck disable=SC2086
check "the simulator's image is built" image librasim "$dir/tree" $ours \
	--target librasim
simulates() {
	inside librasim gen -n 20 >"$dir/log.swf" && cat "$dir/log.swf" &&
		[ "$(grep -vc '^;' "$dir/log.swf")" -eq 20 ]
}
check "librasim runs in it" simulates
# shellcheck disable=SC2086
check "the demo's image is built" image demo "$dir/tree" $ours
promises() {
	# Its daemons may outlive the command where processes are not isolated.
	inside demo sh -c "sbatch --time=10 --deadline=now+30minutes -n 4 \
		--wrap='sleep 60'; /usr/share/slurm-libra/demo-cluster stop" \
		>"$dir/demo.out" 2>&1
	cat "$dir/demo.out"
	grep -q 'libra: accepted: 4 processors' "$dir/demo.out"
}
check "its cluster makes a promise" promises

# Another image with Slurm, as those of compose files are.
plugins() {
	mkdir -p "$dir/context" && cat >"$dir/context/Containerfile" <<-END &&
		FROM localhost/base
		RUN apt-get update && apt-get install -y --no-install-recommends \
			libslurm-dev slurm-client slurmctld
	END
		image slurm "$dir/context" &&
		"$top/contrib/get-slurm-src" --tar-only "$dir/tree/slurm/slurm-source" &&
		tar -C "$dir/tree/slurm" -cJf "$dir/tree/slurm.tar.xz" slurm-source &&
		image plugins "$dir/tree" \
			-f "$dir/tree/contrib/container/Containerfile.plugins" \
			--build-arg BASE=localhost/slurm \
			--build-arg SLURM_SOURCE=slurm.tar.xz
}
check "the plugins on top of an image with Slurm" plugins
check "lie where Slurm looks" inside plugins sh -c \
	'ls /usr/lib/*/slurm*/select_cons_tres_libra.so && libra --version'
finish
