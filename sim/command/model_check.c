/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_check.c - `librasim model check [TRACE]`.
 *
 * Judges the claims of the market paper about workload models
 * (sim/paper/ccgrid2008) with options of its own, on a trace or on the models
 * alone.
 */
#include "sim/command/model_common.h"

#include <stdio.h>
#include <string.h>

#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/paper/ccgrid2008/models.h"

enum key {
	KEY_CHECK = 0x300, /* model_check_options */
};

/* Options, and the study that the claims are judged by. */
struct check_command {
	struct cmd_model_args args;
	double options[MODEL_CHECK_NOPTIONS];
	struct sim_paper_study *study;
};

/* The parser of the options (argp). */
static error_t parse_check(int key, char *arg, struct argp_state *state)
{
	struct check_command *c = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &c->args;
		return 0;
	case ARGP_KEY_END:
		if (c->args.plots && !c->args.trace)
			cmd_usage(state, "--plots needs a TRACE");
		return 0;
	}
	if (cmd_read_param(state, model_check_options, MODEL_CHECK_NOPTIONS,
			   KEY_CHECK, key, arg, c->options))
		return 0;
	return ARGP_ERR_UNKNOWN;
}

/* Make the table of options, and parse the line. */
static void parse_line(struct check_command *c, int argc, char **argv)
{
	struct cmd_options options = {.n = 0};
	struct argp argp = {
		.parser = parse_check,
		.args_doc = "[TRACE]",
		.doc = "Compare the workload models of CCGrid 2008 with a "
		       "trace: claims M1 to M13 and table 1. Without a trace, "
		       "check the models alone.\vThe exit status is 1 if a "
		       "claim fails. The claims speak of the SDSC Blue Horizon "
		       "log.",
	};

	cmd_options_params(&options, model_check_options, c->options,
			   MODEL_CHECK_NOPTIONS, KEY_CHECK);
	cmd_model_parse(&argp, &options, argc, argv, c);
}

/* Print a table of all claims, and the summary. */
static int write_claims(const struct check_command *c, FILE *fp)
{
	static const struct out_column columns[] = {
		{"id", OUT_LEFT},
		{"status", OUT_LEFT},
		{"claim", OUT_LEFT},
		{"measured", OUT_LEFT},
	};
	const struct paper_claims *all = &c->study->claims;
	const struct claim_result *r = c->study->results;
	struct out_table t;
	int rc;

	out_table_init(&t, columns, 4);
	for (size_t i = 0; i < all->n; i++) {
		out_table_cell(&t, "%s", all->claims[i].id);
		out_table_cell(&t, "%s", claim_status_name(r[i].status));
		out_table_cell(&t, "%s", all->claims[i].text);
		out_table_cell(&t, "%s", r[i].measured);
	}
	rc = out_table_print(&t, fp);
	out_table_fini(&t);
	fputc('\n', fp);
	claims_print(fp, all->claims, r, all->n);
	return rc;
}

/* The paper's numbers beside those measured. */
static int write_table1(const struct check_command *c, FILE *fp)
{
	struct design_place nowhere = design_nowhere(&c->study->designs);
	struct paper_block b;
	int rc;

	paper_block_read(&b, &nowhere, &c->study->text,
			 "rows: fit sample\n"
			 "series < {{sample}}\n"
			 "sample < {{sample.name}}\n"
			 "success > {{%.3f success}}\n"
			 "paper > {{%.3f success_paper}}\n"
			 "KS > {{%.4f ks}}\n"
			 "paper > {{%.4f ks_paper}}\n"
			 "mean KS > {{%.4f mean_ks}}\n"
			 "paper > {{%.4f mean_ks_paper}}\n");
	fprintf(fp,
		"\nTable 1: two-sided KS against the trace, %g draws of "
		"%g\n",
		c->options[MODEL_CHECK_DRAWS], c->options[MODEL_CHECK_SAMPLE]);
	rc = out_table_print(&b.table, fp);
	paper_block_fini(&b);
	return rc;
}

/* Write claims and table 1 for people.  Result: 0, or -1 with ENOMEM. */
static int write_tables(const void *command, FILE *fp)
{
	const struct check_command *c = command;
	int rc = write_claims(c, fp);

	return rc < 0 || c->study->source.synthetic ? rc : write_table1(c, fp);
}

/* Write the claims as CSV. */
static void write_csv(const void *command, FILE *fp)
{
	const struct check_command *c = command;
	char expected[CLAIM_EXPECTED_SIZE];

	fprintf(fp, "id,status,claim,expected,measured,note\n");
	for (size_t i = 0; i < c->study->claims.n; i++) {
		const struct claim *claim = &c->study->claims.claims[i];
		const struct claim_result *r = &c->study->results[i];

		fprintf(fp, "%s,%s,", claim->id, claim_status_name(r->status));
		out_csv_text(fp, claim->text);
		fputc(',', fp);
		out_csv_text(fp, claim_expected(claim, expected));
		fputc(',', fp);
		out_csv_text(fp, r->measured);
		fputc(',', fp);
		out_csv_text(fp, r->note);
		fputc('\n', fp);
	}
}

/* Write options, claims and table 1 as one JSON object. */
static void write_json(const void *command, const char *sha256, FILE *fp)
{
	const struct check_command *c = command;
	const struct sim_paper_study *s = c->study;
	struct design_place nowhere = design_nowhere(&s->designs);
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "trace", c->args.trace ? c->args.trace : "");
	out_json_text(&j, "sha256", sha256);
	out_json_count(&j, "seed", c->args.seed);
	for (size_t i = 0; i < MODEL_CHECK_NOPTIONS; i++) {
		char key[OUT_KEY_SIZE];

		out_json_number(&j, out_key(key, model_check_options[i].name),
				c->options[i]);
	}
	claims_json(&j, "claims", s->claims.claims, s->results, s->claims.n);
	if (s->source.synthetic) {
		out_json_array(&j, "table1");
		out_json_end(&j);
	} else {
		paper_json(&j, "table1", &nowhere, &s->text, "fit sample",
			   "series=sample.title sample success "
			   "paper_success=success_paper ks paper_ks=ks_paper "
			   "mean_ks paper_mean_ks=mean_ks_paper");
	}
	out_json_end(&j);
}

static const struct cmd_model_writers writers = {write_tables, write_csv,
						 write_json};

/* Draw the paper's models beside the trace.  Result: 0, or -1 with err. */
static int draw_all(const struct check_command *c,
		    const struct sim_trace_series *series,
		    struct libra_error *err)
{
	struct cmd_drawn drawn[CMD_MAX_DRAWN];
	size_t n = 0;

	for (; n < model_ntypes && n < CMD_MAX_DRAWN; n++) {
		drawn[n].series = model_types[n].series;
		model_init(&drawn[n].model, &model_types[n]);
	}
	return cmd_draw(c->args.plots, series, drawn, n, err);
}

/* Judge the claims and write them.  Result: the exit status. */
static int run_check(struct check_command *c,
		     const struct sim_trace_series *series)
{
	struct libra_error err = {""};
	int status = 0;

	c->study = cc_models_judge(series, c->options, &c->args.seed, &err);
	if (!c->study)
		return cmd_fail("librasim model check", &err);
	if (cmd_model_write(&c->args, &writers, c, &err) ||
	    (c->args.plots && draw_all(c, series, &err)))
		status = cmd_fail("librasim model check", &err);
	else if (claims_count(c->study->results, c->study->claims.n,
			      CLAIM_FAIL))
		status = 1;
	sim_paper_study_destroy(c->study);
	return status;
}

int cmd_model_check(int argc, char **argv)
{
	struct check_command c = {.args = {NULL}};
	struct sim_trace_series series;
	struct libra_error err = {""};
	struct swf_trace trace;
	int status;

	cmd_model_args_init(&c.args);
	cmd_default_params(model_check_options, MODEL_CHECK_NOPTIONS,
			   c.options);
	parse_line(&c, argc, argv);
	if (!c.args.trace)
		return run_check(&c, NULL);
	if (cmd_read_series(c.args.trace, c.args.size, &trace, &series, &err))
		return cmd_fail("librasim model check", &err);
	status = run_check(&c, &series);
	sim_series_fini(&series);
	swf_fini(&trace);
	return status;
}
