/* kb-pack unpack: an archive or a publication into the store. */

#include "cmd/pack_verbs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/output.h"
#include "cli/made.h"
#include "manifest/record.h"
#include "sign/envelope.h"
#include "sign/signature.h"
#include "store/bundle.h"
#include "store/publication_file.h"
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

static int open_checked(struct kb_bundle *b, enum kb_kind *kind,
			const char *path, struct kb_err *err)
{
	int ret = kb_bundle_open(b, path, err);

	if (ret < 0)
		return ret;
	ret = kb_record_check(kind, b, err);
	return ret < 0 ? kb_err_wrap(err, "'%s'", path) : 0;
}

/* The bundle at `path` into the store; `kind` and `id` receive what it is. */
static int unpack_bundle(const char *path, enum kb_kind *kind, struct kb_digest *id,
			 struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = open_checked(&b, kind, path, err);

	if (ret < 0)
		return ret;
	ret = kb_bundle_writer_new(&w, store, err);
	if (ret == 0)
		ret = copy_members(w, &b, err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}

/* One that is there already stays: nobody has checked the publication's. */
static int copy_signature(const struct kb_unpacked *u, const char *name,
			  struct kb_err *err)
{
	kb_auto(mem) char *from = kb_xasprintf("%s/%s", u->store, name);
	kb_auto(mem) char *to = kb_xasprintf("%s/%s", store, name);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (access(to, F_OK) == 0)
		return 0;
	ret = kb_file_read(&text, AT_FDCWD, from, KB_ENVELOPE_BYTES_MAX, err);
	return ret < 0 ? ret : kb_output_write(to, text.data, text.len, err);
}

/* They lie beside the bundles. */
static int copy_signatures(const struct kb_unpacked *u, struct kb_err *err)
{
	kb_auto(dir) DIR *d = opendir(u->store);
	const struct dirent *e;
	int ret = d ? 0 : kb_err_sys(err, "cannot read '%s'", u->store);

	while (ret == 0 && (errno = 0, e = readdir(d)))
		if (kb_signature_is_named(e->d_name))
			ret = copy_signature(u, e->d_name, err);
	if (ret == 0 && errno)
		return kb_err_sys(err, "cannot read '%s'", u->store);
	return ret;
}

static char *path_of(const struct kb_unpacked *u, size_t i)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&u->ids[i], hex);
	return kb_xasprintf("%s/%s", u->store, hex);
}

/* Before the store gets any of them. */
static int check_bundles(const struct kb_unpacked *u, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < u->count; i++) {
		kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
		kb_auto(mem) char *path = path_of(u, i);
		enum kb_kind kind;

		ret = open_checked(&b, &kind, path, err);
	}
	return ret;
}

static int unpack_publication(const char *file, struct kb_err *err)
{
	kb_auto(unpacked) struct kb_unpacked u = KB_UNPACKED_INIT;
	struct kb_digest id;
	enum kb_kind kind;
	int ret = kb_unpacked_open(&u, file, err);

	if (ret < 0)
		return ret;
	ret = check_bundles(&u, err);
	if (ret < 0)
		return kb_err_wrap(err, "publication '%s'", file);
	for (size_t i = 0; ret == 0 && i < u.count; i++) {
		kb_auto(mem) char *path = path_of(&u, i);

		ret = unpack_bundle(path, &kind, &id, err);
		if (ret == 0 && i + 1 < u.count)
			kb_made_print_part(&made, store, kind, &id);
	}
	if (ret == 0)
		ret = copy_signatures(&u, err);
	return ret < 0 ? ret : kb_made_print(&made, store, kind, &id, err);
}

int kb_pack_unpack(int argc, char *argv[], struct kb_err *err)
{
	struct kb_digest id;
	enum kb_kind kind;
	int ret = kb_made_check(&made, err);

	(void)argc;
	if (ret < 0)
		return ret;
	if (kb_publication_file_is(argv[0]))
		return unpack_publication(argv[0], err);
	ret = unpack_bundle(argv[0], &kind, &id, err);
	return ret < 0 ? ret : kb_made_print(&made, store, kind, &id, err);
}
