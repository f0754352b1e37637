#include "score/preset.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/select.h"
#include "score/times.h"
#include "source/code_backend.h"

const int kb_leaderboard_problems[KB_LEADERBOARD_LEVELS] = { 100, 100, 50 };

/* One row for each definition of a score: a new one need not be known wherever
 * scores are made. */
static const struct kb_rules rules[KB_PRESET_COUNT] = {
	[KB_PRESET_FIRST] = { .name = NULL },
	[KB_PRESET_KB] = { .name = "kb", .intervals = true, .sound = true,
			   .in_place = KB_IN_PLACE_REFUSED },
	[KB_PRESET_KERNELBENCH] = { .name = "kernelbench", .upstream = true,
				    .whole_levels = true,
				    .in_place = KB_IN_PLACE_ACCEPTED },
	[KB_PRESET_LEADERBOARD] = { .name = "leaderboard", .upstream = true,
				    .whole_levels = true,
				    .in_place = KB_IN_PLACE_ACCEPTED,
				    .fast = { 1000, INT_MAX, "Fast@", NULL } },
	[KB_PRESET_V3] = { .name = "v3", .trials_min = 5, .seeds_wanted = 5,
			   .fast = { 1000, 1000, NULL, "beats baseline" } },
};

const struct kb_rules *kb_preset_rules(enum kb_preset preset)
{
	return &rules[preset];
}

int kb_choice_set_problems(struct kb_choice *c, const char *name,
			   struct kb_err *err)
{
	if (strcmp(name, KB_SELECT_SOUND))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not a selection of problems: there is "
			      "'sound'",
			      name);
	c->is_of_sound = true;
	return 0;
}

int kb_choice_set_backend(struct kb_choice *c, const char *name,
			  struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (size_t i = 0; kb_code_backends[i]; i++) {
		if (!strcmp(kb_code_backends[i], name)) {
			c->backend = kb_code_backends[i];
			return 0;
		}
		kb_buf_addf(&names, "%s%s", i ? ", " : "",
			    kb_code_backends[i]);
	}
	return kb_err(err, KB_ERR_INPUT,
		      "no backend is called '%s', there are: %s", name,
		      names.data);
}

bool kb_choice_tells_sound(const struct kb_choice *c)
{
	return rules[c->preset].sound && !c->is_of_sound;
}

int kb_preset_parse(enum kb_preset *out, const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (int i = KB_PRESET_KB; i < KB_PRESET_COUNT; i++) {
		if (!strcmp(rules[i].name, name)) {
			*out = (enum kb_preset)i;
			return 0;
		}
		kb_buf_addf(&names, "%s%s", names.len ? ", " : "",
			    rules[i].name);
	}
	return kb_err(err, KB_ERR_INPUT,
		      "no preset is called '%s', there are: %s", name,
		      names.data);
}

/* The differences between presets, in words. A switch that a preset does not
 * have is not there. */
struct words {
	const char *key;
	const char *values[KB_PRESET_COUNT];
};

/* The words are in every score, for readers who have the record alone. A
 * definition that changes must change its words, or two scores would be called
 * alike that are not. */
#define OURS(v) [KB_PRESET_FIRST] = v, [KB_PRESET_KB] = v, [KB_PRESET_V3] = v
#define THEIRS(v) [KB_PRESET_KERNELBENCH] = v, [KB_PRESET_LEADERBOARD] = v

static const struct words words[] = {
	{ "compiled", {
		[KB_PRESET_KB] = "got as far as running",
		[KB_PRESET_V3] = "got as far as running",
		THEIRS("got as far as running, and did not time out, "
		       "crash or exit") } },
	{ "correct", {
		[KB_PRESET_KB] = "every trial agreed",
		THEIRS("every trial agreed"),
		[KB_PRESET_V3] = "every trial agreed, of 5 or more" } },
	{ "denominator", {
		OURS("selected problems"),
		[KB_PRESET_KERNELBENCH] =
			"problems that the evaluation or the baseline has of "
			"the evaluation's levels",
		[KB_PRESET_LEADERBOARD] =
			"100, 100 and 50 problems of levels 1 to 3" } },
	{ "fast_arithmetic", {
		[KB_PRESET_KB] = "exact", [KB_PRESET_V3] = "exact",
		THEIRS("IEEE 754 binary64") } },
	{ "fast_comparison", {
		OURS("strictly greater"), THEIRS("strictly greater") } },
	{ "fast_denominator", {
		[KB_PRESET_KB] = "selected problems",
		[KB_PRESET_V3] = "selected problems",
		THEIRS("of these the ones with a baseline time") } },
	{ "geomean_of_none", {
		[KB_PRESET_KB] = "null", [KB_PRESET_V3] = "null",
		THEIRS("0") } },
	{ "geomean_over", {
		OURS("correct with both times"),
		THEIRS("correct with a baseline time") } },
	{ "no_time", { THEIRS("-1 ms") } },
	{ "overall", {
		[KB_PRESET_KB] = "all problems", [KB_PRESET_V3] = "all problems",
		[KB_PRESET_KERNELBENCH] = "all problems",
		[KB_PRESET_LEADERBOARD] =
			"rates weighted by problems, geomean by correct ones" } },
	{ "pass_at_k", {
		[KB_PRESET_KB] = "1 - C(n - c, k) / C(n, k), mean over "
				 "problems, one without samples is 0" } },
	{ "statistic", {
		[KB_PRESET_KB] = "median", [KB_PRESET_V3] = "median",
		THEIRS("mean, 3 significant digits, a candidate's no less "
		       "than its median") } },
	{ "speedup", {
		OURS("baseline_ns / candidate_ns"),
		THEIRS("baseline_ns / candidate_ns") } },
};

static void add_words(struct kb_json *v, enum kb_preset preset)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++)
		if (words[i].values[preset])
			kb_json_set_string(v, words[i].key,
					   words[i].values[preset]);
}

struct kb_json *kb_preset_definition(const struct kb_choice *c,
				     enum kb_mode mode,
				     const struct kb_json *policy)
{
	const struct kb_json *seeds = kb_json_find(policy, "seeds");
	const struct kb_rules *r = kb_preset_rules(c->preset);
	const struct kb_json *in_place = kb_json_find(policy, "in_place");
	const struct kb_json *sandbox = kb_json_find(policy, "sandbox");
	struct kb_json *v = kb_json_object();

	add_words(v, c->preset);
	kb_json_set_string(v, "baseline_mode", kb_mode_name(mode));
	kb_json_set_bool(v, "fast_without_time", false);
	kb_json_set_int(v, "sample_id", c->sample_id);
	kb_json_set_string(v, "clock", kb_clock_name(c->clock));
	/* The usual value is not written. */
	if (in_place)
		kb_json_set(v, "in_place", kb_json_copy(in_place));
	if (sandbox)
		kb_json_set(v, "sandbox", kb_json_copy(sandbox));
	if (c->is_of_sound)
		kb_json_set_string(v, "problems", KB_SELECT_SOUND);
	if (c->backend)
		kb_json_set_string(v, "backend", c->backend);
	if (!r->name)
		return v;
	kb_json_set_string(v, "preset", r->name);
	kb_json_set_int(v, "drift_limit_ppm", KB_DRIFT_LIMIT_PPM);
	if (r->intervals)
		kb_json_set_int(v, "interval_ppm", KB_INTERVAL_PPM);
	/* An evaluation under one seed has no list of them. */
	if (r->seeds_wanted && seeds)
		kb_json_set(v, "seeds", kb_json_copy(seeds));
	if (kb_choice_tells_sound(c))
		kb_json_set_string(v, "sound",
				   "of these, by the suite's audit");
	return v;
}

static int read_problems(struct kb_choice *out, const struct kb_json *v,
			 struct kb_err *err)
{
	const char *name;
	int ret;

	if (!kb_json_find(v, "problems"))
		return 0;
	ret = kb_json_read_string(&name, v, "problems", "definition", err);
	if (ret < 0)
		return ret;
	ret = kb_choice_set_problems(out, name, err);
	return ret < 0 ? kb_err_wrap(err, "the score's definition") : 0;
}

static int read_backend(struct kb_choice *out, const struct kb_json *v,
			struct kb_err *err)
{
	const char *name;
	int ret;

	if (!kb_json_find(v, "backend"))
		return 0;
	ret = kb_json_read_string(&name, v, "backend", "definition", err);
	if (ret < 0)
		return ret;
	ret = kb_choice_set_backend(out, name, err);
	return ret < 0 ? kb_err_wrap(err, "the score's definition") : 0;
}

static int read_choice(struct kb_choice *out, const struct kb_json *v,
		       struct kb_err *err)
{
	const char *name;
	int ret;

	if (kb_json_find(v, "preset")) {
		ret = kb_json_read_string(&name, v, "preset", "definition",
					  err);
		if (ret < 0)
			return ret;
		ret = kb_preset_parse(&out->preset, name, err);
		if (ret < 0)
			return kb_err_wrap(err, "the score's definition");
	}
	if (kb_json_find(v, "clock")) {
		ret = kb_json_read_string(&name, v, "clock", "definition",
					  err);
		if (ret < 0)
			return ret;
		ret = kb_clock_parse(&out->clock, name, err);
		if (ret < 0)
			return kb_err_wrap(err, "the score's definition");
	}
	ret = read_problems(out, v, err);
	return ret < 0 ? ret : read_backend(out, v, err);
}

int kb_preset_read(struct kb_choice *out, const struct kb_json *definition,
		   struct kb_err *err)
{
	int64_t sample_id;
	int ret;

	*out = (struct kb_choice){ .preset = KB_PRESET_FIRST,
				   .clock = KB_CLOCK_CALL };
	ret = kb_json_read_int(&sample_id, definition, "sample_id", 0,
			       KB_SAMPLE_ID_MAX, "definition", err);
	if (ret < 0)
		return ret;
	out->sample_id = (int)sample_id;
	return read_choice(out, definition, err);
}
