/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_change.c - one setting of a site, as it might be. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

/* The keys that the model follows; others would change nothing. */
static const char *const qos_keys[] = {"Priority",
				       "UsageFactor",
				       "GraceTime",
				       "PreemptExemptTime",
				       "Preempt",
				       "PreemptMode",
				       "GrpJobs",
				       "GrpTRES",
				       "GrpTRESRunMins",
				       "MaxJobsPU",
				       "MaxJobsPA",
				       "MaxTRES",
				       "MaxTRESPerNode",
				       "MinTRES",
				       "MaxTRESPU",
				       "MaxTRESPA",
				       "MaxTRESRunMinsPU",
				       "MaxTRESRunMinsPA",
				       "MaxWall",
				       "GrpJobsAccrue",
				       "MaxJobsAccruePA",
				       "MaxJobsAccruePU",
				       NULL};
static const char *const partition_keys[] = {"PriorityJobFactor",
					     "PriorityTier",
					     "MaxTime",
					     "DefaultTime",
					     "MinNodes",
					     "MaxNodes",
					     "Nodes",
					     "QoS",
					     "LLN",
					     "OverSubscribe",
					     "State",
					     "TRESBillingWeights",
					     "PreemptMode",
					     "GraceTime",
					     "DefMemPerCPU",
					     "DefMemPerNode",
					     "AllowAccounts",
					     "DenyAccounts",
					     "AllowQos",
					     "DenyQos",
					     NULL};
static const char *const minutes_keys[] = {"PreemptExemptTime", "MaxWall",
					   "MaxTime", "DefaultTime", NULL};

static bool is_one_of(const char *const *keys, struct import_text key)
{
	while (*keys && !import_is(key, *keys))
		keys++;
	return *keys != NULL;
}

/* Write a number of minutes as the readers expect a time.  Result: the value,
 * or buf.
 */
static struct import_text as_time(struct import_text value, char buf[40])
{
	unsigned long n = 0;

	for (size_t i = 0; i < value.n; i++)
		if (!isdigit((unsigned char)value.at[i]) || i > 8)
			return value;
		else
			n = 10 * n + (unsigned long)(value.at[i] - '0');
	snprintf(buf, 40, "%lu-%02lu:%02lu:00", n / 1440, n / 60 % 24, n % 60);
	return (struct import_text){buf, strlen(buf)};
}

/* Split qos.NAME.KEY behind its first word; a name may have dots.
 * Result: false: it has no second dot.
 */
static bool split_key(struct import_text key, char name[128],
		      struct import_text *last)
{
	const char *dot = NULL;

	for (size_t i = 0; i < key.n; i++)
		if (key.at[i] == '.')
			dot = key.at + i;
	if (!dot || dot == key.at || dot - key.at > 127)
		return false;
	snprintf(name, 128, "%.*s", (int)(dot - key.at), key.at);
	*last = (struct import_text){dot + 1,
				     key.n - (size_t)(dot + 1 - key.at)};
	return true;
}

static int change_qos(struct site_file *f, struct import_text key,
		      struct import_text value)
{
	struct slurm_site *site = f->site;
	struct import_text last;
	char name[128], buf[40];
	uint32_t qos;

	if (!split_key(key, name, &last) || !is_one_of(qos_keys, last))
		return 0;
	qos = slurm_site_find_qos(site, name);
	if (qos == SLURM_NONE)
		return libra_errf(f->err, EINVAL,
				  "the site has no QOS '%s': take one of its "
				  "qos.txt",
				  name);
	if ((strncasecmp(last.at, "Max", 3) == 0 ||
	     strncasecmp(last.at, "Grp", 3) == 0 ||
	     strncasecmp(last.at, "Min", 3) == 0) &&
	    !site->config.enforce_limits)
		return libra_errf(f->err, EINVAL,
				  "the site enforces no limits of QOS "
				  "(AccountingStorageEnforce), so %s would "
				  "change nothing",
				  name);
	if (is_one_of(minutes_keys, last))
		value = as_time(value, buf);
	return site_change_qos(f, &site->qos[qos], last, value);
}

static int change_partition(struct site_file *f, struct import_text key,
			    struct import_text value)
{
	struct import_text last;
	char name[128], buf[40];
	uint32_t part;

	if (!split_key(key, name, &last) || !is_one_of(partition_keys, last))
		return 0;
	part = slurm_site_find_partition(f->site, name);
	if (part == SLURM_NONE)
		return libra_errf(f->err, EINVAL,
				  "the site has no partition '%s': take one of "
				  "its partitions.txt",
				  name);
	if (is_one_of(minutes_keys, last))
		value = as_time(value, buf);
	return site_change_partition(f, &f->site->partitions[part], last,
				     value);
}

/* ---- the jobs of the log ---- */

/* Let jobs arrive so many times as fast. */
static int change_load(struct slurm_site *site, struct import_text value)
{
	char text[40], *end;
	int64_t first_s = slurm_site_first_s(site);
	double load;

	snprintf(text, sizeof(text), "%.*s", (int)(value.n < 39 ? value.n : 39),
		 value.at);
	load = strtod(text, &end);
	if (end == text || *end || !(load >= 0.01 && load <= 100))
		return 0;
	for (size_t i = 0; i < site->njobs; i++) {
		struct slurm_job *job = &site->jobs[i];
		int64_t earlier = (int64_t)((double)(job->submit_s - first_s) *
					    (1 - 1 / load));

		if (job->submit_s == 0)
			continue;
		job->submit_s -= earlier;
		if (job->eligible_s)
			job->eligible_s -= earlier;
		if (job->start_s)
			job->start_s -= earlier;
		if (job->end_s)
			job->end_s -= earlier;
	}
	return 1;
}

/* Give jobs limits of their run times, in minutes, or of at most a time, at
 * which longer jobs end.
 */
static int change_limits(struct slurm_site *site, struct import_text value)
{
	bool exact = import_is(value, "exact");
	double most_s = 0;

	if (!exact && (import_limit(value, 60, &most_s) != IMPORT_OK ||
		       most_s < 1 || most_s >= SLURM_LIMIT_OF_PARTITION))
		return 0;
	for (size_t i = 0; i < site->njobs; i++) {
		struct slurm_job *job = &site->jobs[i];

		if (exact && job->start_s > 0 && job->state != IMPORT_TIMEOUT) {
			job->limit_s = (job->elapsed_s / 60 + 1) * 60;
		} else if (!exact && job->limit_s > most_s) {
			job->limit_s = (uint32_t)most_s;
			if (job->elapsed_s > most_s) {
				job->elapsed_s = (uint32_t)most_s;
				job->state = IMPORT_TIMEOUT;
			}
		}
	}
	return 1;
}

/* Have a share of the jobs ask for deadlines: 30% or 30%:within=4. */
static int change_promises(struct slurm_site *site, struct import_text value)
{
	static const char key[] = ":within=";
	char text[40], *end;
	double pct, within = 4;

	if (value.n >= sizeof(text))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)value.n, value.at);
	pct = strtod(text, &end);
	if (end == text || *end != '%' || !(pct >= 0 && pct <= 100))
		return 0;
	if (*++end) {
		if (strncmp(end, key, strlen(key)) != 0)
			return 0;
		within = strtod(end + strlen(key), &end);
		if (*end || !(within > 1 && within <= 1000))
			return 0;
	}
	site->promises = (struct slurm_promises){pct / 100, within};
	return 1;
}

/* ---- any change ---- */

/* Count what was not understood: names of QOS, TRES or nodes. */
static uint64_t count_unknown(const struct slurm_site *site)
{
	uint64_t n = 0;

	for (size_t i = 0; i < site->nunknown; i++)
		n += site->unknown[i].n;
	return n;
}

static int change(struct site_file *f, struct import_text key,
		  struct import_text value)
{
	if (key.n > 4 && strncasecmp(key.at, "qos.", 4) == 0)
		return change_qos(
			f, (struct import_text){key.at + 4, key.n - 4}, value);
	if (key.n > 10 && strncasecmp(key.at, "partition.", 10) == 0)
		return change_partition(
			f, (struct import_text){key.at + 10, key.n - 10},
			value);
	if (import_is(key, "nodes"))
		return site_change_nodes(f, value);
	if (import_is(key, "load"))
		return change_load(f->site, value);
	if (import_is(key, "limits"))
		return change_limits(f->site, value);
	if (import_is(key, "promises"))
		return change_promises(f->site, value);
	return site_change_config(f, key, value);
}

int slurm_site_change(struct slurm_site *site, const char *text,
		      struct libra_error *err)
{
	struct libra_error why = {""};
	struct site_file f = {.site = site, .err = &why, .file = "change"};
	const char *equals = strchr(text, '=');
	uint64_t unknown = count_unknown(site);
	int rc = 0;

	errno = 0;
	if (equals && equals[1])
		rc = change(
			&f, (struct import_text){text, (size_t)(equals - text)},
			(struct import_text){equals + 1, strlen(equals + 1)});
	if (rc > 0 && count_unknown(site) == unknown)
		return 0;
	if (rc < 0 && errno == ENOMEM)
		return sim_no_memory(err);
	if (rc < 0)
		return libra_errf(err, EINVAL, "'%.80s': %s", text, why.text);
	return libra_errf(
		err, EINVAL,
		"'%.80s' is no change of a site that the model follows: "
		"weight.NAME=N, half_life=TIME, qos.NAME.LIMIT=N, "
		"partition.NAME.KEY=VALUE, a word of SchedulerParameters=N, "
		"nodes=+N[:like=NODE], preempt=TYPE[:MODE], priorities=log, "
		"load=N, limits=exact or a time, promises=X%%[:within=F] (X of 0 to "
		"100, F above 1, at most 1000) (librasim-slurm(7), CHANGES)",
		text);
}
