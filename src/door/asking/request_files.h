#ifndef KB_ASKING_REQUEST_FILES_H
#define KB_ASKING_REQUEST_FILES_H

#include <stddef.h>

struct kb_err;
struct kb_work;

/* Limits of one request file. */
struct kb_request_limits {
	size_t requests;
	size_t bytes;
};

/*
 * Write request files for all lines that are open, and delete those of
 * before. `count` receives how many files there are. Fails with KB_ERR_SYS,
 * KB_ERR_INPUT if one request is larger than a file.
 */
int kb_request_files_write(const struct kb_work *w,
			   const struct kb_request_limits *limits,
			   size_t *count, struct kb_err *err);

/* The path of request file `n`, from 1; the caller frees. */
char *kb_request_file_path(const struct kb_work *w, size_t n);

#endif
