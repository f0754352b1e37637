#ifndef KB_MANIFEST_GENERATION_H
#define KB_MANIFEST_GENERATION_H

#include "manifest/asked.h"
#include "manifest/extraction.h"
#include "manifest/generated.h"
#include "manifest/prompt.h"
#include "manifest/record.h"

struct kb_bundle;
struct kb_bundle_writer;

/*
 * A generation: what a model was asked about the problems of a suite, and
 * what it answered, as it came. Submissions are made from it.
 *
 * Prompts are in data/prompts.jsonl, each once, under the digest of its
 * messages' canonical JSON; requests and answers in data/results.jsonl.
 */
#define KB_PROMPTS_MEMBER "data/prompts.jsonl"

/* Sums over lines. */
struct kb_generation_totals {
	int64_t outcomes[KB_REPLY_OUTCOME_COUNT];
	struct kb_usage usage;		/* what is known; KB_UNKNOWN if nothing
					   is */
	int64_t without_usage;		/* answers that do not say; failures
					   are none */
	int64_t latency_ns;		/* KB_UNKNOWN if no answer has one */
	int64_t cost_nano;		/* billionths, or KB_UNKNOWN */
};

struct kb_generation {
	struct kb_asked asked;
	/* Parents: by which attempts were judged, in the order of turns. One
	 * for each turn that was judged and in which there was code. */
	struct kb_digest evaluations[KB_TURNS_MAX];
	size_t evaluation_count;
	struct kb_json *tool;
	char *server_models;		/* what /v1/models answered, or NULL */
	enum kb_extraction_rule extraction;
	struct kb_generation_totals totals;
	struct kb_prompt *prompts;	/* sorted by digest */
	size_t prompt_count;
	struct kb_generated *lines;	/* sorted, each request once */
	size_t line_count;
};

#define KB_GENERATION_INIT { .asked = KB_ASKED_INIT,			\
			     .extraction = KB_EXTRACTION_RULE_LAST }

void kb_generation_release(struct kb_generation *g);

/* How code is taken from its answers. */
static inline struct kb_extraction
kb_generation_extraction(const struct kb_generation *g)
{
	return (struct kb_extraction){ g->asked.backend, g->extraction };
}

/* NULL if there is none. Borrowed until release. */
const struct kb_prompt *kb_generation_prompt(const struct kb_generation *g,
					     const struct kb_digest *digest);

/* Put prompts and lines in order, as the bundle has them. */
void kb_generation_sort(struct kb_generation *g);

/* The sums over the lines, by the prices. */
void kb_generation_sum(struct kb_generation_totals *out,
		       const struct kb_generation *g);

/* The record without prompts and lines. */
struct kb_json *kb_generation_to_json(const struct kb_generation *g);
int kb_generation_from_json(struct kb_generation *g,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err);

/* The members beside the record, into a generation that has only the record:
 * prompts are sorted, each is used, and is a line's; lines are sorted, of samples
 * that the record lists, each once, and their turns follow each other. The caller
 * releases `g` after a failure too, which is KB_ERR_INPUT. */
int kb_generation_parse_lines(struct kb_generation *g, const void *prompts,
			      size_t prompts_len, const void *results,
			      size_t results_len, struct kb_err *err);

/* The record alone; and with prompts and lines, as above. */
int kb_generation_load_record(struct kb_generation *g,
			      const struct kb_bundle *b, struct kb_err *err);
int kb_generation_load(struct kb_generation *g, const struct kb_bundle *b,
		       struct kb_err *err);

/* Add all of it to a new bundle: sorts prompts and lines, and sums. */
int kb_generation_write(struct kb_bundle_writer *w, struct kb_generation *g,
			struct kb_err *err);

static inline void kb_cleanup_generation(struct kb_generation *g)
{
	kb_generation_release(g);
}

#endif
