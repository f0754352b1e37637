#include "publish/check.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "manifest/tool.h"
#include "publish/about.h"
#include "publish/publish.h"
#include "publish/ro_crate.h"
#include "store/beneath.h"
#include "store/digest.h"
#include "store/quote.h"
#include "verify/checks.h"
#include "verify/lineage.h"

#define WHAT "publication"
#define FILE_BYTES_MAX ((size_t)64 << 20)

bool kb_publish_is_folder(const char *path)
{
	kb_auto(mem) char *metadata = kb_xasprintf("%s/%s", path,
						   KB_RO_CRATE_NAME);
	struct stat st;

	return stat(metadata, &st) == 0;
}

static void add_no(struct kb_checks *c, const char *words)
{
	kb_checks_add(c, KB_LAYER_BYTES, WHAT, KB_ANSWER_NO, "%s", words);
}

/* The number of the first line in which they differ, from 1. */
static size_t first_difference(const struct kb_buf *a, const struct kb_buf *b)
{
	size_t line = 1;

	for (size_t i = 0; i < a->len && i < b->len && a->data[i] == b->data[i];
	     i++)
		line += a->data[i] == '\n';
	return line;
}

/* Another build may write other words. Two that do not know their commits, or were
 * modified after them, may be two builds. */
static bool is_ours(const struct kb_crate_about *about)
{
	kb_auto(json) struct kb_json *tool = kb_tool_json("kb-pack");
	const struct kb_json *dirty = kb_json_find(tool, "git_dirty");
	const char *commit = kb_json_text(tool, "git_commit");
	kb_auto(mem) char *ours = kb_crate_maker(kb_json_text(tool, "version"),
						 commit, false);

	return commit && kb_json_type(dirty) == KB_JSON_BOOL &&
	       !kb_json_bool_value(dirty) && !strcmp(about->maker, ours);
}

/* A link is no part of a publication: its target may be gone tomorrow. */
static int read_file(struct kb_buf *text, const char *folder, const char *name,
		     struct kb_err *err)
{
	kb_auto(fd) int dirfd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kb_auto(fd) int fd = -1;
	uint64_t size_bytes;

	if (dirfd < 0)
		return kb_err_sys(err, "cannot open '%s'", folder);
	fd = kb_beneath_open(dirfd, name, &size_bytes, err);
	return fd < 0 ? fd : kb_file_read_fd(text, fd, name, FILE_BYTES_MAX, err);
}

static int check_file(struct kb_checks *c, const char *folder,
		      const struct kb_made_file *want,
		      const struct kb_crate_about *about, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf found = KB_BUF_INIT;
	int ret = read_file(&found, folder, want->path, err);

	if (ret < 0) {
		if (!kb_is_answer(ret))
			return ret;
		add_no(c, err->msg);
		return 0;
	}
	if (found.len == want->text.len &&
	    !memcmp(found.data, want->text.data, found.len)) {
		kb_checks_add(c, KB_LAYER_BYTES, WHAT, KB_ANSWER_OK,
			      "'%s' is what the bundles give", want->path);
		return 0;
	}
	if (is_ours(about))
		kb_checks_add(c, KB_LAYER_BYTES, WHAT, KB_ANSWER_NO,
			      "'%s' is not what the bundles give, from line "
			      "%zu on", want->path,
			      first_difference(&found, &want->text));
	else
		kb_checks_add(c, KB_LAYER_BYTES, WHAT, KB_ANSWER_NOT_CHECKED,
			      "'%s' was written by %s, and this kb-pack writes "
			      "it otherwise", want->path, about->maker);
	return 0;
}

static bool is_made(const struct kb_made_files *files, const char *name)
{
	for (size_t i = 0; i < files->count; i++)
		if (!strcmp(files->items[i].path, name))
			return true;
	return false;
}

static bool belongs_here(const struct kb_publication *p,
			 const struct kb_made_files *files, const char *name)
{
	struct kb_digest id;

	if (kb_digest_parse(&id, name, NULL) == 0)
		return kb_publication_find(p, &id) != NULL;
	for (size_t i = 0; i < p->count; i++)
		if (is_made(&p->items[i].signatures, name))
			return true;
	return is_made(files, name);
}

static int check_strays(struct kb_checks *c, const char *folder,
			const struct kb_publication *p,
			const struct kb_made_files *files, struct kb_err *err)
{
	kb_auto(fd) int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kb_auto(names) char **names = NULL;
	const int ret = fd < 0 ? kb_err_sys(err, "cannot read '%s'", folder) :
			kb_dir_names(&names, fd, folder, err);

	for (char **name = names; ret == 0 && *name; name++)
		if (!belongs_here(p, files, *name))
			kb_checks_add(c, KB_LAYER_BYTES, WHAT, KB_ANSWER_NO,
				      "'%s' is no part of it",
				      kb_quote_str(*name).text);
	return ret;
}

static int read_about(struct kb_crate_about *about, const char *folder,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = read_file(&text, folder, KB_RO_CRATE_NAME, err);

	if (ret == 0)
		ret = kb_crate_about_parse(about, text.data, text.len, err);
	if (ret == 0)
		ret = kb_publication_check_about(&about->about, err);
	return ret;
}

int kb_publish_check(struct kb_checks *checks, const char *folder,
		     struct kb_err *err)
{
	kb_auto(crate_about) struct kb_crate_about about = KB_CRATE_ABOUT_INIT;
	kb_auto(publication) struct kb_publication p = KB_PUBLICATION_INIT;
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	int ret = read_about(&about, folder, err);

	p.about = about.about;
	if (ret == 0)
		ret = kb_publication_gather_ids(&p, folder, about.asked,
						about.asked_count, err);
	if (ret == 0)
		ret = kb_publish_make_files(&files, &p, err);
	if (ret == -KB_ERR_USAGE || kb_is_answer(ret)) {
		add_no(checks, err->msg);
		return 0;
	}
	for (size_t i = 0; ret == 0 && i < files.count; i++)
		ret = check_file(checks, folder, &files.items[i], &about, err);
	return ret < 0 ? ret : check_strays(checks, folder, &p, &files, err);
}
