/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.c - gnuplot is run, and its SVG adapted to a page.
 *
 * Script and picture go through unnamed temporary files, so that neither side
 * ever waits for the other.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/output/file.h"
#include "sim/output/memory_file.h"
#include "sim/output/text.h"
#include "sim/report/plot.h"
#include "sim/report/plot_script.h"

/* ---- the program ---- */

/* Read a file from its beginning.  Owner: the caller frees the text. */
static char *slurp(FILE *fp)
{
	char *text = NULL;
	size_t size = 0;
	FILE *mem = out_memory(&text, &size);
	char buf[4096];
	size_t n;

	if (!mem)
		return NULL;
	rewind(fp);
	while ((n = fread(buf, 1, sizeof(buf), fp)) > 0)
		fwrite(buf, 1, n, mem);
	if (fclose(mem) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* Result: exit status of gnuplot, or -1 with errno (ENOENT: there is none). */
static int spawn_gnuplot(FILE *in, FILE *out, FILE *log)
{
	char *argv[] = {"gnuplot", "-d", NULL};
	char *envp[] = {NULL, "LC_ALL=C", NULL};
	posix_spawn_file_actions_t actions;
	const char *path = getenv("PATH");
	const int fds[3] = {fileno(in), fileno(out), fileno(log)};
	int rc = 0, status;
	pid_t pid;

	if (asprintf(&envp[0], "PATH=%s", path ? path : "/usr/bin:/bin") < 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3 && rc == 0; i++)
		rc = posix_spawn_file_actions_adddup2(&actions, fds[i], i);
	if (rc == 0)
		rc = posix_spawnp(&pid, argv[0], &actions, NULL, argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	free(envp[0]);
	if (rc != 0) {
		errno = rc;
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	/* If posix_spawn() cannot report a failure, its child exits with 127.
	 */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		errno = ENOENT;
		return -1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Report the first line of gnuplot's errors. */
static int gnuplot_error(FILE *log, struct libra_error *err)
{
	char line[200] = "it says nothing";

	rewind(log);
	while (fgets(line, sizeof(line), log))
		if (line[strspn(line, " \t\n^")] != '\0')
			break;
	line[strcspn(line, "\n")] = '\0';
	return libra_errf(err, EIO, "gnuplot failed: %s", line);
}

/* ---- from a picture to a part of a page ---- */

/* A text of gnuplot's SVG, and what replaces it. */
struct edit {
	const char *from;
	const char *before, *after; /* written around the plot's id */
	bool with_id;
};

/* Colours follow the page, and ids become unique in it. */
static const struct edit edits[] = {
	{" color=\"black\"", "", "", false},
	{"='black'", "='currentColor'", "", false},
	{"=\"black\"", "=\"currentColor\"", "", false},
	{"id='gp", "id='", "gp", true},
	{"'#gp", "'#", "gp", true},
	{"id=\"gnuplot_canvas\"", "id=\"", "canvas\"", true},
	{"id='textbox'", "id='", "textbox'", true},
	{"id='greybox'", "id='", "greybox'", true},
	{"<svg ", "<svg class=\"plot\" role=\"img\" ", "", false},
};

#define NEDITS (sizeof(edits) / sizeof(edits[0]))

/* Replace what an edit names.  Result: bytes replaced, 0 = none. */
static size_t apply_edit(FILE *fp, const char *at, const char *id)
{
	for (size_t i = 0; i < NEDITS; i++) {
		const struct edit *e = &edits[i];
		size_t len = strlen(e->from);

		if (strncmp(at, e->from, len) != 0)
			continue;
		fprintf(fp, "%s%s%s%s", e->before, e->with_id ? id : "",
			e->with_id ? "-" : "", e->after);
		return len;
	}
	return 0;
}

/* Where the window is narrow letters are larger. */
static const char style_alone[] =
	"\n<style>svg:root{color-scheme:light dark;background:Canvas;"
	"color:CanvasText}@media(max-width:480px){text{font-size:15px}}"
	"</style>";

/* Remove the terminal's name, which a reader would see. */
static size_t skip_title(FILE *fp, const char *at, const struct plot *p,
			 bool *done)
{
	const char *end = strstr(at, "</title>");

	if (*done || !end || strncmp(at, "<title>", 7) != 0)
		return 0;
	*done = true;
	fputs("<title>", fp);
	out_html(fp, p->title);
	fputs("</title>", fp);
	if (p->alone)
		fputs(style_alone, fp);
	return (size_t)(end - at) + strlen("</title>");
}

/* Remove the white mark under each mark, which a dark page would show. */
static size_t skip_white(const char *at)
{
	const char *end = strncmp(at, "<use ", 5) ? NULL : strstr(at, "/>");
	const char *white = end ? strstr(at, "color='white'") : NULL;

	return white && white < end ? (size_t)(end - at) + 2 : 0;
}

/* Adapt gnuplot's SVG to a page.  Result: 0, or -1 with ENOMEM. */
static int fit_page(const struct plot *p, const char *raw, char **svg)
{
	const char *at = strstr(raw, "<svg");
	bool titled = false;
	size_t size;
	FILE *fp = out_memory(svg, &size);

	if (!fp)
		return -1;
	while (at && *at) {
		size_t len = skip_title(fp, at, p, &titled);

		if (len == 0)
			len = skip_white(at);
		if (len == 0)
			len = apply_edit(fp, at, p->id);
		if (len == 0) {
			putc(*at, fp);
			len = 1;
		}
		at += len;
	}
	if (fclose(fp) != 0) {
		free(*svg);
		*svg = NULL;
		return -1;
	}
	return 0;
}

/* Write the script, and check all writes: gnuplot would draw half a script
 * without an error.
 */
static int write_script(FILE *in, const struct plot *plot,
			struct libra_error *err)
{
	if (plot_script(in, plot) < 0)
		return sim_no_memory(err);
	if (out_flush(in) == 0) {
		rewind(in);
		return 0;
	}
	return libra_errf(err, errno, "cannot write a temporary file: %s",
			  strerror(errno));
}

int plot_svg(const struct plot *plot, char **svg, struct libra_error *err)
{
	FILE *in = tmpfile(), *out = tmpfile(), *log = tmpfile();
	char *raw = NULL;
	int rc, status;

	*svg = NULL;
	if (!in || !out || !log) {
		rc = libra_errf(err, errno, "cannot make a temporary file: %s",
				strerror(errno));
		goto done;
	}
	rc = write_script(in, plot, err);
	if (rc < 0)
		goto done;
	status = spawn_gnuplot(in, out, log);
	if (status < 0) {
		rc = errno == ENOENT ? 0
				     : libra_errf(err, errno, "gnuplot: %s",
						  strerror(errno));
		goto done;
	}
	if (status != 0) {
		rc = gnuplot_error(log, err);
		goto done;
	}
	raw = slurp(out);
	if (raw && !strstr(raw, "</svg>"))
		rc = libra_errf(err, EIO,
				"gnuplot's figure is not whole: is the disk "
				"of temporary files full?");
	else if (!raw || fit_page(plot, raw, svg) < 0)
		rc = sim_no_memory(err);
	else
		rc = 0;
done:
	free(raw);
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	if (log)
		fclose(log);
	return rc;
}
