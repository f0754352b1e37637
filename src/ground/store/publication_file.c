#include "store/publication_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/bundle.h"
#include "store/gunzip.h"
#include "store/quote.h"
#include "store/untar.h"

#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)
#define CHUNK_BYTES (64 * 1024)
#define FOLDER_LEN (sizeof(((struct kb_unpacked *)0)->folder) - 1)

struct unpack {
	struct kb_untar *tar;
	int dirfd;
	char *folder;			/* FOLDER_LEN + 1; "" before the first */
	uint64_t total_bytes;
};

/* "kb-" and digits, then the end or a slash. */
static bool has_folder(const char *path)
{
	const size_t digits = FOLDER_LEN - 3;

	return !strncmp(path, "kb-", 3) &&
	       strspn(path + 3, "0123456789abcdef") == digits &&
	       (!path[FOLDER_LEN] || path[FOLDER_LEN] == '/');
}

static int is_strange(const char *path, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "entry '%s' has no place in a publication",
		      kb_quote_str(path).text);
}

/* The path within the folder; "" for that itself. */
static int strip_folder(struct unpack *u, const char *path, const char **rest,
			struct kb_err *err)
{
	if (!has_folder(path) ||
	    (*u->folder && strncmp(path, u->folder, FOLDER_LEN)))
		return is_strange(path, err);
	memcpy(u->folder, path, FOLDER_LEN);
	u->folder[FOLDER_LEN] = '\0';
	*rest = path + FOLDER_LEN + (path[FOLDER_LEN] == '/');
	return 0;
}

/* Beside bundles: README.md, CITATION.cff, signatures. */
static bool is_plain_name(const char *name)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789._-";

	return *name && *name != '.' && !name[strspn(name, allowed)];
}

static bool is_id(const char *text, size_t len)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;

	if (len != HEX_LEN)
		return false;
	memcpy(hex, text, HEX_LEN);
	hex[HEX_LEN] = '\0';
	return kb_digest_parse(&id, hex, NULL) == 0;
}

static bool is_wanted(const char *rest)
{
	const char *slash = strchr(rest, '/');

	if (!slash)
		return is_plain_name(rest);
	if (!is_id(rest, (size_t)(slash - rest)))
		return false;
	return !strcmp(slash + 1, KB_BAG_DECLARATION_NAME) ||
	       !strcmp(slash + 1, KB_BAG_MANIFEST_NAME) ||
	       kb_bundle_check_name(slash + 1, NULL) == 0;
}

static int check_size(struct unpack *u, uint64_t size_bytes, struct kb_err *err)
{
	if (size_bytes > KB_BUNDLE_TOTAL_BYTES_MAX - u->total_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "holds more than %" PRIu64 " bytes",
			      KB_BUNDLE_TOTAL_BYTES_MAX);
	u->total_bytes += size_bytes;
	return 0;
}

static int copy_member(struct unpack *u, int fd, const char *name, uint64_t size_bytes,
		       struct kb_err *err)
{
	uint8_t chunk[CHUNK_BYTES];
	int ret = 0;

	while (ret == 0 && size_bytes > 0) {
		size_t n = size_bytes < CHUNK_BYTES ? size_bytes : CHUNK_BYTES;

		ret = kb_untar_read(u->tar, chunk, n, err);
		if (ret == 0)
			ret = kb_file_write_all(fd, chunk, n, name, err);
		size_bytes -= n;
	}
	return ret;
}

static int take_file(struct unpack *u, const char *rest, uint64_t size_bytes,
		     struct kb_err *err)
{
	kb_auto(fd) int fd = -1;
	struct stat st;
	int ret;

	if (fstatat(u->dirfd, rest, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
	    errno != ENOENT)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' cannot be beside what comes before it", rest);
	ret = check_size(u, size_bytes, err);
	if (ret < 0)
		return ret;
	fd = kb_beneath_create(u->dirfd, rest, err);
	return fd < 0 ? fd : copy_member(u, fd, rest, size_bytes, err);
}

/* Directories come into being with the files below them. */
static int take_entry(struct unpack *u, const struct kb_untar_entry *e,
		      struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xstrdup(e->path);
	const char *rest = NULL;
	int ret = strip_folder(u, path, &rest, err);

	if (ret < 0 || e->is_dir)
		return ret;
	if (!is_wanted(rest))
		return is_strange(path, err);
	return take_file(u, rest, e->size_bytes, err);
}

static int unpack_publication(struct kb_gunzip *gunzip, int dirfd, char folder[],
			      struct kb_err *err)
{
	kb_auto(untar) struct kb_untar *tar = NULL;
	struct unpack u = { .dirfd = dirfd, .folder = folder };
	struct kb_untar_entry e;
	int ret;

	*folder = '\0';
	kb_untar_new(&tar, gunzip);
	kb_untar_take_pax(tar);
	u.tar = tar;
	while ((ret = kb_untar_next(tar, &e, err)) > 0) {
		ret = take_entry(&u, &e, err);
		if (ret < 0)
			return ret;
	}
	return ret;
}

int kb_publication_unpack_bytes(const void *data, size_t len, int dirfd,
				char folder[], struct kb_err *err)
{
	kb_auto(gunzip) struct kb_gunzip *gunzip = NULL;

	kb_gunzip_new_bytes(&gunzip, data, len, "archive");
	return unpack_publication(gunzip, dirfd, folder, err);
}

bool kb_publication_file_is(const char *path)
{
	kb_auto(gunzip) struct kb_gunzip *gunzip = NULL;
	kb_auto(untar) struct kb_untar *tar = NULL;
	kb_auto(fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct kb_untar_entry e;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    kb_gunzip_new(&gunzip, fd, path, NULL) < 0)
		return false;
	kb_untar_new(&tar, gunzip);
	kb_untar_take_pax(tar);
	return kb_untar_next(tar, &e, NULL) > 0 && has_folder(e.path);
}

static int compare_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kb_digest));
}

/* Move the bundle that the folder is named after to the end. */
static void move_last(struct kb_unpacked *u)
{
	for (size_t i = 0; i < u->count; i++) {
		const struct kb_digest id = u->ids[i];
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&id, hex);
		if (strncmp(hex, u->folder + 3, FOLDER_LEN - 3))
			continue;
		memmove(&u->ids[i], &u->ids[i + 1],
			(u->count - 1 - i) * sizeof(*u->ids));
		u->ids[u->count - 1] = id;
		return;
	}
}

static int list_ids(struct kb_unpacked *u, struct kb_err *err)
{
	kb_auto(dir) DIR *d = opendir(u->store);
	const struct dirent *e;
	size_t capacity = 0;

	if (!d)
		return kb_err_sys(err, "cannot read '%s'", u->store);
	while ((errno = 0, e = readdir(d))) {
		struct kb_digest id;

		if (kb_digest_parse(&id, e->d_name, NULL) < 0)
			continue;
		u->ids = kb_grow(u->ids, u->count, &capacity, sizeof(*u->ids));
		u->ids[u->count++] = id;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", u->store);
	if (!u->count)
		return kb_err(err, KB_ERR_INPUT, "there is no bundle in it");
	qsort(u->ids, u->count, sizeof(*u->ids), compare_ids);
	move_last(u);
	return 0;
}

static int unpack_file(struct kb_unpacked *u, const char *path,
		       struct kb_err *err)
{
	kb_auto(gunzip) struct kb_gunzip *gunzip = NULL;
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	kb_auto(fd) int dirfd = open(u->store,
				     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (dirfd < 0)
		return kb_err_sys(err, "cannot open '%s'", u->store);
	ret = kb_gunzip_new(&gunzip, fd, path, err);
	if (ret == 0)
		ret = unpack_publication(gunzip, dirfd, u->folder, err);
	return ret < 0 ? ret : list_ids(u, err);
}

int kb_unpacked_open(struct kb_unpacked *u, const char *path,
		     struct kb_err *err)
{
	const char *tmp = getenv("TMPDIR");
	kb_auto(mem) char *dir = kb_xasprintf("%s/kb-XXXXXX",
					      tmp && *tmp ? tmp : "/tmp");
	int ret;

	if (!mkdtemp(dir))
		return kb_err_sys(err, "cannot make directory '%s'", dir);
	u->store = kb_steal(dir);
	u->is_ours = true;
	ret = unpack_file(u, path, err);
	return ret < 0 ? kb_err_wrap(err, "publication '%s'", path) : 0;
}

/* The last part of an absolute path, which has no "." in it. */
int kb_unpacked_open_folder(struct kb_unpacked *u, const char *path,
			    struct kb_err *err)
{
	char *whole = realpath(path, NULL);
	int ret;

	if (!whole)
		return kb_err_sys(err, "cannot open '%s'", path);
	u->store = whole;
	if (has_folder(strrchr(whole, '/') + 1))
		memcpy(u->folder, strrchr(whole, '/') + 1, FOLDER_LEN);
	ret = list_ids(u, err);
	return ret < 0 ? kb_err_wrap(err, "publication '%s'", path) : 0;
}

void kb_unpacked_release(struct kb_unpacked *u)
{
	if (u->is_ours)
		(void)kb_dir_remove(AT_FDCWD, u->store, NULL);
	free(u->store);
	free(u->ids);
	*u = (struct kb_unpacked)KB_UNPACKED_INIT;
}
