/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_records.c - what slurmctld and nodes read: records, settings, history,
 * places.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/history.h"
#include "plugin/base/conf.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/base/units.h"
#include "plugin/spank/record.h"
#include "plugin/state/kept_text.h"
#include "tests/fuzz/fuzz.h"

static void walk_parts(const struct libra_promise *p)
{
	struct libra_promise_at at = {0};
	struct libra_promise_part part;
	struct libra_promise task;
	size_t task_at = 0, n = 0;

	while (libra_promise_part(p, &at, &part))
		FUZZ_CHECK(++n <= p->on.len);
	for (n = 0; libra_promise_task(p, &task_at, &task);)
		FUZZ_CHECK(++n <= p->on.len + 1);
}

void fuzz_promise(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *first, *second;
	struct libra_promise p, again;

	if (libra_admin_comment_parse(text, &p) == 0) {
		walk_parts(&p);
		first = libra_admin_comment_format(&p);
		FUZZ_CHECK(first);
		FUZZ_CHECK(libra_admin_comment_parse(first, &again) == 0);
		FUZZ_CHECK(p.epoch == again.epoch && p.offer == again.offer);
		FUZZ_CHECK(p.nprocs == again.nprocs && p.tasks == again.tasks);
		FUZZ_CHECK(p.deadline_s == again.deadline_s);
		FUZZ_CHECK(p.lost == again.lost);
		FUZZ_CHECK(p.on.len == again.on.len);
		second = libra_admin_comment_format(&again);
		FUZZ_CHECK(second && strcmp(first, second) == 0);
		free(first);
		free(second);
	}
	free(text);
}

static void count_report(void *arg, const char *text)
{
	FUZZ_CHECK(text && *text);
	++*(size_t *)arg;
}

void fuzz_settings(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct libra_host_conf conf;
	size_t reports = 0;
	double duration_s;
	bool limited;

	if (libra_host_conf_init(&conf, text, count_report, &reports) == 0) {
		FUZZ_CHECK(conf.policy);
		FUZZ_CHECK(conf.offer_ttl_s >= 1);
		FUZZ_CHECK(libra_host_conf_same_engine(&conf, &conf));
		libra_host_conf_manages(&conf, "main");
		libra_host_conf_fini(&conf);
	}
	if (libra_host_parse_duration(text, &duration_s) == 0)
		FUZZ_CHECK(duration_s >= 0);
	FUZZ_CHECK(libra_host_array_tasks(text, 1000, &limited) <= 1001);
	libra_host_array_last(text);
	FUZZ_CHECK(libra_host_nodes_named(text, 1000) <= 1001);
	free(text);
}

void fuzz_spank(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	char first[SPANK_RECORD_SIZE], second[SPANK_RECORD_SIZE];
	uint64_t cores[SPANK_CORE_WORDS];
	struct spank_change change;
	struct spank_job job, again;
	const char *at = text;

	if (spank_record_parse(text, &job) == 0) {
		FUZZ_CHECK(spank_record_format(&job, first, sizeof(first)) ==
			   0);
		FUZZ_CHECK(spank_record_parse(first, &again) == 0);
		FUZZ_CHECK(spank_record_format(&again, second,
					       sizeof(second)) == 0);
		FUZZ_CHECK(strcmp(first, second) == 0);
		FUZZ_CHECK(memcmp(job.cores, again.cores, sizeof(job.cores)) ==
			   0);
	}
	while (at && (at = spank_change_next(at, &change)))
		FUZZ_CHECK(at <= text + size);
	if (spank_read_cores(text, cores) == 0)
		for (int i = 0; i < SPANK_CORE_WORDS; i++)
			FUZZ_CHECK(cores[i] == 0);
	free(text);
}

void fuzz_history(const uint8_t *data, size_t size)
{
	struct libra_history_conf conf = libra_history_usual(0.9);
	struct libra_history *h = libra_history_create(&conf, NULL);
	struct libra_error err = {0};
	char *first, *second;
	size_t n;

	FUZZ_CHECK(h);
	if (libra_history_load(h, (const char *)data, size, &err) == 0) {
		n = libra_history_save(h, NULL, 0);
		first = malloc(n + 1);
		second = malloc(n + 1);
		FUZZ_CHECK(first && second);
		FUZZ_CHECK(libra_history_save(h, first, n + 1) == n);
		FUZZ_CHECK(libra_history_load(h, first, n, &err) == 0);
		FUZZ_CHECK(libra_history_save(h, second, n + 1) == n);
		FUZZ_CHECK(memcmp(first, second, n) == 0);
		free(first);
		free(second);
	} else {
		FUZZ_CHECK(*err.text);
	}
	libra_history_destroy(h);
}

static void write_kept(struct host_text *out, const struct host_kept *kept)
{
	host_text_empty(out);
	host_kept_add_first(out, kept->resources, kept->nresources);
	for (uint32_t i = 0; i < kept->nplaces; i++) {
		const struct host_kept_place *p = &kept->places[i];

		FUZZ_CHECK(p->job_id && p->nparts && p->limit_s > 0);
		host_kept_add_head(out, p->job_id, p->since_s, p->until_s);
		host_kept_add_rest(out, p, kept->nresources);
	}
	host_kept_add_end(out, kept->nplaces);
	FUZZ_CHECK(!out->cut);
}

void fuzz_kept(const uint8_t *data, size_t size)
{
	struct host_text first = {0}, second = {0};
	struct host_kept kept, again;

	if (host_kept_read(&kept, (const char *)data, size) < 0) {
		FUZZ_CHECK(errno == EBADMSG);
		return;
	}
	write_kept(&first, &kept);
	FUZZ_CHECK(host_kept_read(&again, first.text, first.len) == 0);
	write_kept(&second, &again);
	FUZZ_CHECK(first.len == second.len);
	FUZZ_CHECK(memcmp(first.text, second.text, first.len) == 0);
	host_kept_fini(&kept);
	host_kept_fini(&again);
	host_text_fini(&first);
	host_text_fini(&second);
}
