/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.c - read side tables, and choose records by them.
 *
 * A table of columns has the place of each value in a row and its kind; the
 * heading of the file is matched with it once.  Lines are cut in place in the
 * buffer of input.h.  The side table owns its rows and names.
 */
#include "sim/log/side.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"

const char side_heading[] =
	"record,job,job_id,partition,qos,account,user,submit_s,arrival_s,"
	"start_s,end_s,suspended_s,state,limit_from,restart,censored,warm_up,"
	"nodes,gpus,mem_mb";

enum kind { NUMBER = 1, COUNT, FLAG, NAME, ID };

#define NAMES(field) offsetof(struct side_table, field)
#define ROW(field)   offsetof(struct side_row, field)

static const struct column {
	const char *name;
	enum kind kind;
	size_t offset, names;
} columns[] = {
	{"job", ID, ROW(job), 0},
	{"partition", NAME, ROW(partition), NAMES(partitions)},
	{"qos", NAME, ROW(qos), NAMES(qos)},
	{"account", NAME, ROW(account), NAMES(accounts)},
	{"user", NAME, ROW(user), NAMES(users)},
	{"submit_s", NUMBER, ROW(submit_s), 0},
	{"arrival_s", NUMBER, ROW(arrival_s), 0},
	{"start_s", NUMBER, ROW(start_s), 0},
	{"end_s", NUMBER, ROW(end_s), 0},
	{"suspended_s", NUMBER, ROW(suspended_s), 0},
	{"state", NAME, ROW(state), NAMES(words)},
	{"limit_from", NAME, ROW(limit_from), NAMES(words)},
	{"restart", FLAG, ROW(restart), 0},
	{"censored", FLAG, ROW(censored), 0},
	{"warm_up", FLAG, ROW(warm_up), 0},
	{"nodes", COUNT, ROW(nodes), 0},
	{"gpus", COUNT, ROW(gpus), 0},
	{"mem_mb", NUMBER, ROW(mem_mb), 0},
};

enum {
	NCOLUMNS = sizeof(columns) / sizeof(columns[0]),
	MAX_FIELDS = 64,
	MB_OF_GB = 1024,
};

/* A side table while it is read. */
struct reader {
	struct input in;
	struct side_table *table;
	size_t cap;
	const struct column *column[MAX_FIELDS]; /* NULL = passed over */
	size_t nfields;
	struct libra_error *err;
};

/* Split the first field off a line, and remove its quotes in place.
 * Result: the field; *at is after its comma, or NULL at the end of the line.
 */
static char *next_field(char **at)
{
	char *from = *at, *to = *at, *begin = *at;
	bool quoted = *from == '"';

	for (from += quoted; *from; from++) {
		if (quoted && *from == '"' && from[1] != '"') {
			quoted = false;
			continue;
		}
		if (quoted && *from == '"')
			from++;
		else if (!quoted && *from == ',')
			break;
		*to++ = *from;
	}
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return begin;
}

/* Find the known columns of the heading.  Result: -1 if there is no job. */
static int read_heading(struct reader *r)
{
	char *at, *name;
	bool any = false;
	size_t n;
	int rc = input_line(&r->in, &at, &n);

	if (rc < 0)
		return -1;
	for (; rc > 0 && at && r->nfields < MAX_FIELDS; r->nfields++) {
		name = next_field(&at);
		for (size_t i = 0; i < NCOLUMNS; i++)
			if (strcmp(columns[i].name, name) == 0) {
				r->column[r->nfields] = &columns[i];
				any |= columns[i].kind == ID;
			}
	}
	if (!any)
		return libra_errf(r->err, EINVAL,
				  "%s: no column is named job: this is not a "
				  "side table of librasim import",
				  r->in.name);
	return 0;
}

static int fail_value(struct reader *r, const struct column *c,
		      const char *text)
{
	return libra_errf(r->err, EINVAL, "%s:%zu: %s is not a number: '%.40s'",
			  r->in.name, r->in.line, c->name, text);
}

/* Set one value of a row, by the kind of its column. */
static int set_value(struct reader *r, struct side_row *row,
		     const struct column *c, const char *text)
{
	void *at = (char *)row + c->offset;
	struct names *names = (struct names *)((char *)r->table + c->names);
	char *end;
	double v;

	if (c->kind == NAME) {
		uint32_t number = names_add(names, text, strlen(text));

		memcpy(at, &number, sizeof(number));
		return number == UINT32_MAX ? sim_no_memory(r->err) : 0;
	}
	v = strtod(text, &end);
	if (*end || (c->kind != NUMBER && !(v >= 0 && v <= 1e15)) ||
	    (c->kind != NUMBER && v != (double)(int64_t)v) ||
	    (c->kind == COUNT && v > UINT32_MAX))
		return fail_value(r, c, text);
	if (c->kind == NUMBER)
		*(double *)at = v;
	else if (c->kind == COUNT)
		*(uint32_t *)at = (uint32_t)v;
	else if (c->kind == FLAG)
		*(bool *)at = v != 0;
	else
		*(int64_t *)at = (int64_t)v;
	return 0;
}

/* Add the row of a line, which has as many fields as the heading. */
static int add_row(struct reader *r, char *line)
{
	struct side_table *t = r->table;
	struct side_row *row;
	size_t i = 0;

	if (t->n == r->cap) {
		size_t cap = r->cap ? 2 * r->cap : 1024;

		row = reallocarray(t->rows, cap, sizeof(*row));
		if (!row)
			return sim_no_memory(r->err);
		t->rows = row;
		r->cap = cap;
	}
	row = &t->rows[t->n++];
	memset(row, 0, sizeof(*row));
	for (; line && i < r->nfields; i++) {
		char *text = next_field(&line);

		if (r->column[i] && set_value(r, row, r->column[i], text) < 0)
			return -1;
	}
	if (line || i < r->nfields)
		return libra_errf(r->err, EINVAL,
				  "%s:%zu: %zu fields instead of the heading's "
				  "%zu",
				  r->in.name, r->in.line, i + (line != NULL),
				  r->nfields);
	return 0;
}

int side_read(struct side_table *t, const char *path, struct libra_error *err)
{
	struct reader r = {.table = t, .err = err};
	char *line;
	size_t n;
	int rc, saved;

	memset(t, 0, sizeof(*t));
	if (input_open(&r.in, path, err) < 0)
		return -1;
	rc = read_heading(&r);
	while (rc == 0 && (rc = input_line(&r.in, &line, &n)) > 0)
		rc = n > 0 ? add_row(&r, line) : 0;
	saved = errno;
	input_close(&r.in);
	if (rc < 0)
		side_fini(t);
	errno = saved;
	return rc;
}

void side_fini(struct side_table *t)
{
	free(t->rows);
	names_fini(&t->partitions);
	names_fini(&t->qos);
	names_fini(&t->accounts);
	names_fini(&t->users);
	names_fini(&t->words);
	memset(t, 0, sizeof(*t));
}

int side_check(const struct side_table *t, const struct swf_trace *trace,
	       const char *path, struct libra_error *err)
{
	if (t->n != trace->nrecords)
		return libra_errf(err, EINVAL,
				  "%s: %zu rows, but the log has %zu records: "
				  "give the table that librasim import wrote "
				  "with this log",
				  path, t->n, trace->nrecords);
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].job != trace->records[i].number)
			return libra_errf(err, EINVAL,
					  "%s: row %zu is job %lld, but the "
					  "log's record is job %lld: give the "
					  "table that librasim import wrote "
					  "with this log",
					  path, i + 1,
					  (long long)t->rows[i].job,
					  (long long)trace->records[i].number);
	return 0;
}

/* ---- choosing records ---- */

static const char *const units[] = {
	[SIDE_CPUS] = "cpus",
	[SIDE_GPUS] = "gpus",
	[SIDE_NODES] = "nodes",
	[SIDE_MEMORY] = "memory",
};

const char *side_unit_name(enum side_unit unit)
{
	return units[unit];
}

enum side_unit side_unit_find(const char *name)
{
	for (int i = SIDE_CPUS; i <= SIDE_MEMORY; i++)
		if (strcmp(units[i], name) == 0)
			return (enum side_unit)i;
	return 0;
}

static int fail_name(const char *what, const char *name,
		     struct libra_error *err)
{
	return libra_errf(err, EINVAL, "no job of the log is in the %s '%s'",
			  what, name);
}

/* The number of a name; 0 for NULL, which means any. */
static int find_name(const struct names *names, const char *what,
		     const char *name, int64_t *number, struct libra_error *err)
{
	*number = 0;
	for (uint32_t i = 1; name && i <= names->n; i++)
		if (strcmp(names_text(names, i), name) == 0)
			*number = i;
	return name && *number == 0 ? fail_name(what, name, err) : 0;
}

/* The same for names of the log's header; -1 means any. */
static int find_header(const struct swf_names *names, const char *what,
		       const char *name, int64_t *number,
		       struct libra_error *err)
{
	*number = name ? swf_name_find(names, name) : -1;
	return name && *number < 0 ? fail_name(what, name, err) : 0;
}

/* Set the processors of a record to its amount of the unit. */
static void set_procs(struct swf_record *r, const struct side_row *row,
		      enum side_unit unit)
{
	double n = unit == SIDE_GPUS	? row->gpus
		   : unit == SIDE_NODES ? row->nodes
					: ceil(row->mem_mb / MB_OF_GB);

	if (unit == SIDE_CPUS)
		return;
	r->alloc_procs = r->req_procs =
		n > 0 && n <= INT32_MAX ? (int32_t)n : -1;
}

/* Result: the number of records that are left. */
static size_t keep(const struct side_table *t, struct swf_trace *trace,
		   int64_t p, int64_t q, enum side_unit unit)
{
	size_t n = 0;

	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct side_row *row = t ? &t->rows[i] : NULL;
		struct swf_record r = trace->records[i];

		if (row ? (p && row->partition != p) || (q && row->qos != q)
			: (p >= 0 && r.partition != p) ||
				    (q >= 0 && r.queue != q))
			continue;
		if (row) {
			set_procs(&r, row, unit);
			r.side_nodes = row->nodes;
			r.side_gpus = row->gpus;
		}
		if (unit != SIDE_CPUS && r.alloc_procs <= 0)
			continue;
		trace->records[n++] = r;
	}
	return n;
}

int side_choose(const struct side_table *t, struct swf_trace *trace,
		const char *partition, const char *qos, enum side_unit unit,
		struct libra_error *err)
{
	int64_t p, q;
	size_t n;
	int rc;

	if (!t && unit != SIDE_CPUS)
		return libra_errf(
			err, EINVAL,
			"only the side table of librasim import has the "
			"%s of jobs: give it with --side",
			units[unit]);
	rc = t ? find_name(&t->partitions, "partition", partition, &p, err)
	       : find_header(&trace->partitions, "partition", partition, &p,
			     err);
	if (rc == 0)
		rc = t ? find_name(&t->qos, "QOS", qos, &q, err)
		       : find_header(&trace->queues, "QOS", qos, &q, err);
	if (rc < 0)
		return -1;
	n = keep(t, trace, p, q, unit);
	if (n == 0)
		return libra_errf(
			err, EINVAL,
			"no job is left: none of the chosen ones has %s in "
			"the side table",
			units[unit]);
	trace->nrecords = n;
	/* The partition's own size is not known: the machine's is kept. */
	if (unit != SIDE_CPUS)
		trace->max_procs = trace->max_nodes = 0;
	return 0;
}
