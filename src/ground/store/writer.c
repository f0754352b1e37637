/* A new bundle, written into a stage and put in its place. */

#include "store/bundle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/name.h"
#include "store/stage.h"

/* More than this and the file system is made durable at once. */
#define MANY_MEMBERS 1000

struct kb_bundle_writer {
	struct kb_stage stage;
	struct kb_beneath_last last;
	struct kb_bag bag;	/* in the order of adding until the commit */
	const char **names;	/* those of `bag`, in kb_name_order() */
	size_t name_capacity;
	uint64_t total_bytes;
};

int kb_bundle_writer_new(struct kb_bundle_writer **out, const char *store,
			 struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w =
		kb_xcalloc(1, sizeof(*w));
	int ret;

	w->last = (struct kb_beneath_last)KB_BENEATH_LAST_INIT;
	ret = kb_stage_open(&w->stage, store, err);
	if (ret < 0)
		return ret;
	*out = kb_steal(w);
	return 0;
}

void kb_bundle_writer_free(struct kb_bundle_writer *w)
{
	if (!w)
		return;
	kb_beneath_last_release(&w->last);
	kb_stage_release(&w->stage);
	kb_bag_release(&w->bag);
	free(w->names);
	free(w);
}

static int check_limits(const struct kb_bundle_writer *w, const char *name,
			size_t len, struct kb_err *err)
{
	if (w->bag.count == KB_BUNDLE_MEMBERS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "bundle has more than %d members",
			      KB_BUNDLE_MEMBERS_MAX);
	if (len > KB_BUNDLE_MEMBER_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is larger than %" PRIu64 " bytes", name,
			      KB_BUNDLE_MEMBER_BYTES_MAX);
	if (len > KB_BUNDLE_TOTAL_BYTES_MAX - w->total_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "bundle holds more than %" PRIu64 " bytes",
			      KB_BUNDLE_TOTAL_BYTES_MAX);
	return 0;
}

/* Where `name` belongs among the names so far. */
static size_t place_of(const struct kb_bundle_writer *w, const char *name)
{
	size_t low = 0, high = w->bag.count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (kb_name_order(w->names[mid], name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int check_neighbours(const struct kb_bundle_writer *w, size_t place,
			    const char *name, struct kb_err *err)
{
	int ret = 0;

	if (place > 0)
		ret = kb_name_check_pair(w->names[place - 1], name, err);
	if (ret == 0 && place < w->bag.count)
		ret = kb_name_check_pair(w->names[place], name, err);
	return ret;
}

static void declare_member(struct kb_bundle_writer *w, size_t place, const char *name,
			   const void *data, size_t len)
{
	struct kb_bundle_member m = {
		.name = kb_xstrdup(name),
		.size_bytes = len,
	};

	kb_digest_of(&m.digest, data, len);
	w->names = kb_grow(w->names, w->bag.count, &w->name_capacity,
			   sizeof(*w->names));
	memmove(&w->names[place + 1], &w->names[place],
		(w->bag.count - place) * sizeof(*w->names));
	w->names[place] = m.name;

	w->bag.members = kb_grow(w->bag.members, w->bag.count,
				 &w->bag.capacity, sizeof(m));
	w->bag.members[w->bag.count++] = m;
	w->total_bytes += len;
}

/* Not yet durable: the commit sees to all files at once. */
static int write_file(struct kb_bundle_writer *w, const char *name,
		      const void *data, size_t len, struct kb_err *err)
{
	kb_auto(fd) int fd = kb_beneath_create_next(&w->last, w->stage.dirfd,
						    name, err);
	struct stat st;
	int ret;

	if (fd < 0)
		return fd;
	ret = kb_file_write_all(fd, data, len, name, err);
	if (ret < 0)
		return ret;
	/* Read-only, because the id stands for these bytes and no others. */
	if (fstat(fd, &st) < 0 || fchmod(fd, st.st_mode & 0444) < 0)
		return kb_err_sys(err, "cannot write '%s'", name);
	return 0;
}

int kb_bundle_writer_add(struct kb_bundle_writer *w, const char *name,
			 const void *data, size_t len, struct kb_err *err)
{
	size_t place;
	int ret;

	ret = kb_bundle_check_name(name, err);
	if (ret < 0)
		return ret;
	ret = check_limits(w, name, len, err);
	if (ret < 0)
		return ret;
	place = place_of(w, name);
	ret = check_neighbours(w, place, name, err);
	if (ret < 0)
		return ret;

	declare_member(w, place, name, data, len);
	return write_file(w, name, data, len, err);
}

static int order_members(const void *a, const void *b)
{
	const struct kb_bundle_member *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int write_tag_files(struct kb_bundle_writer *w, struct kb_digest *id,
			   struct kb_err *err)
{
	static const char declaration[] = KB_BAG_DECLARATION;
	kb_auto(buf) struct kb_buf manifest = KB_BUF_INIT;
	int ret;

	/* Bytewise, as manifests are; `names` is in another order, in which
	 * names that do not go together are neighbours. */
	qsort(w->bag.members, w->bag.count, sizeof(*w->bag.members),
	      order_members);
	kb_bag_format(&manifest, w->bag.members, w->bag.count);
	kb_digest_of(id, manifest.data, manifest.len);

	ret = write_file(w, KB_BAG_DECLARATION_NAME, declaration,
			 sizeof(declaration) - 1, err);
	if (ret < 0)
		return ret;
	return write_file(w, KB_BAG_MANIFEST_NAME, manifest.data, manifest.len,
			  err);
}

int kb_bundle_writer_commit(struct kb_bundle_writer *w, struct kb_digest *id,
			    struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;
	int ret;

	if (w->bag.count == 0)
		return kb_err(err, KB_ERR_INPUT, "bundle has no members");
	ret = write_tag_files(w, &d, err);
	if (ret < 0)
		return ret;

	kb_digest_format(&d, hex);
	w->stage.has_many = w->bag.count > MANY_MEMBERS;
	ret = kb_stage_publish(&w->stage, hex, err);
	if (ret < 0)
		return ret;
	*id = d;
	return 0;
}
