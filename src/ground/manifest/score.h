#ifndef KB_MANIFEST_SCORE_H
#define KB_MANIFEST_SCORE_H

#include "manifest/key.h"
#include "manifest/match_key.h"
#include "manifest/metrics.h"
#include "manifest/record.h"
#include "manifest/spent.h"
#include "manifest/stated.h"
#include "manifest/status.h"
#include "manifest/timing.h"

#define KB_SCORES_MEMBER "data/scores.jsonl"

/* Between which a time lies; possibly negative. Both are KB_UNKNOWN if the
 * samples do not say. */
struct kb_interval {
	int64_t low_ns, high_ns;
};

#define KB_INTERVAL_INIT { KB_UNKNOWN, KB_UNKNOWN }

/* The judgement of one candidate: one line of data/scores.jsonl. */
struct kb_score_line {
	struct kb_key key;
	int sample_id;
	enum kb_status status;
	enum kb_clock clock;		/* of baseline and reference */
	enum kb_clock candidate_clock;	/* no matter without candidate_ns */
	int64_t candidate_ns;		/* 1 or more, or KB_UNKNOWN */
	int64_t baseline_ns;		/* of the baseline bundle */
	int64_t reference_ns;		/* of the evaluation itself */
	int64_t speedup_micro;		/* 10^6 * baseline / candidate */
	bool has_intervals;		/* with those below */
	struct kb_interval candidate;	/* of the median that is the time */
	struct kb_interval baseline;
	int64_t noise_micro;		/* the reference beside the candidate:
					   odd trials / even ones */
};

#define KB_SCORE_LINE_INIT { .status = KB_STATUS_MISSING, \
	.candidate_ns = KB_UNKNOWN, .baseline_ns = KB_UNKNOWN, \
	.reference_ns = KB_UNKNOWN, .speedup_micro = KB_UNKNOWN, \
	.candidate = KB_INTERVAL_INIT, .baseline = KB_INTERVAL_INIT, \
	.noise_micro = KB_UNKNOWN }

struct kb_json *kb_score_line_to_json(const struct kb_score_line *l);
int kb_score_line_from_json(struct kb_score_line *l,
			    const struct kb_json *line, const char *where,
			    struct kb_err *err);

struct kb_level_metrics {
	int level;
	struct kb_metrics metrics;
};

/* The references beside the candidates took another time than in the
 * baseline: by more than `limit_ppm`, the median of `problems` of them. */
struct kb_drift_warning {
	int64_t limit_ppm;
	int64_t median_micro;		/* 10^6 is no drift */
	int64_t problems;
};

/* May a score tell which problems are sound? */
enum kb_verdicts {
	KB_VERDICTS_KNOWN,		/* the suite has an audit of some */
	KB_VERDICTS_SUITE_ABSENT,	/* it was not there to be asked */
	KB_VERDICTS_NOT_AUDITED,	/* it was, and has none */
	KB_VERDICTS_COUNT,		/* not one of them */
};

/* The metrics of those problems alone that the suite's audit found sound. */
struct kb_sound_metrics {
	enum kb_verdicts verdicts;
	struct kb_digest suite;		/* the evaluation's, which has them */
	int64_t unsound;		/* problems that are counted nowhere */
	int64_t unknown;		/* here: also those without an audit */
	struct kb_metrics metrics;	/* if they are known */
};

struct kb_score {
	struct kb_digest evaluation;	/* parents */
	struct kb_digest baseline;
	struct kb_json *tool;
	struct kb_json *options;
	struct kb_json *match_key;	/* the evaluation's */
	struct kb_mismatches allowed;	/* left: evaluation, right: baseline */
	struct kb_json *definition;	/* flat: switch -> string, int, bool */
	bool has_model;			/* the submission was there to say */
	char *model;			/* that wrote the candidates, or NULL */
	bool has_spent;			/* their generation was there to say */
	struct kb_spent spent;
	struct kb_level_metrics *levels;	/* ascending */
	size_t level_count;
	struct kb_metrics overall;
	struct kb_stated stated;
	bool has_sound;			/* a record with the next */
	struct kb_sound_metrics sound;
	struct kb_score_line *lines;	/* sorted, each candidate once */
	size_t line_count;
	bool has_warnings;		/* a record that would say so */
	bool has_drifted;		/* and does */
	struct kb_drift_warning drift;
};

#define KB_SCORE_INIT { .allowed = KB_MISMATCHES_INIT, \
			.overall = KB_METRICS_INIT, \
			.stated = KB_STATED_INIT, .spent = KB_SPENT_INIT, \
			.sound.metrics = KB_METRICS_INIT }

void kb_score_release(struct kb_score *s);

/* The model as the submission has it, which is copied, or NULL if that does
 * not say. A score has no model until this. */
void kb_score_name_model(struct kb_score *s, const char *model);

/* Set the costs of the candidates, which are copied. A score says nothing of
 * that until this. */
void kb_score_name_spent(struct kb_score *s, const struct kb_spent *spent);

/* "not recorded" without the submission, "not stated" if that does not say. */
const char *kb_score_model_text(const struct kb_score *s);

/* The record without its lines. */
struct kb_json *kb_score_to_json(const struct kb_score *s);
int kb_score_from_json(struct kb_score *s, const struct kb_json *record,
		       const char *where, struct kb_err *err);

/* Record and lines of a bundle. */
int kb_score_load(struct kb_score *s, const struct kb_bundle *b,
		  struct kb_err *err);

/* Add record and lines to a new bundle. Sorts `lines`. */
int kb_score_write(struct kb_bundle_writer *w, struct kb_score *s,
		   struct kb_err *err);

static inline void kb_cleanup_score(struct kb_score *s)
{
	kb_score_release(s);
}

#endif
