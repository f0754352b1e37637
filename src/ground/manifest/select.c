#include "manifest/select.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/problem_audit.h"

/* A list's next item, copied and NUL-terminated; NULL at its end. There is
 * one more than there are commas: "a," ends with an empty one. */
static char *next_item(const char **list)
{
	const char *start = *list;
	size_t len;

	if (!start)
		return NULL;
	len = strcspn(start, ",");
	*list = start[len] ? start + len + 1 : NULL;
	return kb_xstrndup(start, len);
}

/* A level is the first half of a key. */
static int parse_level(int *out, const char *text, struct kb_err *err)
{
	kb_auto(mem) char *key_text = kb_xasprintf("%s/1", text);
	struct kb_key key;

	if (kb_key_parse(&key, key_text, NULL) < 0)
		return kb_err(err, KB_ERR_USAGE, "'%s' is not a level", text);
	*out = key.level;
	return 0;
}

static bool suite_has_level(const struct kb_suite *suite, int level)
{
	for (size_t i = 0; i < suite->problem_count; i++)
		if (suite->problems[i].key.level == level)
			return true;
	return false;
}

static int keep_sound(bool keep[], const struct kb_suite *suite,
		      struct kb_err *err)
{
	bool has_audit = false;

	for (size_t i = 0; i < suite->problem_count; i++) {
		const struct kb_problem_audit *a =
			kb_suite_audit_of(suite, suite->problems[i].key);

		has_audit |= a != NULL;
		keep[i] &= a && kb_findings_sound(&a->findings);
	}
	if (has_audit)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "suite '%s' has no audit that says which problems are "
		      "sound", suite->name);
}

static int keep_problems(bool keep[], const struct kb_suite *suite,
			 const char *list, struct kb_err *err)
{
	kb_auto(mem) bool *named = kb_xcalloc(suite->problem_count, 1);

	if (!strcmp(list, KB_SELECT_SOUND))
		return keep_sound(keep, suite, err);
	for (;;) {
		kb_auto(mem) char *item = next_item(&list);
		const struct kb_problem *p;
		struct kb_err why = KB_ERR_INIT;
		struct kb_key key;

		if (!item)
			break;
		if (kb_key_parse(&key, item, &why) < 0)
			return kb_err(err, KB_ERR_USAGE,
				      "option '--problems': %s", why.msg);
		p = kb_suite_find(suite, key);
		if (!p)
			return kb_err(err, KB_ERR_INPUT,
				      "suite '%s' has no problem '%s'",
				      suite->name, item);
		named[p - suite->problems] = true;
	}
	for (size_t i = 0; i < suite->problem_count; i++)
		keep[i] &= named[i];
	return 0;
}

static int keep_levels(bool keep[], const struct kb_suite *suite,
		       const char *list, struct kb_err *err)
{
	bool named[KB_LEVEL_MAX + 1] = { false };

	for (;;) {
		kb_auto(mem) char *item = next_item(&list);
		int level = 0, ret;

		if (!item)
			break;
		ret = parse_level(&level, item, err);
		if (ret < 0)
			return ret;
		if (!suite_has_level(suite, level))
			return kb_err(err, KB_ERR_INPUT,
				      "suite '%s' has no level %d",
				      suite->name, level);
		named[level] = true;
	}
	for (size_t i = 0; i < suite->problem_count; i++)
		keep[i] &= named[suite->problems[i].key.level];
	return 0;
}

int kb_select(struct kb_key **out, size_t *count, const struct kb_suite *suite,
	      const char *problems, const char *levels, struct kb_err *err)
{
	kb_auto(mem) bool *keep = kb_xmalloc(suite->problem_count);
	int ret = 0;

	/* Options narrow a selection one after the other: what both name is
	 * kept. The result is in the suite's order whatever order the options
	 * were in, because it goes into records. */
	memset(keep, true, suite->problem_count);
	if (problems)
		ret = keep_problems(keep, suite, problems, err);
	if (!ret && levels)
		ret = keep_levels(keep, suite, levels, err);
	if (ret < 0)
		return ret;

	*out = kb_xcalloc(suite->problem_count, sizeof(**out));
	*count = 0;
	for (size_t i = 0; i < suite->problem_count; i++)
		if (keep[i])
			(*out)[(*count)++] = suite->problems[i].key;
	if (*count)
		return 0;
	free(*out);
	*out = NULL;
	return kb_err(err, KB_ERR_INPUT, "no problem of suite '%s' is selected",
		      suite->name);
}
