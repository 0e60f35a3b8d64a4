# SPDX-License-Identifier: GPL-2.0-or-later
#
# What reproductions of papers share: the list of papers, the steps of a study,
# and the readers of what a paper is made of. A paper has a folder of its own,
# and none includes another.

sim_libsim_a_SOURCES += \
	sim/paper/asks.c \
	sim/paper/claim_rows.c \
	sim/paper/claim_rows.h \
	sim/paper/expression.c \
	sim/paper/figures.c \
	sim/paper/figures.h \
	sim/paper/page.c \
	sim/paper/page.h \
	sim/paper/paper.c \
	sim/paper/paper.h \
	sim/paper/steps.c \
	sim/paper/steps.h \
	sim/paper/study.c \
	sim/paper/study.h \
	sim/paper/tables.c \
	sim/paper/tables.h \
	sim/paper/text.c \
	sim/paper/text.h \
	sim/paper/traces.c \
	sim/paper/traces.h

# The pages' templates and the claims, as strings.
nodist_sim_libsim_a_SOURCES = sim/paper/pages.c
CLEANFILES += sim/paper/pages.c
paper_texts = \
	$(top_srcdir)/sim/paper/beyond/claims.txt \
	$(top_srcdir)/sim/paper/beyond/page.html \
	$(top_srcdir)/sim/paper/ccgrid2008/claims.txt \
	$(top_srcdir)/sim/paper/ccgrid2008/page.html \
	$(top_srcdir)/sim/paper/icpp2006/claims.txt \
	$(top_srcdir)/sim/paper/icpp2006/page.html \
	$(top_srcdir)/sim/paper/ipdps2007/claims.txt \
	$(top_srcdir)/sim/paper/ipdps2007/page.html \
	$(top_srcdir)/sim/paper/sc2015/claims.txt \
	$(top_srcdir)/sim/paper/sc2015/page.html

sim/paper/pages.c: $(paper_texts) $(top_srcdir)/sim/paper/local.mk
	$(AM_V_GEN)$(MKDIR_P) sim/paper && { \
	echo '#include "sim/paper/page.h"'; \
	for text in $(paper_texts); do \
		name=$${text%/*}; kind=$${text##*/}; \
		echo "const char sim_$${kind%.*}_$${name##*/}[] ="; \
		sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' "$$text"; \
		echo ';'; \
	done; } >$@.tmp && mv $@.tmp $@

include sim/paper/beyond/local.mk
include sim/paper/ccgrid2008/local.mk
include sim/paper/icpp2006/local.mk
include sim/paper/ipdps2007/local.mk
include sim/paper/sc2015/local.mk
