#include "verify/floor.h"

#include <string.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "manifest/problem_audit.h"
#include "manifest/problem_facts.h"
#include "verify/peaks.h"

/* Rounded down, as is everything here. No record's sizes are beyond 64 bits
 * after this, as no device moves less than a byte a nanosecond. */
static int64_t memory_ns(int64_t bytes, const struct kb_peak *peak)
{
	const int64_t paid = bytes - 2 * (peak->l2_mib << 20);

	if (paid <= 0)
		return 0;
	/* Bytes by MB/s are microseconds. */
	return (int64_t)((__int128)paid * 1000 * KB_PPM /
			 ((__int128)peak->memory_mb_per_s *
			  (KB_PPM + KB_PEAK_MEMORY_SLACK_PPM)));
}

/* Operations by GOP/s are nanoseconds. */
static int64_t arithmetic_ns(int64_t operations, const struct kb_peak *peak)
{
	return (int64_t)((__int128)operations * KB_PPM /
			 ((__int128)peak->arithmetic_gop_per_s *
			  (KB_PPM + KB_PEAK_ARITHMETIC_SLACK_PPM)));
}

static bool is_tensor(const struct kb_input_facts *input)
{
	return !input->value;
}

/* Integers may be indices: of what they select from, little may be read. */
static bool may_select(const struct kb_problem_facts *f)
{
	for (size_t i = 0; i < f->input_count; i++)
		if (is_tensor(&f->inputs[i]) &&
		    kb_dtype_class(f->inputs[i].tensor.dtype) !=
			    KB_CLASS_FLOAT)
			return true;
	return false;
}

/* Half of every input: one that is triangular or symmetric is known from the
 * other half. */
static int64_t read_bytes(const struct kb_problem_facts *f,
			  enum kb_precision precision)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < f->input_count; i++)
		if (is_tensor(&f->inputs[i]))
			bytes += kb_tensor_facts_bytes(&f->inputs[i].tensor,
						       precision);
	return may_select(f) ? 0 : bytes / 2;
}

static int64_t written_bytes(const struct kb_problem_facts *f,
			     enum kb_precision precision)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < f->output_count; i++)
		bytes += kb_tensor_facts_bytes(&f->outputs[i], precision);
	return bytes;
}

static __int128 count_elements(const struct kb_tensor_facts *t)
{
	__int128 n = 1;

	for (size_t i = 0; i < t->dim_count; i++)
		n *= t->shape[i];
	return n;
}

/* With matrices m x k and k x n, the product of the sizes of both and of the
 * result is (m k n)^2, and a dense product has 2 m k n operations. Fewer
 * elements for as many operations mean that one of them is no matrix: a
 * diagonal, say, which multiplies in far fewer. A batch only adds elements. */
static bool is_dense_product(const struct kb_problem_facts *f)
{
	const __int128 half = f->flops / 2;

	if (f->tags.count != 1 || strcmp(f->tags.items[0], "matmul") ||
	    f->input_count != 2 || f->output_count != 1 ||
	    !is_tensor(&f->inputs[0]) || !is_tensor(&f->inputs[1]))
		return false;
	/* Sizes are below 2^53 bytes; two factors at a time fit. */
	return half * half /
		   kb_max_i64((int64_t)count_elements(&f->outputs[0]), 1) <=
	       count_elements(&f->inputs[0].tensor) *
		   count_elements(&f->inputs[1].tensor);
}

/* A floor holds for whoever does the work. Where the audit found that an answer
 * passes without some of the work, an honest candidate may leave it out and be
 * faster than the floor. */
static bool is_binding(const struct kb_problem_audit *a)
{
	static const enum kb_finding excuses[] = {
		KB_FINDING_INPUT_INDEPENDENT, KB_FINDING_ZERO_OUTPUT,
		KB_FINDING_CONSTANT_OUTPUT, KB_FINDING_REMOVABLE,
	};

	if (!a || !kb_findings_sound(&a->findings))
		return false;
	for (size_t i = 0; i < KB_ARRAY_LEN(excuses); i++)
		if (a->findings.evidence[excuses[i]])
			return false;
	return true;
}

void kb_floor_of(struct kb_floor *out, const struct kb_problem_facts *facts,
		 enum kb_precision precision, const struct kb_peak *peak)
{
	/* Strassen's algorithm multiplies matrices of 2 x 2 blocks in 7
	 * products of blocks and not 8; twice, 49/64 are left. Divided first,
	 * which rounds down and does not overflow. */
	const int64_t needed =
		is_dense_product(facts) ? facts->flops / 64 * 49 : 0;
	const int64_t moved_ns = memory_ns(read_bytes(facts, precision) +
					   written_bytes(facts, precision),
					   peak);

	out->needed_operations = needed;
	out->floor_ns = kb_max_i64(moved_ns, arithmetic_ns(needed, peak));
	out->stated_memory_ns =
		kb_max_i64(memory_ns(facts->bytes_min[precision], peak),
			   moved_ns);
	out->stated_ns = kb_max_i64(out->stated_memory_ns,
				    arithmetic_ns(facts->flops, peak));
	out->stated_ns = kb_max_i64(out->stated_ns, out->floor_ns);
	out->binds = is_binding(facts->audit);
}
