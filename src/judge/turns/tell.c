#include "turns/tell.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "turns/turns.h"

static void add_verdict(struct kb_json *list, const struct kb_generated *l,
			const struct kb_judged *judged)
{
	struct kb_json *v = kb_json_object();

	kb_put_key(v, l->key);
	kb_json_set_int(v, "sample_id", l->sample_id);
	kb_json_set(v, "judged", kb_judged_to_json(judged));
	kb_json_append(list, v);
}

static int add_verdicts(struct kb_json *list, const struct kb_generation *g,
			const struct kb_turn_judge *j, int turn,
			struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < g->line_count; i++) {
		kb_auto(judged) struct kb_judged *judged = NULL;

		if (g->lines[i].turn != turn)
			continue;
		ret = kb_turn_judge_line(&judged, g, i, j, err);
		if (judged)
			add_verdict(list, &g->lines[i], judged);
	}
	if (ret == 0 && !kb_json_count(list))
		ret = kb_err(err, KB_ERR_INPUT,
			     "there is no answer to turn %d to tell of", turn);
	return ret;
}

int kb_tell(struct kb_json **out, const struct kb_generation *g,
	    const struct kb_turn_judge *j, const struct kb_digest *evaluation,
	    struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_json_object();
	struct kb_json *list = kb_json_array();
	const int turn = kb_turn_in_hand(g);
	int ret;

	kb_json_set(line, "judged", list);
	kb_json_set_int(line, "turn", turn);
	if (evaluation)
		kb_put_digest(line, "evaluation", evaluation);
	else
		kb_json_set(line, "evaluation", kb_json_null());
	ret = kb_turn_judge_check(j, g, err);
	if (ret == 0)
		ret = add_verdicts(list, g, j, turn, err);
	if (ret == 0)
		*out = kb_steal(line);
	return ret;
}

/* --- taking it --------------------------------------------------------- */

static struct kb_generated *find_line(struct kb_generation *g, struct kb_key key,
				      int sample_id, int turn)
{
	for (size_t i = 0; i < g->line_count; i++) {
		struct kb_generated *l = &g->lines[i];

		if (l->turn == turn && l->sample_id == sample_id &&
		    !kb_key_compare(l->key, key))
			return l;
	}
	return NULL;
}

static int take_verdict(struct kb_generation *g, const struct kb_json *v,
			int turn, const char *where, struct kb_err *err)
{
	kb_auto(judged) struct kb_judged *judged = NULL;
	struct kb_generated *l;
	struct kb_fields f;
	struct kb_key key;
	int sample_id;

	kb_fields_begin(&f, v, where, err);
	key = kb_fields_key(&f);
	sample_id = (int)kb_fields_int(&f, "sample_id", 0, KB_SAMPLE_ID_MAX);
	judged = kb_judged_read(&f, "judged");
	l = f.ret < 0 ? NULL : find_line(g, key, sample_id, turn);
	if (f.ret == 0 && (!l || l->judged || !judged))
		kb_fields_fail(&f, "a verdict is on nothing that was asked");
	if (f.ret == 0)
		l->judged = kb_steal(judged);
	return kb_fields_end(&f);
}

static int take_verdicts(struct kb_generation *g, const struct kb_json *list,
			 int turn, const char *where, struct kb_err *err)
{
	int ret = 0;

	for (const struct kb_json *v = kb_json_first(list); v && ret == 0;
	     v = kb_json_next(v))
		ret = take_verdict(g, v, turn, where, err);
	return ret;
}

/* A line without verdicts leaves the turn in hand, and could come again and
 * again. */
static void read_evaluation(struct kb_generation *g, struct kb_fields *f)
{
	if (g->evaluation_count == KB_TURNS_MAX)
		kb_fields_fail(f, "has an evaluation, and there are %d already",
			       KB_TURNS_MAX);
	else
		g->evaluations[g->evaluation_count] =
			kb_fields_digest(f, "evaluation");
}

int kb_tell_take(struct kb_generation *g, const struct kb_json *line,
		 const char *where, struct kb_err *err)
{
	const int turn = kb_turn_in_hand(g);
	const struct kb_json *list;
	bool has_evaluation;
	struct kb_fields f;
	int ret;

	kb_fields_begin(&f, line, where, err);
	kb_fields_int(&f, "turn", turn, turn);
	list = kb_fields_array(&f, "judged");
	has_evaluation = !kb_fields_null(&f, "evaluation");
	if (has_evaluation && f.ret == 0)
		read_evaluation(g, &f);
	ret = kb_fields_end(&f);
	if (ret == 0)
		ret = take_verdicts(g, list, turn, where, err);
	if (ret < 0)
		return ret;
	g->evaluation_count += has_evaluation;
	kb_turn_begin(g);
	return turn;
}
