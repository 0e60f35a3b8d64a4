/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - the steps of a paper's study. */
#include "sim/paper/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/paper/page.h"
#include "sim/paper/traces.h"

/* ---- texts ---- */

#define LOG(field) PAPER_NUMBER(struct sim_paper_study, #field, log.field)

static const struct paper_number common_numbers[] = {
	LOG(records),
	LOG(span_days),
	LOG(span_months),
	LOG(gap_s),
	LOG(run_s),
	LOG(procs),
	LOG(largest),
	LOG(utilization_pct),
	LOG(ran),
	LOG(over_pct),
	LOG(over_4_pct),
	LOG(over_16_pct),
	LOG(ratio_median),
	LOG(ratio_75),
	LOG(ratio_90),
	LOG(ratio_most),
	LOG(overruns),
	LOG(overruns_pct),
	LOG(overrun_s),
	LOG(overrun_ratio),
	LOG(machine),
	PAPER_NUMBER(struct sim_paper_study, "missing", missing),
	LOG(synthetic),
	LOG(figures),
	{NULL, 0},
};

static const char *say_word(FILE *fp, const struct design_place *p,
			    const char *word, const char *rest, void *arg)
{
	const struct sim_paper_study *s = arg;

	size_t trace = p->design ? p->design->trace : 0;

	if (strcmp(word, "file") == 0 || strcmp(word, "sha256") == 0) {
		fputs(word[0] == 's' ? s->sha256[trace]
		      : trace	     ? s->steps->logs[trace - 1].file
				     : s->run->paper->trace,
		      fp);
		return rest;
	}
	return s->steps->word && s->steps->word(fp, p, word, s) ? rest : NULL;
}

static struct design_place go(const struct sim_paper_study *s, const char *at)
{
	struct design_place p = design_nowhere(&s->designs);

	design_go(&p, at);
	return p;
}

double sim_paper_value(const struct sim_paper_study *s, const char *at,
		       const char *expression)
{
	struct design_place p = go(s, at);

	return paper_value(&p, &s->text, expression);
}

void sim_paper_format(char *buf, size_t size, const struct sim_paper_study *s,
		      const char *at, const char *text)
{
	struct design_place p = go(s, at);

	paper_format(buf, size, &p, &s->text, text);
}

/* ---- verdicts ---- */

int sim_paper_judge(struct sim_paper_study *s, struct libra_error *err)
{
	const struct paper_claims *c = &s->claims;

	s->results = calloc(c->n, sizeof(*s->results));
	if (!s->results)
		return sim_no_memory(err);
	claims_judge(c->claims, c->n, s, s->results);
	return 0;
}

/* A report without figures is one all the same: it says why. */
static int draw(struct sim_paper_study *s, struct libra_error *err)
{
	struct design_place nowhere = design_nowhere(&s->designs);
	int rc = 0;

	if (s->run->figures)
		rc = paper_pictures_draw(&s->pictures, &nowhere, &s->text,
					 s->steps->plots, s->steps->nplots,
					 err);
	else
		strcpy(s->pictures.why, "Figures were not asked for");
	s->log.figures = s->pictures.any;
	return rc;
}

/* ---- files ---- */

static void write_manifest(struct out_json *j, const char *key,
			   const struct sim_paper_study *s)
{
	struct report_source source = sim_paper_source(s->run, &s->source);

	report_manifest(j, key, &source);
}

void sim_paper_json_begin(struct out_json *j, FILE *fp,
			  const struct sim_paper_study *s)
{
	out_json_init(j, fp);
	out_json_object(j, NULL);
	write_manifest(j, "manifest", s);
}

void sim_paper_json_end(struct out_json *j, const struct sim_paper_study *s)
{
	claims_json(j, "claims", s->claims.claims, s->results, s->claims.n);
	out_json_end(j);
}

static void write_file(FILE *fp, const struct sim_paper_study *s,
		       const struct sim_paper_file *file)
{
	struct design_place nowhere = design_nowhere(&s->designs);

	if (file->write)
		file->write(fp, s);
	else if (file->table)
		paper_table_csv(fp, file->table, s);
	else
		paper_csv(fp, &nowhere, &s->text, file->over, file->columns);
}

static void write_claims_file(FILE *fp, const void *study)
{
	const struct sim_paper_study *s = study;
	struct out_json j;

	out_json_init(&j, fp);
	claims_json(&j, NULL, s->claims.claims, s->results, s->claims.n);
}

static void write_manifest_file(FILE *fp, const void *study)
{
	struct out_json j;

	out_json_init(&j, fp);
	write_manifest(&j, NULL, study);
}

static void fill_options(struct out_table *rows, bool exact, const void *study)
{
	const struct sim_paper_run *run =
		((const struct sim_paper_study *)study)->run;

	for (size_t i = 0; i < run->paper->nparams; i++) {
		const struct libra_param *p = &run->paper->params[i];

		out_table_cell(rows, "%s", p->name);
		paper_table_number(rows, exact, -1, run->params[i]);
		paper_table_number(rows, exact, -1, p->value);
		out_table_cell(rows, "%s", p->unit);
		out_table_cell(rows, "%s", p->help);
	}
}

static const struct out_column options_columns[] = {
	{"option", OUT_LEFT}, {"value", OUT_RIGHT}, {"default", OUT_RIGHT},
	{"unit", OUT_LEFT},   {"help", OUT_LEFT},
};
const struct paper_table sim_paper_options = {
	.name = "options",
	.title = "All options (--set NAME=VALUE)",
	.columns = options_columns,
	.ncolumns = DESIGN_COUNT(options_columns),
	.fill = fill_options,
	.fold = true,
};

static void write_page_file(FILE *fp, const void *study)
{
	sim_paper_write_page(fp, study);
}

/* The page comes last: whoever sees it finds all that it belongs to. */
static const struct sim_paper_file common_files[] = {
	{"claims.json", .write = write_claims_file},
	{"manifest.json", .write = write_manifest_file},
	{"index.html", .write = write_page_file},
};

static int write_files(const struct sim_paper_study *s, struct out_set *set,
		       const struct sim_paper_file *files, size_t n,
		       struct libra_error *err)
{
	for (size_t i = 0; i < n; i++) {
		FILE *fp = out_set_open(set, files[i].name, err);

		if (!fp)
			return -1;
		write_file(fp, s, &files[i]);
	}
	return 0;
}

static int write_report(struct sim_paper_study *s, struct libra_error *err)
{
	struct out_set set;
	int rc;

	if (out_set_init(&set, s->run->dir, err) < 0)
		return -1;
	rc = draw(s, err);
	if (rc == 0)
		rc = write_files(s, &set, s->steps->files, s->steps->nfiles,
				 err);
	if (rc == 0)
		rc = write_files(s, &set, common_files, 3, err);
	/* A name in a row or a template that nothing has. */
	if (rc == 0 && s->wrong.text[0])
		rc = libra_errf(err, EINVAL, "%s: %s", s->run->paper->name,
				s->wrong.text);
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}

/* ---- all steps ---- */

static void summarize(const struct sim_paper_study *s)
{
	struct design_place nowhere = design_nowhere(&s->designs);
	FILE *fp = s->run->summary;
	struct paper_block b;

	if (s->source.synthetic && s->steps->without_log)
		fprintf(fp, "The log %s was not found: %s\n\n",
			s->run->paper->trace, s->steps->without_log);
	paper_block_read(&b, &nowhere, &s->text, s->steps->summary);
	out_table_print(&b.table, fp);
	paper_block_fini(&b);
	fprintf(fp, "\n");
	claims_print(fp, s->claims.claims, s->results, s->claims.n);
}

int sim_paper_names(struct sim_paper_study *s, const uint64_t *seeds,
		    size_t nseeds, struct libra_error *err)
{
	const struct sim_paper_steps *steps = s->steps;
	const struct paper_ask *const asks[] = {paper_asks, steps->asks};

	s->designs = (struct design_results){
		.designs = steps->designs,
		.ndesigns = steps->ndesigns,
		.owner = s,
		.given = steps->given,
		.studies = calloc(sim_paper_ntraces(s),
				  sizeof(*s->designs.studies)),
		.seeds = seeds,
		.nseeds = nseeds,
		.wrong = &s->wrong,
	};
	s->sha256 = calloc(sim_paper_ntraces(s), sizeof(*s->sha256));
	if (!s->designs.studies || !s->sha256)
		return sim_no_memory(err);
	for (size_t i = 0; i < sim_paper_ntraces(s); i++)
		study_init(&s->designs.studies[i], seeds, nseeds);
	if (paper_claims_read(&s->claims, steps->claims, asks, err) < 0)
		return -1;
	s->text = (struct paper_text){
		.lets = s->claims.lets,
		.numbers = {steps->numbers, common_numbers},
		.word = say_word,
		.arg = s,
	};
	return 0;
}

static int set_up(struct sim_paper_study *s, struct libra_error *err)
{
	const struct sim_paper_steps *steps = s->steps;
	const struct sim_paper_run *run = s->run;

	if (sim_paper_names(s, run->seeds, run->nseeds, err) < 0)
		return -1;
	s->text.params = run->paper->params;
	s->text.nparams = run->paper->nparams;
	s->text.values = run->params;
	sim_scenario_init(&s->base);
	s->base.last = steps->last;
	if (steps->set_up && steps->set_up(s, err) < 0)
		return -1;
	return design_add_cells(&s->designs, &s->base, err);
}

void sim_paper_study_destroy(struct sim_paper_study *s)
{
	if (s->steps->fini)
		s->steps->fini(s);
	for (size_t i = 0; s->designs.studies && i < sim_paper_ntraces(s); i++)
		study_fini(&s->designs.studies[i]);
	free(s->designs.studies);
	free(s->sha256);
	design_fini(&s->designs);
	paper_pictures_fini(&s->pictures);
	paper_claims_fini(&s->claims);
	free(s->results);
	free(s);
}

static int take_steps(struct sim_paper_study *s, struct libra_error *err)
{
	if (sim_paper_measure(s, err) < 0 || sim_paper_judge(s, err) < 0 ||
	    write_report(s, err) < 0)
		return -1;
	if (s->steps->resumes)
		sim_paper_forget(s);
	if (s->run->summary)
		summarize(s);
	return 0;
}

int sim_paper_study_run(const struct sim_paper_run *run,
			const struct sim_paper_steps *steps,
			struct libra_error *err)
{
	struct sim_paper_study *s = calloc(1, steps->size);
	int rc;

	if (!s)
		return sim_no_memory(err);
	s->run = run;
	s->steps = steps;
	rc = set_up(s, err);
	if (rc == 0)
		rc = sim_paper_log_read(run, run->paper->trace, &s->source,
					err);
	if (rc == 0) {
		rc = take_steps(s, err);
		sim_paper_log_fini(&s->source);
	}
	sim_paper_study_destroy(s);
	return rc;
}
