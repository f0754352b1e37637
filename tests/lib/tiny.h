#ifndef KB_TESTS_TINY_H
#define KB_TESTS_TINY_H

#include "lib/scratch.h"

/*
 * The bundle that kb-bundle.5 shows, spelt out: its files, its manifest
 * and its id are literals, because they are the contract.
 */

#define TINY_ID "6fa7abca102a828e82514edc37d17ec7ff4fff2c44a623c96a624b3296860dca"

#define TINY_DECLARATION			\
	"BagIt-Version: 1.0\n"			\
	"Tag-File-Character-Encoding: UTF-8\n"

#define TINY_EMPTY_HEX \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define TINY_ONE_HEX \
	"2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"
#define TINY_RECORD_HEX \
	"ebd5469a53df583b63cefbabf4dbb5655808550715c80c2fc6c463890df00700"

#define TINY_MANIFEST						\
	TINY_EMPTY_HEX "  data/a/empty\n"			\
	TINY_ONE_HEX "  data/a/one.txt\n"			\
	TINY_RECORD_HEX "  data/manifest.json\n"

#define TINY_ONE "one\n"
#define TINY_RECORD "{\"kind\":\"demo\"}"

static const struct {
	const char *name;
	const char *text;
} tiny_files[] = {
	{ "bagit.txt", TINY_DECLARATION },
	{ "manifest-sha256.txt", TINY_MANIFEST },
	{ "data/a/empty", "" },
	{ "data/a/one.txt", TINY_ONE },
	{ "data/manifest.json", TINY_RECORD },
};

#define TINY_FILE_COUNT (sizeof(tiny_files) / sizeof(tiny_files[0]))

/* Write it as a directory, by hand. */
static inline void tiny_make(const char *dir)
{
	for (size_t i = 0; i < TINY_FILE_COUNT; i++) {
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", dir,
						       tiny_files[i].name);

		scratch_print(path, tiny_files[i].text);
	}
}

#endif
