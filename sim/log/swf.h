/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.h - read logs in the Standard Workload Format.
 *
 * Plain or compressed, from a file or from standard input ("-").  A trace holds
 * what the file says: missing values are -1, and nothing is repaired or dropped
 * here (workload.h does that, and counts it), with two exceptions, which are
 * counted: a record whose submit time is negative is left out, and any other
 * negative value is read as missing.  Lines are numbered from 1.
 *
 * Blank lines, CRLF line ends and a last line without its end are accepted.
 * Fields after the 18 of the format, numbers or words, are counted and ignored.
 */
#ifndef SIM_SWF_H
#define SIM_SWF_H

#include <stdint.h>
#include <stddef.h>

#include "core/error.h"

/* One record; the comments give the field numbers of the format. */
struct swf_record {
	int64_t number;	     /* 1 */
	double submit_s;     /* 2, seconds since the log began */
	double wait_s;	     /* 3 */
	double run_s;	     /* 4 */
	double cpu_s;	     /* 6, mean processor time used */
	double request_s;    /* 9, the user's estimate */
	int32_t alloc_procs; /* 5 */
	int32_t req_procs;   /* 8 */
	int32_t status;	     /* 11 */
	int32_t user;	     /* 12 */
	int32_t group;	     /* 13 */
	int32_t app;	     /* 14 */
	int32_t queue;	     /* 15 */
	int32_t partition;   /* 16 */
	double used_mem_kb;  /* 7, per processor */
	double req_mem_kb;   /* 10 */
	/* Of a side table, which the caller read; 0 = not known. */
	uint32_t side_nodes, side_gpus;
};

/* What a number of field 15 or 16 is called: "; Queue: 2 normal". */
struct swf_name {
	int32_t number;
	char *name;
};

struct swf_names {
	struct swf_name *list;
	size_t n;
};

struct swf_trace {
	char *name; /* as given; "-" for standard input */
	struct swf_record *records;
	size_t nrecords;
	size_t first_line; /* of the first record */
	/* From the header comments; 0 or NULL if absent. */
	int64_t max_procs, max_nodes, unix_start, max_jobs, max_records;
	char *computer, *installation, *acknowledge, *version;
	struct swf_names queues, partitions;
	char *copyright; /* the notice, which some licences want kept */
	/* For the description of the log. */
	size_t unsorted;		      /* records submitted before their
						 predecessor; they are kept in order
						 of the file */
	size_t no_estimate, no_procs, no_run; /* fields missing or <= 0 */
	size_t extra_fields; /* most fields of a record after the 18, ignored */
	size_t no_submit;    /* records left out */
	size_t negative;     /* values read as missing */
	size_t odd_line;     /* of the first of both */
};

/* Read a whole trace.
 * Result: 0, or -1 with errno of the system (ENOENT, EACCES, EISDIR, ENOMEM),
 *         EINVAL (text where a number belongs, fewer than 18 fields, absurd
 *         numbers, a line of more than 64 KiB, no record at all) or EIO
 *         (damaged or truncated .gz).  The text names file and line.
 * Owner:  the caller calls swf_fini(); after an error it need not.
 */
int swf_read(struct swf_trace *trace, const char *path,
	     struct libra_error *err);
/* The same where a caller needs no more than the last records (0 = all): a
 * trace holds those, at least.  Others are checked, not converted, where the
 * text is at hand (a file of up to 64 MiB) and the header says how large the
 * machine is; first_line and the counts that describe the log are then of the
 * records that are held.
 */
int swf_read_last(struct swf_trace *trace, const char *path, size_t last,
		  struct libra_error *err);
void swf_fini(struct swf_trace *trace);

/* Result: the number of a name, ignoring what stands behind it, or -1. */
int32_t swf_name_find(const struct swf_names *names, const char *name);

/* Processors the log was made on: MaxProcs, else MaxNodes, else the largest
 * request.  Result: >= 1.
 */
uint32_t swf_procs(const struct swf_trace *trace);

/* Processors of a job: those that it had, else those that it asked for; not
 * above 0 if the log has neither.
 */
int32_t swf_job_procs(const struct swf_record *record);

/* The sha256 of a file as stored (still gzipped), in hex. swf_read() does not
 * compute it: it would take as long as reading.
 * Result: 0, or -1 with errno of the system.  For standard input hex is "".
 */
int swf_sha256(const char *path, char hex[65], struct libra_error *err);

#endif
