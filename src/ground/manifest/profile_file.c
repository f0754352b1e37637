/* Profiles in files beside a bundle. */

#include "manifest/profile.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bundle.h"
#include "store/sidecar.h"

int kb_profile_write(char **path, const struct kb_bundle *b,
		     const struct kb_profile *p, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *to = NULL;
	struct kb_digest self;
	int ret;

	kb_profile_print(&text, p);
	kb_digest_of(&self, text.data, text.len);
	to = kb_sidecar_path(b, &self, KB_PROFILE_SUFFIX);
	ret = kb_file_replace(AT_FDCWD, to, text.data, text.len, 0444, err);
	if (ret < 0)
		return ret;
	*path = kb_steal(to);
	return 0;
}

static int check_digest(const struct kb_buf *text, const struct kb_digest *want,
			const char *path, struct kb_err *err)
{
	struct kb_digest is;

	kb_digest_of(&is, text->data, text->len);
	if (kb_digest_equal(&is, want))
		return 0;
	return kb_err(err, KB_ERR_CORRUPT,
		      "'%s' does not match the digest in its name", path);
}

static int load_profile(struct kb_profile *p, const struct kb_bundle *b,
			const struct kb_digest *self, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_sidecar_path(b, self, KB_PROFILE_SUFFIX);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, path, KB_PROFILE_BYTES_MAX,
			       err);

	if (ret >= 0)
		ret = check_digest(&text, self, path, err);
	if (ret < 0)
		return ret;
	ret = kb_profile_parse(p, text.data, text.len, "profile", err);
	if (ret < 0)
		return kb_err_wrap(err, "'%s'", path);
	if (!kb_digest_equal(&p->evaluation, &b->id))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is of another evaluation", path);
	return 0;
}

int kb_profile_load_all(struct kb_profile **out, size_t *count,
			const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(mem) struct kb_digest *selves = NULL;
	struct kb_profile *list;
	size_t n = 0;
	int ret = kb_sidecar_list(&selves, &n, b, KB_PROFILE_SUFFIX, err);

	*out = NULL;
	*count = 0;
	if (ret < 0 || !n)
		return ret;
	list = kb_xcalloc(n, sizeof(*list));
	for (size_t i = 0; i < n && ret >= 0; i++)
		ret = load_profile(&list[i], b, &selves[i], err);
	if (ret >= 0) {
		*out = list;
		*count = n;
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		kb_profile_release(&list[i]);
	free(list);
	return ret;
}
