#ifndef KB_DEVICE_MATCH_KEY_H
#define KB_DEVICE_MATCH_KEY_H

struct kb_json;

/*
 * The match key of a run, from the environment and the policy of its record:
 * the fields of its kind of device (device/facts.h, device/cuda_facts.h), the
 * threads, the harness whose settings the policy follows (`like`), if any, and
 * the digest of pretrained weights, if the environment has one. Versions of the
 * languages of candidates are not in it, since an eager reference uses none of
 * them; device/division.h compares those that decide some references. Programs
 * that write a record and programs that check one both call this function, so
 * that a key without one of its fields is found out.
 *
 * Both are well formed (manifest/conditions.h). The caller frees the result
 * with kb_json_free().
 */
struct kb_json *kb_match_key_of(const struct kb_json *environment,
				const struct kb_json *policy);

#endif
