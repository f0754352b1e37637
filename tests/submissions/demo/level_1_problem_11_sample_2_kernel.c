/* expected: out_of_memory; takes memory until there is none, and says so */
#include <stdlib.h>

#include <kb_native.h>

#define BLOCK_BYTES ((size_t)64 << 20)

struct block {
	struct block *next;
};

int kb_forward(const struct kb_native_call *call)
{
	static struct block *blocks;
	struct block *block;

	(void)call;
	while ((block = malloc(BLOCK_BYTES))) {
		block->next = blocks;
		blocks = block;
	}
	return KB_NATIVE_NO_MEMORY;
}
