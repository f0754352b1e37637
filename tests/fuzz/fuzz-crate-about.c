/*
 * Any bytes as the metadata of a publication. What is taken names bundles by
 * ids, and authors by names.
 */

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "publish/about.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(crate_about) struct kb_crate_about a = KB_CRATE_ABOUT_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_crate_about_parse(&a, data, size, &err);

	must((ret == 0) == (err.kind == 0));
	if (ret < 0) {
		must(ret == -KB_ERR_INPUT);
		return 0;
	}
	must(a.about.title && a.about.date && a.maker && a.asked_count);
	for (size_t i = 0; i < a.about.author_count; i++)
		must(a.about.authors[i].name);
	/* Whether these can be written again or not, it is said. */
	ret = kb_publication_check_about(&a.about, NULL);
	must(ret == 0 || ret == -KB_ERR_USAGE);
	return 0;
}
