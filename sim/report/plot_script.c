/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_script.c - a plot as a script of gnuplot.
 *
 * Data comes first, as blocks named $d0, $d1, ...; settings and one plot
 * command follow.  Numbers have all digits, so that the picture depends on the
 * data alone.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/output/text.h"
#include "sim/report/plot_script.h"

/* Readable on white and on black.  The first five are apart for everybody, the
 * colour-blind too, all eight nearly so; marks and dashes differ as well.
 */
static const struct {
	const char *colour;
	int mark, dash; /* gnuplot's numbers */
} styles[] = {
	{"#e08a00", 4, 1}, {"#2f6fe0", 6, 2},  {"#c0281c", 7, 1},
	{"#12b886", 8, 1}, {"#d48fe8", 10, 1}, {"#667766", 12, 2},
	{"#8833aa", 5, 2}, {"#8fb8b8", 9, 1},
};

#define NSTYLES ((int)(sizeof(styles) / sizeof(styles[0])))

const char *plot_colour(int style)
{
	return styles[style % NSTYLES].colour;
}

/* Marks by gnuplot's number, in a field of 28 x 12; an odd number is filled. */
static const char *mark_path(int mark)
{
	switch (mark / 2 * 2) {
	case 4:
		return "M10 2h8v8h-8z";
	case 6:
		return "M10 6a4 4 0 0 0 8 0a4 4 0 0 0-8 0z";
	case 8:
		return "M14 1l4.5 8h-9z";
	case 10:
		return "M14 11l4.5-8h-9z";
	default:
		return "M14 1l5 5l-5 5l-5-5z";
	}
}

void plot_key(FILE *fp, int style, enum plot_kind kind)
{
	int mark = styles[style % NSTYLES].mark;
	const char *colour = plot_colour(style);

	fprintf(fp,
		"<svg class=\"key\" viewBox=\"0 0 28 12\" aria-hidden=\"true\" "
		"stroke-width=\"1.6\" stroke=\"%s\" fill=\"%s\">",
		colour, kind == 0 || mark % 2 ? colour : "none");
	if (kind == PLOT_LINES)
		fprintf(fp, "<path d=\"M0 6h28\"%s/>",
			styles[style % NSTYLES].dash > 1
				? " stroke-dasharray=\"6 3\""
				: "");
	fprintf(fp, "<path d=\"%s\"/></svg>",
		kind == 0 ? "M4 2h20v8h-20z" : mark_path(mark));
}

/* A string in double quotes, as gnuplot reads it. */
static void put_string(FILE *fp, const char *text)
{
	putc('"', fp);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', fp);
		putc(*text == '\n' ? ' ' : *text, fp);
	}
	putc('"', fp);
}

static void put_range(FILE *fp, char axis, double min, double max)
{
	char a[OUT_NUMBER_SIZE], b[OUT_NUMBER_SIZE];

	fprintf(fp, "set %crange [%s:%s]\n", axis,
		isnan(min) ? "*" : out_number(a, min),
		isnan(max) ? "*" : out_number(b, max));
}

static void put_label(FILE *fp, const char *axis, const char *text,
		      const char *offset)
{
	if (!*text)
		return;
	fprintf(fp, "set %s ", axis);
	put_string(fp, text);
	fprintf(fp, " offset %s\n", offset);
}

/* Line breaks stay. */
static void put_figure_title(FILE *fp, const char *text)
{
	char line[128];

	fputs("set title \"\"", fp);
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		fputs(" . ", fp);
		put_string(fp, line);
		fputs(text[n] ? " . \"\\n\"" : "", fp);
	}
	fputc('\n', fp);
}

/* Return the setting of the key inside the figure. */
static const char *key_setting(const struct plot *p)
{
	if (!p->key)
		return "unset key";
	if (p->kind == PLOT_AREAS)
		return "set key outside right Left reverse invert samplen 1";
	/* Above the figure is the title of one that is alone. */
	return p->alone
		       ? "set key below left Left reverse samplen 1.5 height 1 "
			 "maxcols 2"
		       : "set key above left Left reverse samplen 1.5";
}

static void put_ticks(FILE *fp, const struct plot_tick *ticks, size_t n)
{
	char buf[OUT_NUMBER_SIZE];

	for (size_t i = 0; i < n; i++) {
		fputs(i ? ", " : "(", fp);
		put_string(fp, ticks[i].name);
		fprintf(fp, " %s", out_number(buf, ticks[i].at));
	}
	fputs(")\n", fp);
}

/* Write the ticks of the x axis, rotated if their names would overlap. */
static void put_xticks(FILE *fp, const struct plot *p)
{
	size_t letters = 0, room = (p->width ? p->width : 360) / 9;

	for (size_t i = 0; i < p->nticks; i++)
		letters += strlen(p->ticks[i].name) + 1;
	fprintf(fp, "set xtics %s",
		letters > room ? "rotate by 35 right " : "");
	put_ticks(fp, p->ticks, p->nticks);
}

/* Write ticks of a logarithmic axis that spans less than two powers of ten,
 * where gnuplot would set one or two.
 */
static void put_log_ticks(FILE *fp, const struct plot *p)
{
	if (!(p->ymax / p->ymin < 100))
		return;
	fputs("set ytics (", fp);
	for (int decade = -2; decade < 6; decade++)
		fprintf(fp, "%s1e%d, 1.5e%d, 2e%d, 3e%d, 5e%d, 7e%d",
			decade > -2 ? ", " : "", decade, decade, decade, decade,
			decade, decade);
	fputs(")\n", fp);
}

/* Write terminal, labels, ticks and ranges. */
static void put_settings(FILE *fp, const struct plot *p)
{
	fprintf(fp,
		"set encoding utf8\n"
		"set terminal svg size %u,%u dynamic noenhanced name ",
		p->width ? p->width : 360, p->height ? p->height : 250);
	put_string(fp, p->id);
	fprintf(fp, " font \"sans-serif,12\"\n"
		    "set border 3 lw 0.7\n"
		    "set tics nomirror out scale 0.5\n"
		    "set grid ytics lw 0.35 dt 3\n"
		    "set offsets graph 0.02, graph 0.02\n");
	if (p->alone)
		put_figure_title(fp, p->title);
	put_label(fp, "xlabel", p->xlabel, "0,0.4");
	put_label(fp, "ylabel", p->ylabel, "1.2,0");
	fprintf(fp, "%s\n", key_setting(p));
	if (p->xlog)
		fputs("set logscale x\n", fp);
	if (p->ylog)
		fputs("set logscale y\n", fp);
	if (p->nticks > 0)
		put_xticks(fp, p);
	if (p->nyticks > 0) {
		fputs("set ytics ", fp);
		put_ticks(fp, p->yticks, p->nyticks);
	} else if (p->ylog) {
		put_log_ticks(fp, p);
	}
	put_range(fp, 'x', p->xmin, p->xmax);
	put_range(fp, 'y', p->ymin, p->ymax);
}

/* Beside a point: the lower edge of an area, or half of an error bar. */
static double third(const struct plot_series *s,
		    const struct plot_series *below, size_t i)
{
	if (below)
		return i < below->n ? below->y[i] : 0;
	return s->spread && isfinite(s->spread[i]) ? s->spread[i] : 0;
}

/* Write the points of a series.  Result: how many. */
static size_t put_data(FILE *fp, const struct plot *p, size_t index)
{
	const struct plot_series *s = &p->series[index];
	const struct plot_series *below =
		p->kind == PLOT_AREAS && index > 0 ? s - 1 : NULL;
	char buf[OUT_NUMBER_SIZE];
	size_t written = 0;

	fprintf(fp, "$d%zu << EOD\n", index);
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->x[i]) || !isfinite(s->y[i]))
			continue;
		fprintf(fp, "%s ", out_number(buf, s->x[i]));
		fprintf(fp, "%s ", out_number(buf, s->y[i]));
		fprintf(fp, "%s\n", out_number(buf, third(s, below, i)));
		written++;
	}
	fprintf(fp, "EOD\n");
	return written;
}

static void put_title(FILE *fp, const char *name)
{
	fputs(" title ", fp);
	put_string(fp, name);
}

/* Write the part of the plot command for a series. */
static void put_curve(FILE *fp, const struct plot *p, size_t index)
{
	const struct plot_series *s = &p->series[index];
	int style = s->style % NSTYLES;

	if (p->kind == PLOT_AREAS) {
		fprintf(fp,
			"$d%zu using 1:3:2 with filledcurves fs solid 0.9 "
			"noborder lc rgb \"%s\"",
			index, styles[style].colour);
		put_title(fp, s->name);
		return;
	}
	if (p->kind != PLOT_STEPS && s->spread) {
		fprintf(fp,
			"$d%zu using 1:2:3 with yerrorbars pt -1 lw 1 lc rgb "
			"\"%s\" ",
			index, styles[style].colour);
		/* Without a key the title is what the mouse tells. */
		if (p->key)
			fputs("notitle", fp);
		else
			put_title(fp, s->name);
		fputs(", ", fp);
	}
	fprintf(fp, "$d%zu using 1:2 with %s lc rgb \"%s\" dt %d", index,
		p->kind == PLOT_POINTS	? "points"
		: p->kind == PLOT_STEPS ? "steps"
					: "linespoints",
		styles[style].colour, styles[style].dash);
	if (p->kind == PLOT_STEPS)
		fprintf(fp, " lw 1.6");
	else
		fprintf(fp, " lw 1.6 pt %d ps %s",
			s->mark ? s->mark : styles[style].mark,
			p->kind == PLOT_POINTS ? "0.7" : "0.5");
	put_title(fp, s->name);
}

int plot_script(FILE *fp, const struct plot *p)
{
	const char *between = "plot ";
	bool *any = calloc(p->nseries ? p->nseries : 1, sizeof(*any));

	if (!any)
		return -1;
	put_settings(fp, p);
	for (size_t i = 0; i < p->nseries; i++)
		any[i] = put_data(fp, p, i) > 0;
	for (size_t i = 0; i < p->nseries; i++) {
		if (!any[i])
			continue;
		fputs(between, fp);
		put_curve(fp, p, i);
		between = ", ";
	}
	fputs(between[0] == 'p' ? "set xrange [0:1]\nset yrange [0:1]\n"
				  "plot NaN notitle\n"
				: "\n",
	      fp);
	free(any);
	return 0;
}
