/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_store.c - memory of a site, what was not understood, and its files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/slurm/site_impl.h"

/* ---- memory ---- */

enum { CHUNK = 64 * 1024 };

struct site_chunk {
	struct site_chunk *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

void *site_alloc(struct slurm_site *site, size_t n)
{
	struct slurm_store *store = site->store;
	struct site_chunk *chunk = store->chunks;
	size_t size;

	n = (n + 15) & ~(size_t)15;
	if (!chunk || chunk->size - chunk->used < n) {
		size = n > CHUNK ? n : CHUNK;
		chunk = calloc(1, sizeof(*chunk) + size);
		if (!chunk) {
			errno = ENOMEM;
			return NULL;
		}
		chunk->size = size;
		chunk->next = store->chunks;
		store->chunks = chunk;
	}
	chunk->used += n;
	return chunk->bytes + chunk->used - n;
}

const char *site_text(struct slurm_site *site, struct import_text t)
{
	uint32_t number = names_add(&site->store->texts, t.at, t.n);

	return number == UINT32_MAX ? NULL
				    : names_text(&site->store->texts, number);
}

void *site_append(struct slurm_site *site, void *array_of_pointer, size_t *n,
		  size_t size, unsigned which)
{
	void *array, *grown;

	memcpy(&array, array_of_pointer, sizeof(array));
	grown = sim_grown(array, &site->store->caps[which], *n + 1, size);
	if (!grown)
		return NULL;
	memcpy(array_of_pointer, &grown, sizeof(grown));
	return memset((char *)grown + (*n)++ * size, 0, size);
}

int site_unknown(struct site_file *f, const char *what, struct import_text t)
{
	struct slurm_site *site = f->site;
	struct names *names = &site->store->unknown;
	struct slurm_unknown *unknown;
	uint32_t before = names->n, number;
	char text[160];

	snprintf(text, sizeof(text), "%s: %s %.*s", f->file, what,
		 (int)(t.n < 80 ? t.n : 80), t.at);
	/* Bytes from outside are shown on terminals. */
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p == 127)
			*p = '?';
	number = names_add(names, text, strlen(text));
	if (number == UINT32_MAX)
		return sim_no_memory(f->err);
	if (number > before) {
		unknown = site_append(site, &site->unknown, &site->nunknown,
				      sizeof(*unknown), 0);
		if (!unknown)
			return sim_no_memory(f->err);
		unknown->what = site_text(
			site, (struct import_text){text, strlen(text)});
		if (!unknown->what)
			return sim_no_memory(f->err);
	}
	site->unknown[number - 1].n++;
	return 0;
}

/* ---- files ---- */

int site_open(struct site_file *f, struct slurm_site *site, const char *folder,
	      const char *file, struct libra_error *err)
{
	static const char *const ends[] = {"", ".gz", ".zst"};

	*f = (struct site_file){.site = site, .err = err, .file = file};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct libra_error none = {0};
		int n = snprintf(f->path, sizeof(f->path), "%s/%s%s", folder,
				 file, ends[i]);

		if (n < 0 || (size_t)n >= sizeof(f->path))
			return libra_errf(err, ENAMETOOLONG,
					  "the name of folder '%.80s...' is "
					  "too long: move it",
					  folder);
		if (input_open(&f->in, f->path, &none) == 0) {
			f->in.err = err;
			f->open = true;
			return 1;
		}
		if (errno != ENOENT)
			return libra_errf(err, errno, "%s", none.text);
	}
	return 0;
}

void site_close(struct site_file *f)
{
	if (f->open)
		input_close(&f->in);
	f->open = false;
}

/* ---- the end ---- */

void slurm_site_fini(struct slurm_site *site)
{
	struct slurm_store *store = site->store;
	struct site_chunk *chunk, *next;

	free(site->tres);
	free(site->nodes);
	free(site->partitions);
	free(site->qos);
	free(site->assocs);
	free(site->outages);
	free(site->reservations);
	free(site->jobs);
	free(site->unknown);
	for (chunk = store ? store->chunks : NULL; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	if (store) {
		names_fini(&store->texts);
		names_fini(&store->lists);
		names_fini(&store->users);
		names_fini(&store->unknown);
		free(store->amounts);
		free(store->settings);
		free(store->by_name);
		free(store->by_user);
	}
	free(store);
	memset(site, 0, sizeof(*site));
}
