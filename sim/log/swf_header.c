/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf_header.c - the header comments of a log.
 *
 * A table has the names that are read and where their values go in the trace:
 * numbers, texts, or names of queues and partitions.  A copyright may go on
 * over several comments.
 */
#include "sim/log/swf_header.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	MAX_NAMES = 10000,     /* of queues, and of partitions */
	MAX_ENTRY = 16 * 1024, /* of the notice, with what continues it */
};

/* A number that may be followed by words: "338 (batch partition)".  Without
 * one the entry counts as absent.
 */
static int header_number(const struct swf_place *at, const char *key,
			 const char *text, int64_t max, int64_t *value)
{
	long long n;

	if (*value != 0 || !isdigit((unsigned char)*text))
		return 0; /* the first one counts */
	errno = 0;
	n = strtoll(text, NULL, 10);
	if (errno || n > max)
		return libra_errf(at->err, EINVAL,
				  "%s:%zu: %s in the header is out of range",
				  at->name, at->line, key);
	*value = n;
	return 0;
}

static int header_text(const struct swf_place *at, const char *text,
		       const char *end, char **value)
{
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (*value || end == text)
		return 0;
	*value = strndup(text, end - text);
	if (!*value)
		return swf_no_memory(at);
	return 0;
}

/* An indented line continues the notice before it; of other entries only the
 * first line is kept.
 */
static int continue_text(struct swf_header *h, const struct swf_place *at,
			 const char *text, const char *end)
{
	char *old = *h->entry, *longer;
	size_t n = strlen(old);

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end == text || n + (size_t)(end - text) > MAX_ENTRY)
		return 0;
	longer = realloc(old, n + (size_t)(end - text) + 2);
	if (!longer)
		return swf_no_memory(at);
	longer[n] = ' ';
	memcpy(longer + n + 1, text, (size_t)(end - text));
	longer[n + 1 + (size_t)(end - text)] = '\0';
	*h->entry = longer;
	return 0;
}

/* "2 normal": a number and its name.  Other texts under the same word, such as
 * a description of all queues, are passed over.
 */
static int header_name(const struct swf_place *at, const char *text,
		       const char *end, struct swf_names *names)
{
	struct swf_name *list;
	char *behind;
	long long n;

	errno = 0;
	n = strtoll(text, &behind, 10);
	if (!isdigit((unsigned char)*text) || errno || n > INT32_MAX ||
	    (*behind != ' ' && *behind != '\t') || names->n == MAX_NAMES)
		return 0;
	list = reallocarray(names->list, names->n + 1, sizeof(*list));
	if (!list)
		return swf_no_memory(at);
	names->list = list;
	list[names->n] = (struct swf_name){.number = (int32_t)n};
	if (header_text(at, swf_skip_blanks(behind), end,
			&list[names->n].name) < 0)
		return -1;
	names->n += list[names->n].name != NULL;
	return 0;
}

/* Is this the entry's name, from p up to its colon? */
static bool named(const char *p, const char *colon, const char *key)
{
	size_t n = strlen(key);

	return (size_t)(colon - p) == n && strncasecmp(p, key, n) == 0;
}

/* Parse the comment "NAME: TEXT" if the table has its name. */
static int parse_entry(struct swf_header *h, const struct swf_place *at,
		       const char *p, const char *colon, const char *end)
{
	struct swf_trace *t = h->trace;
	const struct {
		const char *key;
		int64_t max;
		int64_t *number;
		char **text;
		struct swf_names *names;
	} entries[] = {
		{"Queue", .names = &t->queues},
		{"Partition", .names = &t->partitions},
		{"MaxProcs", .max = INT32_MAX, .number = &t->max_procs},
		{"MaxNodes", .max = INT32_MAX, .number = &t->max_nodes},
		{"UnixStartTime", .max = SWF_NUMBER_MAX,
		 .number = &t->unix_start},
		{"MaxJobs", .max = SWF_NUMBER_MAX, .number = &t->max_jobs},
		{"MaxRecords", .max = SWF_NUMBER_MAX,
		 .number = &t->max_records},
		{"Computer", .text = &t->computer},
		{"Installation", .text = &t->installation},
		{"Acknowledge", .text = &t->acknowledge},
		{"Version", .text = &t->version},
		{"Copyright", .text = &t->copyright},
	};
	const char *text = swf_skip_blanks(colon + 1);

	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		if (!named(p, colon, entries[i].key))
			continue;
		if (entries[i].names)
			return header_name(at, text, end, entries[i].names);
		if (entries[i].number)
			return header_number(at, entries[i].key, text,
					     entries[i].max, entries[i].number);
		if (entries[i].text == &t->copyright && !t->copyright)
			h->entry = &t->copyright;
		return header_text(at, text, end, entries[i].text);
	}
	return 0;
}

int swf_header_parse(struct swf_header *h, const struct swf_place *at,
		     const char *p, const char *end)
{
	const char *colon = memchr(p, ':', end - p);

	if (memchr(p, '\0', end - p))
		return swf_fail_nul(at);
	if (h->entry && *h->entry && end - p > 3 &&
	    (p[1] == '\t' || (p[1] == ' ' && p[2] == ' ')))
		return continue_text(h, at, swf_skip_blanks(p + 1), end);
	h->entry = NULL;
	return colon ? parse_entry(h, at, swf_skip_blanks(p + 1), colon, end)
		     : 0;
}
