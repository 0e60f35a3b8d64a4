/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.c - what a real slurmctld did, instant by instant. */
#define _DEFAULT_SOURCE /* timegm() */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/slurm/recording.h"

enum { FIELDS = 20 };

struct reader {
	struct recording *rec;
	const char *folder;
	struct libra_error *err;
	int64_t day_ms; /* of the log's date read last */
	char day[12];
};

typedef int (*take_line)(struct reader *r, char *line);

static struct record *add(struct reader *r, enum record_kind kind,
			  int64_t at_ms)
{
	struct recording *rec = r->rec;
	struct record *bigger =
		sim_grown(rec->of, &rec->cap, rec->n + 1, sizeof(*rec->of));

	if (!bigger)
		return NULL;
	rec->of = bigger;
	bigger = &rec->of[rec->n];
	memset(bigger, 0, sizeof(*bigger));
	bigger->kind = kind;
	bigger->at_ms = at_ms;
	bigger->seq = (uint32_t)rec->n++;
	return bigger;
}

/* Split a line at '|'.  Return the number of fields. */
static size_t split(char *line, char *field[FIELDS])
{
	size_t n = 0;

	while (line && n < FIELDS) {
		char *bar = strchr(line, '|');

		if (bar)
			*bar = '\0';
		field[n++] = line;
		line = bar ? bar + 1 : NULL;
	}
	return n;
}

static int64_t instant(const struct reader *r, const char *seconds)
{
	double s = strtod(seconds, NULL) * 1000;

	return r->rec->origin_s * 1000 + (int64_t)(s < 0 ? s - 0.5 : s + 0.5);
}

/* ---- one line of each file ---- */

static int take_origin(struct reader *r, char *line)
{
	if (strncmp(line, "# T0=", 5) == 0)
		r->rec->origin_s = strtoll(line + 5, NULL, 10);
	return 0;
}

static int take_loop(struct reader *r, char *line)
{
	char *field[FIELDS];
	struct record *e;
	bool main_loop;

	if (*line == '#')
		return 0;
	if (split(line, field) < 5)
		return 1;
	main_loop = strcmp(field[1], "main") == 0;
	e = add(r, main_loop ? RECORD_MAIN : RECORD_BACKFILL,
		instant(r, field[0]));
	if (!e)
		return -1;
	e->value = strcmp(field[2], "full") == 0;
	return 0;
}

static int take_start(struct reader *r, char *line)
{
	char *field[FIELDS];
	struct record *e;

	if (*line == '#')
		return 0;
	if (split(line, field) < 18)
		return 1;
	e = add(r, RECORD_START, instant(r, field[9]));
	if (!e)
		return -1;
	e->id = (uint32_t)strtoul(field[0], NULL, 10);
	e->value = r->rec->origin_s + strtoll(field[10], NULL, 10);
	e->loop = field[12][0];
	snprintf(e->part, sizeof(e->part), "%.47s", field[4]);
	snprintf(e->nodes, sizeof(e->nodes), "%.79s", field[17]);
	return 0;
}

static int take_priority(struct reader *r, char *line)
{
	char *field[FIELDS];
	struct record *e;
	bool initial;

	if (*line == '#')
		return 0;
	if (split(line, field) < 4)
		return 1;
	initial = strncmp(field[3], "initial", 7) == 0;
	e = add(r, initial ? RECORD_SUBMIT : RECORD_PRIORITY,
		instant(r, field[0]));
	if (!e)
		return -1;
	e->id = (uint32_t)strtoul(field[1], NULL, 10);
	e->value = (int64_t)strtod(field[2], NULL);
	return 0;
}

/* Return the raw id of "JobId=85_9(131)" or "JobId=7" after a word; 0: none. */
static uint32_t raw_id(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	char *end;
	unsigned long id;

	at = at ? strstr(at, "JobId=") : NULL;
	if (!at)
		return 0;
	id = strtoul(at + 6, &end, 10);
	if (*end == '_') {
		strtoul(end + 1, &end, 10);
		if (*end == '(')
			id = strtoul(end + 1, NULL, 10);
	}
	return (uint32_t)id;
}

static int64_t log_instant(struct reader *r, const char *line)
{
	int hour, minute, second, ms;

	if (sscanf(line, "[%*10sT%d:%d:%d.%d]", &hour, &minute, &second, &ms) !=
	    4)
		return -1;
	if (strncmp(r->day, line + 1, 10) != 0) {
		struct tm tm = {0};

		memcpy(r->day, line + 1, 10);
		tm.tm_year = atoi(r->day) - 1900;
		tm.tm_mon = atoi(r->day + 5) - 1;
		tm.tm_mday = atoi(r->day + 8);
		r->day_ms = (int64_t)timegm(&tm) * 1000;
	}
	return r->day_ms +
	       ((int64_t)(hour * 60 + minute) * 60 + second) * 1000 + ms;
}

static int take_log(struct reader *r, char *line)
{
	static const struct {
		const char *has, *also;
		enum record_kind kind;
	} lines[] = {
		{"_job_complete: ", " done", RECORD_END},
		{"Time limit exhausted for ", "", RECORD_KILL},
		{"REQUEST_KILL_JOB ", "", RECORD_KILL},
		{"preempted ", " reclaim resources for ", RECORD_REQUEUE},
		{"_slurm_rpc_epilog_complete: ", " Node=", RECORD_COMPLETE},
		{"Decay factor over ", "", RECORD_DECAY},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *also = strstr(line, lines[i].also);
		struct record *e;
		int64_t at_ms;

		if (!also || !strstr(line, lines[i].has))
			continue;
		at_ms = log_instant(r, line);
		e = at_ms < 0 ? NULL : add(r, lines[i].kind, at_ms);
		if (!e)
			return at_ms < 0 ? 1 : -1;
		e->id = raw_id(line, lines[i].has);
		if (lines[i].kind == RECORD_DECAY)
			e->value = strtoll(strstr(line, lines[i].has) +
						   strlen(lines[i].has),
					   NULL, 10);
		if (lines[i].kind == RECORD_REQUEUE)
			e->other = raw_id(also, lines[i].also);
		if (lines[i].kind == RECORD_COMPLETE)
			snprintf(e->nodes, sizeof(e->nodes), "%.*s",
				 (int)strcspn(also + 6, " "), also + 6);
		return 0;
	}
	return 0;
}

static int take_sshare(struct reader *r, char *line)
{
	if (strncmp(line, "### ", 4) != 0)
		return 0;
	return add(r, RECORD_SSHARE, (int64_t)(strtod(line + 4, NULL) * 1000))
		       ? 0
		       : -1;
}

/* ---- files ---- */

/* Write the path of a file, or of a packed one.  Return true if it exists. */
static bool find_file(const struct reader *r, const char *name, char path[4096])
{
	snprintf(path, 4096, "%s/%s", r->folder, name);
	if (access(path, R_OK) == 0)
		return true;
	snprintf(path, 4096, "%s/%s.gz", r->folder, name);
	return access(path, R_OK) == 0;
}

static int read_file(struct reader *r, const char *name, take_line take)
{
	char path[4096], *line;
	struct input in;
	size_t n;
	int more, rc = 0;

	if (!find_file(r, name, path) && take == take_sshare)
		return 0;
	if (input_open(&in, path, r->err) < 0)
		return -1;
	while ((more = input_line(&in, &line, &n)) > 0) {
		int taken = take(r, line);

		if (taken == 0)
			continue;
		rc = taken < 0 ? sim_no_memory(r->err)
			       : libra_errf(r->err, EINVAL,
					    "%s, line %zu: not a line of a "
					    "recording",
					    path, in.line);
		break;
	}
	input_close(&in);
	return more < 0 ? -1 : rc;
}

static int by_instant(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->at_ms != y->at_ms)
		return x->at_ms < y->at_ms ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

int recording_read(struct recording *rec, const char *folder,
		   struct libra_error *err)
{
	struct reader r = {.rec = rec, .folder = folder, .err = err};

	memset(rec, 0, sizeof(*rec));
	if (read_file(&r, "events.txt", take_origin) < 0)
		return -1;
	if (rec->origin_s == 0)
		return libra_errf(err, EINVAL,
				  "%s/events.txt has no line # T0=SECOND: give "
				  "the folder of a recording",
				  folder);
	if (read_file(&r, "loops.txt", take_loop) < 0 ||
	    read_file(&r, "starts.txt", take_start) < 0 ||
	    read_file(&r, "priorities.txt", take_priority) < 0 ||
	    read_file(&r, "slurmctld.log", take_log) < 0 ||
	    read_file(&r, "sshare.txt", take_sshare) < 0)
		return -1;
	if (rec->n > 0) /* qsort() takes no NULL */
		qsort(rec->of, rec->n, sizeof(*rec->of), by_instant);
	return 0;
}
