/* kb-generate take and tell: answers and evaluations that come as files. */

#include "cmd/generate.h"

#include <stdio.h>

#include "asking/answer_files.h"
#include "asking/work.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "runs/turn_steps.h"
#include "turns/turns.h"

const struct kb_option kb_generate_take_options[] = {
	SAID_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

int kb_generate_take(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	struct kb_taking t = { .work = &w, .say = kb_generate_say };
	int ret;

	ret = kb_made_check(&kb_generate_said.made, err);
	if (ret == 0)
		ret = kb_work_open(&w, kb_generate_place.dir, err);
	for (int i = 0; ret == 0 && i < argc; i++)
		ret = kb_answer_file_take(&t, argv[i], err);
	if (ret < 0)
		return ret;
	fprintf(stderr, "%zu answers taken, %zu taken before, %zu lines passed over\n",
		t.taken, t.taken_before, t.passed_over);
	return w.g.asked.has_refinement && !kb_turns_are_over(&w.g) ?
		       kb_turn_step_submit(&w, kb_generate_place.store,
					   kb_generate_said.made.porcelain,
					   err) :
		       kb_generate_submit(&w, err);
}

/* --- the next turn ------------------------------------------------------ */

const struct kb_option kb_generate_tell_options[] = {
	SAID_OPTIONS,
	KB_GENERATE_FILE_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

int kb_generate_tell(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	int ret = kb_made_check(&kb_generate_said.made, err);

	if (ret == 0)
		ret = kb_work_open(&w, kb_generate_place.dir, err);
	if (ret < 0)
		return ret;
	if (!w.g.asked.has_refinement)
		return kb_err(err, KB_ERR_USAGE,
			      "the generation in '%s' has one turn: only later "
			      "turns are told of verdicts",
			      kb_generate_place.dir);
	ret = kb_turn_step_tell(&w, kb_generate_place.store,
				argc ? argv[0] : NULL, err);
	if (ret < 0)
		return ret;
	return kb_turns_are_over(&w.g) ? kb_generate_submit(&w, err) :
					 kb_generate_write_requests(&w, err);
}
