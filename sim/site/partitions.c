/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partitions.c - partitions from scontrol or a table, gathered to machines. */
#include "sim/site/partitions.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/input.h"
#include "sim/base/memory.h"
#include "sim/base/names.h"

enum { MAX_COLUMNS = 16, MAX_NODES = 1000000 };

/* A partition has a node (or is on the machine that a table names). */
struct member {
	size_t part, node;
};

/* The state of the reader. */
struct reading {
	struct site_parts *parts;
	struct input in;
	struct names names; /* of nodes */
	size_t *first;	    /* partition of each node, nnodes */
	size_t nnodes, cap;
	struct member *members;
	size_t nmembers, cap_members;
	struct libra_error *err;
};

/* ---- machines: partitions that share nodes ---- */

/* Until all is read, a partition's machine is another one of it, or itself. */
static size_t root_of(const struct site_parts *p, size_t part)
{
	while (p->list[part].machine != part)
		part = p->list[part].machine;
	return part;
}

/* Add a node to the partition read last, and join the machines of all
 * partitions that have the node.
 * Result: 0, or -1 with ENOMEM or EINVAL (too many nodes).
 */
static int add_node(struct reading *r, const char *name, size_t n)
{
	uint32_t number = names_add(&r->names, name, n);
	size_t part = r->parts->n - 1, node = number - 1;
	size_t *first;
	struct member *members;

	if (number == UINT32_MAX)
		return sim_no_memory(r->err);
	if (number > MAX_NODES)
		return libra_errf(r->err, EINVAL, "%s:%zu: too many nodes",
				  r->in.name, r->in.line);
	first = sim_grown(r->first, &r->cap, node + 1, sizeof(*first));
	if (!first)
		return sim_no_memory(r->err);
	r->first = first;
	members = sim_grown(r->members, &r->cap_members, r->nmembers + 1,
			    sizeof(*members));
	if (!members)
		return sim_no_memory(r->err);
	r->members = members;
	members[r->nmembers++] = (struct member){part, node};
	if (node == r->nnodes)
		r->first[r->nnodes++] = part;
	r->parts->list[root_of(r->parts, part)].machine =
		root_of(r->parts, r->first[node]);
	r->parts->list[part].nodes++;
	return 0;
}

/* "n[01-03,7]x": each name, where the first bracket is opened; another one in
 * what comes behind it is opened then.
 */
static int add_names(struct reading *r, const char *head, size_t nhead,
		     const char *rest)
{
	size_t plain = strcspn(rest, "[");
	const char *close = strchr(rest, ']'), *at = rest + plain + 1;
	char name[256];

	if (rest[plain] == '\0' || !close) {
		int n = snprintf(name, sizeof(name), "%.*s%s", (int)nhead, head,
				 rest);

		return n > 0 && (size_t)n < sizeof(name)
			       ? add_node(r, name, (size_t)n)
			       : 0;
	}
	while (at < close) {
		char *end;
		unsigned long from = strtoul(at, &end, 10), to = from;
		int width = (int)(end - at);

		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (end == at || to < from || to - from > MAX_NODES)
			return libra_errf(r->err, EINVAL,
					  "%s:%zu: these are not nodes: "
					  "'%.60s'",
					  r->in.name, r->in.line, rest);
		for (; from <= to; from++) {
			int n = snprintf(name, sizeof(name), "%.*s%.*s%0*lu",
					 (int)nhead, head, (int)plain, rest,
					 width, from);

			if (n < 0 || (size_t)n >= sizeof(name))
				return 0;
			if (add_names(r, name, (size_t)n, close + 1) < 0)
				return -1;
		}
		at = *end == ',' ? end + 1 : close;
	}
	return 0;
}

/* A list of nodes, its commas outside of brackets. */
static int add_nodes(struct reading *r, char *list)
{
	int depth = 0;

	for (char *at = list;; at++) {
		char c = *at;

		depth += (c == '[') - (c == ']');
		if (c != '\0' && (c != ',' || depth > 0))
			continue;
		*at = '\0';
		if (*list && strcmp(list, "(null)") != 0 &&
		    add_names(r, "", 0, list) < 0)
			return -1;
		if (c == '\0')
			return 0;
		list = at + 1;
	}
}

/* Add a partition that is a machine of its own.
 * Result: the partition, or NULL without memory.
 */
static struct site_part *add_part(struct reading *r, const char *name)
{
	struct site_parts *p = r->parts;
	struct site_part *list =
		sim_grown(p->list, &p->cap, p->n + 1, sizeof(*list));

	if (!list)
		return NULL;
	p->list = list;
	list[p->n] = (struct site_part){.name = strdup(name),
					.max_s = INFINITY,
					.default_s = NAN,
					.machine = p->n};
	return list[p->n].name ? &list[p->n++] : NULL;
}

/* ---- scontrol ---- */

/* "1-02:03:04", "02:03:04", "03:04"; other words are no limit. */
static double limit_of(const char *text, double none)
{
	unsigned d = 0, h = 0, m = 0, s = 0;

	if (sscanf(text, "%u-%u:%u:%u", &d, &h, &m, &s) == 4 ||
	    sscanf(text, "%u-%u:%u", &d, &h, &m) == 3)
		return ((d * 24.0 + h) * 60 + m) * 60 + s;
	if (sscanf(text, "%u:%u:%u", &h, &m, &s) == 3)
		return (h * 60.0 + m) * 60 + s;
	if (sscanf(text, "%u:%u", &m, &s) == 2)
		return m * 60.0 + s;
	return none;
}

/* Handle a word KEY=VALUE of scontrol. */
static int take_word(struct reading *r, char *word)
{
	char *value = strchr(word, '=');
	struct site_part *last =
		r->parts->n ? &r->parts->list[r->parts->n - 1] : NULL;

	if (!value)
		return 0;
	*value++ = '\0';
	if (strcmp(word, "PartitionName") == 0)
		return add_part(r, value) ? 0 : sim_no_memory(r->err);
	if (!last)
		return 0;
	if (strcmp(word, "MaxTime") == 0)
		last->max_s = limit_of(value, INFINITY);
	else if (strcmp(word, "DefaultTime") == 0)
		last->default_s = limit_of(value, NAN);
	else if (strcmp(word, "TotalCPUs") == 0)
		last->procs = (uint32_t)strtoul(value, NULL, 10);
	else if (strcmp(word, "Nodes") == 0)
		return add_nodes(r, value);
	return 0;
}

/* Handle all words of a line of scontrol. */
static int take_words(struct reading *r, char *line)
{
	char *rest = NULL;

	for (char *word = strtok_r(line, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest))
		if (take_word(r, word) < 0)
			return -1;
	return 0;
}

/* ---- a table ---- */

/* The names of the columns of a table. */
struct heading {
	char *name[MAX_COLUMNS];
	size_t n;
	char *copy;
};

/* Read the heading of a table.
 * Result: 0, or -1 with ENOMEM or EINVAL (no column procs).
 */
static int take_heading(struct reading *r, struct heading *h, const char *line)
{
	bool any = false;

	h->copy = strdup(line);
	if (!h->copy)
		return sim_no_memory(r->err);
	for (char *at = h->copy; at && h->n < MAX_COLUMNS;)
		h->name[h->n++] = strsep(&at, ",");
	for (size_t i = 0; i < h->n; i++)
		any |= strcmp(h->name[i], "procs") == 0;
	return any ? 0
		   : libra_errf(r->err, EINVAL,
				"%s: the table has no column procs",
				r->in.name);
}

/* Add the partition of a row.
 * Result: 0, or -1 with ENOMEM or EINVAL.
 */
static int take_row(struct reading *r, const struct heading *h, char *line)
{
	const char *machine = NULL;
	struct site_part *part = add_part(r, "");

	if (!part)
		return sim_no_memory(r->err);
	for (size_t i = 0; line && i < h->n; i++) {
		const char *value = strsep(&line, ",");

		if (strcmp(h->name[i], "partition") == 0) {
			free(part->name);
			part->name = strdup(value);
		} else if (strcmp(h->name[i], "procs") == 0) {
			part->procs = (uint32_t)strtoul(value, NULL, 10);
		} else if (strcmp(h->name[i], "max_s") == 0 && *value) {
			part->max_s = strtod(value, NULL);
		} else if (strcmp(h->name[i], "default_s") == 0 && *value) {
			part->default_s = strtod(value, NULL);
		} else if (strcmp(h->name[i], "machine") == 0 && *value) {
			machine = value;
		}
	}
	if (!part->name)
		return sim_no_memory(r->err);
	return machine ? add_node(r, machine, strlen(machine)) : 0;
}

/* ---- all of it ---- */

/* Read the file in the form that its first line has. */
static int read_lines(struct reading *r)
{
	struct heading heading = {.n = 0};
	char *line;
	size_t n;
	int rc = 0;

	while (rc == 0 && (rc = input_line(&r->in, &line, &n)) > 0) {
		if (r->in.line == 1 && strncmp(line, "partition,", 10) == 0)
			rc = take_heading(r, &heading, line);
		else if (heading.n > 0)
			rc = n > 0 ? take_row(r, &heading, line) : 0;
		else
			rc = take_words(r, line);
	}
	free(heading.copy);
	return rc;
}

/* Number the machines. */
static int number_machines(struct site_parts *p, struct libra_error *err)
{
	size_t *number = calloc(p->n + 1, sizeof(*number));

	if (!number)
		return sim_no_memory(err);
	for (size_t i = 0; i < p->n; i++)
		if (p->list[i].machine == i)
			number[i] = p->nmachines++;
	for (size_t i = 0; i < p->n; i++)
		number[i] = number[root_of(p, i)];
	for (size_t i = 0; i < p->n; i++)
		p->list[i].machine = number[i];
	free(number);
	return 0;
}

/* A partition that has all of its machine's nodes says how large that is.
 * Where none has, a node is taken to be as large as the mean of those in its
 * smallest partition.
 */
static int size_machines(struct reading *r)
{
	struct site_parts *p = r->parts;
	double *procs = calloc(p->nmachines + 1, sizeof(*procs));
	uint32_t *nodes = calloc(p->nmachines + 1, sizeof(*nodes));
	size_t *smallest = r->first;

	p->procs = calloc(p->nmachines + 1, sizeof(*p->procs));
	if (!procs || !nodes || !p->procs) {
		free(procs);
		free(nodes);
		return sim_no_memory(r->err);
	}
	for (size_t i = 0; i < r->nmembers; i++) {
		const struct member *m = &r->members[i];

		if (p->list[m->part].nodes < p->list[smallest[m->node]].nodes)
			smallest[m->node] = m->part;
	}
	for (size_t i = 0; i < r->nnodes; i++) {
		const struct site_part *s = &p->list[smallest[i]];

		nodes[s->machine]++;
		procs[s->machine] += (double)s->procs / s->nodes;
	}
	for (size_t i = 0; i < p->nmachines; i++)
		p->procs[i] = (uint32_t)rint(procs[i]);
	for (size_t i = 0; i < p->n; i++) {
		const struct site_part *s = &p->list[i];
		uint32_t *machine = &p->procs[s->machine];

		if (s->nodes == nodes[s->machine] || s->procs > *machine)
			*machine = s->procs;
	}
	free(procs);
	free(nodes);
	return 0;
}

int site_parts_read(struct site_parts *parts, const char *path,
		    struct libra_error *err)
{
	struct reading r = {.parts = parts, .err = err};
	int rc;

	memset(parts, 0, sizeof(*parts));
	if (input_open(&r.in, path, err) < 0)
		return -1;
	rc = read_lines(&r);
	input_close(&r.in);
	for (size_t i = 0; rc == 0 && i < parts->n; i++)
		if (parts->list[i].procs == 0)
			rc = libra_errf(err, EINVAL,
					"%s: partition '%s' has no processors",
					path, parts->list[i].name);
	if (rc == 0 && parts->n == 0)
		rc = libra_errf(err, EINVAL,
				"%s: no partition in it: take what 'scontrol "
				"show partition' prints, or a table with the "
				"columns partition and procs",
				path);
	if (rc == 0)
		rc = number_machines(parts, err);
	if (rc == 0)
		rc = size_machines(&r);
	names_fini(&r.names);
	free(r.first);
	free(r.members);
	if (rc < 0)
		site_parts_fini(parts);
	return rc;
}

void site_parts_fini(struct site_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		free(parts->list[i].name);
	free(parts->list);
	free(parts->procs);
	memset(parts, 0, sizeof(*parts));
}

/* The header says "; Partition: 2 main", perhaps with words behind the name. */
const struct site_part *site_parts_find(const struct site_parts *parts,
					const struct swf_trace *trace,
					int32_t number)
{
	const char *name = NULL;
	size_t n;

	for (size_t i = 0; i < trace->partitions.n; i++)
		if (trace->partitions.list[i].number == number)
			name = trace->partitions.list[i].name;
	n = name ? strcspn(name, " ") : 0;
	for (size_t i = 0; name && i < parts->n; i++)
		if (strlen(parts->list[i].name) == n &&
		    strncmp(parts->list[i].name, name, n) == 0)
			return &parts->list[i];
	return NULL;
}
