/*
 * Any bytes as something kept. What is taken, printed again, is the same
 * bytes; and what is not taken as it is is taken if its check is made right
 * and nothing else is wrong.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "store/kept.h"

#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_parse(const void *data, size_t size)
{
	static const struct kb_digest key;
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_kept_parse(&k, data, size, &key, &err) < 0) {
		must(err.kind == KB_ERR_CORRUPT);
		must(!k.entries && !k.outcome);
		return;
	}
	for (size_t i = 0; i < k.count; i++)
		must(kb_kept_name_ok(k.entries[i].name));
	kb_kept_print(&again, &k, &key);
	must(again.len == size && !memcmp(again.data, data, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf right = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;

	try_parse(data, size);
	if (size <= HEX_LEN)
		return 0;
	kb_digest_of(&d, data + HEX_LEN + 1, size - HEX_LEN - 1);
	kb_digest_format(&d, hex);
	kb_buf_addf(&right, "%s\n", hex);
	kb_buf_add(&right, data + HEX_LEN + 1, size - HEX_LEN - 1);
	try_parse(right.data, right.len);
	return 0;
}
