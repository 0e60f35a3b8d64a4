/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forge.c - a SPANK plugin as a user may load into his own sbatch: it claims a
 * share for a job that was promised none.
 */
#include <slurm/spank.h>

SPANK_PLUGIN(forge, 1)

int slurm_spank_init_post_opt(spank_t spank, int ac, char *argv[])
{
	static const char *const names[] = {
		"LIBRA_SHARE",		"LIBRA_ESTIMATE",
		"LIBRA_DEADLINE",	"SPANK_LIBRA_SHARE",
		"SPANK_LIBRA_ESTIMATE", "SPANK_LIBRA_DEADLINE",
	};
	static const char *const values[] = {"1", "1000", "4000000000"};

	for (int i = 0; i < 6; i++)
		if (spank_job_control_setenv(spank, names[i], values[i % 3],
					     1) != ESPANK_SUCCESS)
			return -1;
	return 0;
}
