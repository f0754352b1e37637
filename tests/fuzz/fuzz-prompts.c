/*
 * Any bytes as prompts: refused with a reason, or sorted, each problem once,
 * with messages that a generation can record.
 */

#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "prompts/prompts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_recorded(const struct kb_prompt *p)
{
	kb_auto(prompt) struct kb_prompt again = { .messages = NULL };
	kb_auto(json) struct kb_json *line = kb_prompt_to_json(p);

	must(kb_prompt_from_json(&again, line, "again", NULL) == 0);
	must(kb_digest_equal(&again.digest, &p->digest));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(prompts) struct kb_prompts p = KB_PROMPTS_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_prompts_parse(&p, data, size, "fuzz", &err);

	if (ret < 0) {
		must(ret == -KB_ERR_INPUT && err.msg[0] && !p.of);
		return 0;
	}
	must(p.count > 0);
	for (size_t i = 0; i < p.count; i++) {
		must(!i || kb_key_compare(p.of[i - 1].key, p.of[i].key) < 0);
		must(kb_prompts_find(&p, p.of[i].key) == &p.of[i].prompt);
		check_recorded(&p.of[i].prompt);
	}
	return 0;
}
