/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - fuzz DIR: run every target on the files of DIR/TARGET, and on
 * pieces of each: all its beginnings, or 64 of them, and with one byte changed.
 *
 * fuzz engine POLICY|all SEQUENCES [SEED]: random calls of the engine, so many
 * sequences of 20 to 60 calls, the first by SEED, the next by SEED + 1.
 *
 * Speaks TAP: a case a target, or a policy.  What goes wrong ends the program.
 */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/random.h"

#ifndef LIBRA_FUZZER
enum { LARGEST = 1 << 20, PIECES = 64 };

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *fp = fopen(path, "rb");
	uint8_t *data = malloc(LARGEST);

	FUZZ_CHECK(data);
	FUZZ_CHECK(fp);
	*size = fread(data, 1, LARGEST, fp);
	fclose(fp);
	return data;
}

/* A copy of its own length, so that a checker sees what is read behind it. */
static void run(const struct fuzz_target *t, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	FUZZ_CHECK(copy);
	memcpy(copy, data, size);
	t->run(copy, size);
	free(copy);
}

static void run_pieces(const struct fuzz_target *t, uint8_t *data, size_t size)
{
	static const uint8_t odd[] = {0, '\n', '9', '-', 0xff, '"', '{', '/'};
	size_t step = size / PIECES + 1;
	uint8_t was;

	run(t, data, size);
	for (size_t n = 0; n < size; n += step)
		run(t, data, n);
	for (size_t i = 0; i < size; i += step) {
		was = data[i];
		data[i] = odd[(i / step) % sizeof(odd)];
		run(t, data, size);
		data[i] = was;
	}
}

static size_t run_folder(const struct fuzz_target *t, const char *top)
{
	char path[4096];
	struct dirent *e;
	uint8_t *data;
	size_t size, n = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", top, t->name);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/%s", top, t->name,
			 e->d_name);
		data = read_file(path, &size);
		run_pieces(t, data, size);
		free(data);
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

static int run_corpora(const char *top)
{
	size_t n, bad = 0;

	printf("1..%zu\n", fuzz_ntargets);
	for (size_t i = 0; i < fuzz_ntargets; i++) {
		fflush(stdout);
		n = run_folder(&fuzz_targets[i], top);
		bad += n == 0;
		printf("%sok %zu - %s reads %zu files and their pieces\n",
		       n ? "" : "not ", i + 1, fuzz_targets[i].name, n);
	}
	return bad > 0;
}

/* ---- random calls of the engine ---- */

enum { SHORTEST = 60, LONGEST = 420 }; /* bytes of a sequence */

/* What runs, for who looks at a program that has ended. */
static const char *running;
static uint64_t running_seed;

static void say_which(void)
{
	fprintf(stderr, "\nagain by: fuzz engine %s 1 %" PRIu64 "\n", running,
		running_seed);
}

static void say_aborted(int number)
{
	say_which();
	signal(number, SIG_DFL);
	raise(number);
}

/* Of the sanitizers, where the program has them. */
void __sanitizer_set_death_callback(void (*callback)(void))
	__attribute__((weak));

static void run_random(uint8_t policy, uint64_t seed)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15 + 1;
	size_t size = SHORTEST + random_below(&random, LONGEST - SHORTEST);
	uint8_t *data = malloc(size);
	const char *save = getenv("LIBRA_FUZZ_SAVE");
	FILE *fp;

	FUZZ_CHECK(data);
	running_seed = seed;
	data[0] = policy;
	for (size_t i = 1; i < size; i++)
		data[i] = (uint8_t)random_below(&random, 256);
	if (save) {
		fp = fopen(save, "wb");
		FUZZ_CHECK(fp && fwrite(data, 1, size, fp) == size);
		fclose(fp);
	}
	fuzz_engine(data, size);
	free(data);
}

static int run_engine(const char *policy, uint64_t n, uint64_t seed)
{
	bool all = strcmp(policy, "all") == 0;
	int ncases = 0;

	signal(SIGABRT, say_aborted);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(say_which);
	for (uint8_t i = 0; fuzz_engine_policies[i]; i++) {
		running = fuzz_engine_policies[i];
		if (!all && strcmp(running, policy) != 0)
			continue;
		for (uint64_t k = 0; k < n; k++)
			run_random(i, seed + k);
		printf("ok %d - %s: %" PRIu64 " sequences of calls\n", ++ncases,
		       running, n);
		fflush(stdout);
	}
	printf("1..%d\n", ncases);
	return ncases == 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run_corpora(argv[1]);
	if ((argc == 4 || argc == 5) && strcmp(argv[1], "engine") == 0)
		return run_engine(argv[2], strtoull(argv[3], NULL, 10),
				  argc == 5 ? strtoull(argv[4], NULL, 10) : 1);
	fprintf(stderr, "Usage: fuzz DIR\n"
			"       fuzz engine POLICY|all SEQUENCES [SEED]\n");
	return 2;
}
#endif
