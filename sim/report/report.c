/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - pages in HTML, and the manifest.
 *
 * Each function writes its part at once; nothing is remembered between calls.
 * Text goes through out_html(); SVG and the style are written as they are.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/version.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"
#include "sim/report/report.h"
#include "sim/report/report_style.h"

/* ---- where it comes from ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *trace_name(const struct report_source *source)
{
	return source->synthetic ? "synthetic" : base_name(source->trace->name);
}

/* Write the other logs of the paper, as far as they are there. */
static void other_logs(struct out_json *j, const struct report_source *source)
{
	if (source->nothers == 0)
		return;
	out_json_array(j, "other_traces");
	for (size_t i = 0; i < source->nothers; i++) {
		if (!source->others[i].sha256[0])
			continue;
		out_json_object(j, NULL);
		out_json_text(j, "name", source->others[i].name);
		out_json_text(j, "sha256", source->others[i].sha256);
		out_json_end(j);
	}
	out_json_end(j);
}

void report_manifest(struct out_json *j, const char *key,
		     const struct report_source *source)
{
	const struct swf_trace *t = source->trace;

	out_json_object(j, key);
	out_json_text(j, "program", "librasim");
	out_json_text(j, "version", sim_version());
	out_json_text(j, "paper", source->paper);
	out_json_text(j, "title", source->title);
	out_json_text(j, "command", source->command);
	out_json_array(j, "seeds");
	for (size_t i = 0; i < source->nseeds; i++)
		out_json_count(j, NULL, source->seeds[i]);
	out_json_end(j);
	out_json_object(j, "trace");
	out_json_text(j, "name", trace_name(source));
	out_json_bool(j, "synthetic", source->synthetic);
	out_json_text(j, "sha256", source->sha256);
	out_json_count(j, "records", t->nrecords);
	if (t->acknowledge)
		out_json_text(j, "acknowledge", t->acknowledge);
	if (t->copyright)
		out_json_text(j, "copyright", t->copyright);
	out_json_end(j);
	other_logs(j, source);
	out_json_end(j);
}

/* Write a row of the table of origins. */
static void row(FILE *fp, const char *name, const char *value, bool code)
{
	fprintf(fp, "<tr><th>%s</th><td>%s", name, code ? "<code>" : "");
	out_html(fp, value);
	fprintf(fp, "%s</td></tr>\n", code ? "</code>" : "");
}

static void seeds_row(FILE *fp, const struct report_source *source)
{
	fprintf(fp, "<tr><th>Seeds</th><td>");
	for (size_t i = 0; i < source->nseeds; i++)
		fprintf(fp, "%s%" PRIu64, i ? ", " : "", source->seeds[i]);
	fprintf(fp, "</td></tr>\n");
}

void report_provenance(FILE *fp, const struct report_source *source)
{
	const struct swf_trace *t = source->trace;

	fprintf(fp, "<div class=\"scroll\"><table><tbody>\n");
	fprintf(fp, "<tr><th>Program</th><td>librasim %s</td></tr>\n",
		sim_version());
	row(fp, "Command", source->command, true);
	seeds_row(fp, source);
	row(fp, "Workload", trace_name(source), false);
	if (!source->synthetic) {
		row(fp, "SHA-256", source->sha256, true);
		if (t->computer)
			row(fp, "Computer", t->computer, false);
		if (t->installation)
			row(fp, "Installation", t->installation, false);
		if (t->acknowledge)
			row(fp, "Acknowledgement", t->acknowledge, false);
		if (t->copyright)
			row(fp, "Copyright", t->copyright, false);
	}
	for (size_t i = 0; i < source->nothers; i++) {
		row(fp, "Another log", source->others[i].name, false);
		row(fp, "SHA-256",
		    source->others[i].sha256[0] ? source->others[i].sha256
						: "not on this machine",
		    source->others[i].sha256[0]);
	}
	row(fp, "Paper", source->citation, false);
	fprintf(fp, "</tbody></table></div>\n");
}

/* ---- the frame ---- */

/* Write the head of a page, up to its headline. */
static void open_page(FILE *fp, const char *kind, const char *kicker,
		      const char *headline)
{
	fprintf(fp, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		    "<meta charset=\"utf-8\">\n"
		    "<meta name=\"viewport\" "
		    "content=\"width=device-width,initial-scale=1\">\n"
		    "<meta name=\"generator\" content=\"librasim\">\n<title>");
	out_html(fp, headline);
	fprintf(fp,
		"</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n"
		"<header>\n<p class=\"kicker\">",
		report_style);
	out_html(fp, kind);
	out_html(fp, kicker);
	fprintf(fp, "</p>\n<h1>");
	out_html(fp, headline);
	fprintf(fp, "</h1>\n");
}

void report_begin(FILE *fp, const struct report_source *source,
		  const char *headline)
{
	open_page(fp, source->synthetic ? "After: " : "A reproduction of: ",
		  source->citation, headline);
}

void report_open(FILE *fp, const char *kicker, const char *headline)
{
	open_page(fp, "", kicker, headline);
	fprintf(fp, "</header>\n");
}

void report_close(FILE *fp, const char *command)
{
	fprintf(fp, "<footer>Made by librasim ");
	out_html(fp, sim_version());
	fprintf(fp, " with <code>");
	out_html(fp, command);
	fprintf(fp, "</code>. The same command writes the same bytes."
		    "</footer>\n</main>\n</body>\n</html>\n");
}

void report_end(FILE *fp, const struct report_source *source)
{
	report_close(fp, source->command);
}

int report_leads(FILE *fp, const struct report_lead *leads, size_t n,
		 const void *answer, struct libra_error *err)
{
	for (size_t i = 0; i < n; i++) {
		char *text = NULL;
		size_t size;
		FILE *mem = out_memory(&text, &size);

		if (mem)
			leads[i].write(mem, answer);
		if (!mem || fclose(mem) != 0) {
			free(text);
			return sim_no_memory(err);
		}
		fprintf(fp, "<p class=\"lead\"><strong>");
		out_html(fp, leads[i].title);
		fprintf(fp, "</strong> ");
		out_html(fp, text);
		fprintf(fp, "</p>\n");
		free(text);
	}
	return 0;
}

void report_notice(FILE *fp, const char *title, const char *text)
{
	fprintf(fp, "<div class=\"notice\"><strong>");
	out_html(fp, title);
	fprintf(fp, "</strong> ");
	out_html(fp, text);
	fprintf(fp, "</div>\n");
}

void report_section(FILE *fp, const char *id, const char *title)
{
	fprintf(fp, "<h2 id=\"%s\">", id);
	out_html(fp, title);
	fprintf(fp, "</h2>\n");
}

/* Write a formatted text, escaped. */
static void escaped(FILE *fp, const char *fmt, va_list ap)
{
	char text[4096], *longer = NULL;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	/* Only names can be so long.  If memory is out, they are cut. */
	if (n >= (int)sizeof(text) && vasprintf(&longer, fmt, again) < 0)
		longer = NULL;
	va_end(again);
	out_html(fp, longer ? longer : text);
	free(longer);
}

void report_text(FILE *fp, const char *fmt, ...)
{
	va_list ap;

	fprintf(fp, "<p>");
	va_start(ap, fmt);
	escaped(fp, fmt, ap);
	va_end(ap);
	fprintf(fp, "</p>\n");
}

/* ---- key numbers ---- */

void report_tiles_begin(FILE *fp)
{
	fprintf(fp, "<div class=\"tiles\">\n");
}

/* A width in percent; what is no number is nothing. */
static double width_pct(double value)
{
	return isfinite(value) ? fmin(fmax(value, 0), 100) : 0;
}

void report_tile(FILE *fp, const char *colour, const char *name, double value,
		 const char *value_text, double other, const char *other_text)
{
	fprintf(fp, "<div class=\"tile\" style=\"--c:%s\"><h3>", colour);
	out_html(fp, name);
	fprintf(fp, "</h3><p class=\"big\">%.1f %%</p><p>", value);
	out_html(fp, value_text);
	fprintf(fp,
		"</p><div class=\"bar\"><i style=\"width:%.2f%%\"></i>"
		"<b style=\"width:%.2f%%\"></b></div><p>%.1f %% ",
		width_pct(other), width_pct(value), other);
	out_html(fp, other_text);
	fprintf(fp, "</p></div>\n");
}

void report_tiles_end(FILE *fp)
{
	fprintf(fp, "</div>\n");
}

/* ---- claims ---- */

static const enum claim_status statuses[] = {CLAIM_PASS, CLAIM_FAIL,
					     CLAIM_INFO};

void report_score(FILE *fp, const struct claim_result *results, size_t n)
{
	fprintf(fp, "<div class=\"score\" aria-hidden=\"true\">");
	for (size_t i = 0; i < 3; i++)
		fprintf(fp, "<span class=\"bg-%s\" style=\"flex:%zu\"></span>",
			claim_status_name(statuses[i]),
			claims_count(results, n, statuses[i]));
	fprintf(fp,
		"</div>\n<p><strong>%zu</strong> of the claims hold, "
		"<strong>%zu</strong> do not, <strong>%zu</strong> are "
		"inputs or values to report.</p>\n",
		claims_count(results, n, CLAIM_PASS),
		claims_count(results, n, CLAIM_FAIL),
		claims_count(results, n, CLAIM_INFO));
}

static const char *status_word(enum claim_status status)
{
	switch (status) {
	case CLAIM_PASS:
		return "\xe2\x9c\x93 pass";
	case CLAIM_FAIL:
		return "\xe2\x9c\x97 fail";
	default:
		return "\xc2\xb7 info";
	}
}

/* Write a cell with a second, smaller line. */
static void cell(FILE *fp, const char *class, const char *text,
		 const char *sub_class, const char *sub)
{
	fprintf(fp, "<td%s%s%s>", class[0] ? " class=\"" : "", class,
		class[0] ? "\"" : "");
	out_html(fp, text);
	if (sub[0]) {
		fprintf(fp, "<div class=\"%s\">", sub_class);
		out_html(fp, sub);
		fprintf(fp, "</div>");
	}
	fprintf(fp, "</td>");
}

void report_excerpt(FILE *fp, const struct claim *claims,
		    const struct claim_result *results, size_t n,
		    const char *const *ids)
{
	char expected[CLAIM_EXPECTED_SIZE];

	fprintf(fp,
		"<div class=\"scroll\"><table><thead><tr><th style=\"width:27%%\">The paper</th>"
		"<th>Measured here</th><th style=\"width:15%%\">Check</th><th></th></tr></thead>"
		"<tbody>\n");
	for (; *ids; ids++)
		for (size_t i = 0; i < n; i++) {
			if (strcmp(claims[i].id, *ids) != 0)
				continue;
			fprintf(fp, "<tr class=\"%s\">",
				claim_status_name(results[i].status));
			cell(fp, "", claims[i].text, "", "");
			cell(fp, "", results[i].measured, "why",
			     results[i].note);
			cell(fp, "sub", claim_expected(&claims[i], expected),
			     "", "");
			cell(fp, "st", status_word(results[i].status), "", "");
			fprintf(fp, "</tr>\n");
		}
	fprintf(fp, "</tbody></table></div>\n");
}

/* Write the buttons that select claims by status. */
static void filter(FILE *fp, const struct claim_result *results, size_t n)
{
	fprintf(fp, "<input class=\"f\" type=\"radio\" name=\"f\" id=\"f-all\" "
		    "checked>\n");
	for (size_t i = 0; i < 3; i++)
		fprintf(fp,
			"<input class=\"f\" type=\"radio\" name=\"f\" "
			"id=\"f-%s\">\n",
			claim_status_name(statuses[i]));
	fprintf(fp,
		"<div class=\"filter\">Show: <label class=\"f\" "
		"for=\"f-all\">all %zu</label>",
		n);
	for (size_t i = 0; i < 3; i++)
		fprintf(fp, "<label class=\"f\" for=\"f-%s\">%s %zu</label>",
			claim_status_name(statuses[i]),
			claim_status_name(statuses[i]),
			claims_count(results, n, statuses[i]));
	fprintf(fp, "</div>\n");
}

void report_claims(FILE *fp, const struct claim *claims,
		   const struct claim_result *results, size_t n)
{
	char expected[CLAIM_EXPECTED_SIZE];

	fprintf(fp, "<div>\n");
	filter(fp, results, n);
	fprintf(fp, "<div class=\"scroll\"><table><thead><tr><th>Id</th>"
		    "<th>Section</th><th style=\"width:29%%\">Claim</th>"
		    "<th style=\"width:16%%\">Check</th>"
		    "<th>Measured</th><th>Status</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		fprintf(fp, "<tr class=\"%s\" id=\"claim-%s\">",
			claim_status_name(results[i].status), claims[i].id);
		cell(fp, "", claims[i].id, "", "");
		cell(fp, "sub", claims[i].where, "", "");
		cell(fp, "", claims[i].text, "sub", claims[i].setting);
		cell(fp, "sub", claim_expected(&claims[i], expected), "", "");
		cell(fp, "", results[i].measured, "why", results[i].note);
		cell(fp, "st", status_word(results[i].status), "", "");
		fprintf(fp, "</tr>\n");
	}
	fprintf(fp, "</tbody></table></div>\n</div>\n");
}

/* ---- figures and tables ---- */

void report_legend(FILE *fp, const char *const *names, const int *styles,
		   size_t n, enum plot_kind kind)
{
	fprintf(fp, "<div class=\"legend\">");
	for (size_t i = 0; i < n; i++) {
		fprintf(fp, "<span>");
		plot_key(fp, styles[i], kind);
		out_html(fp, names[i]);
		fprintf(fp, "</span>");
	}
	fprintf(fp, "</div>\n");
}

void report_figures_begin(FILE *fp)
{
	fprintf(fp, "<div class=\"figs\">\n");
}

static void put_caption(FILE *fp, const char *caption)
{
	fprintf(fp, "<figcaption>");
	out_html(fp, caption);
	fprintf(fp, "</figcaption></figure>\n");
}

void report_figure(FILE *fp, const char *caption, const char *svg)
{
	fprintf(fp, "<figure>");
	if (svg)
		fprintf(fp,
			"<label class=\"zoom\"><input class=\"z\" "
			"type=\"checkbox\" aria-label=\"enlarge the figure\">"
			"%s</label>",
			svg);
	put_caption(fp, caption);
}

void report_wide_figure(FILE *fp, const char *id, const char *caption,
			const char *svg)
{
	static const int steps[] = {1, 2, 4};

	fprintf(fp, "<figure class=\"wide\">");
	for (int i = 0; i < 3; i++)
		fprintf(fp,
			"<input class=\"z z%d\" type=\"radio\" "
			"name=\"zoom-%s\" id=\"zoom-%s-%d\"%s>"
			"<label class=\"f\" for=\"zoom-%s-%d\">%d\u00d7</label>",
			steps[i], id, id, steps[i], i ? "" : " checked", id,
			steps[i], steps[i]);
	fprintf(fp, "<div class=\"scroll\">%s</div>", svg);
	put_caption(fp, caption);
}

void report_figures_end(FILE *fp)
{
	fprintf(fp, "</div>\n");
}

/* Write a row of cells; first SIZE_MAX: the heading. */
static void table_row(FILE *fp, const struct out_table *t, size_t first,
		      const char *tag)
{
	fprintf(fp, "<tr>");
	for (size_t c = 0; c < t->ncolumns; c++) {
		const struct out_column *column = &t->columns[c];

		fprintf(fp, "<%s%s>", tag,
			column->align == OUT_RIGHT ? " class=\"num\"" : "");
		out_html(fp, first == SIZE_MAX ? column->name
					       : t->cells[first + c]);
		fprintf(fp, "</%s>", tag);
	}
	fprintf(fp, "</tr>\n");
}

void report_table(FILE *fp, const char *title, const struct out_table *table,
		  bool open)
{
	if (!open) {
		fprintf(fp, "<details><summary>");
		out_html(fp, title);
		fprintf(fp, "</summary>\n");
	}
	fprintf(fp, "<div class=\"scroll\"><table class=\"%s\"><thead>\n",
		open ? "" : "tight");
	table_row(fp, table, SIZE_MAX, "th");
	fprintf(fp, "</thead><tbody>\n");
	for (size_t i = 0; i + table->ncolumns <= table->n;
	     i += table->ncolumns)
		table_row(fp, table, i, "td");
	fprintf(fp, "</tbody></table></div>\n%s", open ? "" : "</details>\n");
}

int report_end_table(FILE *fp, const char *title, struct out_table *table,
		     bool open)
{
	int rc = table->failed ? -1 : 0;

	report_table(fp, title, table, open);
	out_table_fini(table);
	if (rc < 0)
		errno = ENOMEM;
	return rc;
}
