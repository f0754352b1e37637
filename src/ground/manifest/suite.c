#include "manifest/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/load.h"
#include "source/code_imports.h"
#include "source/code_words.h"
#include "store/bundle.h"
#include "store/store.h"

/* A name becomes a file's name in the bundle and in other people's formats: no
 * separator, no blank and nothing that a shell would expand. */
#define NAME_CHARACTERS				\
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"		\
	"abcdefghijklmnopqrstuvwxyz"		\
	"0123456789_-."

_Static_assert(offsetof(struct kb_problem, key) == 0,
	       "kb_key_find() wants the key first");

static void release_problem(struct kb_problem *p)
{
	free(p->name);
	free(p->file);
	kb_problem_facts_free(p->facts);
	kb_remedies_release(&p->derived_remedies);
}

void kb_suite_release(struct kb_suite *s)
{
	for (size_t i = 0; i < s->problem_count; i++)
		release_problem(&s->problems[i]);
	free(s->problems);
	for (size_t i = 0; i < s->module_count; i++) {
		free(s->modules[i].file);
		free(s->modules[i].data);
	}
	free(s->modules);
	kb_sizes_release(&s->sizes);
	kb_backward_release(&s->backward);
	free(s->name);
	free(s->version);
	free(s->upstream_commit);
	*s = (struct kb_suite)KB_SUITE_INIT;
}

int kb_problem_name_check(const char *name, struct kb_key key,
			  struct kb_err *err)
{
	char number[KB_KEY_SIZE];
	size_t digits;

	/* KernelBench names a problem by its number and a word, as 19_ReLU.
	 * Both the number here and that in the key are used to find it, so that
	 * they must not differ. */
	snprintf(number, sizeof(number), "%d_", key.problem_id);
	digits = strlen(number);
	if (strncmp(name, number, digits) || !name[digits] ||
	    name[strspn(name, NAME_CHARACTERS)] ||
	    strlen(name) > KB_PROBLEM_NAME_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not a name for problem %d of level %d",
			      name, key.problem_id, key.level);
	return 0;
}

char *kb_problem_file(struct kb_key key, const char *name,
		      enum kb_runtime runtime)
{
	return kb_xasprintf("data/problems/level%d/%s%s", key.level, name,
			    kb_runtime_extension(runtime));
}

static size_t word_length(const char *text)
{
	return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789_");
}

bool kb_suite_module_file_is_valid(const char *file)
{
	const size_t start = strlen(KB_SUITE_MODULES);
	size_t n;

	if (strncmp(file, KB_SUITE_MODULES, start))
		return false;
	file += start;
	n = word_length(file);
	if (!n || file[n] != '/')
		return false;
	file += n + 1;
	n = word_length(file);
	return n && n <= KB_PROBLEM_NAME_BYTES_MAX && !strcmp(file + n, ".py");
}

bool kb_suite_modules_equal(const struct kb_suite *a, const struct kb_suite *b)
{
	if (a->module_count != b->module_count)
		return false;
	for (size_t i = 0; i < a->module_count; i++)
		if (strcmp(a->modules[i].file, b->modules[i].file) ||
		    !kb_digest_equal(&a->modules[i].digest, &b->modules[i].digest))
			return false;
	return true;
}

static struct kb_json *modules_to_json(const struct kb_suite *s)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < s->module_count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_string(v, "file", s->modules[i].file);
		kb_put_digest(v, "sha256", &s->modules[i].digest);
		kb_json_set_int(v, "size_bytes",
				(int64_t)s->modules[i].size_bytes);
		kb_json_append(array, v);
	}
	return array;
}

static struct kb_json *problem_to_json(const struct kb_problem *p)
{
	struct kb_json *v = kb_json_object();

	kb_put_key(v, p->key);
	kb_json_set_string(v, "name", p->name);
	kb_json_set_string(v, "file", p->file);
	kb_json_set_string(v, "runtime", kb_runtime_name(p->runtime));
	kb_put_digest(v, "sha256", &p->digest);
	kb_json_set_int(v, "size_bytes", (int64_t)p->size_bytes);
	kb_json_set(v, "facts", kb_problem_facts_to_json(p->facts));
	if (p->derived_remedies.count)
		kb_json_set(v, "remedy",
			    kb_remedies_to_json(&p->derived_remedies));
	if (p->collective.operation)
		kb_json_set(v, "collective",
			    kb_collective_to_json(&p->collective));
	return v;
}

struct kb_json *kb_suite_to_json(const struct kb_suite *s)
{
	const struct kb_digest *parent = kb_suite_is_derived(s) ? &s->parent
								 : NULL;
	struct kb_json *record = kb_record_new(KB_KIND_SUITE, parent);
	struct kb_json *problems = kb_json_array();

	for (size_t i = 0; i < s->problem_count; i++)
		kb_json_append(problems, problem_to_json(&s->problems[i]));
	kb_json_set_string(record, "name", s->name);
	kb_json_set_string(record, "version", s->version);
	kb_json_set_string(record, "upstream_commit", s->upstream_commit);
	kb_json_set(record, "problems", problems);
	if (s->conventions)
		kb_json_set_string(record, "conventions", s->conventions);
	if (s->world > 1)
		kb_json_set_int(record, "world", s->world);
	if (s->module_count)
		kb_json_set(record, "modules", modules_to_json(s));
	if (s->sizes.count)
		kb_json_set(record, "sizes", kb_sizes_to_json(&s->sizes));
	if (s->backward.is_set)
		kb_json_set(record, "backward",
			    kb_backward_to_json(&s->backward));
	return record;
}

static void check_problem(struct kb_fields *f, const struct kb_problem *p)
{
	kb_auto(mem) char *file = NULL;

	if (f->ret < 0)
		return;
	if (kb_problem_name_check(p->name, p->key, NULL) < 0) {
		kb_fields_fail(f, "'%s' is not a name for problem %d", p->name,
			       p->key.problem_id);
		return;
	}
	file = kb_problem_file(p->key, p->name, p->runtime);
	if (strcmp(file, p->file))
		kb_fields_fail(f, "'file' is '%s', want '%s'", p->file, file);
}

static void read_facts(struct kb_problem *p, struct kb_fields *f)
{
	const struct kb_json *v = kb_fields_null(f, "facts")
					  ? NULL
					  : kb_fields_object(f, "facts");

	if (v)
		f->ret = kb_problem_facts_from_json(&p->facts, v, p->key,
						    f->where, f->err);
}

static int problem_from_json(struct kb_problem *p, const struct kb_json *v,
			     const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	p->key = kb_fields_key(&f);
	p->name = kb_fields_string(&f, "name");
	p->file = kb_fields_string(&f, "file");
	p->runtime = kb_fields_runtime(&f, "runtime");
	p->digest = kb_fields_digest(&f, "sha256");
	p->size_bytes = (uint64_t)kb_fields_int(&f, "size_bytes", 0,
						KB_PROBLEM_BYTES_MAX);
	check_problem(&f, p);
	read_facts(p, &f);
	if (kb_fields_has(&f, "remedy"))
		kb_remedies_read(&p->derived_remedies, &f);
	kb_collective_read(&p->collective, &f);
	return kb_fields_end(&f);
}

static void read_problems(struct kb_suite *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "problems");

	if (!array)
		return;
	if (kb_json_count(array) == 0)
		kb_fields_fail(f, "'problems' is empty");
	s->problems = kb_xcalloc(kb_json_count(array), sizeof(*s->problems));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_problem *p = &s->problems[s->problem_count++];

		f->ret = problem_from_json(p, v, f->where, f->err);
		if (s->problem_count > 1 && !f->ret &&
		    kb_key_compare(p[-1].key, p->key) >= 0)
			kb_fields_fail(f, "'problems' is not sorted, or has one twice");
	}
}

static int module_from_json(struct kb_suite_module *m, const struct kb_json *v,
			    const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	m->file = kb_fields_string(&f, "file");
	m->digest = kb_fields_digest(&f, "sha256");
	m->size_bytes = (uint64_t)kb_fields_int(&f, "size_bytes", 0,
						KB_PROBLEM_BYTES_MAX);
	if (!f.ret && !kb_suite_module_file_is_valid(m->file))
		kb_fields_fail(&f, "'%s' is no place for a module", m->file);
	return kb_fields_end(&f);
}

static void read_modules(struct kb_suite *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "modules");
	const size_t count = array ? kb_json_count(array) : 0;

	if (array && (!count || count > KB_SUITE_MODULES_MAX))
		kb_fields_fail(f, "'modules' has %zu, want 1 to %d", count,
			       KB_SUITE_MODULES_MAX);
	if (f->ret || !array)
		return;
	s->modules = kb_xcalloc(count, sizeof(*s->modules));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_suite_module *m = &s->modules[s->module_count++];

		f->ret = module_from_json(m, v, f->where, f->err);
		if (s->module_count > 1 && !f->ret &&
		    strcmp(m[-1].file, m->file) >= 0)
			kb_fields_fail(f, "'modules' is not sorted, or has one "
					  "twice");
	}
}

static void check_sized(struct kb_fields *f, const struct kb_suite *s,
			const struct kb_problem *p, const char *key)
{
	if (p->runtime != KB_RUNTIME_TORCH)
		kb_fields_fail(f, "%s is not in Python, and has sizes of its own",
			       key);
	if (p->facts || p->collective.operation)
		kb_fields_fail(f, "%s has '%s' of the parent's sizes", key,
			       p->facts ? "facts" : "collective");
	if (!kb_sizes_find(&s->sizes, p->key, NULL))
		kb_fields_fail(f, "'sizes' changes nothing of %s", key);
}

static void check_backward(struct kb_fields *f, const struct kb_suite *s,
			   const struct kb_problem *p, const char *key)
{
	if (p->runtime != KB_RUNTIME_TORCH)
		kb_fields_fail(f, "%s is not in Python, and has no gradients",
			       key);
	if (p->facts)
		kb_fields_fail(f, "%s has 'facts' of a forward pass", key);
	if (kb_backward_find(&s->backward, p->key))
		kb_fields_fail(f, "'backward' leaves out %s, which is in the "
				  "suite", key);
}

static void check_problems(const struct kb_suite *s, struct kb_fields *f)
{
	for (size_t i = 0; i < s->problem_count && !f->ret; i++) {
		const struct kb_problem *p = &s->problems[i];
		char key[KB_KEY_SIZE];

		kb_key_format(key, p->key);
		if (s->sizes.count)
			check_sized(f, s, p, key);
		if (s->backward.is_set)
			check_backward(f, s, p, key);
	}
}

static void check_remedies(const struct kb_suite *s, struct kb_fields *f)
{
	const bool may_have = kb_suite_derivation(s) == KB_DERIVATION_SIZES;

	for (size_t i = 0; i < s->problem_count && !may_have && !f->ret; i++) {
		char key[KB_KEY_SIZE];

		if (!s->problems[i].derived_remedies.count)
			continue;
		kb_key_format(key, s->problems[i].key);
		kb_fields_fail(f, "%s has 'remedy', and the suite is not derived "
				  "by sizes alone", key);
	}
}

static void check_sizes(const struct kb_suite *s, struct kb_fields *f)
{
	for (size_t i = 0; i < s->sizes.count && !f->ret; i++) {
		char key[KB_KEY_SIZE];

		if (kb_suite_find(s, s->sizes.items[i].key))
			continue;
		kb_key_format(key, s->sizes.items[i].key);
		kb_fields_fail(f, "'sizes' has %s, which is not in the suite",
			       key);
	}
}

/* Sizes are all that a parent may be there for, if not for gradients. */
static void read_derivation(struct kb_suite *s, struct kb_fields *f)
{
	if (kb_fields_has(f, "backward"))
		kb_backward_read(&s->backward, f, "backward");
	if (!s->backward.is_set || kb_fields_has(f, "sizes"))
		kb_sizes_read(&s->sizes, f, "sizes");
	check_problems(s, f);
	check_sizes(s, f);
}

const char *kb_suite_read_conventions(struct kb_fields *f)
{
	static const char *const words[] = { "v3", "pkb" };
	const char key[] = "conventions";

	if (!kb_fields_has(f, key))
		return NULL;
	return words[kb_fields_word(f, key, words, KB_ARRAY_LEN(words))];
}

int kb_suite_read_world(struct kb_fields *f)
{
	const char key[] = "world";

	return kb_fields_has(f, key) ?
		(int)kb_fields_int(f, key, 2, KB_WORLD_MAX) : 1;
}

/* Only torch's runtime has ranks, and gradients call get_inputs() without a
 * rank. */
static void check_world(const struct kb_suite *s, struct kb_fields *f)
{
	if (s->world == 1 && kb_text_equal(s->conventions, "pkb"))
		kb_fields_fail(f, "'conventions' is 'pkb', and 'world' is "
				  "missing");
	if (s->world > 1 && s->backward.is_set)
		kb_fields_fail(f, "'world' is %d, and there are no gradients of "
				  "ranks", s->world);
	for (size_t i = 0; i < s->problem_count && !f->ret; i++) {
		const struct kb_problem *p = &s->problems[i];
		char key[KB_KEY_SIZE];

		kb_key_format(key, p->key);
		if (s->world > 1 && p->runtime != KB_RUNTIME_TORCH)
			kb_fields_fail(f, "'world' is %d, and %s is not in "
					  "Python", s->world, key);
		if (s->world == 1 && p->collective.operation)
			kb_fields_fail(f, "%s has 'collective', and 'world' is "
					  "missing", key);
	}
}

int kb_suite_from_json(struct kb_suite *s, const struct kb_json *record,
		       const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*s = (struct kb_suite)KB_SUITE_INIT;
	kb_record_begin(&f, record, KB_KIND_SUITE, &s->parent, where, err);
	s->name = kb_fields_string(&f, "name");
	s->version = kb_fields_string_or_null(&f, "version");
	s->upstream_commit = kb_fields_hex_or_null(&f, "upstream_commit", 40);
	s->conventions = kb_suite_read_conventions(&f);
	s->world = kb_suite_read_world(&f);
	read_problems(s, &f);
	if (kb_fields_has(&f, "modules"))
		read_modules(s, &f);
	if (f.ret == 0 && kb_record_has_parents(&f))
		read_derivation(s, &f);
	check_world(s, &f);
	check_remedies(s, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_suite_release(s);
	return ret;
}

static int check_members(const struct kb_suite *s, const struct kb_bundle *b,
			 struct kb_err *err)
{
	for (size_t i = 0; i < s->problem_count; i++) {
		const struct kb_problem *p = &s->problems[i];
		int ret = kb_record_member(b, p->file, &p->digest,
					   p->size_bytes, err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < s->module_count; i++) {
		const struct kb_suite_module *m = &s->modules[i];
		int ret = kb_record_member(b, m->file, &m->digest,
					   m->size_bytes, err);

		if (ret < 0)
			return ret;
	}
	/* The record itself is the one member more. */
	return kb_record_members(b, s->problem_count + s->module_count + 1, err);
}

static bool lists_package(const struct kb_words *packages, const char *package)
{
	for (size_t i = 0; i < packages->count; i++)
		if (!strcmp(packages->items[i], package))
			return true;
	return false;
}

/* Facts are made from what files import, and spare reading these again whenever
 * a suite is looked at. */
static int find_needs_of(struct kb_problem *p, const struct kb_bundle *b,
			 struct kb_err *err)
{
	static const char package[] = "transformers";
	kb_auto(code_words) struct kb_code_words words = KB_CODE_WORDS_INIT;
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	int ret;

	if (p->facts)
		p->needs_transformers = lists_package(&p->facts->packages, package);
	if (p->facts || p->runtime != KB_RUNTIME_TORCH)
		return 0;
	ret = kb_bundle_read(&code, b, p->file, KB_PROBLEM_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	kb_code_words_read(&words, code.data, code.len);
	p->needs_transformers = kb_code_imports(&words, package, NULL);
	return 0;
}

static int find_needs(struct kb_suite *s, const struct kb_bundle *b,
		      struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < s->problem_count; i++)
		ret = find_needs_of(&s->problems[i], b, err);
	return ret;
}

static int load_modules(struct kb_suite *s, const struct kb_bundle *b,
			struct kb_err *err)
{
	for (size_t i = 0; i < s->module_count; i++) {
		struct kb_suite_module *m = &s->modules[i];
		kb_auto(buf) struct kb_buf data = KB_BUF_INIT;
		int ret = kb_bundle_read(&data, b, m->file,
					 KB_PROBLEM_BYTES_MAX, err);

		if (ret < 0)
			return ret;
		m->data = kb_buf_detach(&data);
	}
	return 0;
}

static int load_files(struct kb_suite *s, const struct kb_bundle *b,
		      struct kb_err *err)
{
	int ret = check_members(s, b, err);

	if (ret == 0)
		ret = load_modules(s, b, err);
	return ret < 0 ? ret : find_needs(s, b, err);
}

KB_DEFINE_LOAD(suite, load_files)
KB_DEFINE_LOAD_ID(suite)

int kb_suite_open(struct kb_bundle *b, struct kb_suite *s, const char *store,
		  const char *name, struct kb_err *err)
{
	int ret = kb_store_open(b, store, name, err);

	if (ret < 0)
		return ret;
	ret = kb_suite_load(s, b, err);
	if (ret < 0)
		kb_bundle_release(b);
	return ret;
}

const struct kb_problem *kb_suite_find(const struct kb_suite *s,
				       struct kb_key key)
{
	return kb_key_find(s->problems, s->problem_count,
			   sizeof(*s->problems), key, NULL);
}

const struct kb_remedies *kb_problem_remedies(const struct kb_problem *p)
{
	return p->facts ? &p->facts->remedies : &p->derived_remedies;
}

int64_t kb_suite_bus_bytes(const struct kb_suite *s, struct kb_key key,
			   enum kb_precision precision)
{
	const struct kb_problem *p = kb_suite_find(s, key);

	return p && precision < KB_PRECISION_COUNT ?
		kb_collective_bus_bytes(&p->collective, s->world, precision) : 0;
}

const struct kb_problem_audit *kb_suite_audit_of(const struct kb_suite *s,
						 struct kb_key key)
{
	const struct kb_problem *p = kb_suite_find(s, key);

	return p && p->facts ? p->facts->audit : NULL;
}
