/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * groups.c - see groups.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/host/groups.h"
#include "plugin/base/ops.h"
#include "plugin/base/text.h"
#include "plugin/engine/admin_comment.h"
#include "plugin/host/reconfigure.h"
#include "plugin/host/outages.h"
#include "plugin/host/preemption.h"

static struct host_state *create(struct host_groups *groups)
{
	struct host_state *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->ops = h->jobs.ops = groups->ops;
	h->history = &groups->history;
	h->last_epoch = &groups->last_epoch;
	h->log.conf = &h->conf;
	h->log.out.fd = -1;
	h->jobs.cluster = &h->cluster;
	h->jobs.log = &h->log;
	host_jobs_clear(&h->jobs);
	return h;
}

static void destroy(struct host_state *h)
{
	if (!h)
		return;
	host_learned_save(&h->learned, h->ops, &h->log, h->cluster.whole_nodes,
			  true, 0);
	host_preemption_end(h);
	host_outages_forget(h);
	libra_engine_log_destroy(&h->log);
	libra_declog_close(&h->log.out);
	host_jobs_clear(&h->jobs);
	host_released_forget(&h->released, 0);
	host_cluster_fini(&h->cluster);
	libra_host_conf_fini(&h->conf);
	free(h);
}

void host_groups_end(struct host_groups *groups)
{
	host_history_end(&groups->history);
	for (size_t i = 0; i < groups->n; i++)
		destroy(groups->states[i]);
	groups->n = 0;
	free(groups->params);
	free(groups->wrong);
	groups->params = groups->wrong = NULL;
}

/* ---- which groups there are ---- */

static bool same_label(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Give each new group the state of the old group with the same label, or a new
 * state.  Free the other old states.
 */
static int renew(struct host_groups *groups,
		 const struct libra_host_conf_list *list)
{
	struct host_state *states[LIBRA_HOST_MAX_GROUPS] = {NULL};
	bool missing = false;
	size_t i, k;

	for (i = 0; i < list->n; i++) {
		for (k = 0; k < groups->n; k++)
			if (groups->states[k] &&
			    same_label(groups->states[k]->conf.label,
				       list->confs[i].label))
				break;
		if (k < groups->n) {
			states[i] = groups->states[k];
			groups->states[k] = NULL;
		} else {
			states[i] = create(groups);
			missing = missing || !states[i];
		}
	}
	for (k = 0; k < groups->n; k++)
		destroy(groups->states[k]);
	groups->n = 0;
	for (i = 0; i < list->n; i++)
		if (states[i])
			groups->states[groups->n++] = states[i];
	if (!missing)
		return 0;
	errno = ENOMEM;
	return -1;
}

static const struct libra_host_conf *manager(
	const struct libra_host_conf_list *list, const char *partition)
{
	for (size_t i = 0; i < list->n; i++)
		if (libra_host_conf_manages(&list->confs[i], partition))
			return &list->confs[i];
	return NULL;
}

/* Refuse a node in two groups: two engines would promise its processors. */
static int part_nodes(const struct host_groups *groups,
		      const struct libra_host_conf_list *list,
		      const struct libra_host_cluster *from)
{
	const struct libra_host_partition *parts = from->partitions, *first;
	const struct libra_host_conf *conf, *other;

	for (uint32_t node = 0; node < from->nnodes; node++) {
		first = NULL;
		conf = NULL;
		for (uint32_t i = 0; i < from->npartitions; i++) {
			other = manager(list, parts[i].name);
			if (!other || !parts[i].nodes[node])
				continue;
			if (!first) {
				first = &parts[i];
				conf = other;
			}
			if (other == conf)
				continue;
			host_log(groups->ops, LIBRA_HOST_ERROR,
				 "SchedulerParameters: libra_policy: "
				 "partitions %s and %s share node %s, but have "
				 "policies of their own: give both to one, as "
				 "%s:%s+%s, or give them nodes of their own",
				 first->name, parts[i].name,
				 from->node_names[node], conf->policy->name,
				 first->name, parts[i].name);
			errno = EINVAL;
			return -1;
		}
	}
	return 0;
}

static int reconfigure(struct host_groups *groups,
		       const struct libra_host_cluster *from,
		       struct libra_host_conf_list *list, bool running)
{
	int rc = 0;

	if (part_nodes(groups, list, from) < 0 || renew(groups, list) < 0)
		return -1;
	host_history_begin(&groups->history, from->state_folder,
			   list->confs[0].correct);
	for (size_t i = 0; rc == 0 && i < groups->n; i++)
		rc = host_reconfigure(groups->states[i], from, &list->confs[i],
				      running && groups->states[i]->log.engine);
	return rc;
}

/* What is said of wrong values.  One that is known was wrong before, and has
 * its default; NULL: all are known.
 */
struct reader {
	const struct libra_host_ops *ops;
	const char *known;
	bool fresh; /* one is not known */
	struct host_text said;
};

/* No default takes the place of a value that has become wrong. */
static void note_wrong(void *arg, const char *text)
{
	struct reader *r = arg;
	const char *end = NULL;

	if (r->known && !strstr(r->known, text)) {
		r->fresh = true;
		end = strstr(text, "; using ");
	}
	host_log(r->ops, LIBRA_HOST_ERROR, "%.*s",
		 (int)(end ? (size_t)(end - text) : strlen(text)), text);
	host_text_add(&r->said, "%s\n", text);
}

static int keep(char **to, const char *text)
{
	char *copy = strdup(text ? text : "");

	if (!copy)
		return -1;
	free(*to);
	*to = copy;
	return 0;
}

/* Take over a text of parameters.
 * Result: 0, or -1 with ENOMEM, or with EINVAL if a value is wrong that is not
 *         known; then nothing has changed.
 */
static int take_over(struct host_groups *groups,
		     const struct libra_host_cluster *from, const char *params,
		     bool running, const char *known)
{
	struct reader r = {.ops = groups->ops, .known = known};
	struct libra_host_conf_list list;
	int rc, saved;

	if (libra_host_conf_list_init(&list, params, note_wrong, &r) < 0) {
		host_text_fini(&r.said);
		return -1;
	}
	errno = EINVAL;
	rc = r.fresh ? -1 : reconfigure(groups, from, &list, running);
	if (rc == 0 && params != groups->params)
		rc = keep(&groups->params, params) < 0 ||
				     keep(&groups->wrong, r.said.text) < 0
			     ? -1
			     : 0;
	saved = errno;
	libra_host_conf_list_fini(&list);
	host_text_fini(&r.said);
	errno = saved;
	return rc;
}

int host_groups_reconfigure(struct host_groups *groups,
			    const struct libra_host_cluster *from, bool running)
{
	int rc = take_over(groups, from, from->sched_params, running,
			   running ? groups->wrong : NULL);

	if (rc == 0 || !running || errno != EINVAL)
		return rc;
	host_log(groups->ops, LIBRA_HOST_ERROR,
		 "SchedulerParameters are not taken over: what ran before "
		 "stays, until the value is right or slurmctld starts");
	return take_over(groups, from, groups->params, running, NULL);
}

/* ---- to which a job belongs ---- */

struct host_state *host_groups_of_partition(const struct host_groups *groups,
					    const char *names)
{
	const struct host_cluster *c;
	const char *end;

	if (groups->n == 0)
		return NULL;
	if (!names || !*names)
		names = groups->states[0]->cluster.default_partition;
	for (; names && *names; names = *end ? end + 1 : end) {
		end = strchrnul(names, ',');
		for (size_t i = 0; i < groups->n; i++) {
			c = &groups->states[i]->cluster;
			if (host_cluster_partition(c, names,
						   (size_t)(end - names)))
				return groups->states[i];
		}
	}
	return NULL;
}

struct host_state *host_groups_of_job(const struct host_groups *groups,
				      uint32_t job_id, const char *comment)
{
	struct libra_promise p;

	if (groups->n == 1)
		return groups->states[0];
	for (size_t i = 0; i < groups->n; i++)
		if (host_jobs_find(&groups->states[i]->jobs, job_id, true) ||
		    host_jobs_find(&groups->states[i]->jobs, job_id, false))
			return groups->states[i];
	if (groups->n == 0 || libra_admin_comment_parse(comment, &p) < 0)
		return groups->n ? groups->states[0] : NULL;
	for (size_t i = 0; i < groups->n; i++)
		if (host_cluster_partition(&groups->states[i]->cluster,
					   p.part.text ? p.part.text : "",
					   p.part.len))
			return groups->states[i];
	return groups->states[0];
}
