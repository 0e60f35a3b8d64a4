/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c - the steps of a paper's study, and its report's frame. */
#include "sim/paper/steps.h"

#include <errno.h>
#include <stdlib.h>

static int judge(struct sim_paper_study *s, const struct sim_paper_steps *steps,
		 struct libra_error *err)
{
	if (steps->judge)
		return steps->judge(s, err);
	s->claims = steps->claims;
	s->nclaims = steps->nclaims;
	s->results = calloc(s->nclaims, sizeof(*s->results));
	if (!s->results)
		return libra_errf(err, ENOMEM, "out of memory");
	claims_judge(s->claims, s->nclaims, s, s->results);
	return 0;
}

/* ---- figures ---- */

/* A report without figures is one all the same: it says why. */
static int draw(struct sim_paper_study *s, const struct sim_paper_steps *steps,
		struct libra_error *err)
{
	struct sim_paper_pictures *p = &s->pictures;
	struct libra_error why = {.text = ""};

	p->svg = calloc(steps->npictures, sizeof(*p->svg));
	if (!p->svg)
		return libra_errf(err, ENOMEM, "out of memory");
	snprintf(p->why, sizeof(p->why), "%s",
		 s->run->figures ? "Gnuplot was not found"
				 : "Figures were not asked for");
	if (!s->run->figures)
		return 0;
	for (size_t i = 0; i < steps->npictures; i++) {
		if (steps->draw(s, i, &p->svg[i], &why) < 0)
			snprintf(p->why, sizeof(p->why), "%.250s", why.text);
		if (!p->svg[i])
			return 0;
	}
	p->any = true;
	return 0;
}

static void pictures_fini(struct sim_paper_pictures *p, size_t n)
{
	for (size_t i = 0; p->svg && i < n; i++)
		free(p->svg[i]);
	free(p->svg);
}

/* ---- files ---- */

static void write_claims(FILE *fp, const struct sim_paper_study *s)
{
	struct out_json j;

	out_json_init(&j, fp);
	claims_json(&j, NULL, s->claims, s->results, s->nclaims);
}

static void write_manifest(FILE *fp, const struct sim_paper_study *s)
{
	struct report_source source = sim_paper_source(s->run, &s->source);
	struct out_json j;

	out_json_init(&j, fp);
	report_manifest(&j, NULL, &source);
}

static void write_index(FILE *fp, const struct sim_paper_study *s,
			const struct sim_paper_steps *steps)
{
	struct report_source source = sim_paper_source(s->run, &s->source);

	report_begin(fp, &source, steps->headline);
	steps->write_page(fp, s);
	report_section(fp, "how", "How it was made");
	report_provenance(fp, &source);
	steps->write_readings(fp, s);
	report_end(fp, &source);
}

/* The page comes last: whoever sees it finds all that it belongs to. */
static int write_files(const struct sim_paper_study *s,
		       const struct sim_paper_steps *steps, struct out_set *set,
		       struct libra_error *err)
{
	FILE *fp;

	for (size_t i = 0; i < steps->nfiles; i++) {
		fp = out_set_open(set, steps->files[i].name, err);
		if (!fp)
			return -1;
		steps->files[i].write(fp, s);
	}
	fp = out_set_open(set, "claims.json", err);
	if (!fp)
		return -1;
	write_claims(fp, s);
	fp = out_set_open(set, "manifest.json", err);
	if (!fp)
		return -1;
	write_manifest(fp, s);
	fp = out_set_open(set, "index.html", err);
	if (!fp)
		return -1;
	write_index(fp, s, steps);
	return 0;
}

static int write_report(struct sim_paper_study *s,
			const struct sim_paper_steps *steps,
			struct libra_error *err)
{
	struct out_set set;

	if (out_set_init(&set, s->run->dir, err) < 0)
		return -1;
	if (draw(s, steps, err) < 0 || write_files(s, steps, &set, err) < 0) {
		out_set_abort(&set);
		return -1;
	}
	return out_set_commit(&set, err);
}

/* ---- all steps ---- */

static void summarize(const struct sim_paper_study *s,
		      const struct sim_paper_steps *steps)
{
	FILE *fp = s->run->summary;
	struct out_table t;

	if (s->source.synthetic && steps->without_log)
		fprintf(fp, "The log %s was not found: %s\n\n",
			s->run->paper->trace, steps->without_log);
	out_table_init(&t, steps->columns, steps->ncolumns);
	steps->summarize(s, &t);
	out_table_print(&t, fp);
	out_table_fini(&t);
	fprintf(fp, "\n");
	claims_print(fp, s->claims, s->results, s->nclaims);
}

static int take_steps(struct sim_paper_study *s,
		      const struct sim_paper_steps *steps,
		      struct libra_error *err)
{
	if (steps->measure(s, err) < 0 || judge(s, steps, err) < 0 ||
	    write_report(s, steps, err) < 0)
		return -1;
	if (steps->written)
		steps->written(s);
	if (s->run->summary)
		summarize(s, steps);
	return 0;
}

int sim_paper_study_run(const struct sim_paper_run *run,
			const struct sim_paper_steps *steps,
			struct libra_error *err)
{
	struct sim_paper_study *s = calloc(1, steps->size);
	int rc;

	if (!s)
		return libra_errf(err, ENOMEM, "out of memory");
	s->run = run;
	rc = steps->set_up(s, err);
	if (rc == 0)
		rc = sim_paper_log_read(run, run->paper->trace, &s->source,
					err);
	if (rc == 0) {
		rc = take_steps(s, steps, err);
		sim_paper_log_fini(&s->source);
	}
	steps->fini(s);
	pictures_fini(&s->pictures, steps->npictures);
	free(s->results);
	free(s);
	return rc;
}

/* ---- for the pages ---- */

void sim_paper_notice_synthetic(FILE *fp, const struct sim_paper_study *s)
{
	if (s->source.synthetic)
		report_notice(fp, "Synthetic workload.",
			      "The paper's log was not found on this machine. "
			      "All numbers on this page come from a generated "
			      "workload that resembles it; they are no "
			      "reproduction. Fetch the log and run again, or "
			      "name it with --trace.");
}

void sim_paper_score(FILE *fp, const struct sim_paper_study *s)
{
	report_section(fp, "paper",
		       "What the paper says, and what we measured");
	report_score(fp, s->results, s->nclaims);
}

void sim_paper_all_claims(FILE *fp, const struct sim_paper_study *s,
			  const char *text)
{
	report_section(fp, "claims", "All claims");
	if (text)
		report_text(fp, "%s", text);
	report_claims(fp, s->claims, s->results, s->nclaims);
}
