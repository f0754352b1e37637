#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lib/kbrt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint8_t sink;

/* A state that is accepted can be read: all names end, all data is inside
 * and behind the entries. */
static void read_all(const uint8_t *state, size_t size)
{
	const struct kb_state_header *header = (const void *)state;
	const struct kb_state_entry *entries = (const void *)(header + 1);
	const uint8_t *data_from = (const void *)(entries + header->count);

	for (uint32_t i = 0; i < header->count; i++) {
		const uint8_t *first = state + entries[i].offset_bytes;
		uint64_t bytes = kb_tensor_bytes(&entries[i].spec);

		if (strnlen(entries[i].name, KB_STATE_NAME_BYTES) ==
		    KB_STATE_NAME_BYTES || first < data_from ||
		    bytes > size)
			abort();
		if (bytes)
			sink = first[0] ^ first[bytes - 1];
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *state = malloc(size ? size : 1);	/* aligned to 8 */

	if (!state)
		abort();
	if (size)
		memcpy(state, data, size);
	if (kbrt_state_check(state, size, NULL) == 0)
		read_all(state, size);
	free(state);
	return 0;
}
