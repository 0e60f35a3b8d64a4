/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_chain.c - libra chain: its command line.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include <slurm/slurm.h>

#include "plugin/base/clock.h"
#include "plugin/base/units.h"
#include "plugin/cli/args.h"
#include "plugin/cli/chain/chain.h"
#include "plugin/cli/cli.h"

/* sbatch reads --deadline with it.  Slurm's library exports it, and no public
 * header declares it.
 */
extern time_t slurm_parse_time(char *text, int past);

enum { OPT_TEST_ONLY = 0x400 };

struct options {
	const char *file; /* NULL = jobs */
	bool test_only;
	struct chain chain;
	struct cli_output output;
};

static const struct argp_option options[] = {
	{"deadline", 'd', "D", 0,
	 "When the last link must be done, as sbatch's --deadline (of JOBIDs: "
	 "the last one's)",
	 0},
	{"test-only", OPT_TEST_ONLY, NULL, 0,
	 "Submit nothing: ask for each line alone, by sbatch --test-only", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};

static void take(struct argp_state *state, struct options *o, char *arg)
{
	if (o->file || (o->chain.n > 0 && !cli_is_job_id(arg)))
		cli_usage(state, "give one FILE, or the JOBIDs of a chain");
	if (cli_is_job_id(arg))
		chain_add_job(&o->chain, arg);
	else
		o->file = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->output;
		break;
	case 'd':
		o->chain.deadline_s = (double)slurm_parse_time(arg, 0);
		if (o->chain.deadline_s <= 0)
			cli_usage(state,
				  "--deadline takes an instant such as "
				  "now+2hours or 2030-01-31T18:00, not '%s'",
				  arg);
		break;
	case OPT_TEST_ONLY:
		o->test_only = true;
		break;
	case ARGP_KEY_ARG:
		take(state, o, arg);
		break;
	case ARGP_KEY_END:
		if (!o->file && o->chain.n == 0)
			cli_usage(state, "give a FILE or JOBIDs");
		if (o->file && isnan(o->chain.deadline_s))
			cli_usage(state, "give the chain's --deadline");
		if (o->test_only && !o->file)
			cli_usage(state, "--test-only is of a FILE");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int read_file(struct options *o, struct libra_error *err)
{
	bool input = strcmp(o->file, "-") == 0;
	FILE *from = input ? stdin : fopen(o->file, "r");
	int rc;

	if (!from)
		return libra_errf(err, errno, "%s: %s", o->file,
				  strerror(errno));
	rc = chain_read(&o->chain, from, input ? "standard input" : o->file,
			err);
	if (!input)
		fclose(from);
	return rc;
}

/* The links do not fit between now and the deadline, wherever they run. */
static int too_long(struct options *o, double all_s)
{
	double now_s = libra_host_read_clock(CLOCK_REALTIME);
	char text[32], takes[32], all[160];

	if (now_s + all_s <= o->chain.deadline_s)
		return CLI_DONE;
	libra_host_duration_text(all_s, takes);
	libra_host_clock_text(now_s + all_s, now_s, NAN, text);
	snprintf(all, sizeof(all),
		 "the links take %s one after the other: earliest deadline of "
		 "the chain now: %s",
		 takes, text);
	fprintf(stderr, "%s: %s\n", o->output.name, all);
	cli_error(&o->output, all);
	return CLI_REFUSED;
}

/* Submit a file.  Result: exit status; CLI_FAILED with a text. */
static int submit(struct options *o, struct libra_error *err)
{
	int rc;

	if (read_file(o, err) < 0)
		return CLI_FAILED;
	rc = too_long(o, chain_split(&o->chain));
	if (rc == CLI_DONE)
		rc = chain_submit(&o->chain, o->test_only, &o->output, err);
	return rc;
}

/* After --test-only there are no jobs to look at. */
static void print_deadlines(const struct options *o)
{
	char text[32];

	for (size_t i = 0; i < o->chain.n && !cli_for_programs(&o->output);
	     i++) {
		libra_host_clock_text(o->chain.links[i].deadline_s,
				      libra_host_read_clock(CLOCK_REALTIME),
				      NAN, text);
		fprintf(o->output.out, "link %zu (line %u): deadline %s\n",
			i + 1, o->chain.links[i].line, text);
	}
}

static int run(struct options *o, struct cli_cluster *cluster)
{
	struct libra_error err = {""};
	int rc = o->file ? submit(o, &err) : CLI_DONE;

	if (rc == CLI_FAILED)
		return cli_fail(&o->output, &err);
	if (rc == CLI_DONE && o->test_only)
		print_deadlines(o);
	if (rc != CLI_DONE || o->test_only)
		return rc;
	if (cli_cluster_load(cluster, &err) < 0)
		return cli_fail(&o->output, &err);
	rc = chain_print(&o->chain, cluster, &o->output, &err);
	return rc == CLI_FAILED ? cli_fail(&o->output, &err) : rc;
}

int cli_run_chain(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.children = cli_output_options,
		.args_doc = "FILE\nJOBID...",
		.doc = "Submit jobs that run one after the other and have one "
		       "deadline, or show where they are.\vFILE has the "
		       "options and the script of sbatch, one job in a line, "
		       "with --time; - is standard input.  Exit status: 0 on "
		       "time, 3 refused, late or failed.",
	};
	struct options o = {
		.chain = {.deadline_s = NAN},
		.output = {.out = stdout, .name = argv[0]},
	};
	struct cli_cluster cluster = {0};
	int rc;

	cli_parse(&argp, argc, argv, 0, &o);
	rc = cli_finish(&o.output, &cluster, run(&o, &cluster));
	cli_cluster_fini(&cluster);
	chain_fini(&o.chain);
	return rc;
}
