#include "runs/run_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/self.h"
#include "cli/shell_word.h"
#include "cli/shown_id.h"
#include "manifest/evaluation.h"
#include "runs/find_baseline.h"
#include "runs/next_step.h"
#include "runs/stage_run.h"
#include "store/refs.h"
#include "store/store.h"

#define WORDS_MAX 128		/* of a command line */

struct run {
	const struct kb_run_options *o;
	char *const *more;
	struct kb_digest suite, submission, baseline, evaluation, score;
	bool made_baseline;
};

/* A command line that grows; what is one too many is left out, and told. */
struct words {
	const char *argv[WORDS_MAX + 1];
	size_t count;
	bool too_many;
};

static void add_word(struct words *w, const char *word)
{
	if (w->count == WORDS_MAX)
		w->too_many = true;
	else
		w->argv[w->count++] = word;
}

static void add_option(struct words *w, const char *name, const char *value)
{
	if (!value)
		return;
	add_word(w, name);
	add_word(w, value);
}

/* Ids as people are shown them, which the store takes as well. */
static void say_words(const struct words *w)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_digest id;

	for (size_t i = 0; i < w->count; i++) {
		kb_buf_addch(&line, ' ');
		if (kb_digest_parse(&id, w->argv[i], NULL) == 0)
			kb_buf_add(&line, w->argv[i], KB_SHOWN_ID_DIGITS);
		else
			kb_shell_word_print(&line, w->argv[i]);
	}
	fprintf(stderr, "kb:%s\n", line.data);
}

/* In this store, and told before it is done. */
static int run_stage(const struct run *r, struct words *w,
		     struct kb_digest *id, struct kb_err *err)
{
	add_option(w, "--store", r->o->store);
	if (w->too_many)
		return kb_err(err, KB_ERR_USAGE, "more than %d words for '%s'",
			      WORDS_MAX, w->argv[0]);
	say_words(w);
	return kb_stage_run(w->argv, id, err);
}

/* --- what there is to begin with -------------------------------------- */

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The folder of problems that is called so and comes with kb; the caller frees.
 * NULL: there is none. */
static char *own_suite(const char *name)
{
	kb_auto(mem) char *prefix = kb_self_prefix(NULL);
	kb_auto(mem) char *path = NULL;

	if (!prefix || strchr(name, '/'))
		return NULL;
	path = kb_xasprintf("%s/share/kb/problems/%s", prefix, name);
	return is_there(path) ? kb_steal(path) : NULL;
}

/* Neither a bundle of the store nor one that lies elsewhere. */
static bool is_packed(const char *store, const char *name)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;

	return kb_store_open(&b, store, name, NULL) == 0;
}

static int pack_operand(const struct run *r, const char *verb, const char *name,
			struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct words w = { .argv = { "kb-pack", verb, name }, .count = 3 };
	int ret;

	if (is_there(name) && !is_packed(r->o->store, name))
		return run_stage(r, &w, id, err);
	ret = kb_store_open(&b, r->o->store, name, err);
	if (ret == 0)
		*id = b.id;
	return ret < 0 ? kb_err_wrap(err, "%s '%s'", verb, name) : 0;
}

/* A bundle that was named so, else kb's own, else what lies here: a clone of
 * KernelBench may well be called so, and most people name no suite. */
static int pack_suite(struct run *r, struct kb_err *err)
{
	const char *name = r->o->suite;
	kb_auto(mem) char *own = own_suite(name);

	if (own && kb_ref_get(&r->suite, r->o->store, name, NULL) > 0)
		return 0;
	if (own && is_there(name))
		fprintf(stderr, "note: suite '%s' is kb's own; what is here is "
			"'--suite ./%s'\n", name, name);
	return pack_operand(r, "suite", own ? own : name, &r->suite, err);
}

/* --- stages ----------------------------------------------------------- */

static void add_common(struct words *w, const struct run *r)
{
	add_option(w, "--device", r->o->device);
	add_option(w, "--problems", r->o->problems);
	add_option(w, "--levels", r->o->levels);
	for (size_t i = 0; r->more[i]; i++)
		add_word(w, r->more[i]);
}

static int run_eval(struct run *r, struct kb_err *err)
{
	char suite[KB_DIGEST_HEX_SIZE], submission[KB_DIGEST_HEX_SIZE];
	struct words w = { .argv = { "kb-eval" }, .count = 1 };

	kb_digest_format(&r->suite, suite);
	kb_digest_format(&r->submission, submission);
	add_word(&w, suite);
	add_word(&w, submission);
	add_common(&w, r);
	/* kb-eval refuses a wrong baseline before it measures anything. */
	add_option(&w, "--baseline", r->o->baseline);
	return run_stage(r, &w, &r->evaluation, err);
}

static int load_evaluation(struct kb_evaluation *e, const struct run *r,
			   struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_store_open_id(&b, r->o->store, &r->evaluation, err);

	return ret < 0 ? ret : kb_evaluation_load_record(e, &b, err);
}

static int make_baseline(struct run *r, struct kb_err *err)
{
	char suite[KB_DIGEST_HEX_SIZE];
	struct words w = { .argv = { "kb-baseline" }, .count = 1 };

	kb_digest_format(&r->suite, suite);
	add_word(&w, suite);
	add_common(&w, r);
	r->made_baseline = true;
	return run_stage(r, &w, &r->baseline, err);
}

static int find_baseline(struct run *r, struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret;

	if (r->o->baseline) {
		ret = kb_store_open(&b, r->o->store, r->o->baseline, err);
		if (ret == 0)
			r->baseline = b.id;
		return ret;
	}
	ret = load_evaluation(&e, r, err);
	if (ret == 0)
		ret = kb_find_baseline(&r->baseline, r->o->store, &e, err);
	if (ret)
		return ret < 0 ? ret : 0;
	return make_baseline(r, err);
}

static int run_score(struct run *r, struct kb_err *err)
{
	char evaluation[KB_DIGEST_HEX_SIZE], baseline[KB_DIGEST_HEX_SIZE];
	struct words w = { .argv = { "kb-score" }, .count = 1 };

	kb_digest_format(&r->evaluation, evaluation);
	kb_digest_format(&r->baseline, baseline);
	add_word(&w, evaluation);
	add_word(&w, baseline);
	add_option(&w, "--name", r->o->made.name);
	return run_stage(r, &w, &r->score, err);
}

static int run_verify(struct run *r, struct kb_err *err)
{
	const struct kb_digest *ids[] = {
		&r->suite, &r->submission, &r->baseline, &r->evaluation,
		&r->score,
	};
	char hex[KB_ARRAY_LEN(ids)][KB_DIGEST_HEX_SIZE];
	struct words w = { .argv = { "kb-verify" }, .count = 1 };

	for (size_t i = 0; i < KB_ARRAY_LEN(ids); i++) {
		kb_digest_format(ids[i], hex[i]);
		add_word(&w, hex[i]);
	}
	return run_stage(r, &w, NULL, err);
}

/* --- what came of it -------------------------------------------------- */

static void print_part(const char *kind, const struct kb_digest *id,
		       const char *note)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_shown_id(hex, id);
	printf("%s %s%s\n", kind, hex, note);
}

/* On standard error: whoever reads the other wants ids. */
static int print_next(const struct run *r, struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char key_text[KB_KEY_SIZE];
	struct kb_key key;
	int sample_id, ret;

	ret = kb_store_open_id(&b, r->o->store, &r->evaluation, err);
	if (ret >= 0)
		ret = kb_evaluation_load_record(&e, &b, err);
	if (ret >= 0)
		ret = kb_first_failure(&key, &sample_id, &e, &b, err);
	if (ret < 0)
		return ret;
	kb_buf_addstr(&text, "next:\n");
	kb_next_step_print(&text, r->o->store, "all of it, in a browser",
			   "report @last:score");
	if (ret) {
		kb_key_format(key_text, key);
		kb_next_step_print(&text, r->o->store, "why the first failed",
				   "show @last:evaluation %s %d", key_text,
				   sample_id);
	}
	fflush(stdout);
	fputs(text.data, stderr);
	return 0;
}

static void print_parts(const struct run *r)
{
	putchar('\n');
	print_part("suite", &r->suite, "");
	print_part("submission", &r->submission, "");
	print_part("evaluation", &r->evaluation, "");
	print_part("baseline", &r->baseline,
		   r->made_baseline ? "" : ", which was there");
}

/* A bundle that lies elsewhere is not found by its id. */
static int check_in_store(const struct run *r, const struct kb_digest *id,
			  struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;

	return kb_store_open_id(&b, r->o->store, id, err);
}

int kb_run_all(const struct kb_run_options *o, const char *submission,
	       char *const more[], struct kb_err *err)
{
	struct run r = { .o = o, .more = more };
	int ret = kb_made_check(&o->made, err);

	if (ret == 0)
		ret = pack_operand(&r, "submission", submission, &r.submission, err);
	if (ret == 0)
		ret = pack_suite(&r, err);
	if (ret == 0)
		ret = check_in_store(&r, &r.suite, err);
	if (ret == 0)
		ret = check_in_store(&r, &r.submission, err);
	if (ret == 0)
		ret = run_eval(&r, err);
	if (ret == 0)
		ret = find_baseline(&r, err);
	if (ret == 0)
		ret = run_score(&r, err);
	if (ret == 0)
		ret = run_verify(&r, err);
	if (ret)
		return ret;
	print_parts(&r);
	ret = kb_made_print(&o->made, o->store, KB_KIND_SCORE, &r.score, err);
	return ret < 0 ? ret : print_next(&r, err);
}
