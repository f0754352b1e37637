#include "turns/submit.h"

#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/lines.h"
#include "store/bundle.h"
#include "turns/trajectory.h"

static char *option_text(const struct kb_asked *a, const char *name)
{
	const struct kb_json *v = kb_json_find(a->options, name);

	return v && *kb_json_string_value(v) ?
		       kb_xstrdup(kb_json_string_value(v)) : NULL;
}

/* The prompts as a whole, since there are as many as problems. */
static char *prompts_digest(const struct kb_generation *g)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;

	for (size_t i = 0; i < g->prompt_count; i++)
		kb_lines_add(&text, kb_prompt_to_json(&g->prompts[i]));
	kb_digest_of(&d, text.data, text.len);
	kb_digest_format(&d, hex);
	return kb_xstrdup(hex);
}

static void set_sampling(struct kb_provenance *p, const struct kb_generation *g)
{
	const struct kb_asked *a = &g->asked;
	kb_auto(mem) char *tokens = option_text(a, "max-tokens");
	kb_auto(mem) char *newer = option_text(a, "max-completion-tokens");

	p->model = kb_xstrdup(a->model);
	p->temperature = option_text(a, "temperature");
	p->top_p = option_text(a, "top-p");
	if (tokens || newer)
		p->max_tokens = strtoll(tokens ? tokens : newer, NULL, 10);
	p->seed = a->seed;
	p->samples_per_problem = a->samples;
	p->prompt_sha256 = prompts_digest(g);
}

/* The bytes of a candidate; none of an answer without code. */
static int read_code(struct kb_buf *out, const struct kb_generation *g,
		     const struct kb_generated *l, struct kb_err *err)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
	int ret = kb_answer_parse(&a, l->answer, strlen(l->answer),
				  kb_generation_extraction(g), "an answer", err);

	if (ret == 0 && a.code)
		kb_buf_add(out, a.code, a.code_bytes);
	return ret;
}

/* `w` may be NULL. */
static int add_candidate(struct kb_submission *s, struct kb_bundle_writer *w,
			 const struct kb_generation *g,
			 const struct kb_generated *l, struct kb_err *err)
{
	struct kb_candidate *c = &s->candidates[s->candidate_count];
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	int ret = read_code(&code, g, l, err);

	if (ret < 0)
		return ret;
	*c = (struct kb_candidate){
		.key = l->key,
		.sample_id = l->sample_id,
		.runtime = kb_backend_runtime(g->asked.backend),
		.size_bytes = code.len,
	};
	c->file = kb_candidate_file(c->key, c->sample_id, c->runtime);
	kb_digest_of(&c->digest, code.data, code.len);
	s->candidate_count++;
	return w ? kb_bundle_writer_add(w, c->file, code.data, code.len, err)
		 : 0;
}

static int add_candidates(struct kb_submission *s, struct kb_bundle_writer *w,
			  const struct kb_generation *g, struct kb_err *err)
{
	struct kb_trajectory t;
	int ret = 0;

	s->candidates = kb_xcalloc(g->line_count + 1, sizeof(*s->candidates));
	for (size_t i = 0; ret == 0 && i < g->line_count; i += t.count) {
		const struct kb_generated *best;

		t = kb_trajectory_at(g, i);
		best = kb_trajectory_best(&t);
		if (best)
			ret = add_candidate(s, w, g, best, err);
	}
	if (ret == 0 && !s->candidate_count)
		ret = kb_err(err, KB_ERR_INPUT,
			     "there is no answer to make a submission of");
	return ret;
}

int kb_submission_again(struct kb_submission *s, const struct kb_generation *g,
			struct kb_err *err)
{
	int ret;

	*s = (struct kb_submission)KB_SUBMISSION_INIT;
	set_sampling(&s->provenance, g);
	ret = add_candidates(s, NULL, g, err);
	if (ret < 0)
		kb_submission_release(s);
	return ret;
}

static int write_generation(struct kb_generation *g, const char *store,
			    struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, store, err);

	if (ret == 0)
		ret = kb_generation_write(w, g, err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}

/* The candidates first: a generation of which nothing comes is not left
 * behind. */
static int write_both(struct kb_submission *s, struct kb_generation *g,
		      const char *store, struct kb_digest *generation,
		      struct kb_digest *submission, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, store, err);

	if (ret == 0)
		ret = add_candidates(s, w, g, err);
	if (ret == 0)
		ret = kb_submission_check_claims(s, err);
	if (ret == 0)
		ret = write_generation(g, store, generation, err);
	if (ret < 0)
		return ret;
	s->has_generation = true;
	s->generation = *generation;
	s->source_format = KB_FORMAT_GENERATION;
	ret = kb_record_write(w, kb_submission_to_json(s), err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, submission, err);
}

int kb_generation_submit(struct kb_generation *g,
			 const struct kb_provenance *over, const char *store,
			 struct kb_digest *generation,
			 struct kb_digest *submission, struct kb_err *err)
{
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	int ret;

	kb_generation_sort(g);
	set_sampling(&s.provenance, g);
	kb_provenance_override(&s.provenance, over);
	ret = kb_provenance_check_new(&s.provenance, "submission", err);
	return ret < 0 ? ret : write_both(&s, g, store, generation, submission,
					  err);
}

static int add_attempts(struct kb_submission *s, struct kb_bundle_writer *w,
			const struct kb_generation *g, int turn,
			struct kb_err *err)
{
	int ret = 0;

	s->candidates = kb_xcalloc(g->line_count + 1, sizeof(*s->candidates));
	for (size_t i = 0; ret == 0 && i < g->line_count; i++)
		if (g->lines[i].turn == turn &&
		    g->lines[i].reply.outcome == KB_REPLY_CODE)
			ret = add_candidate(s, w, g, &g->lines[i], err);
	return ret;
}

int kb_turn_submit(const struct kb_generation *g, int turn, const char *store,
		   struct kb_digest *submission, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	int ret = kb_bundle_writer_new(&w, store, err);

	s.source_format = KB_FORMAT_FOLDER;
	s.provenance.model = kb_xstrdup(g->asked.model);
	s.provenance.notes = kb_xasprintf("turn %d of a refinement", turn);
	if (ret == 0)
		ret = add_attempts(&s, w, g, turn, err);
	if (ret == 0)
		ret = kb_record_write(w, kb_submission_to_json(&s), err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, submission, err);
}
