/*
 * Any bytes as a file of problems to leave out. What is taken is sorted, has
 * each problem once, and reasons that are lines.
 */

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "manifest/backward.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_left_out(const struct kb_backward *b, size_t i)
{
	const struct kb_left_out *l = &b->left_out[i];
	const size_t len = strlen(l->reason);

	must(len >= 1 && len <= KB_REASON_BYTES_MAX);
	must(!strchr(l->reason, '\n'));
	must(kb_backward_find(b, l->key) == l);
	must(!i || kb_key_compare(l[-1].key, l->key) < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(backward) struct kb_backward b = KB_BACKWARD_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_backward_parse(&b, data, size, "fuzz", &err);

	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	must((ret == 0) == b.is_set);
	for (size_t i = 0; i < b.count; i++)
		check_left_out(&b, i);
	return 0;
}
