/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.c - parse headings and fields, and delimiters within values. */
#include "sim/import/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* sacct's names of columns, old ones included. */
static const struct {
	const char *name;
	enum import_column column;
} names[] = {
	{"JobIDRaw", IMPORT_C_JOBIDRAW},
	{"JobID", IMPORT_C_JOBID},
	{"Cluster", IMPORT_C_CLUSTER},
	{"Partition", IMPORT_C_PARTITION},
	{"QOS", IMPORT_C_QOS},
	{"Account", IMPORT_C_ACCOUNT},
	{"User", IMPORT_C_USER},
	{"UID", IMPORT_C_UID},
	{"JobName", IMPORT_C_JOBNAME},
	{"Submit", IMPORT_C_SUBMIT},
	{"Eligible", IMPORT_C_ELIGIBLE},
	{"Start", IMPORT_C_START},
	{"End", IMPORT_C_END},
	{"ElapsedRaw", IMPORT_C_ELAPSEDRAW},
	{"Elapsed", IMPORT_C_ELAPSED},
	{"Suspended", IMPORT_C_SUSPENDED},
	{"TimelimitRaw", IMPORT_C_TIMELIMITRAW},
	{"Timelimit", IMPORT_C_TIMELIMIT},
	{"State", IMPORT_C_STATE},
	{"ReqCPUS", IMPORT_C_REQCPUS},
	{"AllocCPUS", IMPORT_C_ALLOCCPUS},
	{"NCPUS", IMPORT_C_ALLOCCPUS},
	{"NNodes", IMPORT_C_NNODES},
	{"AllocNodes", IMPORT_C_NNODES},
	{"ReqTRES", IMPORT_C_REQTRES},
	{"AllocTRES", IMPORT_C_ALLOCTRES},
	{"ReqMem", IMPORT_C_REQMEM},
	{"TotalCPU", IMPORT_C_TOTALCPU},
	{"Restarts", IMPORT_C_RESTARTS},
	{"AdminComment", IMPORT_C_ADMINCOMMENT},
};

/* Columns with free text of users and administrators. */
static const char *const free_texts[] = {
	"JobName",	 "SubmitLine", "Constraints", "Comment", "AdminComment",
	"SystemComment", "WorkDir",    "Extra",	      "Reason",	 "WCKey",
};

enum import_column import_column_find(struct import_text name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (import_is(name, names[i].name))
			return names[i].column;
	return IMPORT_C_OTHER;
}

static bool is_free_text(struct import_text name)
{
	for (size_t i = 0; i < sizeof(free_texts) / sizeof(free_texts[0]); i++)
		if (import_is(name, free_texts[i]))
			return true;
	return false;
}

/* Split a line into fields.  Result: their number; those beyond the room for
 * them are counted, but not kept.
 */
static size_t divide(struct import_text_reader *r, const char *line, size_t n)
{
	const char *end = line + n;
	size_t fields = 0;

	for (;;) {
		const char *stop =
			memchr(line, r->delimiter, (size_t)(end - line));

		if (fields < IMPORT_FIELDS_MAX)
			r->field[fields] = (struct import_text){
				line, (size_t)((stop ? stop : end) - line)};
		fields++;
		if (!stop)
			return fields;
		line = stop + 1;
	}
}

static struct import_text trimmed(struct import_text t)
{
	while (t.n > 0 && isspace((unsigned char)t.at[0])) {
		t.at++;
		t.n--;
	}
	while (t.n > 0 && isspace((unsigned char)t.at[t.n - 1]))
		t.n--;
	return t;
}

static void read_heading(struct import_text_reader *r, const char *line,
			 size_t n)
{
	r->n = divide(r, line, n);
	for (size_t i = 0; i < r->n && i < IMPORT_FIELDS_MAX; i++) {
		struct import_text name = trimmed(r->field[i]);

		/* sacct -o Name%30 has the width in no heading, but people
		 * write it there.
		 */
		if (memchr(name.at, '%', name.n))
			name.n = (size_t)((const char *)memchr(name.at, '%',
							       name.n) -
					  name.at);
		r->column[i] = import_column_find(name);
		r->free_text[i] = is_free_text(name);
	}
	snprintf(r->first, sizeof(r->first), "%.*s", (int)r->field[0].n,
		 r->field[0].at);
}

static bool has(const struct import_text_reader *r, enum import_column column)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->column[i] == column)
			return true;
	return false;
}

/* Result: the name of a needed column that is missing, or NULL. */
static const char *missing(const struct import_text_reader *r)
{
	if (!has(r, IMPORT_C_JOBIDRAW) && !has(r, IMPORT_C_JOBID))
		return "JobIDRaw";
	if (!has(r, IMPORT_C_SUBMIT))
		return "Submit";
	if (!has(r, IMPORT_C_START))
		return "Start";
	if (!has(r, IMPORT_C_STATE))
		return "State";
	if (!has(r, IMPORT_C_ELAPSEDRAW) && !has(r, IMPORT_C_ELAPSED) &&
	    !has(r, IMPORT_C_END))
		return "ElapsedRaw";
	if (!has(r, IMPORT_C_ALLOCCPUS) && !has(r, IMPORT_C_ALLOCTRES) &&
	    !has(r, IMPORT_C_REQCPUS))
		return "AllocCPUS";
	return NULL;
}

int import_text_begin(struct import_text_reader *r, struct input *in)
{
	const char *lacks;
	char *line;
	size_t n;
	int rc;

	do
		rc = input_line(in, &line, &n);
	while (rc > 0 && line[strspn(line, " \t")] == '\0');
	if (rc < 0)
		return -1;
	if (rc == 0)
		return libra_errf(in->err, EINVAL,
				  "%s: the log is empty: sacct without -S "
				  "begins today, without -a it has one's own "
				  "jobs; see --show-command",
				  in->name);
	r->delimiter = memchr(line, 0x1f, n)  ? 0x1f
		       : memchr(line, '|', n) ? '|'
					      : ';';
	read_heading(r, line, n);
	if (r->n > IMPORT_FIELDS_MAX)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: more than %d columns", in->name,
				  in->line, IMPORT_FIELDS_MAX);
	lacks = missing(r);
	if (lacks)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: no column is named %s: the first "
				  "line must be sacct's heading (sacct -P, "
				  "without -n); see --show-command",
				  in->name, in->line, lacks);
	return 0;
}

/* Fill the row; the field at has swallowed the extra delimiters. */
static void fill_row(const struct import_text_reader *r, struct import_row *row,
		     size_t at, size_t extra)
{
	for (size_t i = 0, f = 0; i < r->n; i++, f++) {
		struct import_text t = r->field[f];

		if (i == at) {
			f += extra;
			t.n = (size_t)(r->field[f].at + r->field[f].n - t.at);
		}
		row->col[r->column[i]] = t;
		row->given[r->column[i]] = true;
	}
}

/* Is it a word in capital letters, as states of later releases are? */
static bool is_state(struct import_text t)
{
	size_t n = 0;

	if (import_state(t) != IMPORT_STATE_OTHER)
		return true;
	while (n < t.n && (isupper((unsigned char)t.at[n]) || t.at[n] == '_'))
		n++;
	return n > 2 && (n == t.n || t.at[n] == ' ');
}

/* Do ids, times and states look like ids, times and states? */
static bool is_sound(const struct import_row *row)
{
	static const enum import_column times[] = {
		IMPORT_C_SUBMIT, IMPORT_C_ELIGIBLE, IMPORT_C_START,
		IMPORT_C_END};
	static const enum import_column counts[] = {
		IMPORT_C_REQCPUS,    IMPORT_C_ALLOCCPUS, IMPORT_C_NNODES,
		IMPORT_C_ELAPSEDRAW, IMPORT_C_UID,	 IMPORT_C_RESTARTS};
	static const enum import_column tres[] = {IMPORT_C_REQTRES,
						  IMPORT_C_ALLOCTRES};
	struct import_clock clock = {.zoned = false};
	struct import_tres ignored;
	struct import_id id;
	int64_t n;
	bool twice;
	double s;

	for (size_t i = 0; i < 4; i++)
		if (import_time(&clock, row->col[times[i]], &n, &twice) ==
		    IMPORT_BAD)
			return false;
	for (size_t i = 0; i < 6; i++)
		if (import_count(row->col[counts[i]], &n) == IMPORT_BAD)
			return false;
	for (size_t i = 0; i < 2; i++)
		if (row->col[tres[i]].at &&
		    import_tres(row->col[tres[i]], &ignored) == IMPORT_BAD)
			return false;
	if (row->given[IMPORT_C_STATE] && !is_state(row->col[IMPORT_C_STATE]))
		return false;
	return import_job_id(row->col[IMPORT_C_JOBIDRAW], &id) != IMPORT_BAD &&
	       import_job_id(row->col[IMPORT_C_JOBID], &id) != IMPORT_BAD &&
	       import_limit(row->col[IMPORT_C_TIMELIMITRAW], 60, &s) !=
		       IMPORT_BAD &&
	       import_limit(row->col[IMPORT_C_TIMELIMIT], 60, &s) != IMPORT_BAD;
}

static bool same_row(const struct import_row *a, const struct import_row *b)
{
	for (int i = 0; i < IMPORT_C_OTHER; i++)
		if (i != IMPORT_C_JOBNAME &&
		    (a->col[i].n != b->col[i].n ||
		     (a->col[i].n > 0 &&
		      memcmp(a->col[i].at, b->col[i].at, a->col[i].n) != 0)))
			return false;
	return true;
}

/* Find the free text that has the extra delimiters.  Several may fit; that is
 * fine if they give the same row.
 */
static int put_together(struct import_text_reader *r, struct import_row *row,
			size_t fields)
{
	struct import_row tried = *row;
	bool found = false;

	if (fields > IMPORT_FIELDS_MAX)
		return IMPORT_ROW_FIELDS;
	for (size_t i = 0; i < r->n; i++) {
		if (!r->free_text[i])
			continue;
		fill_row(r, &tried, i, fields - r->n);
		if (!is_sound(&tried))
			continue;
		if (found && !same_row(row, &tried))
			return IMPORT_ROW_FIELDS;
		*row = tried;
		found = true;
	}
	row->split = true;
	return found ? IMPORT_ROW : IMPORT_ROW_FIELDS;
}

int import_text_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row)
{
	size_t n, fields;
	char *line;
	int rc;

	for (;;) {
		rc = input_line(in, &line, &n);
		if (rc <= 0)
			return rc < 0 ? IMPORT_ROW_FAILED : IMPORT_ROW_END;
		if (n == 0)
			continue;
		fields = divide(r, line, n);
		if (r->field[0].n != strlen(r->first) ||
		    memcmp(r->field[0].at, r->first, r->field[0].n) != 0)
			break;
		read_heading(r, line, n);
		*row = (struct import_row){.split = false};
	}
	row->split = false;
	if (fields < r->n)
		return IMPORT_ROW_FIELDS;
	if (fields > r->n)
		return put_together(r, row, fields);
	fill_row(r, row, SIZE_MAX, 0);
	return IMPORT_ROW;
}
