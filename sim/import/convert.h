/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * convert.h - make a record of the texts of a row.  The rules for the traps of
 * real logs are in librasim-import-formats(5).
 *
 * import.c calls this once for each row of any format.
 */
#ifndef SIM_IMPORT_CONVERT_H
#define SIM_IMPORT_CONVERT_H

#include "sim/import/import.h"
#include "sim/import/row.h"

/* Convert a row to a record: times in seconds since 1970, sizes in processors,
 * names as numbers of im's tables.  Marks on the record are the reasons of
 * changes and guesses; import_finish() counts them.
 * Result: 1 with the record, 0 if the row was dropped (then it is counted), or
 *         -1 with EINVAL (local time without a zone, another cluster) or
 *         ENOMEM.
 */
int import_convert(struct import *im, const struct import_row *row,
		   struct import_record *rec, struct libra_error *err);

#endif
