/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reconfigure.h - a new cluster or new settings, and the engine made for them.
 */
#ifndef LIBRA_HOST_RECONFIGURE_H
#define LIBRA_HOST_RECONFIGURE_H

#include "plugin/host/state.h"

/* As libra_host_set_cluster(), for one group; running: there is an engine,
 * which stays if it would decide as a new one.  The settings are taken over.
 */
int host_reconfigure(struct host_state *h,
		     const struct libra_host_cluster *cluster,
		     struct libra_host_conf *conf, bool running);

#endif
