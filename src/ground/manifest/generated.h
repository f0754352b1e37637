#ifndef KB_MANIFEST_GENERATED_H
#define KB_MANIFEST_GENERATED_H

#include "manifest/key.h"
#include "manifest/refinement.h"
#include "manifest/usage.h"

/* The outcome of one request. */
enum kb_reply_outcome {
	KB_REPLY_CODE,			/* there is a candidate */
	KB_REPLY_NO_CODE,		/* text without a block of code */
	KB_REPLY_CUT_OFF,		/* the last block has no end */
	KB_REPLY_NO_TEXT,		/* no text at all: refused, or only
					   reasoning */
	KB_REPLY_FAILED,		/* the server says that it failed */
	KB_REPLY_MISSING,		/* there is no answer */
	KB_REPLY_OUTCOME_COUNT,		/* not an outcome */
};

extern const char *const kb_reply_outcomes[KB_REPLY_OUTCOME_COUNT];

/*
 * The facts that follow from an answer, by the rule of extraction and the form
 * of answers alone: see answers/answer.h.
 */
struct kb_reply {
	enum kb_reply_outcome outcome;
	struct kb_digest code;		/* of the candidate's bytes */
	uint64_t code_bytes;		/* both only of KB_REPLY_CODE */
	char *finish_reason;		/* as the server spells it, or NULL */
	char *message;			/* why it failed, or what was refused;
					   or NULL */
	char *model;			/* that answered, as it says, or NULL */
	char *fingerprint;		/* system_fingerprint, or NULL */
	struct kb_usage usage;
};

#define KB_REPLY_INIT { .outcome = KB_REPLY_MISSING, .usage = KB_USAGE_INIT }

void kb_reply_release(struct kb_reply *r);
bool kb_reply_equal(const struct kb_reply *a, const struct kb_reply *b);

/* A model answered, whatever came of it. */
bool kb_reply_is_answer(const struct kb_reply *r);

/* One request of a generation: a line of its data/results.jsonl. */
struct kb_generated {
	struct kb_key key;
	int sample_id;
	int turn;			/* from 1 */
	int64_t seed;			/* as sent, or KB_UNKNOWN */
	struct kb_digest prompt;	/* of its messages */
	struct kb_digest request;	/* of the body */
	int64_t latency_ns;		/* or KB_UNKNOWN */
	char *answer;			/* as it came, or NULL */
	struct kb_reply reply;
	bool is_refined;		/* one of several turns: */
	struct kb_judged *judged;	/* or NULL: not judged */
};

#define KB_GENERATED_INIT { .latency_ns = KB_UNKNOWN, .reply = KB_REPLY_INIT }
#define KB_ANSWER_BYTES_MAX ((size_t)32 << 20)	/* one answer, as it came */

void kb_generated_release(struct kb_generated *g);
struct kb_json *kb_generated_to_json(const struct kb_generated *g);
int kb_generated_from_json(struct kb_generated *g, const struct kb_json *line,
			   const char *where, struct kb_err *err);

/* KB_ERR_INPUT: "sample 0 of problem '1/19', turn 2: <why>". */
int kb_generated_refuse(const struct kb_generated *g, const char *why,
			struct kb_err *err);

/* Order by key, sample and turn. */
int kb_generated_compare(const struct kb_generated *a,
			 const struct kb_generated *b);

static inline void kb_cleanup_reply(struct kb_reply *r)
{
	kb_reply_release(r);
}

static inline void kb_cleanup_generated(struct kb_generated *g)
{
	kb_generated_release(g);
}

#endif
