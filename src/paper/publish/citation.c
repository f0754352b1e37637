#include "publish/citation.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "publish/publication.h"

/* A string of JSON is one of YAML, too. */
static void print_string(struct kb_buf *out, const char *key,
			 const char *value)
{
	kb_auto(json) struct kb_json *v = kb_json_string(value);

	kb_buf_addf(out, "%s: ", key);
	kb_json_print(out, v);
	kb_buf_addch(out, '\n');
}

static void print_author(struct kb_buf *out, const struct kb_author *a)
{
	const char *given = kb_author_given_name(a);
	kb_auto(mem) char *family = NULL;

	if (given) {
		family = kb_xstrndup(a->name, strcspn(a->name, ","));
		print_string(out, "  - family-names", family);
		print_string(out, "    given-names", given);
	} else {
		print_string(out, "  - name", a->name);
	}
	if (a->orcid)
		kb_buf_addf(out, "    orcid: \"https://orcid.org/%s\"\n",
			    a->orcid);
}

static void print_identifier(struct kb_buf *out, const struct kb_published *b)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->bundle.id, hex);
	kb_buf_addf(out,
		    "  - type: other\n"
		    "    value: \"sha256:%s\"\n"
		    "    description: \"the %s, a bundle of kb\"\n",
		    hex, kb_kind_name(b->kind));
}

void kb_citation_print(struct kb_buf *out, const struct kb_publication *p)
{
	/* The citation file format wants an author. */
	static const struct kb_author nobody = { .name = "not stated" };
	const struct kb_publication_about *a = &p->about;

	kb_buf_addstr(out, "cff-version: 1.2.0\n"
			   "message: \"To cite these measurements, please use "
			   "what follows.\"\n"
			   "type: dataset\n");
	print_string(out, "title", a->title);
	kb_buf_addstr(out, "authors:\n");
	for (size_t i = 0; i < a->author_count; i++)
		print_author(out, &a->authors[i]);
	if (!a->author_count)
		print_author(out, &nobody);
	kb_buf_addf(out, "date-released: %s\n", a->date);
	if (a->license)
		kb_buf_addf(out, "license: %s\n", a->license);
	kb_buf_addstr(out, "identifiers:\n");
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].is_asked)
			print_identifier(out, &p->items[i]);
}
