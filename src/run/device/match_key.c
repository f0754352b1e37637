#include "device/match_key.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "device/cuda_facts.h"
#include "device/facts.h"
#include "json/json.h"

/* NULL unless it is there and of this type. */
static const struct kb_json *find_typed(const struct kb_json *object,
					const char *name, enum kb_json_type type)
{
	const struct kb_json *v = kb_json_find(object, name);

	return v && kb_json_type(v) == type ? v : NULL;
}

static void put_threads(struct kb_json *key, const struct kb_json *policy)
{
	const struct kb_json *threads = find_typed(policy, "threads", KB_JSON_INT);
	kb_auto(mem) char *text = NULL;

	text = threads ? kb_xasprintf("%" PRId64, kb_json_int_value(threads))
		       : kb_xstrdup("not recorded");
	kb_json_set_string(key, "policy.threads", text);
}

/* There is no field if the settings are those of no other harness. */
static void put_like(struct kb_json *key, const struct kb_json *policy)
{
	const struct kb_json *like = find_typed(policy, "like", KB_JSON_STRING);

	if (like)
		kb_json_set_string(key, "policy.like",
				   kb_json_string_value(like));
}

/* There is no field for random weights. */
static void put_weights(struct kb_json *key, const struct kb_json *environment)
{
	const struct kb_json *sha256 =
		find_typed(kb_json_find(environment, "torch"), "weights_sha256",
			   KB_JSON_STRING);

	if (sha256)
		kb_json_set_string(key, "torch.weights_sha256",
				   kb_json_string_value(sha256));
}

struct kb_json *kb_match_key_of(const struct kb_json *environment,
				const struct kb_json *policy)
{
	const struct kb_json *kind =
		kb_json_find(kb_json_find(environment, "device"), "kind");
	struct kb_json *key = strcmp(kb_json_string_value(kind), "cuda") ?
		kb_match_key_cpu(environment) : kb_match_key_cuda(environment);

	put_threads(key, policy);
	put_like(key, policy);
	put_weights(key, environment);
	return key;
}
