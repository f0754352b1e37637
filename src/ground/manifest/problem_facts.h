#ifndef KB_MANIFEST_PROBLEM_FACTS_H
#define KB_MANIFEST_PROBLEM_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"
#include "manifest/remedies.h"
#include "manifest/tensor_facts.h"

struct kb_err;
struct kb_json;
struct kb_problem_audit;

/*
 * The facts that a suite states about a problem: its inputs and outputs, how
 * much work it is, what it needs, and what is known against it. kb-manifest.5
 * says how the numbers are counted. A problem need not have any: then its facts
 * are NULL, and null in the record.
 *
 * Nothing here takes part in a verdict by itself. Which packages a problem
 * requires decides whose versions two times of it must share to be divided by
 * each other (device/division.h).
 */
#define KB_FACTS_TENSORS_MAX 32		/* inputs, and outputs */

/* An argument of forward(). */
struct kb_input_facts {
	char *name;
	char *value;			/* a plain number, "3.5"; or NULL: */
	struct kb_tensor_facts tensor;
};

/* |a - b| <= atol + rtol |b|, as decimals, as given; both or neither. */
struct kb_tolerance_facts {
	char *atol;
	char *rtol;
};

struct kb_words {
	char **items;			/* sorted, each once */
	size_t count;
};

struct kb_problem_facts {
	struct kb_input_facts *inputs;
	size_t input_count;
	struct kb_tensor_facts *outputs;	/* at least one */
	size_t output_count;
	int64_t parameter_count;
	int64_t parameter_bytes[KB_PRECISION_COUNT];
	int64_t flops;
	int64_t bytes_min[KB_PRECISION_COUNT];
	int64_t device_bytes;		/* a floor, at fp32 */
	char *compute_capability;	/* "8.9", or NULL: any */
	struct kb_words packages;	/* of Python, beside torch */
	struct kb_words tags;
	char *note;			/* or NULL */
	struct kb_tolerance_facts tolerance[KB_PRECISION_COUNT];
	struct kb_remedies remedies;	/* named; none: null in the record */
	struct kb_problem_audit *audit;	/* or NULL */
};

void kb_problem_facts_free(struct kb_problem_facts *p);	/* or NULL */

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_problem_facts_to_json(const struct kb_problem_facts *p);

/* The facts of problem `key`; the caller frees `*out`. Fails with
 * KB_ERR_INPUT; the message begins with `where` and names the problem. */
int kb_problem_facts_from_json(struct kb_problem_facts **out,
			       const struct kb_json *v, struct kb_key key,
			       const char *where, struct kb_err *err);

#endif
