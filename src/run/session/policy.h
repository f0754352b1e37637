#ifndef KB_SESSION_POLICY_H
#define KB_SESSION_POLICY_H

#include "cli/options.h"

struct kb_err;
struct kb_json;
struct kb_session;

/*
 * A session under a policy that a record has, instead of one from options:
 * what was measured is to be measured again in the same way.
 *
 * kb_session_take_policy() sets, before the session is opened, the options
 * that the policy is made from; `options` is the session's table. It fails
 * with KB_ERR_INPUT if a value is none that the option could have had.
 *
 * kb_session_check_policy(), after the conditions are noted, compares the
 * whole policy that the session has with the one it was to have, so that
 * what no option sets, or what this kb does not know, does not pass in
 * silence. Only how much memory a process may use can differ: no more than is
 * here. Fails with KB_ERR_INPUT.
 *
 * kb_session_check_rooms(), where the device is open, fails with KB_ERR_INPUT
 * if this machine has not as many cores or not room for such tensors.
 */
int kb_session_take_policy(const struct kb_option options[],
			   const struct kb_json *policy, struct kb_err *err);
int kb_session_check_policy(const struct kb_session *s,
			    const struct kb_json *policy, struct kb_err *err);
int kb_session_check_rooms(const struct kb_session *s, struct kb_err *err);

#endif
