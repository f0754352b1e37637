#ifndef KB_RUNTIME_NATIVE_PROBLEM_H
#define KB_RUNTIME_NATIVE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/protocol.h"

struct kb_err;
struct kb_native_problem;
struct kb_native_spec;
struct kbrt;

/*
 * The description of a native problem, and its use.
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

/*
 * The change of inputs where the supervisor asks for alternate ones: elements x
 * become scale * x + shift. Here they are drawn so at once. All 0 is none.
 */
struct kb_native_change {
	struct {
		bool is_changed;
		double scale, shift;
	} inputs[KB_INPUTS_MAX];
};

/* From the text that worker/protocol.h describes. False if it makes no
 * sense. */
bool kb_native_change_parse(struct kb_native_change *out, const char *text);

/* Fails with KB_ERR_INPUT if it names an input of `p` that is not drawn from a
 * uniform or normal distribution, or if its scale and shift leave that
 * distribution invalid. `p` was checked before. */
int kb_native_change_check(const struct kb_native_change *r,
			   const struct kb_native_problem *p,
			   struct kb_err *err);

/* Draw the inputs of `slot`, input i as draw i of `stream`; on a device that
 * is queued. `change` is NULL for inputs as the problem says. Fails as
 * kb_problem_publish(). */
int kb_problem_generate(struct kbrt *rt, const struct kb_native_problem *p,
			const struct kb_native_change *change, uint32_t slot,
			uint32_t stream, struct kb_err *err);

#endif
