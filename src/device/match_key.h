#ifndef KB_DEVICE_MATCH_KEY_H
#define KB_DEVICE_MATCH_KEY_H

struct kb_json;

/*
 * The match key of a run, made from what its record has anyway: the fields of
 * its kind of device (device/facts.h, device/cuda_facts.h), the policy's
 * threads, and the digest of pretrained weights where the environment has one.
 * Who writes a record and who checks it make it with this function, so that a
 * key has all of its fields or is not one.
 *
 * Both are well formed (manifest/conditions.h). The caller frees the result
 * with kb_json_free().
 */
struct kb_json *kb_match_key_of(const struct kb_json *environment,
				const struct kb_json *policy);

#endif
