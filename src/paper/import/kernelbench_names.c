#include "import/kernelbench_names.h"

#include <stddef.h>

#include "base/alloc.h"
#include "kernelbench_files.h"

static const char *const level1[] = { KB_LEVEL1_FILES };
static const char *const level2[] = { KB_LEVEL2_FILES };
static const char *const level3[] = { KB_LEVEL3_FILES };
static const char *const level4[] = { KB_LEVEL4_FILES };

static const struct {
	const char *const *names;
	int count;
} levels[] = {
	{ level1, KB_ARRAY_LEN(level1) }, { level2, KB_ARRAY_LEN(level2) },
	{ level3, KB_ARRAY_LEN(level3) }, { level4, KB_ARRAY_LEN(level4) },
};

int kb_kernelbench_count(int level)
{
	return level >= 1 && level <= (int)KB_ARRAY_LEN(levels) ?
		       levels[level - 1].count : 0;
}

const char *kb_kernelbench_name(struct kb_key key)
{
	if (key.problem_id < 1 ||
	    key.problem_id > kb_kernelbench_count(key.level))
		return NULL;
	return levels[key.level - 1].names[key.problem_id - 1];
}
