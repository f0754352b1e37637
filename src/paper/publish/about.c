#include "publish/about.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/options.h"
#include "json/json.h"
#include "publish/ro_crate.h"

#define ORCID "https://orcid.org/"
#define SPDX "http://spdx.org/licenses/"

void kb_crate_about_release(struct kb_crate_about *a)
{
	for (size_t i = 0; i < a->about.author_count; i++)
		free(a->names[i]);
	free(a->names);
	free(a->authors);
	free(a->asked);
	free(a->maker);
	kb_json_free(a->crate);
	*a = (struct kb_crate_about)KB_CRATE_ABOUT_INIT;
}

/* An entity of the flat graph; NULL if no entity has that id. */
static const struct kb_json *find_entity(const struct kb_json *graph,
					 const char *id)
{
	const struct kb_json *e = kb_json_first(graph);

	while (e && !kb_json_text_is(e, "@id", id))
		e = kb_json_next(e);
	return e;
}

/* References are an object, an array of objects, or not there. */
static const struct kb_json *first_ref(const struct kb_json *refs)
{
	return refs && kb_json_type(refs) == KB_JSON_ARRAY ?
		kb_json_first(refs) : refs;
}

static const struct kb_json *next_ref(const struct kb_json *refs,
				      const struct kb_json *ref)
{
	return kb_json_type(refs) == KB_JSON_ARRAY ? kb_json_next(ref) : NULL;
}

static size_t count_refs(const struct kb_json *refs)
{
	if (!refs)
		return 0;
	return kb_json_type(refs) == KB_JSON_ARRAY ? kb_json_count(refs) : 1;
}

static const char *text_after(const char *text, const char *prefix)
{
	const size_t len = strlen(prefix);

	return text && !strncmp(text, prefix, len) ? text + len : NULL;
}

static int is_incomplete(const char *what, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "'%s' has no %s of a publication",
		      KB_RO_CRATE_NAME, what);
}

static int read_author(struct kb_crate_about *a, const struct kb_json *graph,
		       const char *id, struct kb_err *err)
{
	const struct kb_json *e = id ? find_entity(graph, id) : NULL;
	const char *name = kb_json_text(e, "name");
	const char *given = kb_json_text(e, "givenName");
	const char *family = kb_json_text(e, "familyName");
	const size_t i = a->about.author_count;

	if (!name)
		return is_incomplete("author", err);
	a->names[i] = given && family ? kb_xasprintf("%s, %s", family, given)
				      : kb_xstrdup(name);
	a->authors[i] = (struct kb_author){
		a->names[i], text_after(id, ORCID) };
	a->about.author_count++;
	return 0;
}

static int read_authors(struct kb_crate_about *a, const struct kb_json *graph,
			const struct kb_json *root, struct kb_err *err)
{
	const struct kb_json *refs = kb_json_find(root, "author");
	const size_t count = count_refs(refs);
	int ret = 0;

	/* As kb-pack takes; each is sought in the whole graph. */
	if (count > KB_OPTION_LIST_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has %zu authors, and %d is the most",
			      KB_RO_CRATE_NAME, count, KB_OPTION_LIST_MAX);
	a->names = kb_xcalloc(count + 1, sizeof(*a->names));
	a->authors = kb_xcalloc(count + 1, sizeof(*a->authors));
	a->about.authors = a->authors;
	for (const struct kb_json *r = first_ref(refs); ret == 0 && r;
	     r = next_ref(refs, r))
		ret = read_author(a, graph, kb_json_text(r, "@id"), err);
	return ret;
}

/* A bundle's id is its folder: "<64 digits>/". */
static int read_asked(struct kb_crate_about *a, const struct kb_json *root,
		      struct kb_err *err)
{
	const struct kb_json *refs = kb_json_find(root, "mainEntity");
	const size_t digits = KB_DIGEST_HEX_SIZE - 1;

	a->asked = kb_xcalloc(count_refs(refs) + 1, sizeof(*a->asked));
	for (const struct kb_json *r = first_ref(refs); r;
	     r = next_ref(refs, r)) {
		const char *id = kb_json_text(r, "@id");
		kb_auto(mem) char *hex = kb_xstrndup(id ? id : "", digits);

		if (kb_digest_parse(&a->asked[a->asked_count++], hex, NULL) < 0 ||
		    strcmp(id + digits, "/"))
			return is_incomplete("bundle", err);
	}
	return a->asked_count ? 0 : is_incomplete("bundle", err);
}

char *kb_crate_maker(const char *version, const char *commit, bool is_modified)
{
	return kb_xasprintf("kb-pack %s%s%s%s", version ? version : "?",
			    commit ? ", commit " : "", commit ? commit : "",
			    is_modified ? ", modified" : "");
}

/* The description of a program says only that it was modified. */
static char *read_maker(const struct kb_json *graph)
{
	const struct kb_json *e = find_entity(graph, "#software-kb-pack");

	return kb_crate_maker(kb_json_text(e, "version"),
			      kb_json_text(e, "identifier"),
			      kb_json_text(e, "description") != NULL);
}

int kb_crate_about_parse(struct kb_crate_about *a, const void *data, size_t len,
			 struct kb_err *err)
{
	const struct kb_json *graph, *root;
	int ret = kb_json_parse(&a->crate, data, len, KB_JSON_FOREIGN,
				KB_RO_CRATE_NAME, err);

	if (ret < 0)
		return ret;
	graph = kb_json_find(a->crate, "@graph");
	root = graph ? find_entity(graph, "./") : NULL;
	a->about.title = kb_json_text(root, "name");
	a->about.date = kb_json_text(root, "datePublished");
	a->about.license = text_after(
		kb_json_text(kb_json_find(root, "license"), "@id"), SPDX);
	if (!a->about.title || !a->about.date)
		return is_incomplete("title or date", err);
	a->maker = read_maker(graph);
	ret = read_authors(a, graph, root, err);
	return ret < 0 ? ret : read_asked(a, root, err);
}
