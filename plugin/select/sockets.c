/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sockets.c - see sockets.h.
 */
#define LIBRA_SLURM_INTERNAL

#include <string.h>

#include "src/common/slurm_xlator.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/node_conf.h"

#include "plugin/base/compat.h"
#include "plugin/base/units.h"
#include "plugin/select/sockets.h"

enum { MOST_SOCKETS = 64 };

static bool is_of(const struct libra_host_kind *asked, const char *type)
{
	return !*asked->type || (type && strcmp(asked->type, type) == 0);
}

/* Return the socket of all cores of a map, or -1 if there is no single one. */
static int socket_of(const bitstr_t *cores, uint32_t of_socket)
{
	bitoff_t first = cores ? bit_ffs((bitstr_t *)cores) : -1;
	bitoff_t last = cores ? bit_fls((bitstr_t *)cores) : -1;

	if (first < 0 || first / of_socket != last / of_socket)
		return -1;
	return (int)(first / of_socket);
}

/* Count resources by socket.  A resource near several sockets counts for none,
 * as Slurm's choice depends on the release.
 */
static uint32_t count_sockets(const gres_node_state_t *state,
			      const struct libra_host_kind *asked,
			      uint32_t of_socket)
{
	uint64_t near[MOST_SOCKETS] = {0};
	uint32_t n = 0;

	for (int i = 0; i < state->topo_cnt; i++) {
		const char *type =
			state->topo_type_name ? state->topo_type_name[i] : NULL;
		int socket = state->topo_core_bitmap
				     ? socket_of(state->topo_core_bitmap[i],
						 of_socket)
				     : -1;

		if (socket >= 0 && socket < MOST_SOCKETS && is_of(asked, type))
			near[socket] += state->topo_gres_cnt_avail[i];
	}
	for (int s = 0; s < MOST_SOCKETS; s++)
		n += near[s] > 0 && near[s] >= asked->count;
	return n;
}

static bool near_any(const gres_node_state_t *state)
{
	for (int i = 0; state->topo_core_bitmap && i < state->topo_cnt; i++)
		if (state->topo_core_bitmap[i])
			return false;
	return true;
}

bool libra_has_sockets(const struct node_record *node, uint32_t sockets,
		       const struct libra_host_kind *gres)
{
	uint32_t need = libra_host_larger(1, sockets), of_socket;
	LIBRA_LIST_ITERATOR it;
	const gres_state_t *state;
	bool has = false;

	if (!node->gres_list || need > node->tot_sockets)
		return false;
	of_socket = libra_host_larger(1, node->tot_cores / node->tot_sockets);
	it = list_iterator_create(node->gres_list);
	while (!has && (state = list_next(it)))
		/* The total is counted elsewhere. */
		has = strcmp(state->gres_name, gres->kind) == 0 &&
		      (near_any(state->gres_data) ||
		       count_sockets(state->gres_data, gres, of_socket) >=
			       need);
	list_iterator_destroy(it);
	return has;
}
