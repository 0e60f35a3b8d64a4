/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_line.c - what a job asked for, as sacct's SubmitLine has it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/slurm/submit_line.h"

enum option {
	IGNORED,    /* changes when a job starts, and is not modelled */
	UNPROMISED, /* also bars a promise (plugin/job_submit/request.c) */
	OTHER,	    /* does not */
	NTASKS,
	NODES,
	CPUS,
	PER_NODE,
	EXCLUSIVE,
	MEM,
	MEM_CPU,
	GRES,
	GPUS,
	GPUS_NODE,
	GPUS_TASK,
	MINCPUS, /* also bars a promise */
	ARRAY,
	DEPENDENCY,
	BEGIN,
	HOLD,
	CONSTRAINT,
	CONTIGUOUS,
	NODELIST,
	EXCLUDE,
	TIME_MIN,
	NAME,
	NICE,
	PARTITION,
	WRAP,
};

enum { NO_VALUE, VALUE, PERHAPS }; /* PERHAPS: only as --name=value */

static const struct {
	const char *name;
	char letter;
	unsigned char value, option;
} options[] = {
	{"ntasks", 'n', VALUE, NTASKS},
	{"nodes", 'N', VALUE, NODES},
	{"cpus-per-task", 'c', VALUE, CPUS},
	{"ntasks-per-node", 0, VALUE, PER_NODE},
	{"tasks-per-node", 0, VALUE, PER_NODE},
	{"exclusive", 0, PERHAPS, EXCLUSIVE},
	{"mem", 0, VALUE, MEM},
	{"mem-per-cpu", 0, VALUE, MEM_CPU},
	{"gres", 0, VALUE, GRES},
	{"gpus-per-node", 0, VALUE, GPUS_NODE},
	{"array", 'a', VALUE, ARRAY},
	{"dependency", 'd', VALUE, DEPENDENCY},
	{"begin", 'b', VALUE, BEGIN},
	{"hold", 'H', NO_VALUE, HOLD},
	{"constraint", 'C', VALUE, CONSTRAINT},
	{"contiguous", 0, NO_VALUE, CONTIGUOUS},
	{"nodelist", 'w', VALUE, NODELIST},
	{"exclude", 'x', VALUE, EXCLUDE},
	{"time-min", 0, VALUE, TIME_MIN},
	{"job-name", 'J', VALUE, NAME},
	{"batch", 0, VALUE, IGNORED},
	{"burst-buffer", 0, VALUE, IGNORED},
	{"bb", 0, VALUE, IGNORED},
	{"cores-per-socket", 0, VALUE, UNPROMISED},
	{"core-spec", 'S', VALUE, UNPROMISED},
	{"cpus-per-gpu", 0, VALUE, IGNORED},
	{"deadline", 0, VALUE, IGNORED},
	{"distribution", 'm', VALUE, IGNORED},
	{"extra-node-info", 'B', VALUE, UNPROMISED},
	{"gpus", 'G', VALUE, GPUS},
	{"gpus-per-socket", 0, VALUE, UNPROMISED},
	{"gpus-per-task", 0, VALUE, GPUS_TASK},
	{"gres-flags", 0, VALUE, IGNORED},
	{"licenses", 'L', VALUE, IGNORED},
	{"mem-per-gpu", 0, VALUE, IGNORED},
	{"mincpus", 0, VALUE, MINCPUS},
	{"nodefile", 'F', VALUE, IGNORED},
	{"ntasks-per-core", 0, VALUE, IGNORED},
	{"ntasks-per-gpu", 0, VALUE, IGNORED},
	{"ntasks-per-socket", 0, VALUE, UNPROMISED},
	{"overcommit", 'O', NO_VALUE, IGNORED},
	{"oversubscribe", 's', NO_VALUE, IGNORED},
	{"prefer", 0, VALUE, UNPROMISED},
	{"reservation", 0, VALUE, UNPROMISED},
	{"sockets-per-node", 0, VALUE, UNPROMISED},
	{"spread-job", 0, NO_VALUE, UNPROMISED},
	{"switches", 0, VALUE, UNPROMISED},
	{"thread-spec", 0, VALUE, UNPROMISED},
	{"threads-per-core", 0, VALUE, IGNORED},
	{"tmp", 0, VALUE, IGNORED},
	{"use-min-nodes", 0, NO_VALUE, IGNORED},
	{"het-group", 0, VALUE, UNPROMISED},
	{"account", 'A', VALUE, OTHER},
	{"chdir", 'D', VALUE, OTHER},
	{"comment", 0, VALUE, OTHER},
	{"error", 'e', VALUE, OTHER},
	{"export", 0, VALUE, OTHER},
	{"input", 'i', VALUE, OTHER},
	{"mail-type", 0, VALUE, OTHER},
	{"mail-user", 0, VALUE, OTHER},
	{"nice", 0, PERHAPS, NICE},
	{"no-kill", 'k', NO_VALUE, OTHER},
	{"no-requeue", 0, NO_VALUE, OTHER},
	{"open-mode", 0, VALUE, OTHER},
	{"output", 'o', VALUE, OTHER},
	{"parsable", 0, NO_VALUE, OTHER},
	{"partition", 'p', VALUE, PARTITION},
	{"qos", 'q', VALUE, OTHER},
	{"quiet", 'Q', NO_VALUE, OTHER},
	{"requeue", 0, NO_VALUE, OTHER},
	{"signal", 0, VALUE, OTHER},
	{"test-only", 0, NO_VALUE, OTHER},
	{"time", 't', VALUE, OTHER},
	{"verbose", 'v', NO_VALUE, OTHER},
	{"wait", 'W', NO_VALUE, OTHER},
	{"wckey", 0, VALUE, OTHER},
	{"wrap", 0, VALUE, WRAP},
	{"pty", 0, NO_VALUE, OTHER},
};

enum { NOPTIONS = sizeof(options) / sizeof(options[0]) };

/* Return the number of an option, or NOPTIONS. */
static size_t find_long(const char *name, size_t n)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (strlen(options[i].name) == n &&
		    memcmp(options[i].name, name, n) == 0)
			return i;
	return NOPTIONS;
}

static size_t find_short(char letter)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (options[i].letter == letter)
			return i;
	return NOPTIONS;
}

static void put_text(char *to, const char *text)
{
	size_t n = strnlen(text, SCHED_LINE_TEXT - 1);

	memcpy(to, text, n);
	to[n] = '\0';
}

static uint64_t megabytes(const char *text)
{
	char *end;
	double n = strtod(text, &end);

	switch (toupper((unsigned char)*end)) {
	case 'K':
		n /= 1024;
		break;
	case 'G':
		n *= 1024;
		break;
	case 'T':
		n *= 1024. * 1024;
		break;
	}
	return n > 0 && n < 1e15 ? (uint64_t)(n + 0.999999) : 0;
}

static void read_nodes(struct sched_line *line, const char *text)
{
	char *end;

	line->min_nodes = (uint32_t)strtoul(text, &end, 10);
	line->max_nodes = line->min_nodes;
	if (*end == '-')
		line->max_nodes = (uint32_t)strtoul(end + 1, NULL, 10);
	line->nodes_said = line->min_nodes > 0;
	line->sized = line->sized || line->nodes_said;
}

/* Return the count of "gpu", "gpu:2", "gpu:type:2", or "2"; 0: no gpu. */
static uint32_t gpus(const char *text, bool bare)
{
	const char *last = strrchr(text, ':');

	if (!bare && strncasecmp(text, "gpu", 3) != 0 &&
	    strncasecmp(text, "gres/gpu", 8) != 0)
		return 0;
	if (last && isdigit((unsigned char)last[1]))
		return (uint32_t)strtoul(last + 1, NULL, 10);
	if (isdigit((unsigned char)*text))
		return (uint32_t)strtoul(text, NULL, 10);
	return 1;
}

/* Return seconds of minutes, minutes:seconds, h:m:s, or days-h[:m[:s]]. */
static int64_t seconds(const char *text)
{
	const char *dash = strchr(text, '-');
	int64_t days = 0, part[3] = {0, 0, 0};
	size_t n = 0;

	if (dash) {
		days = strtoll(text, NULL, 10);
		text = dash + 1;
	}
	while (n < 3) {
		char *end;

		part[n++] = strtoll(text, &end, 10);
		if (*end != ':')
			break;
		text = end + 1;
	}
	if (dash || n == 3)
		return ((days * 24 + part[0]) * 60 + part[1]) * 60 + part[2];
	return part[0] * 60 + part[1];
}

static void read_begin(struct sched_line *line, const char *text)
{
	int64_t n;
	char *unit;

	line->begin_said = true;
	if (strncasecmp(text, "now+", 4) != 0)
		return;
	n = strtoll(text + 4, &unit, 10);
	if (strncasecmp(unit, "min", 3) == 0)
		n *= 60;
	else if (strncasecmp(unit, "hour", 4) == 0)
		n *= 3600;
	else if (strncasecmp(unit, "day", 3) == 0)
		n *= 24 * 3600;
	else if (strncasecmp(unit, "week", 4) == 0)
		n *= 7 * 24 * 3600;
	line->begin_after_s = n;
}

static void add_deps(struct sched_line *line, enum sched_depend kind,
		     const char *text, const char *end)
{
	while (text && text < end && line->ndeps < SCHED_LINE_DEPS) {
		line->deps[line->ndeps].kind = kind;
		line->deps[line->ndeps++].id =
			(uint32_t)strtoul(text + 1, NULL, 10);
		text = memchr(text + 1, ':', (size_t)(end - text - 1));
	}
}

static void read_deps(struct sched_line *line, const char *text)
{
	static const struct {
		const char *name;
		enum sched_depend kind;
	} kinds[] = {
		{"afterok", SCHED_AFTEROK},
		{"afterany", SCHED_AFTERANY},
		{"afternotok", SCHED_AFTERNOTOK},
		{"aftercorr", SCHED_AFTERCORR},
		{"after", SCHED_AFTER},
	};

	line->deps_any = strchr(text, '?') != NULL;
	while (*text) {
		const char *end = text + strcspn(text, ",?");

		if (strncmp(text, "singleton", 9) == 0 &&
		    line->ndeps < SCHED_LINE_DEPS) {
			line->deps[line->ndeps].kind = SCHED_SINGLETON;
			line->deps[line->ndeps++].id = 0;
		}
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			size_t n = strlen(kinds[i].name);

			if (strncmp(text, kinds[i].name, n) == 0 &&
			    text[n] == ':')
				add_deps(line, kinds[i].kind, text + n, end);
		}
		text = *end ? end + 1 : end;
	}
}

static void use_number(struct sched_line *line, enum option option,
		       const char *value)
{
	uint32_t n = (uint32_t)strtoul(value, NULL, 10);

	line->sized = line->sized || n > 0;
	if (option == NTASKS)
		line->ntasks = n;
	else if (option == CPUS)
		line->cpus_per_task = n;
	else
		line->tasks_per_node = n;
}

/* Name a job that no option names by its script or program. */
static void name_after(struct sched_line *line, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!line->name[0])
		put_text(line->name, slash ? slash + 1 : path);
}

/* Note an option that bars a promise. */
static void bar(struct sched_line *line, const char *name)
{
	if (!line->unpromised)
		line->unpromised = name;
}

/* Use an option about the size of the job. */
static void use_size(struct sched_line *line, enum option option,
		     const char *value)
{
	switch (option) {
	case NTASKS:
	case CPUS:
	case PER_NODE:
		use_number(line, option, value);
		break;
	case NODES:
		read_nodes(line, value);
		break;
	case MINCPUS:
		line->mincpus = (uint32_t)strtoul(value, NULL, 10);
		bar(line, "mincpus");
		break;
	case MEM:
	case MEM_CPU:
		line->mem_mb = megabytes(value);
		line->mem_said = true;
		line->mem_per_cpu = option == MEM_CPU;
		break;
	case GRES:
	case GPUS_NODE:
		line->gpus.node = gpus(value, option == GPUS_NODE);
		break;
	case GPUS:
		line->gpus.job = gpus(value, true);
		break;
	case GPUS_TASK:
		line->gpus.task = gpus(value, true);
		break;
	default:
		break;
	}
}

static void use(struct sched_line *line, enum option option, const char *value)
{
	switch (option) {
	case EXCLUSIVE:
		line->exclusive = *value == '\0';
		if (!line->exclusive)
			bar(line, "exclusive=user");
		break;
	case ARRAY:
		value = strchr(value, '%');
		line->throttle =
			value ? (uint32_t)strtoul(value + 1, NULL, 10) : 0;
		break;
	case DEPENDENCY:
		read_deps(line, value);
		break;
	case BEGIN:
		read_begin(line, value);
		break;
	case HOLD:
		line->hold = true;
		break;
	case CONSTRAINT:
		put_text(line->features, value);
		break;
	case CONTIGUOUS:
		line->contiguous = true;
		bar(line, "contiguous");
		break;
	case NODELIST:
		put_text(line->required, value);
		break;
	case EXCLUDE:
		put_text(line->excluded, value);
		break;
	case TIME_MIN:
		line->time_min_s = seconds(value);
		break;
	case NAME:
		put_text(line->name, value);
		break;
	case NICE: /* 100 without a number */
		line->nice = *value ? (int32_t)strtol(value, NULL, 10) : 100;
		break;
	case PARTITION:
		put_text(line->partitions, value);
		break;
	case WRAP:
		name_after(line, "wrap");
		break;
	default:
		use_size(line, option, value);
	}
}

/* Copy the next word.  Return what is behind it, or NULL at the end. */
static const char *word_of(const char *text, char *word, size_t size)
{
	size_t n;

	text += strspn(text, " ");
	n = strcspn(text, " ");
	if (n == 0)
		return NULL;
	snprintf(word, size, "%.*s", (int)(n < size ? n : size - 1), text);
	return text + n;
}

/* Read one option; word begins with '-'.  Return what is behind it. */
static const char *read_option(struct sched_line *line, const char *text,
			       char *word, size_t size, size_t *number)
{
	bool is_long = word[1] == '-';
	char *equals = is_long ? strchr(word, '=') : NULL;
	char *value = "";

	*number = is_long ? find_long(word + 2,
				      equals ? (size_t)(equals - word - 2)
					     : strlen(word + 2))
			  : find_short(word[1]);
	if (*number == NOPTIONS)
		return text;
	if (equals) {
		value = equals + 1;
	} else if (options[*number].value == VALUE) {
		if (!is_long && word[2]) {
			value = word + 2;
		} else {
			text = word_of(text, word, size);
			value = text ? word : "";
		}
	}
	use(line, options[*number].option, value);
	return text;
}

void sched_line_read(struct sched_line *line, const char *text,
		     void (*ignored)(void *arg, const char *option), void *arg)
{
	char word[1024];

	memset(line, 0, sizeof(*line));
	text = text ? word_of(text, word, sizeof(word)) : NULL;
	if (!text)
		return;
	line->interactive = strstr(word, "srun") || strstr(word, "salloc");
	while ((text = word_of(text, word, sizeof(word))) != NULL) {
		enum option option;
		size_t number;

		if (word[0] != '-' || word[1] == '\0') {
			name_after(line, word);
			return;
		}
		text = read_option(line, text, word, sizeof(word), &number);
		option = number < NOPTIONS ? options[number].option : OTHER;
		if (option == IGNORED || option == UNPROMISED)
			ignored(arg, options[number].name);
		if (option == UNPROMISED)
			bar(line, options[number].name);
		if (!text)
			return;
	}
}
