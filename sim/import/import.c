/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.c - read files into records, remove duplicates, and sort.
 *
 * Owns the records, the tables of names and, while files are read, a hash table
 * of the runs seen so far.  The format of a file is guessed by its first bytes;
 * a reader (text.c, json.c, csv.c) fills rows, and convert.c makes records of
 * them.
 */
#include "sim/import/import.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/import/convert.h"
#include "sim/import/csv.h"
#include "sim/import/json.h"
#include "sim/import/text.h"

int import_init(struct import *im, const struct import_options *options,
		struct libra_error *err)
{
	memset(im, 0, sizeof(*im));
	im->options = options;
	im->apps.no_text = true;
	if (options->from_s && options->to_s &&
	    options->from_s >= options->to_s)
		return libra_errf(err, EINVAL, "--from must be before --to");
	return import_clock_init(&im->clock, options->zone, err);
}

void import_fini(struct import *im)
{
	free(im->records);
	free(im->seen);
	free(im->cluster);
	names_fini(&im->users);
	names_fini(&im->accounts);
	names_fini(&im->partitions);
	names_fini(&im->qos);
	names_fini(&im->apps);
	memset(im, 0, sizeof(*im));
}

/* ---- runs that were read ---- */

static uint64_t mixed(uint64_t h)
{
	h ^= h >> 31;
	h *= UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* Hash the values that identify a run.  A run without a start is not kept, so
 * that the start is known here.
 */
static uint64_t hash_run(const struct import_record *r)
{
	uint64_t h = mixed((uint64_t)r->id);

	h = mixed(h ^ (uint64_t)r->submit_s);
	h = mixed(h ^ (uint64_t)r->start_s);
	return mixed(h ^ r->part);
}

/* Return true if two records are the same run, from overlapping logs. */
static bool same_run(const struct import_record *a,
		     const struct import_record *b)
{
	return a->id == b->id && a->submit_s == b->submit_s &&
	       a->start_s == b->start_s && a->base == b->base &&
	       a->part == b->part;
}

/* Find the place of a run in the hash table, or a free one. */
static size_t find_seen(const struct import *im, const struct import_record *r)
{
	size_t mask = im->nseen - 1, at = (size_t)hash_run(r) & mask;

	while (im->seen[at] && !same_run(&im->records[im->seen[at] - 1], r))
		at = (at + 1) & mask;
	return at;
}

/* Double the records, and enter all of them in a larger hash table. */
static int grow(struct import *im)
{
	size_t cap = im->cap ? im->cap * 2 : 4096;
	struct import_record *records =
		reallocarray(im->records, cap, sizeof(*records));
	uint32_t *seen;

	if (!records)
		return -1;
	im->records = records;
	seen = cap < UINT32_MAX / 2 ? calloc(2 * cap, sizeof(*seen)) : NULL;
	if (!seen)
		return -1;
	free(im->seen);
	im->seen = seen;
	im->nseen = 2 * cap;
	im->cap = cap;
	for (size_t i = 0; i < im->n; i++)
		im->seen[find_seen(im, &im->records[i])] = (uint32_t)i + 1;
	return 0;
}

/* Overlapping logs have a run twice: keep the row that knows its end. */
static int add_record(struct import *im, const struct import_record *rec,
		      struct libra_error *err)
{
	size_t at;

	if (im->n == im->cap && grow(im) < 0)
		return sim_no_memory(err);
	at = find_seen(im, rec);
	if (im->seen[at]) {
		struct import_record *first = &im->records[im->seen[at] - 1];

		if (first->unended && !rec->unended)
			*first = *rec;
		im->count[IMPORT_R_DUPLICATE]++;
		return 0;
	}
	im->records[im->n++] = *rec;
	im->seen[at] = (uint32_t)im->n;
	return 0;
}

/* ---- files ---- */

/* Return true if a word is in the part of the input that has been read. */
static bool has_word(const struct input *in, const char *word)
{
	return memmem(in->pos, (size_t)(in->end - in->pos), word, strlen(word));
}

/* Skip the byte order mark of UTF-8; that of UTF-16 is refused. */
static int skip_mark(struct input *in)
{
	size_t n = (size_t)(in->end - in->pos);

	if (n >= 2 && (memcmp(in->pos, "\xff\xfe", 2) == 0 ||
		       memcmp(in->pos, "\xfe\xff", 2) == 0))
		return libra_errf(in->err, EINVAL,
				  "%s: this is UTF-16 text: iconv -f UTF-16 -t "
				  "UTF-8 makes UTF-8 of it",
				  in->name);
	if (n >= 3 && memcmp(in->pos, "\xef\xbb\xbf", 3) == 0)
		in->pos += 3;
	return 0;
}

/* Read the first characters, less a byte order mark. */
static int read_begin(struct input *in)
{
	while (in->end - in->pos < 64 * 1024) {
		int more = input_more(in);

		if (more < 0)
			return -1;
		if (more == 0)
			break;
	}
	return skip_mark(in);
}

/* Guess the format by the first characters.  A JSON object may be one job, or
 * have all jobs in "jobs".
 */
static int guess_format(struct input *in, enum import_format *format)
{
	while (in->pos < in->end && isspace((unsigned char)*in->pos))
		in->pos++;
	*format = IMPORT_SACCT;
	if (in->pos == in->end || *in->pos != '{')
		return 0;
	*format = IMPORT_SACCT_JSON;
	if (has_word(in, "\"@submit\""))
		*format = IMPORT_JOBCOMP;
	else if (has_word(in, "\"job_state\"") && !has_word(in, "\"elapsed\""))
		return libra_errf(in->err, EINVAL,
				  "%s: this is the JSON of squeue or scontrol, "
				  "which know only jobs that wait or run: take "
				  "sacct --json, or see --show-command",
				  in->name);
	return 0;
}

/* One file while it is read: the reader of its format, and its present row. */
struct source {
	struct input in;
	enum import_format format;
	struct import_text_reader text;
	struct import_json_reader json;
	struct import_csv csv;
	struct import_row row;
};

/* Read a row; number is its own if all rows are counted. */
static int next_row(struct source *s, uint64_t number)
{
	if (s->format == IMPORT_CSV)
		return import_csv_row(&s->csv, &s->in, number, &s->row);
	if (s->format == IMPORT_SACCT)
		return import_text_row(&s->text, &s->in, &s->row);
	return import_json_row(&s->json, &s->in, &s->row);
}

/* Find the format of a file, and begin its reader. */
static int begin_source(struct source *s, struct import *im)
{
	const struct import_options *options = im->options;

	if (read_begin(&s->in) < 0)
		return -1;
	if (options->format == IMPORT_CSV) {
		s->format = IMPORT_CSV;
		return import_csv_begin(&s->csv, &s->in, options->map,
					&im->clock, options->delimiter);
	}
	if (guess_format(&s->in, &s->format) < 0)
		return -1;
	if (options->format != IMPORT_GUESS)
		s->format = options->format;
	s->json.jobcomp = s->format == IMPORT_JOBCOMP;
	if (s->format == IMPORT_SACCT)
		return import_text_begin(&s->text, &s->in, options->delimiter);
	return 0;
}

/* Put file and line in front of a message of the conversion. */
static int fail_row(const struct source *s, struct libra_error *err)
{
	struct libra_error why = *err;
	int saved = errno;

	libra_error_clear(err);
	libra_errf(err, saved, "%s:%zu: %s", s->in.name, s->in.line, why.text);
	return -1;
}

/* Read all rows of a file.  Result: 0, or -1 with err. */
static int read_rows(struct import *im, struct source *s,
		     struct libra_error *err)
{
	struct import_record rec;
	int rc;

	while ((rc = next_row(s, im->rows + 1)) > 0) {
		im->rows++;
		if (rc == IMPORT_ROW_FIELDS) {
			im->count[IMPORT_R_FIELDS]++;
			continue;
		}
		if (rc == IMPORT_ROW_UNREADABLE) {
			if (!im->why[0])
				memcpy(im->why, s->csv.why, sizeof(im->why));
			im->count[IMPORT_R_UNREADABLE]++;
			continue;
		}
		/* A missing column is empty text, not a null pointer. */
		for (int i = 0; i < IMPORT_NCOLUMNS; i++)
			if (!s->row.col[i].at)
				s->row.col[i].at = "";
		rc = import_convert(im, &s->row, &rec, err);
		if (rc > 0 && add_record(im, &rec, err) < 0)
			rc = -1;
		if (rc < 0)
			return fail_row(s, err);
	}
	return rc;
}

int import_read(struct import *im, const char *path, struct libra_error *err)
{
	struct source *s = calloc(1, sizeof(*s));
	int rc = s ? 0 : sim_no_memory(err), saved;

	if (rc == 0)
		rc = input_open(&s->in, path, err);
	if (rc == 0) {
		rc = begin_source(s, im);
		if (rc == 0)
			rc = read_rows(im, s, err);
		saved = errno;
		input_close(&s->in);
		import_json_fini(&s->json);
		import_text_fini(&s->text);
		import_csv_fini(&s->csv);
		errno = saved;
	}
	free(s);
	return rc;
}

/* ---- order ---- */

struct place {
	int64_t arrival_s;
	uint32_t record;
};

/* Order by arrival; ties by submission, job and place in the log. */
static int by_arrival(const void *a, const void *b, void *arg)
{
	const struct place *x = a, *y = b;
	const struct import_record *records = arg, *p, *q;

	if (x->arrival_s != y->arrival_s)
		return x->arrival_s < y->arrival_s ? -1 : 1;
	p = &records[x->record];
	q = &records[y->record];
	if (p->submit_s != q->submit_s)
		return p->submit_s < q->submit_s ? -1 : 1;
	if (p->id != q->id)
		return p->id < q->id ? -1 : 1;
	return (x->record > y->record) - (x->record < y->record);
}

/* Sort the records in place, since a second array would double the memory: walk
 * each cycle of the permutation once.
 */
static void permute(struct import_record *records, struct place *order,
		    size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct import_record first = records[i];
		size_t at = i;

		while (order[at].record != i) {
			size_t from = order[at].record;

			records[at] = records[from];
			order[at].record = (uint32_t)at;
			at = from;
		}
		records[at] = first;
		order[at].record = (uint32_t)at;
	}
}

/* Sort by arrival; sacct sorts by other columns. */
static int sort_records(struct import *im)
{
	struct place *order = calloc(im->n + 1, sizeof(*order));
	bool already = true;

	if (!order)
		return -1;
	for (size_t i = 0; i < im->n; i++) {
		order[i] =
			(struct place){im->records[i].arrival_s, (uint32_t)i};
		already &= i == 0 || by_arrival(&order[i - 1], &order[i],
						im->records) < 0;
	}
	if (!already) {
		qsort_r(order, im->n, sizeof(*order), by_arrival, im->records);
		permute(im->records, order, im->n);
	}
	free(order);
	return 0;
}

/* ---- restarts ---- */

static void mark(struct import_record *rec, enum import_reason reason)
{
	rec->marks |= UINT64_C(1) << reason;
}

/* Did this run end in a way that the job runs again? */
static bool comes_again(const struct import_record *rec)
{
	return rec->state == IMPORT_REQUEUED ||
	       rec->state == IMPORT_NODE_FAIL ||
	       rec->state == IMPORT_PREEMPTED || rec->state == IMPORT_BOOT_FAIL;
}

/* A job number came before: it is the same job again, or, if Slurm restarted
 * its numbers, another job.
 */
static void compare_runs(const struct import_record *earlier,
			 struct import_record *rec)
{
	bool same = earlier && earlier->names.user == rec->names.user;

	if (same && (rec->requeued || comes_again(earlier))) {
		rec->restart = true;
		mark(rec, IMPORT_R_RESTART);
	} else if (rec->requeued) {
		rec->restart = true;
		mark(rec, IMPORT_R_RESTART_MISSING);
	}
	if (earlier && !rec->restart)
		mark(rec, IMPORT_R_REUSED);
}

/* Reuse the hash table, now by job alone. */
static void tell_restarts(struct import *im)
{
	memset(im->seen, 0, im->nseen * sizeof(*im->seen));
	for (size_t i = 0; i < im->n; i++) {
		struct import_record *rec = &im->records[i];
		size_t mask = im->nseen - 1;
		size_t at =
			(size_t)mixed(mixed((uint64_t)rec->id) ^ rec->part) &
			mask;
		struct import_record *earlier = NULL;

		for (; im->seen[at]; at = (at + 1) & mask) {
			earlier = &im->records[im->seen[at] - 1];
			if (earlier->id == rec->id &&
			    earlier->part == rec->part)
				break;
			earlier = NULL;
		}
		compare_runs(earlier, rec);
		im->seen[at] = (uint32_t)i + 1;
	}
}

static void count_marks(struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		for (uint64_t m = im->records[i].marks; m; m &= m - 1)
			im->count[__builtin_ctzll(m)]++;
}

/* Result: the reason that dropped most rows. */
static const struct import_reason_type *main_reason(const struct import *im)
{
	size_t most = 0;

	for (size_t i = 1; i < IMPORT_NREASONS; i++)
		if (import_reasons[i].kind == IMPORT_DROPPED &&
		    im->count[i] > im->count[most])
			most = i;
	return &import_reasons[most];
}

int import_finish(struct import *im, struct libra_error *err)
{
	if (im->n == 0 && im->rows == 0 && im->options->map)
		return libra_errf(err, EINVAL,
				  "no jobs are in the trace: it has a heading "
				  "and no rows");
	if (im->n == 0 && im->why[0] &&
	    main_reason(im) == &import_reasons[IMPORT_R_UNREADABLE])
		return libra_errf(err, EINVAL, "%s", im->why);
	if (im->n == 0 && im->rows == 0)
		return libra_errf(err, EINVAL,
				  "no jobs are in the log: sacct without -S "
				  "begins today, without -a it has one's own "
				  "jobs; see --show-command");
	if (im->n == 0 && im->bad[0] &&
	    main_reason(im) == &import_reasons[IMPORT_R_UNREADABLE])
		return libra_errf(err, EINVAL,
				  "no job is left of %zu rows; \"%s\" is no "
				  "time: it must be in seconds, or "
				  "YYYY-MM-DDTHH:MM:SS; see --show-command",
				  im->rows, im->bad);
	if (im->n == 0)
		return libra_errf(err, EINVAL,
				  "no job is left of %zu rows; most rows "
				  "were dropped because: %s",
				  im->rows, main_reason(im)->text);
	if (sort_records(im) < 0)
		return sim_no_memory(err);
	tell_restarts(im);
	count_marks(im);
	return 0;
}

/* ---- the machine ---- */

struct change {
	int64_t at_s;
	int64_t procs;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return (x->procs > y->procs) - (x->procs < y->procs);
}

int import_peak(const struct import *im, uint64_t *procs,
		struct libra_error *err)
{
	struct change *changes = calloc(2 * im->n + 1, sizeof(*changes));
	int64_t busy = 0, most = 0;
	size_t n = 0;

	if (!changes)
		return sim_no_memory(err);
	for (size_t i = 0; i < im->n; i++) {
		const struct import_record *r = &im->records[i];

		if (r->unrun || r->end_s <= r->start_s)
			continue;
		changes[n++] = (struct change){r->start_s, r->alloc_cpus};
		changes[n++] =
			(struct change){r->end_s, -(int64_t)r->alloc_cpus};
	}
	/* At one instant jobs end before others begin. */
	qsort(changes, n, sizeof(*changes), by_time);
	for (size_t i = 0; i < n; i++) {
		busy += changes[i].procs;
		most = busy > most ? busy : most;
	}
	free(changes);
	*procs = (uint64_t)most;
	return 0;
}
