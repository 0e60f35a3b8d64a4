/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.h - replace names by keyed hashes.
 *
 * HMAC-SHA256 (RFC 2104): the same name has the same hash under the same key.
 * Without the key nobody can recover a name, not even by trying many.  Nothing
 * is allocated; the caller owns the key.
 */
#ifndef SIM_IMPORT_KEY_H
#define SIM_IMPORT_KEY_H

#include <stddef.h>

#include "core/error.h"

enum { IMPORT_KEY_MAX = 4096, IMPORT_KEY_MIN = 16, IMPORT_HASHED = 14 };

struct import_key {
	unsigned char byte[IMPORT_KEY_MAX];
	size_t n; /* 0 = no key */
};

/* Read a key: the bytes of a file without a newline at its end.
 * Result: 0, or -1 with errno of the system, or EINVAL: shorter than 16 bytes
 *         or longer than 4096.
 */
int import_key_read(struct import_key *key, const char *path,
		    struct libra_error *err);

/* Write the hash of a name as text: h, 12 hexadecimal digits and NUL. */
void import_key_hash(const struct import_key *key, const char *text,
		     char out[IMPORT_HASHED]);

/* Write the HMAC-SHA256 of n bytes. */
void import_hmac(const struct import_key *key, const void *data, size_t n,
		 unsigned char out[32]);

#endif
