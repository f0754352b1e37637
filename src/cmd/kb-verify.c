/* kb-verify: is a bundle what it says it is? */

#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "audit/judge.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/remeasure.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/lines.h"
#include "manifest/score.h"
#include "score/judge.h"
#include "sign/ed25519.h"
#include "sign/signature.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_option_list key_files;
static struct kb_public_key keys[KB_OPTION_LIST_MAX];	/* from these */
static struct kb_remeasure_options remeasure = KB_REMEASURE_OPTIONS_INIT;

static const struct kb_option options[] = {
	{ .name = "public-key", .letter = 'k', .arg = "FILE",
	  .help = "want a signature by this key, in PEM; repeatable",
	  .type = KB_OPTION_LIST, .value = &key_files },
	{ .name = "store", .letter = 'o', .arg = "DIR",
	  .help = "where bundles and their parents are (archives)",
	  .type = KB_OPTION_STRING, .value = &store },
	KB_REMEASURE_OPTIONS(remeasure),
	KB_OPTION_END
};

/*
 * Each check prints one line, "<bundle>: <what>: <finding>", and returns
 * KB_EXIT_OK, KB_EXIT_NO, or a failure that is not an answer.
 */

/* Bad bytes are what we are asked about; a bad disk is not. */
static bool is_answer(int ret)
{
	return ret == -KB_ERR_INPUT || ret == -KB_ERR_CORRUPT ||
	       ret == -KB_ERR_MISSING;
}

static int say_no(const char *name, const char *what, int ret,
		  const struct kb_err *err)
{
	kb_auto(buf) struct kb_buf why = KB_BUF_INIT;

	if (!is_answer(ret))
		return ret;
	/* It quotes strangers, who must not add lines of their own. */
	kb_utf8_clean(&why, err->msg, strlen(err->msg));
	for (size_t i = 0; i < why.len; i++)
		if (why.data[i] == '\n' || why.data[i] == '\t')
			why.data[i] = '?';
	printf("%s: %s: no: %s\n", name, what, why.data);
	return KB_EXIT_NO;
}

static int check_integrity(struct kb_bundle *b, const char *name,
			   struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_store_open(b, store, name, err);

	/* Nothing there is no answer about something. */
	if (ret == -KB_ERR_MISSING)
		return ret;
	if (ret < 0)
		return say_no(name, "integrity", ret, err);

	kb_digest_format(&b->id, hex);
	printf("%s: integrity: ok, %s\n", name, hex);
	return KB_EXIT_OK;
}

static int check_record(enum kb_kind *kind, const struct kb_bundle *b,
			const char *name, struct kb_err *err)
{
	int ret = kb_record_check(kind, b, err);

	if (ret < 0)
		return say_no(name, "record", ret, err);
	printf("%s: record: ok, %s\n", name, kb_kind_name(*kind));
	return KB_EXIT_OK;
}

static int check_signature(const struct kb_bundle *b, int key,
			   const char *name, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_signature_check(b, &keys[key], err);

	if (ret < 0) {
		ret = kb_err_wrap(err, "key '%s'", key_files.items[key]);
		return say_no(name, "signature", ret, err);
	}
	kb_digest_format(&keys[key].id, hex);
	printf("%s: signature: ok, %s\n", name, hex);
	return KB_EXIT_OK;
}

static bool is_wanted(const struct kb_digest *key_id)
{
	for (int i = 0; i < key_files.count; i++)
		if (kb_digest_equal(&keys[i].id, key_id))
			return true;
	return false;
}

/* What is there by nobody that we were told of is only mentioned. */
static int mention_signatures(const struct kb_bundle *b, const char *name,
			      struct kb_err *err)
{
	kb_auto(signers) struct kb_signers s = KB_SIGNERS_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_signature_list(&s, b, err);

	for (size_t i = 0; ret == 0 && i < s.count; i++) {
		kb_digest_format(&s.key_ids[i], hex);
		if (!is_wanted(&s.key_ids[i]))
			printf("%s: signature: not checked, %s\n", name, hex);
	}
	return ret;
}

static int check_signatures(const struct kb_bundle *b, const char *name,
			    struct kb_err *err)
{
	int answer = KB_EXIT_OK, ret = 0;

	for (int i = 0; ret >= 0 && i < key_files.count; i++) {
		ret = check_signature(b, i, name, err);
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	if (ret >= 0)
		ret = mention_signatures(b, name, err);
	return ret < 0 ? ret : answer;
}

/* Opening it checks its integrity, too; a path that is called like the id
 * may hold something else. */
static int open_parent(struct kb_bundle *b, const struct kb_digest *id,
		       struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	kb_digest_format(id, hex);
	ret = kb_store_open(b, store, hex, err);
	if (ret < 0 || kb_digest_equal(&b->id, id))
		return ret;
	kb_bundle_release(b);
	return kb_err(err, KB_ERR_CORRUPT, "'%s' holds another bundle", hex);
}

static int check_parent(const struct kb_parent *parent, const char *name,
			struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE], what[64];
	enum kb_kind kind;
	int ret;

	kb_digest_format(&parent->id, hex);
	snprintf(what, sizeof(what), "parent %s", kb_kind_name(parent->kind));

	ret = open_parent(&b, &parent->id, err);
	if (ret == -KB_ERR_MISSING) {
		printf("%s: %s: absent, %s\n", name, what, hex);
		return KB_EXIT_OK;
	}
	if (ret == 0)
		ret = kb_record_kind(&kind, &b, err);
	if (ret == 0 && kind != parent->kind)
		ret = kb_err(err, KB_ERR_INPUT, "'%s' is of kind '%s'", hex,
			     kb_kind_name(kind));
	if (ret < 0)
		return say_no(name, what, ret, err);

	printf("%s: %s: present, %s\n", name, what, hex);
	return KB_EXIT_OK;
}

static int check_parents(const struct kb_bundle *b, const char *name,
			 struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_parent parents[KB_PARENTS_MAX];
	int answer = KB_EXIT_OK;
	enum kb_kind kind;
	size_t count;
	int ret;

	ret = kb_record_load(&record, b, err);
	if (ret < 0)
		return ret;
	ret = kb_record_head(record, &kind, parents, &count, KB_BUNDLE_RECORD,
			     err);
	for (size_t i = 0; ret >= 0 && i < count; i++) {
		ret = check_parent(&parents[i], name, err);
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	return ret < 0 ? ret : answer;
}

static int load_parents(struct kb_evaluation *e, struct kb_baseline *baseline,
			const struct kb_score *s, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle eb = KB_BUNDLE_INIT;
	kb_auto(bundle) struct kb_bundle bb = KB_BUNDLE_INIT;
	int ret;

	ret = open_parent(&eb, &s->evaluation, err);
	if (ret < 0)
		return ret;
	ret = open_parent(&bb, &s->baseline, err);
	if (ret < 0)
		return ret;
	ret = kb_evaluation_load(e, &eb, err);
	if (ret < 0)
		return ret;
	return kb_baseline_load(baseline, &bb, err);
}

/* Fails with KB_ERR_INPUT unless the member holds exactly `want`. */
static int compare_member(const struct kb_bundle *b, const char *member,
			  const struct kb_buf *want, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
	int ret = kb_bundle_read(&got, b, member, KB_LINES_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	if (got.len != want->len || memcmp(got.data, want->data, want->len))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not what its parents give", member);
	return 0;
}

static int compare_score(const struct kb_bundle *b, const struct kb_score *s,
			 struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = kb_score_to_json(s);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_json_print(&text, record);
	ret = compare_member(b, KB_BUNDLE_RECORD, &text, err);
	if (ret < 0)
		return ret;

	kb_buf_clear(&text);
	for (size_t i = 0; i < s->line_count; i++)
		kb_lines_add(&text, kb_score_line_to_json(&s->lines[i]));
	return compare_member(b, KB_SCORES_MEMBER, &text, err);
}

static int judge_again(const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(score) struct kb_score claimed = KB_SCORE_INIT;
	kb_auto(score) struct kb_score again = KB_SCORE_INIT;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	struct kb_judge_input in = { .evaluation = &e, .baseline = &baseline };
	int ret;

	ret = kb_score_load(&claimed, b, err);
	if (ret < 0)
		return ret;
	ret = load_parents(&e, &baseline, &claimed, err);
	if (ret < 0)
		return ret;
	in.evaluation_id = claimed.evaluation;
	in.baseline_id = claimed.baseline;
	ret = kb_judge_again(&again, &claimed, &in, err);
	if (ret < 0)
		return ret;
	return compare_score(b, &again, err);
}

static int check_score(const struct kb_bundle *b, const char *name,
		       struct kb_err *err)
{
	int ret = judge_again(b, err);

	if (ret < 0)
		return say_no(name, "score", ret, err);
	printf("%s: score: identical when judged again\n", name);
	return KB_EXIT_OK;
}

static int check_audit(const struct kb_bundle *b, const char *name,
		       struct kb_err *err)
{
	kb_auto(audit) struct kb_audit a = KB_AUDIT_INIT;
	int ret = kb_audit_load(&a, b, err);

	if (ret >= 0)
		ret = kb_audit_judge_again(&a, err);
	if (ret < 0)
		return say_no(name, "audit", ret, err);
	printf("%s: audit: identical when judged again\n", name);
	return KB_EXIT_OK;
}

/* Later checks make sense only of what has passed the earlier ones. */
static int verify(const char *name, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	enum kb_kind kind;
	int ret;

	ret = check_integrity(&b, name, err);
	if (ret != KB_EXIT_OK)
		return ret;
	ret = check_record(&kind, &b, name, err);
	if (ret != KB_EXIT_OK)
		return ret;
	ret = check_signatures(&b, name, err);
	if (ret != KB_EXIT_OK)
		return ret;
	ret = check_parents(&b, name, err);
	if (ret != KB_EXIT_OK)
		return ret;
	if (kind == KB_KIND_AUDIT)
		ret = check_audit(&b, name, err);
	else if (kind == KB_KIND_SCORE)
		ret = check_score(&b, name, err);
	if (ret != KB_EXIT_OK || !remeasure.wanted)
		return ret;
	return kb_remeasure_answer(name, &b, kind, store, &remeasure, err);
}

static int read_keys(struct kb_err *err)
{
	int ret = 0;

	for (int i = 0; ret == 0 && i < key_files.count; i++)
		ret = kb_public_key_read(&keys[i], key_files.items[i], err);
	return ret;
}

/* A store holds signatures among its bundles; they are looked at with the
 * bundles that they are of. Returns how many operands are left. */
static int drop_signatures(int argc, char *argv[])
{
	int left = 0;

	for (int i = 0; i < argc; i++)
		if (!kb_signature_is_named(argv[i]))
			argv[left++] = argv[i];
	return left;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	int answer = KB_EXIT_OK, ret;

	argc = drop_signatures(argc, argv);
	if (argc == 0)
		return kb_err(err, KB_ERR_USAGE, "no bundle given");
	ret = kb_remeasure_check_options(&remeasure, err);
	if (ret == 0)
		ret = read_keys(err);
	if (ret < 0)
		return ret;

	for (int i = 0; i < argc; i++) {
		ret = verify(argv[i], err);
		if (ret < 0)
			return ret;
		if (ret == KB_EXIT_NO)
			answer = KB_EXIT_NO;
	}
	return answer;
}

static const struct kb_verb verbs[] = { { NULL, "BUNDLE...", options, run } };

const struct kb_command kb_command = {
	.name = "kb-verify",
	.about = "Check bundles: their bytes, records, signatures and parents; "
		 "judge scores\nand audits again.",
	.verbs = verbs,
	.verb_count = 1,
};
