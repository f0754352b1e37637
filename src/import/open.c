#include "import/open.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "import/answers.h"
#include "import/pack.h"
#include "manifest/key.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "store/digest.h"

static bool has_mode(const char *path, mode_t type)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

/* Something to pack, and not a bundle or the name of one. */
static bool is_unpacked(const char *path)
{
	kb_auto(mem) char *bagit = kb_xasprintf("%s/bagit.txt", path);

	if (has_mode(path, S_IFDIR))
		return !has_mode(bagit, S_IFREG);
	return has_mode(path, S_IFREG) &&
	       (kb_runtime_of_file(path, NULL) != KB_RUNTIME_COUNT ||
		kb_answers_is(path));
}

/* Where a bundle lies that was just packed; the caller frees. */
static char *packed_path(const char *store, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	return kb_xasprintf("%s/%s", store, hex);
}

int kb_suite_open_or_pack(struct kb_bundle *b, struct kb_suite *s,
			  const char *store, const char *name,
			  struct kb_err *err)
{
	const struct kb_pack p = {
		.paths = &name, .count = 1, .store = store,
	};
	kb_auto(mem) char *path = NULL;
	struct kb_digest id;
	int ret;

	if (!is_unpacked(name))
		return kb_suite_open(b, s, store, name, err);
	ret = kb_suite_pack(&p, NULL, &id, err);
	if (ret < 0)
		return ret;
	path = packed_path(store, &id);
	return kb_suite_open(b, s, store, path, err);
}

int kb_submission_open_or_pack(struct kb_bundle *b, struct kb_submission *s,
			       const char *store, const char *name,
			       struct kb_err *err)
{
	const struct kb_pack p = {
		.paths = &name, .count = 1, .store = store,
	};
	kb_auto(mem) char *path = NULL;
	struct kb_digest id;
	int ret;

	if (!is_unpacked(name))
		return kb_submission_open(b, s, store, name, err);
	ret = kb_submission_pack(&p, NULL, &id, err);
	if (ret < 0)
		return ret;
	path = packed_path(store, &id);
	return kb_submission_open(b, s, store, path, err);
}
