#include "manifest/generated.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/submission.h"

const char *const kb_reply_outcomes[KB_REPLY_OUTCOME_COUNT] = {
	[KB_REPLY_CODE] = "code",
	[KB_REPLY_NO_CODE] = "no_code",
	[KB_REPLY_CUT_OFF] = "cut_off",
	[KB_REPLY_NO_TEXT] = "no_text",
	[KB_REPLY_FAILED] = "failed",
	[KB_REPLY_MISSING] = "missing",
};

void kb_reply_release(struct kb_reply *r)
{
	free(r->finish_reason);
	free(r->message);
	free(r->model);
	free(r->fingerprint);
	*r = (struct kb_reply)KB_REPLY_INIT;
}

bool kb_reply_equal(const struct kb_reply *a, const struct kb_reply *b)
{
	if (a->outcome != b->outcome || a->code_bytes != b->code_bytes ||
	    (a->outcome == KB_REPLY_CODE &&
	     !kb_digest_equal(&a->code, &b->code)))
		return false;
	return kb_usage_equal(&a->usage, &b->usage) &&
	       kb_text_equal(a->finish_reason, b->finish_reason) &&
	       kb_text_equal(a->message, b->message) &&
	       kb_text_equal(a->model, b->model) &&
	       kb_text_equal(a->fingerprint, b->fingerprint);
}

bool kb_reply_is_answer(const struct kb_reply *r)
{
	return r->outcome != KB_REPLY_FAILED && r->outcome != KB_REPLY_MISSING;
}

void kb_generated_release(struct kb_generated *g)
{
	free(g->answer);
	kb_reply_release(&g->reply);
	kb_judged_free(g->judged);
	*g = (struct kb_generated)KB_GENERATED_INIT;
}

static void put_reply(struct kb_json *line, const struct kb_reply *r)
{
	struct kb_json *code = kb_json_null(), *usage = kb_json_object();

	if (r->outcome == KB_REPLY_CODE) {
		kb_json_free(code);
		code = kb_json_object();
		kb_put_digest(code, "sha256", &r->code);
		kb_json_set_int(code, "size_bytes", (int64_t)r->code_bytes);
	}
	kb_usage_to_json(usage, &r->usage);
	kb_json_set_string(line, "outcome", kb_reply_outcomes[r->outcome]);
	kb_json_set(line, "code", code);
	kb_json_set_string(line, "finish_reason", r->finish_reason);
	kb_json_set_string(line, "message", r->message);
	kb_json_set_string(line, "model", r->model);
	kb_json_set_string(line, "system_fingerprint", r->fingerprint);
	kb_json_set(line, "usage", usage);
}

struct kb_json *kb_generated_to_json(const struct kb_generated *g)
{
	struct kb_json *line = kb_json_object();

	kb_put_key(line, g->key);
	kb_json_set_int(line, "sample_id", g->sample_id);
	kb_json_set_int(line, "turn", g->turn);
	kb_put_int(line, "seed", g->seed);
	kb_put_digest(line, "prompt_sha256", &g->prompt);
	kb_put_digest(line, "request_sha256", &g->request);
	kb_put_int(line, "latency_ns", g->latency_ns);
	kb_json_set_string(line, "answer", g->answer);
	put_reply(line, &g->reply);
	if (g->is_refined)
		kb_json_set(line, "judged", kb_judged_to_json(g->judged));
	return line;
}

static void read_code(struct kb_reply *r, struct kb_fields *f)
{
	struct kb_fields inner;
	const bool has_none = kb_fields_null(f, "code");
	const struct kb_json *v = has_none ? NULL : kb_fields_object(f, "code");

	if (has_none != (r->outcome != KB_REPLY_CODE))
		kb_fields_fail(f, "'code' does not go with outcome '%s'",
			       kb_reply_outcomes[r->outcome]);
	if (!v || f->ret < 0)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	r->code = kb_fields_digest(&inner, "sha256");
	r->code_bytes = (uint64_t)kb_fields_int(&inner, "size_bytes", 0,
						KB_CANDIDATE_BYTES_MAX);
	f->ret = kb_fields_end(&inner);
}

static void read_usage(struct kb_reply *r, struct kb_fields *f)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "usage"))
		return;
	kb_usage_read(&r->usage, &inner);
	f->ret = kb_fields_end(&inner);
}

static void read_reply(struct kb_reply *r, struct kb_fields *f)
{
	r->outcome = (enum kb_reply_outcome)
		kb_fields_word(f, "outcome", kb_reply_outcomes,
			       KB_REPLY_OUTCOME_COUNT);
	read_code(r, f);
	r->finish_reason = kb_fields_string_or_null(f, "finish_reason");
	r->message = kb_fields_string_or_null(f, "message");
	r->model = kb_fields_string_or_null(f, "model");
	r->fingerprint = kb_fields_string_or_null(f, "system_fingerprint");
	read_usage(r, f);
}

/* An answer without code is judged "missing". An answer that may still come is
 * not judged. */
static void read_judged(struct kb_generated *g, struct kb_fields *f)
{
	const enum kb_reply_outcome outcome = g->reply.outcome;

	g->is_refined = kb_fields_has(f, "judged");
	if (!g->is_refined)
		return;
	g->judged = kb_judged_read(f, "judged");
	if (!g->judged || f->ret < 0)
		return;
	if (outcome == KB_REPLY_FAILED || outcome == KB_REPLY_MISSING ||
	    (g->judged->status == KB_STATUS_MISSING) ==
		    (outcome == KB_REPLY_CODE))
		kb_fields_fail(f, "'judged' does not go with outcome '%s'",
			       kb_reply_outcomes[outcome]);
}

int kb_generated_from_json(struct kb_generated *g, const struct kb_json *line,
			   const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*g = (struct kb_generated)KB_GENERATED_INIT;
	kb_fields_begin(&f, line, where, err);
	g->key = kb_fields_key(&f);
	g->sample_id = (int)kb_fields_int(&f, "sample_id", 0,
					  KB_SAMPLE_ID_MAX);
	g->turn = (int)kb_fields_int(&f, "turn", 1, KB_TURNS_MAX);
	g->seed = kb_fields_int_or_null(&f, "seed", 0, KB_JSON_INT_MAX);
	g->prompt = kb_fields_digest(&f, "prompt_sha256");
	g->request = kb_fields_digest(&f, "request_sha256");
	g->latency_ns = kb_fields_int_or_null(&f, "latency_ns", 0,
					      KB_JSON_INT_MAX);
	g->answer = kb_fields_string_or_null(&f, "answer");
	read_reply(&g->reply, &f);
	if (f.ret == 0 && !g->answer != (g->reply.outcome == KB_REPLY_MISSING))
		kb_fields_fail(&f, "'answer' does not go with outcome '%s'",
			       kb_reply_outcomes[g->reply.outcome]);
	read_judged(g, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_generated_release(g);
	return ret;
}

int kb_generated_refuse(const struct kb_generated *g, const char *why,
			struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, g->key);
	return kb_err(err, KB_ERR_INPUT,
		      "sample %d of problem '%s', turn %d: %s", g->sample_id,
		      key, g->turn, why);
}

int kb_generated_compare(const struct kb_generated *a,
			 const struct kb_generated *b)
{
	int order = kb_sample_compare(a->key, a->sample_id, b->key,
				      b->sample_id);

	return order ? order : (a->turn > b->turn) - (a->turn < b->turn);
}
