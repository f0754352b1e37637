#include "import/pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "import/answers.h"
#include "import/folder.h"
#include "import/kernelbench_runs.h"
#include "import/pkb.h"
#include "import/sources.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/fields.h"
#include "store/bundle.h"
#include "store/quote.h"

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
static char *choose_text(const char *said, char *found)
{
	if (!said)
		return found;
	free(found);
	return kb_xstrdup(said);
}

static char *read_label(struct kb_fields *f, const char *key)
{
	return kb_fields_has(f, key) ? kb_fields_string_or_null(f, key) : NULL;
}

/* The members of suite.json. */
struct folder_labels {
	char *file;			/* its path */
	struct kb_json *json;		/* NULL if it is not there */
};

static void kb_cleanup_folder_labels(struct folder_labels *l)
{
	free(l->file);
	kb_json_free(l->json);
}

static int add_facts(struct kb_problem *p, int world, const struct kb_json *v,
		     const char *file, struct kb_err *err)
{
	(void)world;
	return kb_problem_facts_from_json(&p->facts, v, p->key, file, err);
}

static int add_collective(struct kb_problem *p, int world,
			  const struct kb_json *v, const char *file,
			  struct kb_err *err)
{
	kb_auto(mem) char *where = kb_xasprintf("%s: collective of %s", file,
						kb_json_key(v));

	if (world == 1)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: has a collective of %s, and no 'world'",
			      file, kb_json_key(v));
	return kb_collective_from_json(&p->collective, v, where, err);
}

/* The members of suite.json that have a member for each of some problems, which
 * is named by the problem's key. */
static const struct {
	const char *member;
	const char *noun;
	int (*add)(struct kb_problem *p, int world, const struct kb_json *v,
		   const char *file, struct kb_err *err);
} of_problems[] = {
	{ "problems", "facts", add_facts },
	{ "collectives", "a collective", add_collective },
};

static int read_labels(struct kb_suite *s, struct folder_labels *l,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	struct kb_fields f;
	int ret;

	ret = kb_file_read_named(&buf, l->file, KB_SUITE_LABELS_BYTES_MAX, err);
	if (ret == 0)
		ret = kb_json_parse(&l->json, buf.data, buf.len, KB_JSON_OURS,
				    l->file, err);
	if (ret < 0)
		return ret;
	kb_fields_begin(&f, l->json, l->file, err);
	s->name = read_label(&f, "name");
	s->version = read_label(&f, "version");
	s->upstream_commit = read_label(&f, "upstream_commit");
	s->conventions = kb_suite_read_conventions(&f);
	s->world = kb_suite_read_world(&f);
	/* These are read when the problems are known whose they are; here the
	 * members are only let through. */
	for (size_t i = 0; i < KB_ARRAY_LEN(of_problems); i++)
		if (kb_fields_has(&f, of_problems[i].member))
			kb_fields_object(&f, of_problems[i].member);
	return kb_fields_end(&f);
}

/* The name of a folder, even if it is given as "."; NULL if a record could not
 * say it. */
static char *folder_name(const char *path)
{
	kb_auto(mem) char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;

	return slash && slash[1] && kb_utf8_valid(slash, strlen(slash)) ?
		kb_xstrdup(slash + 1) : NULL;
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
		s->name = choose_text(labels->name, s->name);
		s->version = choose_text(labels->version, s->version);
		s->upstream_commit = choose_text(labels->upstream_commit,
						 s->upstream_commit);
		if (labels->world)
			s->world = (int)labels->world;
	}
	if (!s->name || !*s->name)
		return kb_err(err, KB_ERR_USAGE,
			      "the suite has no name: files have none, nor has "
			      "a folder whose name is not UTF-8, and --name "
			      "gives it one");
	if (s->version && !*s->version)
		return kb_err(err, KB_ERR_USAGE, "the suite's version is empty");
	if (s->upstream_commit && !kb_hex_valid(s->upstream_commit, 40))
		return kb_err(err, KB_ERR_INPUT,
			      "upstream commit '%s' is not 40 lower-case hex digits",
			      s->upstream_commit);
	return 0;
}

static bool are_solutions(const struct kb_suite *s)
{
	return kb_text_equal(s->conventions, "pkb");
}

/* A folder of ParallelKernelBench's problems, and of no others. */
static int take_solutions(struct kb_suite *s, struct kb_sources *sources,
			  const struct kb_pack *p, struct kb_err *err)
{
	size_t count = 0;

	for (size_t i = 0; i < sources->count; i++)
		count += sources->items[i].is_solution;
	if (!count && !are_solutions(s))
		return 0;
	if (count < sources->count || p->count > 1 || !is_dir(p->paths[0]) ||
	    (s->conventions && !are_solutions(s)))
		return kb_err(err, KB_ERR_INPUT,
			      "%zu of %zu problems define solution(), as "
			      "ParallelKernelBench's do: want one folder of "
			      "such problems alone", count, sources->count);
	if (s->world == 1)
		return kb_err(err, KB_ERR_USAGE,
			      "problems that define solution() are of several "
			      "ranks: --world 4 says how many");
	s->conventions = "pkb";
	for (size_t i = 0; i < sources->count; i++)
		kb_pkb_append(&sources->items[i]);
	return 0;
}

static int add_problem(struct kb_bundle_writer *w, struct kb_suite *s,
		       struct kb_source_file *source, struct kb_err *err)
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
	if (s->world > 1 && p->runtime != KB_RUNTIME_TORCH)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not in Python, as problems of several "
			      "ranks are", source->origin);
	p->file = kb_problem_file(p->key, p->name, p->runtime);
	kb_digest_of(&p->digest, source->data, source->size_bytes);
	return kb_bundle_writer_add(w, p->file, source->data,
				    source->size_bytes, err);
}

static int add_of_problem(struct kb_suite *s, size_t member,
			  const struct kb_json *v, const char *file,
			  struct kb_err *err)
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
			      "%s: has %s of %s, which is not in the suite",
			      file, of_problems[member].noun, kb_json_key(v));
	return of_problems[member].add(&s->problems[p - s->problems], s->world,
				       v, file, err);
}

static int add_of_problems(struct kb_suite *s, const struct folder_labels *l,
			   size_t member, struct kb_err *err)
{
	const struct kb_json *all =
		l->json ? kb_json_find(l->json, of_problems[member].member)
			: NULL;

	if (!all)
		return 0;
	for (const struct kb_json *v = kb_json_first(all); v;
	     v = kb_json_next(v)) {
		int ret = add_of_problem(s, member, v, l->file, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int write_suite(struct kb_suite *s, struct kb_sources *sources,
		       const struct folder_labels *l, const char *store,
		       const char *folder, struct kb_digest *id,
		       struct kb_err *err)
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
	if (are_solutions(s)) {
		ret = kb_pkb_add_modules(w, s, folder, err);
		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(of_problems); i++) {
		ret = add_of_problems(s, l, i, err);
		if (ret < 0)
			return ret;
	}
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
	/* A file that is no problem is refused before a missing label. */
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
		ret = take_solutions(&s, &sources, p, err);
	if (ret == 0)
		ret = write_suite(&s, &sources, &found, p->store, p->paths[0],
				  id, err);
	if (ret == 0)
		hand_passed_over(p, &sources);
	return ret;
}

/* Facts in which several folders disagree are not recorded. */
struct agreement {
	struct kb_sources *sources;
	const char *path;
};

static void note_difference(void *context, const char *field)
{
	const struct agreement *a = context;
	kb_auto(mem) char *why = kb_xasprintf(
		"'%s' says of '%s' something else than the folders before it",
		kb_quote_str(a->path).text, field);

	kb_sources_pass_over(a->sources, why);
}

/* Each is a run folder: what all of them say is known of the whole. */
static int read_runs(struct kb_provenance *out, struct kb_sources *sources,
		     const struct kb_pack *p, struct kb_err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		kb_auto(provenance) struct kb_provenance one =
			KB_PROVENANCE_INIT;
		struct agreement a = { sources, p->paths[i] };
		int ret = kb_runs_read(i ? &one : out, sources, p->paths[i],
				       err);

		if (ret < 0)
			return ret;
		if (i)
			kb_provenance_agree(out, &one, note_difference, &a);
	}
	return 0;
}

static bool are_runs(const struct kb_pack *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (!kb_runs_is(p->paths[i]))
			return false;
	return true;
}

/* The form of a single path is told by what lies there: no option names it, and
 * so none can name another. */
static int read_submission(struct kb_submission *s,
			   struct kb_sources *sources, const struct kb_pack *p,
			   struct kb_err *err)
{
	const char *first = p->paths[0];

	sources->are_candidates = true;
	if (p->count == 1 && kb_answers_is(first))
		return kb_answers_read(s, sources, first, err);
	if (are_runs(p)) {
		s->source_format = KB_FORMAT_KERNELBENCH_RUNS;
		return read_runs(&s->provenance, sources, p, err);
	}
	s->source_format = KB_FORMAT_FOLDER;
	return read_all(sources, p, err);
}

static int add_candidate(struct kb_bundle_writer *w, struct kb_submission *s,
			 const struct kb_source_file *source, struct kb_err *err)
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
	ret = kb_submission_check_claims(s, err);
	if (ret < 0)
		return ret;
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
	ret = kb_provenance_check_new(&s.provenance, "submission", err);
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
