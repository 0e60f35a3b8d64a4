/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model_file.c - fitted models as JSON; see model_file.h.
 *
 * Writing uses output/json.h, reading jansson.  An entry without "best" counts
 * as the best, so that a file written by hand needs only series, model and
 * parameters.
 */
#include "sim/model/model_file.h"

#include <errno.h>
#include <string.h>
#include <jansson.h>

#include "sim/output/json.h"

/* Write one fit with its goodness. */
static void write_fit(struct out_json *j, const struct model_fit *f)
{
	const struct model_type *type = f->fit.model.type;

	out_json_object(j, NULL);
	out_json_text(j, "series", model_series_name(f->series));
	out_json_text(j, "model", type->name);
	out_json_text(j, "method", fit_method_name(f->fit.method));
	out_json_bool(j, "best", f->best);
	out_json_object(j, "parameters");
	for (size_t i = 0; i < type->nparams; i++)
		out_json_number(j, type->params[i].name, f->fit.model.p[i]);
	out_json_end(j);
	out_json_count(j, "used", f->fit.used);
	out_json_count(j, "left_out", f->fit.left_out);
	out_json_count(j, "iterations", f->fit.iterations);
	out_json_number(j, "loss", f->fit.loss);
	out_json_number(j, "ks", f->gof.ks);
	out_json_number(j, "success", f->gof.success);
	out_json_number(j, "mean_ks", f->gof.mean_ks);
	out_json_number(j, "mean", model_mean(&f->fit.model));
	out_json_number(j, "cv", model_cv(&f->fit.model));
	out_json_end(j);
}

void model_file_write(FILE *fp, const char *trace, const char *sha256,
		      uint64_t seed, const struct model_fit *fits, size_t n)
{
	struct out_json j;

	out_json_init(&j, fp);
	out_json_object(&j, NULL);
	out_json_text(&j, "trace", trace);
	out_json_text(&j, "sha256", sha256);
	out_json_count(&j, "seed", seed);
	out_json_array(&j, "models");
	for (size_t i = 0; i < n; i++)
		write_fit(&j, &fits[i]);
	out_json_end(&j);
	out_json_end(&j);
}

/* "parameters" of an entry; those that are missing keep their defaults. */
static int read_params(struct model *model, json_t *params, const char *path,
		       struct libra_error *err)
{
	const struct model_type *type = model->type;
	const char *key;
	json_t *value;

	json_object_foreach(params, key, value)
	{
		struct libra_error why = {""};
		int i = libra_param_find(type->params, type->nparams, key,
					 &why);

		if (i < 0)
			return libra_errf(err, ENOENT, "%s: model %s: %s", path,
					  type->name, why.text);
		if (!json_is_number(value))
			return libra_errf(err, EINVAL,
					  "%s: model %s: %s is not a number",
					  path, type->name, key);
		model->p[i] = json_number_value(value);
	}
	return 0;
}

/* Read the model of an entry, if it is the best of its series. */
static int read_entry(json_t *entry, const char *path,
		      struct model set[MODEL_NSERIES + 1],
		      struct libra_error *err)
{
	const char *series, *name;
	struct libra_error why = {""};
	const struct model_type *type;
	struct model model;
	json_t *params;
	int best = 1, s;

	if (json_unpack(entry, "{s:s, s:s, s:o, s?b}", "series", &series,
			"model", &name, "parameters", &params, "best", &best))
		return libra_errf(err, EINVAL,
				  "%s: an entry of \"models\" needs series, "
				  "model and parameters",
				  path);
	if (!best)
		return 0;
	s = model_series_find(series);
	if (!s)
		return libra_errf(err, EINVAL,
				  "%s: unknown series '%s' (iat, run or size)",
				  path, series);
	type = model_find(name, &why);
	if (!type)
		return libra_errf(err, errno, "%s: %s", path, why.text);
	model_init(&model, type);
	if (read_params(&model, params, path, err))
		return -1;
	if (model_check(&model, &why))
		return libra_errf(err, errno, "%s: %s", path, why.text);
	set[s] = model;
	return 0;
}

int model_file_read(const char *path, struct model set[MODEL_NSERIES + 1],
		    struct libra_error *err)
{
	struct model read[MODEL_NSERIES + 1];
	json_error_t why;
	json_t *root, *models, *entry;
	FILE *fp = fopen(path, "re");
	size_t i;
	int rc = 0;

	if (!fp)
		return libra_errf(err, errno, "%s: %s", path, strerror(errno));
	root = json_loadf(fp, JSON_REJECT_DUPLICATES, &why);
	fclose(fp);
	if (!root)
		return libra_errf(err, EINVAL, "%s:%d: %s", path, why.line,
				  why.text);
	memcpy(read, set, sizeof(read));
	models = json_object_get(root, "models");
	if (!json_is_array(models))
		rc = libra_errf(err, EINVAL,
				"%s: it has no array \"models\"; use a file "
				"that librasim model fit --json wrote",
				path);
	else
		json_array_foreach(
			models, i,
			entry) if ((rc = read_entry(entry, path, read,
						    err))) break;
	json_decref(root);
	if (rc == 0)
		memcpy(set, read, sizeof(read));
	return rc;
}
