#include "export/pass_at_k.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/foreign_json.h"
#include "manifest/evaluation.h"

#define KEY_SIZE 32	/* "avg_pass@100", or a problem's number */

void kb_pass_at_k_of(struct kb_pass_at_k *out, const struct kb_evaluation *e,
		     int level)
{
	*out = (struct kb_pass_at_k){
		.problem_ids = kb_xcalloc(e->result_count, sizeof(int)),
		.tries = kb_xcalloc(e->result_count, sizeof(struct kb_tries)),
	};
	for (size_t i = 0; i < e->result_count; i++) {
		const struct kb_result *r = &e->results[i];
		struct kb_tries *t;

		if (r->key.level != level ||
		    r->outcome.status == KB_STATUS_MISSING)
			continue;
		if (!out->count ||
		    out->problem_ids[out->count - 1] != r->key.problem_id)
			out->problem_ids[out->count++] = r->key.problem_id;
		t = &out->tries[out->count - 1];
		t->samples++;
		t->correct += r->outcome.status == KB_STATUS_CORRECT;
	}
	out->at_k_count = kb_at_k_of(out->at_k, out->tries, out->count);
}

void kb_pass_at_k_release(struct kb_pass_at_k *p)
{
	for (size_t i = 0; i < p->at_k_count; i++)
		kb_at_k_release(&p->at_k[i]);
	free(p->problem_ids);
	free(p->tries);
	*p = (struct kb_pass_at_k)KB_PASS_AT_K_INIT;
}

bool kb_pass_at_k_is_told(const struct kb_pass_at_k *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->tries[i].samples > 1)
			return true;
	return false;
}

static void print_averages(struct kb_foreign_json *j,
			   const struct kb_pass_at_k *p)
{
	char key[KEY_SIZE];

	kb_foreign_json_open(j, "averages", '{');
	for (size_t i = 0; i < p->at_k_count; i++) {
		snprintf(key, sizeof(key), "avg_pass@%d", p->at_k[i].k);
		kb_foreign_json_share(j, key, &p->at_k[i].pass);
	}
	kb_foreign_json_close(j, '}');
}

static void print_metadata(struct kb_foreign_json *j,
			   const struct kb_pass_at_k *p)
{
	int64_t samples = 0, correct = 0;
	char key[KEY_SIZE];

	for (size_t i = 0; i < p->count; i++) {
		samples += p->tries[i].samples;
		correct += p->tries[i].correct;
	}
	kb_foreign_json_open(j, "metadata", '{');
	kb_foreign_json_int(j, "total_problems", (int64_t)p->count);
	kb_foreign_json_int(j, "problems_with_samples", (int64_t)p->count);
	kb_foreign_json_int(j, "total_evaluated_samples", samples);
	kb_foreign_json_int(j, "total_correct_samples", correct);
	for (size_t i = 0; i < p->at_k_count; i++) {
		snprintf(key, sizeof(key), "pass@%d_count", p->at_k[i].k);
		kb_foreign_json_int(j, key, (int64_t)p->count);
	}
	kb_foreign_json_close(j, '}');
}

void kb_pass_at_k_print_summary(struct kb_foreign_json *j,
				const struct kb_pass_at_k *p)
{
	print_averages(j, p);
	print_metadata(j, p);
}

static void print_problem(struct kb_foreign_json *j,
			  const struct kb_pass_at_k *p, size_t problem)
{
	const struct kb_tries *t = &p->tries[problem];
	char key[KEY_SIZE];

	snprintf(key, sizeof(key), "%d", p->problem_ids[problem]);
	kb_foreign_json_open(j, key, '{');
	kb_foreign_json_int(j, "total_samples", t->samples);
	kb_foreign_json_int(j, "correct_samples", t->correct);
	for (size_t i = 0; i < p->at_k_count; i++) {
		struct kb_share share;

		kb_at_k_mean(&share, &t->samples, &t->correct, 1,
			     p->at_k[i].k);
		snprintf(key, sizeof(key), "pass@%d", p->at_k[i].k);
		kb_foreign_json_share(j, key, &share);
		kb_share_release(&share);
	}
	kb_foreign_json_close(j, '}');
}

void kb_pass_at_k_print(struct kb_buf *out, const struct kb_pass_at_k *p)
{
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '{');
	kb_pass_at_k_print_summary(&j, p);
	kb_foreign_json_open(&j, "problems", '{');
	for (size_t i = 0; i < p->count; i++)
		print_problem(&j, p, i);
	kb_foreign_json_close(&j, '}');
	kb_foreign_json_close(&j, '}');
}
