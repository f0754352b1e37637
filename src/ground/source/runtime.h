#ifndef KB_SOURCE_RUNTIME_H
#define KB_SOURCE_RUNTIME_H

#include <stddef.h>

struct kb_err;

/* How code is loaded; by the extension of its file. */
enum kb_runtime {
	KB_RUNTIME_TORCH,		/* ".py" */
	KB_RUNTIME_NATIVE,		/* ".c" */
	KB_RUNTIME_CUDA,		/* ".cu" */
	KB_RUNTIME_COUNT,		/* not a runtime */
};

const char *kb_runtime_name(enum kb_runtime runtime);		/* "torch" */
const char *kb_runtime_extension(enum kb_runtime runtime);	/* ".py" */

/* Fails with KB_ERR_INPUT. */
int kb_runtime_parse(enum kb_runtime *out, const char *name,
		     struct kb_err *err);

/*
 * The runtime of a file by the end of its name, or KB_RUNTIME_COUNT if it
 * is neither. `stem_len`, if not NULL, receives the length of what stands
 * before the extension.
 */
enum kb_runtime kb_runtime_of_file(const char *name, size_t *stem_len);

#endif
