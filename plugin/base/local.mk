# SPDX-License-Identifier: GPL-2.0-or-later
#
# The types, units, settings and calls to slurmctld that all of the plugins share.
# compat.h and units know Slurm's headers; the other files do not.  Code that
# knows jobs, promises or the engine does not belong here.

plugin_parts = \
	plugin/base/clock.h \
	plugin/base/conf.c \
	plugin/base/conf.h \
	plugin/base/conf_list.c \
	plugin/base/conf_list.h \
	plugin/base/ops.c \
	plugin/base/ops.h \
	plugin/base/text.c \
	plugin/base/text.h \
	plugin/base/timing.c \
	plugin/base/timing.h \
	plugin/base/types.h

plugin_sources = \
	plugin/base/compat.h \
	plugin/base/node_states.c \
	plugin/base/node_states.h \
	plugin/base/units.c \
	plugin/base/units.h

# The select plugin and the command libra have them, too.
node_state_sources = \
	plugin/base/node_states.c \
	plugin/base/node_states.h
