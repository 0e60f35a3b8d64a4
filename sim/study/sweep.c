/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep.c - the file of a sweep, its points, and its table.
 *
 * The file is parsed by libconfuse into a table of options made from the fields
 * of a scenario.  libconfuse reports errors through a callback without an
 * argument, so the file and the error being filled in are static while it
 * parses.
 */
#include "sim/study/sweep.h"

#include <confuse.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"

#define NPLAIN	 17 /* options of the file that are no scenario field */
#define MAX_FILE (1 << 20)

/* ---- the file ---- */

/* The names of the scenario fields in files. */
struct names {
	char text[SWEEP_MAX_FIELDS][OUT_KEY_SIZE];
};

static void make_names(struct names *names)
{
	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		out_key(names->text[i], sim_scenario_fields[i].name);
	}
}

/* libconfuse reports errors through a function without an argument of the
 * caller's.  These hold the error to set and the path while it parses.
 */
static struct libra_error *parse_error;
static const char *parse_path;

/* Keep libconfuse's error, which it would print. */
static void keep_error(cfg_t *cfg, const char *fmt, va_list ap)
{
	char text[256];

	vsnprintf(text, sizeof(text), fmt, ap);
	libra_errf(parse_error, EINVAL, "%s:%d: %s", parse_path, cfg->line,
		   text);
}

/* Blank out comments: libconfuse counts the lines after them twice. */
static void strip_comments(char *text)
{
	bool quoted = false, comment = false;

	for (char *c = text; *c; c++) {
		if (*c == '\n')
			comment = false;
		else if (*c == '"' && !comment)
			quoted = !quoted;
		else if (*c == '#' && !quoted)
			comment = true;
		if (comment)
			*c = ' ';
	}
}

/* The text of a small file, to be freed, or NULL. */
static char *read_text(const char *path, struct libra_error *err)
{
	FILE *fp = fopen(path, "r");
	char *text = calloc(1, MAX_FILE + 1);
	size_t n = fp && text ? fread(text, 1, MAX_FILE, fp) : 0;
	int rc = 0;

	if (!fp || !text || ferror(fp))
		rc = libra_errf(err, errno, "%s: %s", path, strerror(errno));
	else if (n == MAX_FILE || strlen(text) != n)
		rc = libra_errf(err, EINVAL,
				"%s: not a sweep file (see librasim-sweep(1))",
				path);
	if (fp)
		fclose(fp);
	if (rc == 0)
		return text;
	free(text);
	return NULL;
}

/* Return true if all defaults exist.  libconfuse omits a default without an
 * error if memory is out.
 */
static bool has_defaults(cfg_t *cfg, const cfg_opt_t *options)
{
	for (const cfg_opt_t *o = options; o->name; o++)
		if (!(o->flags & CFGF_NODEFAULT) && cfg_size(cfg, o->name) == 0)
			return false;
	return true;
}

/* Parse the file of a sweep.  Result: NULL with err. */
static cfg_t *parse(const char *path, const struct names *names,
		    struct libra_error *err)
{
	cfg_opt_t options[NPLAIN + SWEEP_MAX_FIELDS + 1] = {
		CFG_STR("trace", NULL, CFGF_NODEFAULT),
		CFG_INT("last", 0, CFGF_NONE),
		CFG_INT("procs", 0, CFGF_NONE),
		CFG_INT("node_procs", 0, CFGF_NONE),
		CFG_BOOL("few_nodes", cfg_false, CFGF_NONE),
		CFG_STR_LIST("policies", NULL, CFGF_NODEFAULT),
		CFG_STR_LIST("set", NULL, CFGF_NODEFAULT),
		CFG_INT_LIST("seeds", "{1}", CFGF_NONE),
		CFG_BOOL("keep_unrun", cfg_false, CFGF_NONE),
		CFG_BOOL("kill_at_estimate", cfg_false, CFGF_NONE),
		CFG_STR("deadline_model", NULL, CFGF_NODEFAULT),
		CFG_FLOAT("correct", 0, CFGF_NONE),
		CFG_FLOAT("ordinary", -1, CFGF_NONE),
		CFG_STR("predictor", NULL, CFGF_NODEFAULT),
		CFG_STR("correction", NULL, CFGF_NODEFAULT),
		CFG_STR("event_order", NULL, CFGF_NODEFAULT),
		CFG_STR("filter", NULL, CFGF_NODEFAULT),
	};
	char *text = read_text(path, err);
	cfg_t *cfg;
	bool no_memory;
	int rc;

	if (!text)
		return NULL;
	for (size_t i = 0; i < sim_scenario_nfields; i++)
		options[NPLAIN + i] = (cfg_opt_t)CFG_FLOAT_LIST(
			names->text[i], NULL, CFGF_NODEFAULT);
	options[NPLAIN + sim_scenario_nfields] = (cfg_opt_t)CFG_END();
	cfg = cfg_init(options, CFGF_NONE);
	if (!cfg || !has_defaults(cfg, options)) {
		sim_no_memory(err);
		if (cfg)
			cfg_free(cfg);
		free(text);
		return NULL;
	}
	cfg_set_error_function(cfg, keep_error);
	strip_comments(text);
	parse_error = err;
	parse_path = path;
	errno = 0;
	rc = cfg_parse_buf(cfg, text);
	no_memory = errno == ENOMEM;
	parse_error = NULL;
	parse_path = NULL;
	free(text);
	if (rc == CFG_SUCCESS)
		return cfg;
	cfg_free(cfg);
	if (no_memory) {
		sim_no_memory(err);
		return NULL;
	}
	libra_errf(err, EINVAL, "%s: not a sweep file (see librasim-sweep(1))",
		   path);
	return NULL;
}

/* Read the policies and assignments to their parameters. */
static int read_policies(struct sweep *s, cfg_t *cfg, const char *path,
			 struct libra_error *err)
{
	struct libra_error why = {""};

	if (cfg_size(cfg, "policies") == 0)
		return libra_errf(err, EINVAL, "%s: 'policies' is missing",
				  path);
	for (unsigned i = 0; i < cfg_size(cfg, "policies"); i++)
		if (sim_policies_add(&s->policies,
				     cfg_getnstr(cfg, "policies", i), &why) < 0)
			return libra_errf(err, EINVAL, "%s: %s", path,
					  why.text);
	for (unsigned i = 0; i < cfg_size(cfg, "set"); i++)
		if (sim_policies_set(&s->policies, cfg_getnstr(cfg, "set", i),
				     &why) < 0)
			return libra_errf(err, EINVAL, "%s: %s", path,
					  why.text);
	return 0;
}

static int read_name(struct sim_scenario *sc, cfg_t *cfg, enum sim_names names,
		     struct libra_error *err)
{
	const char *name = cfg_getstr(cfg, sim_names_key(names));
	int value = name ? sim_names_find(names, name, err) : 0;

	if (value < 0)
		return -1;
	sim_prediction_set(&sc->prediction, names, value);
	return 0;
}

/* Read the log and the numbers that have one value. */
static int read_base(struct sweep *s, cfg_t *cfg, const char *path,
		     struct libra_error *err)
{
	const char *model = cfg_getstr(cfg, "deadline_model");
	long last = cfg_getint(cfg, "last"), procs = cfg_getint(cfg, "procs");
	long node_procs = cfg_getint(cfg, "node_procs");
	struct libra_error why = {""};

	if (!cfg_getstr(cfg, "trace"))
		return libra_errf(err, EINVAL, "%s: 'trace' is missing", path);
	if (last < 0 || procs < 0 || procs > UINT32_MAX / 2 || node_procs < 0 ||
	    node_procs > UINT32_MAX / 2)
		return libra_errf(err, EINVAL,
				  "%s: last, procs and node_procs must not be "
				  "negative",
				  path);
	s->trace = strdup(cfg_getstr(cfg, "trace"));
	if (!s->trace)
		return sim_no_memory(err);
	sim_scenario_init(&s->base);
	s->base.last = (size_t)last;
	s->base.procs = (uint32_t)procs;
	s->base.node_procs = (uint32_t)node_procs;
	s->base.few_nodes = cfg_getbool(cfg, "few_nodes");
	s->base.keep_unrun = cfg_getbool(cfg, "keep_unrun");
	s->base.kill_at_estimate = cfg_getbool(cfg, "kill_at_estimate");
	s->base.correct = cfg_getfloat(cfg, "correct");
	s->base.ordinary_pct = cfg_getfloat(cfg, "ordinary");
	if (model && !sim_deadline_model_find(model))
		return libra_errf(
			err, EINVAL,
			"%s: deadline_model must be run, estimate or user, not '%s'",
			path, model);
	for (int i = 0; i < SIM_NNAMES; i++)
		if (read_name(&s->base, cfg, (enum sim_names)i, &why) < 0)
			return libra_errf(err, EINVAL, "%s: %s", path,
					  why.text);
	if (model)
		sim_scenario_deadlines(&s->base,
				       sim_deadline_model_find(model));
	return 0;
}

/* Set the swept fields to their n-th combination. */
static void set_fields(struct sweep *s, cfg_t *cfg, const struct names *names,
		       size_t n, struct sim_scenario *sc)
{
	for (size_t k = s->nswept; k-- > 0;) {
		size_t field = s->swept[k];
		unsigned size = cfg_size(cfg, names->text[field]);

		sim_scenario_set(sc, field,
				 cfg_getnfloat(cfg, names->text[field],
					       (unsigned)(n % size)));
		n /= size;
	}
}

/* Fields with one value are set in the base.  Result: the number of
 * combinations of the others.
 */
static size_t read_fields(struct sweep *s, cfg_t *cfg,
			  const struct names *names)
{
	size_t n = 1;

	for (size_t i = 0; i < sim_scenario_nfields; i++) {
		unsigned size = cfg_size(cfg, names->text[i]);

		if (size == 1)
			sim_scenario_set(&s->base, i,
					 cfg_getnfloat(cfg, names->text[i], 0));
		if (size < 2)
			continue;
		s->swept[s->nswept++] = i;
		n *= size;
	}
	return n;
}

/* Make the points of all combinations. */
static int make_points(struct sweep *s, cfg_t *cfg, const struct names *names,
		       const char *path, struct libra_error *err)
{
	size_t ncombinations = read_fields(s, cfg, names);
	unsigned nseeds = cfg_size(cfg, "seeds");
	struct libra_error why = {""};
	struct sim_point *point;

	s->npoints = ncombinations * s->policies.n * nseeds;
	s->points = calloc(s->npoints, sizeof(*s->points));
	if (!s->points)
		return sim_no_memory(err);
	point = s->points;
	for (size_t c = 0; c < ncombinations; c++) {
		struct sim_scenario sc = s->base;

		set_fields(s, cfg, names, c, &sc);
		if (sim_scenario_check(&sc, &why) < 0)
			return libra_errf(err, EINVAL, "%s: %s", path,
					  why.text);
		for (size_t p = 0; p < s->policies.n; p++)
			for (unsigned k = 0; k < nseeds; k++, point++) {
				long seed = cfg_getnint(cfg, "seeds", k);

				point->scenario = sc;
				point->scenario.seed = (uint64_t)seed;
				point->policy = s->policies.list[p].type;
				point->params = s->policies.list[p].params;
				if (seed < 0)
					return libra_errf(
						err, EINVAL,
						"%s: the seed %ld is negative",
						path, seed);
			}
	}
	return 0;
}

int sweep_read(struct sweep *s, const char *path, struct libra_error *err)
{
	struct names names;
	cfg_t *cfg;
	int rc = -1;

	memset(s, 0, sizeof(*s));
	make_names(&names);
	cfg = parse(path, &names, err);
	if (!cfg)
		return -1;
	if (read_policies(s, cfg, path, err) == 0 &&
	    read_base(s, cfg, path, err) == 0)
		rc = make_points(s, cfg, &names, path, err);
	cfg_free(cfg);
	return rc;
}

void sweep_fini(struct sweep *s)
{
	sim_policies_fini(&s->policies);
	free(s->trace);
	free(s->points);
	memset(s, 0, sizeof(*s));
}

/* ---- rows ---- */

void sweep_heading(FILE *fp, const struct sweep *s)
{
	struct names names;

	make_names(&names);
	fputs("key,policy,seed", fp);
	for (size_t i = 0; i < s->nswept; i++)
		fprintf(fp, ",%s", names.text[s->swept[i]]);
	for (size_t c = 0; c < sim_result_ncolumns; c++)
		fprintf(fp, ",%s", sim_result_columns[c].name);
	fputc('\n', fp);
}

void sweep_row(FILE *fp, const struct sweep *s, const struct sim_point *point,
	       const char *key, const struct sim_result *result)
{
	fprintf(fp, "%s,%s,%llu", key, point->policy->name,
		(unsigned long long)point->scenario.seed);
	for (size_t i = 0; i < s->nswept; i++) {
		fputc(',', fp);
		out_csv_number(
			fp, sim_scenario_value(&point->scenario, s->swept[i]));
	}
	for (size_t c = 0; c < sim_result_ncolumns; c++) {
		fputc(',', fp);
		out_csv_number(
			fp, sim_result_value(result, &sim_result_columns[c]));
	}
	fputc('\n', fp);
}

static int by_key(const void *a, const void *b)
{
	return strncmp(*(char *const *)a, *(char *const *)b,
		       SIM_POINT_KEY_SIZE - 1);
}

/* Compare the first line of a table.  Result: 1, 0, or -1 with ENOMEM. */
static int same_heading(const char *line, const struct sweep *s)
{
	char *expected = NULL;
	size_t n;
	FILE *fp = out_memory(&expected, &n);
	int same;

	if (!fp)
		return -1;
	sweep_heading(fp, s);
	if (fclose(fp) != 0) {
		free(expected);
		return -1;
	}
	same = strcmp(line, expected) == 0;
	free(expected);
	return same;
}

/* Append a row of an older table. */
static int add_row(struct sweep_rows *rows, const char *line)
{
	char **bigger = realloc(rows->line, (rows->n + 1) * sizeof(*bigger));

	if (!bigger)
		return -1;
	rows->line = bigger;
	bigger[rows->n] = strdup(line);
	return bigger[rows->n++] ? 0 : -1;
}

int sweep_rows_read(struct sweep_rows *rows, const struct sweep *s,
		    const char *path, struct libra_error *err)
{
	char *line = NULL;
	size_t size = 0;
	FILE *fp = fopen(path, "r");
	int rc = 0;

	memset(rows, 0, sizeof(*rows));
	if (!fp && errno == ENOENT)
		return 0;
	if (!fp)
		return libra_errf(err, errno, "%s: %s", path, strerror(errno));
	if (getline(&line, &size, fp) < 0 || same_heading(line, s) != 1)
		rc = libra_errf(err, EINVAL,
				"%s: it has the columns of another sweep: give "
				"another file, or remove it",
				path);
	while (rc == 0 && getline(&line, &size, fp) >= 0)
		if (strlen(line) > SIM_POINT_KEY_SIZE &&
		    add_row(rows, line) < 0)
			rc = sim_no_memory(err);
	free(line);
	fclose(fp);
	if (rows->n > 0)
		qsort(rows->line, rows->n, sizeof(*rows->line), by_key);
	return rc;
}

void sweep_rows_fini(struct sweep_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->line[i]);
	free(rows->line);
	memset(rows, 0, sizeof(*rows));
}

const char *sweep_rows_find(const struct sweep_rows *rows, const char *key)
{
	char **found = rows->n == 0 ? NULL
				    : bsearch(&key, rows->line, rows->n,
					      sizeof(*rows->line), by_key);

	return found ? *found : NULL;
}
