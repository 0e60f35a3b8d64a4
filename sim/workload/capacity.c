/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capacity.c - events of nodes become levels of processors out of service.
 *
 * Overlapping events of one node are merged.  The sum over all nodes changes in
 * steps; each value that it reaches is a level, and the processors between two
 * levels are a part of the machine.
 */
#include "sim/workload/capacity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/base/names.h"
#include "sim/import/values.h"

/* A node, or processors, out of service. */
struct outage {
	uint32_t node; /* 0 = of a table: adds to all others */
	uint32_t procs;
	double from_s, to_s;
};

enum column { NODE, FROM, TO, PROCS, TRES, NCOLUMNS };

/* A file of events while it is read. */
struct reader {
	struct input in;
	const struct sim_capacity_conf *conf;
	struct outage *outages;
	size_t n, cap;
	int column[NCOLUMNS]; /* place in a row; -1 = not there */
	char delimiter;
	struct names nodes;
	struct import_clock *clock;
	struct libra_error *err;
};

static const struct {
	const char *name;
	enum column column;
} columns[] = {
	{"NodeName", NODE}, {"TimeStart", FROM}, {"Start", FROM},
	{"TimeEnd", TO},    {"End", TO},	 {"from_s", FROM},
	{"to_s", TO},	    {"procs", PROCS},	 {"CPUs", PROCS},
	{"TRES", TRES},
};

enum { MAX_FIELDS = 32 };

/* Result: the number of fields. */
static size_t divide(const struct reader *r, char *line,
		     struct import_text field[MAX_FIELDS])
{
	size_t n = 0;

	for (char *at = line; n < MAX_FIELDS; n++) {
		char *end = strchr(at, r->delimiter);

		field[n] = (struct import_text){at, end ? (size_t)(end - at)
							: strlen(at)};
		if (!end)
			return n + 1;
		at = end + 1;
	}
	return n;
}

/* Find the columns and the delimiter. */
static int read_heading(struct reader *r)
{
	struct import_text field[MAX_FIELDS];
	char *line = NULL;
	size_t n, nfields;
	int rc = input_line(&r->in, &line, &n);

	if (rc < 0)
		return -1;
	for (int i = 0; i < NCOLUMNS; i++)
		r->column[i] = -1;
	r->delimiter = rc > 0 && strchr(line, '|') ? '|' : ',';
	nfields = rc > 0 ? divide(r, line, field) : 0;
	for (size_t i = 0; i < nfields; i++)
		for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]);
		     k++)
			if (import_is(field[i], columns[k].name))
				r->column[columns[k].column] = (int)i;
	if (r->column[FROM] < 0 || r->column[TO] < 0 ||
	    (r->column[NODE] < 0 && r->column[PROCS] < 0))
		return libra_errf(
			r->err, EINVAL,
			"%s: the columns must be NodeName, TimeStart, TimeEnd "
			"(sacctmgr show event -P "
			"format=NodeName,TimeStart,TimeEnd,State) or from_s, "
			"to_s, procs",
			r->in.name);
	return 0;
}

/* Read an instant on the simulation's clock; last_s if there is none. */
static int read_instant(struct reader *r, struct import_text t, double last_s,
			double *at_s)
{
	const struct sim_capacity_conf *conf = r->conf;
	enum import_read read;
	int64_t unix_s = 0;
	double s;
	bool twice;
	char *end;

	s = strtod(t.at, &end);
	if (r->column[NODE] < 0 && end == t.at + t.n && t.n > 0) {
		*at_s = conf->factor * (s - conf->begin_s);
		return 0;
	}
	read = import_time(r->clock, t, &unix_s, &twice);
	if (read == IMPORT_NONE) {
		*at_s = last_s;
		return 0;
	}
	if (read == IMPORT_LOCAL)
		return libra_errf(r->err, EINVAL,
				  "%s:%zu: '%.*s' is a local time: run "
				  "sacctmgr with SLURM_TIME_FORMAT=%%s",
				  r->in.name, r->in.line, (int)t.n, t.at);
	if (read == IMPORT_BAD)
		return libra_errf(r->err, EINVAL, "%s:%zu: '%.*s' is no time",
				  r->in.name, r->in.line, (int)t.n, t.at);
	*at_s = conf->factor *
		((double)(unix_s - conf->unix_start) - conf->begin_s);
	return 0;
}

/* Return the processors of an event: of the file, else of a node. */
static uint32_t outage_procs(const struct reader *r,
			     const struct import_text *field)
{
	struct import_tres tres;
	int64_t n;

	if (r->column[PROCS] >= 0 &&
	    import_count(field[r->column[PROCS]], &n) == IMPORT_OK)
		return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	if (r->column[TRES] >= 0 &&
	    import_tres(field[r->column[TRES]], &tres) == IMPORT_OK &&
	    tres.cpus > 0)
		return (uint32_t)tres.cpus;
	return r->conf->node_procs;
}

/* Read one event; an event of no length is skipped. */
static int read_row(struct reader *r, char *line)
{
	struct import_text field[MAX_FIELDS];
	size_t n = divide(r, line, field);
	struct outage o = {.node = 0};
	struct outage *outages;

	for (int i = 0; i < NCOLUMNS; i++)
		if (r->column[i] >= (int)n)
			return libra_errf(r->err, EINVAL,
					  "%s:%zu: too few fields", r->in.name,
					  r->in.line);
	if (r->column[NODE] >= 0) {
		struct import_text name = field[r->column[NODE]];

		if (name.n == 0) /* of the cluster as a whole */
			return 0;
		o.node = names_add(&r->nodes, name.at, name.n);
	}
	o.procs = outage_procs(r, field);
	if (read_instant(r, field[r->column[FROM]], -INFINITY, &o.from_s) < 0 ||
	    read_instant(r, field[r->column[TO]], INFINITY, &o.to_s) < 0)
		return -1;
	if (o.procs == 0)
		return libra_errf(
			r->err, EINVAL,
			"%s:%zu: the processors of a node are not "
			"known: the log's header has no MaxNodes, and "
			"the file no column CPUs or TRES",
			r->in.name, r->in.line);
	if (!(o.to_s > o.from_s) || !(o.to_s > 0))
		return 0;
	outages = sim_grown(r->outages, &r->cap, r->n + 1, sizeof(*outages));
	if (!outages)
		return sim_no_memory(r->err);
	r->outages = outages;
	r->outages[r->n++] = o;
	return 0;
}

/* ---- levels ---- */

static int by_node(const void *a, const void *b)
{
	const struct outage *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->from_s > y->from_s) - (x->from_s < y->from_s);
}

/* Events of one node may overlap (drained, then down): it is out once. */
static void merge_nodes(struct reader *r)
{
	size_t n = 0;

	if (r->n == 0)
		return;
	qsort(r->outages, r->n, sizeof(*r->outages), by_node);
	for (size_t i = 0; i < r->n; i++) {
		struct outage *last = n > 0 ? &r->outages[n - 1] : NULL;

		if (last && last->node && last->node == r->outages[i].node &&
		    r->outages[i].from_s <= last->to_s)
			last->to_s = fmax(last->to_s, r->outages[i].to_s);
		else
			r->outages[n++] = r->outages[i];
	}
	r->n = n;
}

struct step {
	double at_s;
	int64_t procs; /* more out of service; after level(): that are out */
};

static int by_time(const void *a, const void *b)
{
	double x = ((const struct step *)a)->at_s;
	double y = ((const struct step *)b)->at_s;

	return (x > y) - (x < y);
}

/* How many are out from each instant on.  Result: the number of steps. */
static size_t sum_steps(const struct reader *r, struct step *steps)
{
	int64_t out = 0;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct outage *o = &r->outages[i];

		steps[n++] = (struct step){fmax(o->from_s, -1), o->procs};
		if (o->to_s < INFINITY)
			steps[n++] = (struct step){o->to_s, -(int64_t)o->procs};
	}
	qsort(steps, n, sizeof(*steps), by_time);
	for (size_t i = 0; i < n; i++) {
		out += steps[i].procs;
		if (i + 1 < n && steps[i + 1].at_s == steps[i].at_s)
			continue;
		steps[kept++] = (struct step){steps[i].at_s, out};
	}
	return kept;
}

static int by_level(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The parts: between neighbouring levels. */
static int make_parts(struct sim_capacity *c, const struct step *steps,
		      size_t n, int64_t **levels, uint32_t procs,
		      struct libra_error *err)
{
	uint32_t nlevels = 0;

	*levels = calloc(n + 1, sizeof(**levels));
	c->part_procs = calloc(n + 2, sizeof(*c->part_procs));
	if (!*levels || !c->part_procs)
		return sim_no_memory(err);
	for (size_t i = 0; i < n; i++)
		(*levels)[i] = steps[i].procs;
	qsort(*levels, n, sizeof(**levels), by_level);
	for (size_t i = 0; i < n; i++) {
		int64_t below = nlevels ? (*levels)[nlevels - 1] : 0;

		if ((*levels)[i] <= below)
			continue;
		c->part_procs[nlevels] = (uint32_t)((*levels)[i] - below);
		(*levels)[nlevels++] = (*levels)[i];
	}
	if (nlevels && (*levels)[nlevels - 1] > procs)
		return libra_errf(
			err, EINVAL,
			"%lld processors are out of service at one "
			"time, of %u: name the machine's with --procs",
			(long long)(*levels)[nlevels - 1], procs);
	c->least = procs - (uint32_t)(nlevels ? (*levels)[nlevels - 1] : 0);
	c->nparts = nlevels;
	if (c->least > 0)
		c->part_procs[c->nparts++] = c->least;
	return (int)nlevels;
}

/* Turn steps into changes of parts. */
static int make_changes(struct sim_capacity *c, const struct step *steps,
			size_t n, const int64_t *levels, uint32_t nlevels,
			struct libra_error *err)
{
	size_t cap = 0;
	uint32_t closed = 0; /* parts: always the first ones */

	for (size_t i = 0; i < n; i++) {
		uint32_t want = closed;

		while (want < nlevels && levels[want] <= steps[i].procs)
			want++;
		while (want > 0 && levels[want - 1] > steps[i].procs)
			want--;
		if (i + 1 < n)
			c->out_s +=
				(double)steps[i].procs *
				(steps[i + 1].at_s - fmax(steps[i].at_s, 0));
		for (; closed != want; closed += closed < want ? 1 : -1) {
			bool opens = closed > want;
			struct sim_change *changes =
				sim_grown(c->changes, &cap, c->nchanges + 1,
					  sizeof(*changes));

			if (!changes)
				return sim_no_memory(err);
			c->changes = changes;
			changes[c->nchanges++] = (struct sim_change){
				steps[i].at_s, opens ? closed - 1 : closed,
				opens};
		}
	}
	return 0;
}

/* Make parts and changes of all events. */
static int make_capacity(struct sim_capacity *c, struct reader *r)
{
	struct step *steps;
	int64_t *levels = NULL;
	size_t n;
	int rc;

	merge_nodes(r);
	steps = calloc(2 * r->n + 1, sizeof(*steps));
	if (!steps)
		return sim_no_memory(r->err);
	n = sum_steps(r, steps);
	rc = make_parts(c, steps, n, &levels, r->conf->procs, r->err);
	if (rc >= 0)
		rc = make_changes(c, steps, n, levels, (uint32_t)rc, r->err);
	free(levels);
	free(steps);
	return rc;
}

int sim_capacity_read(struct sim_capacity *c, const char *path,
		      const struct sim_capacity_conf *conf,
		      struct libra_error *err)
{
	struct reader r = {.conf = conf, .err = err};
	char *line;
	size_t n;
	int rc, saved;

	memset(c, 0, sizeof(*c));
	r.clock = calloc(1, sizeof(*r.clock));
	if (!r.clock)
		return sim_no_memory(err);
	rc = input_open(&r.in, path, err);
	if (rc == 0)
		rc = read_heading(&r);
	while (rc == 0 && (rc = input_line(&r.in, &line, &n)) > 0)
		rc = n > 0 ? read_row(&r, line) : 0;
	c->events = r.n;
	if (rc == 0)
		rc = make_capacity(c, &r);
	saved = errno;
	input_close(&r.in);
	names_fini(&r.nodes);
	free(r.outages);
	free(r.clock);
	if (rc < 0)
		sim_capacity_fini(c);
	errno = saved;
	return rc;
}

void sim_capacity_fini(struct sim_capacity *c)
{
	free(c->part_procs);
	free(c->changes);
	memset(c, 0, sizeof(*c));
}
