/* kb-generate: ask a model about a suite's problems, and make a submission of
 * what it answers. */

#include "cmd/cmd.h"

#include "base/alloc.h"
#include "cmd/generate.h"

static const struct kb_verb verbs[] = {
	{ .name = "ask",
	  .about = "make prompts and requests",
	  .operands = "SUITE MODEL",
	  .options = kb_generate_ask_options, .run = kb_generate_ask },
	{ .name = "run",
	  .about = "send the requests to a server",
	  .operands = "SERVER [-- OPTION...]",
	  .options = kb_generate_run_options, .run = kb_generate_run },
	{ .name = "take",
	  .about = "take answers from files instead",
	  .operands = "ANSWERS...",
	  .options = kb_generate_take_options, .run = kb_generate_take },
	{ .name = "tell",
	  .about = "make the prompts of the next turn",
	  .operands = "[EVALUATION]",
	  .options = kb_generate_tell_options, .run = kb_generate_tell },
};

const struct kb_command kb_command = {
	.name = "kb-generate",
	.about = "Ask a model about a suite's problems, and make a submission "
		 "of its answers.",
	.example = "kb-generate ask problems/demo Qwen/Qwen3-8B",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
	.no = "done, and some requests have no answer",
	.interrupted = KB_RESUMES,
};
