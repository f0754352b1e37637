#include "session/policy.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "device/cuda.h"
#include "device/granted.h"
#include "json/json.h"
#include "manifest/policy_options.h"
#include "session/session.h"
#include "store/quote.h"

#define MIB (1024 * 1024)

/* Decides whether something runs, not how fast: a machine with less than the
 * record's grants what it has. */
static const char memory_member[] = "memory_bytes";

/* Nobody was too slow by the rule of a record that is without it, which the
 * option calls 0. */
static const char slow_member[] = "slow_factor";

static const struct kb_option *find_option(const struct kb_option options[],
					   const char *name)
{
	for (const struct kb_option *o = options; o->name; o++)
		if (!strcmp(o->name, name))
			return o;
	KB_BUG("a session has no such option");
}

static int set_word(const struct kb_option *o, const struct kb_json *policy,
		    const char *member, struct kb_err *err)
{
	return kb_json_read_string(o->value, policy, member, "policy", err);
}

/* A number that is no multiple of the unit differs when policies are
 * compared. */
static int set_number(const struct kb_option *o, const struct kb_json *policy,
		      const char *member, int64_t unit, struct kb_err *err)
{
	int64_t value, *option = o->value;
	int ret = kb_json_read_int(&value, policy, member, 0, KB_JSON_INT_MAX,
				   "policy", err);

	if (ret < 0)
		return ret;
	if (value / unit < o->min || value / unit > o->max)
		return kb_err(err, KB_ERR_INPUT,
			      "policy: '%s' cannot be %" PRId64, member, value);
	*option = value / unit;
	return 0;
}

/* Back to the default, which is a share of what is here. */
static void cap_memory(const struct kb_option *o)
{
	int64_t *mib = o->value;

	if ((uint64_t)*mib > kb_granted_memory_bytes("") / MIB)
		*mib = 0;
}

/* The user of this machine decides about the sandbox, not the maker of the
 * record. */
static int check_sandbox(const struct kb_json *policy, struct kb_err *err)
{
	if (!kb_json_find(policy, "sandbox") ||
	    kb_json_text_is(policy, "sandbox", "strict"))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "policy: 'sandbox' is not as it is here: what was measured "
		      "without one is not measured again");
}

int kb_session_take_policy(const struct kb_option options[],
			   const struct kb_json *policy, struct kb_err *err)
{
	int ret = check_sandbox(policy, err);

	for (const struct kb_policy_option *p = kb_policy_options;
	     p->member && ret >= 0; p++) {
		const char *member = p->member;
		const struct kb_option *o = find_option(options, p->option);

		if (!kb_json_find(policy, member)) {
			if (!strcmp(member, slow_member))
				*(int64_t *)o->value = 0;
			continue;
		}
		ret = p->unit ? set_number(o, policy, member, p->unit, err) :
				set_word(o, policy, member, err);
	}
	cap_memory(find_option(options, "memory-mib"));
	return ret;
}

static void print_member(struct kb_buf *out, const struct kb_json *v)
{
	if (!v)
		kb_buf_addstr(out, "absent");
	else if (kb_json_type(v) == KB_JSON_STRING)
		kb_buf_addstr(out, kb_json_string_value(v));
	else
		kb_json_print(out, v);
}

static int compare_members(const struct kb_json *theirs,
			   const struct kb_json *ours, const char *member,
			   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf left = KB_BUF_INIT, right = KB_BUF_INIT;

	print_member(&left, theirs);
	print_member(&right, ours);
	if (!strcmp(left.data, right.data))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "policy: '%s' is '%s', which cannot be had here: it is "
		      "'%s'", kb_quote_str(member).text,
		      kb_quote_str(left.data).text,
		      kb_quote_str(right.data).text);
}

static int compare_policies(const struct kb_json *theirs,
			    const struct kb_json *ours, struct kb_err *err)
{
	int ret = 0;

	for (const struct kb_json *v = kb_json_first(theirs); v && ret >= 0;
	     v = kb_json_next(v))
		if (strcmp(kb_json_key(v), memory_member))
			ret = compare_members(v, kb_json_find(ours,
							      kb_json_key(v)),
					      kb_json_key(v), err);
	for (const struct kb_json *v = kb_json_first(ours); v && ret >= 0;
	     v = kb_json_next(v))
		if (strcmp(kb_json_key(v), memory_member))
			ret = compare_members(kb_json_find(theirs,
							   kb_json_key(v)),
					      v, kb_json_key(v), err);
	return ret;
}

static int check_room(const char *member, uint64_t wanted, uint64_t there,
		      struct kb_err *err)
{
	if (wanted <= there)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "policy: '%s' is %" PRIu64 ", which cannot be had here: "
		      "there are %" PRIu64, member, wanted, there);
}

int kb_session_check_rooms(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_gpu *gpu = kb_session_gpu(s);
	const uint64_t tensors =
		gpu ? kb_cuda_device(gpu->cuda)->memory_bytes :
		kb_granted_memory_bytes("");
	int ret;

	ret = check_room("threads", (uint64_t)s->machine.launcher.threads,
			 (uint64_t)kb_granted_cpus(""), err);
	if (ret >= 0)
		ret = check_room("tensor_bytes_max",
				 s->run.policy.tensor_bytes_max, tensors, err);
	if (ret >= 0)
		ret = check_room("output_pool_bytes", s->run.policy.pool_bytes,
				 tensors / 2, err);
	return ret;
}

int kb_session_check_policy(const struct kb_session *s,
			    const struct kb_json *policy, struct kb_err *err)
{
	return compare_policies(policy, s->run.conditions.policy, err);
}
