#include "asking/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers/answer.h"
#include "answers/request.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "turns/tell.h"

void kb_work_release(struct kb_work *w)
{
	kb_journal_release(&w->journal);
	kb_generation_release(&w->g);
	free(w->dir);
	*w = (struct kb_work)KB_WORK_INIT;
}

static char *path_of(const struct kb_work *w, const char *file)
{
	return kb_xasprintf("%s/%s", w->dir, file);
}

/* --- the three files --------------------------------------------------- */

static void print_record(struct kb_buf *out, const struct kb_generation *g)
{
	kb_auto(json) struct kb_json *record = kb_generation_to_json(g);

	kb_json_print(out, record);
}

/* Leave out the version of kb, which may differ. */
static void print_asked(struct kb_buf *out, const struct kb_generation *g)
{
	kb_auto(json) struct kb_json *v = kb_json_object();

	kb_put_digest(v, "suite", &g->asked.suite);
	if (g->asked.has_baseline)
		kb_put_digest(v, "baseline", &g->asked.baseline);
	kb_asked_to_json(v, &g->asked);
	kb_json_print(out, v);
}

static void print_prompts(struct kb_buf *out, const struct kb_generation *g)
{
	for (size_t i = 0; i < g->prompt_count; i++)
		kb_lines_add(out, kb_prompt_to_json(&g->prompts[i]));
}

static void print_lines(struct kb_buf *out, const struct kb_generation *g)
{
	for (size_t i = 0; i < g->line_count; i++)
		kb_lines_add(out, kb_generated_to_json(&g->lines[i]));
}

static int write_file(const struct kb_work *w, const char *file,
		      void (*print)(struct kb_buf *out,
				    const struct kb_generation *g),
		      struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(w, file);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	print(&text, &w->g);
	return kb_file_replace(AT_FDCWD, path, text.data, text.len, 0666, err);
}

/* The record last: where it is, so are the others. */
static int write_files(const struct kb_work *w, struct kb_err *err)
{
	int ret = kb_dir_make(w->dir, err);

	if (ret == 0)
		ret = write_file(w, KB_WORK_PROMPTS, print_prompts, err);
	if (ret == 0)
		ret = write_file(w, KB_WORK_ASKED, print_lines, err);
	return ret < 0 ? ret : write_file(w, KB_WORK_RECORD, print_record,
					  err);
}

static int read_record(struct kb_work *w, struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(w, KB_WORK_RECORD);
	kb_auto(json) struct kb_json *record = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, path, KB_RECORD_BYTES_MAX, err);

	if (ret == 0)
		ret = kb_json_parse(&record, text.data, text.len,
				    KB_JSON_CANONICAL, path, err);
	return ret < 0 ? ret : kb_generation_from_json(&w->g, record, path,
						       err);
}

static int read_lines(struct kb_work *w, const char *file,
		      int (*take)(void *into, const struct kb_json *line,
				  const char *where, struct kb_err *err),
		      struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(w, file);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, path, KB_LINES_BYTES_MAX, err);

	return ret < 0 ? ret : kb_lines_parse(text.data, text.len, path, take,
					      &w->g, err);
}

static int take_prompt(void *into, const struct kb_json *line,
		       const char *where, struct kb_err *err)
{
	struct kb_generation *g = into;
	int ret;

	g->prompts = kb_xreallocarray(g->prompts, g->prompt_count + 1,
				      sizeof(*g->prompts));
	ret = kb_prompt_from_json(&g->prompts[g->prompt_count], line, where,
				  err);
	g->prompt_count += ret == 0;
	return ret;
}

static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct kb_generation *g = into;
	int ret;

	g->lines = kb_xreallocarray(g->lines, g->line_count + 1,
				    sizeof(*g->lines));
	ret = kb_generated_from_json(&g->lines[g->line_count], line, where,
				     err);
	g->line_count += ret == 0;
	return ret;
}

static int read_files(struct kb_work *w, struct kb_err *err)
{
	int ret = read_record(w, err);

	if (ret == 0)
		ret = read_lines(w, KB_WORK_PROMPTS, take_prompt, err);
	return ret < 0 ? ret : read_lines(w, KB_WORK_ASKED, take_line, err);
}

/* --- answers ----------------------------------------------------------- */

static void put_answer(struct kb_generated *l,
		       const struct kb_raw_answer *from,
		       struct kb_reply *reply)
{
	free(l->answer);
	kb_reply_release(&l->reply);
	l->answer = kb_xstrndup(from->text, from->len);
	l->latency_ns = from->latency_ns;
	l->reply = *reply;
	*reply = (struct kb_reply)KB_REPLY_INIT;
}

bool kb_work_is_open(const struct kb_work *w, const struct kb_generated *line)
{
	return line->turn > w->judged_turns &&
	       (line->reply.outcome == KB_REPLY_MISSING ||
		line->reply.outcome == KB_REPLY_FAILED);
}

size_t kb_work_open_count(const struct kb_work *w)
{
	size_t count = 0;

	for (size_t i = 0; i < w->g.line_count; i++)
		count += kb_work_is_open(w, &w->g.lines[i]);
	return count;
}

/* Whether this one is taken for the line, or what it is if not. The first
 * answer counts. A second one would let whoever runs this choose the better of
 * two, so that it replaces nothing but a failure. */
static enum kb_taken judge_answer(const struct kb_work *w,
				  const struct kb_generated *l,
				  const struct kb_raw_answer *from,
				  const struct kb_reply *reply)
{
	if (!l->answer)
		return KB_TAKEN;
	if (strlen(l->answer) == from->len &&
	    !memcmp(l->answer, from->text, from->len))
		return KB_TAKEN_BEFORE;
	return kb_work_is_open(w, l) && reply->outcome != KB_REPLY_FAILED ?
		       KB_TAKEN : KB_TAKEN_ANOTHER;
}

/* An answer is in the journal as it came, and what it gives is derived from it
 * again when the run is resumed: a mended parser is then applied to all answers
 * alike. */
static int append_answer(struct kb_work *w, const struct kb_raw_answer *from,
			 struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_json_object();
	kb_auto(mem) char *answer = kb_xstrndup(from->text, from->len);

	kb_json_set_string(line, "answer", answer);
	kb_put_int(line, "latency_ns", from->latency_ns);
	return kb_journal_append(&w->journal, line, err);
}

/* Read it, and find the line that it is for. */
static int parse_answer(struct kb_answer *a, struct kb_generated **line,
			struct kb_work *w, const struct kb_raw_answer *from,
			struct kb_err *err)
{
	int ret;

	if (from->len > KB_ANSWER_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is larger than %zu bytes", from->name,
			      KB_ANSWER_BYTES_MAX);
	ret = kb_answer_parse(a, from->text, from->len,
			      kb_generation_extraction(&w->g), from->name, err);
	if (ret < 0)
		return ret;
	ret = kb_custom_id_find(line, &w->g, a->custom_id, err);
	return ret < 0 ? kb_err_wrap(err, "%s", from->name) : 0;
}

static int take_answer(struct kb_work *w, const struct kb_raw_answer *from,
		       bool is_new, struct kb_answered *out, struct kb_err *err)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
	struct kb_generated *l = NULL;
	enum kb_taken taken;
	int ret = parse_answer(&a, &l, w, from, err);

	if (ret < 0)
		return ret;
	if (out)
		*out = (struct kb_answered){ l, a.has_several };
	if (!l->answer && !kb_work_is_open(w, l))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: turn %d is over, and was judged without it",
			      from->name, l->turn);
	taken = judge_answer(w, l, from, &a.reply);
	if (taken == KB_TAKEN && is_new)
		ret = append_answer(w, from, err);
	if (ret < 0)
		return ret;
	if (taken == KB_TAKEN)
		put_answer(l, from, &a.reply);
	return (int)taken;
}

int kb_work_take(struct kb_work *w, const struct kb_raw_answer *from,
		 struct kb_answered *out, struct kb_err *err)
{
	return take_answer(w, from, true, out, err);
}

static int take_models(struct kb_work *w, const struct kb_json *line,
		       struct kb_err *err)
{
	struct kb_fields f;
	char *models;

	kb_fields_begin(&f, line, w->journal.path, err);
	models = kb_fields_string(&f, "server_models");
	free(w->g.server_models);
	w->g.server_models = models;
	return kb_fields_end(&f);
}

int kb_work_keep_models(struct kb_work *w, const char *models,
			struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_json_object();
	int ret;

	if (w->g.server_models)
		return 0;
	kb_json_set_string(line, "server_models", models);
	ret = kb_journal_append(&w->journal, line, err);
	return ret < 0 ? ret : take_models(w, line, err);
}

/* --- turns ------------------------------------------------------------- */

static int take_verdicts(struct kb_work *w, const struct kb_json *line,
			 struct kb_err *err)
{
	int ret = kb_tell_take(&w->g, line, w->journal.path, err);

	if (ret < 0)
		return ret;
	w->judged_turns = ret;
	return 0;
}

int kb_work_tell(struct kb_work *w, const struct kb_turn_judge *j,
		 const struct kb_digest *evaluation, struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = NULL;
	int ret = kb_tell(&line, &w->g, j, evaluation, err);

	if (ret == 0)
		ret = kb_journal_append(&w->journal, line, err);
	return ret < 0 ? ret : take_verdicts(w, line, err);
}

/* --- going on ---------------------------------------------------------- */

/* Take an answer that an earlier run took. */
static int take_journalled(struct kb_work *w, const struct kb_json *line,
			   struct kb_err *err)
{
	struct kb_fields f;
	struct kb_raw_answer from = { .name = w->journal.path };
	int ret;

	if (kb_json_type(line) == KB_JSON_OBJECT && kb_json_find(line, "turn"))
		return take_verdicts(w, line, err);
	if (kb_json_type(line) == KB_JSON_OBJECT &&
	    kb_json_find(line, "server_models"))
		return take_models(w, line, err);
	kb_fields_begin(&f, line, w->journal.path, err);
	from.text = kb_fields_text(&f, "answer");
	from.latency_ns = kb_fields_int_or_null(&f, "latency_ns", 0,
						KB_JSON_INT_MAX);
	ret = kb_fields_end(&f);
	if (ret < 0)
		return ret;
	from.len = strlen(from.text);
	ret = take_answer(w, &from, false, NULL, err);
	return ret < 0 ? ret : 0;
}

/* The journal names what was asked, so that one that was begun with other
 * settings is refused and not continued. */
static int open_journal(struct kb_work *w, struct kb_err *err)
{
	kb_auto(json) struct kb_json *identity = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	print_asked(&text, &w->g);
	ret = kb_json_parse(&identity, text.data, text.len, KB_JSON_CANONICAL,
			    w->dir, err);
	if (ret == 0)
		ret = kb_journal_open(&w->journal, w->dir, identity, NULL,
				      err);
	for (size_t i = 0; ret == 0 && i < w->journal.count; i++)
		ret = take_journalled(w, w->journal.lines[i], err);
	return ret;
}

int kb_work_open(struct kb_work *w, const char *dir, struct kb_err *err)
{
	int ret;

	*w = (struct kb_work)KB_WORK_INIT;
	w->dir = kb_xstrdup(dir);
	ret = read_files(w, err);
	if (ret == -KB_ERR_MISSING)
		kb_err(err, KB_ERR_MISSING, "no generation was begun in '%s': "
		       "'kb-generate ask' begins one", dir);
	if (ret == 0)
		ret = open_journal(w, err);
	if (ret < 0)
		kb_work_release(w);
	return ret;
}

/* --- beginning --------------------------------------------------------- */

static bool prints_same(void (*print)(struct kb_buf *out,
				      const struct kb_generation *g),
			const struct kb_generation *a, const struct kb_generation *b)
{
	kb_auto(buf) struct kb_buf left = KB_BUF_INIT, right = KB_BUF_INIT;

	print(&left, a);
	print(&right, b);
	return left.len == right.len &&
	       !memcmp(left.data, right.data, left.len);
}

/* By the bytes that would be written: a setting that is added to the record is
 * compared without anybody thinking of it here. */
static int check_same(const struct kb_work *w, const struct kb_generation *g,
		      struct kb_err *err)
{
	const char *what = NULL;

	if (!prints_same(print_asked, &w->g, g))
		what = "settings";
	else if (!prints_same(print_prompts, &w->g, g))
		what = "prompts";
	if (what)
		return kb_err(err, KB_ERR_USAGE,
			      "a generation with other %s was begun in '%s': "
			      "choose another --dir, or delete it", what,
			      w->dir);
	return 0;
}

static int go_on(struct kb_work *w, const char *dir,
		 const struct kb_generation *g, struct kb_err *err)
{
	int ret;

	w->dir = kb_xstrdup(dir);
	ret = read_files(w, err);
	if (ret == 0)
		ret = check_same(w, g, err);
	return ret < 0 ? ret : open_journal(w, err);
}

int kb_work_begin(struct kb_work *w, const char *dir, struct kb_generation *g,
		  struct kb_err *err)
{
	kb_auto(generation) struct kb_generation own = *g;
	kb_auto(mem) char *record = kb_xasprintf("%s/%s", dir, KB_WORK_RECORD);
	int ret;

	*g = (struct kb_generation)KB_GENERATION_INIT;
	*w = (struct kb_work)KB_WORK_INIT;
	if (access(record, F_OK) == 0) {
		ret = go_on(w, dir, &own, err);
	} else {
		w->dir = kb_xstrdup(dir);
		w->g = own;
		own = (struct kb_generation)KB_GENERATION_INIT;
		ret = write_files(w, err);
		if (ret == 0)
			ret = open_journal(w, err);
	}
	if (ret < 0)
		kb_work_release(w);
	return ret;
}
