#ifndef KB_STORE_BAG_H
#define KB_STORE_BAG_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_bundle_member;
struct kb_err;

/*
 * The text of a bag: bagit.txt and manifest-sha256.txt. Bytes in, bytes
 * out; nothing here touches a file.
 *
 * Each text has one spelling. What kb_bag_parse() accepts is what
 * kb_bag_format() writes, byte for byte, so that a set of members has one
 * manifest and the bundle one id.
 */

#define KB_BAG_DECLARATION_NAME "bagit.txt"
#define KB_BAG_MANIFEST_NAME "manifest-sha256.txt"

/* All that bagit.txt holds, and what becomes of it where line ends are changed
 * to those of Windows. */
#define KB_BAG_LINES(end)			\
	"BagIt-Version: 1.0" end		\
	"Tag-File-Character-Encoding: UTF-8" end
#define KB_BAG_DECLARATION KB_BAG_LINES("\n")
#define KB_BAG_DECLARATION_CRLF KB_BAG_LINES("\r\n")

/* The largest manifest: every member allowed, under the longest name. */
#define KB_BAG_LINE_BYTES_MAX (64 + 2 + KB_BUNDLE_NAME_BYTES_MAX + 1)
#define KB_BAG_MANIFEST_BYTES_MAX \
	((size_t)KB_BUNDLE_MEMBERS_MAX * KB_BAG_LINE_BYTES_MAX)

/* The members that a manifest declares. */
struct kb_bag {
	struct kb_bundle_member *members;	/* sorted bytewise by name */
	size_t count;
	size_t capacity;
};

#define KB_BAG_INIT { .members = NULL }

void kb_bag_release(struct kb_bag *bag);

static inline void kb_cleanup_bag(struct kb_bag *bag)
{
	kb_bag_release(bag);
}

/* Fails with KB_ERR_INPUT unless `data` is KB_BAG_DECLARATION. */
int kb_bag_check_declaration(const void *data, size_t len, struct kb_err *err);

/*
 * Read a manifest. The sizes of the members stay 0: a manifest does not
 * tell them. Caller releases `out` with kb_bag_release().
 *
 * Fails with KB_ERR_INPUT; the message gives the line.
 */
int kb_bag_parse(struct kb_bag *out, const void *data, size_t len,
		 struct kb_err *err);

/* Append the manifest of `count` members, which are sorted by name. */
void kb_bag_format(struct kb_buf *out, const struct kb_bundle_member *members,
		   size_t count);

/* NULL if there is no such member. Borrowed from `members`. */
const struct kb_bundle_member *
kb_bag_find(const struct kb_bundle_member *members, size_t count,
	    const char *name);

/* Whether some member is below the directory `name`. */
bool kb_bag_has_directory(const struct kb_bundle_member *members, size_t count,
			  const char *name);

#endif
