/* kb-pack: turn loose files into bundles, and bundles into archives and other
 * tools' files. */

#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "exchange/export.h"
#include "exchange/pack.h"
#include "json/json.h"
#include "manifest/record.h"
#include "store/archive.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static const char *archive_file;
static struct kb_suite_labels labels;

/* As given on the command line, which owns the texts. */
static struct {
	const char *display_name, *organization, *model, *server_type;
	const char *temperature, *top_p, *prompt_sha256, *date, *run_name;
	const char *notes;
	int64_t max_tokens, seed, samples;
} said = {
	.max_tokens = KB_UNKNOWN, .seed = KB_UNKNOWN, .samples = KB_UNKNOWN,
};

#define STORE_OPTION							\
	{ .name = "store", .letter = 'o', .arg = "DIR",			\
	  .help = "where bundles are kept", .type = KB_OPTION_STRING,	\
	  .value = &store }
#define TEXT_OPTION(option, what, about, field)				\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field) }
#define INT_OPTION(option, what, about, field, least)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = least, .max = KB_JSON_INT_MAX }

static const struct kb_option suite_options[] = {
	STORE_OPTION,
	TEXT_OPTION("name", "NAME", "what the suite is called", labels.name),
	TEXT_OPTION("suite-version", "VERSION", "the suite's own version",
		    labels.version),
	TEXT_OPTION("upstream-commit", "HEX", "commit that the files are from",
		    labels.upstream_commit),
	KB_OPTION_END,
};

static const struct kb_option submission_options[] = {
	STORE_OPTION,
	TEXT_OPTION("display-name", "TEXT", "name to show in tables",
		    said.display_name),
	TEXT_OPTION("organization", "TEXT", "who submits", said.organization),
	TEXT_OPTION("model", "NAME", "model that wrote the candidates",
		    said.model),
	TEXT_OPTION("server-type", "NAME", "where the model ran",
		    said.server_type),
	TEXT_OPTION("temperature", "X", "sampling temperature",
		    said.temperature),
	TEXT_OPTION("top-p", "X", "nucleus sampling", said.top_p),
	INT_OPTION("max-tokens", "N", "limit of the answer's length",
		   said.max_tokens, 1),
	INT_OPTION("seed", "N", "sampling seed", said.seed, -KB_JSON_INT_MAX),
	INT_OPTION("samples", "N", "samples drawn for each problem",
		   said.samples, 1),
	TEXT_OPTION("prompt-sha256", "HEX", "digest of the prompt",
		    said.prompt_sha256),
	TEXT_OPTION("date", "DATE", "when the candidates were made", said.date),
	TEXT_OPTION("run-name", "NAME", "the submitter's name for the run",
		    said.run_name),
	TEXT_OPTION("notes", "TEXT", "anything else", said.notes),
	KB_OPTION_END,
};

static const struct kb_option archive_options[] = {
	{ .name = "output", .letter = 'o', .arg = "FILE",
	  .help = "archive to write, else <id>.tar.gz",
	  .type = KB_OPTION_STRING, .value = &archive_file },
	TEXT_OPTION("store", "DIR", "where bundles are kept", store),
	KB_OPTION_END,
};

static const char *output;
static struct kb_export export_to;

static const struct kb_option export_options[] = {
	{ .name = "output", .letter = 'o', .arg = "PATH",
	  .help = "file, or KernelBench's folder, to write, else stdout",
	  .type = KB_OPTION_STRING, .value = &output },
	TEXT_OPTION("store", "DIR", "where bundles are kept", store),
	TEXT_OPTION("baseline", "BUNDLE", "export that too, to divide by",
		    export_to.baseline),
	TEXT_OPTION("clock", "CLOCK", "whose times: call or device (call)",
		    export_to.clock),
	TEXT_OPTION("statistic", "NAME",
		    "what the mean is: median or mean (median)",
		    export_to.statistic),
	TEXT_OPTION("hardware", "NAME", "KernelBench's name of the hardware",
		    export_to.hardware),
	TEXT_OPTION("run-name", "NAME", "the submitter's name for the run",
		    export_to.run_name),
	KB_OPTION_END,
};

static const struct kb_option unpack_options[] = {
	STORE_OPTION,
	KB_OPTION_END,
};

static int print_id(const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	printf("%s\n", hex);
	return KB_EXIT_OK;
}

static int run_suite(int argc, char *argv[], struct kb_err *err)
{
	struct kb_digest id;
	int ret;

	if (argc == 0)
		return kb_err(err, KB_ERR_USAGE, "no problems given");
	ret = kb_suite_pack((const char *const *)argv, (size_t)argc, &labels,
			    store, &id, err);
	return ret < 0 ? ret : print_id(&id);
}

static char *copy(const char *text)
{
	return text ? kb_xstrdup(text) : NULL;
}

static int run_submission(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(provenance) struct kb_provenance over = {
		.display_name = copy(said.display_name),
		.organization = copy(said.organization),
		.model = copy(said.model),
		.server_type = copy(said.server_type),
		.temperature = copy(said.temperature),
		.top_p = copy(said.top_p),
		.max_tokens = said.max_tokens,
		.seed = said.seed,
		.samples_per_problem = said.samples,
		.prompt_sha256 = copy(said.prompt_sha256),
		.date = copy(said.date),
		.run_name = copy(said.run_name),
		.notes = copy(said.notes),
	};
	struct kb_digest id;
	int ret;

	if (argc == 0)
		return kb_err(err, KB_ERR_USAGE, "no candidates given");
	ret = kb_submission_pack((const char *const *)argv, (size_t)argc,
				 &over, store, &id, err);
	return ret < 0 ? ret : print_id(&id);
}

static int run_archive(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *own_name = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	if (argc != 1)
		return kb_err(err, KB_ERR_USAGE, "want exactly one bundle");
	ret = kb_store_open(&b, store, argv[0], err);
	if (ret < 0)
		return ret;
	if (!archive_file) {
		kb_digest_format(&b.id, hex);
		archive_file = own_name = kb_xasprintf("%s.tar.gz", hex);
	}
	ret = kb_archive_write(&b, archive_file, err);
	if (ret < 0)
		return ret;
	printf("%s\n", archive_file);
	return KB_EXIT_OK;
}

static int copy_members(struct kb_bundle_writer *w, const struct kb_bundle *b,
			struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	for (size_t i = 0; i < b->member_count; i++) {
		const char *name = b->members[i].name;
		int ret;

		kb_buf_clear(&buf);
		ret = kb_bundle_read(&buf, b, name, KB_BUNDLE_MEMBER_BYTES_MAX,
				     err);
		if (ret == 0)
			ret = kb_bundle_writer_add(w, name, buf.data, buf.len,
						   err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int run_unpack(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_digest id;
	enum kb_kind kind;
	int ret;

	if (argc != 1)
		return kb_err(err, KB_ERR_USAGE, "want exactly one archive");
	ret = kb_bundle_open(&b, argv[0], err);
	if (ret < 0)
		return ret;
	ret = kb_record_check(&kind, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "'%s'", argv[0]);
	ret = kb_bundle_writer_new(&w, store, err);
	if (ret < 0)
		return ret;
	ret = copy_members(w, &b, err);
	if (ret == 0)
		ret = kb_bundle_writer_commit(w, &id, err);
	return ret < 0 ? ret : print_id(&id);
}

/* One file can be printed; several need names. */
static int print_files(const struct kb_export_files *files, struct kb_err *err)
{
	if (files->count != 1)
		return kb_err(err, KB_ERR_USAGE,
			      "this makes %zu files, and no --output is given",
			      files->count);
	fwrite(files->items[0].text.data, 1, files->items[0].text.len, stdout);
	return KB_EXIT_OK;
}

static int write_files(struct kb_export_files *files, struct kb_err *err)
{
	int ret = kb_export_write(files, output, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < files->count; i++)
		printf("%s\n", files->items[i].path);
	return KB_EXIT_OK;
}

static int run_export(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(export_files) struct kb_export_files files =
		KB_EXPORT_FILES_INIT;
	struct kb_export e = export_to;
	int ret;

	if (argc != 2)
		return kb_err(err, KB_ERR_USAGE,
			      "want a format and exactly one bundle");
	e.format = argv[0];
	e.bundle = argv[1];
	e.store = store;
	e.with_paths = output;
	ret = kb_export_make(&files, &e, err);
	if (ret < 0)
		return ret;
	return output ? write_files(&files, err)
		      : print_files(&files, err);
}

static const struct kb_verb verbs[] = {
	{ "suite", "DIR|FILE...", suite_options, run_suite },
	{ "submission", "DIR|FILE.json|FILE...", submission_options,
	  run_submission },
	{ "archive", "BUNDLE", archive_options, run_archive },
	{ "unpack", "FILE.tar.gz", unpack_options, run_unpack },
	{ "export", "FORMAT BUNDLE", export_options, run_export },
};

const struct kb_command kb_command = {
	.name = "kb-pack",
	.about = "Turn problems and candidates into bundles, and bundles into "
		 "archives and other tools' files.",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
};
