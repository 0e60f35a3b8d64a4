/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sweep_slurm.c - a sweep by the tasks of a Slurm job array.
 *
 * Beside the table is a folder, TABLE.parts: a table for each task, which that
 * task resumes whenever Slurm starts it, and the array's id.  Nothing else is
 * kept.  A later call of the command finds the array, or its tables.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/progress.h"
#include "sim/command/command.h"
#include "sim/command/sweep_job.h"
#include "sim/output/file.h"
#include "sim/output/memory_file.h"

#define PART_POINTS 16	 /* of a task */
#define MOST_PARTS  1000 /* Slurm's default of MaxArraySize is 1001 */
#define LOOK_S	    1	 /* between two looks at the tables */
#define ASK_LOOKS   10	 /* looks between two questions to Slurm */
#define AFTER_LOOKS 5	 /* looks at the files of an array that has ended */

/* The job array of a sweep: its folder, owned, its id and its number of tasks.
 */
struct array {
	char *dir;
	unsigned long id;
	size_t nparts;
};

/* The name of a file of the folder, to be freed, or NULL. */
static char *name_of(const struct array *a, const char *fmt, size_t part)
{
	char name[64], *path;
	size_t n;

	snprintf(name, sizeof(name), fmt, part);
	n = strlen(a->dir) + strlen(name) + 2;
	path = malloc(n);
	if (path)
		snprintf(path, n, "%s/%s", a->dir, name);
	return path;
}

/* ---- the folder ---- */

/* Make the folder of the parts. */
static int open_folder(struct array *a, const char *output,
		       struct libra_error *err)
{
	size_t n = strlen(output) + sizeof(".parts");

	a->dir = malloc(n);
	if (!a->dir)
		return sim_no_memory(err);
	snprintf(a->dir, n, "%s.parts", output);
	if (mkdir(a->dir, 0777) < 0 && errno != EEXIST)
		return libra_errf(err, errno, "%s: %s", a->dir,
				  strerror(errno));
	return 0;
}

/* The array that was submitted, if one was. */
static int read_id(struct array *a, struct libra_error *err)
{
	char *path = name_of(a, "array", 0);
	FILE *fp = path ? fopen(path, "r") : NULL;
	int rc = path ? 0 : sim_no_memory(err);

	a->id = 0;
	a->nparts = 0;
	if (!fp && path && errno != ENOENT)
		rc = libra_errf(err, errno, "%s: %s", path, strerror(errno));
	if (fp && (fscanf(fp, "%lu %zu", &a->id, &a->nparts) != 2 ||
		   a->nparts > MOST_PARTS))
		rc = libra_errf(err, EINVAL,
				"%s: not the id of an array: remove it", path);
	if (fp)
		fclose(fp);
	free(path);
	return rc;
}

/* Store the id of the array and its number of parts. */
static int write_id(const struct array *a, struct libra_error *err)
{
	char *path = name_of(a, "array", 0);
	struct out_file file;

	if (!path)
		return sim_no_memory(err);
	if (out_open(&file, path, err) < 0) {
		free(path);
		return -1;
	}
	free(path);
	fprintf(file.fp, "%lu %zu\n", a->id, a->nparts);
	return out_commit(&file, err);
}

/* Free the rows of all parts. */
static void forget_parts(struct sweep_job *job)
{
	for (size_t i = 0; i < job->nparts; i++)
		sweep_rows_fini(&job->parts[i]);
	free(job->parts);
	job->parts = NULL;
	job->nparts = 0;
}

/* Read the tables of all tasks anew. */
static int read_parts(struct sweep_job *job, const struct array *a,
		      struct libra_error *err)
{
	int rc = 0;

	forget_parts(job);
	job->parts = calloc(a->nparts + 1, sizeof(*job->parts));
	if (!job->parts)
		return sim_no_memory(err);
	job->nparts = a->nparts;
	for (size_t i = 0; rc == 0 && i < a->nparts; i++) {
		char *path = name_of(a, "%zu.csv", i);

		rc = path ? sweep_rows_read(&job->parts[i], &job->sweep, path,
					    err)
			  : sim_no_memory(err);
		free(path);
	}
	return rc;
}

/* Return how many points have no row yet. */
static size_t count_missing(const struct sweep_job *job)
{
	size_t n = 0;

	for (size_t i = 0; i < job->sweep.npoints; i++)
		n += !sweep_job_row(job, i);
	return n;
}

static void remove_file(const struct array *a, const char *fmt, size_t part)
{
	char *path = name_of(a, fmt, part);

	if (path)
		unlink(path);
	free(path);
}

/* Remove the files of the tasks: the table has all rows. */
static void remove_folder(const struct array *a)
{
	for (size_t i = 0; i < a->nparts; i++) {
		remove_file(a, "%zu.csv", i);
		remove_file(a, "%zu.log", i);
	}
	remove_file(a, "array", 0);
	rmdir(a->dir);
}

/* ---- Slurm ---- */

/* Run a program and keep the beginning of its output.
 * Result: its exit status, or -1 with errno.
 */
static int ask(char *const *command, char *said, size_t size, bool errors)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t child;

	if (pipe(ends) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		if (errors)
			dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execvp(command[0], command);
		fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	close(ends[1]);
	while (child > 0 && n + 1 < size &&
	       (got = read(ends[0], said + n, size - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

enum presence { GONE, THERE, HELD, UNKNOWN };

/* Is each line a task's that is held?  By its user, or by Slurm after a start
 * that failed: it waits until somebody releases it.
 */
static bool all_held(char *lines)
{
	for (char *rest, *line = strtok_r(lines, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (!strstr(line, "Held") && !strstr(line, "held"))
			return false;
	return true;
}

/* Ask Slurm whether a task of the array has not ended.  Without an answer of
 * the controller the result is UNKNOWN.
 */
static enum presence is_there(const struct array *a)
{
	char id[32], said[MOST_PARTS * 64];
	char *command[] = {"squeue", "-h", "-o", "%r", "-j", id, NULL};
	int status;

	snprintf(id, sizeof(id), "%lu", a->id);
	status = ask(command, said, sizeof(said), true);
	if (status == 0 && strspn(said, " \n") == strlen(said))
		return GONE;
	if (status == 0)
		return all_held(said) ? HELD : THERE;
	return strstr(said, "Invalid job id") ? GONE : UNKNOWN;
}

/* The text in quotes of the shell. */
static void quote(FILE *fp, const char *text)
{
	fputc('\'', fp);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", fp);
		else
			fputc(*text, fp);
	fputc('\'', fp);
}

/* Return the script of a task, or NULL.  Owner: the caller frees it. */
static char *make_script(const struct sweep_job *job, const struct array *a)
{
	char self[4096], *text = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t size;
	FILE *fp = n > 0 ? out_memory(&text, &size) : NULL;

	if (!fp)
		return NULL;
	self[n] = '\0';
	fputs("exec ", fp);
	quote(fp, self);
	fputs(" sweep ", fp);
	quote(fp, job->args->file);
	fputs(" -q -j ${SLURM_CPUS_PER_TASK:-1} --part "
	      "${SLURM_ARRAY_TASK_ID}",
	      fp);
	fprintf(fp, "/%zu -o ", a->nparts);
	quote(fp, a->dir);
	fputs("/${SLURM_ARRAY_TASK_ID}.csv", fp);
	if (fclose(fp) == 0)
		return text;
	free(text);
	return NULL;
}

/* The tasks that have something to do: "0,3,4". */
static char *list_tasks(const struct sweep_job *job, const struct array *a)
{
	char *text = NULL;
	size_t size;
	FILE *fp = out_memory(&text, &size);
	const char *sep = "";

	for (size_t k = 0; fp && k < a->nparts; k++) {
		size_t i = k;

		while (i < job->sweep.npoints && sweep_job_row(job, i))
			i += a->nparts;
		if (i >= job->sweep.npoints)
			continue;
		fprintf(fp, "%s%zu", sep, k);
		sep = ",";
	}
	if (fp && fclose(fp) == 0)
		return text;
	free(text);
	return NULL;
}

/* Return the arguments of sbatch.  The user's options come last, so they win.
 */
static char **make_command(char *const *options, char *array, char *log,
			   char *script)
{
	static char name[] = "sbatch", parsable[] = "--parsable";
	static char requeue[] = "--requeue", title[] = "--job-name=librasim";
	char *const first[] = {name, parsable, requeue, title, array, log};
	size_t n = sizeof(first) / sizeof(*first), k = 0;
	char **command;

	while (options[k])
		k++;
	command = calloc(n + k + 2, sizeof(*command));
	if (!command)
		return NULL;
	memcpy(command, first, sizeof(first));
	memcpy(command + n, options, k * sizeof(*options));
	command[n + k] = script;
	return command;
}

/* "prefix" and text, to be freed, or NULL. */
static char *joined(const char *prefix, const char *text)
{
	size_t n = text ? strlen(prefix) + strlen(text) + 1 : 0;
	char *both = text ? malloc(n) : NULL;

	if (both)
		snprintf(both, n, "%s%s", prefix, text);
	return both;
}

/* Submit the array by sbatch, and store its id. */
static int submit_array(const struct sweep_job *job, struct array *a,
			struct libra_error *err)
{
	char *tasks = list_tasks(job, a), *text = make_script(job, a);
	char *array = joined("--array=", tasks),
	     *wrap = joined("--wrap=", text);
	char *dir = joined("--output=", a->dir), *log = NULL;
	char **command = NULL, said[256];
	int rc = -1, status;

	if (dir)
		log = malloc(strlen(dir) + sizeof("/%a.log"));
	if (log)
		sprintf(log, "%s/%%a.log", dir);
	if (array && wrap && log)
		command = make_command(job->args->sbatch, array, log, wrap);
	if (!command) {
		rc = sim_no_memory(err);
	} else {
		status = ask(command, said, sizeof(said), false);
		if (status != 0 || sscanf(said, "%lu", &a->id) != 1)
			libra_errf(
				err, ECHILD,
				status == 127
					? "sbatch was not found: --slurm needs "
					  "a machine that submits to Slurm"
					: "sbatch refused the array");
		else
			rc = write_id(a, err);
	}
	free(command);
	free(tasks);
	free(text);
	free(array);
	free(wrap);
	free(dir);
	free(log);
	return rc;
}

/* ---- all of it ---- */

/* A new array: each part begins with the rows that are known. */
static int begin_array(struct sweep_job *job, struct array *a,
		       struct libra_error *err)
{
	size_t n = (job->sweep.npoints + PART_POINTS - 1) / PART_POINTS;

	/* Rows of parts that are no more are in the table from here on. */
	if (sweep_job_write(job, job->args->output, 0, 1, err) < 0)
		return -1;
	remove_folder(a);
	a->nparts = n < MOST_PARTS ? n : MOST_PARTS;
	if (mkdir(a->dir, 0777) < 0 && errno != EEXIST)
		return libra_errf(err, errno, "%s: %s", a->dir,
				  strerror(errno));
	for (size_t k = 0; k < a->nparts; k++) {
		char *path = name_of(a, "%zu.csv", k);
		int rc = path ? sweep_job_write(job, path, k, a->nparts, err)
			      : sim_no_memory(err);

		free(path);
		if (rc < 0)
			return -1;
	}
	if (submit_array(job, a, err) < 0)
		return -1;
	if (!job->args->quiet)
		fprintf(stderr,
			"array %lu: %zu points; to stop it: scancel %lu\n",
			a->id, count_missing(job), a->id);
	return 0;
}

static int missing_error(const struct sweep_job *job, const struct array *a,
			 size_t missing, struct libra_error *err)
{
	return libra_errf(err, ECHILD,
			  "array %lu ended without %zu of %zu points: see "
			  "%s/*.log, and run this again to submit the rest",
			  a->id, missing, job->sweep.npoints, a->dir);
}

/* Print why an array does not go on. */
static void say_presence(struct sweep_job *job, const struct array *a,
			 enum presence there)
{
	if (there != UNKNOWN && there != HELD)
		return;
	progress_clear(&job->bar);
	if (there == UNKNOWN)
		fputs("slurmctld does not answer: the array goes on without "
		      "it\n",
		      stderr);
	else
		fprintf(stderr,
			"array %lu: what is left of it is held: scontrol "
			"release %lu lets it go on\n",
			a->id, a->id);
}

/* Until all points have rows, or the array is gone and has left some out. */
static int follow(struct sweep_job *job, const struct array *a,
		  struct libra_error *err)
{
	unsigned looks = 0, after = 0;
	enum presence there = THERE, before = THERE;

	for (;;) {
		const struct timespec pause = {LOOK_S, 0};
		size_t missing;

		if (read_parts(job, a, err) < 0)
			return -1;
		missing = count_missing(job);
		if (!job->args->quiet)
			progress_show(&job->bar,
				      (double)(job->sweep.npoints - missing),
				      (double)job->sweep.npoints);
		if (missing == 0)
			return 0;
		if (++looks % ASK_LOOKS == 0 || after > 0)
			there = is_there(a);
		if (there != before && !job->args->quiet)
			say_presence(job, a, there);
		before = there;
		after = there == GONE ? after + 1 : 0;
		if (after > AFTER_LOOKS)
			return missing_error(job, a, missing, err);
		nanosleep(&pause, NULL);
	}
}

int sweep_slurm(struct sweep_job *job, struct libra_error *err)
{
	struct array a = {NULL};
	int rc = -1;

	/* The file may have had other points when the parts were made. */
	job->anywhere = true;
	if (open_folder(&a, job->args->output, err) == 0 &&
	    read_id(&a, err) == 0 && read_parts(job, &a, err) == 0)
		rc = 0;
	if (rc == 0 && count_missing(job) > 0) {
		if (a.id == 0 || is_there(&a) == GONE)
			rc = begin_array(job, &a, err);
		else if (!job->args->quiet)
			fprintf(stderr, "array %lu goes on\n", a.id);
		job->anywhere = rc < 0;
		if (rc == 0)
			rc = follow(job, &a, err);
		job->anywhere = true;
	}
	if (sweep_job_write(job, job->args->output, 0, 1,
			    rc == 0 ? err : NULL) < 0)
		rc = -1;
	if (rc == 0)
		remove_folder(&a);
	forget_parts(job);
	free(a.dir);
	return rc;
}
