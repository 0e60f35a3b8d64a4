/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model_check.c - `librasim model check [TRACE]`. */
#include "sim/command/model.h"

#include <stdio.h>
#include <string.h>

#include "sim/output/json.h"
#include "sim/output/table.h"
#include "sim/output/text.h"
#include "sim/paper/ccgrid2008/claims_models.h"
#include "sim/report/claims.h"

#define MAX_CLAIMS 16

enum key {
	KEY_CHECK = 0x300, /* model_check_options */
};

struct check_command {
	struct cmd_model_args args;
	double options[MODEL_CHECK_NOPTIONS];
	struct model_study study;
	struct claim_result results[MAX_CLAIMS];
};

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

static void parse_line(struct check_command *c, int argc, char **argv)
{
	struct cmd_options options = {.n = 0};
	struct argp_child children[] = {
		{&cmd_model_argp, 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	struct argp argp = {
		.options = options.row,
		.children = children,
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
	argp_parse(&argp, argc, argv, 0, NULL, c);
}

static void write_claims(const struct check_command *c, FILE *fp)
{
	static const struct out_column columns[] = {
		{"id", OUT_LEFT},
		{"status", OUT_LEFT},
		{"claim", OUT_LEFT},
		{"measured", OUT_LEFT},
	};
	struct out_table t;

	out_table_init(&t, columns, 4);
	for (size_t i = 0; i < MODEL_NCLAIMS; i++) {
		out_table_cell(&t, "%s", model_claims[i].id);
		out_table_cell(&t, "%s",
			       claim_status_name(c->results[i].status));
		out_table_cell(&t, "%s", model_claims[i].text);
		out_table_cell(&t, "%s", c->results[i].measured);
	}
	out_table_print(&t, fp);
	out_table_fini(&t);
	fputc('\n', fp);
	claims_print(fp, model_claims, c->results, MODEL_NCLAIMS);
}

/* The paper's numbers beside those measured. */
static void write_table1(const struct check_command *c, FILE *fp)
{
	static const struct out_column columns[] = {
		{"series", OUT_LEFT},	{"sample", OUT_LEFT},
		{"success", OUT_RIGHT}, {"paper", OUT_RIGHT},
		{"KS", OUT_RIGHT},	{"paper", OUT_RIGHT},
		{"mean KS", OUT_RIGHT}, {"paper", OUT_RIGHT},
	};
	struct out_table t;

	out_table_init(&t, columns, 8);
	for (size_t i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		const struct model_gof *m = &c->study.rows[i];

		out_table_cell(&t, "%s", model_series_name(row->series));
		out_table_cell(&t, "%s", row->first);
		out_table_number(&t, 3, m->success);
		out_table_number(&t, 3, row->success);
		out_table_number(&t, 4, m->ks);
		out_table_number(&t, 4, row->ks);
		out_table_number(&t, 4, m->mean_ks);
		out_table_number(&t, 4, row->mean_ks);
	}
	fprintf(fp,
		"\nTable 1: two-sided KS against the trace, %g draws of "
		"%g\n",
		c->options[MODEL_CHECK_DRAWS], c->options[MODEL_CHECK_SAMPLE]);
	out_table_print(&t, fp);
	out_table_fini(&t);
}

static void write_csv(const struct check_command *c, FILE *fp)
{
	char expected[CLAIM_EXPECTED_SIZE];

	fprintf(fp, "id,status,claim,expected,measured,note\n");
	for (size_t i = 0; i < MODEL_NCLAIMS; i++) {
		const struct claim_result *r = &c->results[i];

		fprintf(fp, "%s,%s,", model_claims[i].id,
			claim_status_name(r->status));
		out_csv_text(fp, model_claims[i].text);
		fputc(',', fp);
		out_csv_text(fp, claim_expected(&model_claims[i], expected));
		fputc(',', fp);
		out_csv_text(fp, r->measured);
		fputc(',', fp);
		out_csv_text(fp, r->note);
		fputc('\n', fp);
	}
}

static void write_json_row(struct out_json *j, size_t i,
			   const struct model_gof *m)
{
	const struct model_gof_row *row = &model_table1[i];

	out_json_object(j, NULL);
	out_json_text(j, "series", model_series_name(row->series));
	out_json_text(j, "sample", row->first);
	out_json_number(j, "success", m->success);
	out_json_number(j, "paper_success", row->success);
	out_json_number(j, "ks", m->ks);
	out_json_number(j, "paper_ks", row->ks);
	out_json_number(j, "mean_ks", m->mean_ks);
	out_json_number(j, "paper_mean_ks", row->mean_ks);
	out_json_end(j);
}

static void write_json(const struct check_command *c, const char *sha256,
		       FILE *fp)
{
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
	claims_json(&j, "claims", model_claims, c->results, MODEL_NCLAIMS);
	out_json_array(&j, "table1");
	for (size_t i = 0; c->study.has_trace && i < MODEL_NROWS; i++)
		write_json_row(&j, i, &c->study.rows[i]);
	out_json_end(&j);
	out_json_end(&j);
}

static int write_check(const struct check_command *c, struct libra_error *err)
{
	struct out_file out;
	char sha256[65] = "";

	if (c->args.format == CMD_JSON && c->args.trace &&
	    swf_sha256(c->args.trace, sha256, err))
		return -1;
	if (out_open(&out, c->args.output ? c->args.output : "-", err))
		return -1;
	switch (c->args.format) {
	case CMD_TABLE:
		write_claims(c, out.fp);
		if (c->study.has_trace)
			write_table1(c, out.fp);
		break;
	case CMD_CSV:
		write_csv(c, out.fp);
		break;
	case CMD_JSON:
		write_json(c, sha256, out.fp);
		break;
	}
	return out_commit(&out, err);
}

static int draw_all(const struct check_command *c,
		    const struct sim_trace_series *series,
		    struct libra_error *err)
{
	struct out_set set;

	if (out_set_init(&set, c->args.plots, err))
		return -1;
	for (int s = MODEL_IAT; s <= MODEL_SIZE; s++) {
		struct model models[MODEL_NROWS];
		size_t n = 0;

		for (size_t i = 0; i < model_ntypes; i++)
			if ((int)model_types[i].series == s)
				model_init(&models[n++], &model_types[i]);
		if (cmd_draw(&set, s, &series->of[s], models, n, err)) {
			out_set_abort(&set);
			return -1;
		}
	}
	return out_set_commit(&set, err);
}

static int run_check(struct check_command *c,
		     const struct sim_trace_series *series)
{
	struct libra_error err = {""};

	if (model_study_init(&c->study, series, c->options, c->args.seed, &err))
		return cmd_fail("librasim model check", &err);
	claims_judge(model_claims, MODEL_NCLAIMS, &c->study, c->results);
	if (write_check(c, &err) ||
	    (c->args.plots && draw_all(c, series, &err)))
		return cmd_fail("librasim model check", &err);
	return claims_count(c->results, MODEL_NCLAIMS, CLAIM_FAIL) ? 1 : 0;
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
