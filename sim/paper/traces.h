/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traces.h - a study's logs, and the runs on them.
 */
#ifndef SIM_PAPER_TRACES_H
#define SIM_PAPER_TRACES_H

#include "sim/paper/study.h"

/* Return the number of traces: the paper's own log and the others. */
size_t sim_paper_ntraces(const struct sim_paper_study *s);

/* Read the paper's log and name its numbers.  Without the log on this machine,
 * make a synthetic one.
 * Result: 0, or -1 with errno (the log that --trace names must exist).
 */
int sim_paper_read_log(struct sim_paper_study *s, struct libra_error *err);

/* Run all cells on their logs, and compute derived numbers.
 * Result: 0, or -1 with errno and text.
 */
int sim_paper_measure(struct sim_paper_study *s, struct libra_error *err);

/* Remove the file of results that a study with `resumes` has kept. */
void sim_paper_forget(const struct sim_paper_study *s);

#endif
