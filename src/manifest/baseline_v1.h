#ifndef KB_MANIFEST_BASELINE_V1_H
#define KB_MANIFEST_BASELINE_V1_H

struct kb_err;
struct kb_json;
struct kb_reference_result;

/*
 * Baselines of version 1, which are read until those that were published are
 * all made anew. Their record is that of version 2. A line has `oracle` for
 * fp64_reference_error and timings of another form; it is read into the same
 * struct:
 *
 *	- nothing had been subtracted by the device's clock: copy_in_small_ns
 *	  and copy_in_large_ns are 0
 *	- `call_time_ns` is the time, from the slope
 *	- `method` is "slope" or "single". Of a single time there were runs of
 *	  one size alone, divided by it; they become large_ns, beside as many
 *	  small_ns of 0 with n_small 0, a slope of the same time
 *	- by the call clock there were no intervals: low_ns and high_ns are
 *	  KB_UNKNOWN whatever the samples say, see score/baseline_v1.h
 *
 * What decided and was not the slope (`few_calls`, `publishing`) is refused:
 * a reference alone had nothing else.
 */
#define KB_BASELINE_V1 1

/* As kb_reference_result_from_json(). */
int kb_reference_result_from_json_v1(struct kb_reference_result *r,
				     const struct kb_json *line,
				     const char *where, struct kb_err *err);

#endif
