/* Any bytes as a profile: what is taken prints to the same bytes, and is shown
 * as tables. */

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "manifest/profile.h"
#include "tables/kernel_table.h"
#include "tables/profile_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT, table = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_profile_parse(&p, data, size, "profile", &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		return 0;
	}
	kb_profile_print(&again, &p);
	must(again.len == size && !memcmp(again.data, data, size));
	kb_profile_table_print(&table, &p, NULL, KB_LOOK_PLAIN);
	must(table.len > 0);
	kb_kernel_table_print(&table, &p, KB_LOOK_PLAIN);
	return 0;
}
