# SPDX-License-Identifier: GPL-2.0-or-later
#
# A request on its way to the engine: its size in processors and resources, the
# nodes that it may use, the offer, and the messages to its user.  The life of a
# job after its submission is plugin/host's.

plugin_sources += \
	plugin/request/ask.c \
	plugin/request/ask.h \
	plugin/request/asleep.c \
	plugin/request/asleep.h \
	plugin/request/messages.c \
	plugin/request/messages.h \
	plugin/request/nodes.c \
	plugin/request/nodes.h \
	plugin/request/resources.c \
	plugin/request/resources.h \
	plugin/request/sizing.c \
	plugin/request/sizing.h \
	plugin/request/task_layout.c \
	plugin/request/task_layout.h \
	plugin/request/whole_nodes.c \
	plugin/request/whole_nodes.h \
	plugin/request/width.c \
	plugin/request/width.h
