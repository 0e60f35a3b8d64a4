#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The select plugin is compiled with a config.h of our own in place of the one
# that Slurm's configure writes: where there is that one, both give the same
# structures.
# shellcheck source=tests/tap.sh
. "${srcdir:-.}/tests/tap.sh"

slurm_src=$(sed -n 's/^SLURM_SRC = //p' "$builddir/Makefile")
[ -n "$slurm_src" ] || {
	echo "1..0 # SKIP no source of Slurm was configured"
	exit 0
}
[ -e "$slurm_src/config.h" ] || {
	echo "1..0 # SKIP that source of Slurm was not configured itself"
	exit 0
}

{
	sed -n '/^#define LIBRA_SLURM_INTERNAL/p; /^#include "src/p' \
		"$srcdir/plugin/select/select_cons_tres_libra.c"
	cat <<'C'
#include <stddef.h>
#include <stdio.h>
#include "plugin/base/compat.h"

#define SIZE(type) printf("%s %zu\n", #type, sizeof(type))
#define AT(type, field) printf("%s.%s %zu\n", #type, #field, \
			       offsetof(type, field))

int main(void)
{
	SIZE(job_record_t);
	AT(job_record_t, admin_comment);
	AT(job_record_t, array_recs);
	AT(job_record_t, details);
	AT(job_record_t, job_resrcs);
	AT(job_record_t, node_bitmap);
	AT(job_record_t, spank_job_env);
	AT(job_record_t, time_limit);
	AT(job_record_t, time_min);
	SIZE(*((job_record_t *)0)->details);
	SIZE(job_resources_t);
	AT(job_resources_t, core_bitmap);
	SIZE(node_record_t);
	AT(node_record_t, node_state);
	AT(node_record_t, tot_cores);
	SIZE(part_record_t);
	AT(part_record_t, max_share);
	AT(part_record_t, node_bitmap);
	SIZE(slurm_conf_t);
	AT(slurm_conf_t, sched_params);
	SIZE(slurmctld_resv_t);
	AT(slurmctld_resv_t, node_bitmap);
	SIZE(LIBRA_EXC_STORE);
	return 0;
}
C
} >"$tmp/sizes.c"
# sizes NAME INCLUDE...: those with the config.h of the first include
sizes() {
	name=$1
	shift
	# Options are lists of words.
	# shellcheck disable=SC2086
	$CC $TEST_CPPFLAGS "$@" -I"$srcdir" -isystem "$slurm_src" -w \
		-o "$tmp/$name" "$tmp/sizes.c" && "$tmp/$name" >"$tmp/$name.out"
}
check "it compiles with the stub" sizes stub -I"$builddir/plugin/stub"
check "and with Slurm's own" sizes own -I"$slurm_src"
check "structures are the same" diff "$tmp/own.out" "$tmp/stub.out"
some() {
	test "$(wc -l <"$tmp/own.out")" -gt 20
}
check "and there are some" some
finish
