#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/tool.h"
#include "publish/citation.h"
#include "publish/publication.h"
#include "publish/publish.h"
#include "publish/readme.h"
#include "publish/ro_crate.h"
#include "store/targz.h"

#define SPEC "https://w3id.org/ro/crate/1.2"

static const struct kb_author authors[] = {
	{ .name = "Lovelace, Ada", .orcid = "0000-0002-1825-0097" },
	{ .name = "A \"Group\"" },
	{ .name = "Plato", .orcid = "0000-0002-1694-233X" },
};

/* Bundles that are nowhere: an id is the kind's number over and over. */
static struct kb_digest id_of(enum kb_kind kind)
{
	struct kb_digest id;

	memset(id.bytes, kind, sizeof(id.bytes));
	return id;
}

static void add_item(struct kb_publication *p, enum kb_kind kind,
		     const char *tool, size_t parent_count,
		     const enum kb_kind parents[])
{
	struct kb_published *item;

	p->items = kb_grow(p->items, p->count, &p->capacity, sizeof(*item));
	item = &p->items[p->count];
	*item = (struct kb_published){
		.bundle = KB_BUNDLE_INIT, .kind = kind,
		.parent_count = parent_count,
		.tool = tool ? kb_tool_json(tool) : NULL,
		.is_asked = !p->count,
	};
	item->bundle.id = id_of(kind);
	for (size_t i = 0; i < parent_count; i++)
		item->parents[i] = (struct kb_parent){ parents[i],
						       id_of(parents[i]) };
	p->count++;
}

/* A score, its evaluation without its submission, and a baseline, which is
 * signed, of one suite. */
static void fill(struct kb_publication *p)
{
	static const enum kb_kind of_score[] = { KB_KIND_EVALUATION,
						 KB_KIND_BASELINE };
	static const enum kb_kind of_evaluation[] = { KB_KIND_SUITE,
						      KB_KIND_SUBMISSION };
	struct kb_buf *text;

	p->about = (struct kb_publication_about){
		.title = "a \\ \"title\"", .authors = authors,
		.author_count = KB_ARRAY_LEN(authors), .license = "MIT",
		.date = "2026-11-21",
	};
	add_item(p, KB_KIND_SCORE, "kb-score", 2, of_score);
	add_item(p, KB_KIND_EVALUATION, "kb-eval", 2, of_evaluation);
	add_item(p, KB_KIND_BASELINE, "kb-eval", 1, of_evaluation);
	add_item(p, KB_KIND_SUITE, NULL, 0, NULL);
	text = kb_made_files_add(&p->items[2].signatures,
				 kb_xstrdup("a.dsse.json"));
	kb_buf_addstr(text, "{}");
	p->missing = kb_xcalloc(1, sizeof(*p->missing));
	p->missing[0] = (struct kb_parent){ KB_KIND_SUBMISSION,
					    id_of(KB_KIND_SUBMISSION) };
	p->missing_count = 1;
}

static struct kb_json *crate_of(const struct kb_publication *p)
{
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *crate = NULL;

	kb_buf_addstr(kb_made_files_add(&files, kb_xstrdup("README.md")), "x");
	kb_citation_print(kb_made_files_add(&files, kb_xstrdup("CITATION.cff")),
			  p);
	kb_ro_crate_print(&text, p, &files);
	kb_json_parse(&crate, text.data, text.len, KB_JSON_FOREIGN, "crate",
		      &err);
	check_str(err.msg, "");
	return crate;
}

static const char *text_of(const struct kb_json *entity, const char *key)
{
	const struct kb_json *v = kb_json_find(entity, key);

	return v && kb_json_type(v) == KB_JSON_STRING ? kb_json_string_value(v)
						      : "";
}

static const struct kb_json *entity_of(const struct kb_json *graph,
				       const char *id, size_t *times)
{
	const struct kb_json *found = NULL;

	*times = 0;
	for (const struct kb_json *e = kb_json_first(graph); e;
	     e = kb_json_next(e))
		if (!strcmp(text_of(e, "@id"), id)) {
			found = e;
			++*times;
		}
	return found;
}

/* A value of an entity is a string, a reference to what is in the graph, or an
 * array of such. */
static void check_value(const struct kb_json *graph, const struct kb_json *v)
{
	size_t times;

	switch (kb_json_type(v)) {
	case KB_JSON_STRING:
		check(*kb_json_string_value(v));
		return;
	case KB_JSON_ARRAY:
		check(kb_json_count(v) > 0);
		for (v = kb_json_first(v); v; v = kb_json_next(v))
			check_value(graph, v);
		return;
	default:
		check_int(kb_json_type(v), KB_JSON_OBJECT);
		check_int(kb_json_count(v), 1);
		if (!strcmp(text_of(v, "@id"), SPEC))
			return;
		entity_of(graph, text_of(v, "@id"), &times);
		if (times != 1)
			tap_fail("'%s' is there %zu times",
				 text_of(v, "@id"), times);
	}
}

static void check_graph(const struct kb_json *graph)
{
	for (const struct kb_json *e = kb_json_first(graph); e;
	     e = kb_json_next(e)) {
		size_t times;

		check(*text_of(e, "@id") && *text_of(e, "@type"));
		entity_of(graph, text_of(e, "@id"), &times);
		check_int(times, 1);
		for (const struct kb_json *v = kb_json_first(e); v;
		     v = kb_json_next(v))
			check_value(graph, v);
	}
}

static size_t count_type(const struct kb_json *graph, const char *type)
{
	size_t count = 0;

	for (const struct kb_json *e = kb_json_first(graph); e;
	     e = kb_json_next(e))
		count += !strcmp(text_of(e, "@type"), type);
	return count;
}

/* "<id>/<name>", which that folder then has as a part. */
static bool is_in_folder(const struct kb_json *graph, const char *id)
{
	const size_t len = strcspn(id, "/") + 1;
	kb_auto(mem) char *folder = kb_xstrndup(id, len);
	const struct kb_json *e;
	size_t times;

	if (strlen(id) <= len)
		return false;
	e = entity_of(graph, folder, &times);
	entity_of(kb_json_find(e, "hasPart"), id, &times);
	check_int(times, 1);
	return true;
}

/* How many entities of these types there are, and that the root has all of
 * them as its parts, or one of its folders has. */
static size_t count_parts(const struct kb_json *graph,
			  const struct kb_json *root)
{
	const struct kb_json *parts = kb_json_find(root, "hasPart");
	size_t count = 0, inner = 0;

	for (const struct kb_json *e = kb_json_first(graph); e;
	     e = kb_json_next(e)) {
		const char *type = text_of(e, "@type");
		size_t times;

		if (e == root || (strcmp(type, "Dataset") &&
				  strcmp(type, "File")))
			continue;
		if (is_in_folder(graph, text_of(e, "@id"))) {
			inner++;
			continue;
		}
		check(entity_of(parts, text_of(e, "@id"), &times) != NULL);
		check_int(times, 1);
		count++;
	}
	check_int(kb_json_count(parts), count);
	check_int(inner, 2 * count_type(graph, "Dataset") - 2);
	return count;
}

static void test_crate_is_flat_and_nothing_dangles(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(json) struct kb_json *crate = NULL;
	const struct kb_json *graph, *root, *descriptor;
	size_t times;

	fill(&p);
	crate = crate_of(&p);
	check_str(text_of(crate, "@context"), SPEC "/context");
	graph = kb_json_find(crate, "@graph");
	check_graph(graph);

	descriptor = entity_of(graph, KB_RO_CRATE_NAME, &times);
	check_str(text_of(kb_json_find(descriptor, "conformsTo"), "@id"), SPEC);
	check_str(text_of(kb_json_find(descriptor, "about"), "@id"), "./");
	root = entity_of(graph, "./", &times);
	check_str(text_of(root, "@type"), "Dataset");
	check_str(text_of(root, "name"), "a \\ \"title\"");
	check_str(text_of(root, "datePublished"), "2026-11-21");
	check_str(text_of(kb_json_find(root, "license"), "@id"),
		  "http://spdx.org/licenses/MIT");
	check(*text_of(root, "description"));
	check(!strstr(text_of(root, "description"), "GPU"));
	check_int(kb_json_count(kb_json_find(root, "publisher")), 3);
	check_int(count_parts(graph, root), 4 + 1 + 2);
}

/* The two by kb-eval share a program; kb-pack is the third. */
static void test_crate_tells_who_made_what(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(json) struct kb_json *crate = NULL;
	const struct kb_json *graph;
	size_t times;

	fill(&p);
	crate = crate_of(&p);
	graph = kb_json_find(crate, "@graph");
	check_int(count_type(graph, "CreateAction"), 3 + 1);
	check_int(kb_json_count(kb_json_find(entity_of(graph, "./", &times),
					     "mentions")), 3 + 1);
	for (const struct kb_json *e = kb_json_first(graph); e;
	     e = kb_json_next(e))
		if (!strcmp(text_of(e, "@type"), "SoftwareApplication"))
			check(*text_of(e, "name") && *text_of(e, "version") &&
			      *text_of(e, "url"));
	check_int(count_type(graph, "SoftwareApplication"), 2 + 1);
	check_int(count_type(graph, "Person"), 2);
	check_int(count_type(graph, "Organization"), 1);
}

/* Of a commit the address is its own; without one there is the README. */
static void test_crate_has_an_address_of_each_program(void)
{
	static const char commit[] = "\"0123456789abcdef0123456789abcdef01234567\"";
	static const char before[] = "{\"git_commit\":", after[] =
		",\"git_dirty\":false,\"name\":\"kb-score\",\"version\":\"1\"}";
	static const char *const urls[] = {
		"https://archive.softwareheritage.org/swh:1:rev:"
		"0123456789abcdef0123456789abcdef01234567", "README.md",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(urls); i++) {
		kb_auto(publication) struct kb_publication p =
			KB_PUBLICATION_INIT;
		kb_auto(mem) char *text = kb_xasprintf(
			"%s%s%s", before, i ? "null" : commit, after);
		kb_auto(json) struct kb_json *crate = NULL;
		size_t times;

		fill(&p);
		kb_json_free(p.items[0].tool);
		check_int(kb_json_parse(&p.items[0].tool, text, strlen(text),
					KB_JSON_OURS, "tool", NULL), 0);
		crate = crate_of(&p);
		check_str(text_of(entity_of(kb_json_find(crate, "@graph"),
					    "#software-1", &times), "url"),
			  urls[i]);
	}
}

static void test_crate_makes_nothing_up(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(json) struct kb_json *crate = NULL;
	const struct kb_json *root;
	size_t times;

	fill(&p);
	p.about.author_count = 0;
	p.about.license = NULL;
	crate = crate_of(&p);
	check_graph(kb_json_find(crate, "@graph"));
	root = entity_of(kb_json_find(crate, "@graph"), "./", &times);
	check(!kb_json_find(root, "author"));
	check(!kb_json_find(root, "publisher"));
	check_str(text_of(root, "license"), "Not stated.");
}

static void test_citation(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	fill(&p);
	kb_citation_print(&out, &p);
	check_str(out.data,
		  "cff-version: 1.2.0\n"
		  "message: \"To cite these measurements, please use what "
		  "follows.\"\n"
		  "type: dataset\n"
		  "title: \"a \\\\ \\\"title\\\"\"\n"
		  "authors:\n"
		  "  - family-names: \"Lovelace\"\n"
		  "    given-names: \"Ada\"\n"
		  "    orcid: \"https://orcid.org/0000-0002-1825-0097\"\n"
		  "  - name: \"A \\\"Group\\\"\"\n"
		  "  - name: \"Plato\"\n"
		  "    orcid: \"https://orcid.org/0000-0002-1694-233X\"\n"
		  "date-released: 2026-11-21\n"
		  "license: MIT\n"
		  "identifiers:\n"
		  "  - type: other\n"
		  "    value: \"sha256:0404040404040404040404040404040404040404"
		  "040404040404040404040404\"\n"
		  "    description: \"the score, a bundle of kb\"\n");
}

static void test_citation_of_nobody(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	fill(&p);
	p.about.author_count = 0;
	p.about.license = NULL;
	kb_citation_print(&out, &p);
	check(strstr(out.data, "authors:\n  - name: \"not stated\"\n"));
	check(!strstr(out.data, "license:"));
}

static void test_titles(void)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(mem) char *one = NULL, *two = NULL, *folder = NULL;

	fill(&p);
	one = kb_publish_title(&p);
	check_str(one, "kb: score 0404040404040404");
	p.items[2].is_asked = true;
	two = kb_publish_title(&p);
	check_str(two, "kb: score 0404040404040404 and 1 more");
	folder = kb_publish_folder(&p);
	check_str(folder, "kb-0404040404040404");
}

static void test_what_is_said_about_it(void)
{
	static const struct {
		const char *title, *name, *orcid, *license, *date, *message;
	} cases[] = {
		{ NULL, NULL, NULL, NULL, "2026-11-21", "" },
		{ "t", "n", NULL, "CC-BY-4.0", "2024-02-29", "" },
		{ "t", "n", "0000-0002-1825-0097", NULL, "2026-11-21", "" },
		{ "", NULL, NULL, NULL, "2026-11-21",
		  "the title is not a line of text: ''" },
		{ "a\nb", NULL, NULL, NULL, "2026-11-21",
		  "the title is not a line of text: 'a?b'" },
		{ "\xff", NULL, NULL, NULL, "2026-11-21",
		  "the title is not a line of text: '?'" },
		{ NULL, "", NULL, NULL, "2026-11-21",
		  "the name of an author is not a line of text: ''" },
		{ NULL, ", Ada", NULL, NULL, "2026-11-21",
		  "an author is 'Family, Given' or a name: ', Ada'" },
		{ NULL, "Ada, ", NULL, NULL, "2026-11-21",
		  "an author is 'Family, Given' or a name: 'Ada, '" },
		{ NULL, "n", "0000-0002-1825-0098", NULL, "2026-11-21",
		  "an ORCID iD is like 0000-0002-1825-0097: "
		  "'0000-0002-1825-0098'" },
		{ NULL, "n", "0000-0002-1694-233x", NULL, "2026-11-21",
		  "an ORCID iD is like 0000-0002-1825-0097: "
		  "'0000-0002-1694-233x'" },
		{ NULL, "n", "000000021825-00979-", NULL, "2026-11-21",
		  "an ORCID iD is like 0000-0002-1825-0097: "
		  "'000000021825-00979-'" },
		{ NULL, "n", "", NULL, "2026-11-21",
		  "an ORCID iD is like 0000-0002-1825-0097: ''" },
		{ NULL, NULL, NULL, "", "2026-11-21",
		  "a licence is named as at SPDX, as MIT or CC-BY-4.0: ''" },
		{ NULL, NULL, NULL, "MIT License", "2026-11-21",
		  "a licence is named as at SPDX, as MIT or CC-BY-4.0: "
		  "'MIT License'" },
		{ NULL, NULL, NULL, NULL, "",
		  "a date is like 2026-11-21: ''" },
		{ NULL, NULL, NULL, NULL, "2026-13-01",
		  "a date is like 2026-11-21: '2026-13-01'" },
		{ NULL, NULL, NULL, NULL, "2026-11-21T12:00:00Z",
		  "a date is like 2026-11-21: '2026-11-21T12:00:00Z'" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_author author = { cases[i].name,
						  cases[i].orcid };
		const struct kb_publication_about about = {
			.title = cases[i].title, .authors = &author,
			.author_count = author.name ? 1 : 0,
			.license = cases[i].license, .date = cases[i].date,
		};
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_publication_check_about(&about, &err);

		check_str(err.msg, cases[i].message);
		check_int(ret, *cases[i].message ? -KB_ERR_USAGE : 0);
	}
}

static void test_one_orcid_is_one_author(void)
{
	const struct kb_author twice[] = { authors[0], authors[0] };
	const struct kb_publication_about about = {
		.authors = twice, .author_count = 2, .date = "2026-11-21",
	};
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_publication_check_about(&about, &err), -KB_ERR_USAGE);
	check_str(err.msg, "two authors have the ORCID iD 0000-0002-1825-0097");
}

/* 144 bytes in one part, as a signature's name has. */
static int write_long_name(bool long_names, struct kb_err *err)
{
	kb_auto(targz) struct kb_targz *t = NULL;
	char name[145];
	int ret = kb_targz_new(&t, "x.tar.gz", long_names, err);

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	if (ret == 0)
		ret = kb_targz_add_file(t, name, "x", 1, err);
	if (ret == 0)
		ret = kb_targz_end(t, NULL, NULL, err);
	return ret < 0 ? ret : kb_targz_commit(t, err);
}

static void test_long_names_want_to_be_asked_for(void)
{
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT, second = KB_BUF_INIT;

	scratch_enter();
	check_int(write_long_name(false, NULL), -KB_ERR_SYS);
	check_int(access("x.tar.gz", F_OK), -1);
	check_int(write_long_name(true, NULL), 0);
	scratch_read(&first, "x.tar.gz");
	check_int(write_long_name(true, NULL), 0);
	scratch_read(&second, "x.tar.gz");
	check(first.len && first.len == second.len &&
	      !memcmp(first.data, second.data, first.len));
	scratch_leave();
}

TAP_MAIN(TAP(test_crate_is_flat_and_nothing_dangles),
	 TAP(test_crate_tells_who_made_what),
	 TAP(test_crate_has_an_address_of_each_program),
	 TAP(test_crate_makes_nothing_up),
	 TAP(test_citation),
	 TAP(test_citation_of_nobody),
	 TAP(test_titles),
	 TAP(test_what_is_said_about_it),
	 TAP(test_one_orcid_is_one_author),
	 TAP(test_long_names_want_to_be_asked_for));
