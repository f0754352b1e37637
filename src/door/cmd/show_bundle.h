#ifndef KB_CMD_SHOW_BUNDLE_H
#define KB_CMD_SHOW_BUNDLE_H

struct kb_buf;
struct kb_bundle;
struct kb_err;

/*
 * Describe a bundle of `store`, a line for each thing: its kind and id, its
 * names, what it was made from, how many there are of what, on what machine;
 * then commands that can be typed next. All of its bytes were checked when it
 * was opened; its parents are looked up, and need not be there. Fails as
 * kb_record_check().
 */
int kb_show_bundle(struct kb_buf *out, const struct kb_bundle *b,
		   const char *store, struct kb_err *err);

#endif
