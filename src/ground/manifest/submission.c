#include "manifest/submission.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/load.h"
#include "store/bundle.h"
#include "store/quote.h"
#include "store/store.h"

_Static_assert(offsetof(struct kb_candidate, key) == 0,
	       "kb_key_find() wants the key first");

static const char *const formats[KB_FORMAT_COUNT] = {
	[KB_FORMAT_FOLDER] = "folder",
	[KB_FORMAT_KERNELBENCH_RUNS] = "kernelbench-runs",
	[KB_FORMAT_LEADERBOARD_JSON] = "leaderboard-json",
	[KB_FORMAT_CUDA_L1] = "cuda-l1",
	[KB_FORMAT_GENERATION] = "generation",
	[KB_FORMAT_SERVED] = "served",
};

void kb_submission_release(struct kb_submission *s)
{
	for (size_t i = 0; i < s->candidate_count; i++)
		free(s->candidates[i].file);
	free(s->candidates);
	kb_provenance_release(&s->provenance);
	*s = (struct kb_submission)KB_SUBMISSION_INIT;
}

char *kb_candidate_file(struct kb_key key, int sample_id,
			enum kb_runtime runtime)
{
	return kb_xasprintf("data/candidates/level%d/problem%d/sample%d%s",
			    key.level, key.problem_id, sample_id,
			    kb_runtime_extension(runtime));
}

struct kb_json *kb_candidate_to_json(const struct kb_candidate *c)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "level", c->key.level);
	kb_json_set_int(v, "problem_id", c->key.problem_id);
	kb_json_set_int(v, "sample_id", c->sample_id);
	kb_json_set_string(v, "file", c->file);
	kb_json_set_string(v, "runtime", kb_runtime_name(c->runtime));
	kb_put_digest(v, "sha256", &c->digest);
	kb_json_set_int(v, "size_bytes", (int64_t)c->size_bytes);
	return v;
}

struct kb_json *kb_submission_to_json(const struct kb_submission *s)
{
	struct kb_json *record =
		kb_record_new(KB_KIND_SUBMISSION,
			      s->has_generation ? &s->generation : NULL);
	struct kb_json *candidates = kb_json_array();

	for (size_t i = 0; i < s->candidate_count; i++)
		kb_json_append(candidates,
			       kb_candidate_to_json(&s->candidates[i]));
	kb_provenance_to_json(record, &s->provenance);
	kb_json_set_string(record, "source_format",
			   formats[s->source_format]);
	kb_json_set(record, "candidates", candidates);
	return record;
}

int kb_candidate_from_json(struct kb_candidate *c, const struct kb_json *v,
			   const char *where, struct kb_err *err)
{
	kb_auto(mem) char *file = NULL;
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	c->key.level = (int)kb_fields_int(&f, "level", 1, KB_LEVEL_MAX);
	c->key.problem_id = (int)kb_fields_int(&f, "problem_id", 1,
					       KB_PROBLEM_ID_MAX);
	c->sample_id = (int)kb_fields_int(&f, "sample_id", 0,
					  KB_SAMPLE_ID_MAX);
	c->file = kb_fields_string(&f, "file");
	c->runtime = kb_fields_runtime(&f, "runtime");
	c->digest = kb_fields_digest(&f, "sha256");
	c->size_bytes = (uint64_t)kb_fields_int(&f, "size_bytes", 0,
						KB_CANDIDATE_BYTES_MAX);
	/* A candidate's path follows from its key, sample and runtime. It is in
	 * the record for readers without this program, and must not say
	 * anything that the other members do not. */
	file = kb_candidate_file(c->key, c->sample_id, c->runtime);
	if (c->file && strcmp(file, c->file))
		kb_fields_fail(&f, "'file' is '%s', want '%s'", c->file, file);
	return kb_fields_end(&f);
}

static void read_candidates(struct kb_submission *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "candidates");

	if (!array)
		return;
	if (kb_json_count(array) == 0)
		kb_fields_fail(f, "'candidates' is empty");
	s->candidates = kb_xcalloc(kb_json_count(array),
				   sizeof(*s->candidates));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_candidate *c = &s->candidates[s->candidate_count++];

		f->ret = kb_candidate_from_json(c, v, f->where, f->err);
		if (s->candidate_count > 1 && !f->ret &&
		    kb_sample_compare(c[-1].key, c[-1].sample_id, c->key,
				      c->sample_id) >= 0)
			kb_fields_fail(f, "'candidates' is not sorted, or has one twice");
	}
}

int kb_submission_from_json(struct kb_submission *s,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*s = (struct kb_submission)KB_SUBMISSION_INIT;
	kb_record_begin(&f, record, KB_KIND_SUBMISSION, &s->generation, where,
			err);
	/* Whether there is a parent is known only from the head. After a
	 * failure nothing may be asked of it. */
	s->has_generation = f.ret == 0 && kb_record_has_parents(&f);
	kb_provenance_read(&s->provenance, &f);
	s->source_format = (enum kb_source_format)
		kb_fields_word(&f, "source_format", formats, KB_FORMAT_COUNT);
	if (s->has_generation != (s->source_format == KB_FORMAT_GENERATION))
		kb_fields_fail(&f, "'source_format' does not go with 'parents'");
	read_candidates(s, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_submission_release(s);
	return ret;
}

/* A file that no candidate names would travel in the bundle unseen, and a
 * candidate whose file is missing would fail only when it is judged, on another
 * machine. */
static int check_members(const struct kb_submission *s,
			 const struct kb_bundle *b, struct kb_err *err)
{
	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct kb_candidate *c = &s->candidates[i];
		int ret = kb_record_member(b, c->file, &c->digest,
					   c->size_bytes, err);

		if (ret < 0)
			return ret;
	}
	return kb_record_members(b, s->candidate_count + 1, err);
}

KB_DEFINE_LOAD(submission, check_members)

int kb_submission_open(struct kb_bundle *b, struct kb_submission *s,
		       const char *store, const char *name,
		       struct kb_err *err)
{
	int ret = kb_store_open(b, store, name, err);

	if (ret < 0)
		return ret;
	ret = kb_submission_load(s, b, err);
	if (ret < 0)
		kb_bundle_release(b);
	return ret;
}

int kb_submission_check_claims(const struct kb_submission *s,
			       struct kb_err *err)
{
	const struct kb_provenance *p = &s->provenance;
	int64_t count = 0;

	if (p->top_p && strtod(p->top_p, NULL) > 1)
		return kb_err(err, KB_ERR_INPUT,
			      "'top_p' is %s, and no probability is above 1",
			      kb_quote_str(p->top_p).text);
	if (p->date && !kb_day_exists(p->date))
		return kb_err(err, KB_ERR_INPUT,
			      "'date' is '%s', and there is no such day", p->date);
	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct kb_candidate *c = &s->candidates[i];
		char key[KB_KEY_SIZE];

		count = i && !kb_key_compare(c->key, c[-1].key) ? count + 1 : 1;
		if (p->samples_per_problem == KB_UNKNOWN ||
		    count <= p->samples_per_problem)
			continue;
		kb_key_format(key, c->key);
		return kb_err(err, KB_ERR_INPUT,
			      "'samples_per_problem' is %" PRId64
			      ", and problem '%s' has more candidates",
			      p->samples_per_problem, key);
	}
	return 0;
}

const struct kb_candidate *kb_submission_find(const struct kb_submission *s,
					      struct kb_key key,
					      size_t *count)
{
	return kb_key_find(s->candidates, s->candidate_count,
			   sizeof(*s->candidates), key, count);
}
