#ifndef KB_JSON_BUILD_H
#define KB_JSON_BUILD_H

#include <stddef.h>

struct kb_json;
struct kb_json_pool;

/*
 * The value of bytes that kb_json_scan() accepted, in `pool`: no longer than its
 * next reset, and not to be changed. There is nothing to refuse, so that this
 * takes half of what cJSON's parser does. Fractions are read by the thread's
 * locale.
 */
const struct kb_json *kb_json_build(struct kb_json_pool *pool,
				    const char *data, size_t len);

#endif
