/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_list.c - see conf_list.h.
 *
 * For each group, a list of tokens is composed as if the group were alone, and
 * read by conf.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/base/conf_list.h"

#define BETWEEN ", \t"

/* A group as given: NAME:PART+PART. */
struct group {
	char *policy; /* owned; the name, followed by the partitions */
	char *parts;  /* points into policy */
	bool own_log; /* libra_log:PART sets its log */
};

struct reader {
	char *tokens; /* owned */
	struct group groups[LIBRA_HOST_MAX_GROUPS];
	size_t n;
	char *said; /* owned; all reports, one per line */
	libra_host_report_f report;
	void *arg;
	bool no_memory;
};

/* Report a mistake once, even if several groups have it. */
static void report_once(void *arg, const char *text)
{
	struct reader *r = arg;
	char *more = NULL;

	if (r->said && strstr(r->said, text))
		return;
	if (asprintf(&more, "%s%s\n", r->said ? r->said : "", text) < 0) {
		r->no_memory = true;
		return;
	}
	free(r->said);
	r->said = more;
	r->report(r->arg, text);
}

static void __attribute__((format(printf, 2, 3)))
complain(struct reader *r, const char *fmt, ...)
{
	char text[512], line[640];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "SchedulerParameters: %s", text);
	report_once(r, line);
}

/* Return true if a name is in a list that is separated by +. */
static bool is_in(const char *names, const char *name, size_t len)
{
	for (; *names; names += strcspn(names, "+"), names += *names == '+')
		if (strcspn(names, "+") == len &&
		    strncmp(names, name, len) == 0)
			return true;
	return false;
}

/* ---- which groups there are ---- */

/* Drop partitions that belong to an earlier group. */
static void keep_own(struct reader *r, struct group *g)
{
	char *from = g->parts, *to = g->parts;

	while (*from) {
		size_t len = strcspn(from, "+");
		char *next = from + len + (from[len] == '+');
		bool taken = len == 0;

		for (size_t i = 0; i < r->n; i++) {
			if (taken || !is_in(r->groups[i].parts, from, len))
				continue;
			taken = true;
			complain(r,
				 "libra_policy: partition %.*s is given to two "
				 "policies: the first one, %s, has it",
				 (int)len, from, r->groups[i].policy);
		}
		if (!taken) {
			if (to != g->parts)
				*to++ = '+';
			memmove(to, from, len);
			to += len;
		}
		from = next;
	}
	*to = '\0';
}

static void add_group(struct reader *r, const char *value)
{
	struct group *g = &r->groups[r->n];
	bool empty;

	if (r->n == LIBRA_HOST_MAX_GROUPS) {
		complain(r, "libra_policy=%s: too many policies; ignored",
			 value);
		return;
	}
	*g = (struct group){.policy = strdup(value)};
	if (!g->policy) {
		r->no_memory = true;
		return;
	}
	g->parts = strchr(g->policy, ':');
	*g->parts++ = '\0';
	empty = g->parts[strspn(g->parts, "+")] == '\0';
	keep_own(r, g);
	if (*g->parts) {
		r->n++;
		return;
	}
	if (empty)
		complain(
			r,
			"libra_policy=%s: it has no partition of its own; ignored: "
			"name them as %s:PARTITION+PARTITION",
			value, g->policy);
	free(g->policy);
}

static const char *policy_of(const char *token)
{
	return strncmp(token, "libra_policy=", 13) == 0 ? token + 13 : NULL;
}

/* Call a function for every token. */
typedef void (*token_f)(struct reader *r, char *token, void *arg);

static void each(struct reader *r, token_f f, void *arg)
{
	char *copy = strdup(r->tokens), *save = NULL, *token;

	if (!copy) {
		r->no_memory = true;
		return;
	}
	for (token = strtok_r(copy, BETWEEN, &save); token;
	     token = strtok_r(NULL, BETWEEN, &save))
		f(r, token, arg);
	free(copy);
}

/* Add a group from a token, or from a token that continues the list after a
 * comma.
 */
static void find_group(struct reader *r, char *token, void *arg)
{
	bool *follows = arg;
	const char *value = policy_of(token);

	if (!value && *follows && !strchr(token, '='))
		value = token;
	*follows = value && strchr(value, ':');
	if (*follows)
		add_group(r, value);
}

/* ---- the tokens of one ---- */

static bool has_param(const char *policy, const char *name)
{
	const struct libra_policy_type *p = libra_policy_find(policy, NULL);

	return p && libra_param_find(p->params, p->nparams, name, NULL) >= 0;
}

/* Return true if only other groups' policies have this parameter. */
static bool is_anothers(const struct reader *r, const struct group *g,
			const char *token)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(token + 6, "="),
		 token + 6);
	if (has_param(g->policy, name))
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (has_param(r->groups[i].policy, name))
			return true;
	return false;
}

struct compose {
	struct group *group;
	FILE *to;
	bool named; /* read tokens for one group; else those for all */
};

static void compose_named(struct reader *r, struct compose *c,
			  const char *token, const char *colon, const char *end)
{
	const char *part = colon + 1;
	size_t key = (size_t)(colon - token), len = (size_t)(end - part);
	bool known = false;

	for (size_t i = 0; i < r->n; i++)
		known = known || is_in(r->groups[i].parts, part, len);
	if (!known)
		complain(r, "%s: no policy has partition %.*s; ignored", token,
			 (int)len, part);
	else if (strncmp(token, "libra_correct", key) == 0 ||
		 strncmp(token, "libra_policy", key) == 0 ||
		 strncmp(token, "libra_partitions", key) == 0)
		complain(r, "%s: it cannot be set for one partition; ignored",
			 token);
	else if (is_in(c->group->parts, part, len)) {
		if (fprintf(c->to, ",%.*s%s", (int)key, token, end) < 0)
			r->no_memory = true;
		if (strncmp(token, "libra_log", key) == 0)
			c->group->own_log = true;
	}
}

static void compose(struct reader *r, char *token, void *arg)
{
	struct compose *c = arg;
	const char *end = strchrnul(token, '=');
	const char *colon = memchr(token, ':', (size_t)(end - token));

	if (strncmp(token, "libra_", 6) != 0)
		return;
	if (colon && c->named)
		compose_named(r, c, token, colon, end);
	if (colon || c->named)
		return;
	if (policy_of(token)) {
		if (!strchr(token, ':'))
			complain(r,
				 "%s: it names no partition, as others do: "
				 "%s:PARTITION+PARTITION; ignored",
				 token, policy_of(token));
	} else if (strncmp(token, "libra_partitions", 16) == 0) {
		complain(r,
			 "%s: libra_policy names the partitions of each "
			 "policy; ignored",
			 token);
	} else if (!is_anothers(r, c->group, token) &&
		   fprintf(c->to, ",%s", token) < 0) {
		r->no_memory = true;
	}
}

/* "/var/log/libra.jsonl" becomes "/var/log/libra.LABEL.jsonl". */
static int own_file(struct libra_host_conf *conf)
{
	char *path = conf->log_path, *base = strrchr(path, '/') + 1;
	char *dot = strrchr(base, '.'), *own = NULL;

	if (!dot || dot == base)
		dot = base + strlen(base);
	if (asprintf(&own, "%.*s.%s%s", (int)(dot - path), path, conf->label,
		     dot) < 0)
		return -1;
	/* A slash in a partition's name is no directory. */
	for (char *at = own + (dot - path); *at; at++)
		if (*at == '/')
			*at = '_';
	free(path);
	conf->log_path = own;
	return 0;
}

static int read_group(struct reader *r, struct group *g,
		      struct libra_host_conf *conf)
{
	char *text = NULL;
	size_t len = 0;
	struct compose c = {.group = g, .to = open_memstream(&text, &len)};
	int rc = -1;

	if (!c.to)
		return -1;
	if (fprintf(c.to, "libra_policy=%s,libra_partitions=%s", g->policy,
		    g->parts) < 0)
		r->no_memory = true;
	each(r, compose, &c);
	c.named = true;
	each(r, compose, &c);
	if (fclose(c.to) == 0 && text && !r->no_memory)
		rc = libra_host_conf_init(conf, text, report_once, r);
	free(text);
	if (rc < 0 || r->n == 1)
		return rc;
	conf->label = strdup(conf->partitions[0]);
	if (!conf->label)
		return -1;
	return conf->log_path && !g->own_log ? own_file(conf) : 0;
}

/* Report and remove a log that two groups share: it could not be replayed. */
static void part_logs(struct reader *r, struct libra_host_conf_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		char *path = list->confs[i].log_path;

		for (size_t k = 0; path && k < i; k++) {
			if (!list->confs[k].log_path ||
			    strcmp(list->confs[k].log_path, path) != 0)
				continue;
			complain(r,
				 "libra_log=%s: two policies cannot write one "
				 "log; that of partition %s has none",
				 path, list->confs[i].label);
			free(path);
			path = list->confs[i].log_path = NULL;
		}
	}
}

static int read_groups(struct reader *r, struct libra_host_conf_list *list)
{
	for (size_t i = 0; i < r->n && !r->no_memory; i++) {
		list->n++;
		if (read_group(r, &r->groups[i], &list->confs[i]) < 0)
			r->no_memory = true;
	}
	if (!r->no_memory)
		part_logs(r, list);
	return r->no_memory ? -1 : 0;
}

/* Users may write commas between pairs, as Slurm does between tokens: write +.
 */
static void join_pairs(char *tokens)
{
	bool pairs = false;
	size_t len;

	for (char *at = tokens; *at; at += len + (at[len] != '\0')) {
		len = strcspn(at, BETWEEN);
		if (memchr(at, '=', len))
			pairs = strncmp(at, "libra_target", 12) == 0 ||
				strncmp(at, "libra_default_deadline", 22) == 0;
		else if (pairs &&
			 (memchr(at, ':', len) || isdigit((unsigned char)*at)))
			at[-1] = '+';
		else
			pairs = false;
	}
}

int libra_host_conf_list_init(struct libra_host_conf_list *list,
			      const char *sched_params,
			      libra_host_report_f report, void *arg)
{
	struct reader r = {.report = report, .arg = arg};
	bool follows = false;
	int rc;

	memset(list, 0, sizeof(*list));
	r.tokens = strdup(sched_params ? sched_params : "");
	if (r.tokens) {
		join_pairs(r.tokens);
		each(&r, find_group, &follows);
	}
	if (!r.tokens || r.no_memory) {
		rc = -1;
	} else if (r.n > 0) {
		rc = read_groups(&r, list);
	} else {
		list->n = 1;
		rc = libra_host_conf_init(&list->confs[0], r.tokens, report,
					  arg);
	}
	for (size_t i = 0; i < r.n; i++)
		free(r.groups[i].policy);
	free(r.tokens);
	free(r.said);
	if (rc == 0)
		return 0;
	libra_host_conf_list_fini(list);
	errno = ENOMEM;
	return -1;
}

void libra_host_conf_list_fini(struct libra_host_conf_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		libra_host_conf_fini(&list->confs[i]);
	list->n = 0;
}
