/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - see follow.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/cli/events/follow.h"
#include "plugin/cli/print.h"
#include "plugin/state/state_file.h"

enum { HEAD = 256 };

struct file {
	FILE *fp;
	struct stat st;
};

static int fail(const char *path, struct libra_error *err)
{
	return libra_errf(err, errno ? errno : EIO, "%s: %s", path,
			  strerror(errno ? errno : EIO));
}

/* ---- places ---- */

static json_int_t whole(const json_t *place, const char *name)
{
	return json_integer_value(json_object_get(place, name));
}

/* A hash (FNV-1a) of the first bytes of a file.
 * Result: how many bytes that are, at most n.
 */
static size_t hash_head(FILE *fp, size_t n, uint64_t *hash)
{
	unsigned char head[HEAD];

	n = n > HEAD ? HEAD : n;
	n = fseeko(fp, 0, SEEK_SET) == 0 ? fread(head, 1, n, fp) : 0;
	*hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ head[i]) * UINT64_C(0x100000001b3);
	return n;
}

static bool is_at(const struct file *f, const json_t *place)
{
	size_t n = (size_t)whole(place, "head_bytes");
	uint64_t hash;

	return f->st.st_size >= whole(place, "offset") &&
	       hash_head(f->fp, n, &hash) == n &&
	       (json_int_t)hash == whole(place, "head");
}

/* Name the file: by its first bytes, as far as lines were written to their
 * ends.
 */
static void set_head(json_t *place, FILE *fp, off_t offset)
{
	uint64_t hash;
	size_t n = hash_head(fp, (size_t)offset, &hash);

	json_object_set_new(place, "head", json_integer((json_int_t)hash));
	json_object_set_new(place, "head_bytes", json_integer((json_int_t)n));
}

void cli_place_set(json_t *place, off_t offset)
{
	json_object_set_new(place, "offset", json_integer(offset));
}

/* ---- files ---- */

static bool open_file(const char *path, struct file *f)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*f = (struct file){0};
	if (fd < 0)
		return false;
	if (fstat(fd, &f->st) == 0 && !S_ISREG(f->st.st_mode))
		errno = EINVAL;
	else
		f->fp = fdopen(fd, "r");
	if (!f->fp && errno == ENOMEM)
		cli_no_memory();
	if (!f->fp)
		close(fd);
	return f->fp != NULL;
}

static void close_file(struct file *f)
{
	if (f->fp)
		fclose(f->fp);
	f->fp = NULL;
}

static int compare_times(const void *a, const void *b)
{
	const struct timespec *x = &((const struct file *)a)->st.st_mtim;
	const struct timespec *y = &((const struct file *)b)->st.st_mtim;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* A log's name with special characters of glob() taken as they are. */
static char *pattern_of(const char *path)
{
	char *pattern = malloc(2 * strlen(path) + 2), *to = pattern;

	if (!pattern)
		cli_no_memory();
	for (; *path; path++) {
		if (strchr("\\*?[", *path))
			*to++ = '\\';
		*to++ = *path;
	}
	strcpy(to, "*");
	return pattern;
}

/* Open the rotated files of a log, oldest first: their names go on with digits
 * and signs alone.
 * Result: how many; the caller closes them and frees the list.
 */
static size_t open_rotated(const char *path, struct file **files)
{
	char *pattern = pattern_of(path);
	glob_t found = {0};
	size_t n = 0;

	if (glob(pattern, GLOB_NOSORT, NULL, &found) == GLOB_NOSPACE)
		cli_no_memory();
	*files = calloc(found.gl_pathc + 1, sizeof(**files));
	if (!*files)
		cli_no_memory();
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *end = found.gl_pathv[i] + strlen(path);

		if (*end && !end[strspn(end, ".-0123456789")])
			n += open_file(found.gl_pathv[i], &(*files)[n]);
	}
	globfree(&found);
	free(pattern);
	if (n)
		qsort(*files, n, sizeof(**files), compare_times);
	return n;
}

/* ---- reading ---- */

struct reading {
	const char *path;
	json_t *place;
	cli_follow_f each;
	void *arg;
	struct libra_error *err;
};

static int read_lines(struct reading *r, FILE *fp, off_t from)
{
	struct cli_log_line line = {.at = from};
	char *text = NULL;
	size_t cap = 0;
	ssize_t n;
	int rc = fseeko(fp, from, SEEK_SET) < 0 ? fail(r->path, r->err) : 0;

	errno = 0;
	/* A line that is not written to its end is read the next time. */
	while (rc == 0 && (n = getline(&text, &cap, fp)) > 0 &&
	       text[n - 1] == '\n') {
		line.text = text;
		line.len = (size_t)n - 1;
		rc = r->each(r->arg, &line, r->err);
		line.at += rc == 0 ? n : 0;
	}
	if (errno == ENOMEM)
		cli_no_memory();
	if (rc == 0 && ferror(fp))
		rc = fail(r->path, r->err);
	free(text);
	set_head(r->place, fp, line.at);
	cli_place_set(r->place, line.at);
	return rc;
}

/* Begin with another file. */
static int read_new(struct reading *r, struct file *f)
{
	if (f->st.st_size == 0)
		return 0;
	json_object_clear(r->place);
	set_head(r->place, f->fp, f->st.st_size);
	cli_place_set(r->place, 0);
	return read_lines(r, f->fp, 0);
}

/* The log is another one than before.
 * Result: as cli_follow().
 */
static int read_rotated(struct reading *r, struct file *now)
{
	struct file *old;
	size_t n = open_rotated(r->path, &old), at = 0, i;
	int rc = 0;

	while (at < n && !is_at(&old[at], r->place))
		at++;
	if (at < n)
		rc = read_lines(r, old[at].fp, whole(r->place, "offset"));
	for (i = at + 1; rc == 0 && i < n; i++)
		rc = read_new(r, &old[i]);
	/* Until slurmctld writes into the new file, it may write into the old.
	 */
	if (rc == 0 && now->st.st_size > 0) {
		rc = read_new(r, now);
		rc = rc == 0 && at == n ? 1 : rc;
	}
	for (i = 0; i < n; i++)
		close_file(&old[i]);
	free(old);
	return rc;
}

int cli_follow(const char *path, json_t *place, cli_follow_f each, void *arg,
	       struct libra_error *err)
{
	struct reading r = {path, place, each, arg, err};
	bool begun = json_object_get(place, "offset") != NULL;
	struct file now;
	int rc;

	errno = 0;
	if (!open_file(path, &now) && !(begun && errno == ENOENT))
		return fail(path, err);
	if (!begun)
		rc = read_new(&r, &now);
	else if (now.fp && is_at(&now, place))
		rc = read_lines(&r, now.fp, whole(place, "offset"));
	else
		rc = read_rotated(&r, &now);
	close_file(&now);
	return rc;
}

/* ---- saved files ---- */

json_t *cli_saved_read(const char *path, int version, struct libra_error *err)
{
	size_t size;
	char *text = host_state_file_read(path, &size);
	json_t *saved;

	if (!text && errno == ENOENT)
		return json_pack("{s:i, s:{}}", "version", version, "logs");
	if (!text) {
		fail(path, err);
		return NULL;
	}
	saved = json_loadb(text, size, 0, NULL);
	free(text);
	if (json_is_object(saved) && whole(saved, "version") == version &&
	    json_is_object(json_object_get(saved, "logs")))
		return saved;
	json_decref(saved);
	libra_errf(err, EINVAL,
		   "%s is damaged or of another release: remove it, and the "
		   "decision log is read from its beginning",
		   path);
	return NULL;
}

json_t *cli_saved_member(json_t *object, const char *name)
{
	json_t *value = json_object_get(object, name);

	if (value)
		return value;
	value = json_object();
	json_object_set_new(object, name, value);
	return value;
}

int cli_saved_write(const char *path, const json_t *saved,
		    struct libra_error *err)
{
	char *text = json_dumps(saved, JSON_COMPACT);
	int rc;

	if (!text)
		cli_no_memory();
	rc = host_state_file_write(path, text, strlen(text), false);
	if (rc < 0)
		fail(path, err);
	free(text);
	return rc;
}
