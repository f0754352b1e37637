#ifndef KB_CREW_HEADERS_H
#define KB_CREW_HEADERS_H

struct kb_err;
struct kb_kept;
struct kb_source;

/* torch's header for extensions, compiled once for a run by a build without a candidate:
 * see kb_torch_headers.py. */

/* The code of that build; borrowed for ever. */
void kb_headers_source(struct kb_source *out);

/* Unpack into a new folder `dir` what the build left: files that all may read. Fails
 * with KB_ERR_SYS. */
int kb_headers_unpack(const struct kb_kept *k, const char *dir,
		      struct kb_err *err);

#endif
