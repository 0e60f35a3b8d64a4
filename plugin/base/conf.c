/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf.c - see conf.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "plugin/base/conf.h"

#define DEFAULT_POLICY "band"
#define DEFAULT_TTL_S  60.0

struct reader {
	struct libra_host_conf *conf;
	libra_host_report_f report;
	void *arg;
	bool no_memory;
};

/* Report what is wrong with a token, and the value used instead (NULL = none).
 */
static void complain(struct reader *r, const char *name, const char *value,
		     const char *why, const char *used)
{
	char text[LIBRA_ERROR_TEXT_SIZE + 256];

	snprintf(text, sizeof(text), "SchedulerParameters: %s=%.100s: %s; %s%s",
		 name, value, why, used ? "using " : "ignored",
		 used ? used : "");
	r->report(r->arg, text);
}

int libra_host_parse_duration(const char *text, double *duration_s)
{
	unsigned d = 0, h = 0, m = 0, s = 0;
	int end = 0;
	double v;
	char *stop;

	if (strchr(text, ':')) {
		if (sscanf(text, "%4u-%4u:%2u:%2u%n", &d, &h, &m, &s, &end) !=
			    4 &&
		    (d = 0,
		     sscanf(text, "%6u:%2u:%2u%n", &h, &m, &s, &end) != 3))
			goto bad;
		if (text[end] || m > 59 || s > 59)
			goto bad;
		*duration_s = ((d * 24.0 + h) * 60.0 + m) * 60.0 + s;
		return 0;
	}
	errno = 0;
	v = strtod(text, &stop);
	if (stop == text || *stop || !isfinite(v) || v < 0 || v > 1e12)
		goto bad;
	*duration_s = v;
	return 0;
bad:
	errno = EINVAL;
	return -1;
}

static void set_policy(struct reader *r, const char *value)
{
	struct libra_error err = {0};
	const struct libra_policy_type *policy = libra_policy_find(value, &err);

	if (policy && policy->mode == LIBRA_SPACE && !policy->plans)
		complain(r, "libra_policy", value,
			 "it queues jobs, as Slurm does, and promises nothing",
			 DEFAULT_POLICY);
	else if (policy && policy->needs_budget)
		complain(r, "libra_policy", value,
			 "it divides processors by budgets, which the nodes "
			 "cannot",
			 DEFAULT_POLICY);
	else if (policy && policy->nparams <= LIBRA_HOST_MAX_PARAMS)
		r->conf->policy = policy;
	else
		complain(r, "libra_policy", value, err.text, DEFAULT_POLICY);
}

static void set_partitions(struct reader *r, const char *value)
{
	struct libra_host_conf *conf = r->conf;
	const char *end;

	while (*value) {
		end = strchrnul(value, '+');
		if (end == value) {
			value++;
			continue;
		}
		if (conf->npartitions == LIBRA_HOST_MAX_PARTS) {
			complain(r, "libra_partitions", value,
				 "too many partitions", "the first 64");
			return;
		}
		conf->partitions[conf->npartitions] =
			strndup(value, (size_t)(end - value));
		if (!conf->partitions[conf->npartitions])
			r->no_memory = true;
		else
			conf->npartitions++;
		value = *end ? end + 1 : end;
	}
}

static void set_no_deadline(struct reader *r, const char *value)
{
	static const char *const names[] = {"stock", "best_effort", "reject"};

	for (int i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) == 0) {
			r->conf->no_deadline =
				(enum libra_host_no_deadline)(i + 1);
			return;
		}
	}
	complain(r, "libra_no_deadline", value,
		 "must be stock, best_effort or reject", "stock");
}

static void set_refused(struct reader *r, const char *value)
{
	bool queue = strcmp(value, "queue") == 0;

	if (queue && !libra_host_conf_plans(r->conf))
		complain(
			r, "libra_refused", value,
			"this policy has no ordinary queue beside its promises",
			"reject");
	else if (queue || strcmp(value, "reject") == 0)
		r->conf->queue_refused = queue;
	else
		complain(r, "libra_refused", value, "must be reject or queue",
			 "reject");
}

static void set_grace(struct reader *r, const char *value)
{
	if (strcmp(value, "unlimited") == 0)
		r->conf->grace_s = INFINITY;
	else if (libra_host_parse_duration(value, &r->conf->grace_s) < 0)
		complain(r, "libra_grace", value,
			 "must be seconds, [days-]HH:MM:SS or unlimited",
			 "unlimited");
}

static void set_offer_ttl(struct reader *r, const char *value)
{
	double ttl_s;

	if (libra_host_parse_duration(value, &ttl_s) < 0 || ttl_s < 1.0)
		complain(r, "libra_offer_ttl", value,
			 "must be at least 1 second", "60");
	else
		r->conf->offer_ttl_s = ttl_s;
}

static void set_correct(struct reader *r, const char *value)
{
	char *end;
	double q = strtod(value, &end);

	if (strcmp(value, "no") == 0)
		r->conf->correct = 0;
	else if (end == value || *end || !(q >= 0.01 && q <= 0.99))
		complain(r, "libra_correct", value,
			 "must be from 0.01 to 0.99, or no", "no");
	else
		r->conf->correct = q;
}

/* A part of "NAME:VALUE+NAME:VALUE"; the name may be missing. */
struct pair {
	char name[64], value[32];
};

/* Read the pair at *at, and move *at behind it.
 * Result: false at the end.
 */
static bool next_pair(const char **at, struct pair *pair)
{
	size_t len = strcspn(*at, "+"), key = 0;
	const char *colon = memchr(*at, ':', len);

	if (!**at)
		return false;
	*pair = (struct pair){0};
	if (colon)
		key = (size_t)(colon - *at) + 1;
	if (key <= sizeof(pair->name) && len - key < sizeof(pair->value)) {
		memcpy(pair->name, *at, key ? key - 1 : 0);
		memcpy(pair->value, *at + key, len - key);
	}
	*at += len + ((*at)[len] == '+');
	return true;
}

/* Return the time of a QOS, in seconds, or NAN if the pair has none. */
static double target_s(const struct pair *pair)
{
	double s;

	return *pair->name && libra_host_parse_duration(pair->value, &s) == 0 &&
			       s > 0
		       ? s
		       : NAN;
}

/* Return the number of time limits, or NAN if the pair has none. */
static double multiple(const struct pair *pair)
{
	char *end;
	double times = strtod(pair->value, &end);

	return end != pair->value && !*end && times >= 1 && times <= 1e6 ? times
									 : NAN;
}

/* Keep the text of a setting if each of its pairs is right. */
static void set_pairs(struct reader *r, const char *name, const char *value,
		      double (*read)(const struct pair *pair), const char *must,
		      char **kept)
{
	bool good = *value != '\0';
	const char *at = value;
	struct pair pair;

	free(*kept);
	*kept = NULL;
	if (strcmp(value, "no") == 0)
		return;
	while (good && next_pair(&at, &pair))
		good = !isnan(read(&pair));
	if (!good) {
		complain(r, name, value, must, "no");
		return;
	}
	*kept = strdup(value);
	if (!*kept)
		r->no_memory = true;
}

static void set_target(struct reader *r, const char *value)
{
	set_pairs(r, "libra_target", value, target_s,
		  "must be QOS:TIME+QOS:TIME, each TIME in seconds or "
		  "[days-]HH:MM:SS and above 0, or no",
		  &r->conf->targets);
}

static void set_default_deadline(struct reader *r, const char *value)
{
	set_pairs(r, "libra_default_deadline", value, multiple,
		  "must be a number of time limits, at least 1, or "
		  "PARTITION:NUMBER+PARTITION:NUMBER, or no",
		  &r->conf->default_deadlines);
}

static void set_log(struct reader *r, const char *value)
{
	if (*value != '/') {
		complain(r, "libra_log", value, "must be an absolute path",
			 "no log");
		return;
	}
	free(r->conf->log_path);
	r->conf->log_path = strdup(value);
	if (!r->conf->log_path)
		r->no_memory = true;
}

static const struct {
	const char *name;
	void (*set)(struct reader *r, const char *value);
} tokens[] = {
	{"libra_policy", set_policy},
	{"libra_partitions", set_partitions},
	{"libra_no_deadline", set_no_deadline},
	{"libra_target", set_target},
	{"libra_default_deadline", set_default_deadline},
	{"libra_refused", set_refused},
	{"libra_grace", set_grace},
	{"libra_offer_ttl", set_offer_ttl},
	{"libra_correct", set_correct},
	{"libra_log", set_log},
};

enum { NTOKENS = sizeof(tokens) / sizeof(tokens[0]) };

/* A parameter of the policy: libra_NAME=VALUE. */
static void set_param(struct reader *r, const char *name, const char *value)
{
	struct libra_host_conf *conf = r->conf;
	const struct libra_policy_type *policy = conf->policy;
	struct libra_error err = {0};
	char used[32];
	int i;

	i = libra_param_find(policy->params, policy->nparams, name + 6, &err);
	if (i < 0) {
		complain(r, name, value, err.text, NULL);
		return;
	}
	if (libra_param_parse(&policy->params[i], value, &conf->params[i],
			      &err) == 0)
		return;
	conf->params[i] = libra_policy_cluster_value(policy, i);
	snprintf(used, sizeof(used), "%g", conf->params[i]);
	complain(r, name, value, err.text, used);
}

/* Read one token: in pass 0 only the policy, in pass 1 all tokens that depend
 * on it.
 */
static void read_token(struct reader *r, char *token, int pass)
{
	char *value = strchr(token, '=');

	if (strncmp(token, "libra_", 6) != 0)
		return;
	if (value)
		*value++ = '\0';
	else
		value = token + strlen(token);
	for (int i = 0; i < NTOKENS; i++) {
		if (strcmp(token, tokens[i].name) == 0) {
			if ((i == 0) == (pass == 0))
				tokens[i].set(r, value);
			return;
		}
	}
	if (pass == 1)
		set_param(r, token, value);
}

static void read_pass(struct reader *r, const char *sched_params, int pass)
{
	char *copy = strdup(sched_params), *save = NULL, *token;

	if (!copy) {
		r->no_memory = true;
		return;
	}
	for (token = strtok_r(copy, ", \t", &save); token;
	     token = strtok_r(NULL, ", \t", &save))
		read_token(r, token, pass);
	free(copy);
}

int libra_host_conf_init(struct libra_host_conf *conf, const char *sched_params,
			 libra_host_report_f report, void *arg)
{
	struct reader r = {.conf = conf, .report = report, .arg = arg};

	*conf = (struct libra_host_conf){
		.policy = libra_policy_find(DEFAULT_POLICY, NULL),
		.no_deadline = LIBRA_NO_DEADLINE_STOCK,
		.grace_s = INFINITY,
		.offer_ttl_s = DEFAULT_TTL_S,
	};
	if (!sched_params)
		sched_params = "";
	read_pass(&r, sched_params, 0);
	for (size_t i = 0; i < conf->policy->nparams; i++)
		conf->params[i] = libra_policy_cluster_value(conf->policy, i);
	read_pass(&r, sched_params, 1);
	if (libra_host_conf_plans(conf))
		conf->grace_s = NAN;
	if (!r.no_memory)
		return 0;
	libra_host_conf_fini(conf);
	errno = ENOMEM;
	return -1;
}

void libra_host_conf_fini(struct libra_host_conf *conf)
{
	for (size_t i = 0; i < conf->npartitions; i++)
		free(conf->partitions[i]);
	free(conf->targets);
	free(conf->default_deadlines);
	free(conf->log_path);
	free(conf->label);
	*conf = (struct libra_host_conf){0};
}

bool libra_host_conf_manages(const struct libra_host_conf *conf,
			     const char *partition)
{
	if (conf->npartitions == 0)
		return true;
	for (size_t i = 0; i < conf->npartitions; i++)
		if (strcmp(conf->partitions[i], partition) == 0)
			return true;
	return false;
}

/* Return the value of a name's pair, else of the pair without a name, else NAN.
 */
static double find_value(const char *pairs, const char *name,
			 int (*compare)(const char *a, const char *b),
			 double (*read)(const struct pair *pair))
{
	double value = NAN;
	struct pair pair;

	while (pairs && next_pair(&pairs, &pair)) {
		if (*name && compare(pair.name, name) == 0)
			return read(&pair);
		if (!*pair.name)
			value = read(&pair);
	}
	return value;
}

double libra_host_conf_due_s(const struct libra_host_conf *conf,
			     const char *qos, const char *partition,
			     double limit_s, const char **setting)
{
	/* Slurm ignores the case of a QOS, not that of a partition. */
	double s = find_value(conf->targets, qos, strcasecmp, target_s);

	*setting = "libra_target of its QOS";
	if (isfinite(s))
		return s;
	*setting = "libra_default_deadline of the partition";
	s = limit_s *
	    find_value(conf->default_deadlines, partition, strcmp, multiple);
	return isfinite(s) ? s : INFINITY;
}

bool libra_host_conf_plans(const struct libra_host_conf *conf)
{
	return conf->policy->plans;
}

bool libra_host_conf_in_turn(const struct libra_host_conf *conf)
{
	return conf->policy->mode == LIBRA_GANG || conf->policy->ranked;
}

enum libra_host_rule libra_host_conf_rule(const struct libra_host_conf *conf)
{
	int i = libra_param_find(conf->policy->params, conf->policy->nparams,
				 "late_yields", NULL);

	if (libra_host_conf_in_turn(conf))
		return LIBRA_RULE_DEADLINE;
	return i >= 0 && conf->params[i] != 0 ? LIBRA_RULE_YIELD
					      : LIBRA_RULE_SHARE;
}

bool libra_host_conf_same_engine(const struct libra_host_conf *a,
				 const struct libra_host_conf *b)
{
	if (a->policy != b->policy || a->offer_ttl_s != b->offer_ttl_s)
		return false;
	for (size_t i = 0; i < a->policy->nparams; i++)
		if (a->params[i] != b->params[i])
			return false;
	return true;
}
