/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy.c - the list of policies, and names. */
#include "core/policy.h"

#include <errno.h>
#include <string.h>

#include "core/policy/policies.h"

const struct libra_policy_type *const libra_policies[] = {
	&libra_policy_libra,	     &libra_policy_librarisk,
	&libra_policy_edf,	     &libra_policy_fcfs,
	&libra_policy_easy,	     &libra_policy_easy_sjbf,
	&libra_policy_conservative,  &libra_policy_fcfs_bf,
	&libra_policy_edf_bf,	     &libra_policy_firstreward,
	&libra_policy_demand,	     &libra_policy_band,
	&libra_policy_planned,	     &libra_policy_market_be,
	&libra_policy_market_sac,    &libra_policy_market_cac,
	&libra_policy_random_reject, NULL,
};

const struct libra_policy_type *libra_policy_find(const char *name,
						  struct libra_error *err)
{
	const char *near = NULL;

	for (size_t i = 0; libra_policies[i]; i++)
		if (strcmp(libra_policies[i]->name, name) == 0)
			return libra_policies[i];
	for (size_t i = 0; libra_policies[i]; i++) {
		const char *names[2] = {near, libra_policies[i]->name};
		const char *better = libra_nearest_name(name, names, 2);

		if (better)
			near = better;
	}
	if (near)
		libra_errf(err, ENOENT,
			   "unknown policy '%s' (did you mean '%s'?)", name,
			   near);
	else
		libra_errf(err, ENOENT, "unknown policy '%s'", name);
	return NULL;
}

const char *libra_mode_name(enum libra_mode mode)
{
	switch (mode) {
	case LIBRA_SPACE:
		return "space-shared";
	case LIBRA_SHARE:
		return "time-shared";
	case LIBRA_GANG:
		return "gang-scheduled";
	}
	return "unknown";
}
