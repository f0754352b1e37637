/* The results of an evaluation, one at a time. */

#include "manifest/evaluation.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/lines.h"

/*
 * A case in short: problems are their keys; a result is key, sample and a
 * letter for its status, and the seeds under which it was correct, if any.
 */
struct in_short {
	const char *problems, *results;
	int correct, mismatch, missing;	/* as the record counts them */
	const char *seeds;		/* of the policy, or NULL */
};

static enum kb_status status_of(char letter)
{
	return letter == 'c' ? KB_STATUS_CORRECT :
	       letter == 'x' ? KB_STATUS_MISMATCH : KB_STATUS_MISSING;
}

/* "1/2:0c" or "1/2:0c=42,123" */
static void add_line(struct kb_buf *out, const char *text)
{
	struct kb_result r = KB_RESULT_INIT;
	char letter, list[32] = "";

	if (sscanf(text, "%d/%d:%d%c=%31s", &r.key.level, &r.key.problem_id,
		   &r.sample_id, &letter, list) < 4)
		KB_BUG("a test's own result is not one");
	r.outcome.status = status_of(letter);
	if (r.outcome.status == KB_STATUS_MISMATCH)
		r.outcome.phase = KB_PHASE_RUN;
	if (*list && kb_seeds_parse(&r.seeds, list, NULL) < 0)
		KB_BUG("a test's own seeds are none");
	kb_lines_add(out, kb_result_to_json(&r));
}

/* Call `add` for each word. */
static void each_word(const char *words, void *into,
		      void (*add)(void *into, const char *word))
{
	kb_auto(mem) char *copy = kb_xstrdup(words);
	char *rest = copy, *word;

	while ((word = strsep(&rest, " ")))
		if (*word)
			add(into, word);
}

static void add_result(void *into, const char *word)
{
	add_line(into, word);
}

static void add_problem(void *into, const char *word)
{
	struct kb_evaluation *e = into;

	e->problems = kb_xreallocarray(e->problems, e->problem_count + 1,
				       sizeof(*e->problems));
	if (kb_key_parse(&e->problems[e->problem_count++], word, NULL) < 0)
		KB_BUG("a test's own key is none");
}

static void fill(struct kb_evaluation *e, const struct in_short *s)
{
	*e = (struct kb_evaluation)KB_EVALUATION_INIT;
	each_word(s->problems, e, add_problem);
	e->conditions.policy = kb_json_object();
	if (s->seeds)
		kb_json_set_string(e->conditions.policy, "seeds", s->seeds);
	e->status_counts[KB_STATUS_CORRECT] = s->correct;
	e->status_counts[KB_STATUS_MISMATCH] = s->mismatch;
	e->status_counts[KB_STATUS_MISSING] = s->missing;
}

/* Says what was taken, in short. */
static void tell(void *into, struct kb_result *r)
{
	struct kb_buf *told = into;
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(told, "%s%s:%d", told->len ? " " : "", key, r->sample_id);
}

#define NOT_SEEDED(sample, status) \
	"'data/results.jsonl': 'seeds' of 1/1 sample " sample \
	" does not go with status '" status "' under the policy"

#define KEYS "1/1 1/2 1/10 2/1"
#define THERE "1/1:0c 1/1:1x 1/2:0x 1/10:7c 2/1:0m"

static const struct {
	struct in_short e;
	const char *told, *message;
} cases[] = {
	{ { "", "", 0, 0, 0, NULL }, "", "" },
	{ { KEYS, THERE, 2, 2, 1, NULL },
	  "1/1:0 1/1:1 1/2:0 1/10:7 2/1:0", "" },
	{ { "1/1", "1/1:0x 1/1:999999x", 0, 2, 0, NULL },
	  "1/1:0 1/1:999999", "" },

	/* Order. */
	{ { "1/1", "1/1:0c 1/1:0c", 2, 0, 0, NULL }, "1/1:0",
	  "line 2 of data/results.jsonl: out of order, or there twice" },
	{ { "1/1", "1/1:1c 1/1:0c", 2, 0, 0, NULL }, "1/1:1",
	  "line 2 of data/results.jsonl: out of order, or there twice" },
	{ { "1/1 2/1", "1/1:0c 2/1:0c 1/1:1c", 3, 0, 0, NULL }, "1/1:0 2/1:0",
	  "line 3 of data/results.jsonl: out of order, or there twice" },

	/* Problems: the first that lacks a line, wherever it is. */
	{ { "1/1", "", 0, 0, 0, NULL }, "",
	  "'data/results.jsonl' has no line for problem '1/1'" },
	{ { KEYS, "1/2:0x 1/10:7c 2/1:0m", 1, 1, 1, NULL },
	  "1/2:0 1/10:7 2/1:0",
	  "'data/results.jsonl' has no line for problem '1/1'" },
	{ { KEYS, "1/1:0c 2/1:0m", 1, 0, 1, NULL }, "1/1:0 2/1:0",
	  "'data/results.jsonl' has no line for problem '1/2'" },
	{ { KEYS, "1/1:0c 1/2:0c 1/10:0c", 3, 0, 0, NULL },
	  "1/1:0 1/2:0 1/10:0",
	  "'data/results.jsonl' has no line for problem '2/1'" },
	{ { "", "1/1:0c", 1, 0, 0, NULL }, "1/1:0",
	  "'data/results.jsonl' has lines for problems that the record does not list" },
	{ { "1/2", "1/1:0c 1/2:0c", 2, 0, 0, NULL }, "1/1:0 1/2:0",
	  "'data/results.jsonl' has lines for problems that the record does not list" },
	{ { "1/1 1/3", "1/1:0c 1/2:0c 1/3:0c", 3, 0, 0, NULL },
	  "1/1:0 1/2:0 1/3:0",
	  "'data/results.jsonl' has lines for problems that the record does not list" },
	{ { "1/1", "1/1:0c 1/1:1c 9/9:0c", 3, 0, 0, NULL },
	  "1/1:0 1/1:1 9/9:0",
	  "'data/results.jsonl' has lines for problems that the record does not list" },
	/* One that lacks a line is said before one that has one too many. */
	{ { "1/2", "1/1:0c", 1, 0, 0, NULL }, "1/1:0",
	  "'data/results.jsonl' has no line for problem '1/2'" },

	/* Counts. */
	{ { KEYS, THERE, 1, 2, 1, NULL }, "1/1:0 1/1:1 1/2:0 1/10:7 2/1:0",
	  "the record counts 'correct' 1 times, 'data/results.jsonl' has 2" },
	{ { KEYS, THERE, 2, 3, 1, NULL }, "1/1:0 1/1:1 1/2:0 1/10:7 2/1:0",
	  "the record counts 'mismatch' 3 times, 'data/results.jsonl' has 2" },
	{ { "", "", 0, 0, 1, NULL }, "",
	  "the record counts 'missing' 1 times, 'data/results.jsonl' has 0" },

	/* Seeds. */
	{ { "1/1", "1/1:0c=1,2 1/1:1x=1 1/1:2x", 1, 2, 0, "1,2" },
	  "1/1:0 1/1:1 1/1:2", "" },
	{ { "1/1", "1/1:0c=1,2 1/1:1c=1 1/1:2c", 3, 0, 0, "1,2" },
	  "1/1:0 1/1:1 1/1:2",
	  NOT_SEEDED("1", "correct") },
	{ { "1/1", "1/1:0x=1,2", 0, 1, 0, "1,2" }, "1/1:0",
	  NOT_SEEDED("0", "mismatch") },
	{ { "1/1", "1/1:0x=2", 0, 1, 0, "1,2" }, "1/1:0",
	  NOT_SEEDED("0", "mismatch") },
	{ { "1/1", "1/1:0c=1", 1, 0, 0, NULL }, "1/1:0",
	  NOT_SEEDED("0", "correct") },
	{ { "1/1", "1/1:0c=1", 1, 0, 0, "" }, "",
	  "data/manifest.json: seeds '': '' is no seed, an integer from 0 to 9007199254740991" },
};

static void test_results_are_checked_together(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf told = KB_BUF_INIT;
		kb_auto(evaluation) struct kb_evaluation e;
		struct kb_err err = KB_ERR_INIT;

		fill(&e, &cases[i].e);
		each_word(cases[i].e.results, &lines, add_result);
		check_int(kb_evaluation_parse_results(&e, lines.data,
						      lines.len, tell, &told,
						      &err),
			  *cases[i].message ? -KB_ERR_INPUT : 0);
		check_str(err.msg, cases[i].message);
		check_str(told.data, cases[i].told);
	}
}

static void test_a_line_that_is_no_result_ends_it(void)
{
	static const struct in_short one = { "1/1", "", 1, 0, 0, NULL };
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT, told = KB_BUF_INIT;
	kb_auto(evaluation) struct kb_evaluation e;
	struct kb_err err = KB_ERR_INIT;

	fill(&e, &one);
	add_line(&lines, "1/1:0c");
	kb_buf_addstr(&lines, "{}\n");
	add_line(&lines, "1/1:0c");
	check_int(kb_evaluation_parse_results(&e, lines.data, lines.len, tell,
					      &told, &err), -KB_ERR_INPUT);
	check_str(err.msg, "line 2 of data/results.jsonl: 'key' is missing");
	check_str(told.data, "1/1:0");
}

TAP_MAIN(TAP(test_results_are_checked_together),
	 TAP(test_a_line_that_is_no_result_ends_it));
