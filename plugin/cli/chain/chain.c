/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.c - the file of a chain, and the rule of its deadlines.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include <slurm/slurm.h>

#include "plugin/base/units.h"
#include "plugin/cli/chain/chain.h"

/* Slurm's library exports it, and no public header declares it. */
extern int slurm_time_str2mins(const char *text);

static struct chain_link *add_link(struct chain *chain)
{
	struct chain_link *links =
		reallocarray(chain->links, chain->n + 1, sizeof(*links));

	if (!links)
		cli_no_memory();
	chain->links = links;
	links += chain->n++;
	*links = (struct chain_link){.limit_s = NAN, .deadline_s = NAN};
	return links;
}

static char *copy_of(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		cli_no_memory();
	return copy;
}

void chain_add_job(struct chain *chain, const char *job)
{
	add_link(chain)->job = copy_of(job);
}

void chain_fini(struct chain *chain)
{
	for (size_t i = 0; i < chain->n; i++) {
		struct chain_link *link = &chain->links[i];

		for (char **word = link->words; word && *word; word++)
			free(*word);
		free(link->words);
		free(link->job);
	}
	free(chain->links);
}

/* Return the value of an option in the words up to the script, or NULL: -tV,
 * -t V, --time=V or --time V.
 */
static const char *option(char *const *words, const char *shorter,
			  const char *longer)
{
	size_t n = strlen(longer);

	for (; *words; words++) {
		const char *word = *words;

		if (strncmp(word, longer, n) == 0 && word[n] == '=')
			return word + n + 1;
		if (strcmp(word, longer) == 0 || strcmp(word, shorter) == 0)
			return words[1] ? words[1] : "";
		if (strncmp(word, shorter, 2) == 0 && word[1] != '-')
			return word + 2;
		/* The script, unless it is the value of an option before. */
		if (word[0] != '-')
			return NULL;
		if (words[1] && words[1][0] != '-' && !strchr(word, '=') &&
		    (word[1] == '-' || !word[2]))
			words++;
	}
	return NULL;
}

/* Take the words of a line, but for the name of the program. */
static void set_words(struct chain_link *link, const wordexp_t *words)
{
	size_t from = words->we_wordc > 0 &&
		      strcmp(words->we_wordv[0], "sbatch") == 0;

	link->words = calloc(words->we_wordc + 1, sizeof(*link->words));
	if (!link->words)
		cli_no_memory();
	for (size_t i = from; i < words->we_wordc; i++)
		link->words[i - from] = copy_of(words->we_wordv[i]);
}

static int check_link(struct chain_link *link, const char *name,
		      struct libra_error *err)
{
	const char *limit = option(link->words, "-t", "--time");
	int minutes = limit ? slurm_time_str2mins(limit) : 0;

	if (option(link->words, "-d", "--dependency") ||
	    option(link->words, "--deadline", "--deadline"))
		return libra_errf(err, EINVAL,
				  "%s:%u: --deadline and --dependency are what "
				  "libra chain gives to each line: leave them "
				  "out",
				  name, link->line);
	if (option(link->words, "-W", "--wait"))
		return libra_errf(err, EINVAL,
				  "%s:%u: --wait: sbatch would not return "
				  "before the link ends: leave it out",
				  name, link->line);
	if (option(link->words, "-a", "--array"))
		return libra_errf(err, EINVAL,
				  "%s:%u: an array cannot be a link", name,
				  link->line);
	if (!limit)
		return libra_errf(err, EINVAL,
				  "%s:%u: give --time before the script: the "
				  "deadlines follow from it",
				  name, link->line);
	if (minutes <= 0 || minutes == (int)INFINITE)
		return libra_errf(err, EINVAL,
				  "%s:%u: --time takes a time such as 30 "
				  "(minutes), 02:00:00 or 1-12, not '%s'",
				  name, link->line, limit);
	link->limit_s = libra_host_minutes_s((uint32_t)minutes);
	return 0;
}

static int read_line(struct chain *chain, const char *text, unsigned number,
		     const char *name, struct libra_error *err)
{
	struct chain_link *link;
	wordexp_t words;
	int rc;

	text += strspn(text, " \t");
	if (!*text || *text == '#')
		return 0;
	rc = wordexp(text, &words, WRDE_NOCMD | WRDE_SHOWERR);
	if (rc == WRDE_NOSPACE)
		cli_no_memory();
	if (rc != 0)
		return libra_errf(err, EINVAL,
				  "%s:%u: quotes do not match, or |&;<>(){} or "
				  "a command stand outside of quotes",
				  name, number);
	link = add_link(chain);
	link->line = number;
	set_words(link, &words);
	wordfree(&words);
	return check_link(link, name, err);
}

int chain_read(struct chain *chain, FILE *from, const char *name,
	       struct libra_error *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	unsigned number = 0;
	int rc = 0;

	errno = 0;
	while (rc == 0 && (n = getline(&line, &cap, from)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		rc = read_line(chain, line, ++number, name, err);
		errno = rc == 0 ? 0 : errno;
	}
	if (errno == ENOMEM)
		cli_no_memory();
	free(line);
	if (rc == 0 && ferror(from))
		return libra_errf(err, EIO, "%s: %s", name,
				  strerror(errno ? errno : EIO));
	if (rc == 0 && chain->n == 0)
		return libra_errf(err, EINVAL, "%s: there is no line", name);
	return rc;
}

double chain_split(struct chain *chain)
{
	double deadline_s = chain->deadline_s, all_s = 0;

	for (size_t i = chain->n; i-- > 0;) {
		chain->links[i].deadline_s = deadline_s;
		deadline_s -= chain->links[i].limit_s;
		all_s += chain->links[i].limit_s;
	}
	return all_s;
}
