#include "import/cuda_l1.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "import/sources.h"
#include "json/json.h"

static size_t line_len(const char *at, const char *end)
{
	const char *feed = memchr(at, '\n', (size_t)(end - at));

	return (size_t)((feed ? feed : end) - at);
}

bool kb_cuda_l1_is(const void *data, size_t len)
{
	kb_auto(json) struct kb_json *v = NULL;
	const char *at = data;

	return len &&
	       kb_json_parse(&v, at, line_len(at, at + len), KB_JSON_FOREIGN,
			     "", NULL) == 0 &&
	       kb_json_type(v) == KB_JSON_OBJECT &&
	       kb_json_find(v, "level_id") && kb_json_find(v, "task_id");
}

static int add_line(struct kb_sources *sources, const struct kb_json *v,
		    const char *where, struct kb_err *err)
{
	struct kb_source_file item = { .runtime = KB_RUNTIME_TORCH };
	const char *code = NULL;
	int64_t level = 0, task = 0;
	int ret = kb_json_read_int(&level, v, "level_id", 1, KB_LEVEL_MAX,
				   where, err);

	if (ret == 0)
		ret = kb_json_read_int(&task, v, "task_id", 1,
				       KB_PROBLEM_ID_MAX, where, err);
	if (ret == 0)
		ret = kb_json_read_string_or_null(&code, v, "custom_code",
						  where, err);
	if (ret < 0 || !code)
		return ret;
	item.key = (struct kb_key){ (int)level, (int)task };
	item.origin = kb_xstrdup(where);
	return kb_sources_add_text(sources, &item, code, err);
}

int kb_cuda_l1_parse(struct kb_sources *sources, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	const char *at = data, *end = at + len;

	for (size_t number = 1; at < end; number++) {
		const size_t n = line_len(at, end);
		kb_auto(mem) char *where = kb_xasprintf("line %zu of %s",
							number, name);
		kb_auto(json) struct kb_json *v = NULL;
		int ret = kb_json_parse(&v, at, n, KB_JSON_FOREIGN, where,
					err);

		if (ret == 0)
			ret = add_line(sources, v, where, err);
		if (ret < 0)
			return ret;
		at += n + (at + n < end);
	}
	return 0;
}
