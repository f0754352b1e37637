#ifndef KB_DEVICE_GPU_HEALTH_H
#define KB_DEVICE_GPU_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

struct kb_err;
struct kb_nvml;

/*
 * Whether a GPU has gone bad: what NVML tells of its memory and of processes, and
 * whether the GPU still answers. What NVML does not tell is KB_NVML_UNKNOWN,
 * which is not bad, and neither is what was there before.
 */
struct kb_gpu_health {
	int64_t uncorrected_errors;	/* of ECC, since the driver's start */
	int64_t replacement_pending;	/* 1: memory that failed waits for a reset
					   to be replaced */
	int64_t replacement_failed;	/* 1: it cannot be replaced */
	int64_t dead_processes;		/* that have ended, and are still on it */
};

/*
 * Look, in some milliseconds: not while anything is timed. Without `n`, which
 * may be NULL, all is unknown. Fails with KB_ERR_DEVICE if the GPU is lost or
 * does nothing before it is reset.
 */
int kb_gpu_health_look(struct kb_gpu_health *out, const struct kb_nvml *n,
		       struct kb_err *err);

/* Is it worse in a way that passes as a rule: does it take its time to let go of
 * a process? */
bool kb_gpu_health_may_mend(const struct kb_gpu_health *before,
			    const struct kb_gpu_health *now);

/* Fails with KB_ERR_DEVICE if the GPU is worse now than it was before. */
int kb_gpu_health_compare(const struct kb_gpu_health *before,
			  const struct kb_gpu_health *now, struct kb_err *err);

#endif
