/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.c - results by the fingerprints of their points.
 *
 * The file is an array of struct entry, each with the key of its point
 * (point.h).  It is read and sorted once; a result is found by bisection.
 */
#include "sim/study/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"

/* Points between two writes: a few seconds of work. */
#define SLICE 60

struct entry {
	char key[SIM_POINT_KEY_SIZE];
	struct sim_result result;
};

struct kept {
	struct entry *entries;
	size_t n;
};

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strncmp(x->key, y->key, sizeof(x->key));
}

/* A file that cannot be read counts as empty. */
static void read_kept(struct kept *k, const char *path)
{
	FILE *fp = path ? fopen(path, "rb") : NULL;
	struct entry entry;

	while (fp && fread(&entry, sizeof(entry), 1, fp) == 1) {
		struct entry *more =
			realloc(k->entries, (k->n + 1) * sizeof(*k->entries));

		if (!more)
			break;
		k->entries = more;
		k->entries[k->n++] = entry;
	}
	if (fp)
		fclose(fp);
	if (k->n > 0)
		qsort(k->entries, k->n, sizeof(*k->entries), by_key);
}

/* Append the results of a slice to the file. */
static int append(const char *path, const struct sim_point *points,
		  const struct sim_result *results, size_t n, const char *log,
		  struct libra_error *err)
{
	FILE *fp = fopen(path, "ab");
	bool failed = !fp;

	for (size_t i = 0; !failed && i < n; i++) {
		struct entry entry;

		memset(&entry, 0, sizeof(entry));
		sim_point_key(&points[i], log, entry.key);
		entry.result = results[i];
		failed = fwrite(&entry, sizeof(entry), 1, fp) != 1;
	}
	if (fp && fclose(fp) != 0)
		failed = true;
	if (failed)
		return libra_errf(err, errno, "cannot write %s: %s", path,
				  strerror(errno));
	return 0;
}

/* Points that are run together, before their results are written. */
struct slice {
	struct sim_point points[SLICE];
	struct sim_result results[SLICE];
	size_t at[SLICE]; /* in the study */
	size_t n;
};

static void show(void *arg, double done, double total)
{
	struct checkpoint *r = arg;

	/* Do not show the end of a slice as the end of all. */
	done += (double)r->done;
	if (r->progress && done < (double)r->total)
		r->progress(r->arg, done, (double)r->total);
}

/* Run the points of a slice, and keep their results. */
static int run_slice(struct checkpoint *r, struct study *s, struct slice *slice,
		     const struct swf_trace *trace, const char *log,
		     unsigned nworkers, struct libra_error *err)
{
	if (slice->n == 0)
		return 0;
	if (sim_grid_run(trace, slice->points, slice->n, slice->results,
			 nworkers, show, r, err) < 0)
		return -1;
	for (size_t i = 0; i < slice->n; i++)
		s->results[slice->at[i]] = slice->results[i];
	r->done += slice->n;
	if (r->path && out_make_folder(r->folder, err) < 0)
		return -1;
	if (r->path && append(r->path, slice->points, slice->results, slice->n,
			      log, err) < 0)
		return -1;
	slice->n = 0;
	return 0;
}

/* Take known results, and run the other points slice by slice. */
static int run_all(struct checkpoint *r, struct study *s, const struct kept *k,
		   struct slice *slice, const struct swf_trace *trace,
		   const char *log, unsigned nworkers, struct libra_error *err)
{
	size_t n = s->ncells * s->nseeds;

	for (size_t i = 0; i < n; i++) {
		const struct entry *known;
		struct entry wanted;

		sim_point_key(&s->points[i], log, wanted.key);
		known = k->n == 0 ? NULL
				  : bsearch(&wanted, k->entries, k->n,
					    sizeof(wanted), by_key);
		if (known) {
			s->results[i] = known->result;
			r->done++;
			continue;
		}
		slice->points[slice->n] = s->points[i];
		slice->at[slice->n++] = i;
		if (slice->n == SLICE &&
		    run_slice(r, s, slice, trace, log, nworkers, err) < 0)
			return -1;
	}
	return run_slice(r, s, slice, trace, log, nworkers, err);
}

int checkpoint_run(struct checkpoint *r, struct study *s,
		   const struct swf_trace *trace, const char *log,
		   unsigned nworkers, struct libra_error *err)
{
	struct slice *slice = calloc(1, sizeof(*slice));
	struct kept kept = {NULL, 0};
	int rc = -1;

	free(s->results);
	s->results = calloc(s->ncells * s->nseeds + 1, sizeof(*s->results));
	if (!slice || !s->results) {
		sim_no_memory(err);
	} else {
		read_kept(&kept, r->path);
		rc = run_all(r, s, &kept, slice, trace, log, nworkers, err);
	}
	free(kept.entries);
	free(slice);
	return rc;
}
