/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - split a stream into objects, and map their members to columns.
 *
 * The text is searched for the array "jobs", or for the beginning of an object,
 * and one object at a time is parsed by jansson.  A row's texts are those of
 * the parsed object, or are made in the arena.
 */
#include "sim/import/json.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- objects of a stream ---- */

/* Find the next character from at on, reading more if needed.
 * Result: 1, 0 at the end, -1.
 */
static int has_char(struct input *in, size_t at)
{
	while (in->pos + at >= in->end) {
		int more = input_more(in);

		if (more <= 0)
			return more;
	}
	return 1;
}

/* Find the end of the object that begins at pos. */
static int measure(struct input *in, size_t *n)
{
	bool text = false;
	size_t depth = 0, at = 0;
	int rc;

	for (; (rc = has_char(in, at)) > 0; at++) {
		char c = in->pos[at];

		if (text && c == '\\')
			at++;
		else if (c == '"')
			text = !text;
		else if (!text && (c == '{' || c == '['))
			depth++;
		else if (!text && (c == '}' || c == ']') && --depth == 0) {
			*n = at + 1;
			return 1;
		}
	}
	if (rc == 0)
		libra_errf(in->err, EINVAL,
			   "%s: the JSON ends within a job: the file is cut "
			   "off",
			   in->name);
	return -1;
}

/* Skip to the first element of "jobs": [, without looking into deeper values.
 */
static int find_jobs(struct import_json_reader *r, struct input *in)
{
	static const char key[] = "\"jobs\"";
	int rc;

	while ((rc = has_char(in, sizeof(key) + 16)) > 0 ||
	       (rc == 0 && in->pos < in->end)) {
		size_t skip = sizeof(key) - 1;

		if ((size_t)(in->end - in->pos) > skip &&
		    memcmp(in->pos, key, skip) == 0) {
			while (has_char(in, skip) > 0 &&
			       (isspace((unsigned char)in->pos[skip]) ||
				in->pos[skip] == ':'))
				skip++;
			if (has_char(in, skip) > 0 && in->pos[skip] == '[') {
				in->pos += skip + 1;
				r->within = r->any = true;
				return 1;
			}
		}
		in->pos++;
	}
	return rc;
}

/* Result: 1 with the bytes of an object at pos, 0 at the end, -1. */
static int next_object(struct import_json_reader *r, struct input *in,
		       size_t *n)
{
	int rc;

	for (;;) {
		if (!r->jobcomp && !r->within) {
			rc = find_jobs(r, in);
			if (rc <= 0)
				return rc;
		}
		rc = has_char(in, 0);
		if (rc <= 0)
			return rc;
		if (*in->pos == '{')
			return measure(in, n);
		if (*in->pos == ']')
			r->within = false;
		else if (*in->pos != ',' && !isspace((unsigned char)*in->pos))
			return libra_errf(in->err, EINVAL,
					  "%s: a job was expected in the JSON, "
					  "not '%c'",
					  in->name, *in->pos);
		in->pos++;
	}
}

/* ---- members as texts ---- */

static void put(struct import_row *row, enum import_column column,
		const char *text)
{
	row->given[column] = true;
	row->col[column] = (struct import_text){text, strlen(text)};
}

__attribute__((format(printf, 4, 5))) static void put_made(
	struct import_json_reader *r, struct import_row *row,
	enum import_column column, const char *fmt, ...)
{
	size_t room = sizeof(r->arena) - r->used;
	char *at = r->arena + r->used;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(at, room, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= room)
		return;
	r->used += (size_t)n + 1;
	put(row, column, at);
}

/* Read a number, perhaps from {"set": .., "infinite": .., "number": ..}. */
static bool number_of(const json_t *value, int64_t *n)
{
	if (json_is_object(value)) {
		json_t *set = json_object_get(value, "set");

		if (set && !json_is_true(set))
			return false;
		value = json_object_get(value, "number");
	}
	if (json_is_string(value)) {
		const char *text = json_string_value(value);
		char *end;

		*n = strtoll(text, &end, 10);
		return end > text && *end == '\0';
	}
	if (!json_is_number(value) ||
	    !(fabs(json_number_value(value)) < 0x1p63))
		return false;
	*n = (int64_t)json_number_value(value);
	return true;
}

static void put_value(struct import_json_reader *r, struct import_row *row,
		      enum import_column column, const json_t *value)
{
	int64_t n;

	if (json_is_string(value))
		put(row, column, json_string_value(value));
	else if (number_of(value, &n))
		put_made(r, row, column, "%" PRId64, n);
}

static json_t *member(json_t *object, const char *outer, const char *inner)
{
	return json_object_get(json_object_get(object, outer), inner);
}

static bool is_infinite(const json_t *value)
{
	return json_is_true(json_object_get(value, "infinite"));
}

/* Print [{"type": "gres", "name": "gpu", "count": 1}, ...] as sacct does. */
static void put_tres(struct import_json_reader *r, struct import_row *row,
		     enum import_column column, json_t *list)
{
	char text[2048];
	size_t used = 0, i;
	json_t *item;

	if (!json_is_array(list))
		return;
	text[0] = '\0';
	json_array_foreach(list, i, item)
	{
		const char *type =
			json_string_value(json_object_get(item, "type"));
		const char *name =
			json_string_value(json_object_get(item, "name"));
		bool memory = type && strcmp(type, "mem") == 0;
		int64_t n = 0;

		if (!type || !number_of(json_object_get(item, "count"), &n) ||
		    used + 200 > sizeof(text))
			continue;
		used += (size_t)snprintf(
			text + used, sizeof(text) - used,
			"%s%s%s%.60s=%" PRId64 "%s", used ? "," : "", type,
			name && *name ? "/" : "", name ? name : "", n,
			memory ? "M" : "");
	}
	put_made(r, row, column, "%s", text);
}

/* ---- sacct --json ---- */

/* "state": "COMPLETED", ["COMPLETED"], {"current": ...}. */
static void put_state(struct import_row *row, const json_t *state)
{
	if (json_is_object(state))
		state = json_object_get(state, "current");
	if (json_is_array(state))
		state = json_array_get(state, 0);
	if (json_is_string(state))
		put(row, IMPORT_C_STATE, json_string_value(state));
}

/* Put the job's id, as sacct writes tasks (123_7) and components (123+1). */
static void put_id(struct import_json_reader *r, struct import_row *row,
		   json_t *job)
{
	int64_t id = 0, part = 0, leader = 0;

	put_value(r, row, IMPORT_C_JOBIDRAW, json_object_get(job, "job_id"));
	if (number_of(member(job, "array", "job_id"), &id) && id > 0 &&
	    number_of(member(job, "array", "task_id"), &part))
		put_made(r, row, IMPORT_C_JOBID, "%" PRId64 "_%" PRId64, id,
			 part);
	else if (number_of(member(job, "het", "job_id"), &leader) &&
		 leader > 0 &&
		 number_of(member(job, "het", "job_offset"), &part))
		put_made(r, row, IMPORT_C_JOBID, "%" PRId64 "+%" PRId64, leader,
			 part);
}

/* Fill a row from a job of sacct --json. */
static void read_sacct(struct import_json_reader *r, struct import_row *row,
		       json_t *job)
{
	static const struct {
		const char *outer, *inner;
		enum import_column column;
	} members[] = {
		{NULL, "cluster", IMPORT_C_CLUSTER},
		{NULL, "partition", IMPORT_C_PARTITION},
		{NULL, "qos", IMPORT_C_QOS},
		{NULL, "account", IMPORT_C_ACCOUNT},
		{NULL, "user", IMPORT_C_USER},
		{NULL, "name", IMPORT_C_JOBNAME},
		{"time", "submission", IMPORT_C_SUBMIT},
		{"time", "eligible", IMPORT_C_ELIGIBLE},
		{"time", "start", IMPORT_C_START},
		{"time", "end", IMPORT_C_END},
		{"time", "elapsed", IMPORT_C_ELAPSEDRAW},
		{"time", "suspended", IMPORT_C_SUSPENDED},
		{"required", "CPUs", IMPORT_C_REQCPUS},
		{NULL, "allocation_nodes", IMPORT_C_NNODES},
		{NULL, "restart_cnt", IMPORT_C_RESTARTS},
		{"comment", "administrator", IMPORT_C_ADMINCOMMENT},
	};
	json_t *limit = member(job, "time", "limit");

	put_id(r, row, job);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		put_value(r, row, members[i].column,
			  members[i].outer
				  ? member(job, members[i].outer,
					   members[i].inner)
				  : json_object_get(job, members[i].inner));
	if (row->col[IMPORT_C_USER].n == 0)
		put_value(r, row, IMPORT_C_USER,
			  member(job, "association", "user"));
	put_state(row, json_object_get(job, "state"));
	if (is_infinite(limit))
		put(row, IMPORT_C_TIMELIMITRAW, "UNLIMITED");
	else
		put_value(r, row, IMPORT_C_TIMELIMITRAW, limit);
	put_tres(r, row, IMPORT_C_REQTRES, member(job, "tres", "requested"));
	put_tres(r, row, IMPORT_C_ALLOCTRES, member(job, "tres", "allocated"));
}

/* ---- jobcomp ---- */

/* jobcomp writes times in UTC without saying so. */
static void put_utc(struct import_json_reader *r, struct import_row *row,
		    enum import_column column, const json_t *value)
{
	const char *text = json_string_value(value);

	if (text && isdigit((unsigned char)text[0]) && strchr(text, '-'))
		put_made(r, row, column, "%s%s", text,
			 strpbrk(text, "Z+") ? "" : "Z");
	else
		put_value(r, row, column, value);
}

/* Fill a row from the object of a job completion plugin. */
static void read_jobcomp(struct import_json_reader *r, struct import_row *row,
			 json_t *job)
{
	static const struct {
		const char *name;
		enum import_column column;
	} members[] = {
		{"jobid", IMPORT_C_JOBIDRAW},
		{"cluster", IMPORT_C_CLUSTER},
		{"partition", IMPORT_C_PARTITION},
		{"qos", IMPORT_C_QOS},
		{"account", IMPORT_C_ACCOUNT},
		{"username", IMPORT_C_USER},
		{"user_id", IMPORT_C_UID},
		{"job_name", IMPORT_C_JOBNAME},
		{"elapsed", IMPORT_C_ELAPSEDRAW},
		{"time_limit", IMPORT_C_LIMIT_S},
		{"state", IMPORT_C_STATE},
		{"total_cpus", IMPORT_C_ALLOCCPUS},
		{"total_nodes", IMPORT_C_NNODES},
		{"tres_req", IMPORT_C_REQTRES},
		{"tres_alloc", IMPORT_C_ALLOCTRES},
		{"admin_comment", IMPORT_C_ADMINCOMMENT},
	};
	int64_t id, part;

	if (json_is_object(json_object_get(job, "_source")))
		job = json_object_get(job, "_source");
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		put_value(r, row, members[i].column,
			  json_object_get(job, members[i].name));
	put_utc(r, row, IMPORT_C_SUBMIT, json_object_get(job, "@submit"));
	put_utc(r, row, IMPORT_C_ELIGIBLE, json_object_get(job, "@eligible"));
	put_utc(r, row, IMPORT_C_START, json_object_get(job, "@start"));
	put_utc(r, row, IMPORT_C_END, json_object_get(job, "@end"));
	/* Without a limit the job is unlimited. */
	if (!row->given[IMPORT_C_LIMIT_S])
		put(row, IMPORT_C_LIMIT_S, "UNLIMITED");
	if (number_of(json_object_get(job, "array_job_id"), &id) &&
	    number_of(json_object_get(job, "array_task_id"), &part))
		put_made(r, row, IMPORT_C_JOBID, "%" PRId64 "_%" PRId64, id,
			 part);
	else if (number_of(json_object_get(job, "het_job_id"), &id) &&
		 number_of(json_object_get(job, "het_job_offset"), &part))
		put_made(r, row, IMPORT_C_JOBID, "%" PRId64 "+%" PRId64, id,
			 part);
}

int import_json_row(struct import_json_reader *r, struct input *in,
		    struct import_row *row)
{
	json_error_t why;
	size_t n = 0;
	int rc = next_object(r, in, &n);

	if (rc < 0)
		return IMPORT_ROW_FAILED;
	if (rc == 0 && !r->jobcomp && !r->any)
		return libra_errf(in->err, EINVAL,
				  "%s: no array \"jobs\" is in the JSON: this "
				  "is not what sacct --json prints",
				  in->name);
	if (rc == 0)
		return IMPORT_ROW_END;
	import_json_fini(r);
	r->used = 0;
	*row = (struct import_row){.split = false};
	r->object = json_loadb(in->pos, n, 0, &why);
	in->line++; /* messages count jobs as lines */
	in->pos += n;
	if (!r->object)
		return libra_errf(in->err, EINVAL,
				  "%s: job %zu is not JSON: %s", in->name,
				  in->line, why.text);
	if (r->jobcomp)
		read_jobcomp(r, row, r->object);
	else
		read_sacct(r, row, r->object);
	return IMPORT_ROW;
}

void import_json_fini(struct import_json_reader *r)
{
	json_decref(r->object);
	r->object = NULL;
}
