#ifndef KB_MANIFEST_REFINEMENT_H
#define KB_MANIFEST_REFINEMENT_H

#include <stdbool.h>

#include "manifest/record.h"
#include "manifest/status.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * Attempts in turns: a model is told what became of its last one, and tries
 * again. The answers of one sample, turn after turn, are its trajectory.
 */

/* The parts of an attempt that the model is told; a set of bits. */
enum kb_told_part {
	KB_TOLD_STATUS = 1,		/* how it ended */
	KB_TOLD_LOG = 2,		/* what was printed: the compiler's, too */
	KB_TOLD_VALUES = 4,		/* how far outputs were off, and which */
	KB_TOLD_TIMES = 8,		/* its time and the baseline's */
};
#define KB_TOLD_PARTS 4
#define KB_TOLD_DEFAULT "status,log,values,times"

/* The attempts that a model sees again, after the first prompt. */
enum kb_history {
	KB_HISTORY_LAST,
	KB_HISTORY_BEST,		/* the best one, and the last */
	KB_HISTORY_ALL,
	KB_HISTORY_COUNT,		/* not a history */
};

#define KB_HISTORY_DEFAULT "last"
extern const char *const kb_histories[KB_HISTORY_COUNT];

enum kb_goal_kind {
	KB_GOAL_NONE,
	KB_GOAL_CORRECT,		/* "correct" */
	KB_GOAL_SPEEDUP,		/* "1.5x" the baseline, or more */
	KB_GOAL_BOUND,			/* "80%" of what the device can do */
};

struct kb_goal {
	enum kb_goal_kind kind;
	int64_t micro;			/* of 1x or of 1%; 1 or more */
};

struct kb_refinement {
	int turns;			/* at most; 2 or more */
	char *goal;			/* as spelt, or NULL */
	unsigned int told;		/* of enum kb_told_part */
	enum kb_history history;
	int64_t budget_tokens;		/* of a trajectory, or KB_UNKNOWN */
	char *budget_cost;		/* the same, as spelt, or NULL */
	struct kb_json *words;		/* name -> template */
};

#define KB_REFINEMENT_INIT { .budget_tokens = KB_UNKNOWN }

void kb_refinement_release(struct kb_refinement *r);

/* NULL is no goal. Fails with KB_ERR_INPUT. */
int kb_goal_parse(struct kb_goal *out, const char *text, struct kb_err *err);

/* "status,log,values,times", some of them, each once, in any order. Fails
 * with KB_ERR_INPUT. */
int kb_told_parse(unsigned int *out, const char *list, struct kb_err *err);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_history_parse(enum kb_history *out, const char *name,
		     struct kb_err *err);

struct kb_json *kb_refinement_to_json(const struct kb_refinement *r);

/* The member `key`. If `f` has failed `r` may be filled in part; the caller
 * releases it. */
void kb_refinement_read(struct kb_refinement *r, struct kb_fields *f,
			const char *key);

/* The outcome of one attempt. */
struct kb_judged {
	enum kb_status status;		/* "missing": there was no code */
	bool compiled;
	int64_t time_ns;		/* of a call, or KB_UNKNOWN */
	int64_t baseline_ns;		/* what it is compared with, likewise */
	int64_t bound_ns;		/* what the device needs at least */
	char *told;			/* to the model; NULL if it was not
					   asked again */
};

#define KB_JUDGED_INIT { .status = KB_STATUS_MISSING,			\
			 .time_ns = KB_UNKNOWN,				\
			 .baseline_ns = KB_UNKNOWN, .bound_ns = KB_UNKNOWN }

void kb_judged_free(struct kb_judged *j);	/* NULL is allowed */
bool kb_judged_equal(const struct kb_judged *a, const struct kb_judged *b);

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_judged_to_json(const struct kb_judged *j);

/* The member `key`: null gives NULL. The caller frees. */
struct kb_judged *kb_judged_read(struct kb_fields *f, const char *key);

static inline void kb_cleanup_refinement(struct kb_refinement *r)
{
	kb_refinement_release(r);
}

static inline void kb_cleanup_judged(struct kb_judged **j)
{
	kb_judged_free(*j);
}

#endif
