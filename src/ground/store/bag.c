#include "store/bag.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/bundle.h"
#include "store/name.h"

#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)
#define NAME_AT (HEX_LEN + 2)	/* two spaces: sha256sum's text mode */

void kb_bag_release(struct kb_bag *bag)
{
	for (size_t i = 0; i < bag->count; i++)
		free(bag->members[i].name);
	free(bag->members);
	*bag = (struct kb_bag)KB_BAG_INIT;
}

/* RFC 8493, section 2.1.1, has these two lines and no others. By bytes, because
 * no digest covers this file. */
int kb_bag_check_declaration(const void *data, size_t len, struct kb_err *err)
{
	static const char want[] = KB_BAG_DECLARATION;
	static const char crlf[] = KB_BAG_DECLARATION_CRLF;

	if (len == sizeof(crlf) - 1 && !memcmp(data, crlf, len))
		return kb_err(err, KB_ERR_INPUT,
			      "'" KB_BAG_DECLARATION_NAME "' has line ends of "
			      "Windows, and so may all of the bundle: copy it "
			      "again byte for byte ('git clone -c "
			      "core.autocrlf=false')");
	if (len != sizeof(want) - 1 || memcmp(data, want, len))
		return kb_err(err, KB_ERR_INPUT,
			      "'" KB_BAG_DECLARATION_NAME
			      "' is not that of a BagIt 1.0 bag in UTF-8");
	return 0;
}

static int parse_digest(struct kb_digest *out, const char *line,
			struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];

	memcpy(hex, line, HEX_LEN);
	hex[HEX_LEN] = '\0';
	return kb_digest_parse(out, hex, err);
}

/* One line, without its newline. Caller frees `*name`. */
static int parse_line(struct kb_digest *digest, char **name, const char *line,
		      size_t len, struct kb_err *err)
{
	int ret;

	if (len < NAME_AT)
		return kb_err(err, KB_ERR_INPUT,
			      "too short for a digest and a name");

	ret = parse_digest(digest, line, err);
	if (ret < 0)
		return ret;
	/* RFC 8493, section 2.1.3, allows any blanks here. With those of
	 * sha256sum(1) alone a set of members has one manifest, and so one
	 * id. */
	if (line[HEX_LEN] != ' ' || line[HEX_LEN + 1] != ' ')
		return kb_err(err, KB_ERR_INPUT,
			      "no two spaces after the digest");
	ret = kb_name_check(line + NAME_AT, len - NAME_AT, err);
	if (ret < 0)
		return ret;
	*name = kb_xstrndup(line + NAME_AT, len - NAME_AT);
	return 0;
}

static int check_follows(const struct kb_bag *bag, const char *name,
			 struct kb_err *err)
{
	int order = bag->count == 0 ? -1
		: strcmp(bag->members[bag->count - 1].name, name);

	if (order == 0)
		return kb_err(err, KB_ERR_INPUT, "name '%s' is there twice",
			      name);
	if (order > 0)
		return kb_err(err, KB_ERR_INPUT,
			      "name '%s' is not in bytewise order", name);
	return 0;
}

static int append_line(struct kb_bag *bag, const char *line, size_t len,
		       struct kb_err *err)
{
	struct kb_bundle_member m = { .name = NULL };
	kb_auto(mem) char *name = NULL;
	int ret;

	if (bag->count == KB_BUNDLE_MEMBERS_MAX)
		return kb_err(err, KB_ERR_INPUT, "more than %d members",
			      KB_BUNDLE_MEMBERS_MAX);

	ret = parse_line(&m.digest, &name, line, len, err);
	if (ret < 0)
		return ret;
	ret = check_follows(bag, name, err);
	if (ret < 0)
		return ret;

	m.name = kb_steal(name);
	bag->members = kb_grow(bag->members, bag->count, &bag->capacity,
			       sizeof(*bag->members));
	bag->members[bag->count++] = m;
	return 0;
}

static int order_names(const void *a, const void *b)
{
	return kb_name_order(*(const char *const *)a, *(const char *const *)b);
}

static int check_names_go_together(const struct kb_bag *bag,
				   struct kb_err *err)
{
	kb_auto(mem) const char **names = kb_xcalloc(bag->count,
						     sizeof(*names));

	for (size_t i = 0; i < bag->count; i++)
		names[i] = bag->members[i].name;
	qsort(names, bag->count, sizeof(*names), order_names);

	for (size_t i = 1; i < bag->count; i++) {
		int ret = kb_name_check_pair(names[i - 1], names[i], err);

		if (ret < 0)
			return kb_err_wrap(err, KB_BAG_MANIFEST_NAME);
	}
	return 0;
}

int kb_bag_parse(struct kb_bag *out, const void *data, size_t len,
		 struct kb_err *err)
{
	kb_auto(bag) struct kb_bag bag = KB_BAG_INIT;
	const char *line = data, *end = line + len;
	struct kb_err unread;
	int ret;

	if (!err)
		err = &unread;
	if (len == 0)
		return kb_err(err, KB_ERR_INPUT,
			      KB_BAG_MANIFEST_NAME ": no members");

	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		ret = newline ? append_line(&bag, line,
					    (size_t)(newline - line), err)
			      : kb_err(err, KB_ERR_INPUT,
				       "no newline at the end");
		if (ret < 0)
			return kb_err_wrap(err, KB_BAG_MANIFEST_NAME
					   " line %zu", bag.count + 1);
		line = newline + 1;
	}

	ret = check_names_go_together(&bag, err);
	if (ret < 0)
		return ret;
	*out = bag;
	bag = (struct kb_bag)KB_BAG_INIT;
	return 0;
}

void kb_bag_format(struct kb_buf *out, const struct kb_bundle_member *members,
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&members[i].digest, hex);
		kb_buf_addf(out, "%s  %s\n", hex, members[i].name);
	}
}

/* Index of the first member whose name is not less than `name`. */
static size_t lower_bound(const struct kb_bundle_member *members, size_t count,
			  const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(members[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct kb_bundle_member *
kb_bag_find(const struct kb_bundle_member *members, size_t count,
	    const char *name)
{
	size_t i = lower_bound(members, count, name);

	if (i == count || strcmp(members[i].name, name))
		return NULL;
	return &members[i];
}

bool kb_bag_has_directory(const struct kb_bundle_member *members, size_t count,
			  const char *name)
{
	kb_auto(mem) char *prefix = kb_xasprintf("%s/", name);
	size_t i = lower_bound(members, count, prefix);

	return i < count && !strncmp(members[i].name, prefix, strlen(prefix));
}
