/* kb-pack suite: problems into a suite, or a suite into one at other sizes or of
 * gradients. */

#include "cmd/pack_verbs.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "cmd/passed_over.h"
#include "import/derive.h"
#include "import/pack.h"
#include "import/sources.h"
#include "manifest/backward.h"
#include "manifest/record.h"
#include "manifest/suite.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_suite_labels labels;
static struct kb_made_options made;
static const char *sizes_file, *left_out_file;
static bool is_backward;

const struct kb_option kb_pack_suite_options[] = {
	KB_PACK_STORE,
	KB_PACK_TEXT("name", "NAME",
		     "name of the suite in its record and in the store",
		     labels.name),
	KB_PORCELAIN_OPTION(made),
	KB_PACK_TEXT("sizes", "FILE",
		     "derive a suite with the sizes in FILE",
		     sizes_file),
	{ .name = "backward", .type = KB_OPTION_FLAG, .value = &is_backward,
	  .help = "derive a suite of gradients" },
	KB_PACK_TEXT("leave-out", "FILE",
		     "with --backward, leave out the problems in FILE",
		     left_out_file),
	KB_PACK_TEXT("suite-version", "VERSION", "the suite's own version",
		     labels.version),
	KB_PACK_TEXT("upstream-commit", "HEX", "commit that the files are from",
		     labels.upstream_commit),
	{ .name = "world", .arg = "N",
	  .help = "each problem is of N ranks, processes that call each other",
	  .type = KB_OPTION_INT, .value = &labels.world,
	  .min = 2, .max = KB_WORLD_MAX },
	KB_OPTION_END,
};

/* Refuse options for facts that a derived suite takes from its parent. */
static int check_derived(int argc, struct kb_err *err)
{
	const char *option = sizes_file ? "sizes" : "backward";

	if (left_out_file && !is_backward)
		return kb_err(err, KB_ERR_USAGE,
			      "--leave-out needs --backward");
	if (argc != 1)
		return kb_err(err, KB_ERR_USAGE, "--%s needs one suite",
			      option);
	if (labels.version || labels.upstream_commit || labels.world)
		return kb_err(err, KB_ERR_USAGE,
			      "--%s and --%s exclude each other", option,
			      labels.version ? "suite-version" :
			      labels.world ? "world" : "upstream-commit");
	return 0;
}

static void print_left_out(const struct kb_backward *b)
{
	for (size_t i = 0; i < b->count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, b->left_out[i].key);
		fprintf(stderr, "%s is left out: %s\n", key,
			b->left_out[i].reason);
	}
}

static int derive_suite(int argc, char *argv[], struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(backward) struct kb_backward left_out = KB_BACKWARD_INIT;
	const struct kb_derive d = {
		.suite = argv[0], .sizes_file = sizes_file,
		.is_backward = is_backward, .left_out_file = left_out_file,
		.name = labels.name, .store = store,
	};
	int ret = check_derived(argc, err);

	if (ret == 0)
		ret = kb_suite_derive(&d, id, &left_out, err);
	if (ret == 0)
		print_left_out(&left_out);
	return ret;
}

int kb_pack_suite(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(passed_over) struct kb_passed_over over = KB_PASSED_OVER_INIT;
	const bool is_derived = sizes_file || is_backward || left_out_file;
	const struct kb_pack pack = {
		.paths = (const char *const *)argv, .count = (size_t)argc,
		.store = store, .passed_over = &over,
	};
	struct kb_digest id;
	int ret;

	made.name = labels.name;
	ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = is_derived ? derive_suite(argc, argv, &id, err)
				 : kb_suite_pack(&pack, &labels, &id, err);
	if (ret < 0)
		return ret;
	kb_print_passed_over("kb-pack", &over);
	return kb_made_print(&made, store, KB_KIND_SUITE, &id, err);
}
