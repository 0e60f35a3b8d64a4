/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claim_rows.c - the reader of claims. */
#include "sim/paper/claim_rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"

/* Lines that go on with the one before become part of it. */
static void join_lines(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (strncmp(text, "\n\t\t", 3) == 0) {
			*to++ = ' ';
			text += 2;
		} else {
			*to++ = *text;
		}
	*to = '\0';
}

/* The next field, without the blanks around it; NULL = no more. */
static char *next_field(char **rest)
{
	char *field = strsep(rest, "|"), *end;

	if (!field)
		return NULL;
	field += strspn(field, " \t");
	end = field + strlen(field);
	while (end > field && end[-1] == ' ')
		*--end = '\0';
	return field;
}

static const char *filled(const char *field)
{
	return field && *field ? field : NULL;
}

/* One side of a range; strict: the next number inwards. */
static bool read_end(const char *text, char sign, double inwards,
		     double nothing, double *end)
{
	bool strict = *text == sign;
	char *behind;

	text += strict;
	if (!*text)
		return !strict;
	*end = strtod(text, &behind);
	if (strict)
		*end = *end == 0 ? nothing : nextafter(*end, inwards);
	return *behind == '\0';
}

/* "LOW..HIGH UNIT" */
static bool read_range(struct claim_bound *b, char *field)
{
	char *unit = strchr(field, ' '), *high;

	if (unit)
		*unit++ = '\0';
	b->unit = unit ? unit : "";
	high = strstr(field, "..");
	if (!high)
		return false;
	*high = '\0';
	b->low = -CLAIM_ANY;
	b->high = CLAIM_ANY;
	return read_end(field, '>', INFINITY, CLAIM_ABOVE_0, &b->low) &&
	       read_end(high + 2, '<', -INFINITY, CLAIM_BELOW_0, &b->high);
}

/* Read a bound after its tab.  Result: false if it is no bound. */
static bool read_bound(struct claim *claim, char *line)
{
	struct claim_bound *b = claim->bound;
	char *range = next_field(&line);

	while (b < claim->bound + CLAIM_NBOUNDS && b->unit)
		b++;
	if (b == claim->bound + CLAIM_NBOUNDS || !read_range(b, range))
		return false;
	b->what = next_field(&line);
	if (b->what && strcmp(b->what, "-") == 0)
		b->what = NULL;
	b->value = filled(next_field(&line));
	b->over = filled(next_field(&line));
	b->label = filled(next_field(&line));
	b->slack = filled(next_field(&line));
	return !line;
}

/* "key: text" */
static bool read_text(struct claim *claim, char *line)
{
	const struct {
		const char *key, **text;
	} keys[] = {
		{"also: ", &claim->also}, {"at: ", &claim->at},
		{"head: ", &claim->head}, {"tell: ", &claim->tell},
		{"why: ", &claim->why},	  {"note: ", &claim->note},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t n = strlen(keys[i].key), end = strlen(line) - 1;

		if (strncmp(line, keys[i].key, n) != 0)
			continue;
		if (line[n] == '"' && end > n && line[end] == '"') {
			line[end] = '\0';
			n++;
		}
		*keys[i].text = line + n;
		return true;
	}
	return false;
}

/* "range .1 pp" */
static bool read_ask(struct claim *claim, char *field,
		     const struct paper_ask *const asks[2])
{
	const char *name = field ? strsep(&field, " ") : "";

	if (field && field[0] == '.' && isdigit((unsigned char)field[1]))
		claim->decimals = (int)strtol(field + 1, &field, 10);
	if (field)
		claim->unit = filled(field + strspn(field, " "));
	for (int k = 0; k < 2; k++)
		for (const struct paper_ask *a = asks[k]; a && a->name; a++)
			if (strcmp(a->name, name) == 0)
				claim->check = a->check;
	return claim->check;
}

static bool read_head(struct claim *claim, char *line,
		      const struct paper_ask *const asks[2])
{
	claim->id = next_field(&line);
	claim->where = next_field(&line);
	claim->text = next_field(&line);
	claim->setting = next_field(&line);
	return claim->setting && read_ask(claim, next_field(&line), asks) &&
	       !line;
}

/* "let name = text" */
static bool read_let(struct paper_claims *c, char *line)
{
	char *is = strstr(line, " = ");

	if (!is)
		return false;
	*is = '\0';
	c->lets[c->nlets++] = (struct paper_let){line + 4, is + 3};
	return true;
}

/* Read one line.  Result: false if it has not the form of claim_rows.h. */
static bool read_line(struct paper_claims *c, char *line,
		      const struct paper_ask *const asks[2])
{
	if (*line == '\0' || *line == '#')
		return true;
	if (strncmp(line, "let ", 4) == 0)
		return read_let(c, line);
	if (*line != '\t')
		return read_head(&c->claims[c->n++], line, asks);
	if (c->n == 0)
		return false;
	return isalpha((unsigned char)line[1])
		       ? read_text(&c->claims[c->n - 1], line + 1)
		       : read_bound(&c->claims[c->n - 1], line + 1);
}

int paper_claims_read(struct paper_claims *c, const char *text,
		      const struct paper_ask *const asks[2],
		      struct libra_error *err)
{
	size_t nlines = 1;
	char *rest, *line, begin[40];

	for (const char *at = text; (at = strchr(at, '\n')); at++)
		nlines++;
	*c = (struct paper_claims){
		.text = strdup(text),
		.claims = calloc(nlines, sizeof(*c->claims)),
		.lets = calloc(nlines + 1, sizeof(*c->lets)),
	};
	if (!c->text || !c->claims || !c->lets)
		return sim_no_memory(err);
	join_lines(c->text);
	rest = c->text;
	while ((line = strsep(&rest, "\n"))) {
		snprintf(begin, sizeof(begin), "%s", line);
		if (!read_line(c, line, asks))
			return libra_errf(err, EINVAL,
					  "not a row of claims: '%s...'",
					  begin + strspn(begin, "\t"));
	}
	return 0;
}

void paper_claims_fini(struct paper_claims *c)
{
	free(c->text);
	free(c->claims);
	free(c->lets);
	*c = (struct paper_claims){.text = NULL};
}
