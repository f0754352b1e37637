#include "export/export.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/job.h"
#include "export/unseen_sizes.h"
#include "store/store.h"

/* The options that a format uses. */
enum { HAS_TIMES = 1, HAS_HARDWARE = 2, HAS_RUN = 4, HAS_BASELINE = 8 };

static const struct format {
	const char *name;
	enum kb_kind kind;		/* what it is made from */
	unsigned flags;			/* HAS_... */
	kb_export_maker *make;
	kb_export_finisher *finish;	/* of several bundles; NULL: it is
					   made from one */
	bool wants_two;			/* bundles, neither more nor fewer */
} formats[] = {
	{ "kernelbench-baseline", KB_KIND_BASELINE, HAS_TIMES | HAS_HARDWARE,
	  .make = kb_make_kernelbench_baseline },
	{ "kernelbench-eval", KB_KIND_EVALUATION,
	  HAS_TIMES | HAS_HARDWARE | HAS_RUN | HAS_BASELINE,
	  .make = kb_make_kernelbench_eval },
	{ "kernelbench-runs", KB_KIND_EVALUATION,
	  HAS_TIMES | HAS_HARDWARE | HAS_RUN | HAS_BASELINE,
	  .make = kb_make_kernelbench_runs },
	{ "kernelbench-pass-at-k", KB_KIND_EVALUATION, HAS_RUN,
	  .make = kb_make_kernelbench_pass_at_k },
	{ "kernelbench-analysis", KB_KIND_SCORE, HAS_HARDWARE | HAS_RUN,
	  .make = kb_make_kernelbench_analysis },
	{ "leaderboard", KB_KIND_SCORE, HAS_HARDWARE | HAS_RUN,
	  .make = kb_make_leaderboard },
	{ "unseen-sizes", KB_KIND_EVALUATION, 0,
	  .make = kb_make_unseen_sizes, .finish = kb_finish_unseen_sizes,
	  .wants_two = true },
	{ "turns", KB_KIND_GENERATION, 0, .make = kb_make_turns },
	{ "json", KB_KIND_SCORE, 0, .make = kb_make_json },
	{ "csv", KB_KIND_SCORE, 0, .make = kb_make_score_row,
	  .finish = kb_finish_csv },
	{ "markdown", KB_KIND_SCORE, 0, .make = kb_make_score_row,
	  .finish = kb_finish_markdown },
	{ "latex", KB_KIND_SCORE, 0, .make = kb_make_score_row,
	  .finish = kb_finish_latex },
};

const char *kb_export_format_name(size_t i)
{
	return i < KB_ARRAY_LEN(formats) ? formats[i].name : NULL;
}

const char *kb_export_format_source(size_t i)
{
	return kb_kind_name(formats[i].kind);
}

static const struct format *find_format(const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(formats); i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
		kb_buf_addf(&names, "%s%s", i ? ", " : "", formats[i].name);
	}
	kb_err(err, KB_ERR_USAGE, "no format is called '%s', there are: %s",
	       name, names.data);
	return NULL;
}

/* An option that would change nothing is a mistake. */
static int check_options(const struct format *f, const struct kb_export *e,
			 struct kb_err *err)
{
	const struct {
		const char *name, *value;
		unsigned flag;
	} options[] = {
		{ "clock", e->clock, HAS_TIMES },
		{ "statistic", e->statistic, HAS_TIMES },
		{ "baseline", e->baseline, HAS_BASELINE },
		{ "hardware", e->hardware, HAS_HARDWARE },
		{ "run-name", e->run_name, HAS_RUN },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(options); i++)
		if (options[i].value && !(f->flags & options[i].flag))
			return kb_err(err, KB_ERR_USAGE,
				      "format '%s' has no use for '--%s'",
				      f->name, options[i].name);
	return 0;
}

static int check_count(const struct format *f, const struct kb_export *e,
		       struct kb_err *err)
{
	const bool fits = f->wants_two ? e->bundle_count == 2
				       : e->bundle_count == 1 || f->finish;

	if (fits)
		return 0;
	return kb_err(err, KB_ERR_USAGE, "format '%s' needs exactly %s",
		      f->name, f->wants_two ? "two bundles" : "one bundle");
}

static int parse_choice(struct kb_summary_choice *out,
			const struct kb_export *e, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	*out = (struct kb_summary_choice){ .clock = KB_CLOCK_CALL };
	if (e->clock && kb_clock_parse(&out->clock, e->clock, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	if (!e->statistic)
		return 0;
	return kb_statistic_parse(&out->statistic, e->statistic, err);
}

static int make_from(struct kb_made_files *files, const char *bundle,
		     const struct format *f, const struct kb_export_job *job,
		     struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	enum kb_kind kind;
	int ret;

	ret = kb_store_open(&b, job->e->store, bundle, err);
	if (ret < 0)
		return ret;
	ret = kb_record_kind(&kind, &b, err);
	if (ret == 0 && kind != f->kind)
		ret = kb_err(err, KB_ERR_INPUT,
			     "its kind is '%s', format '%s' needs '%s'",
			     kb_kind_name(kind), f->name,
			     kb_kind_name(f->kind));
	if (ret == 0)
		ret = f->make(files, &b, job, err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", bundle) : 0;
}

static int make_files(struct kb_made_files *files, const struct format *f,
		      const struct kb_export_job *job, struct kb_err *err)
{
	for (size_t i = 0; i < job->e->bundle_count; i++) {
		int ret = make_from(files, job->e->bundles[i], f, job, err);

		if (ret < 0)
			return ret;
	}
	return f->finish ? f->finish(files, job, err) : 0;
}

int kb_export_make(struct kb_made_files *out, const struct kb_export *e,
		   struct kb_err *err)
{
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	kb_auto(score_list) struct kb_score_list *scores = kb_score_list_new();
	kb_auto(two_evaluations) struct kb_two_evaluations two =
		KB_TWO_EVALUATIONS_INIT;
	const struct format *f = find_format(e->format, err);
	struct kb_export_job job = { .e = e, .scores = scores,
				     .evaluations = &two };
	int ret;

	if (!f)
		return -KB_ERR_USAGE;
	ret = check_count(f, e, err);
	if (ret == 0)
		ret = check_options(f, e, err);
	if (ret == 0)
		ret = parse_choice(&job.choice, e, err);
	if (ret == 0)
		ret = make_files(&files, f, &job, err);
	if (ret < 0)
		return ret;
	*out = files;
	files = (struct kb_made_files)KB_MADE_FILES_INIT;
	return 0;
}
