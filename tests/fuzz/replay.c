/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.c - fuzz DIR: run every target on the files of DIR/TARGET, and on
 * pieces of each: all its beginnings, or 64 of them, and with one byte changed.
 *
 * Speaks TAP: a case a target.  What goes wrong ends the program.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

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

int main(int argc, char **argv)
{
	size_t n, bad = 0;

	if (argc != 2) {
		fprintf(stderr, "Usage: fuzz DIR\n");
		return 2;
	}
	printf("1..%zu\n", fuzz_ntargets);
	for (size_t i = 0; i < fuzz_ntargets; i++) {
		fflush(stdout);
		n = run_folder(&fuzz_targets[i], argv[1]);
		bad += n == 0;
		printf("%sok %zu - %s reads %zu files and their pieces\n",
		       n ? "" : "not ", i + 1, fuzz_targets[i].name, n);
	}
	return bad > 0;
}
#endif
