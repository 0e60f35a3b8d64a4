/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - one entry for each parser of bytes that come from outside, and one
 * for the calls of a host.
 *
 * An entry takes any bytes and returns; what it proves is that nothing else
 * happens, and, where the project also writes the format, that what was read
 * is written and read back alike.  The engine's takes them as a sequence of
 * calls.
 */
#ifndef LIBRA_FUZZ_H
#define LIBRA_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fuzz_target {
	const char *name; /* of its corpus, too */
	void (*run)(const uint8_t *data, size_t size);
};

extern const struct fuzz_target fuzz_targets[];
extern const size_t fuzz_ntargets;

/* End the program, with a place, if something is not so. */
#define FUZZ_CHECK(is)                                                         \
	do {                                                                   \
		if (!(is))                                                     \
			fuzz_fail(__FILE__, __LINE__, #is);                    \
	} while (0)
void fuzz_fail(const char *file, int line, const char *what)
	__attribute__((noreturn));

/* The bytes as a file: its path, good until the next call. */
const char *fuzz_path(const uint8_t *data, size_t size);

/* The same to read from; the caller closes it.  Never NULL. */
FILE *fuzz_open(const uint8_t *data, size_t size);

/* The same as a text, with a NUL behind it; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Where what nobody reads is written. */
FILE *fuzz_sink(void);

void fuzz_capacity(const uint8_t *data, size_t size);
void fuzz_csv(const uint8_t *data, size_t size);
void fuzz_engine(const uint8_t *data, size_t size);
void fuzz_history(const uint8_t *data, size_t size);
void fuzz_import(const uint8_t *data, size_t size);
void fuzz_jobs_in(const uint8_t *data, size_t size);
void fuzz_kept(const uint8_t *data, size_t size);
void fuzz_libra(const uint8_t *data, size_t size);
void fuzz_log(const uint8_t *data, size_t size);
void fuzz_model(const uint8_t *data, size_t size);
void fuzz_plan(const uint8_t *data, size_t size);
void fuzz_promise(const uint8_t *data, size_t size);
void fuzz_rows(const uint8_t *data, size_t size);
void fuzz_settings(const uint8_t *data, size_t size);
void fuzz_side(const uint8_t *data, size_t size);
void fuzz_site(const uint8_t *data, size_t size);
void fuzz_spank(const uint8_t *data, size_t size);
void fuzz_sweep(const uint8_t *data, size_t size);
void fuzz_swf(const uint8_t *data, size_t size);

/* Names of the policies that the engine's sequences are for: the first byte
 * chooses one by its place.  NULL ends the list.
 */
extern const char *const fuzz_engine_policies[];

#endif
