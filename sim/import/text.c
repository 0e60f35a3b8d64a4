/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - parse headings and fields, and delimiters within values.
 *
 * divide() cuts a line into fields in place.  A row with too many fields is put
 * together again around its free texts; a row with too few fields continues on
 * the next lines.  In both cases the columns with a known form (ids, times,
 * states) decide which reading is right, and a row with two readings is
 * refused.
 */
#include "sim/import/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

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
	{"Priority", IMPORT_C_PRIORITY},
	{"Constraints", IMPORT_C_CONSTRAINTS},
	{"Flags", IMPORT_C_FLAGS},
	{"NodeList", IMPORT_C_NODELIST},
	{"Reason", IMPORT_C_REASON},
	{"Reservation", IMPORT_C_RESERVATION},
	{"SubmitLine", IMPORT_C_SUBMITLINE},
};

/* Columns with free text of users and administrators. */
static const char *const free_texts[] = {
	"JobName",	 "SubmitLine", "Constraints", "Comment", "AdminComment",
	"SystemComment", "WorkDir",    "Extra",	      "Reason",	 "WCKey",
};

/* Return the column with a name of sacct, whatever its capital letters;
 * IMPORT_C_OTHER if no column that is read has the name.
 */
static enum import_column column_find(struct import_text name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (import_is(name, names[i].name))
			return names[i].column;
	return IMPORT_C_OTHER;
}

/* Return true if users write the values of a column: it may have delimiters. */
static bool is_free_text(struct import_text name)
{
	for (size_t i = 0; i < sizeof(free_texts) / sizeof(free_texts[0]); i++)
		if (import_is(name, free_texts[i]))
			return true;
	return false;
}

/* Take the quotes from a field of CSV, in place.
 * Result: the first character after the field, or NULL if the quotes do not
 *         end.
 */
static char *unquote(char *field, char *end, struct import_text *text)
{
	char *to = field;

	for (char *at = field + 1; at < end; at++) {
		if (*at != '"') {
			*to++ = *at;
		} else if (at + 1 < end && at[1] == '"') {
			*to++ = *at++;
		} else {
			*text = (struct import_text){field,
						     (size_t)(to - field)};
			return at + 1;
		}
	}
	return NULL;
}

/* Copy a line, so that its quotes may be taken away.  Result: it, or the copy.
 */
static char *changeable(struct import_text_reader *r, char *line, size_t n)
{
	char *copy;

	if (!r->quoted)
		return line;
	copy = sim_grown(r->plain, &r->plain_cap, n + 1, 1);
	r->no_memory |= !copy;
	if (!copy)
		return line;
	r->plain = copy;
	return memcpy(copy, line, n + 1);
}

/* Split a line into fields, without their quotes.
 * Result: their number, 0 if a quote does not end; those beyond the room for
 *         them are counted, but not kept.
 */
static size_t divide(struct import_text_reader *r, char *line, size_t n)
{
	char *end, *stop;
	size_t fields = 0;

	line = changeable(r, line, n);
	end = line + n;
	for (;;) {
		struct import_text field = {line, 0};
		bool quoted = r->quoted && line < end && *line == '"';

		if (quoted)
			line = unquote(line, end, &field);
		if (!line)
			return 0;
		stop = memmem(line, (size_t)(end - line), r->delimiter,
			      r->ndelimiter);
		if (!quoted)
			field.n = (size_t)((stop ? stop : end) - line);
		if (fields < IMPORT_FIELDS_MAX)
			r->field[fields] = field;
		fields++;
		if (!stop)
			return fields;
		line = stop + r->ndelimiter;
	}
}

/* Set the columns by the names of a heading. */
static void read_heading(struct import_text_reader *r, char *line, size_t n)
{
	r->n = divide(r, line, n);
	for (size_t i = 0; i < r->n && i < IMPORT_FIELDS_MAX; i++) {
		struct import_text name = import_trimmed(r->field[i]);

		/* sacct -o Name%30 has the width in no heading, but people
		 * write it there.
		 */
		if (memchr(name.at, '%', name.n))
			name.n = (size_t)((const char *)memchr(name.at, '%',
							       name.n) -
					  name.at);
		r->column[i] = r->csv ? IMPORT_C_OTHER : column_find(name);
		r->free_text[i] = !r->csv && is_free_text(name);
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

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '%';
}

/* Find the delimiter: the text between the first two names of the heading.
 * Result: 0, or -1 with EINVAL.
 */
static int find_delimiter(struct import_text_reader *r, const char *line,
			  const struct input *in)
{
	size_t begin, n = 0;

	r->quoted = line[0] == '"';
	begin = r->quoted;
	while (is_name(line[begin]))
		begin++;
	begin += r->quoted && line[begin] == '"';
	while (line[begin + n] && !is_name(line[begin + n]) &&
	       line[begin + n] != '"')
		n++;
	if (n > 1 && strspn(line + begin, " ") >= n)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: columns of fixed width cut values "
				  "short: run sacct with -P (see "
				  "--show-command)",
				  in->name, in->line);
	if (n == 0 || n > IMPORT_DELIMITER_MAX) {
		r->delimiter[0] = '|';
		n = 1;
	} else {
		memcpy(r->delimiter, line + begin, n);
	}
	r->ndelimiter = n;
	r->quoted |= n == 1 && r->delimiter[0] == ',';
	return 0;
}

/* Take the user's delimiter, or find it in the heading. */
static int set_delimiter(struct import_text_reader *r, const char *text,
			 const char *line, const struct input *in)
{
	if (!text)
		return find_delimiter(r, line, in);
	r->ndelimiter = strlen(text);
	if (r->ndelimiter == 0 || r->ndelimiter > IMPORT_DELIMITER_MAX)
		return libra_errf(in->err, EINVAL,
				  "a delimiter has 1 to %d bytes, not '%s'",
				  IMPORT_DELIMITER_MAX, text);
	memcpy(r->delimiter, text, r->ndelimiter);
	r->quoted = strcmp(text, ",") == 0 || line[0] == '"';
	return 0;
}

/* Take the first line that is no message of sacct. */
static int heading_line(struct input *in, char **line, size_t *n)
{
	int rc;

	do
		rc = input_line(in, line, n);
	while (rc > 0 && ((*line)[strspn(*line, " \t")] == '\0' ||
			  strncmp(*line, "sacct: warning", 14) == 0));
	if (rc == 0)
		return libra_errf(in->err, EINVAL,
				  "%s: the log is empty: sacct without -S "
				  "begins today, without -a it has one's own "
				  "jobs; see --show-command",
				  in->name);
	if (rc > 0 && strncmp(*line, "sacct: ", 7) == 0)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: sacct failed, and said: %.120s",
				  in->name, in->line, *line + 7);
	return rc;
}

static int fail_columns(const struct input *in)
{
	return libra_errf(in->err, EINVAL, "%s:%zu: more than %d columns",
			  in->name, in->line, IMPORT_FIELDS_MAX);
}

int import_text_begin(struct import_text_reader *r, struct input *in,
		      const char *delimiter)
{
	const char *lacks;
	char *line;
	size_t n;

	if (heading_line(in, &line, &n) < 0 ||
	    set_delimiter(r, delimiter, line, in) < 0)
		return -1;
	read_heading(r, line, n);
	if (r->n > IMPORT_FIELDS_MAX)
		return fail_columns(in);
	lacks = missing(r);
	if (lacks)
		return libra_errf(in->err, EINVAL,
				  "%s:%zu: no column is named %s: the first "
				  "line must be sacct's heading (sacct -P, "
				  "without -n); see --show-command",
				  in->name, in->line, lacks);
	return 0;
}

/* Find the delimiter of CSV: the one of these that the heading has most often.
 */
static const char *csv_delimiter(const char *heading)
{
	static const char *const all[] = {",", ";", "\t", "|"};
	size_t best = 0, most = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t n = 0;

		for (const char *p = heading; *p; p++)
			n += *p == all[i][0];
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return all[best];
}

int import_text_begin_csv(struct import_text_reader *r, struct input *in,
			  const char *delimiter)
{
	char *line;
	size_t n;
	int rc;

	do
		rc = input_line(in, &line, &n);
	while (rc > 0 && n == 0);
	if (rc == 0)
		return libra_errf(in->err, EINVAL,
				  "%s: the file is empty: a trace has a "
				  "heading and a line for each job",
				  in->name);
	if (rc < 0 ||
	    set_delimiter(r, delimiter ? delimiter : csv_delimiter(line), line,
			  in) < 0)
		return -1;
	r->csv = r->quoted = true;
	r->heading = strdup(line);
	if (!r->heading)
		return sim_no_memory(in->err);
	read_heading(r, line, n);
	if (r->n > IMPORT_FIELDS_MAX)
		return fail_columns(in);
	return r->no_memory ? sim_no_memory(in->err) : 0;
}

void import_text_fini(struct import_text_reader *r)
{
	free(r->heading);
	free(r->joined);
	free(r->plain);
	r->heading = r->joined = r->plain = NULL;
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

/* Return true if two readings of a line differ at most in the name of the job.
 */
static bool same_row(const struct import_row *a, const struct import_row *b)
{
	for (int i = 0; i < IMPORT_C_PRIORITY; i++)
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

/* A row whose lines were joined must make sense. */
static int put_one_way(const struct import_text_reader *r,
		       struct import_row *row)
{
	fill_row(r, row, SIZE_MAX, 0);
	row->split = true;
	return is_sound(row) ? IMPORT_ROW : IMPORT_ROW_FIELDS;
}

/* ---- rows of several lines ---- */

/* The most lines of a value: free text, and quoted CSV (a list of numbers). */
enum { MOST_LINES = 32, MOST_CSV_LINES = 4096 };

/* Take the line that was read ahead, or the next one. */
static int take_line(struct import_text_reader *r, struct input *in,
		     char **line, size_t *n)
{
	*line = r->held;
	*n = r->nheld;
	r->held = NULL;
	return *line ? 1 : input_line(in, line, n);
}

/* Append a line, with a blank where its line feed was. */
static int join(struct import_text_reader *r, size_t *len, const char *line,
		size_t n, const struct input *in)
{
	char *more = sim_grown(r->joined, &r->joined_cap, *len + n + 2, 1);

	if (!more)
		return sim_no_memory(in->err);
	r->joined = more;
	if (*len > 0)
		more[(*len)++] = ' ';
	memcpy(more + *len, line, n);
	*len += n;
	more[*len] = '\0';
	return 0;
}

/* Does a line begin as a row of its own does? */
static bool begins_row(struct import_text_reader *r, char *line, size_t n)
{
	struct import_id id;
	size_t fields = divide(r, line, n);

	return fields > 1 && import_job_id(r->field[0], &id) == IMPORT_OK;
}

static size_t count_quotes(const char *line, size_t n)
{
	size_t quotes = 0;

	for (size_t i = 0; i < n; i++)
		quotes += line[i] == '"';
	return quotes;
}

/* Join a line that has too few fields with the next lines, if the line feed is
 * in a free text.
 * Result: see enum import_row_result.  A line that is a row of its own is held.
 */
static int join_lines(struct import_text_reader *r, struct input *in,
		      struct import_row *row, char *line, size_t n,
		      size_t fields)
{
	bool by_id = r->column[0] == IMPORT_C_JOBIDRAW ||
		     r->column[0] == IMPORT_C_JOBID;
	size_t len = 0, quotes = count_quotes(line, n);
	int rc, most = r->csv ? MOST_CSV_LINES : MOST_LINES;

	if (join(r, &len, line, n, in) < 0)
		return IMPORT_ROW_FAILED;
	for (int i = 0; i < most; i++) {
		if (fields > 0 && (!by_id || !r->free_text[fields - 1]))
			return IMPORT_ROW_FIELDS;
		rc = take_line(r, in, &line, &n);
		if (rc <= 0)
			return rc < 0 ? IMPORT_ROW_FAILED : IMPORT_ROW_FIELDS;
		if (fields > 0 && begins_row(r, line, n)) {
			r->held = line;
			r->nheld = n;
			return IMPORT_ROW_FIELDS;
		}
		if (join(r, &len, line, n, in) < 0)
			return IMPORT_ROW_FAILED;
		/* Within quotes, do not look at all lines again for each. */
		quotes += count_quotes(line, n);
		if (r->csv && quotes % 2 == 1)
			continue;
		fields = divide(r, r->joined, len);
		if (fields >= r->n)
			return fields > r->n ? put_together(r, row, fields)
					     : put_one_way(r, row);
	}
	return IMPORT_ROW_FIELDS;
}

static int fail_heading(const struct input *in)
{
	libra_errf(in->err, EINVAL,
		   "%s:%zu: a second heading, with other columns: give the "
		   "traces as files of their own",
		   in->name, in->line);
	return IMPORT_ROW_FAILED;
}

/* Read a line, and more lines if it is not a whole row. */
static int read_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row)
{
	size_t n, fields;
	char *line;
	int rc;

	for (;;) {
		rc = take_line(r, in, &line, &n);
		if (rc <= 0)
			return rc < 0 ? IMPORT_ROW_FAILED : IMPORT_ROW_END;
		if (n == 0)
			continue;
		fields = divide(r, line, n);
		if (fields == 0 || r->field[0].n != strlen(r->first) ||
		    memcmp(r->field[0].at, r->first, r->field[0].n) != 0)
			break;
		if (r->csv && strcmp(line, r->heading) != 0)
			return fail_heading(in);
		read_heading(r, line, n);
		*row = (struct import_row){.split = false};
	}
	row->split = false;
	if (fields < r->n)
		return join_lines(r, in, row, line, n, fields);
	if (fields > r->n)
		return put_together(r, row, fields);
	fill_row(r, row, SIZE_MAX, 0);
	return IMPORT_ROW;
}

int import_text_row(struct import_text_reader *r, struct input *in,
		    struct import_row *row)
{
	int rc = read_row(r, in, row);

	if (!r->no_memory)
		return rc;
	sim_no_memory(in->err);
	return IMPORT_ROW_FAILED;
}
