#include "manifest/like.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/records.h"
#include "lib/tap.h"

static void test_every_name_has_settings(void)
{
	check(!kb_like_find("") && !kb_like_find("v3"));
	for (size_t i = 0; kb_like_names[i]; i++) {
		const struct kb_like *like = kb_like_find(kb_like_names[i]);

		check(like && !strcmp(like->name, kb_like_names[i]));
		check(like && like->settings->option);
	}
}

#define SAID "'like' is 'kernelbench', "

static void test_a_policy_has_each_setting_that_means_something(void)
{
	static const struct {
		const char *policy;
		enum kb_kind kind;
		bool is_cuda;
		const char *message;	/* NULL: it has */
	} table[] = {
		{ "{}", KB_KIND_BASELINE, false,
		  SAID "whose 'tolerance' is 'kernelbench', and here it is "
		  "'absent'" },
		{ "{\"tolerance\":\"kernelbench\",\"weights_seed\":42}",
		  KB_KIND_BASELINE, false, NULL },
		{ "{\"tolerance\":\"paper\",\"weights_seed\":42}",
		  KB_KIND_BASELINE, false,
		  SAID "whose 'tolerance' is 'kernelbench', and here it is "
		  "'paper'" },
		{ "{\"tolerance\":\"kernelbench\",\"weights_seed\":43}",
		  KB_KIND_BASELINE, false,
		  SAID "whose 'weights_seed' is '42', and here it is '43'" },
		{ "{\"tolerance\":\"kernelbench\",\"weights_seed\":42}",
		  KB_KIND_EVALUATION, false,
		  SAID "whose 'in_place' is 'accept', and here it is "
		  "'absent'" },
		{ "{\"in_place\":\"accept\",\"tolerance\":\"kernelbench\","
		  "\"weights_seed\":42}", KB_KIND_EVALUATION, false,
		  SAID "whose 'candidate_weights' is 'own', and here it is "
		  "'absent'" },
		{ "{\"candidate_weights\":\"own\",\"in_place\":\"accept\","
		  "\"tolerance\":\"kernelbench\",\"weights_seed\":42}",
		  KB_KIND_EVALUATION, false, NULL },
		{ "{\"candidate_weights\":\"own\",\"in_place\":\"accept\","
		  "\"seeds\":\"42,43\","
		  "\"tolerance\":\"kernelbench\",\"weights_seed\":42}",
		  KB_KIND_EVALUATION, false,
		  SAID "which has one seed, and the policy has 'seeds'" },
		{ "{\"deterministic\":\"off\",\"precision\":\"fp32\","
		  "\"tf32\":\"torch\",\"tolerance\":\"kernelbench\","
		  "\"weights_seed\":42}", KB_KIND_BASELINE, true, NULL },
		{ "{\"deterministic\":\"off\",\"precision\":\"fp32\","
		  "\"tf32\":\"off\",\"tolerance\":\"kernelbench\","
		  "\"weights_seed\":42}", KB_KIND_BASELINE, true,
		  SAID "whose 'tf32' is 'torch', and here it is 'off'" },
		{ "{\"deterministic\":\"off\",\"precision\":16,"
		  "\"tf32\":\"off\",\"tolerance\":\"kernelbench\","
		  "\"weights_seed\":42}", KB_KIND_BASELINE, true,
		  SAID "whose 'precision' is 'fp32', and here it is '16'" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		kb_auto(json) struct kb_json *policy =
			record_parse(table[i].policy);
		struct kb_err err = KB_ERR_INIT;

		kb_like_check(kb_like_find("kernelbench"), policy,
			      table[i].kind, table[i].is_cuda, &err);
		check_str(err.msg, table[i].message ? table[i].message : "");
	}
}

TAP_MAIN(TAP(test_every_name_has_settings),
	 TAP(test_a_policy_has_each_setting_that_means_something));
