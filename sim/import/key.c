/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.c - HMAC over libmd's SHA-256.
 *
 * A key longer than a block of SHA-256 is hashed first, as RFC 2104 requires.
 * A name keeps the first 48 bits of its hash.
 */
#include "sim/import/key.h"

#include <errno.h>
#include <sha2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int import_key_read(struct import_key *key, const char *path,
		    struct libra_error *err)
{
	FILE *fp = fopen(path, "rb");
	bool longer, failed;

	if (!fp)
		return libra_errf(err, errno, "%s: cannot open the key: %s",
				  path, strerror(errno));
	key->n = fread(key->byte, 1, sizeof(key->byte), fp);
	longer = key->n == sizeof(key->byte) && getc(fp) != EOF;
	failed = ferror(fp) != 0;
	fclose(fp);
	if (failed)
		return libra_errf(err, EIO, "%s: cannot read the key", path);
	if (key->n > 0 && key->byte[key->n - 1] == '\n')
		key->n--;
	if (key->n < IMPORT_KEY_MIN || longer)
		return libra_errf(err, EINVAL,
				  "%s: a key has %d to %d bytes: make one with "
				  "'head -c 32 /dev/urandom'",
				  path, IMPORT_KEY_MIN, IMPORT_KEY_MAX);
	return 0;
}

void import_hmac(const struct import_key *key, const void *data, size_t n,
		 unsigned char out[32])
{
	unsigned char block[SHA256_BLOCK_LENGTH] = {0}, inner[32];
	SHA2_CTX ctx;

	if (key->n > sizeof(block)) {
		SHA256Init(&ctx);
		SHA256Update(&ctx, key->byte, key->n);
		SHA256Final(block, &ctx);
	} else {
		memcpy(block, key->byte, key->n);
	}
	for (size_t i = 0; i < sizeof(block); i++)
		block[i] ^= 0x36;
	SHA256Init(&ctx);
	SHA256Update(&ctx, block, sizeof(block));
	SHA256Update(&ctx, data, n);
	SHA256Final(inner, &ctx);
	for (size_t i = 0; i < sizeof(block); i++)
		block[i] ^= 0x36 ^ 0x5c;
	SHA256Init(&ctx);
	SHA256Update(&ctx, block, sizeof(block));
	SHA256Update(&ctx, inner, sizeof(inner));
	SHA256Final(out, &ctx);
}

void import_key_hash(const struct import_key *key, const char *text,
		     char out[IMPORT_HASHED])
{
	unsigned char mac[32];

	import_hmac(key, text, strlen(text), mac);
	out[0] = 'h';
	for (size_t i = 0; i < 6; i++)
		snprintf(out + 1 + 2 * i, 3, "%02x", mac[i]);
}
