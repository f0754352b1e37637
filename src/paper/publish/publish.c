#include "publish/publish.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "publish/citation.h"
#include "publish/readme.h"
#include "publish/ro_crate.h"
#include "store/archive.h"
#include "store/bag.h"
#include "store/targz.h"

#define FOLDER_DIGITS 16

void kb_publish_sizes_release(struct kb_publish_sizes *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->files[i].name);
	free(s->files);
	*s = (struct kb_publish_sizes)KB_PUBLISH_SIZES_INIT;
}

/* Takes `name`. */
static void note_size(struct kb_publish_sizes *s, char *name, uint64_t size_bytes)
{
	s->files = kb_grow(s->files, s->count, &s->capacity,
			   sizeof(*s->files));
	s->files[s->count++] = (struct kb_publish_size){ name, size_bytes };
	s->total_bytes += size_bytes;
}

static void note_bundle(struct kb_publish_sizes *s, const struct kb_bundle *b)
{
	kb_auto(buf) struct kb_buf manifest = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->id, hex);
	kb_bag_format(&manifest, b->members, b->member_count);
	note_size(s, kb_xasprintf("%s/%s", hex, KB_BAG_DECLARATION_NAME),
		  strlen(KB_BAG_DECLARATION));
	note_size(s, kb_xasprintf("%s/%s", hex, KB_BAG_MANIFEST_NAME),
		  manifest.len);
	for (size_t i = 0; i < b->member_count; i++)
		note_size(s, kb_xasprintf("%s/%s", hex, b->members[i].name),
			  b->members[i].size_bytes);
}

char *kb_publish_folder(const struct kb_publication *p)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&p->items[0].bundle.id, hex);
	return kb_xasprintf("kb-%.*s", FOLDER_DIGITS, hex);
}

char *kb_publish_title(const struct kb_publication *p)
{
	const struct kb_published *first = &p->items[0];
	char hex[KB_DIGEST_HEX_SIZE];
	size_t asked = 0;

	for (size_t i = 0; i < p->count; i++)
		asked += p->items[i].is_asked;
	kb_digest_format(&first->bundle.id, hex);
	if (asked == 1)
		return kb_xasprintf("kb: %s %.*s", kb_kind_name(first->kind),
				    FOLDER_DIGITS, hex);
	return kb_xasprintf("kb: %s %.*s and %zu more", kb_kind_name(first->kind),
			    FOLDER_DIGITS, hex, asked - 1);
}

/* The files about the bundles. The metadata is last, since it describes the
 * rest. */
int kb_publish_make_files(struct kb_made_files *files,
			  const struct kb_publication *p, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf metadata = KB_BUF_INIT;
	struct kb_buf *text;
	int ret;

	text = kb_made_files_add(files, kb_xstrdup(KB_PUBLISH_README_NAME));
	ret = kb_publish_readme_print(text, p, err);
	if (ret < 0)
		return ret;
	kb_citation_print(kb_made_files_add(files,
					    kb_xstrdup(KB_CITATION_NAME)), p);
	kb_ro_crate_print(&metadata, p, files);
	text = kb_made_files_add(files, kb_xstrdup(KB_RO_CRATE_NAME));
	kb_buf_add(text, metadata.data, metadata.len);
	return 0;
}

static int add_files(struct kb_targz *tar, const char *folder,
		     const struct kb_made_files *files,
		     struct kb_publish_sizes *sizes, struct kb_err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct kb_made_file *f = &files->items[i];
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder,
						       f->path);
		int ret = kb_targz_add_file(tar, path, f->text.data,
					    f->text.len, err);

		if (ret < 0)
			return ret;
		note_size(sizes, kb_xstrdup(f->path), f->text.len);
	}
	return 0;
}

static int add_bundles(struct kb_targz *tar, const char *folder,
		       const struct kb_publication *p,
		       struct kb_publish_sizes *sizes, struct kb_err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct kb_published *b = &p->items[i];
		int ret = kb_archive_add(tar, folder, &b->bundle, err);

		if (ret < 0)
			return ret;
		note_bundle(sizes, &b->bundle);
		ret = add_files(tar, folder, &b->signatures, sizes, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_all(struct kb_targz *tar, const struct kb_publication *p,
		   struct kb_publish_sizes *sizes, struct kb_err *err)
{
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	kb_auto(mem) char *folder = kb_publish_folder(p);
	kb_auto(mem) char *top = kb_xasprintf("%s/", folder);
	int ret = kb_publish_make_files(&files, p, err);

	if (ret == 0)
		ret = kb_targz_add_dir(tar, top, err);
	if (ret == 0)
		ret = add_files(tar, folder, &files, sizes, err);
	return ret < 0 ? ret : add_bundles(tar, folder, p, sizes, err);
}

int kb_publish_write(struct kb_publish_sizes *sizes,
		     const struct kb_publication *p, const char *path,
		     struct kb_err *err)
{
	kb_auto(targz) struct kb_targz *tar = NULL;
	int ret;

	ret = kb_targz_new(&tar, path, true, err);
	if (ret == 0)
		ret = add_all(tar, p, sizes, err);
	if (ret == 0)
		ret = kb_targz_end(tar, NULL, &sizes->archive_bytes, err);
	return ret < 0 ? ret : kb_targz_commit(tar, err);
}
