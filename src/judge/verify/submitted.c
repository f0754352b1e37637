#include "verify/submitted.h"

#include <stddef.h>

#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/submission_head.h"

void kb_submitted_init(struct kb_submitted *s,
		       const struct kb_evaluation *evaluation)
{
	*s = (struct kb_submitted){
		.evaluation = evaluation,
		.lines = kb_hasher_new(), .candidates = kb_hasher_new(),
	};
}

void kb_submitted_release(struct kb_submitted *s)
{
	kb_hasher_free(s->lines);
	kb_hasher_free(s->candidates);
	*s = (struct kb_submitted){ .evaluation = NULL };
}

static void add_sample(struct kb_hasher *h, struct kb_key key, int sample_id,
		       const struct kb_digest *digest)
{
	const int numbers[] = { key.level, key.problem_id, sample_id };

	kb_hasher_add(h, numbers, sizeof(numbers));
	kb_hasher_add(h, digest->bytes, sizeof(digest->bytes));
}

void kb_submitted_take(struct kb_submitted *s, const struct kb_result *r)
{
	if (r->outcome.status != KB_STATUS_MISSING)
		add_sample(s->lines, r->key, r->sample_id, &r->candidate);
}

static void take_candidate(void *into, const struct kb_candidate *c)
{
	struct kb_submitted *s = into;
	const struct kb_evaluation *e = s->evaluation;

	if (kb_key_find(e->problems, e->problem_count, sizeof(*e->problems),
			c->key, NULL))
		add_sample(s->candidates, c->key, c->sample_id, &c->digest);
}

int kb_submitted_compare(struct kb_submitted *s, const struct kb_bundle *b,
			 struct kb_submission_head *head, struct kb_err *err)
{
	struct kb_digest lines, candidates;
	int ret = kb_submission_each(head, b, take_candidate, s, err);

	if (ret < 0)
		return ret;
	kb_hasher_finish(s->lines, &lines);
	kb_hasher_finish(s->candidates, &candidates);
	return kb_digest_equal(&lines, &candidates);
}
