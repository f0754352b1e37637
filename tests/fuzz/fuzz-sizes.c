/*
 * Any bytes as a file of sizes. What is taken is sorted, of constants that
 * may be, and within limits; and once it is applied to a module that has these
 * constants, the module has the new values.
 */

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "manifest/record.h"
#include "manifest/sizes.h"
#include "source/python_constant.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_size(const struct kb_sizes *s, size_t i)
{
	const struct kb_size *size = &s->items[i];

	must(kb_constant_name_valid(size->constant));
	must(size->before == KB_UNKNOWN);
	must(size->after >= 1 && size->after <= KB_CONSTANT_MAX);
	if (!i || kb_key_compare(size[-1].key, size->key) < 0)
		return;
	must(!kb_key_compare(size[-1].key, size->key));
	must(strcmp(size[-1].constant, size->constant) < 0);
}

/* Names that are keywords of Python or of what is refused are not tried. */
static void check_applied(const struct kb_sizes *s, struct kb_key key)
{
	kb_auto(buf) struct kb_buf module = KB_BUF_INIT, want = KB_BUF_INIT;
	struct kb_size *sizes;
	size_t count;

	sizes = kb_sizes_find(s, key, &count);
	must(sizes && count);
	for (size_t i = 0; i < count; i++) {
		kb_buf_addf(&module, "%s = 0\n", sizes[i].constant);
		kb_buf_addf(&want, "%s = %" PRId64 "\n", sizes[i].constant,
			    sizes[i].after);
	}
	if (kb_sizes_apply(&module, sizes, count, NULL) < 0)
		return;
	must(!strcmp(module.data, want.data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(sizes) struct kb_sizes s = KB_SIZES_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_sizes_parse(&s, data, size, "fuzz", &err);

	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	must((ret == 0) == (s.count > 0));
	for (size_t i = 0; i < s.count; i++)
		check_size(&s, i);
	if (s.count)
		check_applied(&s, s.items[s.count - 1].key);
	return 0;
}
