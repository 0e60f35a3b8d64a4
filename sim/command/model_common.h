/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_common.h - options, series, results and pictures for the files of
 * `librasim model` and `librasim gen`.
 */
#ifndef SIM_COMMAND_MODEL_COMMON_H
#define SIM_COMMAND_MODEL_COMMON_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/param.h"
#include "sim/command/command.h"
#include "sim/log/swf.h"
#include "sim/model/model.h"
#include "sim/model/series.h"
#include "sim/output/file.h"

/* Subcommands; argv[0] is "librasim model fit" and so on.  They print their
 * errors, one line each, and return the exit status. */
int cmd_model_fit(int argc, char **argv);
int cmd_model_check(int argc, char **argv);

/* The options of both `model fit` and `model check`. */
struct cmd_model_args {
	const char *trace, *output, *plots;
	enum sim_size size;
	enum cmd_format format;
	uint64_t seed;
};

/* A child parser of trace, --size, --seed, --format, --json, --output and
 * --plots, whose input is a struct cmd_model_args.  The parent passes that
 * struct and checks whether a trace is needed.
 */
extern const struct argp cmd_model_argp;

/* Set the defaults of all options. */
void cmd_model_args_init(struct cmd_model_args *args);

/* Options made from tables.  The caller owns the struct, which argp reads while
 * it parses; it must not move.
 */
#define CMD_MAX_OPTIONS 32
struct cmd_options {
	struct argp_option row[CMD_MAX_OPTIONS + 1];
	char doc[CMD_MAX_OPTIONS][160];
	size_t n;
};

/* Add the rows of a null-terminated argp table. */
void cmd_options_add(struct cmd_options *o, const struct argp_option *rows);

/* Add the parameters of a table, with their defaults; the key of the first one
 * is key.
 */
void cmd_options_params(struct cmd_options *o, const struct libra_param *table,
			const double *value, size_t n, int key);

/* Parse the line of a command of models: its own options, and cmd_model_argp.
 */
void cmd_model_parse(struct argp *argp, const struct cmd_options *options,
		     int argc, char **argv, void *command);

/* Read an option that came from a table into value[key - first].
 * Result: true if the key belongs to the table; a bad value is a usage error.
 */
bool cmd_read_param(struct argp_state *state, const struct libra_param *table,
		    size_t n, int first, int key, const char *arg,
		    double *value);

/* Set value[0..n-1] to the defaults of a table. */
void cmd_default_params(const struct libra_param *table, size_t n,
			double *value);

/* Split "SERIES=rest".  Without "SERIES=", *rest is the whole text and *series
 * 0.
 * Result: 0, or -1 with ENOENT (no such series).
 */
int cmd_split_series(const char *text, enum model_series *series,
		     const char **rest, struct libra_error *err);

/* The functions that write a command's results in each format.  table() returns
 * 0, or -1 with ENOMEM.  sha256 is that of the trace, "" without one.
 */
struct cmd_model_writers {
	int (*table)(const void *command, FILE *fp);
	void (*csv)(const void *command, FILE *fp);
	void (*json)(const void *command, const char *sha256, FILE *fp);
};

/* Write the results of a command in its format to the file of --output, or to
 * standard output.
 * Result: 0, or -1 with errno and text.
 */
int cmd_model_write(const struct cmd_model_args *args,
		    const struct cmd_model_writers *writers,
		    const void *command, struct libra_error *err);

/* Read a trace and take its series.
 * Result: 0, or -1 as swf_read() or sim_series_init().
 * Owner:  the caller calls swf_fini() and sim_series_fini(); after an error it
 *         need not.
 */
int cmd_read_series(const char *path, enum sim_size size,
		    struct swf_trace *trace, struct sim_trace_series *series,
		    struct libra_error *err);

/* A model, and the series that it is drawn with. */
struct cmd_drawn {
	enum model_series series;
	struct model model;
};
#define CMD_MAX_DRAWN 16

/* Draw CDF and quantiles of all series that have models, and write the pictures
 * as SVG into a folder, all or none.
 * Result: 0, or -1 with errno and text.  Without gnuplot, 0 and a note on
 *         standard error.
 */
int cmd_draw(const char *dir, const struct sim_trace_series *series,
	     const struct cmd_drawn *drawn, size_t n, struct libra_error *err);

#endif
