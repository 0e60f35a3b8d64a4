/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print.c - see print.h.
 */
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "plugin/base/units.h"
#include "plugin/cli/cli.h"
#include "plugin/cli/print.h"

void cli_no_memory(void)
{
	fputs("libra: out of memory\n", stderr);
	exit(CLI_FAILED);
}

static void *json_memory(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		cli_no_memory();
	return memory;
}

/* Make the heap of large pages, and keep freed memory in it.  slurmctld's reply
 * and the answer to it take tens of megabytes, and faults for small pages half
 * of the time.
 */
static void begin_heap(void)
{
#ifdef MADV_HUGEPAGE
	const size_t page = (size_t)2 << 20, n = 32 * page;
	char *heap;

	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	heap = malloc(n);
	if (heap) /* only a hint */
		madvise(heap + page - (uintptr_t)heap % page, n - page,
			MADV_HUGEPAGE);
	free(heap);
#endif
}

void cli_memory_begin(void)
{
	json_set_alloc_funcs(json_memory, free);
	begin_heap();
}

void cli_clock_text(double at_s, double now_s, char text[32])
{
	libra_host_clock_text(at_s, now_s, now_s, text);
}

/* Return how far the last zone of a text is east of UTC, in seconds. */
static long zone_of(const char *text)
{
	const char *zone = NULL;
	struct tm tm = {0};

	while ((text = strstr(text, "UTC")))
		zone = text += 3;
	return zone && strptime(zone, "%z", &tm) ? tm.tm_gmtoff : 0;
}

double cli_instant_after(const char *line, const char *word, double now_s,
			 double before_s)
{
	const char *at = strstr(line, word);
	struct tm tm = {.tm_isdst = -1};
	long zone_s;
	time_t day;
	double at_s;

	if (!at)
		return before_s;
	at += strlen(word);
	if (strptime(at, "%Y-%m-%dT%H:%M:%S%z", &tm)) {
		zone_s = tm.tm_gmtoff; /* timegm() sets it to 0 */
		return (double)(timegm(&tm) - zone_s);
	}
	zone_s = zone_of(at);
	if (strptime(at, "%Y-%m-%d %H:%M:%S", &tm))
		return (double)(timegm(&tm) - zone_s);
	day = (time_t)now_s + zone_s;
	if (!gmtime_r(&day, &tm) || !strptime(at, "%H:%M:%S", &tm))
		return before_s;
	at_s = (double)(timegm(&tm) - zone_s);
	return at_s < now_s - 43200 ? at_s + 86400 : at_s;
}

void cli_print_cut(const char *text, size_t len, int width, FILE *out)
{
	if (len <= (size_t)width)
		fprintf(out, "%-*.*s ", width, (int)len, text);
	else
		fprintf(out, "%.*s+ ", width - 1, text);
}

void cli_short_clock(double at_s, double now_s, char text[32])
{
	char clock[32];

	cli_clock_text(floor(at_s), now_s, clock);
	if (strlen(clock) < strlen("2026-11-22 23:21:15"))
		snprintf(text, 32, "%.5s", clock);
	else if (fabs(at_s - now_s) < 300 * 86400.)
		snprintf(text, 32, "%.11s", clock + strlen("2026-"));
	else
		snprintf(text, 32, "%.10s", clock);
}

bool cli_in_turn(const char *name)
{
	const struct libra_policy_type *policy = libra_policy_find(name, NULL);

	return policy && (policy->mode == LIBRA_GANG || policy->ranked);
}

json_t *cli_json_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* "2026-11-20T17:40:03+01:00", or null.  No other form of an offset is read by
 * all programs.
 */
static json_t *json_clock(double at_s)
{
	char text[40];
	time_t t;
	struct tm tm;
	size_t n;

	if (!(fabs(at_s) < 1e15))
		return json_null();
	t = (time_t)ceil(at_s);
	if (!localtime_r(&t, &tm))
		return json_null();
	n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &tm);
	memmove(text + n - 1, text + n - 2, 3);
	text[n - 2] = ':';
	return json_string(text);
}

void cli_json_time(json_t *object, const char *name, double at_s)
{
	char seconds[64];

	snprintf(seconds, sizeof(seconds), "%s_s", name);
	json_object_set_new(object, seconds, cli_json_number(at_s));
	json_object_set_new(object, name, json_clock(at_s));
}

void cli_json_times(json_t *object, const char *name, json_t *list)
{
	char seconds[64];
	json_t *texts = json_array();
	const json_t *at;
	size_t i;

	json_array_foreach(list, i, at)
		json_array_append_new(texts, json_clock(json_number_value(at)));
	snprintf(seconds, sizeof(seconds), "%s_s", name);
	json_object_set_new(object, seconds, list);
	json_object_set_new(object, name, texts);
}

static void add(json_t **list, const struct cli_output *o, const char *text)
{
	if (!*list)
		*list = json_array();
	json_array_append_new(*list, json_pack("{s:s, s:s}", "description",
					       text, "source", o->name));
}

void cli_error(struct cli_output *o, const char *text)
{
	add(&o->errors, o, text);
}

void cli_warning(struct cli_output *o, const char *text)
{
	add(&o->warnings, o, text);
}

static json_t *json_meta(const struct cli_output *o,
			 const struct cli_cluster *cluster)
{
	const char *command = strchr(o->name, ' ');

	return json_pack("{s:[s, s], s:{s:s}, s:{s:s?, s:s?}}", "command",
			 "libra", command ? command + 1 : "", "slurm_libra",
			 "release", LIBRA_VERSION, "slurm", "release",
			 cluster->slurm_release, "cluster", cluster->name);
}

/* Most pieces are a few bytes, which fwrite() handles slowly. */
static int write_piece(const char *text, size_t len, void *out)
{
	for (size_t i = 0; i < len; i++)
		if (putc_unlocked(text[i], out) == EOF)
			return -1;
	return 0;
}

static int print_envelope(struct cli_output *o,
			  const struct cli_cluster *cluster)
{
	json_t *all =
		json_pack("{s:o, s:O, s:O}", "meta", json_meta(o, cluster),
			  "errors", o->errors, "warnings", o->warnings);

	if (o->data)
		json_object_update(all, o->data);
	json_dump_callback(all, write_piece, o->out,
			   JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	fputc('\n', o->out);
	json_decref(all);
	return ferror(o->out) || fflush(o->out) ? CLI_FAILED : CLI_DONE;
}

bool cli_for_programs(const struct cli_output *o)
{
	return o->json || o->parsable;
}

/* A value between '|'; nothing stands for null, as in Slurm's commands. */
static void print_value(const json_t *value, FILE *out)
{
	const json_t *element;
	size_t i;

	if (json_is_string(value))
		fputs(json_string_value(value), out);
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "yes" : "no", out);
	else if (json_is_integer(value))
		fprintf(out, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.10g", json_real_value(value));
	json_array_foreach(value, i, element)
	{
		if (i > 0)
			fputc(',', out);
		print_value(element, out);
	}
}

static void print_row(const json_t *row, const char *columns, FILE *out)
{
	char name[32];

	for (;;) {
		size_t n = strcspn(columns, ",");

		snprintf(name, sizeof(name), "%.*s", (int)n, columns);
		if (row)
			print_value(json_object_get(row, name), out);
		else
			fputs(name, out);
		if (!columns[n])
			break;
		fputc('|', out);
		columns += n + 1;
	}
	fputc('\n', out);
}

static void print_rows(const struct cli_output *o)
{
	const json_t *row;
	size_t i;

	json_array_foreach(o->warnings, i, row)
		fprintf(stderr, "%s: warning: %s\n", o->name,
			cli_json_text(row, "description"));
	if (!o->no_header)
		print_row(NULL, o->columns, o->out);
	json_array_foreach(o->rows, i, row) print_row(row, o->columns, o->out);
}

int cli_finish(struct cli_output *o, const struct cli_cluster *cluster,
	       int status)
{
	int printed = CLI_DONE;

	if (!o->errors)
		o->errors = json_array();
	if (!o->warnings)
		o->warnings = json_array();
	if (o->json)
		printed = print_envelope(o, cluster);
	else if (o->rows)
		print_rows(o);
	json_decref(o->data);
	json_decref(o->rows);
	json_decref(o->errors);
	json_decref(o->warnings);
	o->data = o->rows = o->errors = o->warnings = NULL;
	return printed == CLI_DONE ? status : printed;
}

double cli_json_double(const json_t *line, const char *name)
{
	const json_t *v = json_object_get(line, name);

	return json_is_number(v) ? json_number_value(v) : INFINITY;
}

const char *cli_json_text(const json_t *line, const char *name)
{
	const char *text = json_string_value(json_object_get(line, name));

	return text ? text : "";
}
