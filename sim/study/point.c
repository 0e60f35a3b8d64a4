/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point.c - order and fingerprint of points.
 *
 * The fingerprint is the beginning of a SHA-256 over the names and exact values
 * of all numbers, and over the version and the log.
 */
#include "sim/study/point.h"

#include <inttypes.h>
#include <sha2.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/version.h"
#include "sim/output/text.h"

static double param_value(const struct sim_point *p, size_t i)
{
	return p->params ? p->params[i] : p->policy->params[i].value;
}

int sim_point_compare(const struct sim_point *a, const struct sim_point *b)
{
	int c = sim_scenario_compare(&a->scenario, &b->scenario);

	if (c == 0)
		c = strcmp(a->policy->name, b->policy->name);
	for (size_t i = 0; c == 0 && i < a->policy->nparams; i++) {
		double x = param_value(a, i), y = param_value(b, i);

		c = (x > y) - (x < y);
	}
	return c;
}

static void hash_text(SHA2_CTX *ctx, const char *name, const char *value)
{
	SHA256Update(ctx, (const uint8_t *)name, strlen(name) + 1);
	SHA256Update(ctx, (const uint8_t *)value, strlen(value) + 1);
}

static void hash_number(SHA2_CTX *ctx, const char *name, double value)
{
	char text[OUT_NUMBER_SIZE];

	hash_text(ctx, name, out_number(text, value));
}

static void hash_whole(SHA2_CTX *ctx, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	hash_text(ctx, name, text);
}

void sim_point_key(const struct sim_point *point, const char *sha256,
		   char key[SIM_POINT_KEY_SIZE])
{
	const struct sim_scenario *sc = &point->scenario;
	uint64_t whole[SIM_SCENARIO_NWHOLE];
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	hash_text(&ctx, "version", sim_version());
	hash_text(&ctx, "trace", sha256);
	hash_text(&ctx, "policy", point->policy->name);
	for (size_t i = 0; i < point->policy->nparams; i++)
		hash_number(&ctx, point->policy->params[i].name,
			    param_value(point, i));
	for (size_t i = 0; i < sim_scenario_nfields; i++)
		hash_number(&ctx, sim_scenario_fields[i].name,
			    sim_scenario_value(sc, i));
	sim_scenario_whole(sc, whole);
	for (size_t i = 0; i < SIM_SCENARIO_NWHOLE; i++)
		hash_whole(&ctx, sim_scenario_whole_names[i], whole[i]);
	if (sc->correct > 0)
		hash_number(&ctx, "correct", sc->correct);
	if (sc->ordinary_pct >= 0)
		hash_number(&ctx, "ordinary", sc->ordinary_pct);
	SHA256Final(digest, &ctx);
	for (size_t i = 0; i < SIM_POINT_KEY_SIZE / 2; i++)
		sprintf(&key[2 * i], "%02x", digest[i]);
}
