# SPDX-License-Identifier: GPL-2.0-or-later
#
# Texts that are composed piece by piece.  What they say does not belong here.
# A word of the host's.

plugin_sources += \
	plugin/text/text.c \
	plugin/text/text.h
