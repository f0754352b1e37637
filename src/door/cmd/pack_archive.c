/* kb-pack archive: a bundle into an archive. */

#include "cmd/pack_verbs.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/output.h"
#include "cmd/cmd.h"
#include "store/archive.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT, *archive_file;

const struct kb_option kb_pack_archive_options[] = {
	{ .name = "output", .letter = 'o', .arg = "FILE",
	  .help = "archive to write",
	  .type = KB_OPTION_STRING, .value = &archive_file,
	  .otherwise = "ID.tar.gz" },
	KB_PACK_STORES,
	KB_OPTION_END,
};

int kb_pack_archive(int argc, char *argv[], struct kb_err *err)
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
	if (!kb_output_is_stdout(archive_file))
		printf("%s\n", archive_file);
	return KB_EXIT_OK;
}
