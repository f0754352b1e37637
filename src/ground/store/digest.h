#ifndef KB_STORE_DIGEST_H
#define KB_STORE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct kb_err;

/*
 * SHA-256, as the name of a thing.
 *
 * A digest is always the SHA-256 of the exact bytes on disk, never of a
 * parsed or re-encoded form. Its text form is 64 lower-case hex digits;
 * upper case is rejected on input so that two spellings of one name
 * cannot exist.
 *
 * Hashing cannot fail short of a broken libcrypto, which aborts.
 */

#define KB_DIGEST_SIZE 32			/* raw bytes */
#define KB_DIGEST_HEX_SIZE (2 * KB_DIGEST_SIZE + 1)	/* with the NUL */

struct kb_digest {
	uint8_t bytes[KB_DIGEST_SIZE];
};

static inline bool kb_digest_equal(const struct kb_digest *a,
				   const struct kb_digest *b)
{
	return !memcmp(a->bytes, b->bytes, KB_DIGEST_SIZE);
}

/* Digest of `len` bytes at `data`. */
void kb_digest_of(struct kb_digest *out, const void *data, size_t len);

/*
 * Digest of everything readable from `fd`, from its current offset to end
 * of file, in one pass and constant memory. `name` is only used in
 * messages. `size_bytes`, if not NULL, receives the number of bytes read.
 *
 * Fails with KB_ERR_SYS.
 */
int kb_digest_of_fd(struct kb_digest *out, int fd, const char *name,
		    uint64_t *size_bytes, struct kb_err *err);

void kb_digest_format(const struct kb_digest *d, char hex[KB_DIGEST_HEX_SIZE]);

/* Fails with KB_ERR_INPUT unless `hex` is exactly 64 lower-case digits. */
int kb_digest_parse(struct kb_digest *out, const char *hex, struct kb_err *err);

/* Is it a digest, or may it stand for one as its beginning: at least
 * KB_DIGEST_PREFIX_MIN digits, at most all? */
#define KB_DIGEST_PREFIX_MIN 8

bool kb_digest_may_begin(const char *hex);

/*
 * A digest of bytes that arrive in pieces. A hasher is made with
 * kb_hasher_new() and ended with kb_hasher_free(); kb_hasher_finish()
 * gives the digest of the bytes so far, once.
 */
struct kb_hasher;

struct kb_hasher *kb_hasher_new(void);
void kb_hasher_add(struct kb_hasher *h, const void *data, size_t len);
void kb_hasher_finish(struct kb_hasher *h, struct kb_digest *out);
void kb_hasher_free(struct kb_hasher *h);

static inline void kb_cleanup_hasher(struct kb_hasher **h)
{
	kb_hasher_free(*h);
}

#endif
