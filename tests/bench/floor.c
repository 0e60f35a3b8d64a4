/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor.c - floor FILE: the least that a program of logs does.
 *
 * Reads a log in the Standard Workload Format, not compressed, whole, and turns
 * the 18 fields of each record into numbers, in a plain loop; prints how many
 * records there are, and the sum of all fields, so that nothing is left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 18 };

static char *read_all(const char *path, size_t *n)
{
	FILE *fp = fopen(path, "rb");
	char *text = NULL;
	long size = -1;

	if (fp && fseek(fp, 0, SEEK_END) == 0)
		size = ftell(fp);
	if (size >= 0)
		text = malloc((size_t)size + 1);
	if (text) {
		rewind(fp);
		*n = fread(text, 1, (size_t)size, fp);
		text[*n] = '\0';
	}
	if (fp)
		fclose(fp);
	return text;
}

/* Digits with a sign and a fraction; nothing else is in these logs. */
static double number(const char **at)
{
	const char *c = *at;
	double value = 0, unit = 1;
	int minus;

	while (*c == ' ' || *c == '\t')
		c++;
	minus = *c == '-';
	c += minus;
	for (; *c >= '0' && *c <= '9'; c++)
		value = value * 10 + (*c - '0');
	if (*c == '.')
		for (c++; *c >= '0' && *c <= '9'; c++)
			value += (*c - '0') * (unit /= 10);
	*at = c;
	return minus ? -value : value;
}

int main(int argc, char **argv)
{
	size_t n = 0, records = 0;
	char *text = argc == 2 ? read_all(argv[1], &n) : NULL;
	const char *at = text;
	double sum = 0;

	if (!text) {
		fprintf(stderr, "usage: floor FILE\n");
		return 2;
	}
	while (at < text + n) {
		double field[FIELDS];
		const char *end = strchr(at, '\n');

		if (*at != ';') {
			for (int i = 0; i < FIELDS; i++)
				field[i] = number(&at);
			for (int i = 0; i < FIELDS; i++)
				sum += field[i];
			records++;
		}
		at = end ? end + 1 : text + n;
	}
	printf("%zu %.0f\n", records, sum);
	free(text);
	return 0;
}
