#ifndef KB_SCORE_PRESET_H
#define KB_SCORE_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/baseline.h"
#include "manifest/key.h"
#include "manifest/timing.h"

struct kb_err;
struct kb_json;

/*
 * By whose definition a score is computed. doc/spec-scores.md has each
 * definition with its source; a score's record has every switch.
 */
enum kb_preset {
	KB_PRESET_FIRST,		/* ours before there was a choice: it
					   has no name, and is not chosen */
	KB_PRESET_KB,
	KB_PRESET_KERNELBENCH,
	KB_PRESET_LEADERBOARD,
	KB_PRESET_V3,
	KB_PRESET_COUNT,		/* not a preset */
};

/* How a preset judges candidates that overwrite their inputs. An evaluation
 * judged them by its --in-place. If that differs, the score has a warning. */
enum kb_in_place {
	KB_IN_PLACE_EITHER,
	KB_IN_PLACE_REFUSED,
	KB_IN_PLACE_ACCEPTED,
};

/* The fast_p rows of a preset's tables, and their titles. */
struct kb_fast_rows {
	int from_milli, to_milli;	/* 0: all of them */
	const char *before_p;		/* "Fast@"; NULL: "fast_" */
	const char *title;		/* of the only one; NULL: as above */
};

/* The switches that a preset sets. */
struct kb_rules {
	const char *name;		/* NULL of the first */
	bool upstream;			/* score/kernelbench.h, means and all;
					   else score/metrics.h */
	bool intervals;			/* of times, and what follows of them;
					   pass@k, noise */
	bool whole_levels;		/* all that the baseline has, too */
	bool sound;			/* sound problems apart, as well */
	struct kb_fast_rows fast;
	enum kb_in_place in_place;
	int64_t trials_min;		/* agreeing, for a correct one */
	size_t seeds_wanted;		/* with fewer there is a warning; 0:
					   they are not looked at */
};

/* `preset` is one of them; borrowed for ever. */
const struct kb_rules *kb_preset_rules(enum kb_preset preset);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_preset_parse(enum kb_preset *out, const char *name, struct kb_err *err);

/* The leaderboard's levels are the first three, of so many problems. */
#define KB_LEADERBOARD_LEVELS 3
extern const int kb_leaderboard_problems[KB_LEADERBOARD_LEVELS];

/* From here on the drift of a baseline is a warning. */
#define KB_DRIFT_LIMIT_PPM 30000

/*
 * A score's `definition`: every choice that another scorer could have made
 * differently, flat. kb_preset_read() takes from it what a score is made
 * again with; it fails with KB_ERR_INPUT if a preset, a clock, a sample or a
 * selection of problems or a backend is none of ours. What it says of seeds, if the preset
 * looks at them, and of inputs that were overwritten, comes from the
 * evaluation's `policy`. The caller frees.
 */
struct kb_choice {
	enum kb_preset preset;
	enum kb_clock clock;
	int sample_id;
	bool is_of_sound;		/* of sound problems alone */
	const char *backend;		/* of candidates in this alone, one of
					   kb_code_backends; NULL: in any */
};

/* Choose the problems that are called so: "sound" alone has a name. Fails with
 * KB_ERR_INPUT for any other. */
int kb_choice_set_problems(struct kb_choice *c, const char *name,
			   struct kb_err *err);

/* Choose the candidates that are written in this. Fails with KB_ERR_INPUT; the
 * message lists the names there are. */
int kb_choice_set_backend(struct kb_choice *c, const char *name,
			  struct kb_err *err);

/* A score tells of the sound problems apart if its preset does, and if they
 * are not all that it has. */
bool kb_choice_tells_sound(const struct kb_choice *c);

struct kb_json *kb_preset_definition(const struct kb_choice *c,
				     enum kb_mode mode,
				     const struct kb_json *policy);
int kb_preset_read(struct kb_choice *out, const struct kb_json *definition,
		   struct kb_err *err);

#endif
