#include "exchange/export.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "exchange/csv.h"
#include "exchange/kernelbench_baseline.h"
#include "exchange/kernelbench_eval.h"
#include "exchange/latex.h"
#include "exchange/markdown.h"
#include "exchange/score_sheet.h"
#include "exchange/time_summary.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/match_key.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "store/bundle.h"
#include "store/store.h"

void kb_export_files_release(struct kb_export_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].path);
		kb_buf_release(&f->items[i].text);
	}
	free(f->items);
	*f = (struct kb_export_files)KB_EXPORT_FILES_INIT;
}

/* Takes `path`. The text is borrowed until the next one is added. */
static struct kb_buf *add_file(struct kb_export_files *f, char *path)
{
	f->items = kb_grow(f->items, f->count, &f->capacity, sizeof(*f->items));
	f->items[f->count] = (struct kb_export_file){
		.path = path, .text = KB_BUF_INIT,
	};
	return &f->items[f->count++].text;
}

/* What the user asked for, and what of it had to be parsed. */
struct job {
	const struct kb_export *e;
	struct kb_summary_choice choice;
};

/* What a bundle was made from, by its id. */
static int open_parent(struct kb_bundle *b, const struct kb_digest *id,
		       enum kb_kind kind, const struct job *job,
		       struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	kb_digest_format(id, hex);
	ret = kb_store_open(b, job->e->store, hex, err);
	return ret < 0 ? kb_err_wrap(err, "its %s", kb_kind_name(kind)) : 0;
}

static int make_baseline_file(struct kb_export_files *out,
			      const struct kb_baseline *baseline,
			      const struct job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	struct kb_buf *text;
	int ret;

	ret = open_parent(&b, &baseline->suite, KB_KIND_SUITE, job, err);
	if (ret == 0)
		ret = kb_suite_load(&suite, &b, err);
	if (ret < 0)
		return ret;
	text = add_file(out, kb_kernelbench_baseline_path(baseline,
							  job->e->hardware));
	return kb_kernelbench_baseline_print(text, baseline, &suite,
					     &job->choice, err);
}

static int make_kernelbench_baseline(struct kb_export_files *out,
				     const struct kb_bundle *b,
				     const struct job *job,
				     struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret = kb_baseline_load(&baseline, b, err);

	return ret < 0 ? ret : make_baseline_file(out, &baseline, job, err);
}

/* KernelBench divides whatever it finds; so what it finds must be fit. */
static int check_match(const struct kb_evaluation *evaluation,
		       const struct kb_baseline *baseline, struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	if (!kb_digest_equal(&evaluation->suite, &baseline->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "is of another suite than the evaluation");
	kb_match_key_diff(&m, evaluation->conditions.match_key,
			  baseline->conditions.match_key);
	if (m.count)
		return kb_err(err, KB_ERR_INPUT,
			      "does not match the evaluation: %zu of their "
			      "conditions differ%s, '%s' first", m.count,
			      m.count == 1 ? "s" : "", m.items[0].field);
	return 0;
}

static int add_baseline(struct kb_export_files *out,
			const struct kb_evaluation *evaluation,
			const struct job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret;

	ret = kb_store_open(&b, job->e->store, job->e->baseline, err);
	if (ret < 0)
		return ret;
	ret = kb_baseline_load(&baseline, &b, err);
	if (ret == 0)
		ret = check_match(evaluation, &baseline, err);
	if (ret == 0)
		ret = make_baseline_file(out, &baseline, job, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", job->e->baseline);
	return 0;
}

/* The submitter's name for the run, else the beginning of the submission's
 * id: only asked for if a file is to be named. The caller frees. */
static int name_run(char **out, const struct kb_evaluation *evaluation,
		    const struct job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	if (job->e->run_name || !job->e->with_paths) {
		*out = kb_xstrdup(job->e->run_name ? job->e->run_name : "run");
		return 0;
	}
	ret = open_parent(&b, &evaluation->submission, KB_KIND_SUBMISSION, job,
			  err);
	if (ret == 0)
		ret = kb_submission_load(&s, &b, err);
	if (ret < 0)
		return ret;
	kb_digest_format(&b.id, hex);
	*out = s.provenance.run_name ? kb_xstrdup(s.provenance.run_name)
				     : kb_xstrndup(hex, 12);
	return 0;
}

static int add_levels(struct kb_export_files *out,
		      const struct kb_evaluation *evaluation, const char *run,
		      const struct job *job, struct kb_err *err)
{
	int level = 0;

	for (size_t i = 0; i < evaluation->problem_count; i++) {
		struct kb_buf *text;
		int ret;

		if (evaluation->problems[i].level == level)
			continue;
		level = evaluation->problems[i].level;
		text = add_file(out, kb_kernelbench_eval_path(run, level));
		ret = kb_kernelbench_eval_print(text, evaluation, level,
						&job->choice, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int make_kernelbench_eval(struct kb_export_files *out,
				 const struct kb_bundle *b,
				 const struct job *job, struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation evaluation =
		KB_EVALUATION_INIT;
	kb_auto(mem) char *run = NULL;
	int ret;

	ret = kb_evaluation_load(&evaluation, b, err);
	if (ret == 0)
		ret = kb_kernelbench_eval_check(&evaluation, &job->choice, err);
	if (ret == 0)
		ret = name_run(&run, &evaluation, job, err);
	if (ret == 0)
		ret = add_levels(out, &evaluation, run, job, err);
	if (ret == 0 && job->e->baseline)
		ret = add_baseline(out, &evaluation, job, err);
	return ret;
}

/* The tables differ in nothing but how they are printed. */
static int make_table(struct kb_export_files *out, const struct kb_bundle *b,
		      const struct job *job,
		      void (*print)(struct kb_buf *,
				    const struct kb_score_sheet *),
		      struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle eb = KB_BUNDLE_INIT,
					 bb = KB_BUNDLE_INIT;
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	kb_auto(evaluation) struct kb_evaluation evaluation =
		KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	const struct kb_score_sheet sheet = {
		.score = &score, .id = &b->id,
		.evaluation = &evaluation, .baseline = &baseline,
	};
	int ret;

	ret = kb_score_load(&score, b, err);
	if (ret == 0)
		ret = open_parent(&eb, &score.evaluation, KB_KIND_EVALUATION,
				  job, err);
	if (ret == 0)
		ret = open_parent(&bb, &score.baseline, KB_KIND_BASELINE, job,
				  err);
	if (ret == 0)
		ret = kb_evaluation_load(&evaluation, &eb, err);
	if (ret == 0)
		ret = kb_baseline_load(&baseline, &bb, err);
	if (ret == 0)
		print(add_file(out, NULL), &sheet);
	return ret;
}

static int make_csv(struct kb_export_files *out, const struct kb_bundle *b,
		    const struct job *job, struct kb_err *err)
{
	return make_table(out, b, job, kb_csv_print, err);
}

static int make_markdown(struct kb_export_files *out,
			 const struct kb_bundle *b, const struct job *job,
			 struct kb_err *err)
{
	return make_table(out, b, job, kb_markdown_print, err);
}

static int make_latex(struct kb_export_files *out, const struct kb_bundle *b,
		      const struct job *job, struct kb_err *err)
{
	return make_table(out, b, job, kb_latex_print, err);
}

enum { HAS_TIMES = 1, HAS_RUN = 2 };

static const struct format {
	const char *name;
	enum kb_kind kind;		/* what it is made from */
	unsigned flags;			/* HAS_... */
	int (*make)(struct kb_export_files *out, const struct kb_bundle *b,
		    const struct job *job, struct kb_err *err);
} formats[] = {
	{ "kernelbench-baseline", KB_KIND_BASELINE, HAS_TIMES,
	  make_kernelbench_baseline },
	{ "kernelbench-eval", KB_KIND_EVALUATION, HAS_TIMES | HAS_RUN,
	  make_kernelbench_eval },
	{ "csv", KB_KIND_SCORE, 0, make_csv },
	{ "markdown", KB_KIND_SCORE, 0, make_markdown },
	{ "latex", KB_KIND_SCORE, 0, make_latex },
};

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

/* What would change nothing is a mistake, not a wish. */
static int check_options(const struct format *f, const struct kb_export *e,
			 struct kb_err *err)
{
	const struct {
		const char *name, *value;
		unsigned flag;
	} options[] = {
		{ "clock", e->clock, HAS_TIMES },
		{ "statistic", e->statistic, HAS_TIMES },
		{ "baseline", e->baseline, HAS_RUN },
		{ "hardware", e->hardware, HAS_TIMES },
		{ "run-name", e->run_name, HAS_RUN },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(options); i++)
		if (options[i].value && !(f->flags & options[i].flag))
			return kb_err(err, KB_ERR_USAGE,
				      "format '%s' has no use for '--%s'",
				      f->name, options[i].name);
	return 0;
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

static int make(struct kb_export_files *files, const struct format *f,
		const struct job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	enum kb_kind kind;
	int ret;

	ret = kb_store_open(&b, job->e->store, job->e->bundle, err);
	if (ret < 0)
		return ret;
	ret = kb_record_kind(&kind, &b, err);
	if (ret == 0 && kind != f->kind)
		ret = kb_err(err, KB_ERR_INPUT,
			     "its kind is '%s', format '%s' wants '%s'",
			     kb_kind_name(kind), f->name,
			     kb_kind_name(f->kind));
	if (ret == 0)
		ret = f->make(files, &b, job, err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", job->e->bundle) : 0;
}

int kb_export_make(struct kb_export_files *out, const struct kb_export *e,
		   struct kb_err *err)
{
	kb_auto(export_files) struct kb_export_files files =
		KB_EXPORT_FILES_INIT;
	const struct format *f = find_format(e->format, err);
	struct job job = { .e = e };
	int ret;

	if (!f)
		return -KB_ERR_USAGE;
	ret = check_options(f, e, err);
	if (ret == 0)
		ret = parse_choice(&job.choice, e, err);
	if (ret == 0)
		ret = make(&files, f, &job, err);
	if (ret < 0)
		return ret;
	*out = files;
	files = (struct kb_export_files)KB_EXPORT_FILES_INIT;
	return 0;
}

static int write_file(const struct kb_export_file *f, struct kb_err *err)
{
	const char *slash = strrchr(f->path, '/');
	kb_auto(mem) char *folder = NULL;
	int ret = 0;

	if (slash && slash > f->path) {
		folder = kb_xstrndup(f->path, (size_t)(slash - f->path));
		ret = kb_dir_make(folder, err);
	}
	return ret < 0 ? ret
		       : kb_file_replace(AT_FDCWD, f->path, f->text.data,
					 f->text.len, 0644, err);
}

int kb_export_write(struct kb_export_files *files, const char *output,
		    struct kb_err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		struct kb_export_file *f = &files->items[i];
		char *path = f->path ? kb_xasprintf("%s/%s", output, f->path)
				     : kb_xstrdup(output);
		int ret;

		free(f->path);
		f->path = path;
		ret = write_file(f, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
