/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site_impl.h - shared functions of the readers of a site's files: memory that
 * lives as long as the site, values in fields of structs, and tables.
 *
 * Each reader fills one array of struct slurm_site.  A reader opens its file
 * with site_open(), or has site_read_records() or site_read_table() do so.
 *
 * Callers: only the files site*.c, in one thread.  Functions that return int
 * and document no other result return 0, or -1 with errno and the text of the
 * error.  site_alloc(), site_text(), site_append(), site_add_tres() and
 * site_count_partition() set no text: the caller returns sim_no_memory(err).
 */
#ifndef SIM_SLURM_SITE_IMPL_H
#define SIM_SLURM_SITE_IMPL_H

#include "sim/base/input.h"
#include "sim/base/names.h"
#include "sim/slurm/site.h"

enum { SITE_COLUMNS_MAX = 128 };

/* Memory of a site, which slurm_site_fini() frees. */
struct slurm_store {
	struct site_chunk *chunks;
	struct names texts;	 /* each text once */
	struct names lists;	 /* of TRES amounts, by text */
	const int64_t **amounts; /* of lists[number - 1] */
	size_t amounts_cap;
	struct names users, unknown;
	struct site_setting {
		const char *name, *value;
	} * settings;
	size_t nsettings;
	uint32_t *by_name; /* indices of nodes, sorted by name */
	uint32_t *by_user; /* of associations, by user, account, partition */
	/* Capacities of the site's arrays: unknown 0, nodes 1, partitions 2,
	 * reservations 3, qos 4, outages 5, assocs 6, jobs 7.
	 */
	size_t caps[16];
};

/* A file that is being read.  While the file is open, the struct must not move,
 * because `in` points to `path`.
 */
struct site_file {
	struct slurm_site *site;
	struct input in;
	struct libra_error *err;
	const char *file; /* such as "qos.txt" */
	char path[4096];
	bool open;
};

/* ---- memory ---- */

/* Allocate n zeroed bytes, aligned to 16.
 * Result: the memory, or NULL with ENOMEM.
 * Owner:  the site.
 */
void *site_alloc(struct slurm_site *site, size_t n);

/* Store a text, once for all equal texts.
 * Result: the stored text, or NULL with ENOMEM.
 * Owner:  the site.
 */
const char *site_text(struct slurm_site *site, struct import_text t);

/* Append a zeroed element of `size` bytes to one of the site's arrays, and add
 * 1 to *n, the number of its elements.  array_of_pointer: the address of the
 * array's pointer.  which: the array's number in store->caps.  The array may
 * move, so earlier pointers to elements become invalid.
 * Result: the element, or NULL with ENOMEM; array and *n are then unchanged.
 * Owner:  slurm_site_fini() frees the array.
 */
void *site_append(struct slurm_site *site, void *array_of_pointer, size_t *n,
		  size_t size, unsigned which);

/* Count a text that the reader does not know in site->unknown.  `what` is its
 * kind, such as "key" or "node".  t is cut to 80 bytes.
 * Result: 0, or -1 with ENOMEM.
 */
int site_unknown(struct site_file *f, const char *what, struct import_text t);

/* ---- files ---- */

/* Open folder/file, plain or with .gz or .zst.
 * Result: 1; 0 if there is no such file; or -1 with errno of the system,
 *         ENAMETOOLONG or ENOMEM.
 * Owner:  the caller calls site_close(); after 0 or -1 it need not.  `file` and
 *         err must live as long as f.
 */
int site_open(struct site_file *f, struct slurm_site *site, const char *folder,
	      const char *file, struct libra_error *err);
void site_close(struct site_file *f);

/* Set an error that names the line read last; the text says what is wrong and
 * what to do.  Result: -1 with EINVAL.
 */
int site_fail(struct site_file *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- values ---- */

/* The type of a member and how its text is read.  "Empty" includes the texts of
 * site_is_none().  UNLIMITED includes INFINITE, NONE and -1.  "(empty)": an
 * empty text leaves the member as it was.  SITE_U32 and SITE_TIME32 take None
 * for UNLIMITED and refuse Unknown.
 */
enum site_kind {
	SITE_SKIP,   /* known, and not needed */
	SITE_TEXT,   /* const char *; "" where empty */
	SITE_NUMBER, /* int64_t; SLURM_UNLIMITED where empty or UNLIMITED */
	SITE_U32,    /* uint32_t; UINT32_MAX where UNLIMITED; (empty) */
	SITE_DOUBLE, /* double; (empty) */
	SITE_YES,    /* bool: true for YES and 1, else false */
	SITE_MB,     /* int64_t megabytes; else as SITE_NUMBER */
	SITE_WALL,   /* int64_t seconds of [D-]HH:MM:SS; else as SITE_NUMBER */
	SITE_TIME32, /* uint32_t seconds; else as SITE_U32 */
	SITE_TRES,   /* slurm_amounts: limits; (empty) */
	SITE_COUNTS, /* const int64_t *: amounts, 0 where not said */
	SITE_OWN,    /* site_set() does nothing: the reader sets the member */
};

struct site_field {
	const char *name;
	enum site_kind kind;
	size_t at; /* offset in the object */
};

/* Convert a value by the kind of its field, and store it in the object.
 * Result: 0, or -1 with ENOMEM, or EINVAL (the text names file and line).
 */
int site_set(struct site_file *f, const struct site_field *field, void *object,
	     struct import_text value);

/* Return the field of this name, in capitals or not; NULL if the table has
 * none.
 */
const struct site_field *site_find_field(const struct site_field *fields,
					 size_t n, struct import_text name);

/* Read the amounts of a list such as cpu=8,mem=16000M.  A resource that the
 * list lacks, or names as UNLIMITED, has `unset`: 0 or SLURM_UNLIMITED.  TRES
 * that the site lacks are counted (site_unknown()), once for equal lists.
 * Result: int64_t[SLURM_TRES_MAX], or NULL with ENOMEM or EINVAL.
 * Owner:  the site.  Equal lists share one array, which nobody may change.
 */
const int64_t *site_amounts(struct site_file *f, struct import_text t,
			    int64_t unset);

/* Read the weights of a list such as CPU=1.0,Mem=0.25G.  The weight of memory
 * is that of a megabyte.  A resource that the list lacks has 0.
 * Result: double[SLURM_TRES_MAX]; NULL with ENOMEM or EINVAL, or with errno 0
 *         if the text stands for no value.
 * Owner:  the site.
 */
const double *site_weights(struct site_file *f, struct import_text t);

/* Remove the first part of a list, up to the separator, and return it in *part.
 * Nothing is copied.  A part may be empty, except behind a last separator.
 * Result: false at the end of the list; *part is unchanged.
 */
bool site_next(struct import_text *list, char separator,
	       struct import_text *part);

/* Return true if a text stands for no value: empty, (null), N/A, None, Unknown.
 * Capital letters do not matter.
 */
bool site_is_none(struct import_text t);

/* Read an amount such as 16000M or 1.5K, rounded down.  K is 1024.  memory: *n
 * is megabytes, and so is a number without a unit.
 * Result: false if the text is no amount.
 */
bool site_amount(struct import_text t, bool memory, int64_t *n);

/* Read an instant in UTC, without a zone, as seconds since 1970; *at_s is 0 if
 * the text stands for no value.  Result: 0, or -1 with EINVAL.
 */
int site_instant(struct site_file *f, struct import_text t, int64_t *at_s);

/* Return the index of a TRES, and add the TRES if it is new.  A TRES that
 * exists keeps its id if `id` is 0.  A tracked TRES stays tracked.
 * Result: the index; SLURM_NONE: memory is out, or if site->ntres is
 *         SLURM_TRES_MAX there are too many.
 */
uint32_t site_add_tres(struct slurm_site *site, struct import_text name,
		       uint32_t id, bool tracked);

/* Expand n[01-03,07],x1 into node indices, ascending, each once.  The nodes
 * must have been read.  Unknown names are counted (site_unknown()).
 * Result: 0 with *nodes and *n (NULL and 0: no node), or -1 with ENOMEM or
 *         EINVAL.
 * Owner:  the site.
 */
int site_node_list(struct site_file *f, struct import_text t,
		   const uint32_t **nodes, size_t *n);

/* Read a PreemptMode.  Words that are no mode are ignored.
 * Result: a mode with the bits of WITHIN and GANG; SLURM_PREEMPT_CLUSTER: the
 *         text names no mode.
 */
uint8_t site_preempt_mode(struct import_text t);

/* ---- records of Key=Value: scontrol ---- */

/* How the records of a file are read. */
struct site_records {
	const char *first; /* the key that begins a record */
	const struct site_field *fields;
	size_t nfields;
	/* Begin a record; name is the value of `first`.  Result: its object,
	 * or NULL with ENOMEM.  The object must not move before end().
	 */
	void *(*begin)(struct site_file *f, struct import_text name);
	/* Set a member from a key of kind SITE_OWN; key is the field's name.
	 * Result: 0, or -1 with errno and text; of end() as well.
	 */
	int (*own)(struct site_file *f, const char *key, void *object,
		   struct import_text value);
	/* Finish and check a record after its last key. */
	int (*end)(struct site_file *f, void *object);
};

/* Read all records of a file.  Keys that `fields` lacks are counted
 * (site_unknown()).  Lines that do not begin with Key= are skipped.
 * Result: 1; 0 if there is no file; or -1 with errno and text.
 */
int site_read_records(struct slurm_site *site, const char *folder,
		      const char *file, const struct site_records *records,
		      struct libra_error *err);

/* ---- tables: sacctmgr -P, sshare -P ---- */

struct site_table {
	struct site_file f;
	size_t n; /* columns */
	/* values of this row, not trimmed; valid until row() returns */
	struct import_text field[SITE_COLUMNS_MAX];
	const struct site_field *column[SITE_COLUMNS_MAX]; /* NULL: unknown */
};

/* Read a table: call row() for each row, whose values are in field[].  Columns
 * that `fields` lacks are counted (site_unknown()).  The column `needed` must
 * be in `fields` and in the heading.  Of a recording with several samples, each
 * behind a line of ###, only the first is read.
 * Result: 0, also if there is no file or the file is empty; or -1 with errno
 *         and text, also if row() returns -1.
 */
int site_read_table(struct slurm_site *site, const char *folder,
		    const char *file, const struct site_field *fields,
		    size_t nfields, const char *needed,
		    int (*row)(struct site_table *t), struct libra_error *err);

/* Set all columns of the row but those of kind SITE_OWN. */
int site_table_set(struct site_table *t, void *object);

/* Return the trimmed value of a column, by the spelling of its name in the
 * fields of the table; empty if there is no such column.
 */
struct import_text site_table_value(const struct site_table *t,
				    const char *column);

/* ---- the files ---- */

/* Read one file each into its array.  slurm_site_read() calls each once, in the
 * order that the files need: config, TRES, nodes, QOS, partitions, and then the
 * rest, with jobs last.
 * Result: 0, or -1 with err.  A missing file is no error, unless it is needed:
 *         -1 with ENOENT.
 */
int site_read_config(struct slurm_site *site, const char *folder,
		     struct libra_error *err);
int site_read_tres(struct slurm_site *site, const char *folder,
		   struct libra_error *err);
/* Set config.priority.tres from PriorityWeightTRES.  The TRES must have been
 * read.  site_read_config() sets all other weights.
 */
int site_read_priority(struct slurm_site *site, struct libra_error *err);
int site_read_nodes(struct slurm_site *site, const char *folder,
		    struct libra_error *err);
int site_read_qos(struct slurm_site *site, const char *folder,
		  struct libra_error *err);
int site_read_partitions(struct slurm_site *site, const char *folder,
			 struct libra_error *err);
int site_read_reservations(struct slurm_site *site, const char *folder,
			   struct libra_error *err);
int site_read_assocs(struct slurm_site *site, const char *folder,
		     struct libra_error *err);
int site_read_shares(struct slurm_site *site, const char *folder,
		     struct libra_error *err);
int site_read_jobs(struct slurm_site *site, const char *folder,
		   struct libra_error *err);
int site_read_outages(struct slurm_site *site, const char *folder,
		      struct libra_error *err);

/* ---- changes (site_change.c) ---- */

/* Apply one change.  Names that the site lacks are counted (site_unknown()),
 * and the result may still be 1: slurm_site_change() compares the counts.
 * Result: 1; 0 if the key or the value is unknown; or -1 with ENOMEM.
 *         site_change_nodes(): also -1 with EINVAL and text, if a new name
 *         exists already.  After 0 or -1 a part may have been changed.
 */
int site_change_config(struct site_file *f, struct import_text key,
		       struct import_text value);
int site_change_qos(struct site_file *f, struct slurm_qos *qos,
		    struct import_text key, struct import_text value);
int site_change_partition(struct site_file *f, struct slurm_partition *part,
			  struct import_text key, struct import_text value);
int site_change_nodes(struct site_file *f, struct import_text value);

/* Set part->tres to the sum of the partition's nodes.  Result: 0, or -1 with
 * ENOMEM.
 */
int site_count_partition(struct slurm_site *site, struct slurm_partition *part);

#endif
