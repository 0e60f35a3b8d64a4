/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_values.c - texts of Slurm's commands into fields of structs. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

int site_fail(struct site_file *f, const char *fmt, ...)
{
	char why[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return libra_errf(f->err, EINVAL, "%s:%zu: %s", f->path, f->in.line,
			  why);
}

bool site_next(struct import_text *list, char separator,
	       struct import_text *part)
{
	const char *end;

	if (!list->at || list->n == 0)
		return false;
	end = memchr(list->at, separator, list->n);
	part->at = list->at;
	part->n = end ? (size_t)(end - list->at) : list->n;
	list->at += part->n + (end != NULL);
	list->n -= part->n + (end != NULL);
	return true;
}

bool site_is_none(struct import_text t)
{
	return t.n == 0 || import_is(t, "(null)") || import_is(t, "N/A") ||
	       import_is(t, "None") || import_is(t, "Unknown");
}

static bool is_unlimited(struct import_text t)
{
	return import_is(t, "UNLIMITED") || import_is(t, "INFINITE") ||
	       import_is(t, "NONE") || import_is(t, "-1");
}

bool site_amount(struct import_text t, bool memory, int64_t *n)
{
	static const char units[] = "KMGTPE";
	char text[40], *end;
	const char *unit;
	double value;

	if (t.n == 0 || t.n >= sizeof(text))
		return false;
	memcpy(text, t.at, t.n);
	text[t.n] = '\0';
	if (!isdigit((unsigned char)text[0]))
		return false;
	value = strtod(text, &end);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit)
		value = ldexp(value,
			      10 * (int)(unit - units + 1) - (memory ? 20 : 0));
	end += unit != NULL;
	if (*end || !(value >= 0 && value < 0x1p62))
		return false;
	*n = (int64_t)value;
	return true;
}

int site_instant(struct site_file *f, struct import_text t, int64_t *at_s)
{
	struct import_clock clock;
	char text[48];
	bool twice;

	*at_s = 0;
	if (site_is_none(t))
		return 0;
	clock.zoned = false;
	/* Times without a zone are UTC. */
	snprintf(text, sizeof(text), "%.*s%s", (int)(t.n < 40 ? t.n : 40), t.at,
		 memchr(t.at, 'T', t.n) ? "Z" : "");
	switch (import_time(&clock, (struct import_text){text, strlen(text)},
			    at_s, &twice)) {
	case IMPORT_OK:
	case IMPORT_NONE:
		return 0;
	default:
		return site_fail(f,
				 "'%.40s' is no time such as "
				 "2026-01-31T12:00:00: run site-snapshot again",
				 text);
	}
}

/* ---- TRES ---- */

static bool is_name(const char *name, struct import_text t)
{
	return import_is(t, name);
}

uint32_t site_add_tres(struct slurm_site *site, struct import_text name,
		       uint32_t id, bool tracked)
{
	const char *text;

	for (uint32_t i = 0; i < site->ntres; i++)
		if (is_name(site->tres[i].name, name)) {
			site->tres[i].tracked |= tracked;
			if (id)
				site->tres[i].id = id;
			return i;
		}
	text = site_text(site, name);
	if (!text || site->ntres == SLURM_TRES_MAX)
		return SLURM_NONE;
	site->tres[site->ntres] = (struct slurm_tres){text, id, tracked};
	return (uint32_t)site->ntres++;
}

static uint32_t find_tres(const struct slurm_site *site, struct import_text t)
{
	for (uint32_t i = 0; i < site->ntres; i++)
		if (is_name(site->tres[i].name, t))
			return i;
	return SLURM_NONE;
}

/* Take name=amount of a list.  Result: false at its end. */
static bool next_amount(struct import_text *list, struct import_text *name,
			struct import_text *value)
{
	struct import_text part;
	const char *equals = NULL;

	while (!equals) {
		if (!site_next(list, ',', &part))
			return false;
		for (size_t i = part.n; i > 0 && !equals; i--)
			if (part.at[i - 1] == '=')
				equals = part.at + i - 1;
		if (!equals && part.n > 0)
			equals = part.at + part.n;
	}
	*name = (struct import_text){part.at, (size_t)(equals - part.at)};
	*value = (struct import_text){
		equals + (equals < part.at + part.n),
		equals < part.at + part.n
			? part.n - (size_t)(equals - part.at) - 1
			: 0};
	return true;
}

static int read_amounts(struct site_file *f, struct import_text list,
			int64_t *amounts)
{
	struct import_text name, value;

	while (next_amount(&list, &name, &value)) {
		uint32_t i = find_tres(f->site, name);
		int64_t n;

		if (i == SLURM_NONE) {
			if (site_unknown(f, "TRES", name) < 0)
				return -1;
			continue;
		}
		if (is_unlimited(value))
			continue;
		if (!site_amount(value, i == SLURM_MEM, &n))
			return site_fail(f,
					 "'%.*s=%.*s' is no amount: run "
					 "site-snapshot again",
					 (int)name.n, name.at, (int)value.n,
					 value.at);
		amounts[i] = n;
	}
	return 0;
}

/* Lists repeat: each is parsed once.  Those of limits and of counts differ by
 * what is not said.
 */
const int64_t *site_amounts(struct site_file *f, struct import_text t,
			    int64_t unset)
{
	struct slurm_store *store = f->site->store;
	uint32_t before = store->lists.n, number;
	char text[1024];
	const int64_t **grown;
	int64_t *amounts;

	if (t.n > sizeof(text) - 2) {
		site_fail(f,
			  "a list of more than %zu bytes: run site-snapshot "
			  "again",
			  sizeof(text) - 2);
		return NULL;
	}
	text[0] = unset ? 'l' : 'c';
	if (t.n > 0)
		memcpy(text + 1, t.at, t.n);
	number = names_add(&store->lists, text, t.n + 1);
	if (number == UINT32_MAX)
		goto no_memory;
	if (number <= before && store->amounts[number - 1])
		return store->amounts[number - 1];
	grown = sim_grown(store->amounts, &store->amounts_cap, number,
			  sizeof(*grown));
	if (!grown)
		goto no_memory;
	store->amounts = grown;
	/* TRES may be added later: there is room for all. */
	amounts = site_alloc(f->site, SLURM_TRES_MAX * sizeof(*amounts));
	store->amounts[number - 1] = amounts;
	if (!amounts)
		goto no_memory;
	for (size_t i = 0; i < SLURM_TRES_MAX; i++)
		amounts[i] = unset;
	if (read_amounts(f, t, amounts) == 0)
		return amounts;
	store->amounts[number - 1] = NULL; /* wrong the next time, too */
	return NULL;
no_memory:
	sim_no_memory(f->err);
	return NULL;
}

/* A weight such as 0.25G: for a gigabyte. */
static bool read_weight(struct import_text t, bool memory, double *weight)
{
	static const char units[] = "KMGTPE";
	char text[40], *end;
	const char *unit;

	if (t.n == 0 || t.n >= sizeof(text))
		return false;
	memcpy(text, t.at, t.n);
	text[t.n] = '\0';
	*weight = strtod(text, &end);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit)
		*weight = ldexp(*weight, -10 * (int)(unit - units + 1) +
						 (memory ? 20 : 0));
	end += unit != NULL;
	return end > text && !*end && isfinite(*weight);
}

const double *site_weights(struct site_file *f, struct import_text t)
{
	struct import_text name, value;
	double *weights;

	errno = 0;
	if (site_is_none(t))
		return NULL;
	weights = site_alloc(f->site, SLURM_TRES_MAX * sizeof(*weights));
	if (!weights) {
		sim_no_memory(f->err);
		return NULL;
	}
	while (next_amount(&t, &name, &value)) {
		uint32_t i = find_tres(f->site, name);

		if (i == SLURM_NONE) {
			if (site_unknown(f, "weight of", name) < 0)
				return NULL;
		} else if (!read_weight(value, i == SLURM_MEM, &weights[i])) {
			site_fail(f,
				  "'%.*s=%.*s' is no weight: run site-snapshot "
				  "again",
				  (int)name.n, name.at, (int)value.n, value.at);
			return NULL;
		}
	}
	return weights;
}

/* ---- fields ---- */

const struct site_field *site_find_field(const struct site_field *fields,
					 size_t n, struct import_text name)
{
	for (size_t i = 0; i < n; i++)
		if (import_is(name, fields[i].name))
			return &fields[i];
	return NULL;
}

static int fail_value(struct site_file *f, const struct site_field *field,
		      struct import_text value)
{
	return site_fail(f,
			 "%s is '%.*s', which is no value of it: run "
			 "site-snapshot again",
			 field->name, (int)(value.n < 60 ? value.n : 60),
			 value.at);
}

static int set_number(struct site_file *f, const struct site_field *field,
		      char *at, struct import_text value)
{
	int64_t n = SLURM_UNLIMITED;
	double s;

	if (!site_is_none(value) && !is_unlimited(value)) {
		if (field->kind == SITE_WALL) {
			if (import_duration(value, &s) != IMPORT_OK || s < 0 ||
			    s > 0x1p50)
				return fail_value(f, field, value);
			n = (int64_t)s;
		} else if (!site_amount(value, field->kind == SITE_MB, &n)) {
			return fail_value(f, field, value);
		}
	}
	memcpy(at, &n, sizeof(n));
	return 0;
}

/* A number, perhaps with a unit behind it: "60 sec". */
static int set_u32(struct site_file *f, const struct site_field *field,
		   char *at, struct import_text value)
{
	struct import_text first = value;
	uint32_t to = UINT32_MAX;
	bool minutes = false;
	int64_t n;
	double s;

	if (value.n == 0 || import_is(value, "(null)") ||
	    import_is(value, "N/A"))
		return 0;
	if (site_next(&value, ' ', &first))
		minutes = import_is(value, "min");
	if (!is_unlimited(first)) {
		if (field->kind == SITE_TIME32) {
			if (import_duration(first, &s) != IMPORT_OK || s < 0)
				return fail_value(f, field, first);
			s *= minutes ? 60 : 1;
			n = s < 4e9 ? (int64_t)s : INT64_C(4000000000);
		} else if (!site_amount(first, false, &n)) {
			return fail_value(f, field, first);
		}
		to = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX - 2;
	}
	memcpy(at, &to, sizeof(to));
	return 0;
}

static int set_double(struct site_file *f, const struct site_field *field,
		      char *at, struct import_text value)
{
	char text[48], *end;
	double d;

	if (site_is_none(value))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)(value.n < 40 ? value.n : 40),
		 value.at);
	d = strtod(text, &end);
	if (end == text || *end || !isfinite(d))
		return fail_value(f, field, value);
	memcpy(at, &d, sizeof(d));
	return 0;
}

static int set_pointer(struct site_file *f, const struct site_field *field,
		       char *at, struct import_text value)
{
	const void *to = NULL;

	if (field->kind == SITE_TEXT)
		to = site_text(f->site, site_is_none(value)
						? (struct import_text){"", 0}
						: value);
	else if (field->kind == SITE_COUNTS)
		to = site_amounts(f,
				  site_is_none(value)
					  ? (struct import_text){"", 0}
					  : value,
				  0);
	else if (!site_is_none(value))
		to = site_amounts(f, value, SLURM_UNLIMITED);
	else
		return 0;
	if (!to)
		return errno == EINVAL ? -1 : sim_no_memory(f->err);
	memcpy(at, &to, sizeof(to));
	return 0;
}

int site_set(struct site_file *f, const struct site_field *field, void *object,
	     struct import_text value)
{
	char *at = (char *)object + field->at;
	bool yes;

	value = import_trimmed(value);
	switch (field->kind) {
	case SITE_NUMBER:
	case SITE_MB:
	case SITE_WALL:
		return set_number(f, field, at, value);
	case SITE_U32:
	case SITE_TIME32:
		return set_u32(f, field, at, value);
	case SITE_DOUBLE:
		return set_double(f, field, at, value);
	case SITE_YES:
		yes = import_is(value, "YES") || import_is(value, "1");
		memcpy(at, &yes, sizeof(yes));
		return 0;
	case SITE_TEXT:
	case SITE_TRES:
	case SITE_COUNTS:
		return set_pointer(f, field, at, value);
	default:
		return 0;
	}
}

uint8_t site_preempt_mode(struct import_text t)
{
	static const struct {
		const char *word;
		uint8_t mode;
	} words[] = {
		{"OFF", SLURM_PREEMPT_OFF},
		{"CANCEL", SLURM_PREEMPT_CANCEL},
		{"REQUEUE", SLURM_PREEMPT_REQUEUE},
		{"SUSPEND", SLURM_PREEMPT_SUSPEND},
		{"WITHIN", SLURM_PREEMPT_WITHIN},
		{"GANG", SLURM_PREEMPT_GANG},
	};
	struct import_text part;
	uint8_t mode = SLURM_PREEMPT_CLUSTER;

	while (site_next(&t, ',', &part))
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (import_is(import_trimmed(part), words[i].word))
				mode |= words[i].mode;
	return mode;
}
