/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept_file.c - see kept_file.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/base/ops.h"
#include "plugin/state/kept_file.h"
#include "plugin/state/state_file.h"

void host_kept_file_begin(struct host_kept_file *file, const char *folder,
			  const char *label)
{
	*file = (struct host_kept_file){0};
	host_state_path(file->path, folder, "libra_kept", label);
}

/* Return true if a later try may succeed.  Other errors are permanent. */
static bool may_pass(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE ||
	       error == EIO || error == ESTALE;
}

/* Result: as of host_kept_file_read(). */
static int refuse(struct host_kept_file *file, const struct libra_host_ops *ops)
{
	bool damaged = errno == EBADMSG, passes = may_pass(errno);

	if (!passes || !file->waits)
		host_log(ops, LIBRA_HOST_ERROR,
			 "%s: %s: the holds of preempting jobs are %s",
			 file->path, damaged ? "damaged" : strerror(errno),
			 passes ? "not in force until it can be read" : "lost");
	if (damaged)
		host_state_file_put_aside(file->path, ops);
	file->waits = passes;
	return passes ? -1 : 0;
}

int host_kept_file_read(struct host_kept_file *file,
			const struct libra_host_ops *ops,
			struct host_kept *kept)
{
	size_t size = 0;
	char *text;
	int rc;

	if (!*file->path)
		return 0;
	errno = ENOMEM; /* malloc may not set errno */
	text = host_state_file_read(file->path, &size);
	if (!text && errno == ENOENT)
		return 0;
	rc = text ? host_kept_read(kept, text, size) : -1;
	rc = rc < 0 ? refuse(file, ops) : 1;
	free(text);
	return rc;
}

void host_kept_file_write(struct host_kept_file *file,
			  const struct libra_host_ops *ops,
			  const struct host_text *text)
{
	int rc = 0, saved;

	if (!*file->path)
		return;
	errno = ENOMEM;
	if (text)
		rc = text->cut ? -1
			       : host_state_file_write(file->path, text->text,
						       text->len, false);
	saved = errno;
	if ((rc < 0 || !text) && unlink(file->path) < 0 && errno != ENOENT &&
	    rc == 0) {
		saved = errno;
		rc = -1;
	}
	if (rc < 0 && !file->failing)
		host_log(ops, LIBRA_HOST_ERROR,
			 "%s cannot be written: %s: a restart would lose the "
			 "holds of preempting jobs",
			 file->path, strerror(saved));
	file->failing = rc < 0;
}
