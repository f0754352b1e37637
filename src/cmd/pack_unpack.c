/* kb-pack unpack: an archive into the store. */

#include "cmd/pack_verbs.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "manifest/record.h"
#include "store/bundle.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_made_options made;

const struct kb_option kb_pack_unpack_options[] = {
	KB_PACK_STORE,
	KB_MADE_OPTIONS(made),
	KB_OPTION_END,
};

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

int kb_pack_unpack(int argc, char *argv[], struct kb_err *err)
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
	return ret < 0 ? ret : kb_made_print(&made, store, kind, &id, err);
}
