/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_find.c - find a log in the folders that may have it.
 *
 * Each folder is tried in turn, until *path is set; later calls then do
 * nothing.
 */
#include "sim/log/trace_find.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"

/* dir/sub/name if it can be read.
 * Result: false if out of memory.
 */
static bool try_folder(const char *dir, const char *sub, const char *name,
		       char **path)
{
	if (*path || !dir || !*dir)
		return true;
	if (asprintf(path, "%s%s/%s", dir, sub, name) < 0) {
		*path = NULL;
		return false;
	}
	if (access(*path, R_OK) == 0)
		return true;
	free(*path);
	*path = NULL;
	return true;
}

/* Try each folder of a list with colons.  Result: false if out of memory. */
static bool try_list(const char *folders, const char *name, char **path)
{
	char *copy = folders ? strdup(folders) : NULL, *rest = copy, *dir;
	bool ok = !folders || copy;

	while (ok && rest && (dir = strsep(&rest, ":")))
		ok = try_folder(dir, "", name, path);
	free(copy);
	return ok;
}

int sim_trace_find(const char *given, const char *basename, char **path,
		   struct libra_error *err)
{
	const char *data = getenv("XDG_DATA_HOME");
	bool ok;

	*path = NULL;
	if (given) {
		*path = strdup(given);
		ok = *path != NULL;
	} else {
		ok = try_list(getenv("LIBRA_TRACES"), basename, path) &&
		     try_folder("../shared/traces", "", basename, path) &&
		     try_folder("traces", "", basename, path) &&
		     (data && *data
			      ? try_folder(data, "/slurm-libra/traces",
					   basename, path)
			      : try_folder(getenv("HOME"),
					   "/.local/share/slurm-libra/traces",
					   basename, path));
	}
	if (!ok)
		return sim_no_memory(err);
	return 0;
}
