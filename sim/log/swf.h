/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.h - read logs in the Standard Workload Format.
 *
 * Plain or compressed, from a file or from standard input ("-").  A trace holds
 * the values of the file: missing values are -1, and nothing is repaired or
 * dropped here (workload.h does that, and counts it), with two exceptions,
 * which are counted: a record whose submit time is negative is left out, and
 * any other negative value is read as missing.  Lines are numbered from 1.
 *
 * Blank lines, CRLF line ends and a last line without its end are accepted.
 * Fields after the 18 of the format, numbers or words, are counted and ignored.
 *
 * Callers: the commands and sim/paper, once for each log; all other folders
 * only read the trace.  The trace owns its records and texts; workloads read
 * it, and worker processes inherit it.
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
	/* From a side table, if the caller has read one; 0 = unknown. */
	uint32_t side_nodes, side_gpus;
};

/* The name of a number in field 15 or 16, as in "; Queue: 2 normal". */
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
	size_t odd_line;     /* line of the first no_submit or negative */
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
/* Read a trace of which the caller needs only the last records (0 = all).  The
 * trace holds at least so many.  If the file is at most 64 MiB and its header
 * has the size of the machine, earlier records are checked and skipped, which
 * is faster; first_line and the counts that describe the log are then those of
 * the records that the trace holds.  Result, owner: as swf_read().
 */
int swf_read_last(struct swf_trace *trace, const char *path, size_t last,
		  struct libra_error *err);
void swf_fini(struct swf_trace *trace);

/* Return the number of a name, or -1.  In the header, text after the name and a
 * blank is ignored.
 */
int32_t swf_name_find(const struct swf_names *names, const char *name);

#define SWF_NAME_SIZE 40

/* Write the name of a number, cut to 39 bytes, or else the number; "-" if it is
 * negative.  names NULL: no names.
 * Result: buf.
 */
const char *swf_name_text(const struct swf_names *names, int32_t number,
			  char buf[SWF_NAME_SIZE]);

/* Return the processors of the machine that wrote the log: MaxProcs, else
 * MaxNodes, else the largest size of a job; at least 1.
 */
uint32_t swf_procs(const struct swf_trace *trace);

/* Return the allocated processors of a job, else the requested ones.  The
 * result is 0 or less if the log has neither.
 */
int32_t swf_job_procs(const struct swf_record *record);

/* Write the sha256 of a file as it is stored, compressed or not, as 64
 * hexadecimal digits.  swf_read() does not compute it, because it takes as long
 * as reading.
 * Result: 0, or -1 with errno of the system.  For standard input hex is "".
 */
int swf_sha256(const char *path, char hex[65], struct libra_error *err);

#endif
