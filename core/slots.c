/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slots.c - the jobs of an engine, their tickets, and its actions. */
#include "core/slots.h"

#include <errno.h>
#include <stdlib.h>

#include "core/array.h"

#define FIRST_SLOTS 64

static int grow_slots(struct libra_engine *e)
{
	uint32_t cap;
	bool ok = true;

	if (e->free_slot != LIBRA_NO_SLOT || e->nslots < e->slot_cap)
		return 0;
	cap = libra_doubled(e->slot_cap, FIRST_SLOTS, (uint64_t)e->nslots + 1);
	e->slots = libra_grown(e->slots, cap, sizeof(*e->slots), &ok);
	if (!ok)
		return -1;
	e->slot_cap = cap;
	return 0;
}

/* Each job may still cause a START and a REJECT. */
static int grow_actions(struct libra_engine *e)
{
	uint64_t need = e->pending.n + 2 * ((uint64_t)e->live + 1);
	struct libra_action *actions;
	bool ok = true;
	uint32_t cap;

	if (need <= e->pending.cap)
		return 0;
	cap = libra_doubled(e->pending.cap, 2 * FIRST_SLOTS, need);
	actions = libra_grown(NULL, cap, sizeof(*actions), &ok);
	if (!ok)
		return -1;
	for (uint32_t i = 0; i < e->pending.n; i++)
		actions[i] =
			e->pending.list[(e->pending.head + i) % e->pending.cap];
	free(e->pending.list);
	e->pending.list = actions;
	e->pending.head = 0;
	e->pending.cap = cap;
	return 0;
}

int libra_slots_reserve(struct libra_engine *e)
{
	return grow_slots(e) < 0 || grow_actions(e) < 0 ? -1 : 0;
}

uint64_t libra_slot_ticket(struct libra_engine *e, uint32_t slot)
{
	return (uint64_t)++e->generation << 32 | slot;
}

uint32_t libra_slot_take(struct libra_engine *e, const struct libra_job *what)
{
	uint32_t slot = e->free_slot;

	if (slot != LIBRA_NO_SLOT)
		e->free_slot = e->slots[slot].next;
	else
		slot = e->nslots++;
	e->slots[slot] = (struct libra_slot){
		.job = *what,
		.order = ++e->order,
		.offered_s = e->now_s,
	};
	e->live++;
	return slot;
}

void libra_slot_free(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	entry->state = LIBRA_SLOT_FREE;
	entry->ticket = 0;
	entry->next = e->free_slot;
	e->free_slot = slot;
	e->live--;
}

void libra_slot_link(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	entry->next = LIBRA_NO_SLOT;
	entry->prev = e->last_offer;
	if (e->last_offer != LIBRA_NO_SLOT)
		e->slots[e->last_offer].next = slot;
	else
		e->first_offer = slot;
	e->last_offer = slot;
}

void libra_slot_unlink(struct libra_engine *e, uint32_t slot)
{
	struct libra_slot *entry = &e->slots[slot];

	if (entry->prev != LIBRA_NO_SLOT)
		e->slots[entry->prev].next = entry->next;
	else
		e->first_offer = entry->next;
	if (entry->next != LIBRA_NO_SLOT)
		e->slots[entry->next].prev = entry->prev;
	else
		e->last_offer = entry->prev;
}

uint32_t libra_slot_find(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = (uint32_t)ticket;

	if (ticket != 0 && slot < e->nslots && e->slots[slot].ticket == ticket)
		return slot;
	errno = ENOENT;
	return LIBRA_NO_SLOT;
}

uint32_t libra_slot_running(const struct libra_engine *e, uint64_t ticket)
{
	uint32_t slot = libra_slot_find(e, ticket);

	if (slot != LIBRA_NO_SLOT &&
	    e->slots[slot].state != LIBRA_SLOT_RUNNING) {
		errno = EINVAL;
		return LIBRA_NO_SLOT;
	}
	return slot;
}

void libra_engine_act(struct libra_engine *e, enum libra_action_kind kind,
		      uint32_t slot, enum libra_reason reason)
{
	uint32_t end = (e->pending.head + e->pending.n++) % e->pending.cap;

	e->pending.list[end] = (struct libra_action){
		.kind = kind,
		.ticket = e->slots[slot].ticket,
		.job_id = e->slots[slot].job.id,
		.reason = reason,
	};
}

bool libra_engine_next_action(struct libra_engine *e,
			      struct libra_action *action)
{
	if (e->pending.n > 0) {
		*action = e->pending.list[e->pending.head];
		e->pending.head = (e->pending.head + 1) % e->pending.cap;
		e->pending.n--;
		return true;
	}
	if (e->policy->ops->next_action)
		return e->policy->ops->next_action(e, action);
	if (!e->policy->ops->rows.next_reshared)
		return false;
	*action = (struct libra_action){.kind = LIBRA_ACTION_RESHARE};
	action->row = e->policy->ops->rows.next_reshared(e);
	return action->row != UINT32_MAX;
}
