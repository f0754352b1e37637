#ifndef KB_BASE_ERR_H
#define KB_BASE_ERR_H

/*
 * One error, owned by whoever handles it.
 *
 * A function that can fail takes `struct kb_err *err` as its last
 * parameter and returns 0 or more on success, `-kind` on failure:
 *
 *	struct kb_err err = KB_ERR_INIT;
 *
 *	if (kb_bundle_open(&b, path, &err) < 0)
 *		return kb_err_wrap(&err, "cannot verify '%s'", path);
 *
 * On success `err` is untouched. On failure it holds a complete
 * sentence, without the program name and without a full stop, ready to
 * print. Nothing is allocated, so there is nothing to release.
 *
 * `err` may be NULL when the caller only needs the kind; what has been
 * wrapped on the way is then of kind KB_ERR_SYS, whatever it was.
 */

enum kb_err_kind {
	KB_ERR_USAGE = 1,	/* the command line makes no sense */
	KB_ERR_INPUT,		/* a file parses badly or breaks its schema */
	KB_ERR_CORRUPT,		/* bytes do not match the digest naming them */
	KB_ERR_MISSING,		/* a named thing is not there */
	KB_ERR_SYS,		/* a system call failed; see `sys_errno` */
	KB_ERR_DEVICE,		/* the GPU or its driver refused or went away */
	KB_ERR_TIMEOUT,		/* a worker outlived its budget */
	KB_ERR_INTERRUPTED,	/* the user asked us to stop */
};

#define KB_ERR_MSG_MAX 512	/* bytes, including the NUL */

struct kb_err {
	enum kb_err_kind kind;
	int sys_errno;		/* 0 unless kind is KB_ERR_SYS */
	char msg[KB_ERR_MSG_MAX];
};

#define KB_ERR_INIT { .kind = 0 }

/* Record a failure. Returns -kind, so `return kb_err(...)` reads well. */
int kb_err(struct kb_err *err, enum kb_err_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As kb_err(KB_ERR_SYS), appending strerror(errno). Keeps errno. */
int kb_err_sys(struct kb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Put what we were doing in front of what went wrong, joined by ": ".
 * Keeps the kind and returns -kind. Use it once per layer that knows
 * something the layer below did not.
 */
int kb_err_wrap(struct kb_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* For a function whose 0 says that somebody else failed: 1 where one whose
 * 0 is success returned `ret`. */
static inline int kb_err_or_1(int ret)
{
	return ret < 0 ? ret : 1;
}

/* Hand on an error that was kept apart at first. Returns -kind. */
int kb_err_take(struct kb_err *err, const struct kb_err *from);

#endif
