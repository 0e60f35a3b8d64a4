/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policies.c - the choice of policies, and assignments to parameters. */
#include "sim/run/policies.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/suggest.h"

/* Add a policy with the defaults of its parameters. */
static int add_policy(struct sim_policies *policies, const char *name,
		      struct libra_error *err)
{
	const struct libra_policy_type *type = libra_policy_find(name, err);
	struct sim_policy *list, *added;

	if (!type)
		return -1;
	for (size_t i = 0; i < policies->n; i++)
		if (policies->list[i].type == type)
			return libra_errf(err, EINVAL,
					  "policy '%s' is named twice", name);
	list = realloc(policies->list, (policies->n + 1) * sizeof(*list));
	if (!list)
		return sim_no_memory(err);
	policies->list = list;
	added = &list[policies->n];
	added->type = type;
	added->params = calloc(type->nparams + 1, sizeof(*added->params));
	if (!added->params)
		return sim_no_memory(err);
	for (size_t i = 0; i < type->nparams; i++)
		added->params[i] = type->params[i].value;
	policies->n++;
	return 0;
}

int sim_policies_add(struct sim_policies *policies, const char *names,
		     struct libra_error *err)
{
	char *copy = strdup(names), *rest = copy, *name;
	int rc = 0;

	if (!copy)
		return sim_no_memory(err);
	while (rc == 0 && (name = strsep(&rest, ",")))
		rc = add_policy(policies, name, err);
	free(copy);
	return rc;
}

static bool is_chosen(const struct sim_policies *policies, const char *name)
{
	for (size_t i = 0; i < policies->n; i++)
		if (strcmp(policies->list[i].type->name, name) == 0)
			return true;
	return false;
}

/* Set a parameter of the policies that have it.
 * Result: how many have it, or -1.
 */
static int set_where_known(struct sim_policies *policies, const char *policy,
			   const char *name, const char *value,
			   struct libra_error *err)
{
	int known = 0;

	for (size_t i = 0; i < policies->n; i++) {
		const struct libra_policy_type *type = policies->list[i].type;
		int k;

		if (policy && strcmp(policy, type->name) != 0)
			continue;
		k = libra_param_find(type->params, type->nparams, name, NULL);
		if (k < 0)
			continue;
		known++;
		if (libra_param_parse(&type->params[k], value,
				      &policies->list[i].params[k], err) < 0)
			return -1;
	}
	return known;
}

/* Report an unknown parameter, with the nearest name. */
static int unknown_param(const struct sim_policies *policies, const char *name,
			 struct libra_error *err)
{
	char suggestion[SIM_SUGGESTION_SIZE];
	const char *near = NULL;

	for (size_t i = 0; i < policies->n; i++) {
		const struct libra_policy_type *type = policies->list[i].type;

		for (size_t k = 0; k < type->nparams; k++)
			near = sim_nearer_name(name, near,
					       type->params[k].name);
	}
	return libra_errf(err, ENOENT,
			  "no chosen policy has the parameter '%s'%s", name,
			  sim_suggestion(suggestion, near, ""));
}

int sim_policies_set(struct sim_policies *policies, const char *assignment,
		     struct libra_error *err)
{
	char *copy = strdup(assignment), *value, *name, *dot, *policy = NULL;
	int known;

	if (!copy)
		return sim_no_memory(err);
	value = strchr(copy, '=');
	if (!value || value == copy) {
		free(copy);
		return libra_errf(err, EINVAL,
				  "--set takes PARAM=VALUE, not '%s'",
				  assignment);
	}
	*value++ = '\0';
	name = copy;
	dot = strchr(copy, '.');
	if (dot) {
		*dot = '\0';
		policy = copy;
		name = dot + 1;
	}
	known = policy && !is_chosen(policies, policy)
			? libra_errf(err, ENOENT,
				     "--set %s: policy '%s' is not chosen",
				     assignment, policy)
			: set_where_known(policies, policy, name, value, err);
	if (known == 0)
		known = unknown_param(policies, name, err);
	free(copy);
	return known < 0 ? -1 : 0;
}

void sim_policies_fini(struct sim_policies *policies)
{
	for (size_t i = 0; i < policies->n; i++)
		free(policies->list[i].params);
	free(policies->list);
	memset(policies, 0, sizeof(*policies));
}
