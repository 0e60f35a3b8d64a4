# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes on which Slurm starts no job now.  node_states: what each state of Slurm
# means, in one table, for the plugins and for the command libra.  away, a part of
# the host (talk): nodes that come back by themselves, and when.  Where jobs go
# instead does not belong here.

plugin_sources += \
	plugin/nodes/away.c \
	plugin/nodes/away.h

node_state_sources = \
	plugin/nodes/node_states.c \
	plugin/nodes/node_states.h
