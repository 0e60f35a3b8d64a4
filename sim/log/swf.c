/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.c - the reader of Standard Workload Format logs: files and lines.
 *
 * Lines are parsed where zlib has put them: no copy and no allocation per
 * line.  Reading must not cost more than unpacking, so whole numbers and
 * plain decimals, which is nearly all there is, do not go through strtod().
 */
#include <errno.h>
#include <inttypes.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/base/unpack.h"
#include "sim/log/swf.h"
#include "sim/log/swf_fields.h"
#include "sim/log/swf_header.h"

enum {
	MAX_LINE = 64 * 1024,
	CHUNK = 64 * 1024,	   /* that stays in the nearest caches */
	PRESIZE_MAX = 1024 * 1024, /* records; more only when they come */
};

/* A log while it is read, from a stream or as a whole. */
struct reader {
	struct swf_place at;
	struct swf_header header;
	struct stream stream;
	size_t capacity; /* of the trace's records */
	char *buf;	 /* MAX_LINE + CHUNK + SWF_SLACK bytes, or all text */
	char *pos, *end;
	bool whole;	       /* buf holds all of the text */
	size_t last;	       /* records to keep; 0 = all */
	const char *keep_from; /* lines before are only checked */
	bool at_end;
	bool damaged; /* the text ends early, at a damaged part */
};

/* Enlarge the records, at first to the number that the header names. */
static int grow(struct reader *r)
{
	struct swf_trace *t = r->header.trace;
	size_t capacity = r->capacity ? r->capacity * 2 : 4096;
	void *p;

	if (r->capacity == 0 && t->max_records > 0)
		capacity = t->max_records < PRESIZE_MAX ? t->max_records
							: PRESIZE_MAX;
	if (r->capacity == 0 && r->keep_from)
		capacity = r->last;
	p = t->records ? reallocarray(t->records, capacity, sizeof(*t->records))
		       : sim_large(capacity, sizeof(*t->records));
	if (!p)
		return libra_errf(r->at.err, ENOMEM,
				  "%s:%zu: out of memory after %zu records",
				  r->at.name, r->at.line, t->nrecords);
	t->records = p;
	r->capacity = capacity;
	return 0;
}

/* Set a record by the values of its fields. */
static void set_record(struct swf_record *record, const double v[SWF_NKEPT])
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

/* Parse a line and add its record.  Result: 0, or -1 with err. */
static int add_record(struct reader *r, const char *line)
{
	struct swf_trace *t = r->header.trace;
	struct swf_record *record;
	double v[SWF_NFIELDS];
	int rc = 1;

	if (!swf_fields_fast(line, v))
		rc = swf_fields_parse(&r->at, line, v, t);
	if (rc <= 0)
		return rc;
	if (t->nrecords == r->capacity && grow(r) < 0)
		return -1;
	record = &t->records[t->nrecords++];
	set_record(record, v);
	if (t->nrecords == 1)
		t->first_line = r->at.line;
	else if (record->submit_s < record[-1].submit_s)
		t->unsorted++;
	t->no_run += record->run_s <= 0;
	t->no_estimate += record->request_s <= 0;
	t->no_procs += record->alloc_procs <= 0 && record->req_procs <= 0;
	return 0;
}

/* Return true if the header has the size of the machine.  Otherwise the size is
 * that of the largest job, and all records must be kept.
 */
static bool is_sized(const struct reader *r)
{
	const struct swf_trace *t = r->header.trace;

	return t->max_procs > 0 || t->max_nodes > 0;
}

/* A record that is not kept must be right, too. */
static int check_record(struct reader *r, const char *line)
{
	double v[SWF_NFIELDS];

	if (!is_sized(r)) {
		r->keep_from = NULL;
		return add_record(r, line);
	}
	return swf_fields_parse(&r->at, line, v, r->header.trace) < 0 ? -1 : 0;
}

/* Nearly all records that are not kept are right in the usual way. */
static void pass_over(struct reader *r)
{
	if (r->pos < r->keep_from && is_sized(r))
		r->pos = (char *)swf_fields_skip(r->pos, r->keep_from,
						 &r->at.line);
}

/* Lines. */

/* The line from p up to its newline at end, where *end may be written. */
static int parse_line(struct reader *r, char *p, char *end)
{
	r->at.line++;
	if (end - p > MAX_LINE)
		return libra_errf(r->at.err, EINVAL,
				  "%s:%zu: the line is longer than %d bytes",
				  r->at.name, r->at.line, MAX_LINE);
	if (end > p && end[-1] == '\r')
		end--;
	*end = '\n';
	p = (char *)swf_skip_blanks(p);
	if (*p == '\n')
		return 0;
	if (*p == ';')
		return swf_header_parse(&r->header, &r->at, p, end);
	return p < r->keep_from ? check_record(r, p) : add_record(r, p);
}

static bool is_record(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p < end && *p != ';';
}

/* Result: where the last n records begin; NULL if there are no more than n. */
static const char *find_last(const struct reader *r, size_t n)
{
	const char *end = r->end, *p;

	while (end > r->pos) {
		p = memrchr(r->pos, '\n', (size_t)(end - r->pos - 1));
		p = p ? p + 1 : r->pos;
		if (is_record(p, end[-1] == '\n' ? end - 1 : end) && --n == 0)
			return p;
		end = p;
	}
	return NULL;
}

/* Fill the buffer after what is left of the last line.  Data before a damaged
 * part is used, so that the message can name the line where it begins.
 */
static int fill(struct reader *r)
{
	size_t left = r->end - r->pos;
	size_t n;

	if (r->whole) {
		r->at_end = true;
		return 0;
	}
	memmove(r->buf, r->pos, left);
	r->pos = r->buf;
	r->end = r->buf + left;
	n = stream_read(&r->stream, r->end, CHUNK);
	if (r->stream.error == STREAM_SYSTEM)
		return libra_errf(r->at.err, errno, "%s: cannot read: %s",
				  r->at.name, strerror(errno));
	if (r->stream.error == STREAM_MEMORY)
		return swf_no_memory(&r->at);
	if (r->stream.error == STREAM_NO_ZSTD)
		return libra_errf(r->at.err, EIO, "%s: %s", r->at.name,
				  stream_error_text(&r->stream));
	r->damaged = r->stream.error != STREAM_OK;
	r->at_end = n < CHUNK;
	r->end += n;
	return 0;
}

/* End the text: parse a last line without its end, and check the log. */
static int finish(struct reader *r)
{
	if (r->damaged)
		return libra_errf(r->at.err, EIO, "%s:%zu: %s: fetch it again",
				  r->at.name, r->at.line + 1,
				  stream_error_text(&r->stream));
	if (r->end > r->pos && parse_line(r, r->pos, r->end) < 0)
		return -1;
	if (r->header.trace->nrecords == 0)
		return libra_errf(r->at.err, EINVAL,
				  "%s: no record in %zu lines: a log in the "
				  "Standard Workload Format has one job per "
				  "line",
				  r->at.name, r->at.line);
	return 0;
}

/* Read all lines.  Result: 0, or -1 with err. */
static int read_lines(struct reader *r)
{
	while (!r->at_end) {
		char *newline;

		if (fill(r) < 0)
			return -1;
		while (pass_over(r),
		       (newline = memchr(r->pos, '\n', r->end - r->pos))) {
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

/* Open the file, as a whole if it is small, else as a stream. */
static int open_reader(struct reader *r, const char *path)
{
	int fd = input_descriptor(path, r->at.err);
	size_t n;

	if (fd < 0)
		return -1;
	r->header.trace->name = strdup(path);
	if (unpack_gzip(fd, SWF_SLACK, &r->buf, &n) ||
	    (r->last > 0 && unpack_plain(fd, SWF_SLACK, &r->buf, &n))) {
		r->pos = r->buf;
		r->end = r->buf + n;
		r->whole = true;
		if (r->last > 0)
			r->keep_from = find_last(r, r->last);
		close(fd);
		return r->header.trace->name ? 0 : swf_no_memory(&r->at);
	}
	r->buf = malloc(MAX_LINE + CHUNK + SWF_SLACK);
	if (stream_open(&r->stream, fd, CHUNK / 2) < 0 || !r->buf ||
	    !r->header.trace->name)
		return swf_no_memory(&r->at);
	r->pos = r->end = r->buf;
	return 0;
}

int swf_read_last(struct swf_trace *trace, const char *path, size_t last,
		  struct libra_error *err)
{
	struct reader r = {.header.trace = trace,
			   .at = {.name = input_name(path), .err = err},
			   .last = last};
	int rc, saved;

	memset(trace, 0, sizeof(*trace));
	rc = open_reader(&r, path);
	if (rc == 0)
		rc = read_lines(&r);
	saved = errno;
	stream_close(&r.stream);
	free(r.buf);
	if (rc < 0)
		swf_fini(trace);
	errno = saved;
	return rc;
}

int swf_read(struct swf_trace *trace, const char *path, struct libra_error *err)
{
	return swf_read_last(trace, path, 0, err);
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

const char *swf_name_text(const struct swf_names *names, int32_t number,
			  char buf[SWF_NAME_SIZE])
{
	for (size_t i = 0; names && i < names->n; i++)
		if (names->list[i].number == number) {
			snprintf(buf, SWF_NAME_SIZE, "%.39s",
				 names->list[i].name);
			return buf;
		}
	snprintf(buf, SWF_NAME_SIZE, number < 0 ? "-" : "%" PRId32, number);
	return buf;
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

int32_t swf_job_procs(const struct swf_record *record)
{
	return record->alloc_procs > 0 ? record->alloc_procs
				       : record->req_procs;
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
	fd = input_descriptor(path, err);
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
