#include "verify/key.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "device/match_key.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/match_key.h"
#include "verify/checks.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_ARITHMETIC, what, answer, __VA_ARGS__)

static void refuse_field(struct kb_checks *c, const struct kb_mismatch *m)
{
	if (!m->left)
		add(c, "match_key", KB_ANSWER_NO,
		    "'%s' is not there, and in the environment it is '%s'",
		    m->field, m->right);
	else if (!m->right)
		add(c, "match_key", KB_ANSWER_NO,
		    "'%s' is '%s', and no match key of such a device has it",
		    m->field, m->left);
	else
		add(c, "match_key", KB_ANSWER_NO,
		    "'%s' is '%s', and in the environment '%s'", m->field,
		    m->left, m->right);
}

/* These are asked of the system itself, which always answers, so that they
 * have a section that is there. */
static bool is_always_known(const char *field)
{
	return !strncmp(field, "cpu.", 4) || !strncmp(field, "os.", 3) ||
	       !strncmp(field, "gpu.", 4) || !strncmp(field, "driver.", 7);
}

/* Some facts are lists, and their text would be that of what is not known. */
static bool is_list(const struct kb_json *facts, const char *of)
{
	const struct kb_json *v = facts && *of ? kb_json_find(facts, of + 1)
					       : NULL;

	return v && kb_json_type(v) == KB_JSON_ARRAY;
}

/* A fact that is not there equals itself: taken out on both sides, two
 * machines would be one. The stage records each, if only why it is not
 * known. */
static void check_recorded(struct kb_checks *c, const struct kb_conditions *k,
			   const struct kb_json *key)
{
	for (const struct kb_json *v = kb_json_first(key); v;
	     v = kb_json_next(v)) {
		const char *field = kb_json_key(v);
		const size_t len = strcspn(field, ".");
		kb_auto(mem) char *section = kb_xstrndup(field, len);
		const struct kb_json *facts =
			kb_json_find(k->environment, section);

		if (!strcmp(kb_json_string_value(v), "not recorded"))
			add(c, "match_key", KB_ANSWER_NO,
			    "the record does not say '%s', which the match "
			    "key is made from", field);
		else if (is_always_known(field) &&
			 kb_json_find(facts, "unavailable"))
			add(c, "match_key", KB_ANSWER_NO,
			    "the environment says nothing of '%s', which "
			    "can always be asked", section);
		else if (is_list(facts, field + len))
			add(c, "match_key", KB_ANSWER_NO,
			    "'%s' is a list in the environment, and of none a "
			    "match key is made", field);
	}
}

void kb_key_verify(struct kb_checks *c, const struct kb_conditions *k)
{
	kb_auto(json) struct kb_json *key = kb_match_key_of(k->environment,
							    k->policy);
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_match_key_diff(&m, k->match_key, key);
	for (size_t i = 0; i < m.count; i++)
		refuse_field(c, &m.items[i]);
	if (!m.count)
		check_recorded(c, k, key);
	if (!kb_checks_count(c, "match_key", KB_ANSWER_NO))
		add(c, "match_key", KB_ANSWER_OK,
		    "all of it follows from the environment");
}
