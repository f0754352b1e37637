#include "import/open.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "import/answers.h"
#include "import/pack.h"
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

static int pack_suite(const struct kb_pack *p, struct kb_digest *id,
		      struct kb_err *err)
{
	return kb_suite_pack(p, NULL, id, err);
}

static int pack_submission(const struct kb_pack *p, struct kb_digest *id,
			   struct kb_err *err)
{
	return kb_submission_pack(p, NULL, id, err);
}

/* The bundle to open: `name`, or the bundle that it was packed into. The caller
 * frees `out`. */
static int pack_if_loose(char **out, const struct kb_pack *p,
			 int (*pack)(const struct kb_pack *, struct kb_digest *,
				     struct kb_err *),
			 struct kb_err *err)
{
	const char *name = p->paths[0];
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;
	int ret;

	if (!is_unpacked(name)) {
		*out = kb_xstrdup(name);
		return 0;
	}
	ret = pack(p, &id, err);
	if (ret < 0)
		return ret;
	kb_digest_format(&id, hex);
	*out = kb_xasprintf("%s/%s", p->store, hex);
	return 0;
}

int kb_suite_open_or_pack(struct kb_bundle *b, struct kb_suite *s,
			  const char *store, const char *name,
			  struct kb_err *err)
{
	const struct kb_pack p = {
		.paths = &name, .count = 1, .store = store,
	};
	kb_auto(mem) char *path = NULL;
	int ret = pack_if_loose(&path, &p, pack_suite, err);

	if (ret < 0)
		return ret;
	return kb_suite_open(b, s, store, path, err);
}

int kb_submission_open_or_pack(struct kb_bundle *b, struct kb_submission *s,
			       const struct kb_pack *p, struct kb_err *err)
{
	kb_auto(mem) char *path = NULL;
	int ret = pack_if_loose(&path, p, pack_submission, err);

	if (ret < 0)
		return ret;
	return kb_submission_open(b, s, p->store, path, err);
}
