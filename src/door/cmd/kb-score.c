/* kb-score: judge an evaluation against a baseline. */

#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "cli/terminal.h"
#include "json/json.h"
#include "manifest/score.h"
#include "runs/judge_bundles.h"
#include "sheet/notes.h"
#include "store/store.h"
#include "tables/score_table.h"

static const char *store = KB_STORE_DEFAULT;
static const char *clock_name, *preset_name = "kb", *problems;
static const char *backend;
static struct kb_option_list allowed_fields;
static int64_t sample_id;
static bool print_candidates, print_json;
static struct kb_made_options made;

static const struct kb_option options[] = {
	{ .name = "preset", .letter = 'p', .arg = "NAME",
	  .help = "definition of the score: kb, kernelbench, leaderboard,"
		  " v3",
	  .type = KB_OPTION_STRING, .value = &preset_name,
	  .group = KB_OPTION_MEASUREMENT },
	{ .name = "problems", .arg = "WHICH",
	  .help = "judge only these problems: sound",
	  .type = KB_OPTION_STRING, .value = &problems,
	  .otherwise = "all of the preset",
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "backend", .arg = "NAME",
	  .help = "judge only candidates in this language",
	  .type = KB_OPTION_STRING, .value = &backend,
	  .otherwise = "any",
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "sample-id", .arg = "N",
	  .help = "judge this sample of every problem",
	  .type = KB_OPTION_INT, .value = &sample_id,
	  .min = 0, .max = KB_SAMPLE_ID_MAX,
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "clock", .arg = "CLOCK",
	  .help = "clock of times: call or device",
	  .type = KB_OPTION_STRING, .value = &clock_name,
	  .otherwise = "device, if the baseline has it",
	  .group = KB_OPTION_MEASUREMENT },
	{ .name = "allow-mismatch", .arg = "FIELD",
	  .help = "divide although this field differs (repeatable)",
	  .type = KB_OPTION_LIST, .value = &allowed_fields,
	  .group = KB_OPTION_MEASUREMENT },
	{ .name = "candidates", .letter = 'c',
	  .help = "print a line for each candidate, too",
	  .type = KB_OPTION_FLAG, .value = &print_candidates,
	  .group = KB_OPTION_OUTPUT },
	{ .name = "json", .help = "print the record instead of the table",
	  .type = KB_OPTION_FLAG, .value = &print_json,
	  .group = KB_OPTION_OUTPUT },
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles are and the score goes",
	  .type = KB_OPTION_STORES, .value = &store,
	  .group = KB_OPTION_OUTPUT },
	KB_MADE_OPTIONS(made),
	KB_OPTION_END
};

static int write_score(struct kb_score *s, struct kb_digest *id,
		       struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, store, err);

	if (ret < 0)
		return ret;
	ret = kb_score_write(w, s, err);
	if (ret < 0)
		return ret;
	return kb_bundle_writer_commit(w, id, err);
}

static int print_score(const struct kb_score *s, const struct kb_digest *id,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, warnings = KB_BUF_INIT;

	if (print_json) {
		kb_auto(json) struct kb_json *record = kb_score_to_json(s);

		kb_json_print(&text, record);
		kb_buf_addch(&text, '\n');
		kb_warnings_print(&warnings, s, "warning: ", "\n");
	} else {
		kb_score_table_print(&text, s, kb_stdout_look());
	}
	if (print_candidates) {
		kb_buf_addch(&text, '\n');
		kb_score_table_print_candidates(&text, s, kb_stdout_look());
	}
	if (print_json) {
		fputs(text.data, stdout);
		fputs(warnings.data, stderr);
	} else {
		kb_buf_addch(&text, '\n');
		kb_stdout_print(text.data);
	}
	return kb_made_print(&made, store, KB_KIND_SCORE, id, err);
}

static int read_choice(struct kb_choice *c, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	c->sample_id = (int)sample_id;
	if (kb_preset_parse(&c->preset, preset_name, &why) < 0 ||
	    (clock_name && kb_clock_parse(&c->clock, clock_name, &why) < 0) ||
	    (problems && kb_choice_set_problems(c, problems, &why) < 0) ||
	    (backend && kb_choice_set_backend(c, backend, &why) < 0))
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	return 0;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	struct kb_judge_bundles asked = { .choice.clock = KB_CLOCK_CALL };
	struct kb_digest id;
	int ret;

	(void)argc;
	if (print_json && print_candidates)
		return kb_err(err, KB_ERR_USAGE,
			      "--candidates and --json exclude each other");
	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = read_choice(&asked.choice, err);
	if (ret < 0)
		return ret;
	asked.store = store;
	asked.evaluation = argv[0];
	asked.baseline = argv[1];
	asked.by_usual_clock = !clock_name;
	asked.allowed_fields = allowed_fields.items;
	asked.allowed_count = (size_t)allowed_fields.count;
	ret = kb_judge_bundles(&score, &asked, err);
	if (ret < 0)
		return ret;
	ret = write_score(&score, &id, err);
	if (ret < 0)
		return ret;
	ret = print_score(&score, &id, err);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "EVALUATION BASELINE", .options = options, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-score",
	.about = "Judge an evaluation against a baseline, and write the score "
		 "into the store.",
	.example = "kb-score @last:evaluation @last:baseline",
	.verbs = verbs,
	.verb_count = 1,
};
