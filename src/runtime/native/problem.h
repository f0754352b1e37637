#ifndef KB_RUNTIME_NATIVE_PROBLEM_H
#define KB_RUNTIME_NATIVE_PROBLEM_H

#include <stdint.h>

struct kb_err;
struct kb_native_problem;
struct kb_native_spec;
struct kbrt;

/*
 * What a native problem says about itself, and doing as it says.
 */

/*
 * Can kb run this problem? Looks at every field, as kb-native(7) lists
 * them. Fails with KB_ERR_INPUT; the message names the field.
 */
int kb_problem_check(const struct kb_native_problem *p, struct kb_err *err);

/*
 * Write the plan and the state of `p`, which was checked: the parameters
 * are drawn from the seed of the current request as stream 0, parameter i as
 * draw i. Fails as the functions of runtime/lib/kbrt.h do.
 */
int kb_problem_publish(struct kbrt *rt, const struct kb_native_problem *p,
		       struct kb_err *err);

/* Draw the inputs of `slot`, input i as draw i of `stream`; on a device that
 * is queued. Fails likewise. */
int kb_problem_generate(struct kbrt *rt, const struct kb_native_problem *p,
			uint32_t slot, uint32_t stream, struct kb_err *err);

#endif
