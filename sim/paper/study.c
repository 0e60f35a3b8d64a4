/* SPDX-License-Identifier: GPL-2.0-or-later */
/* study.c - see study.h. */
#include "sim/paper/study.h"

double sim_paper_value(const struct sim_paper_study *s, const char *at,
		       const char *expression)
{
	struct design_place p = design_nowhere(&s->designs);

	design_go(&p, at);
	return paper_value(&p, &s->text, expression);
}

void sim_paper_set(struct sim_paper_study *s, const char *name, double value)
{
	if (s->numbers.n < PAPER_NUMBERS)
		s->numbers.of[s->numbers.n++] =
			(struct design_value){name, value};
	else
		design_wrong(&s->designs, "room for", name);
}

struct report_source sim_paper_source(const struct sim_paper_study *s)
{
	struct report_source source = {
		.paper = s->paper->name,
		.title = s->paper->title,
		.citation = s->paper->citation,
		.command = s->run->command,
		.seeds = s->run->seeds,
		.nseeds = s->run->nseeds,
		.trace = &s->source.trace,
		.sha256 = s->source.sha256,
		.synthetic = s->source.synthetic,
	};

	for (size_t i = 0; i < s->paper->nlogs && i < REPORT_LOGS; i++)
		source.others[source.nothers++] = (struct report_log){
			s->paper->logs[i].file, s->sha256[i + 1]};
	return source;
}

/* Fill a row for each parameter of the paper. */
static void fill_options(struct out_table *rows, bool exact, const void *study)
{
	const struct sim_paper_study *s = study;

	for (size_t i = 0; i < s->paper->nparams; i++) {
		const struct libra_param *p = &s->paper->params[i];

		out_table_cell(rows, "%s", p->name);
		paper_table_number(rows, exact, -1, s->run->params[i]);
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
