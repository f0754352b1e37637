#ifndef KB_AUDIT_VERDICTS_H
#define KB_AUDIT_VERDICTS_H

struct kb_audit;
struct kb_json;

/*
 * The verdicts of an audit, for people who state a suite: an object of
 * problems, each with "sound", "findings", "device" (a name) and "tool_commit"
 * (a string or null). Problems that were not audited are not in it. The caller
 * owns the result.
 */
struct kb_json *kb_audit_verdicts(const struct kb_audit *a);

#endif
