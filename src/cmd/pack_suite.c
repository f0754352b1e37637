/* kb-pack suite: problems into a suite, or a suite into one at other sizes. */

#include "cmd/pack_verbs.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "cmd/passed_over.h"
#include "import/derive.h"
#include "import/pack.h"
#include "import/sources.h"
#include "manifest/record.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_suite_labels labels;
static struct kb_made_options made;
static const char *sizes_file;

const struct kb_option kb_pack_suite_options[] = {
	KB_PACK_STORE,
	KB_PACK_TEXT("name", "NAME",
		     "what the suite is called, in its record and in the store",
		     labels.name),
	KB_PORCELAIN_OPTION(made),
	KB_PACK_TEXT("sizes", "FILE",
		     "derive it from one suite, with the sizes in FILE",
		     sizes_file),
	KB_PACK_TEXT("suite-version", "VERSION", "the suite's own version",
		     labels.version),
	KB_PACK_TEXT("upstream-commit", "HEX", "commit that the files are from",
		     labels.upstream_commit),
	KB_OPTION_END,
};

/* What a derived suite has of its parent cannot be said anew. */
static int derive(int argc, char *argv[], struct kb_digest *id,
		  struct kb_err *err)
{
	const struct kb_derive d = {
		.suite = argv[0], .sizes_file = sizes_file,
		.name = labels.name, .store = store,
	};

	if (argc != 1)
		return kb_err(err, KB_ERR_USAGE, "--sizes wants one suite");
	if (labels.version || labels.upstream_commit)
		return kb_err(err, KB_ERR_USAGE,
			      "--sizes and --%s exclude each other",
			      labels.version ? "suite-version"
					     : "upstream-commit");
	return kb_suite_derive(&d, id, err);
}

int kb_pack_suite(int argc, char *argv[], struct kb_err *err)
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
		ret = sizes_file ? derive(argc, argv, &id, err)
				 : kb_suite_pack(&pack, &labels, &id, err);
	if (ret < 0)
		return ret;
	kb_print_passed_over(&over);
	return kb_made_print(&made, store, KB_KIND_SUITE, &id, err);
}
