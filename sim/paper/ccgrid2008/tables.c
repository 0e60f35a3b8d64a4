/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.c - the market paper: the numbers of its report as CSV.
 */
#include <inttypes.h>

#include "sim/paper/ccgrid2008/experiment.h"

static void csv_stat(FILE *fp, struct cc_stat stat)
{
	const double values[] = {stat.mean, stat.sd, stat.ci};

	for (int i = 0; i < 3; i++) {
		putc(',', fp);
		out_csv_number(fp, values[i]);
	}
}

/* Every repetition: what all else is made of. */
static void write_runs(FILE *fp, const void *study)
{
	const struct cc_study *s = study;

	fprintf(fp, "configuration,model,seed");
	for (int k = 0; k < CC_NMETRICS; k++)
		fprintf(fp, ",%s", cc_columns[k].name);
	putc('\n', fp);
	for (int c = 0; c < CC_NCONFIGS; c++)
		for (int m = 0; m < CC_NMODELS; m++)
			for (size_t i = 0; cc_runs(c, m) && i < s->nseeds;
			     i++) {
				fprintf(fp, "%s,%s,%" PRIu64,
					cc_configs[c].name, cc_model_titles[m],
					s->seeds[i]);
				for (int k = 0; k < CC_NMETRICS; k++) {
					putc(',', fp);
					out_csv_number(
						fp, *cc_value(s, c, m, k, i));
				}
				putc('\n', fp);
			}
}

/* Figure 1, and the system metrics of figure 3. */
static void write_metrics(FILE *fp, const struct cc_study *s, bool rac)
{
	fprintf(fp, "configuration,model,metric,seeds,mean,sd,ci95,first5_mean,"
		    "first5_sd,first5_ci95\n");
	for (int c = 0; c < CC_NCONFIGS; c++)
		for (int m = 0; m < CC_NMODELS; m++)
			for (int k = 0; k < CC_NMETRICS; k++) {
				struct cc_stat all;

				if (!cc_runs(c, m) || (m == CC_RAC) != rac)
					continue;
				all = cc_stat(s, c, m, k, s->nseeds);
				fprintf(fp, "%s,%s,%s,%zu", cc_configs[c].name,
					cc_model_titles[m], cc_columns[k].name,
					all.n);
				csv_stat(fp, all);
				csv_stat(fp,
					 cc_stat(s, c, m, k, CC_PAPER_SEEDS));
				putc('\n', fp);
			}
}

static void write_efficiency(FILE *fp, const struct cc_study *s, bool rac)
{
	fprintf(fp, "configuration,model,alpha,mean,sd,ci95\n");
	for (int c = 0; c < CC_NCONFIGS; c++)
		for (int m = 0; m < CC_NMODELS; m++)
			for (int a = 0; a <= 10; a++) {
				if (!cc_runs(c, m) || (m == CC_RAC) != rac)
					continue;
				fprintf(fp, "%s,%s,%.1f", cc_configs[c].name,
					cc_model_titles[m], a / 10.0);
				csv_stat(fp,
					 cc_efficiency_stat(s, c, m, a / 10.0,
							    s->nseeds));
				putc('\n', fp);
			}
}

static void write_figure_1(FILE *fp, const void *study)
{
	write_metrics(fp, study, false);
}

static void write_figure_2(FILE *fp, const void *study)
{
	write_efficiency(fp, study, false);
}

static void write_figure_3(FILE *fp, const void *study)
{
	write_metrics(fp, study, true);
}

static void write_figure_3_efficiency(FILE *fp, const void *study)
{
	write_efficiency(fp, study, true);
}

static void write_table_1(FILE *fp, const void *study)
{
	const struct cc_study *s = study;

	fprintf(fp, "first,series,success,success_paper,ks,ks_paper,mean_ks,"
		    "mean_ks_paper\n");
	for (int i = 0; i < MODEL_NROWS; i++) {
		const struct model_gof_row *row = &model_table1[i];
		const struct model_gof *m = &s->models.rows[i];
		const double values[] = {m->success, row->success,
					 m->ks,	     row->ks,
					 m->mean_ks, row->mean_ks};

		fprintf(fp, "%s,%s", row->first,
			model_series_name(row->series));
		for (int k = 0; k < 6; k++) {
			putc(',', fp);
			if (s->models.has_trace || k % 2 == 1)
				out_csv_number(fp, values[k]);
		}
		putc('\n', fp);
	}
}

static void write_table_2(FILE *fp, const void *study)
{
	const struct cc_study *s = study;
	size_t five = s->nseeds < CC_PAPER_SEEDS ? s->nseeds : CC_PAPER_SEEDS;

	fprintf(fp, "first,second,metric,configuration,t_paper,t_first5,"
		    "critical_one_sided,critical_two_sided,t_all,"
		    "critical_all_one_sided,critical_all_two_sided\n");
	for (int p = 0; p < CC_NPAIRS; p++)
		for (int u = 0; u < 2; u++)
			for (int c = 0; c < CC_NCONFIGS; c++) {
				const double values[] = {
					cc_paper_t[p][u][c],
					cc_t(s, p, u, c, five),
					gof_t_critical(0.05, (double)five - 1,
						       false),
					gof_t_critical(0.05, (double)five - 1,
						       true),
					cc_t(s, p, u, c, s->nseeds),
					gof_t_critical(0.05,
						       (double)s->nseeds - 1,
						       false),
					gof_t_critical(0.05,
						       (double)s->nseeds - 1,
						       true),
				};

				fprintf(fp, "%s,%s,%s,%s",
					cc_model_titles[cc_pairs[p][0]],
					cc_model_titles[cc_pairs[p][1]],
					u ? "utilization" : "violations",
					cc_configs[c].name);
				for (int k = 0; k < 7; k++) {
					putc(',', fp);
					out_csv_number(fp, values[k]);
				}
				putc('\n', fp);
			}
}

static void write_sensitivity(FILE *fp, const void *study)
{
	const struct cc_study *s = study;

	fprintf(fp,
		"options,be_efficiency_low,be_efficiency_high,"
		"be_inelastic_high,be_elastic_high,cac_efficiency_low,"
		"cac_efficiency_high,be_violations,sac_violations,"
		"cac_violations,be_violations_equal,"
		"sac_violations_equal,cac_rejections_high,cac_rejections_low,"
		"t_positive");
	for (int k = 0; k < CC_NSIMULATED; k++)
		fprintf(fp, ",%s", cc_claims[CC_FIRST_SIMULATED + k].id);
	putc('\n', fp);
	for (size_t i = 0; i < s->nsensitivity; i++) {
		const struct cc_sensitivity *v = &s->sensitivity[i];
		const double values[] = {
			v->be_low,	   v->be_high,	      v->be_inelastic,
			v->be_elastic,	   v->cac_low,	      v->cac_high,
			v->be_violations,  v->sac_violations, v->cac_violations,
			v->be_equal,	   v->sac_equal,      v->rejections,
			v->low_rejections,
		};

		char name[160];

		cc_variant_name(v->variant, name, sizeof(name));
		out_csv_text(fp, name);
		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]);
		     k++) {
			putc(',', fp);
			out_csv_number(fp, values[k]);
		}
		fprintf(fp, ",%u", v->positive);
		for (int k = 0; k < CC_NSIMULATED; k++)
			fprintf(fp, ",%s",
				claim_status_name(
					v->results[CC_FIRST_SIMULATED + k]
						.status));
		putc('\n', fp);
	}
}

static void write_options(FILE *fp, const void *study)
{
	const struct cc_study *s = study;

	fprintf(fp, "option,value,default,unit,help\n");
	for (int i = 0; i < MARKET_NOPTIONS; i++) {
		const struct libra_param *p = &market_options[i];

		fprintf(fp, "%s,", p->name);
		out_csv_number(fp, s->options[i]);
		putc(',', fp);
		out_csv_number(fp, p->value);
		fprintf(fp, ",%s,", p->unit);
		out_csv_text(fp, p->help);
		putc('\n', fp);
	}
}

const struct sim_paper_file cc_files[CC_NFILES] = {
	{"figure-1.csv", write_figure_1},
	{"figure-2.csv", write_figure_2},
	{"figure-3.csv", write_figure_3},
	{"figure-3-efficiency.csv", write_figure_3_efficiency},
	{"table-1.csv", write_table_1},
	{"table-2.csv", write_table_2},
	{"sensitivity.csv", write_sensitivity},
	{"options.csv", write_options},
	{"runs.csv", write_runs},
};
