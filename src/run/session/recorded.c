#include "session/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "session/candidates.h"
#include "session/policy.h"
#include "store/store.h"

void kb_recorded_release(struct kb_recorded *r)
{
	kb_session_release(&r->session);
	free(r->problem_list);
	free(r->options);
	kb_submission_release(&r->submission);
	kb_bundle_release(&r->bundle);
	kb_evaluation_release(&r->evaluation);
}

int kb_recorded_open_parents(struct kb_recorded *r, const char *store,
			     struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle suite = KB_BUNDLE_INIT;
	const struct kb_evaluation *e = &r->evaluation;
	int ret = kb_store_open_id(&suite, store, &e->suite, err);

	kb_digest_format(&e->suite, r->suite_hex);
	if (ret < 0)
		return kb_err_wrap(err, "its suite");
	ret = kb_store_open_id(&r->bundle, store, &e->submission, err);
	if (ret >= 0)
		ret = kb_submission_load(&r->submission, &r->bundle, err);
	return ret < 0 ? kb_err_wrap(err, "its submission") : ret;
}

const struct kb_candidate *kb_recorded_candidate(const struct kb_recorded *r,
						 const struct kb_result *result)
{
	size_t count;
	const struct kb_candidate *c =
		kb_submission_find(&r->submission, result->key, &count);

	for (size_t i = 0; i < count; i++)
		if (c[i].sample_id == result->sample_id &&
		    kb_digest_equal(&c[i].digest, &result->candidate))
			return &c[i];
	return NULL;
}

/* kb_environment_check() has seen to it that there is one. */
static const char *device_kind(const struct kb_evaluation *e)
{
	return kb_json_string_value(
		kb_json_find(kb_json_find(e->conditions.environment,
					  "device"), "kind"));
}

/* No command line could have chosen this, so the record is at fault. */
static int blame_record(int ret, struct kb_err *err)
{
	if (ret != -KB_ERR_USAGE)
		return ret;
	err->kind = KB_ERR_INPUT;
	return -KB_ERR_INPUT;
}

/* Any device of the kind, unless one is named. */
static int choose_device(struct kb_recorded *r, const char *named,
			 struct kb_err *err)
{
	const char *kind = device_kind(&r->evaluation);
	struct kb_session *s = &r->session;
	int ret;

	s->asked.device = named ? named : kind;
	ret = kb_session_device_parse(s, err);
	if (ret < 0)
		return named ? ret : blame_record(ret, err);
	if (!strcmp(kind, s->machine.gpu.is_cuda ? "cuda" : "cpu"))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "the evaluation was made on a %s; --device is '%s'",
		      !strcmp(kind, "cpu") ? "CPU" : "GPU", s->asked.device);
}

static char *problem_list(const struct kb_evaluation *e)
{
	struct kb_buf list = KB_BUF_INIT;

	for (size_t i = 0; i < e->problem_count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, e->problems[i]);
		kb_buf_addf(&list, "%s%s", i ? "," : "", key);
	}
	return kb_buf_detach(&list);
}

/* The table outlives the call: a lane records what was asked for. */
static struct kb_option *new_options(struct kb_session *s)
{
	const struct kb_option options[] = {
		KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE", "",
				s->asked.device),
		KB_SESSION_INT(MEASUREMENT, "seed", "N", "", s->asked.seed, 0,
			       KB_WEIGHTS_SEED_MAX),
		KB_SESSION_JUDGE_OPTIONS(s->asked),
		KB_SESSION_OPTIONS(s->asked),
		KB_OPTION_END
	};
	struct kb_option *copy = kb_xmalloc(sizeof(options));

	memcpy(copy, options, sizeof(options));
	return copy;
}

/* By kb_session_prepare() or kb_session_open(). */
static int start_session(struct kb_recorded *r, const char *tool,
			 const struct kb_recorded_asked *asked,
			 int (*start)(struct kb_session *s, const char *tool,
				      const struct kb_option options[],
				      struct kb_err *err),
			 struct kb_err *err)
{
	struct kb_session *s = &r->session;
	int ret;

	r->problem_list = problem_list(&r->evaluation);
	r->options = new_options(s);
	s->asked.suite_name = r->suite_hex;
	s->asked.problem_list = r->problem_list;
	s->asked.seed_list = NULL;
	s->asked.store = asked->store;
	s->asked.python = asked->python;
	s->asked.cc = asked->cc;
	s->asked.nvcc = asked->nvcc;
	s->asked.weights = asked->weights;
	s->asked.salt_file = asked->salt_file;
	ret = choose_device(r, asked->device, err);
	if (ret < 0)
		return ret;
	ret = kb_session_take_policy(r->options,
				     r->evaluation.conditions.policy, err);
	/* No option of kb-eval asks for that: src/door/serving/. */
	s->run.policy.by_device_alone = kb_json_text_is(
		r->evaluation.conditions.policy, "clock", "device");
	if (ret >= 0)
		ret = start(s, tool, r->options, err);
	if (ret < 0)
		return blame_record(ret, err);
	if (!kb_digest_equal(&s->run.bundle.id, &r->evaluation.suite))
		return kb_err(err, KB_ERR_CORRUPT, "'%s' holds another bundle",
			      r->suite_hex);
	return 0;
}

int kb_recorded_prepare_session(struct kb_recorded *r, const char *tool,
				const struct kb_recorded_asked *asked,
				struct kb_err *err)
{
	return start_session(r, tool, asked, kb_session_prepare, err);
}

int kb_recorded_open_session(struct kb_recorded *r, const char *tool,
			     const struct kb_recorded_asked *asked,
			     struct kb_err *err)
{
	const int ret = start_session(r, tool, asked, kb_session_open, err);

	return ret < 0 ? ret :
		kb_candidates_note_conditions(&r->session, &r->submission, err);
}
