#include "import/leaderboard.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "import/sources.h"
#include "json/json.h"
#include "manifest/provenance.h"

/* Absent, null and "" all say nothing. */
static int read_text(char **out, const struct kb_json *metadata,
		     const char *key, const char *name, struct kb_err *err)
{
	const struct kb_json *v = kb_json_find(metadata, key);
	const char *text;

	if (!v || kb_json_type(v) == KB_JSON_NULL)
		return 0;
	if (kb_json_type(v) != KB_JSON_STRING)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'metadata.%s' is %s, want a string", name,
			      key, kb_json_type_name(kb_json_type(v)));
	text = kb_json_string_value(v);
	*out = *text ? kb_xstrdup(text) : NULL;
	return 0;
}

static int read_metadata(struct kb_provenance *p, const struct kb_json *root,
			 const char *name, struct kb_err *err)
{
	const struct {
		const char *key;
		char **out;
	} texts[] = {
		{ "display_name", &p->display_name },
		{ "organization", &p->organization },
		{ "run_name", &p->run_name },
		{ "notes", &p->notes },
	};
	const struct kb_json *metadata;
	int ret;

	ret = kb_json_read(&metadata, root, "metadata", KB_JSON_OBJECT, name,
			   err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		ret = read_text(texts[i].out, metadata, texts[i].key, name,
				err);
		if (ret < 0)
			return ret;
	}
	if (!p->display_name)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'metadata.display_name' is missing",
			      name);
	return 0;
}

static int add_kernel(struct kb_sources *sources, const struct kb_json *v,
		      const char *name, struct kb_err *err)
{
	struct kb_source_file item = { .runtime = KB_RUNTIME_TORCH };
	const char *stem = kb_json_key(v);
	int ret;

	ret = kb_source_stem_parse(&item.key, &item.sample_id, stem,
				   strlen(stem), err);
	if (ret < 0)
		return kb_err_wrap(err, "%s", name);
	if (kb_json_type(v) != KB_JSON_STRING)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: kernel '%s' is %s, want a string", name,
			      stem, kb_json_type_name(kb_json_type(v)));
	item.origin = kb_xasprintf("%s: %s", name, stem);
	return kb_sources_add_text(sources, &item, kb_json_string_value(v),
				   err);
}

static int add_kernels(struct kb_sources *sources, const struct kb_json *root,
		       const char *name, struct kb_err *err)
{
	const struct kb_json *kernels;
	int ret;

	ret = kb_json_read(&kernels, root, "kernels", KB_JSON_OBJECT, name,
			   err);
	for (const struct kb_json *v = ret < 0 ? NULL : kb_json_first(kernels);
	     v && ret == 0; v = kb_json_next(v))
		ret = add_kernel(sources, v, name, err);
	return ret;
}

/* The board's earlier format has the same ending and other members. It is told
 * by them, so that the message can say what to do. */
static bool is_entry_of_2024(const struct kb_json *v)
{
	return v && kb_json_type(v) == KB_JSON_OBJECT &&
	       kb_json_find(v, "display_name") &&
	       kb_json_find(v, "torch_speedup");
}

/* Its raw_data.json is an array of entries, its data.json an object of such
 * arrays. */
static bool is_of_2024(const struct kb_json *root)
{
	const struct kb_json *first = kb_json_first(root);

	if (first && kb_json_type(first) == KB_JSON_ARRAY)
		first = kb_json_first(first);
	return is_entry_of_2024(first);
}

int kb_leaderboard_parse(struct kb_provenance *provenance,
			 struct kb_sources *sources, const void *data,
			 size_t len, const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = NULL;
	int ret;

	*provenance = (struct kb_provenance)KB_PROVENANCE_INIT;
	ret = kb_json_parse(&root, data, len, KB_JSON_FOREIGN, name, err);
	if (ret < 0)
		return ret;
	if (is_of_2024(root))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is KernelBench's leaderboard of 2024, with "
			      "kernels of several models: pack files of one, "
			      "named 'level_1_problem_19_sample_0_kernel.py'",
			      name);
	ret = kb_json_want_object(root, name, err);
	if (ret < 0)
		return ret;
	ret = read_metadata(provenance, root, name, err);
	if (ret == 0)
		ret = add_kernels(sources, root, name, err);
	if (ret < 0)
		kb_provenance_release(provenance);
	return ret;
}
