#include "score/baseline_v1.h"

#include "base/err.h"
#include "manifest/baseline.h"
#include "manifest/baseline_v1.h"
#include "measure/time_rule.h"
#include "store/digest.h"

void kb_baseline_v1_complete(struct kb_baseline *b)
{
	if (b->version != KB_BASELINE_V1)
		return;
	for (size_t i = 0; i < b->result_count; i++) {
		struct kb_timing *t = b->results[i].timing;
		struct kb_timing again;

		if (!t)
			continue;
		again = *t;		/* its samples are borrowed */
		kb_time_decide(&again, NULL);
		if (again.time_ns != t->time_ns)
			continue;
		t->low_ns = again.low_ns;
		t->high_ns = again.high_ns;
	}
}

int kb_baseline_v1_refuse(const struct kb_baseline *b,
			  const struct kb_digest *id, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (b->version != KB_BASELINE_V1)
		return 0;
	kb_digest_format(id, hex);
	return kb_err(err, KB_ERR_INPUT,
		      "baseline '%s' has schema_version 1: its times were "
		      "measured in another way, and nothing is divided by "
		      "them; it has to be made anew", hex);
}
