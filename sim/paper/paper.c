/* SPDX-License-Identifier: GPL-2.0-or-later */
/* paper.c - the list of papers. */
#include "sim/paper/paper.h"

const struct sim_paper *const sim_papers[] = {
	&sim_paper_icpp2006, &sim_paper_ipdps2007, &sim_paper_ccgrid2008,
	&sim_paper_sc2015,   &sim_paper_beyond,	   NULL,
};
