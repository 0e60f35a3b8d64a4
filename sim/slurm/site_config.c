/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_config.c - the settings of slurmctld, from `scontrol show config`. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

const char *slurm_site_setting(const struct slurm_site *site, const char *name)
{
	for (size_t i = 0; site->store && i < site->store->nsettings; i++)
		if (strcasecmp(site->store->settings[i].name, name) == 0)
			return site->store->settings[i].value;
	return NULL;
}

static struct import_text setting(const struct slurm_site *site,
				  const char *name)
{
	const char *value = slurm_site_setting(site, name);

	return value ? (struct import_text){value, strlen(value)}
		     : (struct import_text){"", 0};
}

/* Does a list of words contain one, whatever the capital letters? */
static bool has_word(struct import_text list, const char *word)
{
	struct import_text part;

	while (site_next(&list, ',', &part))
		if (import_is(import_trimmed(part), word))
			return true;
	return false;
}

/* ---- SchedulerParameters ---- */

#define AT(field) offsetof(struct slurm_sched_params, field)

/* A number, in a unit of so many of ours; bool where scale is 0. */
static const struct sched_param {
	const char *name;
	size_t at;
	int64_t scale, standard;
} sched_params[] = {
	{"bf_interval", AT(bf.interval_s), 1, 30},
	{"bf_window", AT(bf.window_s), 60, 1440},
	{"bf_resolution", AT(bf.resolution_s), 1, 60},
	{"bf_max_time", AT(bf.max_time_s), 1, 0},
	{"bf_max_job_test", AT(bf.max_job_test), 1, 500},
	{"max_job_bf", AT(bf.max_job_test), 1, 500},
	{"bf_max_job_start", AT(bf.max_job_start), 1, 0},
	{"bf_max_job_user", AT(bf.max_job_user), 1, 0},
	{"bf_max_job_user_part", AT(bf.max_job_user_part), 1, 0},
	{"bf_max_job_part", AT(bf.max_job_part), 1, 0},
	{"bf_max_job_assoc", AT(bf.max_job_assoc), 1, 0},
	{"bf_max_job_array_resv", AT(bf.max_job_array_resv), 1, 20},
	{"bf_min_age_reserve", AT(bf.min_age_reserve_s), 1, 0},
	{"bf_min_prio_reserve", AT(bf.min_prio_reserve), 1, 0},
	{"bf_job_part_count_reserve", AT(bf.job_part_count_reserve), 1, 0},
	{"bf_node_space_size", AT(bf.node_space_size), 1, 0},
	{"bf_yield_interval", AT(bf.yield_interval_us), 1, 2000000},
	{"bf_yield_sleep", AT(bf.yield_sleep_us), 1, 500000},
	{"batch_sched_delay", AT(batch_sched_delay_s), 1, 3},
	{"sched_interval", AT(sched_interval_s), 1, 60},
	{"sched_min_interval", AT(sched_min_interval_us), 1, 2},
	{"default_queue_depth", AT(default_queue_depth), 1, 100},
	{"partition_job_depth", AT(partition_job_depth), 1, 0},
	{"sched_max_job_start", AT(sched_max_job_start), 1, 0},
	{"max_sched_time", AT(max_sched_time_s), 1, 2},
	{"max_rpc_cnt", AT(max_rpc_cnt), 1, 0},
	{"preempt_reorder_count", AT(preempt_reorder_count), 1, 1},
	{"bf_continue", AT(bf.go_on), 0, 0},
	{"bf_one_resv_per_job", AT(bf.one_resv_per_job), 0, 0},
	{"bf_running_job_reserve", AT(bf.running_job_reserve), 0, 0},
	{"bf_busy_nodes", AT(bf.busy_nodes), 0, 0},
	{"bf_licenses", AT(bf.licenses), 0, 0},
	{"bf_hetjob_immediate", AT(bf.hetjob_immediate), 0, 0},
	{"assoc_limit_stop", AT(assoc_limit_stop), 0, 0},
	{"defer", AT(defer), 0, 0},
	{"defer_batch", AT(defer_batch), 0, 0},
	{"pack_serial_at_end", AT(pack_serial_at_end), 0, 0},
	{"preempt_strict_order", AT(preempt_strict_order), 0, 0},
	{"preempt_youngest_first", AT(preempt_youngest_first), 0, 0},
	{"time_min_as_soft_limit", AT(time_min_as_soft_limit), 0, 0},
	{"reduce_completing_frag", AT(reduce_completing_frag), 0, 0},
};

#undef AT

enum { NSCHED = sizeof(sched_params) / sizeof(sched_params[0]) };

static void put_param(struct slurm_sched_params *sched,
		      const struct sched_param *param, int64_t n)
{
	char *at = (char *)sched + param->at;
	bool yes = n != 0;

	if (param->scale == 0)
		memcpy(at, &yes, sizeof(yes));
	else
		memcpy(at, &n, sizeof(n));
}

/* Return false if Slurm takes the standard in the place of a number. */
static bool is_taken(const struct sched_param *param, long long n)
{
	static const char *const positive[] = {"bf_interval", "bf_window",
					       "bf_resolution",
					       "bf_max_job_test", "max_job_bf"};

	if (n == -1) /* stops the loop */
		return strcmp(param->name, "bf_interval") == 0 ||
		       strcmp(param->name, "sched_interval") == 0;
	for (size_t i = 0; i < sizeof(positive) / sizeof(positive[0]); i++)
		if (strcmp(param->name, positive[i]) == 0)
			return n > 0 && n <= INT32_MAX;
	return n >= 0 && n <= INT32_MAX;
}

static const struct sched_param *find_param(struct import_text name)
{
	for (size_t i = 0; i < NSCHED; i++)
		if (import_is(name, sched_params[i].name))
			return &sched_params[i];
	return NULL;
}

/* Result: false: Slurm has no such parameter, or takes no such value. */
static bool set_sched_word(struct slurm_sched_params *sched,
			   struct import_text word)
{
	const char *equals = memchr(word.at, '=', word.n);
	struct import_text name = {word.at, equals ? (size_t)(equals - word.at)
						   : word.n};
	const struct sched_param *param = find_param(name);
	char text[24], *end;
	long long n;

	if (param && param->scale == 0)
		put_param(sched, param, 1);
	if (!param || param->scale == 0)
		return param != NULL;
	snprintf(text, sizeof(text), "%.*s",
		 equals ? (int)(word.n - name.n - 1) : 0,
		 equals ? equals + 1 : "");
	n = strtoll(text, &end, 10);
	/* Slurm reads what begins with a number. */
	if (end == text || !is_taken(param, n))
		return false;
	put_param(sched, param, n * param->scale);
	return true;
}

static int read_sched(struct site_file *f, struct slurm_sched_params *sched)
{
	struct import_text list = setting(f->site, "SchedulerParameters"), word;

	for (size_t i = 0; i < NSCHED; i++)
		put_param(sched, &sched_params[i],
			  sched_params[i].scale * sched_params[i].standard);
	if (!site_is_none(list))
		while (site_next(&list, ',', &word)) {
			word = import_trimmed(word);
			if (word.n > 0 && !set_sched_word(sched, word) &&
			    site_unknown(f, "SchedulerParameters", word) < 0)
				return -1;
		}
	if (sched->bf.max_time_s <= 0)
		sched->bf.max_time_s = sched->bf.interval_s;
	if (sched->bf.node_space_size <= 0)
		sched->bf.node_space_size = sched->bf.max_job_test;
	return 0;
}

/* ---- priority ---- */

#define AT(field) offsetof(struct slurm_priority_params, field)

static const struct site_field priority_fields[] = {
	{"PriorityFavorSmall", SITE_YES, AT(favor_small)},
	{"PriorityDecayHalfLife", SITE_TIME32, AT(half_life_s)},
	{"PriorityCalcPeriod", SITE_TIME32, AT(calc_period_s)},
	{"PriorityMaxAge", SITE_TIME32, AT(max_age_s)},
	{"FairShareDampeningFactor", SITE_U32, AT(dampening)},
	{"PriorityWeightAge", SITE_U32, AT(age)},
	{"PriorityWeightAssoc", SITE_U32, AT(assoc)},
	{"PriorityWeightFairShare", SITE_U32, AT(fairshare)},
	{"PriorityWeightJobSize", SITE_U32, AT(job_size)},
	{"PriorityWeightPartition", SITE_U32, AT(partition)},
	{"PriorityWeightQOS", SITE_U32, AT(qos)},
};

#undef AT

static const struct {
	const char *word;
	uint32_t flag;
} flag_words[] = {
	{"ACCRUE_ALWAYS", SLURM_PRIO_ACCRUE_ALWAYS},
	{"CALCULATE_RUNNING", SLURM_PRIO_CALCULATE_RUNNING},
	{"DEPTH_OBLIVIOUS", SLURM_PRIO_DEPTH_OBLIVIOUS},
	{"FAIR_TREE", 0},
	{"NO_FAIR_TREE", SLURM_PRIO_NO_FAIR_TREE},
	{"INCR_ONLY", SLURM_PRIO_INCR_ONLY},
	{"MAX_TRES", SLURM_PRIO_MAX_TRES},
	{"MAX_TRES_GRES", SLURM_PRIO_MAX_TRES_GRES},
	{"NO_NORMAL_ALL",
	 SLURM_PRIO_NO_NORMAL_ASSOC | SLURM_PRIO_NO_NORMAL_PART |
		 SLURM_PRIO_NO_NORMAL_QOS | SLURM_PRIO_NO_NORMAL_TRES},
	{"NO_NORMAL_ASSOC", SLURM_PRIO_NO_NORMAL_ASSOC},
	{"NO_NORMAL_PART", SLURM_PRIO_NO_NORMAL_PART},
	{"NO_NORMAL_QOS", SLURM_PRIO_NO_NORMAL_QOS},
	{"NO_NORMAL_TRES", SLURM_PRIO_NO_NORMAL_TRES},
	{"SMALL_RELATIVE_TO_TIME", SLURM_PRIO_SMALL_RELATIVE_TO_TIME},
};

static int read_flags(struct site_file *f, struct import_text list,
		      uint32_t *flags)
{
	struct import_text word;

	while (site_next(&list, ',', &word)) {
		bool known = false;

		word = import_trimmed(word);
		for (size_t i = 0;
		     i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
			if (import_is(word, flag_words[i].word)) {
				*flags |= flag_words[i].flag;
				known = true;
			}
		if (!known && word.n > 0 &&
		    site_unknown(f, "PriorityFlags", word) < 0)
			return -1;
	}
	return 0;
}

static enum slurm_usage_reset reset_of(struct import_text t)
{
	static const char *const words[] = {"NONE",   "NOW",	 "DAILY",
					    "WEEKLY", "MONTHLY", "QUARTERLY",
					    "YEARLY"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (import_is(t, words[i]))
			return (enum slurm_usage_reset)i;
	return SLURM_RESET_NONE;
}

static int read_priority(struct site_file *f)
{
	struct slurm_priority_params *p = &f->site->config.priority;
	struct import_text list = setting(f->site, "PriorityFlags");

	*p = (struct slurm_priority_params){.half_life_s = 7 * 86400,
					    .calc_period_s = 300,
					    .max_age_s = 7 * 86400,
					    .dampening = 1};
	p->multifactor = import_is(setting(f->site, "PriorityType"),
				   "priority/multifactor");
	for (size_t i = 0;
	     i < sizeof(priority_fields) / sizeof(priority_fields[0]); i++)
		if (site_set(f, &priority_fields[i], p,
			     setting(f->site, priority_fields[i].name)) < 0)
			return -1;
	p->reset = reset_of(setting(f->site, "PriorityUsageResetPeriod"));
	if (p->calc_period_s == 0)
		p->calc_period_s = 300;
	if (p->dampening == 0)
		p->dampening = 1;
	return site_is_none(list) ? 0 : read_flags(f, list, &p->flags);
}

int site_read_priority(struct slurm_site *site, struct libra_error *err)
{
	struct site_file f = {.site = site, .err = err, .file = "config.txt"};

	snprintf(f.path, sizeof(f.path), "config.txt");
	site->config.priority.tres =
		site_weights(&f, setting(site, "PriorityWeightTRES"));
	return !site->config.priority.tres && errno ? -1 : 0;
}

/* ---- changes ---- */

static int change_weight(struct site_file *f, struct import_text name,
			 struct import_text value)
{
	struct slurm_priority_params *p = &f->site->config.priority;
	char full[48];
	int n = snprintf(full, sizeof(full), "PriorityWeight%.*s", (int)name.n,
			 name.at);
	const struct site_field *field;

	if (n < 0 || (size_t)n >= sizeof(full))
		return 0;
	if (import_is(name, "tres")) {
		p->tres = site_weights(f, value);
		return p->tres ? 1 : errno == ENOMEM ? -1 : 0;
	}
	field = site_find_field(priority_fields,
				sizeof(priority_fields) /
					sizeof(priority_fields[0]),
				(struct import_text){full, (size_t)n});
	if (!field || value.n == 0 || *value.at == '-')
		return 0;
	return site_set(f, field, p, value) < 0 ? 0 : 1;
}

/* none, qos or partition_prio, and perhaps :requeue or :cancel */
static bool change_preempt(struct slurm_config *config,
			   struct import_text value)
{
	struct import_text type, mode = value;

	if (!site_next(&mode, ':', &type))
		return false;
	config->preempt_qos = import_is(type, "qos");
	config->preempt_part = import_is(type, "partition_prio");
	if (mode.n > 0)
		config->preempt_mode = site_preempt_mode(mode);
	return (config->preempt_qos || config->preempt_part ||
		import_is(type, "none")) &&
	       (mode.n == 0 || config->preempt_mode == SLURM_PREEMPT_CANCEL ||
		config->preempt_mode == SLURM_PREEMPT_REQUEUE);
}

int site_change_config(struct site_file *f, struct import_text key,
		       struct import_text value)
{
	struct slurm_config *config = &f->site->config;
	struct slurm_priority_params *p = &config->priority;
	const struct sched_param *param = find_param(key);
	double s;

	if (param && param->scale == 0 && import_is(value, "no")) {
		put_param(&config->sched, param, 0);
		return 1;
	}
	if (key.n > 7 && strncasecmp(key.at, "weight.", 7) == 0)
		return change_weight(
			f, (struct import_text){key.at + 7, key.n - 7}, value);
	if (import_is(key, "half_life")) {
		s = 0;
		if (!import_is(value, "0") &&
		    (import_limit(value, 60, &s) != IMPORT_OK ||
		     s >= UINT32_MAX))
			return 0;
		p->half_life_s = (uint32_t)s;
		return 1;
	}
	if (import_is(key, "priorities")) {
		p->as_logged = import_is(value, "log");
		return p->as_logged || import_is(value, "computed");
	}
	if (import_is(key, "preempt"))
		return change_preempt(config, value);
	return set_sched_word(
		&config->sched,
		(struct import_text){key.at, key.n + value.n + 1});
}

/* ---- the rest ---- */

#define AT(field) offsetof(struct slurm_config, field)

static const struct site_field config_fields[] = {
	{"ClusterName", SITE_TEXT, AT(cluster)},
	{"SLURM_VERSION", SITE_TEXT, AT(version)},
	{"PreemptExemptTime", SITE_TIME32, AT(preempt_exempt_s)},
	{"DefMemPerCPU", SITE_MB, AT(mem.def_cpu)},
	{"DefMemPerNode", SITE_MB, AT(mem.def_node)},
	{"MaxMemPerCPU", SITE_MB, AT(mem.max_cpu)},
	{"MaxMemPerNode", SITE_MB, AT(mem.max_node)},
	{"OverTimeLimit", SITE_TIME32, AT(overtime_s)},
	{"KillWait", SITE_TIME32, AT(kill_wait_s)},
	{"MaxArraySize", SITE_U32, AT(max_array)},
};

#undef AT

static void read_select(struct slurm_config *config,
			const struct slurm_site *site)
{
	struct import_text list = setting(site, "SelectTypeParameters"), word;

	config->select_nodes =
		import_is(setting(site, "SelectType"), "select/linear");
	while (site_next(&list, ',', &word)) {
		char text[64];

		snprintf(text, sizeof(text), "%.*s",
			 (int)(word.n < 60 ? word.n : 60), word.at);
		config->select_memory |= strcasestr(text, "MEMORY") != NULL;
		config->select_cpus |= strncasecmp(text, "CR_CPU", 6) == 0;
		config->lln |= strcasecmp(text, "CR_LLN") == 0;
		config->pack_nodes |= strcasecmp(text, "CR_PACK_NODES") == 0;
	}
}

static void read_enforce(struct slurm_config *config,
			 const struct slurm_site *site)
{
	struct import_text list = setting(site, "AccountingStorageEnforce");
	bool all = has_word(list, "all");

	config->enforce_limits =
		all || has_word(list, "safe") || has_word(list, "limits");
	config->enforce_assoc = config->enforce_limits ||
				has_word(list, "qos") ||
				has_word(list, "associations");
	list = setting(site, "EnforcePartLimits");
	config->enforce_all_parts = has_word(list, "ALL");
	config->enforce_any_part = has_word(list, "ANY");
}

static int read_config(struct site_file *f)
{
	struct slurm_site *site = f->site;
	struct slurm_config *config = &site->config;

	config->preempt_mode = site_preempt_mode(setting(site, "PreemptMode"));
	config->kill_wait_s = 30;
	config->max_array = 1001;
	for (size_t i = 0; i < sizeof(config_fields) / sizeof(config_fields[0]);
	     i++) {
		const struct site_field *field = &config_fields[i];

		if ((slurm_site_setting(site, field->name) ||
		     field->kind != SITE_YES) &&
		    site_set(f, field, config, setting(site, field->name)) < 0)
			return -1;
	}
	config->backfill =
		import_is(setting(site, "SchedulerType"), "sched/backfill");
	config->preempt_qos =
		import_is(setting(site, "PreemptType"), "preempt/qos");
	config->preempt_part = import_is(setting(site, "PreemptType"),
					 "preempt/partition_prio");
	config->epilog = !site_is_none(setting(site, "Epilog")) ||
			 !site_is_none(setting(site, "Epilog[0]"));
	read_select(config, site);
	read_enforce(config, site);
	if (site_instant(f, setting(site, "BOOT_TIME"), &config->boot_s) < 0)
		return -1;
	return read_sched(f, &config->sched) < 0 ? -1 : read_priority(f);
}

static int add_setting(struct site_file *f, size_t *cap, char *line, size_t n)
{
	static const char heading[] = "Configuration data as of ";
	char *equals = memchr(line, '=', n);
	struct slurm_store *store = f->site->store;
	struct site_setting *grown;
	struct import_text name, value;

	if (strncmp(line, heading, sizeof(heading) - 1) == 0)
		return site_instant(
			f,
			(struct import_text){line + sizeof(heading) - 1,
					     n - (sizeof(heading) - 1)},
			&f->site->config.printed_s);
	if (!equals)
		return 0;
	name = import_trimmed(
		(struct import_text){line, (size_t)(equals - line)});
	value = import_trimmed((struct import_text){
		equals + 1, n - (size_t)(equals - line) - 1});
	grown = sim_grown(store->settings, cap, store->nsettings + 1,
			  sizeof(*grown));
	if (!grown)
		return sim_no_memory(f->err);
	store->settings = grown;
	grown += store->nsettings;
	grown->name = site_text(f->site, name);
	grown->value = site_text(f->site, value);
	if (!grown->name || !grown->value)
		return sim_no_memory(f->err);
	store->nsettings++;
	return 0;
}

/* Settings of any release: those that are not needed are kept as texts. */
int site_read_config(struct slurm_site *site, const char *folder,
		     struct libra_error *err)
{
	static const char *const needed[] = {"PriorityType", "SchedulerType",
					     "SelectType", "SLURM_VERSION"};
	struct site_file f;
	size_t n, cap = 0;
	char *line;
	int rc = site_open(&f, site, folder, "config.txt", err);

	if (rc == 0)
		return libra_errf(err, ENOENT,
				  "%s has no config.txt: give a folder that "
				  "site-snapshot wrote",
				  folder);
	while (rc > 0) {
		rc = input_line(&f.in, &line, &n);
		if (rc > 0 && add_setting(&f, &cap, line, n) < 0)
			rc = -1;
	}
	for (size_t i = 0; rc == 0 && i < sizeof(needed) / sizeof(needed[0]);
	     i++)
		if (!slurm_site_setting(site, needed[i]))
			rc = site_fail(&f,
				       "no line of %s = ...: the file was cut "
				       "off, or is not the output of `scontrol "
				       "show config`; run site-snapshot again",
				       needed[i]);
	if (rc == 0)
		rc = read_config(&f);
	site_close(&f);
	return rc;
}
