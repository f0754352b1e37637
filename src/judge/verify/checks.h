#ifndef KB_VERIFY_CHECKS_H
#define KB_VERIFY_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_err;
struct kb_json;

/*
 * The checks of a bundle and their answers, in layers. A layer rests on those
 * before it; the names are part of what kb-verify prints, and told in
 * kb-verify(1).
 *
 *	bytes		the bag is whole, its record well formed
 *	chain		it goes together with what it was made from
 *	arithmetic	what is derived follows from what was measured
 *	plausibility	what is said to be measured can have been
 *	signature	who answers for it
 */
enum kb_layer {
	KB_LAYER_BYTES,
	KB_LAYER_CHAIN,
	KB_LAYER_ARITHMETIC,
	KB_LAYER_PLAUSIBILITY,
	KB_LAYER_SIGNATURE,
	KB_LAYER_COUNT,			/* not a layer */
};

/* From good to bad: of several, the last in this order is the layer's. A
 * note is for people, and as good as an ok. */
enum kb_answer {
	KB_ANSWER_OK,
	KB_ANSWER_NOTE,
	KB_ANSWER_NOT_CHECKED,
	KB_ANSWER_NO,
	KB_ANSWER_COUNT,		/* not an answer */
};

const char *kb_layer_name(enum kb_layer layer);

struct kb_check {
	enum kb_layer layer;
	const char *what;		/* a word; borrowed for ever */
	enum kb_answer answer;
	char *words;			/* one line, or NULL */
	size_t more;			/* of the same question and answer behind
					   it, whose words are not kept */
};

struct kb_checks {
	struct kb_check *items;		/* in the order that they were made */
	size_t count, capacity;
	size_t alike;			/* in the end, one behind the other */
	bool first_no;			/* keep the first that says no alone: for
					   who wants no more than a yes */
};

#define KB_CHECKS_INIT { .items = NULL }

void kb_checks_release(struct kb_checks *c);

/* The most checks kept of one answer to one question, so that a hostile record
 * costs no more memory than it has bytes. Further ones are counted. */
#define KB_CHECKS_ALIKE_MAX 1000

/* `what` is a string literal. Words may quote strangers: what is not
 * printable is replaced, and what is longer than a message is cut. */
void kb_checks_add(struct kb_checks *c, enum kb_layer layer, const char *what,
		   enum kb_answer answer, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* Move the checks of `from` to `c`, in their order. */
void kb_checks_move(struct kb_checks *c, struct kb_checks *from);

/* The layer's answer; a layer without a check is not checked. */
enum kb_answer kb_checks_layer(const struct kb_checks *c,
			       enum kb_layer layer);

/*
 * The layer's answer in the summary of kb-verify: KB_ANSWER_NO if a check says no,
 * KB_ANSWER_OK if one was made, KB_ANSWER_NOT_CHECKED if none was.
 */
enum kb_answer kb_checks_in_short(const struct kb_checks *c,
				  enum kb_layer layer);

/* Append the questions of a layer that were answered so, each once: "floor,
 * clocks". Returns how many. KB_LAYER_COUNT stands for all layers. */
size_t kb_checks_print_questions(struct kb_buf *out, const struct kb_checks *c,
				 enum kb_layer layer, enum kb_answer answer);

/* The worst of all layers. */
enum kb_answer kb_checks_answer(const struct kb_checks *c);

/* How many checks called `what` were answered so. */
size_t kb_checks_count(const struct kb_checks *c, const char *what,
		       enum kb_answer answer);

/* For who wants no more than a yes: fails with KB_ERR_INPUT and the first that
 * says no, or returns 0. */
int kb_checks_refuse(const struct kb_checks *c, struct kb_err *err);

/*
 * Lines "<name>: <layer>: <what>: <answer>, <words>", where `what` is left
 * out if it is the layer's own name. Of one answer to one question at most
 * KB_CHECKS_LINES_MAX lines are printed, and then how many more there are.
 */
#define KB_CHECKS_LINES_MAX 4

void kb_checks_print(struct kb_buf *out, const char *name,
		     const struct kb_checks *c);

/* The same of those alone that say no. */
void kb_checks_print_no(struct kb_buf *out, const char *name,
			const struct kb_checks *c);

/*
 * All of it in a few words, without a line's end. If something says no, the
 * layers that do: "chain arithmetic". Otherwise the layers in which something
 * was checked, then what was noted and what was not checked, each question
 * once: "bytes chain; 1 noted: drift; 2 not checked: suite, signature".
 */
void kb_checks_print_summary(struct kb_buf *out, const struct kb_checks *c);

/* {"<layer>": {"verdict", "checks": [{"check", "verdict", "detail"}]}}, with
 * all layers and all checks. The caller owns the result. */
struct kb_json *kb_checks_to_json(const struct kb_checks *c);

/* "ok", "no" or "not_checked": there a note is an ok. */
const char *kb_answer_verdict(enum kb_answer answer);

static inline void kb_cleanup_checks(struct kb_checks *c)
{
	kb_checks_release(c);
}

#endif
