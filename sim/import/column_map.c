/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_map.c - parse the lines of a map.
 *
 * A line is split into words; the first names the field, whose row in
 * import_fields decides which units and how many factors may follow.  An error
 * names the line and lists what it could have been.
 */
#include "sim/import/column_map.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/base/suggest.h"

const struct import_field_type import_fields[IMPORT_NFIELDS] = {
	{"id", IMPORT_F_TEXT, IMPORT_C_JOBIDRAW},
	{"user", IMPORT_F_TEXT, IMPORT_C_USER},
	{"account", IMPORT_F_TEXT, IMPORT_C_ACCOUNT},
	{"partition", IMPORT_F_TEXT, IMPORT_C_PARTITION},
	{"qos", IMPORT_F_TEXT, IMPORT_C_QOS},
	{"name", IMPORT_F_TEXT, IMPORT_C_JOBNAME},
	{"cluster", IMPORT_F_TEXT, IMPORT_C_CLUSTER},
	{"submit", IMPORT_F_INSTANT, IMPORT_C_SUBMIT},
	{"eligible", IMPORT_F_INSTANT, IMPORT_C_ELIGIBLE},
	{"start", IMPORT_F_INSTANT, IMPORT_C_START},
	{"end", IMPORT_F_INSTANT, IMPORT_C_END},
	{"wait", IMPORT_F_DURATION, IMPORT_C_WAIT},
	{"run", IMPORT_F_DURATION, IMPORT_C_ELAPSEDRAW},
	{"suspended", IMPORT_F_DURATION, IMPORT_C_SUSPENDED},
	{"limit", IMPORT_F_DURATION, IMPORT_C_LIMIT_S},
	{"procs", IMPORT_F_COUNT, IMPORT_C_ALLOCCPUS},
	{"requested", IMPORT_F_COUNT, IMPORT_C_REQCPUS},
	{"nodes", IMPORT_F_COUNT, IMPORT_C_NNODES},
	{"gpus", IMPORT_F_COUNT, IMPORT_C_REQTRES},
	{"memory", IMPORT_F_MEMORY, IMPORT_C_REQMEM},
	{"state", IMPORT_F_STATE, IMPORT_C_STATE},
	{"deadline", IMPORT_F_INSTANT, IMPORT_C_DEADLINE},
	{"deadline_after", IMPORT_F_DURATION, IMPORT_C_DEADLINE_AFTER},
};

/* The units of a kind; of memory, megabytes. */
static const struct unit {
	enum import_field_kind kind;
	const char *name;
	double scale;
} units[] = {
	{IMPORT_F_DURATION, "s", 1},	  {IMPORT_F_DURATION, "ms", 1e-3},
	{IMPORT_F_DURATION, "us", 1e-6},  {IMPORT_F_DURATION, "ns", 1e-9},
	{IMPORT_F_DURATION, "min", 60},	  {IMPORT_F_DURATION, "h", 3600},
	{IMPORT_F_DURATION, "d", 86400},  {IMPORT_F_INSTANT, "s", 1},
	{IMPORT_F_INSTANT, "ms", 1e-3},	  {IMPORT_F_INSTANT, "us", 1e-6},
	{IMPORT_F_INSTANT, "ns", 1e-9},	  {IMPORT_F_INSTANT, "min", 60},
	{IMPORT_F_INSTANT, "h", 3600},	  {IMPORT_F_INSTANT, "d", 86400},
	{IMPORT_F_INSTANT, "iso", 0},	  {IMPORT_F_COUNT, "percent", 1e-2},
	{IMPORT_F_COUNT, "milli", 1e-3},  {IMPORT_F_MEMORY, "B", 0x1p-20},
	{IMPORT_F_MEMORY, "KB", 0x1p-10}, {IMPORT_F_MEMORY, "MB", 1},
	{IMPORT_F_MEMORY, "GB", 0x1p10},  {IMPORT_F_MEMORY, "TB", 0x1p20},
};

/* ---- words of a line ---- */

enum { MAX_WORDS = 64 };

/* Split a line into words in place.  Quotes keep blanks in a word; # outside of
 * quotes begins a comment.
 * Result: the number of words, at most MAX_WORDS.
 */
static size_t split(char *line, char *words[MAX_WORDS])
{
	char *at = line, *to;
	size_t n = 0;

	for (; n < MAX_WORDS; n++) {
		bool quoted = false, more;

		while (isspace((unsigned char)*at))
			at++;
		if (*at == '\0' || *at == '#')
			break;
		words[n] = to = at;
		for (; *at && (quoted || !isspace((unsigned char)*at)); at++)
			if (*at == '"')
				quoted = !quoted;
			else
				*to++ = *at;
		more = *at != '\0';
		*to = '\0';
		at += more;
	}
	return n;
}

/* ---- one field ---- */

struct reader {
	struct import_map *map;
	struct input in;
};

static int fail(struct reader *r, const char *why, const char *word,
		const char *advice)
{
	return libra_errf(r->in.err, EINVAL, "%s:%zu: '%s' %s: %s", r->in.name,
			  r->in.line, word, why, advice);
}

/* Find a unit that a kind of field may have. */
static const struct unit *find_unit(enum import_field_kind kind,
				    const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].kind == kind && strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

/* Report an unknown unit, with the units that the field may have. */
static int fail_unit(struct reader *r, const struct import_field_type *type,
		     const char *word)
{
	char advice[160];
	size_t used = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].kind == type->kind)
			used += (size_t)snprintf(
				advice + used, sizeof(advice) - used, "%s%s",
				used ? ", " : "take ", units[i].name);
	if (used == 0)
		snprintf(advice, sizeof(advice),
			 "%s takes one column; write \"...\" around a name "
			 "with blanks",
			 type->name);
	return fail(r, "is no unit of this field", word, advice);
}

/* Add a column or a number to the product of a field. */
static int add_factor(struct reader *r, struct import_map_field *field,
		      const char *word)
{
	char *end;
	double number = strtod(word, &end);

	if (field->n == IMPORT_MAP_TERMS)
		return fail(r, "is one factor too many", word,
			    "a product has at most three");
	if (end > word && *end == '\0' && isfinite(number)) {
		field->factor[field->n++].number = number;
		return 0;
	}
	field->factor[field->n].column = strdup(word);
	if (!field->factor[field->n++].column)
		return sim_no_memory(r->in.err);
	return 0;
}

/* Parse WORD=STATE. */
static int add_state(struct reader *r, char *word)
{
	struct import_map *map = r->map;
	struct import_map_state *states, state;
	char *equals = strrchr(word, '=');

	if (!equals || equals == word)
		return fail(r, "is no state", word,
			    "state: COLUMN WORD=STATE..., such as "
			    "Pass=COMPLETED");
	state.state = import_state(
		(struct import_text){equals + 1, strlen(equals + 1)});
	if (state.state == IMPORT_STATE_OTHER)
		return fail(r, "ends in no state of Slurm", word,
			    "take COMPLETED, FAILED, CANCELLED, TIMEOUT, "
			    "RUNNING or PENDING");
	*equals = '\0';
	state.word = strdup(word);
	states = realloc(map->states, (map->nstates + 1) * sizeof(*states));
	map->states = states ? states : map->states;
	if (!states || !state.word) {
		free(state.word);
		return sim_no_memory(r->in.err);
	}
	map->states[map->nstates++] = state;
	return 0;
}

static bool has_products(const struct import_field_type *type)
{
	return type->kind == IMPORT_F_COUNT || type->kind == IMPORT_F_MEMORY ||
	       type->kind == IMPORT_F_DURATION;
}

static int read_unit(struct reader *r, const struct import_field_type *type,
		     struct import_map_field *field, const char *word)
{
	const struct unit *unit = find_unit(type->kind, word);

	if (!unit || field->unit)
		return fail_unit(r, type, word);
	field->unit = unit->name;
	field->scale = unit->scale;
	return 0;
}

/* Read the words after a field: columns, factors, unit or states. */
static int read_field(struct reader *r, const struct import_field_type *type,
		      struct import_map_field *field, char **words, size_t n)
{
	int rc = 0;

	field->line = r->in.line;
	field->scale = 1;
	if (n == 0)
		return fail(r, "has no column", type->name,
			    "write FIELD: COLUMN [UNIT]");
	if (has_products(type)) {
		rc = add_factor(r, field, words[0]);
	} else {
		field->n = 1;
		field->factor[0].column = strdup(words[0]);
		if (!field->factor[0].column)
			rc = sim_no_memory(r->in.err);
	}
	for (size_t i = 1; rc == 0 && i < n; i++) {
		if (type->kind == IMPORT_F_STATE)
			rc = add_state(r, words[i]);
		else if (has_products(type) && strcmp(words[i], "*") == 0 &&
			 i + 1 < n)
			rc = add_factor(r, field, words[++i]);
		else
			rc = read_unit(r, type, field, words[i]);
	}
	return rc;
}

/* Parse the date of origin; without a zone it is UTC. */
static int read_origin(struct reader *r, char **words, size_t n)
{
	struct import_clock clock = {.zoned = false};
	enum import_read read = IMPORT_NONE;
	char text[64] = "";
	bool twice;

	if (n == 1) {
		snprintf(text, sizeof(text), "%s", words[0]);
		read = import_time(&clock,
				   (struct import_text){text, strlen(text)},
				   &r->map->origin_s, &twice);
	}
	if (read == IMPORT_LOCAL) {
		snprintf(text, sizeof(text), "%sZ", words[0]);
		read = import_time(&clock,
				   (struct import_text){text, strlen(text)},
				   &r->map->origin_s, &twice);
	}
	if (read != IMPORT_OK)
		return fail(r, "is no date", n > 0 ? words[0] : "",
			    "origin: 2020-07-01 or 2020-07-01T12:00:00");
	r->map->has_origin = true;
	return 0;
}

/* ---- all lines ---- */

/* Report an unknown field, with the nearest name. */
static int fail_name(struct reader *r, const char *name)
{
	const char *nearest = sim_nearer_name(name, NULL, "origin");
	char buf[SIM_SUGGESTION_SIZE], names[256];
	size_t used = 0;

	for (size_t i = 0; i < IMPORT_NFIELDS; i++) {
		nearest = sim_nearer_name(name, nearest, import_fields[i].name);
		used += (size_t)snprintf(names + used, sizeof(names) - used,
					 "%s, ", import_fields[i].name);
	}
	return libra_errf(r->in.err, EINVAL,
			  "%s:%zu: '%s' is no field%s: a line is FIELD: COLUMN "
			  "[UNIT], the fields are %sorigin",
			  r->in.name, r->in.line, name,
			  sim_suggestion(buf, nearest, ""), names);
}

/* Read one line of the map; an empty line and a remark are no error. */
static int read_line(struct reader *r, char *line)
{
	char *words[MAX_WORDS], *name[MAX_WORDS], *colon = strchr(line, ':');
	size_t n;

	if (!colon || memchr(line, '#', (size_t)(colon - line))) {
		n = split(line, words);
		return n == 0 ? 0 : fail_name(r, words[0]);
	}
	*colon = '\0';
	if (split(line, name) != 1)
		return fail_name(r, line);
	n = split(colon + 1, words);
	if (strcmp(name[0], "origin") == 0)
		return read_origin(r, words, n);
	for (size_t i = 0; i < IMPORT_NFIELDS; i++) {
		struct import_map_field *field = &r->map->field[i];

		if (strcmp(name[0], import_fields[i].name) != 0)
			continue;
		if (field->line > 0)
			return libra_errf(r->in.err, EINVAL,
					  "%s:%zu: '%s' is already in line "
					  "%zu: leave one of them out",
					  r->in.name, r->in.line, name[0],
					  field->line);
		return read_field(r, &import_fields[i], field, words, n);
	}
	return fail_name(r, name[0]);
}

bool import_map_has(const struct import_map *map, enum import_column column)
{
	for (size_t i = 0; i < IMPORT_NFIELDS; i++)
		if (import_fields[i].column == column)
			return map->field[i].line > 0;
	return false;
}

/* A job needs a submission, a size, and how long it ran. */
static int check_fields(const struct import_map *map, struct libra_error *err)
{
	bool began = import_map_has(map, IMPORT_C_START) ||
		     import_map_has(map, IMPORT_C_WAIT);
	const char *lacks =
		!import_map_has(map, IMPORT_C_SUBMIT)	   ? "submit"
		: !import_map_has(map, IMPORT_C_ALLOCCPUS) ? "procs"
		: import_map_has(map, IMPORT_C_ELAPSEDRAW) ||
				(began && import_map_has(map, IMPORT_C_END))
			? NULL
			: "run";

	if (!lacks)
		return 0;
	return libra_errf(err, EINVAL,
			  "%s: no line is for '%s': a map has submit, procs, "
			  "and either run or start and end; write '%s: COLUMN'",
			  map->path, lacks, lacks);
}

int import_map_read(struct import_map *map, const char *path,
		    struct libra_error *err)
{
	struct reader r = {.map = map};
	char *line;
	size_t n;
	int rc, saved;

	memset(map, 0, sizeof(*map));
	map->path = strdup(path);
	if (!map->path)
		return sim_no_memory(err);
	rc = input_open(&r.in, path, err);
	if (rc < 0)
		return -1;
	while (rc == 0 && (rc = input_line(&r.in, &line, &n)) > 0)
		rc = read_line(&r, line);
	saved = errno;
	input_close(&r.in);
	errno = saved;
	return rc < 0 ? -1 : check_fields(map, err);
}

void import_map_fini(struct import_map *map)
{
	for (size_t i = 0; i < IMPORT_NFIELDS; i++)
		for (size_t k = 0; k < IMPORT_MAP_TERMS; k++)
			free(map->field[i].factor[k].column);
	for (size_t i = 0; i < map->nstates; i++)
		free(map->states[i].word);
	free(map->states);
	free(map->path);
	memset(map, 0, sizeof(*map));
}
