#include "manifest/finding.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"

#define SOUND false
#define UNSOUND true

static const struct {
	const char *name;
	bool is_unsound;
} findings[KB_FINDING_COUNT] = {
	[KB_FINDING_INPUT_INDEPENDENT] = { "input_independent", UNSOUND },
	[KB_FINDING_ZERO_OUTPUT] = { "zero_output", UNSOUND },
	[KB_FINDING_CONSTANT_OUTPUT] = { "constant_output", UNSOUND },
	[KB_FINDING_ZEROS_PASS] = { "zeros_pass", UNSOUND },
	[KB_FINDING_ZEROS_PASS_LOOSE] = { "zeros_pass_loose", SOUND },
	[KB_FINDING_CONSTANT_PASSES] = { "constant_passes", UNSOUND },
	[KB_FINDING_CONSTANT_PASSES_LOOSE] = { "constant_passes_loose",
					       SOUND },
	[KB_FINDING_OTHER_INPUT_PASSES] = { "other_input_passes", UNSOUND },
	[KB_FINDING_OTHER_INPUT_PASSES_LOOSE] = { "other_input_passes_loose",
						  SOUND },
	[KB_FINDING_IDENTITY] = { "identity", UNSOUND },
	[KB_FINDING_REMOVABLE] = { "removable", SOUND },
	[KB_FINDING_NOT_REPRODUCIBLE] = { "not_reproducible", UNSOUND },
	[KB_FINDING_RANDOM] = { "random", UNSOUND },
	[KB_FINDING_TOLERANCE_LOOSE] = { "tolerance_loose", SOUND },
	[KB_FINDING_TOLERANCE_TIGHT] = { "tolerance_tight", SOUND },
	[KB_FINDING_ROUNDING_CHOOSES] = { "rounding_chooses", UNSOUND },
	[KB_FINDING_NOT_FINITE] = { "not_finite", UNSOUND },
};

const char *kb_finding_name(enum kb_finding finding)
{
	if ((unsigned)finding >= KB_FINDING_COUNT)
		KB_BUG("no such finding");
	return findings[finding].name;
}

bool kb_finding_is_unsound(enum kb_finding finding)
{
	return findings[finding].is_unsound;
}

void kb_findings_release(struct kb_findings *f)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		free(f->evidence[i]);
	*f = (struct kb_findings)KB_FINDINGS_INIT;
}

bool kb_findings_sound(const struct kb_findings *f)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (f->evidence[i] && findings[i].is_unsound)
			return false;
	return true;
}

struct kb_json *kb_findings_to_json(const struct kb_findings *f)
{
	struct kb_json *array = kb_json_array();

	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		struct kb_json *v;

		if (!f->evidence[i])
			continue;
		v = kb_json_object();
		kb_json_set_string(v, "finding", findings[i].name);
		kb_json_set_string(v, "evidence", f->evidence[i]);
		kb_json_append(array, v);
	}
	return array;
}

/* Returns which one it is. */
static int read_one(struct kb_findings *out, struct kb_fields *f,
		    const struct kb_json *v, int after)
{
	const char *names[KB_FINDING_COUNT];
	struct kb_fields inner;
	char *evidence;
	int i;

	for (int k = 0; k < KB_FINDING_COUNT; k++)
		names[k] = findings[k].name;
	kb_fields_begin(&inner, v, f->where, f->err);
	i = kb_fields_word(&inner, "finding", names, KB_FINDING_COUNT);
	evidence = kb_fields_string(&inner, "evidence");
	if (i <= after)
		kb_fields_fail(&inner, "finding '%s' is there twice or out of order",
			       names[i]);
	f->ret = kb_fields_end(&inner);
	if (f->ret < 0)
		free(evidence);
	else
		out->evidence[i] = evidence;
	return i;
}

void kb_findings_read(struct kb_findings *out, struct kb_fields *f,
		      const char *key)
{
	const struct kb_json *array = kb_fields_array(f, key);
	int last = -1;

	if (!array)
		return;
	for (const struct kb_json *v = kb_json_first(array); v && f->ret >= 0;
	     v = kb_json_next(v))
		last = read_one(out, f, v, last);
}
