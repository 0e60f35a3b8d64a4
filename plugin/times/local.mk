# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long Slurm's calls stay in our code.  What they do there does not belong
# here.  A word of the host's, for the plugins, too.

plugin_sources += \
	plugin/times/clock.h \
	plugin/times/times.c \
	plugin/times/times.h
