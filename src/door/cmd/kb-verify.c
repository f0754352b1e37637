/* kb-verify: is a bundle what it says it is? */

#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/shown_id.h"
#include "cli/terminal.h"
#include "import/report_in.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/record.h"
#include "publish/check.h"
#include "runs/remeasure.h"
#include "sign/signature.h"
#include "store/publication_file.h"
#include "store/store.h"
#include "tables/claims_table.h"
#include "tables/remeasure_table.h"
#include "tables/score_table.h"
#include "tables/table.h"
#include "verify/ancestors.h"
#include "verify/checks.h"
#include "verify/claimed_runs.h"
#include "verify/layers.h"
#include "verify/line_checks.h"
#include "verify/lineage.h"
#include "verify/plausible.h"
#include "verify/remeasured.h"
#include "verify/signatures.h"

static const char *store = KB_STORE_DEFAULT;
static bool all, json, table, verbose;
static struct kb_signature_keys keys;
static struct kb_remeasure_options remeasure = KB_REMEASURE_OPTIONS_INIT;
static struct kb_claimed_runs claimed = KB_CLAIMED_RUNS_INIT;

static const struct kb_option options[] = {
	{ .group = KB_OPTION_OUTPUT, .name = "json", .letter = 'j',
	  .help = "one line of JSON for each bundle",
	  .type = KB_OPTION_FLAG, .value = &json },
	{ .group = KB_OPTION_OUTPUT, .name = "table", .letter = 't',
	  .help = "print the numbers of scores and reports, too",
	  .type = KB_OPTION_FLAG, .value = &table },
	{ .group = KB_OPTION_OUTPUT, .name = "verbose", .letter = 'v',
	  .help = "print every check, not only failures",
	  .type = KB_OPTION_FLAG, .value = &verbose },
	{ .name = "all", .letter = 'a',
	  .help = "every bundle in the store",
	  .type = KB_OPTION_FLAG, .value = &all },
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles and their parents are",
	  .type = KB_OPTION_STORES, .value = &store },
	KB_PUBLIC_KEY_OPTION(keys),
	KB_REMEASURE_OPTIONS(remeasure),
	KB_OPTION_END
};

/* One bundle, as far as it can be read: a layer is about what the one before
 * it has left here. */
struct subject {
	const char *name;		/* as given */
	bool is_publication;		/* and no bundle */
	const char *path;		/* what is opened */
	struct kb_bundle bundle;
	struct kb_lineage lineage;
	struct kb_checks checks;
	struct kb_remeasurement remeasured;	/* if that comes to pass */
};

#define SUBJECT_INIT { .bundle = KB_BUNDLE_INIT,			\
		       .lineage = KB_LINEAGE_INIT,			\
		       .checks = KB_CHECKS_INIT,			\
		       .remeasured = KB_REMEASUREMENT_INIT }

static void kb_cleanup_subject(struct subject *s)
{
	kb_remeasurement_release(&s->remeasured);
	kb_lineage_release(&s->lineage);
	kb_bundle_release(&s->bundle);
	kb_checks_release(&s->checks);
}

static bool is_open(const struct subject *s)
{
	return s->bundle.path != NULL;
}

static bool is_read(const struct subject *s)
{
	return s->lineage.kind != KB_KIND_COUNT;
}

/* NULL if nobody can tell. */
static const char *kind_of(const struct subject *s)
{
	if (s->is_publication)
		return "publication";
	return is_read(s) ? kb_kind_name(s->lineage.kind) : NULL;
}

/* A failure that is an answer becomes one; others are handed back. */
static int say_no(struct kb_checks *c, enum kb_layer layer, const char *what,
		  int ret, const struct kb_err *err)
{
	if (!kb_is_answer(ret))
		return ret;
	kb_checks_add(c, layer, what, KB_ANSWER_NO, "%s", err->msg);
	return 0;
}

/* --- bytes ------------------------------------------------------------ */

static int check_bytes(struct subject *s, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_store_open(&s->bundle, store, s->path, err);

	/* Nothing there is no answer about something. */
	if (ret == -KB_ERR_MISSING)
		return ret;
	if (ret < 0)
		return say_no(&s->checks, KB_LAYER_BYTES, "bag", ret, err);
	kb_digest_format(&s->bundle.id, hex);
	kb_checks_add(&s->checks, KB_LAYER_BYTES, "bag", KB_ANSWER_OK, "%s",
		      hex);

	ret = kb_lineage_load(&s->lineage, &s->bundle, err);
	if (ret < 0)
		return say_no(&s->checks, KB_LAYER_BYTES, "record", ret, err);
	kb_checks_add(&s->checks, KB_LAYER_BYTES, "record", KB_ANSWER_OK,
		      "%s", kb_kind_name(s->lineage.kind));
	return 0;
}

/* --- what the record says --------------------------------------------- */

static int check_record(struct subject *s, struct kb_err *err)
{
	struct kb_lineage *l = &s->lineage;
	int ret = kb_layers_check_record(&s->checks, l, &s->bundle, store, err);

	if (ret == 0 && l->kind == KB_KIND_REPORT)
		ret = kb_report_add_check(&s->checks, &s->bundle, err);
	if (ret == 0)
		ret = kb_ancestors_check(&s->checks, l, store, err);
	if (ret < 0)
		return ret;
	kb_plausible_check(&s->checks, l);
	return 0;
}

/* A record that cannot be read says nothing. */
static void pass_over(struct subject *s, enum kb_layer layer)
{
	kb_checks_add(&s->checks, layer, kb_layer_name(layer),
		      KB_ANSWER_NOT_CHECKED, "the bytes are not in order");
}

static void pass_over_rest(struct subject *s)
{
	for (int i = KB_LAYER_CHAIN; i < KB_LAYER_COUNT; i++)
		pass_over(s, (enum kb_layer)i);
}

/* A score has the runs of its evaluation. */
static void check_claimed(struct subject *s)
{
	const struct kb_lineage *l = &s->lineage;

	if (l->lines)
		kb_claimed_runs_check(&s->checks, &claimed,
				      &l->lines->plausible.trials,
				      l->score ? &l->score->evaluation :
						 &s->bundle.id);
}

/* --- one bundle ------------------------------------------------------- */

/* A layer rests on those before it. Of bytes that are not in order nothing else
 * is asked, and the answer says that it was not. */
static int check_layers(struct subject *s, struct kb_err *err)
{
	int ret = check_bytes(s, err);

	if (ret < 0)
		return ret;
	if (!is_read(s)) {
		pass_over_rest(s);
		return 0;
	}
	ret = check_record(s, err);
	if (ret == 0)
		check_claimed(s);
	return ret < 0 ? ret : kb_signatures_check(&s->checks, &s->bundle,
						   &keys, err);
}

/* Do not measure a record that contradicts itself. */
static bool is_remeasured(const struct subject *s)
{
	return remeasure.wanted &&
	       kb_checks_answer(&s->checks) != KB_ANSWER_NO;
}

static int remeasure_subject(struct subject *s, struct kb_err *err)
{
	int ret;

	/* Workers are forked, and what was found so far is worth reading while
	 * they run. */
	fflush(stdout);
	ret = kb_remeasure(&s->remeasured, &s->bundle, s->lineage.kind, store,
			   &remeasure, err);
	return ret < 0 ? kb_err_wrap(err, "remeasuring '%s'", s->name) : 0;
}

/* The worst of the layers and, if there was one, of the remeasurement. */
static enum kb_answer answer_of(const struct subject *s)
{
	const enum kb_answer layers = kb_checks_answer(&s->checks);
	enum kb_answer again;

	if (!is_remeasured(s))
		return layers;
	again = kb_remeasurement_answer(&s->remeasured);
	return again > layers ? again : layers;
}

static struct kb_json *to_json(const struct subject *s, const char *name)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_json *v = kb_json_object();

	kb_digest_format(&s->bundle.id, hex);
	kb_json_set_string(v, "bundle", name);
	kb_json_set_string(v, "id", is_open(s) ? hex : NULL);
	kb_json_set_string(v, "kind", kind_of(s));
	kb_json_set_string(v, "verdict", s->remeasured.is_interrupted ? NULL :
			   kb_answer_verdict(answer_of(s)));
	kb_json_set(v, "layers", kb_checks_to_json(&s->checks));
	if (remeasure.wanted)
		kb_json_set(v, "remeasured", is_remeasured(s) ?
			    kb_remeasurement_to_json(&s->remeasured) :
			    kb_json_null());
	return v;
}

static void put_text(const struct kb_buf *text)
{
	kb_stdout_print(text->data);
}

/* Is it named by its id, or the beginning of that? Wherever it lies. */
static bool is_named_by_id(const struct subject *s, const char *hex)
{
	kb_auto(mem) char *name = kb_xstrdup(s->name);
	size_t len = strlen(name);
	const char *last;

	while (len && name[len - 1] == '/')
		name[--len] = '\0';
	if (len > 7 && !strcmp(name + len - 7, ".tar.gz"))
		name[len -= 7] = '\0';
	last = strrchr(name, '/');
	last = last ? last + 1 : name;
	return *last && !strncmp(hex, last, strlen(last));
}

/* The bundle that is verified: "score f6f79440264c", and its name if that tells
 * more. */
static void print_subject(struct kb_buf *out, const struct subject *s)
{
	char hex[KB_DIGEST_HEX_SIZE], shown[KB_DIGEST_HEX_SIZE];

	if (!is_open(s)) {
		if (s->is_publication)
			kb_buf_addstr(out, "publication ");
		kb_utf8_clean(out, s->name, strlen(s->name));
		return;
	}
	kb_digest_format(&s->bundle.id, hex);
	kb_shown_id(shown, &s->bundle.id);
	kb_buf_addf(out, "%s %s", kind_of(s) ? kind_of(s) : "bundle", shown);
	if (is_named_by_id(s, hex))
		return;
	kb_buf_addch(out, ' ');
	kb_utf8_clean(out, s->name, strlen(s->name));
}

static void print_layers(const struct subject *s)
{
	const bool is_no = kb_checks_answer(&s->checks) == KB_ANSWER_NO;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_tint_print(&out, is_no ? "no" : "ok",
		      is_no ? KB_TINT_BAD : KB_TINT_GOOD, kb_stdout_look());
	kb_buf_addstr(&out, "  ");
	print_subject(&out, s);
	kb_buf_addstr(&out, "  ");
	kb_checks_print_summary(&out, &s->checks);
	kb_buf_addch(&out, '\n');
	if (verbose)
		kb_checks_print(&out, s->name, &s->checks);
	else
		kb_checks_print_no(&out, s->name, &s->checks);
	put_text(&out);
}

/* Print the table as the program that made the bundle did. */
static void print_table(const struct subject *s)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_buf_addch(&out, '\n');
	if (s->lineage.kind == KB_KIND_SCORE)
		kb_score_table_print(&out, s->lineage.score, kb_stdout_look());
	else if (s->lineage.kind == KB_KIND_REPORT)
		kb_claims_table_print(&out, s->lineage.report, kb_stdout_look());
	else
		return;
	kb_buf_addch(&out, '\n');
	put_text(&out);
}

static void print_measured(const struct subject *s)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &s->remeasured, kb_stdout_look());
	put_text(&out);
}

static void print_remeasured(const struct subject *s)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	print_measured(s);
	kb_buf_addf(&out, "%s: remeasure: ", s->name);
	kb_remeasure_summary_print(&out, &s->remeasured);
	kb_buf_addch(&out, '\n');
	put_text(&out);
}

static void print_json(const struct subject *s)
{
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, name = KB_BUF_INIT;

	/* A name may be any bytes, and JSON is UTF-8. */
	kb_utf8_clean(&name, s->name, strlen(s->name));
	v = to_json(s, name.data);
	kb_json_print(&out, v);
	kb_buf_addch(&out, '\n');
	fputs(out.data, stdout);
}

/* Print the measurements before an interruption, without an answer. */
static void print_interrupted(const struct subject *s)
{
	if (json)
		print_json(s);
	else
		print_measured(s);
}

/* A measurement that the machine did not confirm, though it was asked to, is no
 * yes. A layer that was not checked is no no. */
static int exit_status(const struct subject *s)
{
	if (is_remeasured(s))
		return kb_remeasurement_answer(&s->remeasured) == KB_ANSWER_OK ?
			KB_EXIT_OK : KB_EXIT_NO;
	return kb_checks_answer(&s->checks) == KB_ANSWER_NO ? KB_EXIT_NO
							    : KB_EXIT_OK;
}

static int verify_bundle(const char *name, const char *path, struct kb_err *err)
{
	kb_auto(subject) struct subject s = SUBJECT_INIT;
	int ret;

	s.name = name;
	s.path = path;
	ret = check_layers(&s, err);
	if (ret < 0)
		return ret;
	if (!json)
		print_layers(&s);
	if (table && kb_checks_answer(&s.checks) != KB_ANSWER_NO)
		print_table(&s);
	if (is_remeasured(&s)) {
		ret = remeasure_subject(&s, err);
		if (ret == -KB_ERR_INTERRUPTED && s.remeasured.count)
			print_interrupted(&s);
		if (ret < 0)
			return ret;
		if (!json)
			print_remeasured(&s);
	}
	if (json)
		print_json(&s);
	return exit_status(&s);
}

/* A directory is not passed over, whatever it is called. */
static bool is_signature(const char *path)
{
	struct stat st;

	return kb_signature_is_named(path) &&
	       !(stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* A store holds signatures among its bundles; they are looked at with the
 * bundles that they are of. Returns how many operands are left. */
static int drop_signatures(int argc, char *argv[])
{
	int left = 0;

	for (int i = 0; i < argc; i++)
		if (!is_signature(argv[i]))
			argv[left++] = argv[i];
	return left;
}

static int say_unreadable(const char *file, int ret, struct kb_err *err)
{
	kb_auto(subject) struct subject s = SUBJECT_INIT;

	s.name = file;
	ret = say_no(&s.checks, KB_LAYER_BYTES, "archive", ret, err);
	if (ret < 0)
		return ret;
	pass_over_rest(&s);
	if (json)
		print_json(&s);
	else
		print_layers(&s);
	return KB_EXIT_NO;
}

/* The files about the bundles; other layers are the bundles' own. */
static int check_folder(const char *name, const struct kb_unpacked *u,
			struct kb_err *err)
{
	kb_auto(subject) struct subject s = SUBJECT_INIT;
	int ret;

	s.name = name;
	s.is_publication = true;
	ret = kb_publish_check(&s.checks, u->store, err);
	if (ret < 0)
		return ret;
	if (json)
		print_json(&s);
	else
		print_layers(&s);
	return exit_status(&s);
}

/* Keys are of the last bundle, after which a publication is called. */
static int check_members(const char *name, const struct kb_unpacked *u,
			 struct kb_err *err)
{
	const char *usual = store;
	const int key_count = keys.files.count;
	int answer = KB_EXIT_OK, ret = 0;

	store = u->store;
	for (size_t i = 0; ret >= 0 && i < u->count; i++) {
		char hex[KB_DIGEST_HEX_SIZE];
		kb_auto(mem) char *path = NULL;
		kb_auto(mem) char *member = NULL;

		kb_digest_format(&u->ids[i], hex);
		path = kb_xasprintf("%s/%s", u->store, hex);
		member = kb_xasprintf("%s/%s", name, hex);
		keys.files.count = i + 1 < u->count ? 0 : key_count;
		ret = verify_bundle(member, path, err);
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	keys.files.count = key_count;
	store = usual;
	return ret < 0 ? ret : answer;
}

/* All bundles of a publication, in the store that it is, and the files about
 * them. */
static int verify_publication(const char *name, struct kb_err *err)
{
	kb_auto(unpacked) struct kb_unpacked u = KB_UNPACKED_INIT;
	int members, ret = kb_publication_file_is(name) ?
				   kb_unpacked_open(&u, name, err) :
				   kb_unpacked_open_folder(&u, name, err);

	if (ret == 0 && u.count)
		ret = kb_store_check_name(name, &u.ids[u.count - 1], err);
	if (ret < 0)
		return say_unreadable(name, ret, err);
	members = check_members(name, &u, err);
	if (members < 0)
		return members;
	ret = check_folder(name, &u, err);
	return ret == KB_EXIT_OK ? members : ret;
}

static int verify_store(struct kb_err *err)
{
	kb_auto(mem) struct kb_digest *ids = NULL;
	int answer = KB_EXIT_OK;
	size_t count;
	int ret = kb_store_list(&ids, &count, store, err);

	if (ret == 0 && !count)
		return kb_err(err, KB_ERR_MISSING, "store '%s' has no bundles",
			      store);
	for (size_t i = 0; ret >= 0 && i < count; i++) {
		char hex[KB_DIGEST_HEX_SIZE];
		kb_auto(mem) char *path = NULL;

		kb_digest_format(&ids[i], hex);
		path = kb_xasprintf("%s/%s", store, hex);
		ret = verify_bundle(path, path, err);
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	return ret < 0 ? ret : answer;
}

static bool wants_all(void)
{
	return all;
}

static int verify_operands(int argc, char *argv[], struct kb_err *err)
{
	int answer = KB_EXIT_OK;

	for (int i = 0; i < argc; i++) {
		int ret = kb_publication_file_is(argv[i]) ||
			  kb_publish_is_folder(argv[i]) ?
			verify_publication(argv[i], err) :
			verify_bundle(argv[i], argv[i], err);

		if (ret < 0)
			return ret;
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	return answer;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	int ret;

	if (all && argc)
		return kb_err(err, KB_ERR_USAGE,
			      "--all and '%s' exclude each other", argv[0]);
	argc = drop_signatures(argc, argv);
	if (argc == 0 && !all)
		return kb_err(err, KB_ERR_USAGE,
			      "no BUNDLE given but signatures");
	if (json && (table || verbose))
		return kb_err(err, KB_ERR_USAGE,
			      "--json and --%s exclude each other",
			      table ? "table" : "verbose");
	/* All that is wrong with the command line is said before the first
	 * bundle is read, which may take minutes. */
	ret = kb_remeasure_check_options(&remeasure, err);
	if (ret == 0)
		ret = kb_signature_keys_read(&keys, err);
	if (ret < 0)
		return ret;

	ret = all ? verify_store(err) : verify_operands(argc, argv, err);
	kb_claimed_runs_release(&claimed);
	return ret;
}

static const struct kb_verb verbs[] = {
	{ .operands = "BUNDLE...", .options = options,
	  .without_operands = wants_all, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-verify",
	.about = "Check bundles in layers (bytes, chain, arithmetic, plausibility, "
		 "signature), and\ntime candidates again.",
	.example = "kb-verify @last",
	.verbs = verbs,
	.verb_count = 1,
	.no = "done, and a check failed or nothing was confirmed",
	.interrupted = "interrupted, and the new measurements are not kept",
};
