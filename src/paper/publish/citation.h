#ifndef KB_PUBLISH_CITATION_H
#define KB_PUBLISH_CITATION_H

struct kb_buf;
struct kb_publication;

/*
 * How to cite a publication: CITATION.cff, as version 1.2.0 of the Citation
 * File Format has it. The bundles that were asked for are its identifiers.
 *
 * The format wants an author; if none was named it says so in words. A name
 * with a comma is a person's, any other may be anybody's.
 */
#define KB_CITATION_NAME "CITATION.cff"
void kb_citation_print(struct kb_buf *out, const struct kb_publication *p);

#endif
