#ifndef KB_MANIFEST_GPM_METRIC_H
#define KB_MANIFEST_GPM_METRIC_H

/*
 * The counters of a GPU between two points in time (device/gpm.h), as a share
 * of what it can do at its clocks of that interval.
 */
enum kb_gpm_metric {
	KB_GPM_GRAPHICS,	/* of the time: anything ran */
	KB_GPM_SM,		/* of SMs and time: a warp was there */
	KB_GPM_SM_OCCUPANCY,	/* of the warps that SMs have room for */
	KB_GPM_DRAM_BANDWIDTH,	/* of the bandwidth of its memory */
	KB_GPM_TENSOR,		/* of tensor cores, whatever they did */
	KB_GPM_TENSOR_FP64,	/* the same by kind of work: DFMA, */
	KB_GPM_TENSOR_FLOAT,	/* HMMA: fp16, bf16, tf32, fp8, and */
	KB_GPM_TENSOR_INTEGER,	/* IMMA */
	KB_GPM_FP64,		/* of the pipes outside tensor cores */
	KB_GPM_FP32,
	KB_GPM_FP16,
	KB_GPM_INTEGER,
	KB_GPM_METRIC_COUNT
};

/* The name in records, such as "dram_bandwidth". */
const char *kb_gpm_metric_name(enum kb_gpm_metric m);

#endif
