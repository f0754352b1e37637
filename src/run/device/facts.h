#ifndef KB_DEVICE_FACTS_H
#define KB_DEVICE_FACTS_H

struct kb_json;

/*
 * What machine is this? The CPU device's part of a record's `environment`,
 * as it is now:
 *
 *	device	  kind "cpu", memory_bytes
 *	cpu	  vendor, model, family, model_number, stepping, microcode,
 *		  cores_online, cores_allowed (to this process), smt,
 *		  l1d_cache_bytes, l2_cache_bytes, l3_cache_bytes, governor,
 *		  boost, max_clock_khz
 *	os	  kernel, machine, page_bytes, distribution, libc,
 *		  transparent_hugepages, load_average_1min_milli, begun_utc (now)
 *
 * A fact that could not be read is {"unavailable": "<reason>"}, never a
 * guess. The caller adds the sections that others know about: python,
 * torch, compiler, isolation; and frees the result with kb_json_free().
 */
struct kb_json *kb_environment_cpu(void);

/* The same with `root` in front of /proc, /sys and /etc; for tests. */
struct kb_json *kb_environment_cpu_at(const char *root);

/*
 * The match key of times that were taken on the CPU, in the form of
 * device/match_fields.h. The environment is complete. Kernel and
 * distribution are left out: they change from week to week and times
 * hardly do.
 */
struct kb_json *kb_match_key_cpu(const struct kb_json *environment);

#endif
