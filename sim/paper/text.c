/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - texts with results in double braces.
 *
 * A text is read once from left to right.  A block is skipped or read again by
 * its position in the text; nothing is parsed in advance.
 */
#include "sim/paper/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/output/memory_file.h"
#include "sim/output/text.h"

#define WORD 512

/* ---- numbers and names ---- */

/* "%.1f EXPRESSION", "%.1f+- EXPRESSION" */
static void print_number(FILE *fp, const struct design_place *p,
			 const struct paper_text *t, const char *word)
{
	char format[16];
	size_t n = strcspn(word, "efg") + 1; /* to the conversion */
	bool spread = strncmp(word + n, "+-", 2) == 0;
	double value;

	snprintf(format, sizeof(format), "%.*s", (int)n, word);
	word += strcspn(word, " ");
	value = paper_value(p, t, word);
	if (!isfinite(value))
		fputs("-", fp);
	else
		fprintf(fp, format, value);
	if (!spread)
		return;
	value = paper_spread(p, t, word);
	if (!isnan(value)) {
		fputs(" \xc2\xb1 ", fp);
		fprintf(fp, format, value);
	}
}

/* The name of a text, "factor", "factor.name", "factor.param", "@factor", each
 * with [words]. */
static bool print_name(FILE *fp, const struct design_place *p,
		       const struct paper_text *t, const char *word)
{
	struct design_place at = *p;
	const struct design_level *level;
	bool heading = word[0] == '@';
	const char *let;
	char *part, name[WORD], go[WORD] = "", text[WORD];
	size_t n, f;

	word += heading;
	n = strcspn(word, "[");
	snprintf(name, sizeof(name), "%.*s", (int)n, word);
	if (word[n] == '[') {
		snprintf(go, sizeof(go), "%.*s",
			 (int)strcspn(word + n + 1, "]"), word + n + 1);
		if (!design_go(&at, go))
			return true;
	}
	let = paper_find_let(t, name);
	if (let) {
		paper_print(fp, &at, t, let);
		return true;
	}
	part = strchr(name, '.');
	if (part)
		*part++ = '\0';
	f = design_factor(&at, name);
	if (f == DESIGN_NONE)
		return false;
	level = design_level(&at, f);
	if (heading)
		snprintf(text, sizeof(text), "%s", at.design->factors[f].title);
	else if (part && strcmp(part, "param") == 0)
		snprintf(text, sizeof(text), "%s",
			 level && level->param ? level->param : "");
	else
		design_name(&at, f, !part, text, sizeof(text));
	if (t->html)
		out_html(fp, text);
	else
		fputs(text, fp);
	return true;
}

/* ---- blocks ---- */

/* Skip to the end of a block, or to its else. */
static const char *skip_block(const char *text, bool to_else, const char **end)
{
	int depth = 1;

	while ((text = strstr(text, "{{"))) {
		const char *word = text + 2;

		*end = text;
		text = strstr(word, "}}");
		if (!text)
			return NULL;
		text += 2;
		if (strncmp(word, "if ", 3) == 0 ||
		    strncmp(word, "each ", 5) == 0 ||
		    strncmp(word, "table}}", 7) == 0)
			depth++;
		else if (strncmp(word, "end}}", 5) == 0 && --depth == 0)
			return text;
		else if (to_else && depth == 1 &&
			 strncmp(word, "else}}", 6) == 0)
			return text;
	}
	return NULL;
}

const char *paper_block_end(const char *text, const char **end)
{
	return skip_block(text, false, end);
}

/* A text, to be freed; NULL if there is no memory. */
static char *said_at(const struct design_place *p, const struct paper_text *t,
		     const char *text)
{
	char *said = NULL;
	size_t n;
	FILE *fp = out_memory(&said, &n);

	if (!fp)
		return NULL;
	paper_print(fp, p, t, text);
	if (fclose(fp) == 0)
		return said;
	free(said);
	return NULL;
}

struct each {
	FILE *fp;
	const struct paper_text *t;
	const char *body, *separator;
	bool begun;
};

/* Print a block at one point, after a separator unless it is empty. */
static bool print_each(const struct design_place *p, void *arg)
{
	struct each *each = arg;
	char *said = said_at(p, each->t, each->body);

	if (!said)
		design_no_memory(p->results);
	if (said && *said) {
		fputs(each->begun ? each->separator : "", each->fp);
		fputs(said, each->fp);
		each->begun = true;
	}
	free(said);
	return true;
}

/* "CHOICE", "CHOICE|SEPARATOR".  Result: behind the block. */
static const char *print_all(FILE *fp, const struct design_place *p,
			     const struct paper_text *t, const char *over,
			     const char *rest)
{
	const char *end, *behind = paper_block_end(rest, &end);
	char *body = behind ? strndup(rest, (size_t)(end - rest)) : NULL;
	char choice[WORD];
	struct each each = {fp, t, body, "", false};

	if (behind && !body)
		design_no_memory(p->results);
	if (!body)
		return NULL;
	snprintf(choice, sizeof(choice), "%.*s", (int)strcspn(over, "|"), over);
	if (strchr(over, '|'))
		each.separator = strchr(over, '|') + 1;
	design_each(p, choice, print_each, &each);
	free(body);
	return behind;
}

/* ---- texts ---- */

/* Print a word.  Result: where the text goes on, or NULL at its end. */
static const char *print_word(FILE *fp, const struct design_place *p,
			      const struct paper_text *t, const char *word,
			      const char *rest)
{
	const char *end, *behind = NULL;
	char letter[2] = {p->letter, '\0'};

	if (word[0] == '%') {
		print_number(fp, p, t, word);
		return rest;
	}
	if (strncmp(word, "if ", 3) == 0)
		return paper_value(p, t, word + 3) != 0
			       ? rest
			       : skip_block(rest, true, &end);
	if (strncmp(word, "each ", 5) == 0)
		return print_all(fp, p, t, word + 5, rest);
	if (strcmp(word, "else") == 0)
		return skip_block(rest, false, &end);
	if (strcmp(word, "end") == 0)
		return rest;
	if (strcmp(word, "letter") == 0) {
		fputs(letter, fp);
		return rest;
	}
	if (t->word)
		behind = t->word(fp, p, word, rest, t->arg);
	if (behind || print_name(fp, p, t, word))
		return behind ? behind : rest;
	design_wrong(p->results, "word", word);
	return rest;
}

void paper_print(FILE *fp, const struct design_place *p,
		 const struct paper_text *t, const char *text)
{
	while (text && *text) {
		const char *open = strstr(text, "{{"), *close;
		char word[WORD];

		close = open ? strstr(open, "}}") : NULL;
		if (!close) {
			fputs(text, fp);
			return;
		}
		fwrite(text, 1, (size_t)(open - text), fp);
		snprintf(word, sizeof(word), "%.*s", (int)(close - open - 2),
			 open + 2);
		text = print_word(fp, p, t, word, close + 2);
	}
}

void paper_format(char *buf, size_t size, const struct design_place *p,
		  const struct paper_text *t, const char *text)
{
	char *said = said_at(p, t, text);

	if (!said)
		design_no_memory(p->results);
	snprintf(buf, size, "%s", said ? said : "");
	free(said);
}
