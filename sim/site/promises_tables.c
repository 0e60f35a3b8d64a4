/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promises_tables.c - the numbers of a report on promises, as CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "sim/base/version.h"
#include "sim/output/json.h"
#include "sim/output/text.h"
#include "sim/site/promises_parts.h"

enum { KEY_SIZE = 24 };

/* The name of an outcome in files: without blanks. */
static const char *outcome_key(char key[KEY_SIZE], enum promise_outcome outcome)
{
	snprintf(key, KEY_SIZE, "%s", promise_outcomes[outcome]);
	for (char *c = key; *c; c++)
		if (*c == ' ')
			*c = '_';
	return key;
}

/* Write a number as the next field of a row. */
static void number_field(FILE *fp, double value)
{
	fputc(',', fp);
	out_csv_number(fp, value);
}

/* Write a text as the next field of a row. */
static void text_field(FILE *fp, const char *text)
{
	fputc(',', fp);
	out_csv_text(fp, text);
}

/* Return the text of a name; "" for none. */
static const char *name_text(const struct promises *p, uint32_t name)
{
	return names_text(&p->names, name);
}

/* Return where a promise was read. */
static const char *source_text(const struct promise *q)
{
	static const char *const names[] = {"", "log", "accounting", "both"};

	return names[q->from & 3];
}

void promises_write_list(FILE *fp, const struct promises *p)
{
	char key[KEY_SIZE];

	fputs("job,partition,account,qos,procs,given_s,deadline_s,estimate_s,"
	      "start_s,end_s,ran_s,outcome,cause,bet,source\n",
	      fp);
	for (size_t i = 0; i < p->n; i++) {
		const struct promise *q = &p->list[i];

		fprintf(fp, "%" PRIu64, q->id);
		text_field(fp, name_text(p, q->partition));
		text_field(fp, name_text(p, q->account));
		text_field(fp, name_text(p, q->qos));
		fprintf(fp, ",%" PRIu32, q->procs);
		number_field(fp, q->given_s);
		number_field(fp, q->deadline_s);
		number_field(fp, q->estimate_s);
		number_field(fp, q->start_s);
		number_field(fp, q->end_s);
		number_field(fp, q->ran_s);
		text_field(fp, outcome_key(key, q->outcome));
		text_field(fp, name_text(p, q->cause));
		fprintf(fp, ",%d,%s\n", q->bet, source_text(q));
	}
}

void promises_write_groups(FILE *fp, const struct promise_counts *c)
{
	char key[KEY_SIZE];

	fputs("by,name,given", fp);
	for (int i = 0; i < PROMISE_NOUTCOMES; i++)
		fprintf(fp, ",%s", outcome_key(key, i));
	fputs(",kept_pct,bets,bets_in_time,bets_late,ran", fp);
	for (size_t i = 0; i < PROMISE_QUANTILES; i++)
		fprintf(fp, ",ratio_p%.0f", 100 * promise_quantiles[i]);
	fputc('\n', fp);
	for (size_t i = 0; i < c->ngroups; i++) {
		const struct promise_group *g = &c->groups[i];

		fputs(promise_by_names[g->by], fp);
		text_field(fp, name_text(c->p, g->name));
		fprintf(fp, ",%zu", g->given);
		for (int k = 0; k < PROMISE_NOUTCOMES; k++)
			fprintf(fp, ",%zu", g->outcome[k]);
		number_field(fp, g->kept_pct);
		fprintf(fp, ",%zu,%zu,%zu,%zu", g->bets, g->bets_in_time,
			g->bets_late, g->ran);
		for (size_t k = 0; k < PROMISE_QUANTILES; k++)
			number_field(fp, g->ratio[k]);
		fputc('\n', fp);
	}
}

void promises_write_causes(FILE *fp, const struct promise_counts *c)
{
	fputs("outcome,cause,promises\n", fp);
	for (size_t i = 0; i < c->ncauses; i++) {
		fputs(promise_outcomes[c->causes[i].outcome], fp);
		text_field(fp, name_text(c->p, c->causes[i].cause));
		fprintf(fp, ",%zu\n", c->causes[i].n);
	}
}

void promises_write_answers(FILE *fp, const struct promise_counts *c)
{
	fputs("partition,verdict,reason,answers,later_would_do,none_would_do,"
	      "later_by_p50_s,later_by_p90_s\n",
	      fp);
	for (size_t i = 0; i < c->nreasons; i++) {
		const struct promise_reason *r = &c->reasons[i];

		out_csv_text(fp, name_text(c->p, r->partition));
		text_field(fp, name_text(c->p, r->verdict));
		text_field(fp, name_text(c->p, r->reason));
		fprintf(fp, ",%zu,%zu,%zu", r->n, r->later, r->none);
		number_field(fp, r->more_s[0]);
		number_field(fp, r->more_s[1]);
		fputc('\n', fp);
	}
}

/* ---- JSON ---- */

/* Write a group as an object. */
static void write_group(struct out_json *j, const struct promise_counts *c,
			const struct promise_group *g)
{
	char key[KEY_SIZE];

	out_json_object(j, NULL);
	out_json_text(j, "by", promise_by_names[g->by]);
	out_json_text(j, "name", name_text(c->p, g->name));
	out_json_count(j, "given", g->given);
	for (int i = 0; i < PROMISE_NOUTCOMES; i++)
		out_json_count(j, outcome_key(key, i), g->outcome[i]);
	out_json_number(j, "kept_pct", g->kept_pct);
	out_json_count(j, "bets", g->bets);
	out_json_count(j, "bets_in_time", g->bets_in_time);
	out_json_count(j, "bets_late", g->bets_late);
	out_json_count(j, "ran", g->ran);
	out_json_array(j, "ratio");
	for (size_t i = 0; i < PROMISE_QUANTILES; i++) {
		out_json_object(j, NULL);
		out_json_number(j, "part", promise_quantiles[i]);
		out_json_number(j, "below", g->ratio[i]);
		out_json_end(j);
	}
	out_json_end(j);
	out_json_end(j);
}

/* Write the causes as an array. */
static void write_causes(struct out_json *j, const struct promise_counts *c)
{
	out_json_array(j, "causes");
	for (size_t i = 0; i < c->ncauses; i++) {
		out_json_object(j, NULL);
		out_json_text(j, "outcome",
			      promise_outcomes[c->causes[i].outcome]);
		out_json_text(j, "cause", name_text(c->p, c->causes[i].cause));
		out_json_count(j, "promises", c->causes[i].n);
		out_json_end(j);
	}
	out_json_end(j);
}

/* Write the answers by partition and reason as an array. */
static void write_answers(struct out_json *j, const struct promise_counts *c)
{
	out_json_array(j, "answers");
	for (size_t i = 0; i < c->nreasons; i++) {
		const struct promise_reason *r = &c->reasons[i];

		out_json_object(j, NULL);
		out_json_text(j, "partition", name_text(c->p, r->partition));
		out_json_text(j, "verdict", name_text(c->p, r->verdict));
		out_json_text(j, "reason", name_text(c->p, r->reason));
		out_json_count(j, "answers", r->n);
		out_json_count(j, "later_would_do", r->later);
		out_json_count(j, "none_would_do", r->none);
		out_json_number(j, "later_by_p50_s", r->more_s[0]);
		out_json_number(j, "later_by_p90_s", r->more_s[1]);
		out_json_end(j);
	}
	out_json_end(j);
}

/* Write what was read as an object. */
static void write_sources(struct out_json *j, const struct promises *p)
{
	out_json_object(j, "sources");
	out_json_array(j, "logs");
	for (size_t i = 0; i < p->nlogs; i++)
		out_json_text(j, NULL, p->logs[i].name);
	out_json_end(j);
	out_json_number(j, "first_s", p->first_s);
	out_json_number(j, "last_s", p->last_s);
	out_json_count(j, "runs", p->runs);
	out_json_count(j, "missing_lines", p->missing);
	out_json_count(j, "replaced", p->nreplaced);
	out_json_object(j, "calls");
	for (int i = 0; i < PROMISE_NCALLS; i++)
		out_json_count(j, promise_calls[i], p->calls[i]);
	out_json_end(j);
	out_json_count(j, "accounting_jobs", p->rows);
	out_json_count(j, "accounting_records", p->records);
	out_json_end(j);
}

void promises_write_json(FILE *fp, const struct promises_page *page,
			 const struct promise_counts *c)
{
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "program", "librasim");
	out_json_text(&j, "version", sim_version());
	out_json_text(&j, "command", page->command);
	out_json_text(&j, "month", page->month);
	out_json_array(&j, "groups");
	for (size_t i = 0; i < c->ngroups; i++)
		write_group(&j, c, &c->groups[i]);
	out_json_end(&j);
	write_causes(&j, c);
	write_answers(&j, c);
	write_sources(&j, c->p);
	out_json_end(&j);
}
