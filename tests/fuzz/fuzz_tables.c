/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_tables.c - files that librasim reads: logs, tables, sweeps, models.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/import/import.h"
#include "sim/import/write.h"
#include "sim/log/side.h"
#include "sim/log/swf.h"
#include "sim/model/model_file.h"
#include "sim/output/table_file.h"
#include "sim/site/scenarios.h"
#include "sim/study/sweep.h"
#include "sim/workload/capacity.h"
#include "sim/workload/jobs_in.h"
#include "sim/workload/workload.h"
#include "tests/fuzz/fuzz.h"

void fuzz_swf(const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct swf_trace trace = {0};
	struct sim_scenario sc;
	struct sim_workload w;

	if (swf_read(&trace, fuzz_path(data, size), &err) < 0) {
		FUZZ_CHECK(*err.text);
		return;
	}
	sim_scenario_init(&sc);
	if (trace.nrecords < 1000 &&
	    sim_workload_make(&w, &trace, &sc, &err) == 0) {
		FUZZ_CHECK(w.njobs > 0 && w.procs > 0);
		for (size_t i = 1; i < w.njobs; i++)
			FUZZ_CHECK(w.jobs[i - 1].job.submit_s <=
				   w.jobs[i].job.submit_s);
		sim_workload_fini(&w);
	}
	swf_fini(&trace);
}

/* Three jobs, whose deadlines and estimates a table may set. */
void fuzz_jobs_in(const uint8_t *data, size_t size)
{
	struct swf_record records[3];
	struct swf_trace trace = {
		.records = records, .nrecords = 3, .max_procs = 8};
	struct libra_error err = {0};
	struct sim_scenario sc;
	struct sim_workload w;

	memset(records, 0, sizeof(records));
	for (int i = 0; i < 3; i++)
		records[i] = (struct swf_record){.number = i + 1,
						 .submit_s = 10 * i,
						 .run_s = 60,
						 .request_s = 120,
						 .alloc_procs = 2,
						 .req_procs = 2,
						 .user = 1};
	sim_scenario_init(&sc);
	FUZZ_CHECK(sim_workload_make(&w, &trace, &sc, &err) == 0);
	if (sim_jobs_in_read(&w, fuzz_path(data, size), &err) < 0)
		FUZZ_CHECK(*err.text);
	sim_workload_fini(&w);
}

void fuzz_rows(const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct table_file f;

	if (table_file_read(&f, fuzz_path(data, size), "policy", &err) < 0) {
		FUZZ_CHECK(*err.text);
		return;
	}
	for (size_t i = 0; i < f.nrows; i++)
		FUZZ_CHECK(table_row_text(&f.rows[i], "policy"));
	table_file_fini(&f);
}

void fuzz_sweep(const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct sweep s;

	if (sweep_read(&s, fuzz_path(data, size), &err) < 0)
		FUZZ_CHECK(*err.text);
	sweep_fini(&s);
}

static void write_model(const struct model set[MODEL_NSERIES + 1], char **text,
			size_t *size)
{
	struct model_fit fits[MODEL_NSERIES];
	size_t n = 0;
	FILE *fp;

	memset(fits, 0, sizeof(fits));
	for (int i = 1; i <= MODEL_NSERIES; i++) {
		if (!set[i].type)
			continue;
		fits[n].series = i;
		fits[n].fit.model = set[i];
		fits[n].fit.method = FIT_ML;
		fits[n++].best = true;
	}
	fp = open_memstream(text, size);
	FUZZ_CHECK(fp);
	model_file_write(fp, "log", "0", 1, fits, n);
	FUZZ_CHECK(fclose(fp) == 0);
}

void fuzz_model(const uint8_t *data, size_t size)
{
	struct model set[MODEL_NSERIES + 1], again[MODEL_NSERIES + 1];
	struct libra_error err = {0};
	size_t n;
	char *text;

	memset(set, 0, sizeof(set));
	memset(again, 0, sizeof(again));
	if (model_file_read(fuzz_path(data, size), set, &err) < 0) {
		FUZZ_CHECK(*err.text);
		return;
	}
	write_model(set, &text, &n);
	FUZZ_CHECK(model_file_read(fuzz_path((uint8_t *)text, n), again,
				   &err) == 0);
	for (int i = 1; i <= MODEL_NSERIES; i++)
		FUZZ_CHECK(set[i].type == again[i].type &&
			   memcmp(set[i].p, again[i].p, sizeof(set[i].p)) == 0);
	free(text);
}

/* Read a log, and count what is in it. */
static void import_one(const struct import_options *options,
		       const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct import im;
	uint64_t procs;

	if (import_init(&im, options, &err) < 0)
		return;
	if (import_read(&im, fuzz_path(data, size), &err) < 0)
		FUZZ_CHECK(*err.text);
	else if (import_finish(&im, &err) < 0)
		FUZZ_CHECK(*err.text);
	else if (import_peak(&im, &procs, &err) == 0)
		import_summary(&im, fuzz_sink());
	import_fini(&im);
}

void fuzz_import(const uint8_t *data, size_t size)
{
	import_one(&(struct import_options){.zone = "UTC"}, data, size);
}

/* A map, a line of ---, and a trace. */
void fuzz_csv(const uint8_t *data, size_t size)
{
	static const char between[] = "\n---\n";
	const uint8_t *end = memmem(data, size, between, sizeof(between) - 1);
	size_t n = end ? (size_t)(end - data) : size;
	size_t behind = end ? n + sizeof(between) - 1 : size;
	struct libra_error err = {0};
	struct import_map map;

	if (import_map_read(&map, fuzz_path(data, n), &err) < 0)
		FUZZ_CHECK(*err.text);
	else
		import_one(&(struct import_options){.zone = "UTC",
						    .format = IMPORT_CSV,
						    .map = &map},
			   data + behind, size - behind);
	import_map_fini(&map);
}

void fuzz_side(const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct side_table t;

	if (side_read(&t, fuzz_path(data, size), &err) < 0)
		FUZZ_CHECK(*err.text);
	else
		side_fini(&t);
}

void fuzz_capacity(const uint8_t *data, size_t size)
{
	const struct sim_capacity_conf conf = {.procs = 64,
					       .node_procs = 4,
					       .unix_start = 1000000000,
					       .factor = 1};
	struct libra_error err = {0};
	struct sim_capacity c;
	uint64_t sum = 0;

	if (sim_capacity_read(&c, fuzz_path(data, size), &conf, &err) < 0) {
		FUZZ_CHECK(*err.text);
		return;
	}
	for (uint32_t i = 0; i < c.nparts; i++)
		sum += c.part_procs[i];
	FUZZ_CHECK(sum == 64);
	for (size_t i = 1; i < c.nchanges; i++)
		FUZZ_CHECK(c.changes[i - 1].at_s <= c.changes[i].at_s);
	sim_capacity_fini(&c);
}

void fuzz_plan(const uint8_t *data, size_t size)
{
	struct libra_error err = {0};
	struct plan plan = {0};

	if (plan_read(&plan, fuzz_path(data, size), false, &err) < 0)
		FUZZ_CHECK(*err.text);
	else
		FUZZ_CHECK(plan.n >= 1);
	plan_fini(&plan);
}
