/* kb-pack submission: candidates into a submission. */

#include "cmd/pack_verbs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "cmd/passed_over.h"
#include "import/pack.h"
#include "import/sources.h"
#include "json/json.h"
#include "manifest/provenance.h"
#include "manifest/record.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_made_options made;

/* As given on the command line, which owns the texts. */
static struct {
	const char *display_name, *organization, *model, *server_type;
	const char *temperature, *top_p, *prompt_sha256, *date, *run_name;
	const char *notes, *precision, *backend;
	int64_t max_tokens, seed, samples;
} said = {
	.max_tokens = KB_UNKNOWN, .seed = KB_UNKNOWN, .samples = KB_UNKNOWN,
};

#define INT_OPTION(option, what, about, field, least)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = least, .max = KB_JSON_INT_MAX }

const struct kb_option kb_pack_submission_options[] = {
	KB_PACK_STORE,
	KB_MADE_OPTIONS(made),
	KB_PACK_TEXT("display-name", "TEXT", "name to show in tables",
		     said.display_name),
	KB_PACK_TEXT("organization", "TEXT", "who submits", said.organization),
	KB_PACK_TEXT("model", "NAME", "model that wrote the candidates",
		     said.model),
	KB_PACK_TEXT("server-type", "NAME", "where the model ran",
		     said.server_type),
	KB_PACK_TEXT("temperature", "X", "sampling temperature",
		     said.temperature),
	KB_PACK_TEXT("top-p", "X", "nucleus sampling", said.top_p),
	INT_OPTION("max-tokens", "N", "limit of the answer's length",
		   said.max_tokens, 1),
	INT_OPTION("seed", "N", "sampling seed", said.seed, -KB_JSON_INT_MAX),
	INT_OPTION("samples", "N", "samples drawn for each problem",
		   said.samples, 1),
	KB_PACK_TEXT("prompt-sha256", "HEX", "digest of the prompt",
		     said.prompt_sha256),
	KB_PACK_TEXT("date", "DATE", "when the candidates were made", said.date),
	KB_PACK_TEXT("run-name", "NAME", "the submitter's name for the run",
		     said.run_name),
	KB_PACK_TEXT("notes", "TEXT", "further notes", said.notes),
	KB_PACK_TEXT("precision", "TYPE",
		     "type that candidates were made for: fp32, fp16, bf16",
		     said.precision),
	KB_PACK_TEXT("backend", "NAME", "language that was asked for",
		     said.backend),
	KB_OPTION_END,
};

int kb_pack_submission(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(passed_over) struct kb_passed_over over = KB_PASSED_OVER_INIT;
	const struct kb_pack pack = {
		.paths = (const char *const *)argv, .count = (size_t)argc,
		.store = store, .passed_over = &over,
	};
	kb_auto(provenance) struct kb_provenance told = {
		.display_name = kb_xstrdup(said.display_name),
		.organization = kb_xstrdup(said.organization),
		.model = kb_xstrdup(said.model),
		.server_type = kb_xstrdup(said.server_type),
		.temperature = kb_xstrdup(said.temperature),
		.top_p = kb_xstrdup(said.top_p),
		.max_tokens = said.max_tokens,
		.seed = said.seed,
		.samples_per_problem = said.samples,
		.prompt_sha256 = kb_xstrdup(said.prompt_sha256),
		.date = kb_xstrdup(said.date),
		.run_name = kb_xstrdup(said.run_name),
		.notes = kb_xstrdup(said.notes),
		.precision = kb_xstrdup(said.precision),
		.backend = kb_xstrdup(said.backend),
	};
	struct kb_digest id;
	int ret;

	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_submission_pack(&pack, &told, &id, err);
	if (ret < 0)
		return ret;
	kb_print_passed_over("kb-pack", &over);
	return kb_made_print(&made, store, KB_KIND_SUBMISSION, &id, err);
}
