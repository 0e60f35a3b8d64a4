/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_records.c - records of Key=Value words, as scontrol prints them. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

/* Take a value up to the next blank before a Key=; values have blanks (OS=,
 * Reason=), and brackets of Gres have commas and equals signs.
 */
static struct import_text take_value(struct import_text *line)
{
	const char *end = line->at + line->n, *p = line->at, *word;
	struct import_text value;

	for (;;) {
		while (p < end && *p != ' ')
			p++;
		if (p == end)
			break;
		word = p + 1;
		while (word < end && *word != ' ' && *word != '=' &&
		       *word != '(' && *word != ',' && *word != '/')
			word++;
		if (word < end && *word == '=' && word > p + 1)
			break;
		p++;
	}
	value = (struct import_text){line->at, (size_t)(p - line->at)};
	line->at = p;
	line->n = (size_t)(end - p);
	return import_trimmed(value);
}

static int take_pair(struct site_file *f, const struct site_records *r,
		     void **object, struct import_text key,
		     struct import_text value)
{
	const struct site_field *field;

	if (import_is(key, r->first)) {
		if (*object && r->end(f, *object) < 0)
			return -1;
		*object = r->begin(f, value);
		return *object ? 0 : sim_no_memory(f->err);
	}
	if (!*object)
		return site_fail(f,
				 "%.*s= stands before the first %s=: run "
				 "site-snapshot again",
				 (int)(key.n < 40 ? key.n : 40), key.at,
				 r->first);
	field = site_find_field(r->fields, r->nfields, key);
	if (!field)
		return site_unknown(f, "key", key);
	if (field->kind == SITE_OWN)
		return r->own(f, field->name, *object, value);
	return site_set(f, field, *object, value);
}

static int take_line(struct site_file *f, const struct site_records *r,
		     void **object, struct import_text line)
{
	while ((line = import_trimmed(line)).n > 0) {
		const char *equals = memchr(line.at, '=', line.n);
		struct import_text key, value;

		if (!equals || memchr(line.at, ' ', (size_t)(equals - line.at)))
			return 0; /* a message */
		key = (struct import_text){line.at, (size_t)(equals - line.at)};
		line.at += key.n + 1;
		line.n -= key.n + 1;
		value = take_value(&line);
		if (take_pair(f, r, object, key, value) < 0)
			return -1;
	}
	return 0;
}

int site_read_records(struct slurm_site *site, const char *folder,
		      const char *file, const struct site_records *r,
		      struct libra_error *err)
{
	struct site_file f;
	void *object = NULL;
	size_t n;
	char *line;
	int rc = site_open(&f, site, folder, file, err);

	if (rc <= 0)
		return rc;
	while (rc > 0) {
		rc = input_line(&f.in, &line, &n);
		if (rc > 0 && take_line(&f, r, &object,
					(struct import_text){line, n}) < 0)
			rc = -1;
	}
	if (rc == 0 && object && r->end(&f, object) < 0)
		rc = -1;
	site_close(&f);
	return rc < 0 ? -1 : 1;
}
