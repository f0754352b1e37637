#include "measure/bench_state.h"

#include "base/clock.h"
#include "base/numbers.h"
#include "base/pause.h"
#include "measure/stopping.h"
#include "worker/fp64_error.h"

static const struct kb_fp64_error_output *
own_error(const struct kb_bench *b, uint32_t output, bool alternate)
{
	return kb_fp64_error_find(alternate ? b->alternate_fp64_error :
				  b->fp64_error, output);
}

static struct kb_limited limit_output(const struct kb_bench *b, uint32_t output,
				      bool alternate)
{
	return (struct kb_limited){
		.dtype = b->plan.outputs[output].dtype,
		.input = kb_plan_first_tensor(&b->plan),
		.stated = b->problem.stated,
		.own = own_error(b, output, alternate),
	};
}

struct kb_error_limits kb_bench_limits(const struct kb_bench *b,
				       uint32_t output, bool alternate)
{
	const struct kb_limited of = limit_output(b, output, alternate);

	return kb_error_limits_of(b->policy->tolerance, &of);
}

struct kb_error_limits kb_bench_reference_limits(const struct kb_bench *b,
						 uint32_t output,
						 bool alternate)
{
	const struct kb_limited of = limit_output(b, output, alternate);

	return kb_reference_limits_of(b->policy->tolerance, &of);
}

bool kb_bench_may_modify(const struct kb_bench *b, enum kb_side side)
{
	return b->modifies_inputs || (side == KB_SIDE_CANDIDATE &&
				      b->policy->accepts_in_place);
}

bool kb_bench_has_alternates(const struct kb_bench *b)
{
	return b->problem.alternate && b->policy->alternate_trials;
}

int kb_bench_draw_rounds(const struct kb_bench *b, bool has_candidate,
			 struct kb_alternate_rounds *rounds, struct kb_err *err)
{
	const bool alternate = has_candidate && kb_bench_has_alternates(b);

	return kb_alternate_rounds_draw(
		rounds, (uint32_t)b->policy->trials,
		alternate ? (uint32_t)b->policy->alternate_trials : 0, err);
}

/* Nothing is timed before the last screen has ended, and what is compiled in one is
 * compiled once more alone. */
#define SCREEN_COMPILES_NS (30 * KB_NS_PER_S)

/* The load time of one runtime says nothing about another. */
void kb_bench_limit_candidate(const struct kb_bench *b, struct kb_worker *w,
			      enum kb_runtime runtime)
{
	const struct kb_launcher *l = b->launcher;
	const int64_t total_ns = kb_total_limit_ns(b->policy,
						   l->run_timeout_ns);

	w->quiet_load_ns = !b->policy->slow_factor ? 0 :
		runtime != b->problem.runtime ? l->run_timeout_ns :
		kb_run_limit_ns(b->policy, l->load_timeout_ns, b->load_ns, 1);
	w->end_ns = total_ns ? kb_awake_ns() + total_ns : 0;
}

void kb_bench_limit_run(const struct kb_bench *b, struct kb_worker *w,
			int64_t reference_call_ns, uint32_t n)
{
	w->run_timeout_ns = kb_run_limit_ns(b->policy,
					    b->launcher->run_timeout_ns,
					    reference_call_ns, n);
	if (b->policy->others)
		w->load_timeout_ns = kb_min_i64(w->load_timeout_ns,
						SCREEN_COMPILES_NS);
}
