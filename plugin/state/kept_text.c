/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_text.c - see kept_text.h.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/state/kept_text.h"

#define FIRST "libra_kept 1"

/* ---- words ---- */

/* A text that is read from the front. */
struct reader {
	char *at, *end; /* a NUL is at end */
	char ended;	/* the character that ended the last word */
	bool bad, short_of_memory;
};

/* Read a non-empty word that one of `ends` ends, and skip that character. */
static char *read_word(struct reader *r, const char *ends)
{
	char *word = r->at, *end = strpbrk(word, " \n,");

	if (r->bad || !end || end == word || !strchr(ends, *end)) {
		r->bad = true;
		return NULL;
	}
	r->ended = *end;
	*end = '\0';
	r->at = end + 1;
	return word;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static uint64_t read_whole(struct reader *r, const char *ends, uint64_t most)
{
	char *word = read_word(r, ends), *end = word;
	unsigned long long v = 0;

	errno = 0;
	if (word && is_digit(*word))
		v = strtoull(word, &end, 10);
	if (!word || end == word || *end || errno || v > most)
		r->bad = true;
	return v;
}

static double read_number(struct reader *r)
{
	char *word = read_word(r, " "), *end = word;
	double v = NAN;

	if (word && (is_digit(*word) || *word == '-'))
		v = strtod(word, &end);
	if (!isfinite(v) || *end)
		r->bad = true;
	return v;
}

static bool begins(const struct reader *r, const char *text)
{
	return !r->bad && strncmp(r->at, text, strlen(text)) == 0;
}

static void read_literal(struct reader *r, const char *text)
{
	if (begins(r, text))
		r->at += strlen(text);
	else
		r->bad = true;
}

/* Allocate n elements, if that many, each of `least` characters or more, can be
 * in the text.
 */
static void *new_array(struct reader *r, uint64_t n, size_t size, size_t least)
{
	void *array = NULL;

	if (!r->bad && n <= (size_t)(r->end - r->at) / least) {
		array = calloc(n + 1, size);
		r->short_of_memory = !array;
	}
	r->bad = !array;
	return array;
}

/* ---- read ---- */

static void read_first(struct reader *r, struct host_kept *kept)
{
	read_literal(r, FIRST);
	while (begins(r, " ") || (!r->bad && r->ended == ' ')) {
		if (r->ended != ' ')
			r->at++;
		if (kept->nresources == LIBRA_RESOURCES) {
			r->bad = true;
			return;
		}
		kept->resources[kept->nresources++] = read_word(r, " \n");
	}
	if (kept->nresources == 0)
		read_literal(r, "\n");
}

static void read_gone(struct reader *r, struct host_kept_place *p)
{
	size_t len, n = 1;

	read_literal(r, "gone=");
	if (begins(r, " ")) {
		r->at++;
		return;
	}
	len = strcspn(r->at, " \n");
	for (size_t i = 0; i < len; i++)
		n += r->at[i] == ',';
	p->gone = new_array(r, n, sizeof(*p->gone), 1);
	for (size_t i = 0; i < n && !r->bad; i++) {
		p->gone[i] = (uint32_t)read_whole(r, i + 1 < n ? "," : " ",
						  UINT32_MAX);
		p->ngone++;
	}
}

static void read_part(struct reader *r, uint32_t nresources,
		      struct host_kept_part *part)
{
	part->node = read_word(r, " ");
	part->first = (uint32_t)read_whole(r, " ", UINT32_MAX);
	part->count =
		(uint32_t)read_whole(r, nresources ? " " : "\n", UINT32_MAX);
	r->bad = r->bad || part->count == 0;
	for (uint32_t i = 0; i < nresources; i++)
		part->amounts[i] = read_whole(
			r, i + 1 < nresources ? " " : "\n", UINT64_MAX);
}

static void read_place(struct reader *r, uint32_t nresources,
		       struct host_kept_place *p)
{
	uint64_t n;

	read_literal(r, "job=");
	p->job_id = (uint32_t)read_whole(r, " ", UINT32_MAX);
	read_literal(r, "since=");
	p->since_s = read_number(r);
	read_literal(r, "until=");
	p->until_s = read_number(r);
	read_literal(r, "limit=");
	p->limit_s = read_number(r);
	read_gone(r, p);
	read_literal(r, "parts=");
	n = read_whole(r, "\n", UINT32_MAX);
	r->bad = r->bad || p->job_id == 0 || !(p->limit_s > 0) || n == 0;
	p->parts = new_array(r, n, sizeof(*p->parts), strlen("n 0 1\n"));
	for (uint64_t i = 0; i < n && !r->bad; i++) {
		read_part(r, nresources, &p->parts[i]);
		p->nparts++;
	}
}

static void read_places(struct reader *r, struct host_kept *kept)
{
	struct host_kept_place *more;
	uint32_t cap = 0;

	while (begins(r, "job=")) {
		if (kept->nplaces == cap) {
			cap = 2 * cap + 4;
			more = realloc(kept->places, cap * sizeof(*more));
			if (!more) {
				r->bad = r->short_of_memory = true;
				return;
			}
			kept->places = more;
		}
		kept->places[kept->nplaces] = (struct host_kept_place){0};
		read_place(r, kept->nresources, &kept->places[kept->nplaces++]);
	}
}

static char *copy_text(const char *text, size_t size)
{
	char *copy = malloc(size + 1);

	if (copy) {
		memcpy(copy, text, size);
		copy[size] = '\0';
	}
	return copy;
}

int host_kept_read(struct host_kept *kept, const char *text, size_t size)
{
	struct reader r = {.bad = memchr(text, '\0', size) != NULL};

	*kept = (struct host_kept){.text = copy_text(text, size)};
	if (!kept->text) {
		errno = ENOMEM;
		return -1;
	}
	r.at = kept->text;
	r.end = r.at + size;
	read_first(&r, kept);
	read_places(&r, kept);
	read_literal(&r, "end ");
	if (read_whole(&r, "\n", UINT32_MAX) != kept->nplaces)
		r.bad = true;
	if (!r.bad && r.at == r.end)
		return 0;
	host_kept_fini(kept);
	errno = r.short_of_memory ? ENOMEM : EBADMSG;
	return -1;
}

void host_kept_fini(struct host_kept *kept)
{
	for (uint32_t i = 0; i < kept->nplaces; i++) {
		free(kept->places[i].gone);
		free(kept->places[i].parts);
	}
	free(kept->places);
	free(kept->text);
	*kept = (struct host_kept){0};
}

/* ---- write ---- */

void host_kept_add_first(struct host_text *out, const char *const *resources,
			 uint32_t n)
{
	host_text_add(out, FIRST);
	for (uint32_t i = 0; i < n; i++)
		host_text_add(out, " %s", resources[i]);
	host_text_add(out, "\n");
}

void host_kept_add_head(struct host_text *out, uint32_t job_id, double since_s,
			double until_s)
{
	host_text_add(out, "job=%u since=%.17g until=%.17g ", job_id, since_s,
		      until_s);
}

void host_kept_add_rest(struct host_text *out,
			const struct host_kept_place *place,
			uint32_t nresources)
{
	host_text_add(out, "limit=%.17g gone=", place->limit_s);
	for (uint32_t i = 0; i < place->ngone; i++)
		host_text_add(out, "%s%u", i ? "," : "", place->gone[i]);
	host_text_add(out, " parts=%u\n", place->nparts);
	for (uint32_t i = 0; i < place->nparts; i++) {
		const struct host_kept_part *part = &place->parts[i];

		host_text_add(out, "%s %u %u", part->node, part->first,
			      part->count);
		for (uint32_t k = 0; k < nresources; k++) {
			host_text_add(out, " ");
			host_text_add_whole(out, part->amounts[k]);
		}
		host_text_add(out, "\n");
	}
}

void host_kept_add_end(struct host_text *out, uint32_t nplaces)
{
	host_text_add(out, "end %u\n", nplaces);
}
