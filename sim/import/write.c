/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write.c - write the log, its side table, and the counts.
 *
 * To write a million records in a second, numbers are printed digit by digit
 * and the log is compressed at the lowest level (sink.h).  With a key, the
 * hashes of all names are computed once, before any file is written.
 */
#include "sim/import/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/memory.h"
#include "sim/base/version.h"
#include "sim/import/sink.h"
#include "sim/log/side.h"
#include "sim/output/file.h"
#include "sim/output/text.h"

/* ---- names ---- */

/* The text written for a number: its name, or the name's hash. */
struct shown {
	const struct names *names;
	char (*hashed)[IMPORT_HASHED];
};

/* Compute the hash of each name, if there is a key. */
static int show_names(struct shown *s, const struct names *names,
		      const struct import_key *key, struct libra_error *err)
{
	*s = (struct shown){names, NULL};
	if (!key || key->n == 0)
		return 0;
	s->hashed = calloc(names->n + 1, sizeof(*s->hashed));
	if (!s->hashed)
		return sim_no_memory(err);
	for (uint32_t i = 1; i <= names->n; i++)
		import_key_hash(key, names_text(names, i), s->hashed[i]);
	return 0;
}

static const char *name_of(const struct shown *s, uint32_t number)
{
	return s->hashed ? s->hashed[number] : names_text(s->names, number);
}

/* ---- the log ---- */

/* The import, the files to write, and names as they are shown. */
struct writer {
	const struct import *im;
	const struct import_output *to;
	struct shown users, accounts;
	int64_t begin_s; /* the first arrival */
	uint64_t procs;
};

/* Write a header comment with a date in UTC. */
static void put_header_time(struct import_sink *s, const char *name,
			    int64_t at_s)
{
	time_t t = at_s;
	char text[64];
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), "%a %b %e %H:%M:%S UTC %Y", &tm);
	import_sink_printf(s, "; %s: %s\n", name, text);
}

/* Write a header comment for each name. */
static void put_list(struct import_sink *s, const char *what,
		     const struct names *names)
{
	for (uint32_t i = 1; i <= names->n; i++) {
		import_sink_printf(s, "; %s: %" PRIu32 " ", what, i);
		import_sink_plain(s, names_text(names, i));
		import_sink_printf(s, "\n");
	}
}

/* Write a header comment for each reason that changed a row. */
static void put_counts(struct import_sink *s, const struct import *im)
{
	for (size_t i = 0; i < IMPORT_NREASONS; i++)
		if (im->count[i] > 0)
			import_sink_printf(
				s, "; Note: %zu %s: %s\n", im->count[i],
				import_kind_name(import_reasons[i].kind),
				import_reasons[i].text);
}

/* Write the log's header: where from, how many, what was changed. */
static void put_header(struct import_sink *s, const struct writer *w)
{
	const struct import *im = w->im;
	int64_t end_s = 0;

	for (size_t i = 0; i < im->n; i++)
		end_s = im->records[i].end_s > end_s ? im->records[i].end_s
						     : end_s;
	import_sink_printf(s, "; Version: 2.2\n; Computer: ");
	import_sink_plain(s, im->cluster	? im->cluster
			     : im->options->map ? "unknown"
						: "a Slurm cluster");
	import_sink_printf(s,
			   "\n; Conversion: librasim import %s"
			   "\n; MaxJobs: %zu\n; MaxRecords: %zu\n"
			   "; UnixStartTime: %" PRId64
			   "\n; TimeZoneString: UTC\n",
			   sim_version(), im->n, im->n, w->begin_s);
	put_header_time(s, "StartTime", w->begin_s);
	put_header_time(s, "EndTime", end_s);
	if (w->to->nodes)
		import_sink_printf(s, "; MaxNodes: %" PRIu32 "\n",
				   w->to->nodes);
	import_sink_printf(s, "; MaxProcs: %" PRIu64 "\n", w->procs);
	if (!w->to->procs)
		import_sink_printf(s,
				   "; Note: MaxProcs is the most that jobs "
				   "%s at one time\n",
				   im->count[IMPORT_R_START] > 0
					   ? "without a wait would have"
					   : "had");
	if (im->options->from_s)
		import_sink_printf(s, "; MeasureFrom: %" PRId64 "\n",
				   im->options->from_s - w->begin_s);
	import_sink_printf(s, "; Note: arrivals are %s times\n",
			   im->options->arrival_is_submit ? "submit"
							  : "eligible");
	put_counts(s, im);
	put_list(s, "Queue", &im->qos);
	put_list(s, "Partition", &im->partitions);
}

/* The codes of the format: 0 failed, 1 completed, 5 cancelled. */
static int status_of(const struct import_record *r)
{
	switch (r->state) {
	case IMPORT_COMPLETED:
		return 1;
	case IMPORT_CANCELLED:
	case IMPORT_REVOKED:
		return 5;
	case IMPORT_STATE_OTHER:
	case IMPORT_RUNNING:
	case IMPORT_SUSPENDED:
		return -1;
	default:
		return 0;
	}
}

static int64_t or_unknown(int64_t value)
{
	return value > 0 ? value : -1;
}

static int64_t user_of(const struct writer *w, const struct import_record *r)
{
	bool hidden = w->users.hashed != NULL;

	return r->uid >= 0 && !hidden ? r->uid : or_unknown(r->names.user);
}

/* Write the 18 fields of a record. */
static void put_record(struct import_sink *s, const struct writer *w,
		       const struct import_record *r)
{
	int64_t start_s = r->unrun ? r->end_s : r->start_s;
	int64_t wait_s = r->no_start		  ? -1
			 : start_s > r->arrival_s ? start_s - r->arrival_s
						  : 0;
	int64_t procs = r->alloc_cpus ? r->alloc_cpus : r->req_cpus;
	int64_t mem_kb = r->mem_mb > 0
				 ? (int64_t)(r->mem_mb * 1024 / (double)procs)
				 : -1;
	const int64_t fields[] = {
		r->id,
		r->arrival_s - w->begin_s,
		wait_s,
		r->unrun ? -1 : (int64_t)r->run_s,
		r->unrun ? -1 : or_unknown(r->alloc_cpus),
		r->cpu_s >= 0 ? (int64_t)(r->cpu_s + 0.5) : -1,
		-1,
		or_unknown(r->req_cpus),
		r->limit_s > 0 ? (int64_t)r->limit_s : -1,
		mem_kb,
		status_of(r),
		user_of(w, r),
		or_unknown(r->names.account),
		or_unknown(r->names.app),
		or_unknown(r->names.qos),
		or_unknown(r->names.partition),
		-1,
		-1,
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		import_sink_number(s, fields[i], i < 17 ? ' ' : '\n');
}

/* ---- the side table ---- */

static const char *const limits_from[] = {
	[IMPORT_LIMIT_OWN] = "own",
	[IMPORT_LIMIT_PROMISE] = "promise",
	[IMPORT_LIMIT_PARTITION] = "partition",
	[IMPORT_LIMIT_RUN] = "run",
	[0] = "",
};

/* Write the id as sacct does: 123, 123_7 or 123+1. */
static void put_job_id(struct import_sink *s, const struct import_record *r)
{
	import_sink_number(s, r->base, 0);
	if (r->kind == IMPORT_TASK || r->kind == IMPORT_HET) {
		import_sink_char(s, r->kind == IMPORT_TASK ? '_' : '+');
		import_sink_number(s, r->part, 0);
	}
	import_sink_char(s, ',');
}

static void put_instant(struct import_sink *s, int64_t at_s)
{
	if (at_s)
		import_sink_number(s, at_s, 0);
	import_sink_char(s, ',');
}

static bool has_deadlines(const struct import *im)
{
	return im->options->map &&
	       (import_map_has(im->options->map, IMPORT_C_DEADLINE) ||
		import_map_has(im->options->map, IMPORT_C_DEADLINE_AFTER));
}

/* Write the row of a record in the side table. */
static void put_side(struct import_sink *s, const struct writer *w, size_t i)
{
	const struct import_record *r = &w->im->records[i];

	import_sink_number(s, (int64_t)i + 1, ',');
	import_sink_number(s, r->id, ',');
	put_job_id(s, r);
	import_sink_csv(s, names_text(&w->im->partitions, r->names.partition));
	import_sink_csv(s, names_text(&w->im->qos, r->names.qos));
	import_sink_csv(s, name_of(&w->accounts, r->names.account));
	import_sink_csv(s, name_of(&w->users, r->names.user));
	put_instant(s, r->submit_s);
	put_instant(s, r->arrival_s);
	put_instant(s, r->no_start ? 0 : r->start_s);
	put_instant(s, r->no_start ? 0 : r->end_s);
	import_sink_number(s, r->suspended_s, ',');
	import_sink_csv(s, import_state_name(r->state));
	import_sink_csv(s, limits_from[r->limit_from]);
	import_sink_number(s, r->restart, ',');
	import_sink_number(s, r->censored, ',');
	import_sink_number(s, r->warmup, ',');
	import_sink_number(s, r->nodes, ',');
	import_sink_number(s, r->gpus, ',');
	if (r->mem_mb > 0)
		import_sink_number(s, (int64_t)r->mem_mb, 0);
	if (has_deadlines(w->im))
		import_sink_char(s, ',');
	if (r->deadline_s > 0)
		import_sink_number(s, r->deadline_s, 0);
	import_sink_char(s, '\n');
}

/* ---- counts, map ---- */

/* Write the table of reasons with their counts. */
static void write_counts(const struct import *im, FILE *fp)
{
	fprintf(fp,
		"kind,reason,count,text\nread,rows,%zu,rows of the log\n"
		"kept,records,%zu,runs of jobs\n",
		im->rows, im->n);
	for (size_t i = 0; i < IMPORT_NREASONS; i++) {
		const struct import_reason_type *t = &import_reasons[i];

		fprintf(fp, "%s,%s,%zu,", import_kind_name(t->kind), t->name,
			im->count[i]);
		out_csv_text(fp, t->text);
		fputc('\n', fp);
	}
}

/* Write the hash of each user and account with its name. */
static void write_map(const struct writer *w, FILE *fp)
{
	const struct {
		const char *kind;
		const struct shown *shown;
	} all[] = {{"user", &w->users}, {"account", &w->accounts}};

	fputs("kind,hash,name\n", fp);
	for (size_t i = 0; i < 2; i++)
		for (uint32_t k = 1; k <= all[i].shown->names->n; k++) {
			fprintf(fp, "%s,%s,", all[i].kind,
				name_of(all[i].shown, k));
			out_csv_text(fp, names_text(all[i].shown->names, k));
			fputc('\n', fp);
		}
}

void import_summary(const struct import *im, FILE *fp)
{
	enum import_kind kind = 0;

	fprintf(fp, "%zu rows, %zu runs of jobs\n", im->rows, im->n);
	for (size_t i = 0; i < IMPORT_NREASONS; i++) {
		const struct import_reason_type *t = &import_reasons[i];

		if (im->count[i] == 0)
			continue;
		if (t->kind != kind)
			fprintf(fp, "%s:\n", import_kind_name(t->kind));
		kind = t->kind;
		fprintf(fp, "  %9zu %s\n", im->count[i], t->text);
	}
}

/* ---- all of it ---- */

static int write_log(const struct writer *w, struct out_file *f,
		     struct libra_error *err)
{
	struct import_sink s;

	if (import_sink_begin(&s, f, err) < 0)
		return -1;
	put_header(&s, w);
	for (size_t i = 0; i < w->im->n; i++)
		put_record(&s, w, &w->im->records[i]);
	return import_sink_end(&s, err);
}

/* Write the side table. */
static int write_table(const struct writer *w, struct out_file *f,
		       struct libra_error *err)
{
	struct import_sink s;

	if (import_sink_begin(&s, f, err) < 0)
		return -1;
	import_sink_printf(&s, "%s%s\n", side_heading,
			   has_deadlines(w->im) ? ",deadline_s" : "");
	for (size_t i = 0; i < w->im->n; i++)
		put_side(&s, w, i);
	return import_sink_end(&s, err);
}

enum { LOG, TABLE, COUNTS, MAP, NFILES };

/* Begin all files that are asked for. */
static int open_files(struct out_file file[NFILES],
		      const struct import_output *to, struct libra_error *err)
{
	const char *const paths[NFILES] = {to->log, to->table, to->counts,
					   to->map};

	for (int i = 0; i < NFILES; i++)
		if (paths[i] && out_open(&file[i], paths[i], err) < 0)
			return -1;
	/* The map has all names: its owner alone may read it. */
	if (file[MAP].fp && fchmod(fileno(file[MAP].fp), 0600) < 0)
		return libra_errf(err, errno, "%s: %s", to->map,
				  strerror(errno));
	return 0;
}

/* Write all files, then rename them. */
static int write_files(const struct writer *w, struct out_file file[NFILES],
		       struct libra_error *err)
{
	int rc = 0;

	if (file[LOG].fp)
		rc = write_log(w, &file[LOG], err);
	if (rc == 0 && file[TABLE].fp)
		rc = write_table(w, &file[TABLE], err);
	if (rc == 0 && file[COUNTS].fp)
		write_counts(w->im, file[COUNTS].fp);
	if (rc == 0 && file[MAP].fp)
		write_map(w, file[MAP].fp);
	for (int i = 0; rc == 0 && i < NFILES; i++)
		if (file[i].fp)
			rc = out_commit(&file[i], err);
	return rc;
}

int import_write(const struct import *im, const struct import_output *to,
		 struct libra_error *err)
{
	struct writer w = {
		.im = im,
		.to = to,
		.begin_s = im->records[0].arrival_s,
		.procs = to->procs,
	};
	struct out_file file[NFILES] = {{NULL}};
	int rc;

	rc = show_names(&w.users, &im->users, to->key, err);
	if (rc == 0)
		rc = show_names(&w.accounts, &im->accounts, to->key, err);
	if (rc == 0 && !to->procs)
		rc = import_peak(im, &w.procs, err);
	if (rc == 0)
		rc = open_files(file, to, err);
	if (rc == 0)
		rc = write_files(&w, file, err);
	for (int i = 0; i < NFILES; i++)
		if (file[i].fp)
			out_abort(&file[i]);
	free(w.users.hashed);
	free(w.accounts.hashed);
	return rc;
}
