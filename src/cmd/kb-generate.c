/* kb-generate: ask a model about a suite's problems, and make a submission of
 * what it answers. */

#include "cmd/cmd.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/self.h"
#include "cli/made.h"
#include "import/open.h"
#include "generate/answer_files.h"
#include "cli/progress.h"
#include "generate/ask.h"
#include "generate/asking.h"
#include "generate/prompter.h"
#include "generate/request.h"
#include "generate/request_files.h"
#include "generate/settings.h"
#include "generate/submit.h"
#include "generate/work.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/baseline.h"
#include "manifest/generation.h"
#include "manifest/select.h"
#include "manifest/tool.h"
#include "tables/generation_table.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static const char *dir = KB_WORK_DEFAULT;

/* --- what is asked ----------------------------------------------------- */

static const char *problems, *levels;
static const char *model, *backend_name = "cuda";
static const char *prompts_file, *kernelbench;
static const char *prompt_option = "one_shot", *precision, *custom_prompt;
static const char *gpu, *baseline_name, *system_text;
static int64_t samples = 1, seed;
static bool without_seed;
static struct kb_sampling sampling = {
	.max_tokens = KB_UNKNOWN, .max_completion_tokens = KB_UNKNOWN,
};
static const char *currency = "USD";
static const char *price_input, *price_cached, *price_output;
static int64_t file_requests = 50000, file_mib = 200;

#define TEXT_OPTION(option, what, about, field)				\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field) }
#define PLACE_OPTION(option, what, about, field)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field), .is_place = true }
#define INT_OPTION(option, what, about, field, least, most)		\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = least, .max = most }
/* How requests are put into files says nothing of what is asked. */
#define FILE_OPTION(option, about, field, most)				\
	{ .name = option, .arg = "N", .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = 1, .max = most, .is_place = true }
#define STORE_OPTION							\
	{ .name = "store", .arg = "DIR",			\
	  .help = "where bundles are kept (archives)",			\
	  .type = KB_OPTION_STRING, .value = &store, .is_place = true }
#define DIR_OPTION							\
	{ .name = "dir", .letter = 'd', .arg = "DIR",			\
	  .help = "where requests and answers are kept (generation)",	\
	  .type = KB_OPTION_STRING, .value = &dir, .is_place = true }

static const struct kb_option ask_options[] = {
	TEXT_OPTION("model", "NAME", "the model, as its server calls it",
		    model),
	TEXT_OPTION("backend", "NAME", "what to write kernels in (cuda)",
		    backend_name),
	TEXT_OPTION("problems", "LIST", "only these, as 1/19,2/76", problems),
	TEXT_OPTION("levels", "LIST", "only these levels, as 1,2", levels),
	INT_OPTION("samples", "N", "answers wanted for each problem (1)",
		   samples, 1, KB_SAMPLE_ID_MAX + 1),
	INT_OPTION("seed", "N", "seed of sample 0; sample i has N + i (0)",
		   seed, 0, KB_JSON_INT_MAX - KB_SAMPLE_ID_MAX),
	{ .name = "no-seed", .help = "send no seed",
	  .type = KB_OPTION_FLAG, .value = &without_seed },
	TEXT_OPTION("temperature", "X", "sampling temperature",
		    sampling.temperature),
	TEXT_OPTION("top-p", "X", "nucleus sampling", sampling.top_p),
	INT_OPTION("max-tokens", "N", "limit of an answer's length",
		   sampling.max_tokens, 1, KB_JSON_INT_MAX),
	INT_OPTION("max-completion-tokens", "N",
		   "the same, as newer servers call it",
		   sampling.max_completion_tokens, 1, KB_JSON_INT_MAX),
	TEXT_OPTION("body", "JSON", "further members of a request's body",
		    sampling.body),
	TEXT_OPTION("system", "TEXT", "a system prompt", system_text),
	PLACE_OPTION("prompts", "FILE", "templates of prompts (our own)",
		     prompts_file),
	PLACE_OPTION("kernelbench", "DIR",
		     "a checkout, to ask as KernelBench does", kernelbench),
	TEXT_OPTION("prompt", "NAME",
		    "zero_shot, one_shot or few_shot (one_shot)",
		    prompt_option),
	TEXT_OPTION("precision", "NAME", "fp32, fp16 or bf16 (fp32)",
		    precision),
	TEXT_OPTION("custom-prompt", "KEY", "an order of its own, of the file",
		    custom_prompt),
	TEXT_OPTION("gpu", "NAME", "with facts of a GPU of KernelBench's",
		    gpu),
	PLACE_OPTION("baseline", "BUNDLE",
		     "with facts of the machine of this baseline",
		     baseline_name),
	TEXT_OPTION("currency", "NAME", "of the prices (USD)", currency),
	TEXT_OPTION("price-input", "X", "price of a million tokens of input",
		    price_input),
	TEXT_OPTION("price-cached", "X", "the same of input from a cache",
		    price_cached),
	TEXT_OPTION("price-output", "X", "the same of output", price_output),
	FILE_OPTION("file-requests", "requests in a file, at most (50000)",
		    file_requests, KB_JSON_INT_MAX),
	FILE_OPTION("file-mib", "MiB of a file, at most (200)", file_mib,
		    4096),
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

/* The file beside the binary, <prefix>/share/kb/prompts; the caller frees. */
static char *own_prompts(void)
{
	kb_auto(mem) char *prefix = kb_self_prefix(NULL);

	return kb_xasprintf("%s/share/kb/prompts/prompts.toml",
			    prefix ? prefix : "");
}

static char *folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? kb_xstrndup(file, (size_t)(slash - file))
		     : kb_xstrdup(".");
}

static int load_templates(struct kb_templates *t, struct kb_err *err)
{
	kb_auto(mem) char *file = prompts_file ? kb_xstrdup(prompts_file)
					       : own_prompts();
	kb_auto(mem) char *root = folder_of(file);

	return kb_templates_load(t, file, root, NULL, err);
}

#define THEIR_PROMPTS "src/kernelbench/prompts"

static int load_kernelbench(struct kb_templates *t, struct kb_err *err)
{
	kb_auto(mem) char *file = kb_xasprintf(
		"%s/" THEIR_PROMPTS "/prompts.toml", kernelbench);
	kb_auto(mem) char *gpus = kb_xasprintf(
		"%s/" THEIR_PROMPTS "/hardware/gpu_specs.py", kernelbench);

	return kb_templates_load(t, file, kernelbench, gpus, err);
}

/* Facts of a machine that we measured on. `id` receives the baseline's. */
static int load_hardware(struct kb_hardware *h, char **id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_store_open(&b, store, baseline_name, err);

	if (ret < 0)
		return ret;
	ret = kb_baseline_load(&baseline, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", baseline_name);
	kb_hardware_of_environment(h, baseline.conditions.environment);
	kb_digest_format(&b.id, hex);
	*id = kb_xstrdup(hex);
	return 0;
}

static int find_hardware(struct kb_hardware *h, char **name,
			 const struct kb_templates *t, struct kb_err *err)
{
	if (baseline_name)
		return load_hardware(h, name, err);
	if (!gpu)
		return 0;
	*name = kb_xstrdup(gpu);
	return kb_hardware_of_templates(h, t, gpu, err);
}

static int make_prompts(struct kb_generation *g, const struct kb_suite *suite,
			const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(templates) struct kb_templates t = KB_TEMPLATES_INIT;
	kb_auto(hardware) struct kb_hardware h = KB_HARDWARE_INIT;
	kb_auto(prompter) struct kb_prompter p = KB_PROMPTER_INIT;
	int ret = kernelbench ? load_kernelbench(&t, err)
			      : load_templates(&t, err);

	if (ret == 0)
		ret = find_hardware(&h, &g->asked.hardware, &t, err);
	if (ret < 0)
		return ret;
	g->asked.templates = t.digest;
	ret = kb_prompter_init(&p, &t, &(struct kb_prompt_choice){
			.backend = backend_name, .option = prompt_option,
			.precision = precision, .custom = custom_prompt,
			.hardware = h.name ? &h : NULL }, err);
	return ret < 0 ? ret : kb_ask(g, suite, b, &p, system_text, err);
}

static char *copy(const char *text)
{
	return text ? kb_xstrdup(text) : NULL;
}

static int set_prices(struct kb_prices *p, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	if (!price_input && !price_cached && !price_output)
		return 0;
	p->currency = copy(currency);
	p->input_per_million = copy(price_input);
	p->cached_per_million = copy(price_cached);
	p->output_per_million = copy(price_output);
	return kb_prices_check(p, &why) < 0 ?
		       kb_err(err, KB_ERR_USAGE, "%s", why.msg) : 0;
}

static int set_asked(struct kb_asked *a, const struct kb_suite *suite,
		     struct kb_err *err)
{
	int ret = kb_select(&a->problems, &a->problem_count, suite, problems,
			    levels, err);

	if (ret == 0)
		ret = kb_sampling_print(&a->sampling, &sampling, err);
	if (ret == 0)
		ret = set_prices(&a->prices, err);
	a->options = kb_options_to_json(ask_options);
	a->model = kb_xstrdup(model);
	a->seed = without_seed ? KB_UNKNOWN : seed;
	a->samples = (int)samples;
	return ret;
}

static int make_generation(struct kb_generation *g, const char *suite_name,
			   struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	int ret = kb_suite_open_or_pack(&b, &suite, store, suite_name, err);

	if (ret < 0)
		return ret;
	g->tool = kb_tool_json("kb-generate");
	g->asked.suite = b.id;
	ret = set_asked(&g->asked, &suite, err);
	if (ret == 0)
		ret = make_prompts(g, &suite, &b, err);
	if (ret == 0)
		kb_generation_sum(&g->totals, g);
	return ret;
}

static int check_ask_options(struct kb_generation *g, struct kb_err *err)
{
	static const struct {
		const char *const *left, *const *right;
		const char *names;
	} pairs[] = {
		{ &prompts_file, &kernelbench, "--prompts and --kernelbench" },
		{ &gpu, &baseline_name, "--gpu and --baseline" },
	};
	struct kb_err why = KB_ERR_INIT;

	if (!model || !*model)
		return kb_err(err, KB_ERR_USAGE, "no --model given");
	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++)
		if (*pairs[i].left && *pairs[i].right)
			return kb_err(err, KB_ERR_USAGE,
				      "%s exclude each other",
				      pairs[i].names);
	if (gpu && !kernelbench)
		return kb_err(err, KB_ERR_USAGE,
			      "--gpu wants --kernelbench, whose GPUs they are");
	if (kb_backend_parse(&g->asked.backend, backend_name, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	return 0;
}

static int write_requests(const struct kb_work *w, struct kb_err *err)
{
	const struct kb_request_limits limits = {
		.requests = (size_t)file_requests,
		.bytes = (size_t)file_mib << 20,
	};
	size_t count = 0;
	int ret = kb_request_files_write(w, &limits, &count, err);

	if (ret < 0)
		return ret;
	fprintf(stderr, "%zu of %zu requests are to be answered\n",
		kb_work_open_count(w), w->g.line_count);
	for (size_t i = 1; i <= count; i++) {
		kb_auto(mem) char *path = kb_request_file_path(w, i);

		printf("%s\n", path);
	}
	return KB_EXIT_OK;
}

static int run_ask(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	int ret;

	(void)argc;
	ret = check_ask_options(&g, err);
	if (ret == 0)
		ret = make_generation(&g, argv[0], err);
	if (ret == 0)
		ret = kb_work_begin(&w, dir, &g, err);
	return ret < 0 ? ret : write_requests(&w, err);
}

/* --- what is answered -------------------------------------------------- */

static struct {
	const char *display_name, *organization, *server_type, *date;
	const char *run_name, *notes;
} said;

static struct kb_made_options made;

#define SAID_OPTIONS							\
	TEXT_OPTION("display-name", "TEXT", "name to show in tables",	\
		    said.display_name),					\
	TEXT_OPTION("organization", "TEXT", "who submits",		\
		    said.organization),					\
	TEXT_OPTION("server-type", "NAME", "where the model ran",	\
		    said.server_type),					\
	TEXT_OPTION("date", "DATE", "when the answers were made",	\
		    said.date),						\
	TEXT_OPTION("run-name", "NAME", "the submitter's name for the run", \
		    said.run_name),					\
	TEXT_OPTION("notes", "TEXT", "anything else", said.notes),	\
	KB_MADE_OPTIONS(made)

static const struct kb_option take_options[] = {
	SAID_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

static void say(const char *message)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, message, strlen(message));
	fprintf(stderr, "kb-generate: %s\n", text.data);
}

static int print_generation(const struct kb_generation *g,
			    const struct kb_digest *generation,
			    const struct kb_digest *submission,
			    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_generation_table_print(&text, g);
	printf("%s\n", text.data);
	ret = kb_made_print_part(&made, store, KB_KIND_GENERATION, generation,
				 err);
	return ret < 0 ? ret : kb_made_print(&made, store, KB_KIND_SUBMISSION,
					     submission, err);
}

static int submit(struct kb_work *w, struct kb_err *err)
{
	kb_auto(provenance) struct kb_provenance over = {
		.display_name = copy(said.display_name),
		.organization = copy(said.organization),
		.server_type = copy(said.server_type),
		.date = copy(said.date), .run_name = copy(said.run_name),
		.notes = copy(said.notes), .max_tokens = KB_UNKNOWN,
		.seed = KB_UNKNOWN, .samples_per_problem = KB_UNKNOWN,
	};
	struct kb_digest generation, submission;
	const size_t open = kb_work_open_count(w);
	int ret = kb_generation_submit(&w->g, &over, store, &generation,
				       &submission, err);

	if (ret < 0)
		return ret;
	ret = print_generation(&w->g, &generation, &submission, err);
	if (ret < 0)
		return ret;
	if (open)
		fprintf(stderr, "kb-generate: %zu of %zu requests have no answer\n",
			open, w->g.line_count);
	return open ? KB_EXIT_NO : KB_EXIT_OK;
}

static int run_take(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	struct kb_taking t = { .work = &w, .say = say };
	int ret;

	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_work_open(&w, dir, err);
	for (int i = 0; ret == 0 && i < argc; i++)
		ret = kb_answer_file_take(&t, argv[i], err);
	if (ret < 0)
		return ret;
	fprintf(stderr, "%zu answers taken, %zu taken before, %zu lines passed over\n",
		t.taken, t.taken_before, t.passed_over);
	return submit(&w, err);
}

/* --- both, of a server ------------------------------------------------- */

static const char *server, *api_key_file;
static int64_t concurrency = 8, tries = 8, pause_ms = 1000, timeout_s = 3600;

static const struct kb_option run_options[] = {
	TEXT_OPTION("server", "URL", "unix:/PATH, http://HOST:PORT or https://HOST",
		    server),
	TEXT_OPTION("api-key-file", "FILE", "send what is in it as a bearer token",
		    api_key_file),
	INT_OPTION("concurrency", "N", "requests at a time (8)", concurrency, 1,
		   1024),
	INT_OPTION("tries", "N", "of a request, at most (8)", tries, 1, 1000),
	INT_OPTION("pause-ms", "MS", "before the second; it doubles (1000)",
		   pause_ms, 1, 600000),
	INT_OPTION("timeout", "SECONDS", "for each try (3600)", timeout_s, 1,
		   86400),
	SAID_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

#define API_KEY_BYTES_MAX 4096

/* The first line of the file; the caller frees. */
static int read_api_key(char **out, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, api_key_file,
			       API_KEY_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	*out = kb_xstrndup(text.data, strcspn(text.data, "\r\n"));
	for (const char *p = *out; *p; p++)
		if (*p < '!' || *p > '~')
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' does not hold a key in its first line",
				      api_key_file);
	return 0;
}

/* By what came until now: the same for each that is left. */
static void print_rate(const struct kb_asking *a)
{
	const int64_t ns = kb_clock_ns() - a->start_ns;
	const size_t left = a->total - a->done;
	char time[KB_DURATION_SIZE];

	kb_duration_format(time, a->done ? ns / (int64_t)a->done *
			   (int64_t)left : 0);
	fprintf(stderr, "; %" PRId64 " tokens/s, %s left\n",
		ns ? (int64_t)((double)a->output_tokens * 1e9 / (double)ns)
		   : 0, time);
}

/* A server's words, of which a line has the beginning. */
static void print_message(const char *message)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, message, strlen(message));
	fprintf(stderr, ", %.*s", (int)strcspn(text.data, "\n"), text.data);
}

static void say_progress(const struct kb_asking *a,
			 const struct kb_generated *line, const char *trouble)
{
	char id[KB_CUSTOM_ID_SIZE];

	if (!line) {
		kb_auto(mem) char *text = kb_xasprintf("%s: again, after a pause",
						       trouble);

		say(text);
		return;
	}
	kb_custom_id_format(id, line);
	fprintf(stderr, "[%zu/%zu] %s: %s", a->done, a->total, id,
		kb_reply_outcomes[line->reply.outcome]);
	if (line->reply.message)
		print_message(line->reply.message);
	print_rate(a);
}

static int ask_server(struct kb_work *w, const char *api_key,
		      struct kb_err *err)
{
	kb_auto(http) struct kb_http *http = NULL;
	struct kb_asking a = {
		.work = w, .concurrency = (int)concurrency,
		.tries = (int)tries, .pause_ms = pause_ms,
		.say = say_progress,
	};
	int ret = kb_http_new(&http, &(struct kb_http_address){
			.server = server, .api_key = api_key,
			.timeout_ms = timeout_s * 1000 }, err);

	if (ret < 0)
		return ret;
	a.http = http;
	kb_interrupt_catch();
	ret = kb_asking_models(&w->g.server_models, &a, err);
	if (ret == 0)
		ret = kb_asking_run(&a, err);
	if (ret == -KB_ERR_INTERRUPTED)
		return kb_err(err, KB_ERR_INTERRUPTED,
			      "interrupted: %zu of %zu requests are answered; the same command goes on",
			      w->g.line_count - kb_work_open_count(w),
			      w->g.line_count);
	return ret;
}

static int run_run(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	kb_auto(mem) char *api_key = NULL;
	int ret;

	(void)argc;
	(void)argv;
	if (!server)
		return kb_err(err, KB_ERR_USAGE, "no --server given");
	ret = kb_made_check(&made, err);
	if (ret == 0 && api_key_file)
		ret = read_api_key(&api_key, err);
	if (ret == 0)
		ret = kb_work_open(&w, dir, err);
	if (ret == 0)
		ret = ask_server(&w, api_key, err);
	return ret < 0 ? ret : submit(&w, err);
}

static const struct kb_former_option former[] = {
	KB_FORMER_STORE_LETTER,
	KB_FORMER_END
};

static const struct kb_verb verbs[] = {
	{ .name = "ask", .operands = "SUITE",
	  .options = ask_options, .former = former, .run = run_ask },
	{ .name = "run", .operands = "",
	  .options = run_options, .former = former, .run = run_run },
	{ .name = "take", .operands = "ANSWERS...",
	  .options = take_options, .former = former, .run = run_take },
};

const struct kb_command kb_command = {
	.name = "kb-generate",
	.about = "Ask a model about a suite's problems, and make a submission "
		 "of its answers.",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
	.no = "done, and some requests have no answer",
	.can_be_interrupted = true,
};
