/* kb-pack: turn loose files into bundles, and bundles into archives and other
 * tools' files. */

#include "cmd/cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "export/export.h"
#include "export/made_files.h"
#include "import/pack.h"
#include "import/report_in.h"
#include "import/sources.h"
#include "json/json.h"
#include "manifest/record.h"
#include "publish/publish.h"
#include "store/archive.h"
#include "store/store.h"
#include "tables/claims_table.h"
#include "tables/table.h"

static const char *store = KB_STORE_DEFAULT;
static const char *archive_file;
static struct kb_suite_labels labels;
static struct kb_made_options made;

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
	TEXT_OPTION("name", "NAME",
		    "what the suite is called, in its record and in the store",
		    labels.name),
	KB_PORCELAIN_OPTION(made),
	TEXT_OPTION("suite-version", "VERSION", "the suite's own version",
		    labels.version),
	TEXT_OPTION("upstream-commit", "HEX", "commit that the files are from",
		    labels.upstream_commit),
	KB_OPTION_END,
};

static const struct kb_option submission_options[] = {
	STORE_OPTION,
	KB_MADE_OPTIONS(made),
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

static struct kb_publication_about about;
static struct kb_option_list author_names, author_orcids;
static bool allow_missing;

static const struct kb_option publish_options[] = {
	{ .name = "output", .letter = 'o', .arg = "FILE",
	  .help = "archive to write, else <folder>.tar.gz",
	  .type = KB_OPTION_STRING, .value = &archive_file },
	TEXT_OPTION("store", "DIR", "where bundles are kept", store),
	TEXT_OPTION("title", "TEXT", "what it is called", about.title),
	{ .name = "author", .arg = "NAME",
	  .help = "who made it: 'Family, Given' or a group; repeatable",
	  .type = KB_OPTION_LIST, .value = &author_names },
	{ .name = "orcid", .arg = "ID",
	  .help = "the first author's ORCID iD, then the second's...",
	  .type = KB_OPTION_LIST, .value = &author_orcids },
	TEXT_OPTION("license", "NAME", "its licence, as SPDX names it",
		    about.license),
	TEXT_OPTION("date", "DATE", "when it is published", about.date),
	{ .name = "allow-missing-parents",
	  .help = "publish without parents that are not there",
	  .type = KB_OPTION_FLAG, .value = &allow_missing },
	KB_OPTION_END,
};

static const char *report_format = "kernelbench", *report_baseline;
static const char *report_run;
static int64_t report_level = KB_UNKNOWN;

static const struct kb_option report_options[] = {
	STORE_OPTION,
	KB_MADE_OPTIONS(made),
	TEXT_OPTION("format", "NAME", "kernelbench or v3 (kernelbench)",
		    report_format),
	{ .name = "level", .arg = "L",
	  .help = "the level that KernelBench's results are of",
	  .type = KB_OPTION_INT, .value = &report_level,
	  .min = 1, .max = KB_LEVEL_MAX },
	TEXT_OPTION("baseline-times", "FILE",
		    "KernelBench's times of the references", report_baseline),
	TEXT_OPTION("run", "NAME", "the run of v3's published table to take",
		    report_run),
	KB_OPTION_END,
};

static const struct kb_option unpack_options[] = {
	STORE_OPTION,
	KB_MADE_OPTIONS(made),
	KB_OPTION_END,
};

static int print_id(enum kb_kind kind, const struct kb_digest *id,
		    struct kb_err *err)
{
	const int ret = kb_made_print(&made, store, kind, id, err);

	return ret < 0 ? ret : KB_EXIT_OK;
}

/* As many as fit on a screen beside what comes of the rest. */
#define PASSED_OVER_SHOWN 8

static void print_passed_over(const struct kb_passed_over *p)
{
	size_t shown = p->count > PASSED_OVER_SHOWN + 1 ? PASSED_OVER_SHOWN
							: p->count;

	for (size_t i = 0; i < shown; i++)
		fprintf(stderr, "kb-pack: %s: passed over\n", p->items[i]);
	if (shown < p->count)
		fprintf(stderr, "kb-pack: %zu more were passed over\n",
			p->count - shown);
}

static int run_suite(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(passed_over) struct kb_passed_over over = KB_PASSED_OVER_INIT;
	const struct kb_pack pack = {
		.paths = (const char *const *)argv, .count = (size_t)argc,
		.store = store, .passed_over = &over,
	};
	struct kb_digest id;
	int ret;

	made.name = labels.name;
	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_suite_pack(&pack, &labels, &id, err);
	if (ret < 0)
		return ret;
	print_passed_over(&over);
	return print_id(KB_KIND_SUITE, &id, err);
}

static char *copy(const char *text)
{
	return text ? kb_xstrdup(text) : NULL;
}

static int run_submission(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(passed_over) struct kb_passed_over over = KB_PASSED_OVER_INIT;
	const struct kb_pack pack = {
		.paths = (const char *const *)argv, .count = (size_t)argc,
		.store = store, .passed_over = &over,
	};
	kb_auto(provenance) struct kb_provenance told = {
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

	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_submission_pack(&pack, &told, &id, err);
	if (ret < 0)
		return ret;
	print_passed_over(&over);
	return print_id(KB_KIND_SUBMISSION, &id, err);
}

static int run_archive(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *own_name = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	(void)argc;
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

	(void)argc;
	ret = kb_made_check(&made, err);
	if (ret < 0)
		return ret;
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
	return ret < 0 ? ret : print_id(kind, &id, err);
}

/* One file can be printed; several need names. */
static int print_files(const struct kb_made_files *files, struct kb_err *err)
{
	if (files->count != 1)
		return kb_err(err, KB_ERR_USAGE,
			      "this makes %zu files, and no --output is given",
			      files->count);
	fwrite(files->items[0].text.data, 1, files->items[0].text.len, stdout);
	return KB_EXIT_OK;
}

static int write_files(struct kb_made_files *files, struct kb_err *err)
{
	int ret = kb_made_files_write(files, output, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < files->count; i++)
		printf("%s\n", files->items[i].path);
	return KB_EXIT_OK;
}

static int run_export(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	struct kb_export e = export_to;
	int ret;

	e.format = argv[0];
	e.bundles = (const char *const *)argv + 1;
	e.bundle_count = (size_t)argc - 1;
	e.store = store;
	e.with_paths = output;
	ret = kb_export_make(&files, &e, err);
	if (ret < 0)
		return ret;
	return output ? write_files(&files, err)
		      : print_files(&files, err);
}

/* KernelBench's file does not say its level, and v3's rows say theirs. */
static int check_report_options(const struct kb_report_source *s,
				struct kb_err *err)
{
	if (s->format == KB_REPORT_KERNELBENCH && !s->level)
		return kb_err(err, KB_ERR_USAGE, "no --level given");
	if (s->format == KB_REPORT_V3 && (s->level || s->baseline))
		return kb_err(err, KB_ERR_USAGE,
			      "format 'v3' has no use for '--%s'",
			      s->level ? "level" : "baseline-times");
	if (s->format != KB_REPORT_V3 && s->run)
		return kb_err(err, KB_ERR_USAGE,
			      "format '%s' has no use for '--run'",
			      kb_report_format_name(s->format));
	return 0;
}

static int run_report(int argc, char *argv[], struct kb_err *err)
{
	struct kb_report_source source = {
		.level = report_level == KB_UNKNOWN ? 0 : (int)report_level,
		.results = argv[0], .baseline = report_baseline,
		.run = report_run,
	};
	kb_auto(report) struct kb_report r = KB_REPORT_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct kb_digest id;
	int ret;

	(void)argc;
	if (kb_report_format_parse(&source.format, report_format, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	ret = check_report_options(&source, err);
	if (ret == 0)
		ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_report_pack(&r, &id, &source, store, err);
	if (ret < 0)
		return ret;
	kb_claims_table_print(&text, &r);
	printf("%s\n", text.data);
	return print_id(KB_KIND_REPORT, &id, err);
}

/* The day of publication: as told, or of SOURCE_DATE_EPOCH, which builds that
 * are to be repeated set, or today. The caller frees. */
static char *publication_date(struct kb_err *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char text[sizeof("2026-11-21")], *end;
	time_t now = time(NULL);
	struct tm day;

	if (about.date)
		return kb_xstrdup(about.date);
	if (epoch)
		now = (time_t)strtoll(epoch, &end, 10);
	if ((epoch && (!*epoch || *end)) || !gmtime_r(&now, &day) ||
	    strftime(text, sizeof(text), "%Y-%m-%d", &day) != sizeof(text) - 1) {
		kb_err(err, KB_ERR_USAGE,
		       "SOURCE_DATE_EPOCH is no time in seconds: '%s'", epoch);
		return NULL;
	}
	return kb_xstrdup(text);
}

static int read_authors(struct kb_author authors[KB_OPTION_LIST_MAX],
			struct kb_err *err)
{
	if (author_orcids.count > author_names.count)
		return kb_err(err, KB_ERR_USAGE,
			      "there are more --orcid than --author");
	for (int i = 0; i < author_names.count; i++)
		authors[i] = (struct kb_author){
			.name = author_names.items[i],
			.orcid = i < author_orcids.count ?
					 author_orcids.items[i] : NULL,
		};
	return 0;
}

static void print_sizes(const struct kb_publish_sizes *s)
{
	static const struct kb_column columns[] = {
		{ "file", KB_ALIGN_LEFT }, { "bytes", KB_ALIGN_RIGHT },
	};
	kb_auto(table) struct kb_table *t = kb_table_new(columns, 2);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (size_t i = 0; i < s->count; i++) {
		kb_table_add(t, s->files[i].name);
		kb_table_addf(t, "%" PRIu64, s->files[i].size_bytes);
	}
	kb_table_addf(t, "%zu files", s->count);
	kb_table_addf(t, "%" PRIu64, s->total_bytes);
	kb_table_add(t, "the archive");
	kb_table_addf(t, "%" PRIu64, s->archive_bytes);
	kb_table_print(&text, t);
	printf("%s\n%s\n", text.data, archive_file);
}

static int publish(struct kb_publication *p, struct kb_err *err)
{
	kb_auto(publish_sizes) struct kb_publish_sizes sizes =
		KB_PUBLISH_SIZES_INIT;
	kb_auto(mem) char *folder = kb_publish_folder(p);
	kb_auto(mem) char *file = kb_xasprintf("%s.tar.gz", folder);
	kb_auto(mem) char *title = kb_publish_title(p);
	int ret;

	if (!p->about.title)
		p->about.title = title;
	if (!archive_file)
		archive_file = file;
	ret = kb_publish_write(&sizes, p, archive_file, err);
	if (ret < 0)
		return ret;
	print_sizes(&sizes);
	return KB_EXIT_OK;
}

static int run_publish(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	struct kb_author authors[KB_OPTION_LIST_MAX];
	kb_auto(mem) char *date = NULL;
	int ret;

	date = publication_date(err);
	if (!date)
		return -KB_ERR_USAGE;
	ret = read_authors(authors, err);
	if (ret < 0)
		return ret;
	p.about = about;
	p.about.date = date;
	p.about.authors = authors;
	p.about.author_count = (size_t)author_names.count;
	ret = kb_publication_check_about(&p.about, err);
	if (ret == 0)
		ret = kb_publication_gather(&p, store,
					    (const char *const *)argv,
					    (size_t)argc, allow_missing, err);
	return ret < 0 ? ret : publish(&p, err);
}

static const struct kb_verb verbs[] = {
	{ .name = "suite", .operands = "DIR|FILE...",
	  .options = suite_options, .run = run_suite },
	{ .name = "submission", .operands = "DIR|FILE.json|FILE...",
	  .options = submission_options, .run = run_submission },
	{ .name = "report", .operands = "FILE",
	  .options = report_options, .run = run_report },
	{ .name = "archive", .operands = "BUNDLE",
	  .options = archive_options, .run = run_archive },
	{ .name = "unpack", .operands = "FILE.tar.gz",
	  .options = unpack_options, .run = run_unpack },
	{ .name = "export", .operands = "FORMAT BUNDLE...",
	  .options = export_options, .run = run_export },
	{ .name = "publish", .operands = "BUNDLE...",
	  .options = publish_options, .run = run_publish },
};

const struct kb_command kb_command = {
	.name = "kb-pack",
	.about = "Turn problems and candidates into bundles, and bundles into "
		 "archives and other tools' files.",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
};
