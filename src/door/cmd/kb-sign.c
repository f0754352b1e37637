/* kb-sign: put one's name to a bundle. */

#include "cmd/cmd.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/provenance.h"
#include "manifest/tool.h"
#include "sign/ed25519.h"
#include "sign/signature.h"
#include "sign/statement.h"
#include "store/store.h"

static const char *time_text;
static const char *store = KB_STORE_DEFAULT;

static const struct kb_option options[] = {
	{ .name = "time", .arg = "TIME",
	  .help = "state this time of signing: " KB_TIME_EXAMPLE,
	  .type = KB_OPTION_STRING, .value = &time_text },
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles are",
	  .type = KB_OPTION_STRING, .value = &store },
	KB_OPTION_END
};

/* A name is put to what has been looked at in full, and to nothing less. */
static int open_checked(struct kb_bundle *b, const char *name,
			struct kb_err *err)
{
	enum kb_kind kind;
	int ret = kb_store_open(b, store, name, err);

	if (ret < 0)
		return ret;
	ret = kb_record_check(&kind, b, err);
	return ret < 0 ? kb_err_wrap(err, "bundle '%s'", name) : 0;
}

static int sign_bundle(const char *name, const struct kb_secret_key *key,
		       struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
	kb_auto(mem) char *path = NULL;
	int ret;

	ret = open_checked(&b, name, err);
	if (ret < 0)
		return ret;
	ret = kb_statement_of(&s, &b, err);
	if (ret < 0)
		return ret;
	s.tool = kb_tool_json(kb_command.name);
	s.time = kb_xstrdup(time_text);
	ret = kb_signature_write(&path, &b, &s, key, err);
	if (ret < 0)
		return ret;
	printf("%s\n", path);
	return KB_EXIT_OK;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(secret_key) struct kb_secret_key key = KB_SECRET_KEY_INIT;
	int ret;

	(void)argc;
	if (time_text && !kb_time_valid(time_text))
		return kb_err(err, KB_ERR_USAGE,
			      "--time: '%s' is not of the form %s", time_text,
			      KB_TIME_EXAMPLE);
	if (time_text && !kb_day_exists(time_text))
		return kb_err(err, KB_ERR_USAGE, "--time: there is no such day: "
			      "'%s'", time_text);
	ret = kb_secret_key_read(&key, argv[0], err);
	if (ret < 0)
		return ret;
	return sign_bundle(argv[1], &key, err);
}

static const struct kb_verb verbs[] = {
	{ .operands = "KEY BUNDLE", .options = options, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-sign",
	.about = "Sign a bundle with an Ed25519 key, and write the signature next "
		 "to it.",
	.example = "kb-sign alice.pem @last:score",
	.verbs = verbs,
	.verb_count = 1,
};
