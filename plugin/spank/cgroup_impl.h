/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup_impl.h - shared by cgroup.c and cgroup_remove.c only.
 */
#ifndef LIBRA_SPANK_CGROUP_IMPL_H
#define LIBRA_SPANK_CGROUP_IMPL_H

#include <fcntl.h>
#include <stdbool.h>

#include "plugin/spank/cgroup.h"

#define LIBRA_CGROUP_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Open the folder of a path below a hierarchy's top, one component at a time.
 * make: create missing folders.
 * Result: a descriptor, which the caller closes, or -1 with errno.
 */
int libra_cgroup_walk(int top, const char *path, bool make);

#endif
