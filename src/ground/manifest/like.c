#include "manifest/like.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

/* KernelBench at 0.2: what eval.py sets, and torch where it sets nothing. */
static const struct kb_like_setting kernelbench[] = {
	{ "tolerance", "kernelbench", "tolerance", .on_cuda = false },
	{ "seeds", "42", "weights_seed", .on_cuda = false },
	{ "in-place", "accept", "in_place", .of_candidates = true },
	{ "candidate-weights", "own", "candidate_weights",
	  .of_candidates = true },
	{ "precision", "fp32", "precision", .on_cuda = true },
	{ "tf32", "torch", "tf32", .on_cuda = true },
	{ "deterministic", "off", "deterministic", .on_cuda = true },
	{ .option = NULL },
};

static const struct kb_like likes[] = {
	{ "kernelbench", kernelbench },
};

const char *const kb_like_names[] = { "kernelbench", NULL };

const struct kb_like *kb_like_find(const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(likes); i++)
		if (!strcmp(likes[i].name, name))
			return &likes[i];
	return NULL;
}

/* The caller frees. */
static char *text_of(const struct kb_json *v)
{
	if (!v)
		return kb_xstrdup("absent");
	if (kb_json_type(v) == KB_JSON_STRING)
		return kb_xstrdup(kb_json_string_value(v));
	return kb_json_type(v) == KB_JSON_INT ?
		kb_xasprintf("%" PRId64, kb_json_int_value(v)) :
		kb_xstrdup("of another type");
}

static int check_setting(const struct kb_like *like,
			 const struct kb_like_setting *s,
			 const struct kb_json *policy, struct kb_err *err)
{
	kb_auto(mem) char *text = text_of(kb_json_find(policy, s->member));

	if (!strcmp(text, s->value))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'like' is '%s', whose '%s' is '%s', and here it is '%s'",
		      like->name, s->member, s->value, text);
}

int kb_like_check(const struct kb_like *like, const struct kb_json *policy,
		  enum kb_kind kind, bool is_cuda, struct kb_err *err)
{
	int ret = 0;

	for (const struct kb_like_setting *s = like->settings;
	     s->option && ret == 0; s++)
		if ((!s->on_cuda || is_cuda) &&
		    (!s->of_candidates || kind == KB_KIND_EVALUATION))
			ret = check_setting(like, s, policy, err);
	/* One alone is not listed. */
	if (ret == 0 && kb_json_find(policy, "seeds"))
		return kb_err(err, KB_ERR_INPUT,
			      "'like' is '%s', which has one seed, and the "
			      "policy has 'seeds'", like->name);
	return ret;
}
