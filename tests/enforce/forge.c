/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forge.c - a SPANK plugin as a user may load into his own sbatch: it claims a
 * share for a job that was promised none.
 */
#include <stdio.h>

#include <slurm/spank.h>

SPANK_PLUGIN(forge, 1)

int slurm_spank_init_post_opt(spank_t spank, int ac, char *argv[])
{
	static const char *const forged[][2] = {
		{"SHARE", "1"},
		{"ESTIMATE", "1000"},
		{"DEADLINE", "4000000000"},
		{"RULE", "deadline"},
	};
	char name[64];

	for (int i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "%sLIBRA_%s",
			 i < 4 ? "" : "SPANK_", forged[i % 4][0]);
		if (spank_job_control_setenv(spank, name, forged[i % 4][1],
					     1) != ESPANK_SUCCESS)
			return -1;
	}
	return 0;
}
