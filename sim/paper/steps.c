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

/* Write a word that all texts know: see steps.h. */
static const char *say_word(FILE *fp, const struct design_place *p,
			    const char *word, const char *rest, void *arg)
{
	const struct sim_paper_study *s = arg;
	size_t trace = design_trace(p);

	if (strcmp(word, "file") == 0 || strcmp(word, "sha256") == 0) {
		fputs(word[0] == 's' ? s->sha256[trace]
		      : trace	     ? s->paper->logs[trace - 1].file
				     : s->paper->trace,
		      fp);
		return rest;
	}
	return s->paper->page.word && s->paper->page.word(fp, p, word, s)
		       ? rest
		       : NULL;
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

/* Draw the figures; without them the report has the reason. */
static int draw(struct sim_paper_study *s, struct libra_error *err)
{
	struct design_place nowhere = design_nowhere(&s->designs);
	int rc = 0;

	if (s->run->figures)
		rc = paper_pictures_draw(&s->pictures, &nowhere, &s->text,
					 s->paper->plots, s->paper->nplots,
					 err);
	else
		strcpy(s->pictures.why, "Figures were not asked for");
	sim_paper_set(s, "figures", s->pictures.any);
	return rc;
}

/* ---- files ---- */

static void write_manifest(struct out_json *j, const char *key,
			   const struct sim_paper_study *s)
{
	struct report_source source = sim_paper_source(s);

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
	else if (!file->table)
		paper_csv(fp, &nowhere, &s->text, file->over, file->columns);
	else if (!paper_table_csv(fp, file->table, s))
		design_no_memory(&s->designs);
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

static void write_page_file(FILE *fp, const void *study)
{
	sim_paper_write_page(fp, study);
}

/* The page is renamed last, when all files that it names exist. */
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

/* Draw the figures and write all files, or none. */
static int write_report(struct sim_paper_study *s, struct libra_error *err)
{
	struct out_set set;
	int rc;

	/* It takes a while: until then there is no folder to be left. */
	if (draw(s, err) < 0 || out_set_init(&set, s->run->dir, err) < 0)
		return -1;
	rc = write_files(s, &set, s->paper->files, s->paper->nfiles, err);
	if (rc == 0)
		rc = write_files(s, &set, common_files, 3, err);
	/* A name in a row or a template that nothing has. */
	if (rc == 0 && s->wrong.text[0])
		rc = libra_errf(err, EINVAL, "%s: %s", s->paper->name,
				s->wrong.text);
	if (rc == 0)
		return out_set_commit(&set, err);
	out_set_abort(&set);
	return -1;
}

/* ---- all steps ---- */

/* Print the table and the claims for the terminal. */
static void summarize(const struct sim_paper_study *s)
{
	struct design_place nowhere = design_nowhere(&s->designs);
	FILE *fp = s->run->summary;
	struct paper_block b;

	if (s->source.synthetic && s->paper->without_log)
		fprintf(fp, "The log %s was not found: %s\n\n", s->paper->trace,
			s->paper->without_log);
	paper_block_read(&b, &nowhere, &s->text, s->paper->summary);
	if (out_table_print(&b.table, fp) < 0)
		fprintf(fp, "(out of memory: no table; the report has it)\n");
	paper_block_fini(&b);
	fprintf(fp, "\n");
	claims_print(fp, s->claims.claims, s->results, s->claims.n);
}

int sim_paper_names(struct sim_paper_study *s, const uint64_t *seeds,
		    size_t nseeds, struct libra_error *err)
{
	const struct sim_paper *paper = s->paper;
	const struct paper_ask *const asks[] = {paper_asks, paper->asks};
	size_t ntraces = sim_paper_ntraces(s);

	s->designs = (struct design_results){
		.designs = paper->designs,
		.ndesigns = paper->ndesigns,
		.owner = s,
		.given = paper->given,
		.studies = calloc(ntraces, sizeof(*s->designs.studies)),
		.seeds = seeds,
		.nseeds = nseeds,
		.wrong = &s->wrong,
	};
	s->sha256 = calloc(ntraces, sizeof(*s->sha256));
	if (!s->designs.studies || !s->sha256)
		return sim_no_memory(err);
	for (size_t i = 0; i < ntraces; i++)
		study_init(&s->designs.studies[i], seeds, nseeds);
	if (paper_claims_read(&s->claims, paper->claims, asks, err) < 0)
		return -1;
	s->text = (struct paper_text){
		.lets = s->claims.lets,
		.numbers = &s->numbers,
		.word = say_word,
		.arg = s,
	};
	return 0;
}

/* Prepare texts, claims, the base scenario and the cells of all designs. */
static int set_up(struct sim_paper_study *s, struct libra_error *err)
{
	const struct sim_paper_run *run = s->run;

	if (sim_paper_names(s, run->seeds, run->nseeds, err) < 0)
		return -1;
	s->text.params = s->paper->params;
	s->text.nparams = s->paper->nparams;
	s->text.values = run->params;
	sim_scenario_init(&s->base);
	s->base.last = s->paper->last;
	return design_add_cells(&s->designs, &s->base, err);
}

void sim_paper_study_destroy(struct sim_paper_study *s)
{
	if (s->paper->fini)
		s->paper->fini(s);
	for (size_t i = 0; s->designs.studies && i < sim_paper_ntraces(s); i++)
		study_fini(&s->designs.studies[i]);
	free(s->designs.studies);
	free(s->sha256);
	swf_fini(&s->source.trace);
	design_fini(&s->designs);
	paper_pictures_fini(&s->pictures);
	paper_claims_fini(&s->claims);
	free(s->results);
	free(s);
}

/* Take the steps of a study in order. */
static int take_steps(struct sim_paper_study *s, struct libra_error *err)
{
	if (set_up(s, err) < 0 || sim_paper_read_log(s, err) < 0 ||
	    sim_paper_measure(s, err) < 0 || sim_paper_judge(s, err) < 0 ||
	    write_report(s, err) < 0)
		return -1;
	if (s->paper->resumes)
		sim_paper_forget(s);
	if (s->run->summary)
		summarize(s);
	return 0;
}

int sim_paper_run(const struct sim_paper_run *run, struct libra_error *err)
{
	size_t size = run->paper->size;
	struct sim_paper_study *s = calloc(1, size ? size : sizeof(*s));
	int rc;

	if (!s)
		return sim_no_memory(err);
	s->run = run;
	s->paper = run->paper;
	rc = take_steps(s, err);
	sim_paper_study_destroy(s);
	return rc;
}
