#ifndef KB_ASKING_WORK_H
#define KB_ASKING_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/generation.h"
#include "store/journal.h"

struct kb_err;
struct kb_turn_judge;

/*
 * A generation that is not finished: a folder with
 *
 *	generation.json		the record, without sums
 *	prompts.jsonl		as data/prompts.jsonl
 *	asked.jsonl		the lines of data/results.jsonl, with no answer;
 *				of the first turn, from which others follow
 *	.journal-<digest>	answers, as they came, what the server says of
 *				itself, and verdicts on turns
 *				(store/journal.h, turns/tell.h)
 *	requests-0001.jsonl...	what is still to be answered
 *
 * The first three are written once. An answer is on disk when
 * kb_work_take() returns, and whoever opens the folder again has it.
 */
#define KB_WORK_DEFAULT "generation"
#define KB_WORK_RECORD "generation.json"
#define KB_WORK_PROMPTS "prompts.jsonl"
#define KB_WORK_ASKED "asked.jsonl"

struct kb_work {
	char *dir;
	struct kb_generation g;
	int judged_turns;		/* of a refinement */
	struct kb_journal journal;
};

#define KB_WORK_INIT { .g = KB_GENERATION_INIT, .journal = KB_JOURNAL_INIT }

void kb_work_release(struct kb_work *w);

/*
 * Begin in `dir`, which is made if need be, or go on there: takes `g`, even
 * on failure. Fails with KB_ERR_USAGE if another generation was begun there,
 * KB_ERR_SYS, KB_ERR_INPUT, KB_ERR_TIMEOUT if another process works there.
 */
int kb_work_begin(struct kb_work *w, const char *dir, struct kb_generation *g,
		  struct kb_err *err);

/* Go on in `dir`. Fails with KB_ERR_MISSING if none was begun there, and as
 * above. */
int kb_work_open(struct kb_work *w, const char *dir, struct kb_err *err);

/* The outcomes of an answer. */
enum kb_taken {
	KB_TAKEN,			/* it is the line's now */
	KB_TAKEN_BEFORE,		/* the same bytes */
	KB_TAKEN_ANOTHER,		/* the line has another, which stays */
};

/* An answer as it came; all borrowed for the call. */
struct kb_raw_answer {
	const char *text;
	size_t len;
	int64_t latency_ns;		/* or KB_UNKNOWN */
	const char *name;		/* where it is from, for messages */
};

/* The outcome of an answer. */
struct kb_answered {
	const struct kb_generated *line; /* that it is for; borrowed */
	bool has_several;		/* further choices, which do not count */
};

/*
 * Take an answer. An answer that is there stays, unless it failed and this one
 * did not. `out` may be NULL.
 *
 * Fails with KB_ERR_INPUT if it is not an answer to what was asked: then
 * nothing has changed. KB_ERR_SYS.
 */
int kb_work_take(struct kb_work *w, const struct kb_raw_answer *from,
		 struct kb_answered *out, struct kb_err *err);

/* Keep what the server says of its models, which servers say otherwise each
 * time: the first that is kept stays. Fails with KB_ERR_SYS. */
int kb_work_keep_models(struct kb_work *w, const char *models,
			struct kb_err *err);

/* Not answered yet, or with a failure, in a turn that was not judged yet. */
bool kb_work_is_open(const struct kb_work *w, const struct kb_generated *line);
size_t kb_work_open_count(const struct kb_work *w);

/*
 * Judge the turn in hand, which was not judged yet, and begin the next. What is
 * open of it is given up. All of it is on disk when this returns. `evaluation`
 * is the name of the judge's; NULL if it has none. Fails as kb_tell(), and
 * with KB_ERR_SYS.
 */
int kb_work_tell(struct kb_work *w, const struct kb_turn_judge *j,
		 const struct kb_digest *evaluation, struct kb_err *err);

static inline void kb_cleanup_work(struct kb_work *w)
{
	kb_work_release(w);
}

#endif
