# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several policies in one slurmctld: the settings and the engine of each group of
# partitions, and to which a job belongs.  What happens within a group is the
# host's (plugin/host); conf_list is a word of the host, groups one of its acts.

plugin_sources += \
	plugin/groups/conf_list.c \
	plugin/groups/conf_list.h \
	plugin/groups/groups.c \
	plugin/groups/groups.h
