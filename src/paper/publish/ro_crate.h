#ifndef KB_PUBLISH_RO_CRATE_H
#define KB_PUBLISH_RO_CRATE_H

struct kb_buf;
struct kb_made_files;
struct kb_publication;

/*
 * The description of a publication for programs: the RO-Crate Metadata
 * Document, version 1.2, of an attached crate. Its graph is flat:
 *
 * 	./			the root: title, date, licence, authors, parts
 * 	<id>/			a Dataset for each bundle: kind and id, and what
 * 				it was made from as isBasedOn; its record and
 * 				its list of files are its parts
 * 	#missing-<id>		what that says and is not here
 * 	#make-<id>		a CreateAction for each bundle that says which
 * 				program made it
 * 	#software-<n>		that program, with version, commit and address
 * 	<file>			every other file
 * 	#author-<n>, https://orcid.org/..., http://spdx.org/licenses/...
 *
 * Unknown facts are left out, except the licence, which is "not stated".
 */
#define KB_RO_CRATE_NAME "ro-crate-metadata.json"

/* Append it. `files` are those of the root beside bundles and signatures,
 * and beside this one itself. */
void kb_ro_crate_print(struct kb_buf *out, const struct kb_publication *p,
		       const struct kb_made_files *files);

#endif
