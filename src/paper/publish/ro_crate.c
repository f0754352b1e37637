#include "publish/ro_crate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/foreign_json.h"
#include "json/json.h"
#include "manifest/tool.h"
#include "publish/crate_entity.h"
#include "publish/publication.h"
#include "store/bag.h"

/* Names of the vocabulary, as RO-Crate 1.2 wants them spelt. Nothing is fetched
 * from there, by us or by who reads the crate. */
#define CONTEXT "https://w3id.org/ro/crate/1.2/context"
#define PROFILE "https://w3id.org/ro/crate/1.2"
#define ARCHIVE "https://archive.softwareheritage.org/"
#define NO_LICENSE "Not stated."

/* A description of a kind of bundle, for strangers. */
static const char *description_of(enum kb_kind kind)
{
	switch (kind) {
	case KB_KIND_SUITE:
		return "Problems: reference implementations that candidates "
		       "are compared with.";
	case KB_KIND_SUBMISSION:
		return "Candidates: implementations of a suite's problems.";
	case KB_KIND_BASELINE:
		return "Times of the references, as samples, and the machine "
		       "that they were taken on.";
	case KB_KIND_EVALUATION:
		return "Whether the candidates are correct, their times as "
		       "samples, and the machine that they were taken on.";
	case KB_KIND_SCORE:
		return "What follows from an evaluation and a baseline.";
	case KB_KIND_AUDIT:
		return "What the problems of a suite are worth, and the "
		       "evidence.";
	case KB_KIND_GENERATION:
		return "What a model was asked about a suite's problems, and "
		       "what it answered.";
	case KB_KIND_REPORT:		/* which is not published */
	case KB_KIND_COUNT:
		break;
	}
	KB_BUG("no kind of bundle");
}

static char *folder_of(const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	return kb_xasprintf("%s/", hex);
}

/* The id of a bundle, inside the archive or elsewhere. */
static char *parent_id(const struct kb_publication *p,
		       const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (kb_publication_find(p, id))
		return folder_of(id);
	kb_digest_format(id, hex);
	return kb_xasprintf("#missing-%s", hex);
}

static char *author_id(const struct kb_publication *p, size_t i)
{
	const char *orcid = p->about.authors[i].orcid;

	return orcid ? kb_xasprintf("https://orcid.org/%s", orcid)
		     : kb_xasprintf("#author-%zu", i + 1);
}

static char *license_id(const struct kb_publication *p)
{
	return kb_xasprintf("http://spdx.org/licenses/%s", p->about.license);
}

static void print_descriptor(struct kb_foreign_json *j)
{
	kb_crate_open_entity(j, KB_RO_CRATE_NAME, "CreativeWork");
	kb_crate_print_ref(j, "conformsTo", PROFILE);
	kb_crate_print_ref(j, "about", "./");
	kb_foreign_json_close(j, '}');
}

static char *action_id(const struct kb_published *b)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->bundle.id, hex);
	return kb_xasprintf("#make-%s", hex);
}

static uint64_t record_bytes(const struct kb_bundle *b)
{
	const struct kb_bundle_member *m = kb_bundle_find(b, KB_BUNDLE_RECORD);

	return m ? m->size_bytes : 0;
}

/* A digest and a name a line, as sha256sum(1) has them. */
static uint64_t manifest_bytes(const struct kb_bundle *b)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < b->member_count; i++)
		bytes += KB_DIGEST_HEX_SIZE - 1 + strlen("  \n") +
			 strlen(b->members[i].name);
	return bytes;
}

/* Two files that every bundle's folder has. */
static const struct {
	const char *name, *description, *encoding;
	uint64_t (*bytes)(const struct kb_bundle *b);
} members[] = {
	{ KB_BUNDLE_RECORD, "The bundle's record.", "application/json",
	  record_bytes },
	{ KB_BAG_MANIFEST_NAME, "The SHA-256 of every file of the bundle; its "
	  "own is the bundle's identifier.", "text/plain", manifest_bytes },
};

static void print_parts(struct kb_foreign_json *j,
			const struct kb_publication *p,
			const struct kb_made_files *files)
{
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	for (size_t i = 0; i < p->count; i++)
		kb_crate_add_ref(&r, folder_of(&p->items[i].bundle.id));
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < p->items[i].signatures.count; k++)
			kb_crate_add_ref(&r, kb_xstrdup(
				p->items[i].signatures.items[k].path));
	for (size_t i = 0; i < files->count; i++)
		kb_crate_add_ref(&r, kb_xstrdup(files->items[i].path));
	kb_crate_print_refs(j, "hasPart", &r);
}

static void print_asked(struct kb_foreign_json *j,
			const struct kb_publication *p)
{
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].is_asked)
			kb_crate_add_ref(&r, folder_of(&p->items[i].bundle.id));
	kb_crate_print_refs(j, "mainEntity", &r);
}

/* The makers of a publication publish it, as far as anybody says. */
static void print_authors(struct kb_foreign_json *j,
			  const struct kb_publication *p)
{
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	for (size_t i = 0; i < p->about.author_count; i++)
		kb_crate_add_ref(&r, author_id(p, i));
	kb_crate_print_refs(j, "author", &r);
	kb_crate_print_refs(j, "publisher", &r);
}

static void print_actions(struct kb_foreign_json *j,
			  const struct kb_publication *p)
{
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].tool)
			kb_crate_add_ref(&r, action_id(&p->items[i]));
	kb_crate_add_ref(&r, kb_xstrdup("#publish"));
	kb_crate_print_refs(j, "mentions", &r);
}

static void print_root(struct kb_foreign_json *j,
		       const struct kb_publication *p,
		       const struct kb_made_files *files)
{
	kb_crate_open_entity(j, "./", "Dataset");
	kb_foreign_json_string(j, "name", p->about.title);
	kb_foreign_json_string(j, "description",
			       "Measurements of kernels by kb, with all that "
			       "they were made from. Every folder is a bundle, "
			       "named by the SHA-256 of its list of files.");
	kb_foreign_json_string(j, "datePublished", p->about.date);
	if (p->about.license) {
		kb_auto(mem) char *license = license_id(p);

		kb_crate_print_ref(j, "license", license);
	} else {
		kb_foreign_json_string(j, "license", NO_LICENSE);
	}
	print_authors(j, p);
	print_asked(j, p);
	print_actions(j, p);
	print_parts(j, p, files);
	kb_foreign_json_close(j, '}');
}

static void print_based_on(struct kb_foreign_json *j, const char *key,
			   const struct kb_publication *p,
			   const struct kb_published *b)
{
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	for (size_t i = 0; i < b->parent_count; i++)
		kb_crate_add_ref(&r, parent_id(p, &b->parents[i].id));
	kb_crate_print_refs(j, key, &r);
}

static void print_member(struct kb_foreign_json *j,
			 const struct kb_published *b, size_t i)
{
	kb_auto(mem) char *folder = folder_of(&b->bundle.id);
	kb_auto(mem) char *id = kb_xasprintf("%s%s", folder, members[i].name);
	kb_auto(mem) char *size = kb_xasprintf("%" PRIu64,
					       members[i].bytes(&b->bundle));

	kb_crate_open_entity(j, id, "File");
	kb_foreign_json_string(j, "name", members[i].name);
	kb_foreign_json_string(j, "description", members[i].description);
	kb_foreign_json_string(j, "encodingFormat", members[i].encoding);
	kb_foreign_json_string(j, "contentSize", size);
	kb_foreign_json_close(j, '}');
}

static void print_bundle(struct kb_foreign_json *j,
			 const struct kb_publication *p,
			 const struct kb_published *b)
{
	kb_auto(mem) char *id = folder_of(&b->bundle.id);
	kb_auto(mem) char *name = kb_xasprintf("%s %.16s",
					       kb_kind_name(b->kind), id);
	kb_auto(crate_refs) struct kb_crate_refs parts = { .ids = NULL };
	const bool has_warnings = b->warnings && *b->warnings;
	kb_auto(mem) char *description = kb_xasprintf(
		"%s%s%s", description_of(b->kind),
		has_warnings ? " WARNING: " : "",
		has_warnings ? b->warnings : "");
	char hex[KB_DIGEST_HEX_SIZE];

	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		kb_crate_add_ref(&parts, kb_xasprintf("%s%s", id, members[i].name));
	kb_digest_format(&b->bundle.id, hex);
	kb_crate_open_entity(j, id, "Dataset");
	kb_foreign_json_string(j, "name", name);
	kb_foreign_json_string(j, "description", description);
	kb_foreign_json_string(j, "additionalType", kb_kind_name(b->kind));
	kb_foreign_json_string(j, "identifier", hex);
	print_based_on(j, "isBasedOn", p, b);
	kb_crate_print_refs(j, "hasPart", &parts);
	kb_foreign_json_close(j, '}');
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		print_member(j, b, i);
}

/* Every reference has to lead to an entity of the crate, also one to a bundle
 * that is not published. */
static void print_missing(struct kb_foreign_json *j,
			  const struct kb_publication *p,
			  const struct kb_parent *m)
{
	kb_auto(mem) char *id = parent_id(p, &m->id);
	kb_auto(mem) char *name = NULL;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&m->id, hex);
	name = kb_xasprintf("%s %.16s", kb_kind_name(m->kind), hex);
	kb_crate_open_entity(j, id, "CreativeWork");
	kb_foreign_json_string(j, "name", name);
	kb_foreign_json_string(j, "description", "Not part of this crate.");
	kb_foreign_json_string(j, "additionalType", kb_kind_name(m->kind));
	kb_foreign_json_string(j, "identifier", hex);
	kb_foreign_json_close(j, '}');
}

/* By name, version and commit together: two builds of one program are two
 * pieces of software. */
static bool same_tool(const struct kb_json *a, const struct kb_json *b)
{
	return a && kb_json_equal(a, b);
}

/* A program is numbered by the first bundle that it made, from 1. */
static size_t software_of(const struct kb_publication *p, size_t item)
{
	size_t i = 0;

	while (i < item && !same_tool(p->items[i].tool, p->items[item].tool))
		i++;
	return i + 1;
}

/*
 * RO-Crate wants an address of every program. A commit has one that does not
 * depend on who hosts it, Software Heritage's; whether it is archived there is
 * not known. Else there is what this crate says.
 */
static void print_software_url(struct kb_foreign_json *j, const char *commit)
{
	kb_auto(mem) char *url = commit ?
		kb_xasprintf(ARCHIVE "swh:1:rev:%s", commit) :
		kb_xstrdup("README.md");

	kb_foreign_json_string(j, "url", url);
}

static void print_software(struct kb_foreign_json *j, const char *id,
			   const struct kb_json *tool)
{
	const char *commit = kb_json_text(tool, "git_commit");
	const struct kb_json *dirty = kb_json_find(tool, "git_dirty");

	kb_crate_open_entity(j, id, "SoftwareApplication");
	kb_foreign_json_string(j, "name", kb_json_string_value(
				       kb_json_find(tool, "name")));
	kb_foreign_json_string(j, "version", kb_json_string_value(
				       kb_json_find(tool, "version")));
	print_software_url(j, commit);
	if (commit)
		kb_foreign_json_string(j, "identifier", commit);
	if (kb_json_type(dirty) == KB_JSON_BOOL && kb_json_bool_value(dirty))
		kb_foreign_json_string(j, "description",
				       "Modified after that commit.");
	kb_foreign_json_close(j, '}');
}

static void print_action(struct kb_foreign_json *j,
			 const struct kb_publication *p, size_t item)
{
	const struct kb_published *b = &p->items[item];
	kb_auto(mem) char *result = folder_of(&b->bundle.id);
	kb_auto(mem) char *software = kb_xasprintf("#software-%zu",
						   software_of(p, item));
	kb_auto(mem) char *name = kb_xasprintf("Make %s %.16s",
					       kb_kind_name(b->kind), result);
	kb_auto(mem) char *id = action_id(b);

	kb_crate_open_entity(j, id, "CreateAction");
	kb_foreign_json_string(j, "name", name);
	kb_crate_print_ref(j, "instrument", software);
	print_based_on(j, "object", p, b);
	kb_crate_print_ref(j, "result", result);
	kb_foreign_json_close(j, '}');
	if (software_of(p, item) == item + 1)
		print_software(j, software, b->tool);
}

/* The crate itself, by the program that runs now. */
static void print_publishing(struct kb_foreign_json *j,
			     const struct kb_publication *p)
{
	kb_auto(json) struct kb_json *tool = kb_tool_json("kb-pack");
	kb_auto(crate_refs) struct kb_crate_refs r = { .ids = NULL };

	kb_crate_open_entity(j, "#publish", "CreateAction");
	kb_foreign_json_string(j, "name", "Publish");
	kb_crate_print_ref(j, "instrument", "#software-kb-pack");
	for (size_t i = 0; i < p->count; i++)
		kb_crate_add_ref(&r, folder_of(&p->items[i].bundle.id));
	kb_crate_print_refs(j, "object", &r);
	kb_crate_print_ref(j, "result", "./");
	kb_foreign_json_close(j, '}');
	print_software(j, "#software-kb-pack", tool);
}

static const char *encoding_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (dot && !strcmp(dot, ".md"))
		return "text/markdown";
	return dot && !strcmp(dot, ".json") ? "application/json"
					    : "application/yaml";
}

static void print_file(struct kb_foreign_json *j, const struct kb_made_file *f,
		       const char *description, const char *about)
{
	kb_auto(mem) char *size = kb_xasprintf("%zu", f->text.len);

	kb_crate_open_entity(j, f->path, "File");
	kb_foreign_json_string(j, "name", f->path);
	kb_foreign_json_string(j, "description", description);
	kb_foreign_json_string(j, "encodingFormat", encoding_of(f->path));
	kb_foreign_json_string(j, "contentSize", size);
	kb_crate_print_ref(j, "about", about);
	kb_foreign_json_close(j, '}');
}

static void print_signatures(struct kb_foreign_json *j,
			     const struct kb_published *b)
{
	kb_auto(mem) char *about = folder_of(&b->bundle.id);

	for (size_t i = 0; i < b->signatures.count; i++)
		print_file(j, &b->signatures.items[i],
			   "A signature of a bundle: an in-toto Statement in a "
			   "DSSE envelope.", about);
}

static void print_author(struct kb_foreign_json *j,
			 const struct kb_publication *p, size_t i)
{
	const struct kb_author *a = &p->about.authors[i];
	const char *given = kb_author_given_name(a);
	kb_auto(mem) char *id = author_id(p, i);
	kb_auto(mem) char *family = kb_xstrndup(a->name,
						strcspn(a->name, ","));
	kb_auto(mem) char *name = given ? kb_xasprintf("%s %s", given, family)
					: kb_xstrdup(a->name);

	/* A name without a comma may be of a laboratory, and an ORCID iD is a
	 * person's. */
	kb_crate_open_entity(j, id, given || a->orcid ? "Person" : "Organization");
	kb_foreign_json_string(j, "name", name);
	if (given) {
		kb_foreign_json_string(j, "givenName", given);
		kb_foreign_json_string(j, "familyName", family);
	}
	kb_foreign_json_close(j, '}');
}

static void print_license(struct kb_foreign_json *j,
			  const struct kb_publication *p)
{
	kb_auto(mem) char *id = license_id(p);

	kb_crate_open_entity(j, id, "CreativeWork");
	kb_foreign_json_string(j, "name", p->about.license);
	kb_foreign_json_string(j, "description",
			       "The licence of this name in SPDX's list.");
	kb_foreign_json_close(j, '}');
}

static void print_graph(struct kb_foreign_json *j,
			const struct kb_publication *p,
			const struct kb_made_files *files)
{
	print_descriptor(j);
	print_root(j, p, files);
	for (size_t i = 0; i < p->count; i++)
		print_bundle(j, p, &p->items[i]);
	for (size_t i = 0; i < p->missing_count; i++)
		print_missing(j, p, &p->missing[i]);
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].tool)
			print_action(j, p, i);
	print_publishing(j, p);
	for (size_t i = 0; i < p->count; i++)
		print_signatures(j, &p->items[i]);
	for (size_t i = 0; i < files->count; i++)
		print_file(j, &files->items[i], "About this crate, for people.",
			   "./");
	for (size_t i = 0; i < p->about.author_count; i++)
		print_author(j, p, i);
	if (p->about.license)
		print_license(j, p);
}

void kb_ro_crate_print(struct kb_buf *out, const struct kb_publication *p,
		       const struct kb_made_files *files)
{
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '{');
	kb_foreign_json_string(&j, "@context", CONTEXT);
	kb_foreign_json_open(&j, "@graph", '[');
	print_graph(&j, p, files);
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_close(&j, '}');
}
