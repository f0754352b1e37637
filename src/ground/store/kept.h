#ifndef KB_STORE_KEPT_H
#define KB_STORE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "store/digest.h"

struct kb_err;

/*
 * The outcome of a build, under a key of everything that it was made from, so
 * that it need not be made again: a folder of files, each named with the 64 hex
 * digits of its key.
 *
 *	64 hex digits and a line feed	the SHA-256 of what follows
 *	canonical JSON and a line feed	"key", how it ended ("outcome",
 *					"detail", "log"), and "entries": of each
 *					its name, when it was changed, and its
 *					size, which is null of a folder
 *	bytes				of all files, in that order
 *
 * A file that is damaged, or that has another's name, is as good as none. So
 * nothing is made durable: what a crash leaves in part is found out.
 */

#define KB_KEPT_BYTES_MAX ((size_t)2 << 30)
#define KB_KEPT_ENTRIES_MAX 10000

struct kb_kept_entry {
	char *name;		/* a path below a folder; "a/b" after "a" */
	bool is_dir;
	int64_t changed_s, changed_ns;	/* since 1970, and what is beyond */
	const void *data;	/* borrowed */
	size_t len;
};

struct kb_kept {
	char *outcome;		/* one word */
	char *detail;		/* one line for people, or NULL */
	char *log;		/* what the build printed */
	struct kb_kept_entry *entries;
	size_t count, capacity;
	struct kb_buf bytes;	/* that entries may borrow from */
};

#define KB_KEPT_INIT { .bytes = KB_BUF_INIT }

void kb_kept_release(struct kb_kept *k);

/* One more entry, zeroed but for its name, which is copied. */
struct kb_kept_entry *kb_kept_add(struct kb_kept *k, const char *name);

/* May an entry be called so? Parts between slashes that are neither empty nor
 * "." nor "..", in UTF-8. */
bool kb_kept_name_ok(const char *name);

void kb_kept_print(struct kb_buf *out, const struct kb_kept *k,
		   const struct kb_digest *key);

/* The inverse; `data` is borrowed by `k`, which was KB_KEPT_INIT and on
 * failure is so again. Fails with KB_ERR_CORRUPT. */
int kb_kept_parse(struct kb_kept *k, const void *data, size_t len,
		  const struct kb_digest *key, struct kb_err *err);

/* In `dir`, which is made if need be. Fails with KB_ERR_SYS; also if it would
 * take a quarter of the room that there is. */
int kb_kept_put(const char *dir, const struct kb_digest *key,
		const struct kb_kept *k, struct kb_err *err);

/* Returns whether it is there and whole; it is then the youngest. */
bool kb_kept_find(struct kb_kept *k, const char *dir,
		  const struct kb_digest *key);

/* Returns whether there is a file of that name; it may be damaged. */
bool kb_kept_has(const char *dir, const struct kb_digest *key);

/* Delete what was not used for longest, until the rest has at most
 * `bytes_max`. What cannot be deleted stays. */
void kb_kept_trim(const char *dir, uint64_t bytes_max);

static inline void kb_cleanup_kept(struct kb_kept *k)
{
	kb_kept_release(k);
}

#endif
