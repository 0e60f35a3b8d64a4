/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_qos.c - TRES, QOS and events, from sacctmgr. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

/* ---- TRES ---- */

uint32_t slurm_site_find_tres(const struct slurm_site *site, const char *name)
{
	for (uint32_t i = 0; i < site->ntres; i++)
		if (strcasecmp(site->tres[i].name, name) == 0)
			return i;
	return SLURM_NONE;
}

static int add_tres(struct slurm_site *site, struct import_text name,
		    uint32_t id, bool tracked, struct libra_error *err)
{
	if (site_add_tres(site, name, id, tracked) != SLURM_NONE)
		return 0;
	if (site->ntres < SLURM_TRES_MAX)
		return sim_no_memory(err);
	return libra_errf(err, EINVAL,
			  "more than %d TRES: take those from tres.txt that no "
			  "limit, weight or job names",
			  SLURM_TRES_MAX);
}

/* Add the TRES that Slurm always has, then those of AccountingStorageTRES. */
static int add_standard(struct slurm_site *site, struct libra_error *err)
{
	static const char *const always[] = {"cpu", "mem", "energy", "node",
					     "billing"};
	const char *list = slurm_site_setting(site, "AccountingStorageTRES");
	struct import_text rest = {list, list ? strlen(list) : 0}, name;

	for (uint32_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		name = (struct import_text){always[i], strlen(always[i])};
		if (add_tres(site, name, i + 1, true, err) < 0)
			return -1;
	}
	if (site_is_none(rest))
		return 0;
	while (site_next(&rest, ',', &name)) {
		name = import_trimmed(name);
		if (name.n > 0 && add_tres(site, name, 0, true, err) < 0)
			return -1;
	}
	return 0;
}

struct tres_row {
	const char *type, *name;
	uint32_t id;
};

static const struct site_field tres_fields[] = {
	{"Type", SITE_TEXT, offsetof(struct tres_row, type)},
	{"Name", SITE_TEXT, offsetof(struct tres_row, name)},
	{"ID", SITE_U32, offsetof(struct tres_row, id)},
	{.name = "Count"},
};

static int add_tres_row(struct site_table *t)
{
	struct tres_row row = {"", "", 0};
	char name[200];

	if (site_table_set(t, &row) < 0)
		return -1;
	snprintf(name, sizeof(name), "%.90s%s%.90s", row.type,
		 *row.name ? "/" : "", row.name);
	return add_tres(t->f.site, (struct import_text){name, strlen(name)},
			row.id, false, t->f.err);
}

int site_read_tres(struct slurm_site *site, const char *folder,
		   struct libra_error *err)
{
	site->tres = calloc(SLURM_TRES_MAX, sizeof(*site->tres));
	if (!site->tres)
		return sim_no_memory(err);
	if (add_standard(site, err) < 0)
		return -1;
	return site_read_table(site, folder, "tres.txt", tres_fields,
			       sizeof(tres_fields) / sizeof(tres_fields[0]),
			       "Type", add_tres_row, err);
}

/* ---- QOS ---- */

uint32_t slurm_site_find_qos(const struct slurm_site *site, const char *name)
{
	for (uint32_t i = 0; i < site->nqos; i++)
		if (strcasecmp(site->qos[i].name, name) == 0)
			return i;
	return SLURM_NONE;
}

#define AT(field) offsetof(struct slurm_qos, field)

static const struct site_field qos_fields[] = {
	{"ID", SITE_U32, AT(id)},
	{"Name", SITE_TEXT, AT(name)},
	{"Priority", SITE_U32, AT(priority)},
	{"GraceTime", SITE_TIME32, AT(grace_s)},
	{"PreemptExemptTime", SITE_TIME32, AT(exempt_s)},
	{"UsageFactor", SITE_DOUBLE, AT(usage_factor)},
	{.name = "UsageThres"},
	{"LimitFactor", SITE_DOUBLE, AT(limit_factor)},
	{"GrpJobs", SITE_NUMBER, AT(grp.jobs)},
	{"GrpJobsAccrue", SITE_NUMBER, AT(grp.jobs_accrue)},
	{"GrpSubmit", SITE_NUMBER, AT(grp.submit)},
	{"GrpWall", SITE_WALL, AT(grp.wall_s)},
	{"GrpTRES", SITE_TRES, AT(grp.tres)},
	{"GrpTRESMins", SITE_TRES, AT(grp.tres_mins)},
	{"GrpTRESRunMins", SITE_TRES, AT(grp.tres_run_mins)},
	{"MaxJobsPA", SITE_NUMBER, AT(max_jobs_pa)},
	{"MaxJobsPU", SITE_NUMBER, AT(max_jobs_pu)},
	{"MaxJobsAccruePA", SITE_NUMBER, AT(max_accrue_pa)},
	{"MaxJobsAccruePU", SITE_NUMBER, AT(max_accrue_pu)},
	{"MaxSubmitPA", SITE_NUMBER, AT(max_submit_pa)},
	{"MaxSubmitPU", SITE_NUMBER, AT(max_submit_pu)},
	{"MaxTRESPA", SITE_TRES, AT(max_tres_pa)},
	{"MaxTRES", SITE_TRES, AT(max_tres_pj)},
	{"MaxTRESPerNode", SITE_TRES, AT(max_tres_pn)},
	{"MaxTRESPU", SITE_TRES, AT(max_tres_pu)},
	{"MaxTRESMins", SITE_TRES, AT(max_tres_mins_pj)},
	{"MaxTRESRunMinsPA", SITE_TRES, AT(max_run_mins_pa)},
	{"MaxTRESRunMinsPU", SITE_TRES, AT(max_run_mins_pu)},
	{"MaxWall", SITE_WALL, AT(max_wall_s)},
	{"MinPrioThres", SITE_NUMBER, AT(min_priority)},
	{"MinTRES", SITE_TRES, AT(min_tres_pj)},
	{"Flags", SITE_OWN, 0},
	{"Preempt", SITE_TEXT, AT(preempt)},
	{"PreemptMode", SITE_OWN, 0},
	{.name = "Descr"},
};

#undef AT

static const struct {
	const char *word;
	uint32_t flag;
} qos_flags[] = {
	{"DenyOnLimit", SLURM_QOS_DENY_ON_LIMIT},
	{"EnforceUsageThreshold", SLURM_QOS_ENFORCE_USAGE_THRESHOLD},
	{"NoDecay", SLURM_QOS_NO_DECAY},
	{"NoReserve", SLURM_QOS_NO_RESERVE},
	{"OverPartQOS", SLURM_QOS_OVER_PART_QOS},
	{"PartitionMaxNodes", SLURM_QOS_PART_MAX_NODE},
	{"PartitionMinNodes", SLURM_QOS_PART_MIN_NODE},
	{"PartitionQOS", SLURM_QOS_PART_QOS},
	{"PartQOS", SLURM_QOS_PART_QOS},
	{"PartitionTimeLimit", SLURM_QOS_PART_TIME},
	{"Relative", SLURM_QOS_RELATIVE},
	{"RequiresReservation", SLURM_QOS_REQUIRES_RESERVATION},
	{"UsageFactorSafe", SLURM_QOS_USAGE_FACTOR_SAFE},
};

static int set_flags(struct site_table *t, struct slurm_qos *qos)
{
	struct import_text list = site_table_value(t, "Flags"), word;

	while (site_next(&list, ',', &word)) {
		bool known = false;

		for (size_t i = 0; i < sizeof(qos_flags) / sizeof(qos_flags[0]);
		     i++)
			if (import_is(word, qos_flags[i].word)) {
				qos->flags |= qos_flags[i].flag;
				known = true;
			}
		if (!known && word.n > 0 &&
		    site_unknown(&t->f, "flag", word) < 0)
			return -1;
	}
	return 0;
}

static void set_unlimited(struct slurm_qos *qos)
{
	int64_t *const numbers[] = {
		&qos->grp.jobs,	     &qos->grp.jobs_accrue, &qos->grp.submit,
		&qos->grp.wall_s,    &qos->max_jobs_pa,	    &qos->max_jobs_pu,
		&qos->max_accrue_pa, &qos->max_accrue_pu,   &qos->max_submit_pa,
		&qos->max_submit_pu, &qos->max_wall_s,	    &qos->min_priority};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		*numbers[i] = SLURM_UNLIMITED;
}

static int add_qos(struct site_table *t)
{
	struct slurm_site *site = t->f.site;
	struct slurm_qos *qos =
		site_append(site, &site->qos, &site->nqos, sizeof(*qos), 4);

	if (!qos)
		return sim_no_memory(t->f.err);
	set_unlimited(qos);
	qos->name = qos->preempt = "";
	qos->usage_factor = 1;
	qos->exempt_s = SLURM_INFINITE;
	if (site_table_set(t, qos) < 0 || set_flags(t, qos) < 0)
		return -1;
	qos->preempt_mode =
		site_preempt_mode(site_table_value(t, "PreemptMode"));
	return 0;
}

/* Names are known only after all rows. */
static int resolve_preempts(struct slurm_site *site, struct libra_error *err)
{
	struct site_file f = {.site = site, .err = err, .file = "qos.txt"};

	for (size_t i = 0; i < site->nqos; i++) {
		struct slurm_qos *qos = &site->qos[i];
		struct import_text list = {qos->preempt, strlen(qos->preempt)};
		uint32_t *to = site_alloc(site, site->nqos * sizeof(*to));
		struct import_text word;

		if (!to)
			return sim_no_memory(err);
		qos->preempts = to;
		while (site_next(&list, ',', &word)) {
			uint32_t other = 0;

			while (other < site->nqos &&
			       !import_is(word, site->qos[other].name))
				other++;
			if (other < site->nqos) {
				if (qos->npreempts < site->nqos)
					to[qos->npreempts++] = other;
			} else if (site_unknown(&f, "QOS", word) < 0) {
				return -1;
			}
		}
	}
	return 0;
}

int site_read_qos(struct slurm_site *site, const char *folder,
		  struct libra_error *err)
{
	if (site_read_table(site, folder, "qos.txt", qos_fields,
			    sizeof(qos_fields) / sizeof(qos_fields[0]), "Name",
			    add_qos, err) < 0)
		return -1;
	return resolve_preempts(site, err);
}

/* ---- changes ---- */

int site_change_qos(struct site_file *f, struct slurm_qos *qos,
		    struct import_text key, struct import_text value)
{
	const struct site_field *field = site_find_field(
		qos_fields, sizeof(qos_fields) / sizeof(qos_fields[0]), key);

	if (!field)
		return 0;
	if (import_is(key, "PreemptMode")) {
		qos->preempt_mode = site_preempt_mode(value);
		if (qos->preempt_mode == SLURM_PREEMPT_CLUSTER &&
		    !import_is(value, "cluster"))
			return 0;
	}
	if (site_set(f, field, qos, value) < 0)
		return errno == ENOMEM ? -1 : 0;
	if (!import_is(key, "Preempt"))
		return 1;
	for (size_t q = 0; q < f->site->nqos; q++)
		f->site->qos[q].npreempts = 0;
	return resolve_preempts(f->site, f->err) < 0 ? -1 : 1;
}

/* ---- events ---- */

static const struct site_field event_fields[] = {
	{"Cluster", SITE_OWN, 0},   {"NodeName", SITE_OWN, 0},
	{"TimeStart", SITE_OWN, 0}, {"Start", SITE_OWN, 0},
	{"TimeEnd", SITE_OWN, 0},   {"End", SITE_OWN, 0},
	{"State", SITE_OWN, 0},	    {.name = "Reason"},
	{.name = "User"},	    {.name = "Duration"},
	{.name = "Event"},	    {.name = "EventRaw"},
	{.name = "TRES"},	    {.name = "StateRaw"},
	{.name = "Cluster Nodes"},
};

static struct import_text either(const struct site_table *t, const char *a,
				 const char *b)
{
	struct import_text value = site_table_value(t, a);

	return value.n ? value : site_table_value(t, b);
}

static int add_outage(struct site_table *t)
{
	struct slurm_site *site = t->f.site;
	struct import_text cluster = site_table_value(t, "Cluster");
	struct import_text node = site_table_value(t, "NodeName");
	struct slurm_outage *outage;

	/* A row without a node and a state is a change of the cluster's size.
	 */
	if ((cluster.n && *site->config.cluster &&
	     !import_is(cluster, site->config.cluster)) ||
	    site_table_value(t, "State").n == 0)
		return 0;
	outage = site_append(site, &site->outages, &site->noutages,
			     sizeof(*outage), 5);
	if (!outage)
		return sim_no_memory(t->f.err);
	outage->node = SLURM_NONE;
	outage->state = site_text(site, site_table_value(t, "State"));
	if (!outage->state)
		return sim_no_memory(t->f.err);
	if (site_instant(&t->f, either(t, "TimeStart", "Start"),
			 &outage->from_s) < 0 ||
	    site_instant(&t->f, either(t, "TimeEnd", "End"), &outage->to_s) < 0)
		return -1;
	if (node.n > 0) {
		const char *name = site_text(site, node);

		if (!name)
			return sim_no_memory(t->f.err);
		outage->node = slurm_site_find_node(site, name);
		if (outage->node == SLURM_NONE) {
			site->noutages--;
			return site_unknown(&t->f, "node", node);
		}
	}
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct slurm_outage *x = a, *y = b;

	if (x->from_s != y->from_s)
		return x->from_s < y->from_s ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

int site_read_outages(struct slurm_site *site, const char *folder,
		      struct libra_error *err)
{
	if (site_read_table(site, folder, "event.txt", event_fields,
			    sizeof(event_fields) / sizeof(event_fields[0]),
			    "NodeName", add_outage, err) < 0)
		return -1;
	if (site->noutages > 0)
		qsort(site->outages, site->noutages, sizeof(*site->outages),
		      by_begin);
	return 0;
}
