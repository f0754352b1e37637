#include "import/pack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "import/cuda_l1.h"
#include "import/folder.h"
#include "import/kernelbench_runs.h"
#include "import/leaderboard.h"
#include "import/sources.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "store/bundle.h"
#include "store/store.h"

/* One file of many candidates. */
#define ANSWERS_BYTES_MAX ((size_t)256 << 20)

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int read_all(struct kb_sources *sources, const struct kb_pack *p,
		    struct kb_err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		int ret = kb_folder_read(sources, p->paths[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* To whoever wants it, whose it is then. */
static void hand_passed_over(const struct kb_pack *p,
			     struct kb_sources *sources)
{
	if (!p->passed_over)
		return;
	*p->passed_over = sources->passed_over;
	sources->passed_over = (struct kb_passed_over)KB_PASSED_OVER_INIT;
}

/* Text that the caller wins over the file with, or the file's. */
static char *choose(const char *said, char *found)
{
	if (!said)
		return found;
	free(found);
	return kb_xstrdup(said);
}

static char *label(struct kb_fields *f, const char *key)
{
	return kb_fields_has(f, key) ? kb_fields_string_or_null(f, key) : NULL;
}

/* What stands in suite.json. */
struct folder_labels {
	char *file;			/* its path */
	struct kb_json *json;		/* NULL if it is not there */
};

static void kb_cleanup_folder_labels(struct folder_labels *l)
{
	free(l->file);
	kb_json_free(l->json);
}

static int read_labels(struct kb_suite *s, struct folder_labels *l,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	struct kb_fields f;
	int ret;

	ret = kb_file_read(&buf, AT_FDCWD, l->file, KB_SUITE_LABELS_BYTES_MAX,
			   err);
	if (ret == 0)
		ret = kb_json_parse(&l->json, buf.data, buf.len, KB_JSON_OURS,
				    l->file, err);
	if (ret < 0)
		return ret;
	kb_fields_begin(&f, l->json, l->file, err);
	s->name = label(&f, "name");
	s->version = label(&f, "version");
	s->upstream_commit = label(&f, "upstream_commit");
	if (kb_fields_has(&f, "problems"))
		kb_fields_object(&f, "problems");
	return kb_fields_end(&f);
}

/* What a folder is called, even if it is given as "." */
static char *folder_name(const char *path)
{
	kb_auto(mem) char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;

	return slash && slash[1] ? kb_xstrdup(slash + 1) : NULL;
}

static int label_folder(struct kb_suite *s, struct folder_labels *l,
			const char *path, struct kb_err *err)
{
	int ret = 0;

	l->file = kb_xasprintf("%s/%s", path, KB_SUITE_LABELS_FILE);
	if (is_file(l->file))
		ret = read_labels(s, l, err);
	if (ret < 0)
		return ret;
	if (!s->name)
		s->name = folder_name(path);
	return 0;
}

/* `labels` may be NULL. */
static int label_suite(struct kb_suite *s, const struct kb_suite_labels *labels,
		       struct kb_err *err)
{
	if (labels) {
		s->name = choose(labels->name, s->name);
		s->version = choose(labels->version, s->version);
		s->upstream_commit = choose(labels->upstream_commit,
					    s->upstream_commit);
	}
	if (!s->name || !*s->name)
		return kb_err(err, KB_ERR_USAGE,
			      "the suite has no name: files have none, and "
			      "--name gives it one");
	if (s->version && !*s->version)
		return kb_err(err, KB_ERR_USAGE, "the suite's version is empty");
	if (s->upstream_commit && !kb_hex_valid(s->upstream_commit, 40))
		return kb_err(err, KB_ERR_INPUT,
			      "upstream commit '%s' is not 40 lower-case hex digits",
			      s->upstream_commit);
	return 0;
}

static int add_problem(struct kb_bundle_writer *w, struct kb_suite *s,
		       struct kb_source *source, struct kb_err *err)
{
	struct kb_problem *p = &s->problems[s->problem_count++];

	*p = (struct kb_problem){
		.key = source->key,
		.name = kb_steal(source->name),
		.runtime = source->runtime,
		.size_bytes = source->size_bytes,
	};
	if (!p->name)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is named as a candidate, not as a problem",
			      source->origin);
	p->file = kb_problem_file(p->key, p->name, p->runtime);
	kb_digest_of(&p->digest, source->data, source->size_bytes);
	return kb_bundle_writer_add(w, p->file, source->data,
				    source->size_bytes, err);
}

/* The facts of one problem of the suite, named by its key. */
static int add_facts(struct kb_suite *s, const struct kb_json *v,
		     const char *file, struct kb_err *err)
{
	const struct kb_problem *p;
	struct kb_key key;
	int ret;

	ret = kb_key_parse(&key, kb_json_key(v), err);
	if (ret < 0)
		return kb_err_wrap(err, "%s", file);
	p = kb_suite_find(s, key);
	if (!p)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: has facts of %s, which is not in the suite",
			      file, kb_json_key(v));
	return kb_problem_facts_from_json(&s->problems[p - s->problems].facts,
					  v, key, file, err);
}

static int add_all_facts(struct kb_suite *s, const struct folder_labels *l,
			 struct kb_err *err)
{
	const struct kb_json *problems =
		l->json ? kb_json_find(l->json, "problems") : NULL;

	if (!problems)
		return 0;
	for (const struct kb_json *v = kb_json_first(problems); v;
	     v = kb_json_next(v)) {
		int ret = add_facts(s, v, l->file, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int write_suite(struct kb_suite *s, struct kb_sources *sources,
		       const struct folder_labels *l, const char *store,
		       struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret;

	ret = kb_bundle_writer_new(&w, store, err);
	if (ret < 0)
		return ret;
	s->problems = kb_xcalloc(sources->count, sizeof(*s->problems));
	for (size_t i = 0; i < sources->count; i++) {
		ret = add_problem(w, s, &sources->items[i], err);
		if (ret < 0)
			return ret;
	}
	ret = add_all_facts(s, l, err);
	if (ret < 0)
		return ret;
	ret = kb_record_write(w, kb_suite_to_json(s), err);
	if (ret < 0)
		return ret;
	return kb_bundle_writer_commit(w, id, err);
}

int kb_suite_pack(const struct kb_pack *p,
		  const struct kb_suite_labels *labels, struct kb_digest *id,
		  struct kb_err *err)
{
	kb_auto(sources) struct kb_sources sources = KB_SOURCES_INIT;
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	kb_auto(folder_labels) struct folder_labels found = { .file = NULL };
	int ret = 0;

	if (p->count == 1 && is_dir(p->paths[0]))
		ret = label_folder(&s, &found, p->paths[0], err);
	/* What is no problem at all is told before what it should be called. */
	if (ret == 0)
		ret = read_all(&sources, p, err);
	if (ret == 0)
		ret = label_suite(&s, labels, err);
	if (ret < 0)
		return ret;
	ret = kb_sources_sort(&sources, err);
	if (ret < 0)
		return ret;
	ret = kb_sources_check_any(&sources, "problems", p->paths[0], err);
	if (ret == 0)
		ret = write_suite(&s, &sources, &found, p->store, id, err);
	if (ret == 0)
		hand_passed_over(p, &sources);
	return ret;
}

static bool has_extension(const char *path, const char *extension)
{
	size_t len = strlen(path), ext_len = strlen(extension);

	return len > ext_len && !strcmp(path + len - ext_len, extension);
}

static bool is_answers(const char *path)
{
	return (has_extension(path, ".json") ||
		has_extension(path, ".jsonl")) && is_file(path);
}

static int read_answers(struct kb_submission *s, struct kb_sources *sources,
			const char *path, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret = kb_file_read(&buf, AT_FDCWD, path, ANSWERS_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	if (kb_cuda_l1_is(buf.data, buf.len)) {
		s->source_format = KB_FORMAT_CUDA_L1;
		return kb_cuda_l1_parse(sources, buf.data, buf.len, path, err);
	}
	s->source_format = KB_FORMAT_LEADERBOARD_JSON;
	return kb_leaderboard_parse(&s->provenance, sources, buf.data,
				    buf.len, path, err);
}

static int read_submission(struct kb_submission *s,
			   struct kb_sources *sources, const struct kb_pack *p,
			   struct kb_err *err)
{
	const char *first = p->paths[0];

	if (p->count == 1 && is_answers(first))
		return read_answers(s, sources, first, err);
	if (p->count == 1 && kb_runs_is(first)) {
		s->source_format = KB_FORMAT_KERNELBENCH_RUNS;
		return kb_runs_read(&s->provenance, sources, first, err);
	}
	s->source_format = KB_FORMAT_FOLDER;
	return read_all(sources, p, err);
}

static int add_candidate(struct kb_bundle_writer *w, struct kb_submission *s,
			 const struct kb_source *source, struct kb_err *err)
{
	struct kb_candidate *c = &s->candidates[s->candidate_count++];

	*c = (struct kb_candidate){
		.key = source->key,
		.sample_id = source->sample_id,
		.runtime = source->runtime,
		.size_bytes = source->size_bytes,
	};
	c->file = kb_candidate_file(c->key, c->sample_id, c->runtime);
	kb_digest_of(&c->digest, source->data, source->size_bytes);
	return kb_bundle_writer_add(w, c->file, source->data,
				    source->size_bytes, err);
}

static int write_submission(struct kb_submission *s,
			    const struct kb_sources *sources,
			    const char *store, struct kb_digest *id,
			    struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret;

	ret = kb_bundle_writer_new(&w, store, err);
	if (ret < 0)
		return ret;
	s->candidates = kb_xcalloc(sources->count, sizeof(*s->candidates));
	for (size_t i = 0; i < sources->count; i++) {
		ret = add_candidate(w, s, &sources->items[i], err);
		if (ret < 0)
			return ret;
	}
	ret = kb_record_write(w, kb_submission_to_json(s), err);
	if (ret < 0)
		return ret;
	return kb_bundle_writer_commit(w, id, err);
}

int kb_submission_pack(const struct kb_pack *p,
		       const struct kb_provenance *over, struct kb_digest *id,
		       struct kb_err *err)
{
	kb_auto(sources) struct kb_sources sources = KB_SOURCES_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	int ret;

	ret = read_submission(&s, &sources, p, err);
	if (ret < 0)
		return ret;
	if (over)
		kb_provenance_override(&s.provenance, over);
	ret = kb_provenance_check(&s.provenance, "submission", err);
	if (ret < 0)
		return ret;
	ret = kb_sources_sort(&sources, err);
	if (ret < 0)
		return ret;
	ret = kb_sources_check_any(&sources, "candidates", p->paths[0], err);
	if (ret == 0)
		ret = write_submission(&s, &sources, p->store, id, err);
	if (ret == 0)
		hand_passed_over(p, &sources);
	return ret;
}

/* Something to pack, and not a bundle or the name of one. */
static bool is_unpacked(const char *path)
{
	kb_auto(mem) char *bagit = kb_xasprintf("%s/bagit.txt", path);

	if (is_dir(path))
		return !is_file(bagit);
	return is_file(path) &&
	       (kb_runtime_of_file(path, NULL) != KB_RUNTIME_COUNT ||
		is_answers(path));
}

static int open_packed(struct kb_bundle *b, const char *store,
		       const struct kb_digest *id, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	kb_auto(mem) char *path = NULL;

	kb_digest_format(id, hex);
	path = kb_xasprintf("%s/%s", store, hex);
	return kb_bundle_open(b, path, err);
}

int kb_suite_open(struct kb_bundle *b, struct kb_suite *s, const char *store,
		  const char *name, struct kb_err *err)
{
	const struct kb_pack p = {
		.paths = &name, .count = 1, .store = store,
	};
	struct kb_digest id;
	int ret;

	if (is_unpacked(name)) {
		ret = kb_suite_pack(&p, NULL, &id, err);
		if (ret == 0)
			ret = open_packed(b, store, &id, err);
	} else {
		ret = kb_store_open(b, store, name, err);
	}
	if (ret < 0)
		return ret;
	ret = kb_suite_load(s, b, err);
	if (ret < 0)
		kb_bundle_release(b);
	return ret;
}

int kb_submission_open(struct kb_bundle *b, struct kb_submission *s,
		       const char *store, const char *name,
		       struct kb_err *err)
{
	const struct kb_pack p = {
		.paths = &name, .count = 1, .store = store,
	};
	struct kb_digest id;
	int ret;

	if (is_unpacked(name)) {
		ret = kb_submission_pack(&p, NULL, &id, err);
		if (ret == 0)
			ret = open_packed(b, store, &id, err);
	} else {
		ret = kb_store_open(b, store, name, err);
	}
	if (ret < 0)
		return ret;
	ret = kb_submission_load(s, b, err);
	if (ret < 0)
		kb_bundle_release(b);
	return ret;
}
