/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - a report's page from its template.
 *
 * A template is the HTML below the headline, with the texts of text.h and
 *
 *     {{synthetic}}          a notice, if the log is not the paper's
 *     {{score}} {{claims}} {{claims L20 L21}}   counts of passes; all; a few
 *     {{tiles CHOICE|EXPRESSION|text|EXPRESSION|text}}   key numbers in %
 *     {{legend FACTOR DESIGN}} {{figure 1}} {{figure 2 2}}  the last: two a row
 *     {{table options}}      the parameters of --set with their values
 *     {{table NAME}}         a table with a function that fills it
 *     {{table}}...{{end}}    one of designs, see tables.h
 *     {{provenance}}         log, seeds, command
 *
 * The build makes strings of the texts in the papers' folders: of page.html and
 * claims.txt.
 */
#ifndef SIM_PAPER_PAGE_H
#define SIM_PAPER_PAGE_H

#include "sim/paper/study.h"

extern const char sim_page_beyond[], sim_claims_beyond[];
extern const char sim_page_ccgrid2008[], sim_claims_ccgrid2008[];
extern const char sim_page_icpp2006[], sim_claims_icpp2006[];
extern const char sim_page_ipdps2007[], sim_claims_ipdps2007[];
extern const char sim_page_sc2015[], sim_claims_sc2015[];

/* Write index.html of a judged study whose pictures are drawn.  Errors of fp
 * and s->wrong are the caller's to check.
 */
void sim_paper_write_page(FILE *fp, const struct sim_paper_study *s);

#endif
