/*
 * The text of a bag, from bytes: bagit.txt has one spelling, and a manifest
 * that is accepted prints as the bytes it was read from and declares names
 * that a writer would have accepted too.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/bag.h"
#include "store/bundle.h"
#include "store/name.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds, const char *what)
{
	if (!holds)
		KB_BUG(what);
}

static void fuzz_declaration(const uint8_t *data, size_t size)
{
	static const char want[] = KB_BAG_DECLARATION;
	int same = size == sizeof(want) - 1 && !memcmp(data, want, size);

	require((kb_bag_check_declaration(data, size, NULL) == 0) == same,
		"bagit.txt has a second spelling");
}

static void check_members(const struct kb_bag *bag)
{
	for (size_t i = 0; i < bag->count; i++) {
		const char *name = bag->members[i].name;

		require(kb_bundle_check_name(name, NULL) == 0,
			"a name is not allowed");
		require(kb_bag_find(bag->members, bag->count, name) ==
			&bag->members[i], "a member is not found");
		require(!kb_bag_has_directory(bag->members, bag->count, name),
			"a name is a file and a directory");
		for (size_t k = 0; k < i && i < 64; k++)
			require(kb_name_check_pair(bag->members[k].name, name,
						   NULL) == 0,
				"two names do not go together");
	}
}

static void fuzz_manifest(const uint8_t *data, size_t size)
{
	kb_auto(bag) struct kb_bag bag = KB_BAG_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_bag_parse(&bag, data, size, &err) < 0) {
		require(err.kind == KB_ERR_INPUT && err.msg[0],
			"a refusal without a reason");
		return;
	}
	kb_bag_format(&again, bag.members, bag.count);
	require(again.len == size && !memcmp(again.data, data, size),
		"a manifest has a second spelling");
	check_members(&bag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_declaration(data, size);
	fuzz_manifest(data, size);
	return 0;
}
