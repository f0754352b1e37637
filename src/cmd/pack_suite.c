/* kb-pack suite: problems into a suite. */

#include "cmd/pack_verbs.h"

#include "base/cleanup.h"
#include "cli/made.h"
#include "cmd/passed_over.h"
#include "import/pack.h"
#include "import/sources.h"
#include "manifest/record.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_suite_labels labels;
static struct kb_made_options made;

const struct kb_option kb_pack_suite_options[] = {
	KB_PACK_STORE,
	KB_PACK_TEXT("name", "NAME",
		     "what the suite is called, in its record and in the store",
		     labels.name),
	KB_PORCELAIN_OPTION(made),
	KB_PACK_TEXT("suite-version", "VERSION", "the suite's own version",
		     labels.version),
	KB_PACK_TEXT("upstream-commit", "HEX", "commit that the files are from",
		     labels.upstream_commit),
	KB_OPTION_END,
};

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
		ret = kb_suite_pack(&pack, &labels, &id, err);
	if (ret < 0)
		return ret;
	kb_print_passed_over(&over);
	return kb_made_print(&made, store, KB_KIND_SUITE, &id, err);
}
