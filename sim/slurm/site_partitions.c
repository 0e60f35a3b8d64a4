/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_partitions.c - partitions and advance reservations, from scontrol. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

uint32_t slurm_site_find_partition(const struct slurm_site *site,
				   const char *name)
{
	for (uint32_t i = 0; i < site->npartitions; i++)
		if (strcmp(site->partitions[i].name, name) == 0)
			return i;
	return SLURM_NONE;
}

#define AT(field) offsetof(struct slurm_partition, field)

static const struct site_field partition_fields[] = {
	{"AllowGroups", SITE_TEXT, AT(access.allow_groups)},
	{"AllowAccounts", SITE_TEXT, AT(access.allow_accounts)},
	{"DenyAccounts", SITE_TEXT, AT(access.deny_accounts)},
	{"AllowQos", SITE_TEXT, AT(access.allow_qos)},
	{"DenyQos", SITE_TEXT, AT(access.deny_qos)},
	{"Default", SITE_YES, AT(is_default)},
	{"DefaultTime", SITE_TIME32, AT(default_s)},
	{"MaxTime", SITE_TIME32, AT(max_time_s)},
	{"ExclusiveUser", SITE_YES, AT(exclusive_user)},
	{"GraceTime", SITE_TIME32, AT(grace_s)},
	{"MaxNodes", SITE_U32, AT(max_nodes)},
	{"MinNodes", SITE_U32, AT(min_nodes)},
	{"LLN", SITE_YES, AT(lln)},
	{"MaxCPUsPerNode", SITE_NUMBER, AT(max_cpus_node)},
	{.name = "MaxCPUsPerSocket"},
	{"PriorityJobFactor", SITE_U32, AT(job_factor)},
	{"PriorityTier", SITE_U32, AT(tier)},
	{.name = "RootOnly"},
	{.name = "ReqResv"},
	{"DefMemPerCPU", SITE_MB, AT(mem.def_cpu)},
	{"DefMemPerNode", SITE_MB, AT(mem.def_node)},
	{"MaxMemPerCPU", SITE_MB, AT(mem.max_cpu)},
	{"MaxMemPerNode", SITE_MB, AT(mem.max_node)},
	{"TRES", SITE_COUNTS, AT(tres)},
	{"QoS", SITE_OWN, 0},
	{"Nodes", SITE_OWN, 0},
	{"OverSubscribe", SITE_OWN, 0},
	{"Shared", SITE_OWN, 0},
	{"OverTimeLimit", SITE_OWN, 0},
	{"PreemptMode", SITE_OWN, 0},
	{"State", SITE_OWN, 0},
	{"TRESBillingWeights", SITE_OWN, 0},
	{.name = "AllocNodes"},
	{.name = "Alternate"},
	{.name = "CpuBind"},
	{.name = "DisableRootJobs"},
	{.name = "ExclusiveTopo"},
	{.name = "Hidden"},
	{.name = "JobDefaults"},
	{.name = "NodeSets"},
	{.name = "PowerDownOnIdle"},
	{.name = "ResumeTimeout"},
	{.name = "SelectTypeParameters"},
	{.name = "SuspendTime"},
	{.name = "SuspendTimeout"},
	{.name = "Topology"},
	{.name = "TotalCPUs"},
	{.name = "TotalNodes"},
};

#undef AT

static void *begin_partition(struct site_file *f, struct import_text name)
{
	struct slurm_site *site = f->site;
	struct slurm_partition *part = site_append(
		site, &site->partitions, &site->npartitions, sizeof(*part), 2);

	if (!part)
		return NULL;
	*part = (struct slurm_partition){
		.name = site_text(site, name),
		.up = true,
		.oversubscribe = 1,
		.tier = 1,
		.job_factor = 1,
		.max_time_s = SLURM_INFINITE,
		.default_s = SLURM_INFINITE,
		.overtime_s = SLURM_NONE,
		.max_nodes = UINT32_MAX,
		.max_cpus_node = SLURM_UNLIMITED,
		.mem.def_cpu = SLURM_UNLIMITED,
		.mem.def_node = SLURM_UNLIMITED,
		.mem.max_cpu = SLURM_UNLIMITED,
		.mem.max_node = SLURM_UNLIMITED,
		.qos = SLURM_NONE,
		.access.allow_accounts = "",
		.access.deny_accounts = "",
		.access.allow_qos = "",
		.access.deny_qos = "",
		.access.allow_groups = "",
	};
	return part->name ? part : NULL;
}

/* NO, EXCLUSIVE, YES:4, FORCE:4 */
static void set_oversubscribe(struct slurm_partition *part,
			      struct import_text t)
{
	const char *colon = memchr(t.at, ':', t.n);
	size_t word = colon ? (size_t)(colon - t.at) : t.n;
	struct import_text first = {t.at, word};
	int64_t n = 4;

	if (colon)
		site_amount((struct import_text){colon + 1, t.n - word - 1},
			    false, &n);
	part->exclusive = import_is(first, "EXCLUSIVE");
	part->oversubscribe_forced = import_is(first, "FORCE");
	part->oversubscribe = 1;
	if (part->oversubscribe_forced || import_is(first, "YES"))
		part->oversubscribe = n > 0 && n < UINT32_MAX ? (uint32_t)n : 1;
}

static int set_overtime(struct site_file *f, struct slurm_partition *part,
			struct import_text t)
{
	int64_t n;

	if (import_is(t, "NONE"))
		part->overtime_s = SLURM_NONE;
	else if (import_is(t, "UNLIMITED"))
		part->overtime_s = SLURM_INFINITE - 1;
	else if (site_amount(t, false, &n) && n < 65536)
		part->overtime_s = (uint32_t)n * 60;
	else
		return site_fail(f,
				 "OverTimeLimit is '%.*s', which is no "
				 "number of minutes",
				 (int)(t.n < 40 ? t.n : 40), t.at);
	return 0;
}

static int set_partition_qos(struct site_file *f, struct slurm_partition *part,
			     struct import_text t)
{
	const char *name;

	part->qos = SLURM_NONE;
	if (site_is_none(t))
		return 0;
	name = site_text(f->site, t);
	if (!name)
		return sim_no_memory(f->err);
	part->qos = slurm_site_find_qos(f->site, name);
	return part->qos == SLURM_NONE ? site_unknown(f, "QOS", t) : 0;
}

static int set_own(struct site_file *f, const char *key, void *object,
		   struct import_text value)
{
	struct slurm_partition *part = object;

	if (strcmp(key, "Nodes") == 0)
		return site_node_list(f, value, &part->nodes, &part->nnodes);
	if (strcmp(key, "QoS") == 0)
		return set_partition_qos(f, part, value);
	if (strcmp(key, "OverTimeLimit") == 0)
		return set_overtime(f, part, value);
	if (strcmp(key, "TRESBillingWeights") == 0) {
		part->billing = site_weights(f, value);
		return !part->billing && errno ? -1 : 0;
	}
	/* Jobs that wait in a draining partition start. */
	if (strcmp(key, "State") == 0) {
		part->up = import_is(value, "UP") || import_is(value, "DRAIN");
		part->inactive = import_is(value, "INACTIVE");
	} else if (strcmp(key, "PreemptMode") == 0) {
		part->preempt_mode = site_preempt_mode(value);
	} else {
		set_oversubscribe(part, value);
	}
	return 0;
}

/* Empty the lists that allow all. */
static void take_all(struct slurm_partition *part)
{
	const char **lists[] = {&part->access.allow_accounts,
				&part->access.allow_qos,
				&part->access.allow_groups};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (strcasecmp(*lists[i], "ALL") == 0)
			*lists[i] = "";
}

static int end_partition(struct site_file *f, void *object)
{
	struct slurm_partition *part = object;
	int64_t *tres;

	if (!part->tres)
		return site_fail(f,
				 "partition %.80s has no TRES= before this "
				 "line: the file was cut off, run "
				 "site-snapshot again",
				 part->name);
	take_all(part);
	/* Its own array: resources that are not tracked count too. */
	tres = site_alloc(f->site, SLURM_TRES_MAX * sizeof(*tres));
	if (!tres)
		return sim_no_memory(f->err);
	memcpy(tres, part->tres, SLURM_TRES_MAX * sizeof(*tres));
	for (size_t t = 0; t < f->site->ntres; t++)
		for (size_t i = 0;
		     !f->site->tres[t].tracked && i < part->nnodes; i++)
			tres[t] += f->site->nodes[part->nodes[i]].tres[t];
	part->tres = tres;
	return 0;
}

int site_read_partitions(struct slurm_site *site, const char *folder,
			 struct libra_error *err)
{
	static const struct site_records records = {
		"PartitionName",
		partition_fields,
		sizeof(partition_fields) / sizeof(partition_fields[0]),
		begin_partition,
		set_own,
		end_partition};

	if (site_read_records(site, folder, "partitions.txt", &records, err) <
	    0)
		return -1;
	if (site->npartitions == 0)
		return libra_errf(err, ENOENT,
				  "%s has no partitions.txt, or nothing is in "
				  "it: give a folder that site-snapshot wrote",
				  folder);
	return 0;
}

/* ---- changes ---- */

int site_count_partition(struct slurm_site *site, struct slurm_partition *part)
{
	int64_t *tres = site_alloc(site, SLURM_TRES_MAX * sizeof(*tres));

	if (!tres)
		return -1;
	for (size_t i = 0; i < part->nnodes; i++)
		for (size_t t = 0; t < site->ntres; t++)
			tres[t] += site->nodes[part->nodes[i]].tres[t];
	part->tres = tres;
	return 0;
}

/* Return true if Slurm takes a word of a field that has few. */
static bool is_word(const char *key, struct import_text value)
{
	static const char *const words[][2] = {
		{"State", "UP"},
		{"State", "DOWN"},
		{"State", "DRAIN"},
		{"State", "INACTIVE"},
		{"PreemptMode", "OFF"},
		{"PreemptMode", "CANCEL"},
		{"PreemptMode", "REQUEUE"},
		{"PreemptMode", "SUSPEND"},
		{"OverSubscribe", "NO"},
		{"OverSubscribe", "YES"},
		{"OverSubscribe", "FORCE"},
		{"OverSubscribe", "EXCLUSIVE"},
	};
	struct import_text word;
	bool few = false;

	if (!site_next(&value, ':', &word))
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(key, words[i][0]) != 0)
			continue;
		if (import_is(word, words[i][1]))
			return true;
		few = true;
	}
	return !few;
}

/* Count the names of a list that the site lacks. */
static int know_names(struct site_file *f, const char *key,
		      struct import_text list)
{
	const struct slurm_site *site = f->site;
	bool qos = strstr(key, "Qos") != NULL;
	size_t n = qos ? site->nqos : site->nassocs;
	struct import_text word;

	while (!import_is(list, "ALL") && site_next(&list, ',', &word)) {
		size_t i = 0;

		while (i < n && !import_is(word, qos ? site->qos[i].name
						     : site->assocs[i].account))
			i++;
		if (i == n &&
		    site_unknown(f, qos ? "QOS" : "account", word) < 0)
			return -1;
	}
	return 0;
}

int site_change_partition(struct site_file *f, struct slurm_partition *part,
			  struct import_text key, struct import_text value)
{
	const struct site_field *field = site_find_field(
		partition_fields,
		sizeof(partition_fields) / sizeof(partition_fields[0]), key);

	if (!field || !is_word(field->name, value))
		return 0;
	if ((field->kind == SITE_OWN ? set_own(f, field->name, part, value)
				     : site_set(f, field, part, value)) < 0)
		return errno == ENOMEM ? -1 : 0;
	if (strncmp(field->name, "Allow", 5) == 0 ||
	    strncmp(field->name, "Deny", 4) == 0) {
		part->access.changed = true;
		take_all(part);
		return know_names(f, field->name, value) < 0 ? -1 : 1;
	}
	if (strcmp(field->name, "MaxTime") == 0)
		part->access.new_time = true;
	if (strcmp(field->name, "Nodes") == 0)
		return site_count_partition(f->site, part) < 0 ? -1 : 1;
	return 1;
}

/* ---- advance reservations ---- */

#define AT(field) offsetof(struct slurm_reservation, field)

static const struct site_field reservation_fields[] = {
	{"Flags", SITE_TEXT, AT(flags)},
	{"Users", SITE_TEXT, AT(users)},
	{"Accounts", SITE_TEXT, AT(accounts)},
	{"StartTime", SITE_OWN, 0},
	{"EndTime", SITE_OWN, 0},
	{"Nodes", SITE_OWN, 0},
	{.name = "AllowedPartitions"},
	{.name = "BurstBuffer"},
	{.name = "Comment"},
	{.name = "CoreCnt"},
	{.name = "CoreIDs"},
	{.name = "Duration"},
	{.name = "Features"},
	{.name = "Groups"},
	{.name = "Licenses"},
	{.name = "MaxStartDelay"},
	{.name = "NodeCnt"},
	{.name = "NodeName"},
	{.name = "PartitionName"},
	{.name = "QOS"},
	{.name = "State"},
	{.name = "TRES"},
	{.name = "Watts"},
};

#undef AT

static void *begin_reservation(struct site_file *f, struct import_text name)
{
	struct slurm_site *site = f->site;
	struct slurm_reservation *resv =
		site_append(site, &site->reservations, &site->nreservations,
			    sizeof(*resv), 3);

	if (!resv)
		return NULL;
	*resv = (struct slurm_reservation){.name = site_text(site, name),
					   .flags = "",
					   .users = "",
					   .accounts = ""};
	return resv->name ? resv : NULL;
}

static int set_reservation(struct site_file *f, const char *key, void *object,
			   struct import_text value)
{
	struct slurm_reservation *resv = object;

	if (strcmp(key, "Nodes") == 0)
		return site_node_list(f, value, &resv->nodes, &resv->nnodes);
	return site_instant(f, value,
			    key[0] == 'S' ? &resv->from_s : &resv->to_s);
}

static int end_reservation(struct site_file *f, void *object)
{
	struct slurm_reservation *resv = object;

	if (resv->from_s == 0 || resv->to_s < resv->from_s)
		return site_fail(f,
				 "reservation %.80s has no StartTime= and "
				 "EndTime= before this line: the file was cut "
				 "off, run site-snapshot again",
				 resv->name);
	return 0;
}

int site_read_reservations(struct slurm_site *site, const char *folder,
			   struct libra_error *err)
{
	static const struct site_records records = {
		"ReservationName",
		reservation_fields,
		sizeof(reservation_fields) / sizeof(reservation_fields[0]),
		begin_reservation,
		set_reservation,
		end_reservation};

	return site_read_records(site, folder, "reservations.txt", &records,
				 err) < 0
		       ? -1
		       : 0;
}
