/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.c - see fuzz.h; with libFuzzer, LIBRA_FUZZ names the target.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

const struct fuzz_target fuzz_targets[] = {
	{"capacity", fuzz_capacity}, {"csv", fuzz_csv},
	{"engine", fuzz_engine},     {"history", fuzz_history},
	{"import", fuzz_import},     {"jobs_in", fuzz_jobs_in},
	{"kept", fuzz_kept},	     {"libra", fuzz_libra},
	{"log", fuzz_log},	     {"model", fuzz_model},
	{"plan", fuzz_plan},	     {"promise", fuzz_promise},
	{"rows", fuzz_rows},	     {"settings", fuzz_settings},
	{"side", fuzz_side},	     {"site", fuzz_site},
	{"spank", fuzz_spank},	     {"sweep", fuzz_sweep},
	{"swf", fuzz_swf},
};
const size_t fuzz_ntargets = sizeof(fuzz_targets) / sizeof(*fuzz_targets);

void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
	abort();
}

const char *fuzz_path(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		FUZZ_CHECK(fd >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	FUZZ_CHECK(ftruncate(fd, 0) == 0);
	FUZZ_CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

FILE *fuzz_open(const uint8_t *data, size_t size)
{
	FILE *fp = fopen(fuzz_path(data, size), "r");

	FUZZ_CHECK(fp);
	return fp;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_CHECK(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

FILE *fuzz_sink(void)
{
	static FILE *fp;

	if (!fp)
		fp = fopen("/dev/null", "w");
	FUZZ_CHECK(fp);
	return fp;
}

#ifdef LIBRA_FUZZER
static const struct fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("LIBRA_FUZZ");

	(void)argc;
	(void)argv;
	for (size_t i = 0; name && i < fuzz_ntargets; i++)
		if (strcmp(fuzz_targets[i].name, name) == 0)
			chosen = &fuzz_targets[i];
	if (!chosen) {
		fprintf(stderr, "fuzz: LIBRA_FUZZ must name a target\n");
		exit(2);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	chosen->run(data, size);
	return 0;
}
#endif
