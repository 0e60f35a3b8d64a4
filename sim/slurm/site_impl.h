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
 * error.
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
	size_t caps[16];   /* of the site's arrays */
};

/* A file that is being read. */
struct site_file {
	struct slurm_site *site;
	struct input in;
	struct libra_error *err;
	const char *file; /* such as "qos.txt" */
	char path[4096];
	bool open;
};

/* ---- memory ---- */

/* Allocate n zeroed bytes.
 * Result: NULL with ENOMEM.
 * Owner:  the site.
 */
void *site_alloc(struct slurm_site *site, size_t n);

/* Store a text, once for all equal texts.
 * Result: the stored text, or NULL with ENOMEM.
 * Owner:  the site.
 */
const char *site_text(struct slurm_site *site, struct import_text t);

/* Append a zeroed element of `size` bytes to one of the site's arrays, of *n
 * elements.  array_of_pointer: the address of the array's pointer.  which: the
 * array's number in store->caps.  Elements may move.
 * Result: the element, or NULL with ENOMEM.
 * Owner:  slurm_site_fini() frees the array.
 */
void *site_append(struct slurm_site *site, void *array_of_pointer, size_t *n,
		  size_t size, unsigned which);

/* Count a key or value that was not understood.  Result: 0, or -1 with ENOMEM.
 */
int site_unknown(struct site_file *f, const char *what, struct import_text t);

/* ---- files ---- */

/* Open folder/file, plain or with .gz or .zst.
 * Result: 1; 0 if there is no such file; or -1 with errno of the system.
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

enum site_kind {
	SITE_SKIP,   /* known, and not needed */
	SITE_TEXT,   /* const char * */
	SITE_NUMBER, /* int64_t; SLURM_UNLIMITED where empty or UNLIMITED */
	SITE_U32,    /* uint32_t; UINT32_MAX where UNLIMITED, else as it was */
	SITE_DOUBLE, /* double; as it was where empty */
	SITE_YES,    /* bool: YES, 1 */
	SITE_MB,     /* int64_t: memory; SLURM_UNLIMITED as for numbers */
	SITE_WALL,   /* int64_t seconds of [D-]HH:MM:SS */
	SITE_TIME32, /* uint32_t seconds; SLURM_INFINITE where UNLIMITED */
	SITE_TRES,   /* slurm_amounts: limits; NULL where empty */
	SITE_COUNTS, /* const int64_t *: amounts, 0 where not said */
	SITE_OWN,    /* not set here: the reader of the file does so */
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

/* Read the amounts of a list such as cpu=8,mem=16000M; a resource that the list
 * lacks has `unset`.
 * Result: int64_t[ntres], owned by the site, or NULL with ENOMEM or EINVAL.
 */
const int64_t *site_amounts(struct site_file *f, struct import_text t,
			    int64_t unset);

/* Read the weights of a list such as CPU=1.0,Mem=0.25G; the weight of memory is
 * that of a megabyte.
 * Result: double[SLURM_TRES_MAX], owned by the site; NULL with ENOMEM or
 *         EINVAL, or with errno 0 if the text stands for no value.
 */
const double *site_weights(struct site_file *f, struct import_text t);

/* Remove the first part of a list, up to the separator, and return it in *part.
 * Result: false at the end of the list.
 */
bool site_next(struct import_text *list, char separator,
	       struct import_text *part);

/* Return true if a text stands for no value: empty, (null), N/A, None, Unknown.
 */
bool site_is_none(struct import_text t);

/* Read an amount such as 16000M or 1.5K; an amount of memory in megabytes.
 * Result: false if the text is no amount.
 */
bool site_amount(struct import_text t, bool memory, int64_t *n);

/* Read an instant; *at_s is 0 for none.  Result: 0, or -1 with EINVAL. */
int site_instant(struct site_file *f, struct import_text t, int64_t *at_s);

/* Return the index of a TRES, and add the TRES if it is new; SLURM_NONE: there
 * are too many.
 */
uint32_t site_add_tres(struct slurm_site *site, struct import_text name,
		       uint32_t id, bool tracked);

/* Expand n[01-03,07],x1 into node indices, ascending.  Unknown names are
 * counted (site_unknown()).
 * Result: 0, or -1 with ENOMEM or EINVAL.
 */
int site_node_list(struct site_file *f, struct import_text t,
		   const uint32_t **nodes, size_t *n);

/* Read a PreemptMode: SLURM_PREEMPT_CLUSTER, or a mode with the bits of WITHIN
 * and GANG.
 */
uint8_t site_preempt_mode(struct import_text t);

/* ---- records of Key=Value: scontrol ---- */

/* How the records of a file are read. */
struct site_records {
	const char *first; /* the key that begins a record */
	const struct site_field *fields;
	size_t nfields;
	/* Begin a record: its object, or NULL with ENOMEM. */
	void *(*begin)(struct site_file *f, struct import_text name);
	/* Set a member from a key of kind SITE_OWN.  Result: 0 or -1. */
	int (*own)(struct site_file *f, const char *key, void *object,
		   struct import_text value);
	/* Finish and check a record after its last key.  Result: 0 or -1. */
	int (*end)(struct site_file *f, void *object);
};

/* Read all records of a file; keys that fields lacks are counted.
 * Result: 1, 0 if there is no file, or -1.
 */
int site_read_records(struct slurm_site *site, const char *folder,
		      const char *file, const struct site_records *records,
		      struct libra_error *err);

/* ---- tables: sacctmgr -P, sshare -P ---- */

struct site_table {
	struct site_file f;
	size_t n; /* columns */
	struct import_text field[SITE_COLUMNS_MAX];
	const struct site_field *column[SITE_COLUMNS_MAX];
};

/* Read a table: call row() for each row, whose values are in field[].  Columns
 * that `fields` lacks are counted.  The column `needed` must exist.
 * Result: 0, also if there is no file or it is empty; or -1, also if row()
 *         returns -1.
 */
int site_read_table(struct slurm_site *site, const char *folder,
		    const char *file, const struct site_field *fields,
		    size_t nfields, const char *needed,
		    int (*row)(struct site_table *t), struct libra_error *err);

/* Set all columns of the row but those of kind SITE_OWN. */
int site_table_set(struct site_table *t, void *object);

/* Return the value of a column by its name; empty if there is no such column.
 */
struct import_text site_table_value(const struct site_table *t,
				    const char *column);

/* ---- the files ---- */

/* Read one file each into its array.  slurm_site_read() calls these in the
 * order that they need: TRES before nodes, QOS before partitions and
 * associations. Result: 0, or -1 with err; without the file 0, or ENOENT if it
 * is needed.
 */

int site_read_config(struct slurm_site *site, const char *folder,
		     struct libra_error *err);
int site_read_tres(struct slurm_site *site, const char *folder,
		   struct libra_error *err);
/* Set the weights of priorities; it needs the TRES. */
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

/* Apply one change.  Result of each: 1; 0 if the key or the value is unknown;
 * or -1 with ENOMEM.
 */
int site_change_config(struct site_file *f, struct import_text key,
		       struct import_text value);
int site_change_qos(struct site_file *f, struct slurm_qos *qos,
		    struct import_text key, struct import_text value);
int site_change_partition(struct site_file *f, struct slurm_partition *part,
			  struct import_text key, struct import_text value);
int site_change_nodes(struct site_file *f, struct import_text value);

/* Count a partition's resources by its nodes.  Result: 0, or -1 with ENOMEM. */
int site_count_partition(struct slurm_site *site, struct slurm_partition *part);

#endif
