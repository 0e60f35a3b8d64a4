/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.c - the reader of Standard Workload Format logs.
 *
 * Lines are parsed where zlib has put them: no copy and no allocation per
 * line.  Reading must not cost more than unpacking, so whole numbers and
 * plain decimals, which is nearly all there is, do not go through strtod().
 */
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/unpack.h"
#include "sim/log/swf.h"

enum {
	NFIELDS = 18,
	MAX_LINE = 64 * 1024,
	MAX_NAMES = 10000,     /* of queues, and of partitions */
	MAX_ENTRY = 16 * 1024, /* of the header, with what continues it */
	CHUNK = 256 * 1024,
	SLACK = 16,		   /* for a last newline, and load8() */
	FAST_WORDS = 4,		   /* of 64 characters */
	PRESIZE_MAX = 1024 * 1024, /* records; more only when they come */
};

#define TIME_MAX   1e12 /* seconds: 31,000 years */
#define NUMBER_MAX 9e15 /* whole numbers that a double keeps */

static const struct field {
	const char *name;
	double max;
	bool whole;	/* kept as an integer */
	bool mandatory; /* -1 for "unknown" makes no sense */
} fields[NFIELDS] = {
	{"job number", NUMBER_MAX, true, true},
	{"submit time", TIME_MAX, false, true},
	{"wait time", TIME_MAX, false, false},
	{"run time", TIME_MAX, false, false},
	{"allocated processors", INT32_MAX, true, false},
	{"processor time", TIME_MAX, false, false},
	{"used memory", NUMBER_MAX, false, false},
	{"requested processors", INT32_MAX, true, false},
	{"requested time", TIME_MAX, false, false},
	{"requested memory", NUMBER_MAX, false, false},
	{"status", INT32_MAX, true, false},
	{"user", INT32_MAX, true, false},
	{"group", INT32_MAX, true, false},
	{"application", INT32_MAX, true, false},
	{"queue", INT32_MAX, true, false},
	{"partition", INT32_MAX, true, false},
	{"preceding job", NUMBER_MAX, false, false},
	{"think time", TIME_MAX, false, false},
};

struct reader {
	gzFile gz;
	const char *name; /* for messages */
	struct swf_trace *trace;
	size_t capacity; /* of trace->records */
	size_t line;
	char *buf; /* MAX_LINE + CHUNK + SLACK bytes, or all of the text */
	char *pos, *end;
	char **entry; /* the notice, while the next line may continue it */
	bool whole;   /* buf holds all of the text */
	bool at_end;
	bool damaged; /* what is left in the buffer is not all there was */
	struct libra_error *err;
};

/* Numbers. */

static inline bool ends_token(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static inline const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static const double ten_to[] = {1e0, 1e1, 1e2,	1e3,  1e4,  1e5,  1e6,	1e7,
				1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A decimal of at most 15 digits is one division of two exact numbers, and so
 * correctly rounded.  Result: the end, or NULL if it is not that simple.
 */
static const char *parse_decimal(const char *p, double *value)
{
	bool negative = *p == '-';
	int64_t m = 0;
	int digits = 0, fraction = -1;

	for (p += negative; !ends_token(*p); p++) {
		if (*p == '.' && fraction < 0) {
			fraction = 0;
			continue;
		}
		if (!isdigit((unsigned char)*p) || ++digits > 15)
			return NULL;
		m = m * 10 + (*p - '0');
		fraction += fraction >= 0;
	}
	if (digits == 0)
		return NULL;
	*value = (double)m / ten_to[fraction > 0 ? fraction : 0];
	if (negative)
		*value = -*value;
	return p;
}

/* Any other number; not nan, inf or 0x1, which strtod() would take. */
static const char *parse_general(const char *p, double *value)
{
	size_t n = strspn(p, "0123456789+-.eE");
	char *end;

	if (n == 0 || !ends_token(p[n]))
		return NULL;
	*value = strtod(p, &end);
	return end == p + n ? end : NULL;
}

/* Result: the end of the number, or NULL if there is none. */
static const char *parse_number(const char *p, double *value)
{
	const char *end = parse_decimal(p, value);

	return end ? end : parse_general(p, value);
}

/* Messages. */

static int fail_nul(struct reader *r)
{
	return libra_errf(r->err, EINVAL,
			  "%s:%zu: a NUL byte: this is not a text file",
			  r->name, r->line);
}

static int fail_token(struct reader *r, int i, const char *token)
{
	char shown[24];
	size_t n = 0;

	while (n < sizeof(shown) - 1 && !ends_token(token[n])) {
		shown[n] = isprint((unsigned char)token[n]) ? token[n] : '?';
		n++;
	}
	shown[n] = '\0';
	if (memchr(token, '\0', n))
		return fail_nul(r);
	if (i >= NFIELDS)
		return libra_errf(r->err, EINVAL,
				  "%s:%zu: \"%s\" after the %d fields of the "
				  "format is neither a number nor a word",
				  r->name, r->line, shown, NFIELDS);
	return libra_errf(r->err, EINVAL,
			  "%s:%zu: field %d (%s) is not a number: \"%s\"",
			  r->name, r->line, i + 1, fields[i].name, shown);
}

static int fail_value(struct reader *r, int i, double v)
{
	const struct field *f = &fields[i];
	const char *what = "is out of range";

	if (v < 0)
		what = f->mandatory ? "is negative"
				    : "is negative and not -1 (unknown)";
	else if (v <= f->max)
		what = "is not a whole number";
	return libra_errf(r->err, EINVAL, "%s:%zu: field %d (%s) %s: %.15g",
			  r->name, r->line, i + 1, f->name, what, v);
}

/* Records. */

static inline bool value_ok(const struct field *f, double v)
{
	if (!(v >= 0) && (v != -1 || f->mandatory))
		return false;
	return v <= f->max && (!f->whole || v == (double)(int64_t)v);
}

/* The fields beyond the format's are counted and ignored: some sites add GPUs,
 * or a word for the job's class.  A comment there would hide a mistake.
 */
static int count_rest(struct reader *r, const char *p)
{
	size_t n = 0;

	for (p = skip_blanks(p); *p != '\n'; p = skip_blanks(p)) {
		const char *token = p;

		while (!ends_token(*p)) {
			unsigned char c = (unsigned char)*p++;

			if (c < ' ' || c == 0x7f)
				return fail_token(r, NFIELDS, token);
		}
		if (*token == ';')
			return fail_token(r, NFIELDS, token);
		n++;
	}
	if (n > r->trace->extra_fields)
		r->trace->extra_fields = n;
	return 0;
}

static int parse_fields(struct reader *r, const char *p, double v[NFIELDS])
{
	for (int i = 0; i < NFIELDS; i++) {
		const char *token = skip_blanks(p);

		if (*token == '\n')
			return libra_errf(
				r->err, EINVAL,
				"%s:%zu: only %d of the %d fields of the "
				"Standard Workload Format",
				r->name, r->line, i, NFIELDS);
		p = parse_number(token, &v[i]);
		if (!p)
			return fail_token(r, i, token);
		if (!value_ok(&fields[i], v[i]))
			return fail_value(r, i, v[i]);
	}
	return count_rest(r, p);
}

/* Nearly all lines are 18 numbers between spaces.  Reading them by characters
 * mispredicts at the end of each number; so first the edges of all numbers are
 * found, by bits, and then each number is converted at one go, independently
 * of the one before.
 */

/* Eight characters, the first one lowest; the buffer has SLACK behind it. */
static inline uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

/* The high bit of each character above a space, of 8 at p of which n count.
 * Control characters, tabs included, are gathered in *control.
 */
static inline uint64_t dark8(const char *p, size_t n, uint64_t *control)
{
	uint64_t w = load8(p), low = w & 0x7f7f7f7f7f7f7f7f;
	uint64_t counted = 0x8080808080808080;

	if (n < 8)
		counted &= (UINT64_C(1) << 8 * n) - 1;
	*control |= ~((low + 0x6060606060606060) | w) & counted;
	return ((low + 0x5f5f5f5f5f5f5f5f) | w) & counted;
}

/* Where numbers begin and end, alternately: edge has room for 64 more than
 * are asked for.
 * Result: the number of edges, or -1 if there are too many or control
 * characters.
 */
static inline int find_edges(const char *p, size_t length, uint8_t *edge)
{
	uint64_t control = 0, carry = 0;
	int n = 0;

	for (size_t at = 0; at <= length; at += 64) {
		uint64_t word = 0, edges;

		for (size_t i = at; i < length && i < at + 64; i += 8)
			word |= ((dark8(p + i, length - i, &control) >> 7) *
					 0x0102040810204080 >>
				 56)
				<< (i - at);
		edges = word ^ (word << 1 | carry);
		carry = word >> 63;
		for (; edges; edges &= edges - 1)
			edge[n++] = (uint8_t)(at + __builtin_ctzll(edges));
		if (n > 2 * NFIELDS)
			return -1;
	}
	return control ? -1 : n;
}

/* The high bit of each character that is no digit; right up to the first one
 * (what comes behind may have a carry).
 */
static inline uint64_t no_digits(uint64_t w)
{
	return ((w + 0x7676767676767676) | w) & 0x8080808080808080;
}

/* A number of up to 8 characters, perhaps with a point among them: the digits
 * are moved up against leading zeros, then added in pairs, fours and eights.
 * *fraction is the number of digits behind the point.
 */
static inline bool parse_small(const char *p, int length, int64_t *value,
			       int *fraction)
{
	int64_t negative = *p == '-';
	int used = length - (int)negative;
	uint64_t w, others;

	*fraction = 0;
	if (used == 1) { /* half of all fields: -1, one processor, ... */
		*value = p[negative] - '0';
		if ((uint64_t)*value > 9)
			return false;
		*value = (*value ^ -negative) + negative;
		return true;
	}
	if (used < 1 || used > 8)
		return false;
	w = (load8(p + negative) ^ 0x3030303030303030) << (64 - 8 * used);
	others = no_digits(w);
	if (others) {
		int point = __builtin_ctzll(others) / 8 * 8;
		uint64_t before = (UINT64_C(1) << point) - 1;

		if (point == 56 || (w >> point & 0xff) != ('.' ^ '0'))
			return false;
		*fraction = 7 - point / 8;
		w = (w & before) << 8 | (w & ~(before << 8 | 0xff));
		if (no_digits(w))
			return false;
	}
	w = w * 10 + (w >> 8);
	w = ((w & 0x000000ff000000ff) * 0x000f424000000064 +
	     (w >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
	    32;
	*value = ((int64_t)(w & 0xffffffff) ^ -negative) + negative;
	return true;
}

/* Result: whether all was as expected; if not, parse_fields() says why. */
static bool parse_fast(const char *p, const char *end, double v[NFIELDS])
{
	uint8_t edge[2 * NFIELDS + 64];
	bool bad = false;

	if (end - p > UINT8_MAX ||
	    find_edges(p, (size_t)(end - p), edge) != 2 * NFIELDS)
		return false;
	for (int i = 0; i < NFIELDS; i++) {
		const char *token = p + edge[2 * i];
		int fraction;
		int64_t n;

		if (!parse_small(token, edge[2 * i + 1] - edge[2 * i], &n,
				 &fraction))
			return false;
		v[i] = (double)n; /* less than any maximum */
		bad |= n < -!fields[i].mandatory;
		if (fraction) {
			v[i] /= ten_to[fraction];
			bad |= !value_ok(&fields[i], v[i]);
		}
	}
	return !bad;
}

static int grow(struct reader *r)
{
	struct swf_trace *t = r->trace;
	size_t capacity = r->capacity ? r->capacity * 2 : 4096;
	void *p;

	if (r->capacity == 0 && t->max_records > 0)
		capacity = t->max_records < PRESIZE_MAX ? t->max_records
							: PRESIZE_MAX;
	p = reallocarray(t->records, capacity, sizeof(*t->records));
	if (!p)
		return libra_errf(r->err, ENOMEM,
				  "%s:%zu: out of memory after %zu records",
				  r->name, r->line, t->nrecords);
	t->records = p;
	r->capacity = capacity;
	return 0;
}

static void set_record(struct swf_record *record, const double v[NFIELDS])
{
	*record = (struct swf_record){
		.number = (int64_t)v[0],
		.submit_s = v[1],
		.wait_s = v[2],
		.run_s = v[3],
		.alloc_procs = (int32_t)v[4],
		.cpu_s = v[5],
		.used_mem_kb = v[6],
		.req_procs = (int32_t)v[7],
		.request_s = v[8],
		.req_mem_kb = v[9],
		.status = (int32_t)v[10],
		.user = (int32_t)v[11],
		.group = (int32_t)v[12],
		.app = (int32_t)v[13],
		.queue = (int32_t)v[14],
		.partition = (int32_t)v[15],
	};
}

static int add_record(struct reader *r, const char *line, const char *end)
{
	struct swf_trace *t = r->trace;
	struct swf_record *record;
	double v[NFIELDS];

	if (!parse_fast(line, end, v) && parse_fields(r, line, v) < 0)
		return -1;
	if (t->nrecords == r->capacity && grow(r) < 0)
		return -1;
	record = &t->records[t->nrecords++];
	set_record(record, v);
	if (t->nrecords == 1)
		t->first_line = r->line;
	else if (record->submit_s < record[-1].submit_s)
		t->unsorted++;
	t->no_run += record->run_s <= 0;
	t->no_estimate += record->request_s <= 0;
	t->no_procs += record->alloc_procs <= 0 && record->req_procs <= 0;
	return 0;
}

/* Header comments. */

static int no_memory(struct reader *r)
{
	return libra_errf(r->err, ENOMEM, "%s: out of memory", r->name);
}

/* A number that may be followed by words: "338 (batch partition)".  Without
 * one the entry counts as absent.
 */
static int header_number(struct reader *r, const char *key, const char *text,
			 int64_t max, int64_t *value)
{
	long long n;

	if (*value != 0 || !isdigit((unsigned char)*text))
		return 0; /* the first one counts */
	errno = 0;
	n = strtoll(text, NULL, 10);
	if (errno || n > max)
		return libra_errf(r->err, EINVAL,
				  "%s:%zu: %s in the header is out of range",
				  r->name, r->line, key);
	*value = n;
	return 0;
}

static int header_text(struct reader *r, const char *text, const char *end,
		       char **value)
{
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (*value || end == text)
		return 0;
	*value = strndup(text, end - text);
	if (!*value)
		return libra_errf(r->err, ENOMEM, "%s:%zu: out of memory",
				  r->name, r->line);
	return 0;
}

/* An indented line continues the notice before it; of other entries only the
 * first line is kept.
 */
static int continue_text(struct reader *r, const char *text, const char *end)
{
	char *old = *r->entry, *longer;
	size_t n = strlen(old);

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end == text || n + (size_t)(end - text) > MAX_ENTRY)
		return 0;
	longer = realloc(old, n + (size_t)(end - text) + 2);
	if (!longer)
		return libra_errf(r->err, ENOMEM, "%s:%zu: out of memory",
				  r->name, r->line);
	longer[n] = ' ';
	memcpy(longer + n + 1, text, (size_t)(end - text));
	longer[n + 1 + (size_t)(end - text)] = '\0';
	*r->entry = longer;
	return 0;
}

/* "2 normal": a number and its name.  Other texts under the same word, such as
 * a description of all queues, are passed over.
 */
static int header_name(struct reader *r, const char *text, const char *end,
		       struct swf_names *names)
{
	struct swf_name *list;
	char *behind;
	long long n;

	errno = 0;
	n = strtoll(text, &behind, 10);
	if (!isdigit((unsigned char)*text) || errno || n > INT32_MAX ||
	    (*behind != ' ' && *behind != '\t') || names->n == MAX_NAMES)
		return 0;
	list = reallocarray(names->list, names->n + 1, sizeof(*list));
	if (!list)
		return no_memory(r);
	names->list = list;
	list[names->n] = (struct swf_name){.number = (int32_t)n};
	if (header_text(r, skip_blanks(behind), end, &list[names->n].name) < 0)
		return -1;
	names->n += list[names->n].name != NULL;
	return 0;
}

static int parse_comment(struct reader *r, const char *p, const char *end)
{
	struct swf_trace *t = r->trace;
	const struct {
		const char *key;
		struct swf_names *names;
	} lists[] = {{"Queue", &t->queues}, {"Partition", &t->partitions}};
	const struct {
		const char *key;
		int64_t max;
		int64_t *number;
		char **text;
	} entries[] = {
		{"MaxProcs", INT32_MAX, &t->max_procs, NULL},
		{"MaxNodes", INT32_MAX, &t->max_nodes, NULL},
		{"UnixStartTime", NUMBER_MAX, &t->unix_start, NULL},
		{"MaxJobs", NUMBER_MAX, &t->max_jobs, NULL},
		{"MaxRecords", NUMBER_MAX, &t->max_records, NULL},
		{"Computer", 0, NULL, &t->computer},
		{"Installation", 0, NULL, &t->installation},
		{"Acknowledge", 0, NULL, &t->acknowledge},
		{"Version", 0, NULL, &t->version},
		{"Copyright", 0, NULL, &t->copyright},
	};
	const char *colon = memchr(p, ':', end - p);

	if (memchr(p, '\0', end - p))
		return fail_nul(r);
	if (r->entry && end - p > 3 &&
	    (p[1] == '\t' || (p[1] == ' ' && p[2] == ' ')))
		return continue_text(r, skip_blanks(p + 1), end);
	r->entry = NULL;
	p = skip_blanks(p + 1);
	for (size_t i = 0; colon && i < 2; i++)
		if ((size_t)(colon - p) == strlen(lists[i].key) &&
		    strncasecmp(p, lists[i].key, strlen(lists[i].key)) == 0)
			return header_name(r, skip_blanks(colon + 1), end,
					   lists[i].names);
	for (size_t i = 0; colon && i < sizeof(entries) / sizeof(*entries);
	     i++) {
		const char *key = entries[i].key;
		const char *text = skip_blanks(colon + 1);

		if ((size_t)(colon - p) != strlen(key) ||
		    strncasecmp(p, key, strlen(key)) != 0)
			continue;
		if (entries[i].text && !*entries[i].text) {
			if (header_text(r, text, end, entries[i].text) < 0)
				return -1;
			if (*entries[i].text &&
			    entries[i].text == &t->copyright)
				r->entry = &t->copyright;
			return 0;
		}
		if (entries[i].text)
			return 0;
		return header_number(r, key, text, entries[i].max,
				     entries[i].number);
	}
	return 0;
}

/* Lines. */

/* The line from p up to its newline at end, where *end may be written. */
static int parse_line(struct reader *r, char *p, char *end)
{
	r->line++;
	if (end - p > MAX_LINE)
		return libra_errf(r->err, EINVAL,
				  "%s:%zu: the line is longer than %d bytes",
				  r->name, r->line, MAX_LINE);
	if (end > p && end[-1] == '\r')
		end--;
	*end = '\n';
	p = (char *)skip_blanks(p);
	if (*p == '\n')
		return 0;
	if (*p == ';')
		return parse_comment(r, p, end);
	return add_record(r, p, end);
}

/* Fill the buffer after what is left of the last line.  Data before a damaged
 * part is used, so that the message can name the line where it begins.
 */
static int fill(struct reader *r)
{
	size_t left = r->end - r->pos;
	int n, code;

	if (r->whole) {
		r->at_end = true;
		return 0;
	}
	memmove(r->buf, r->pos, left);
	r->pos = r->buf;
	r->end = r->buf + left;
	n = gzread(r->gz, r->end, CHUNK);
	gzerror(r->gz, &code);
	if (code == Z_ERRNO)
		return libra_errf(r->err, errno, "%s: cannot read: %s", r->name,
				  strerror(errno));
	if (code == Z_MEM_ERROR)
		return libra_errf(r->err, ENOMEM, "%s: out of memory", r->name);
	r->damaged = n < 0 || (code != Z_OK && code != Z_STREAM_END);
	r->at_end = n < CHUNK;
	if (n > 0)
		r->end += n;
	return 0;
}

static int finish(struct reader *r)
{
	if (r->damaged)
		return libra_errf(r->err, EIO,
				  "%s:%zu: the gzip file is damaged or cut "
				  "off here: fetch it again",
				  r->name, r->line + 1);
	if (r->end > r->pos && parse_line(r, r->pos, r->end) < 0)
		return -1;
	if (r->trace->nrecords == 0)
		return libra_errf(r->err, EINVAL,
				  "%s: no record in %zu lines: a log in the "
				  "Standard Workload Format has one job per "
				  "line",
				  r->name, r->line);
	return 0;
}

static int read_lines(struct reader *r)
{
	while (!r->at_end) {
		char *newline;

		if (fill(r) < 0)
			return -1;
		while ((newline = memchr(r->pos, '\n', r->end - r->pos))) {
			if (parse_line(r, r->pos, newline) < 0)
				return -1;
			r->pos = newline + 1;
		}
		if (r->end - r->pos > MAX_LINE)
			return parse_line(r, r->pos, r->end);
	}
	return finish(r);
}

/* Files. */

static const char *shown_name(const char *path)
{
	if (strcmp(path, "-") == 0)
		return "standard input";
	return *path ? path : "(no name)";
}

static int open_input(const char *path, struct libra_error *err)
{
	const char *name = shown_name(path);
	struct stat st;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
				   : dup(STDIN_FILENO);

	if (fd < 0)
		return libra_errf(err, errno, "%s: cannot open: %s", name,
				  strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return libra_errf(err, EISDIR, "%s: is a folder, not a trace",
				  name);
	}
	return fd;
}

static int open_reader(struct reader *r, const char *path)
{
	int fd = open_input(path, r->err);
	size_t n;

	if (fd < 0)
		return -1;
	r->trace->name = strdup(path);
	if (unpack_gzip(fd, SLACK, &r->buf, &n)) {
		r->pos = r->buf;
		r->end = r->buf + n;
		r->whole = true;
		close(fd);
		return r->trace->name ? 0 : no_memory(r);
	}
	r->buf = malloc(MAX_LINE + CHUNK + SLACK);
	r->gz = gzdopen(fd, "rb");
	if (!r->gz)
		close(fd);
	if (!r->gz || !r->buf || !r->trace->name ||
	    gzbuffer(r->gz, CHUNK / 2) < 0)
		return no_memory(r);
	r->pos = r->end = r->buf;
	return 0;
}

int swf_read(struct swf_trace *trace, const char *path, struct libra_error *err)
{
	struct reader r = {
		.name = shown_name(path), .trace = trace, .err = err};
	int rc, saved;

	memset(trace, 0, sizeof(*trace));
	rc = open_reader(&r, path);
	if (rc == 0)
		rc = read_lines(&r);
	saved = errno;
	if (r.gz)
		gzclose_r(r.gz);
	free(r.buf);
	if (rc < 0)
		swf_fini(trace);
	errno = saved;
	return rc;
}

static void free_names(struct swf_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i].name);
	free(names->list);
}

int32_t swf_name_find(const struct swf_names *names, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < names->n; i++)
		if (strncmp(names->list[i].name, name, n) == 0 &&
		    (names->list[i].name[n] == '\0' ||
		     names->list[i].name[n] == ' '))
			return names->list[i].number;
	return -1;
}

void swf_fini(struct swf_trace *trace)
{
	free_names(&trace->queues);
	free_names(&trace->partitions);
	free(trace->name);
	free(trace->records);
	free(trace->computer);
	free(trace->installation);
	free(trace->acknowledge);
	free(trace->copyright);
	free(trace->version);
	memset(trace, 0, sizeof(*trace));
}

uint32_t swf_procs(const struct swf_trace *trace)
{
	int32_t largest = 1;

	if (trace->max_procs > 0)
		return (uint32_t)trace->max_procs;
	if (trace->max_nodes > 0)
		return (uint32_t)trace->max_nodes;
	for (size_t i = 0; i < trace->nrecords; i++) {
		const struct swf_record *r = &trace->records[i];

		if (r->req_procs > largest)
			largest = r->req_procs;
		if (r->alloc_procs > largest)
			largest = r->alloc_procs;
	}
	return (uint32_t)largest;
}

int swf_sha256(const char *path, char hex[65], struct libra_error *err)
{
	unsigned char buf[16 * 1024];
	SHA2_CTX ctx;
	ssize_t n;
	int fd;

	hex[0] = '\0';
	if (strcmp(path, "-") == 0)
		return 0;
	fd = open_input(path, err);
	if (fd < 0)
		return -1;
	SHA256Init(&ctx);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		SHA256Update(&ctx, buf, (size_t)n);
	if (n < 0)
		libra_errf(err, errno, "%s: cannot read: %s", path,
			   strerror(errno));
	close(fd);
	if (n < 0)
		return -1;
	SHA256End(&ctx, hex);
	return 0;
}
