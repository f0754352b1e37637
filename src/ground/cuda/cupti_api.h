#ifndef KB_CUDA_CUPTI_API_H
#define KB_CUDA_CUPTI_API_H

#include <stddef.h>
#include <stdint.h>

#include "cuda/cuda_api.h"

struct kb_err;

/*
 * The part of CUPTI that we use: its range profiler, which reads a device's
 * counters around kernels of its own process, and callbacks, which tell what
 * these are called. Loaded when it is wanted, as the driver is.
 *
 * Types and numbers are those of its binary interface (CUPTI reference, 12.6
 * to 13.0); tests/unit/u-cupti-api compares them with its headers where they
 * are. A struct of arguments says in its first member how far it goes, so that
 * later versions can add to it: KB_CUPTI_ARGS() fills that in. Functions keep
 * their names, less "cupti".
 */

typedef int kb_cupti_result;		/* 0 is success */
typedef struct kb_cupti_subscriber_st *kb_cupti_subscriber;
typedef struct kb_cupti_host_st *kb_cupti_host;
typedef struct kb_cupti_ranges_st *kb_cupti_ranges;

#define KB_CUPTI_SUCCESS 0
#define KB_CUPTI_INSUFFICIENT_PRIVILEGES 35
#define KB_CUPTI_VIRTUAL_INSUFFICIENT_PRIVILEGES 40

/* --- callbacks ------------------------------------------------------ */

#define KB_CUPTI_DRIVER_API 1		/* a domain of callbacks */
#define KB_CUPTI_ENTER 0		/* a site of one */

/* Functions of the driver, by their numbers in that domain: all that launch
 * kernels, with the legacy default stream and with one a thread. */
#define KB_CUPTI_LAUNCH_KERNEL 307
#define KB_CUPTI_LAUNCH_KERNEL_PTSZ 442
#define KB_CUPTI_LAUNCH_COOPERATIVE 477
#define KB_CUPTI_LAUNCH_COOPERATIVE_PTSZ 478
#define KB_CUPTI_GRAPH_LAUNCH 514
#define KB_CUPTI_GRAPH_LAUNCH_PTSZ 515
#define KB_CUPTI_LAUNCH_KERNEL_EX 652
#define KB_CUPTI_LAUNCH_KERNEL_EX_PTSZ 653

struct kb_cupti_call {
	int site;
	const char *function;
	const void *arguments;
	void *result;
	const char *symbol;		/* of the kernel that is launched */
	kb_cu_context context;
	uint32_t context_uid;
	uint64_t *correlation_data;
	uint32_t correlation_id;
};

typedef void kb_cupti_callback(void *user, int domain, uint32_t id,
			       const struct kb_cupti_call *call);

/* --- arguments ------------------------------------------------------ */

struct kb_cupti_initialize {
	size_t size;
	void *reserved;
};

struct kb_cupti_chip_name {
	size_t size;
	void *reserved;
	size_t device;
	const char *name;		/* out */
};

#define KB_CUPTI_RANGE_PROFILER 0

struct kb_cupti_host_initialize {
	size_t size;
	void *reserved;
	int profiler;			/* KB_CUPTI_RANGE_PROFILER */
	const char *chip;
	const uint8_t *availability;	/* NULL: of a chip that it knows */
	kb_cupti_host host;		/* out */
};

struct kb_cupti_host_deinitialize {
	size_t size;
	void *reserved;
	kb_cupti_host host;
};

struct kb_cupti_add_metrics {
	size_t size;
	void *reserved;
	kb_cupti_host host;
	const char **names;
	size_t name_count;
};

struct kb_cupti_config_size {
	size_t size;
	void *reserved;
	kb_cupti_host host;
	size_t bytes;			/* out */
};

struct kb_cupti_config {
	size_t size;
	void *reserved;
	kb_cupti_host host;
	size_t bytes;
	uint8_t *config;
};

struct kb_cupti_passes {
	size_t size;
	void *reserved;
	size_t bytes;
	uint8_t *config;
	size_t count;			/* out */
};

struct kb_cupti_evaluate {
	size_t size;
	void *reserved;
	kb_cupti_host host;
	const uint8_t *data;
	size_t data_bytes;
	size_t range;
	const char **names;
	size_t name_count;
	double *values;
};

struct kb_cupti_enable {
	size_t size;
	void *reserved;
	kb_cu_context context;
	kb_cupti_ranges ranges;		/* out */
};

/* The parameters of Disable and of Start. */
struct kb_cupti_plain {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
};

struct kb_cupti_data_size {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
	const char **names;
	size_t name_count;
	size_t ranges_max;
	uint32_t nodes_max;		/* no fewer than ranges_max */
	size_t bytes;			/* out */
};

struct kb_cupti_data_initialize {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
	size_t bytes;
	uint8_t *data;
};

#define KB_CUPTI_AUTO_RANGE 1		/* one around each kernel */
#define KB_CUPTI_KERNEL_REPLAY 2	/* CUPTI repeats a kernel */

struct kb_cupti_set_config {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
	size_t config_bytes;
	const uint8_t *config;
	size_t data_bytes;
	uint8_t *data;
	int range;
	int replay;
	size_t ranges_max;
	uint16_t nesting_levels;	/* 1 */
	uint16_t nesting_min;
	size_t pass;
	uint16_t nesting_target;
};

struct kb_cupti_stop {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
	size_t pass;			/* out, as are the next two */
	size_t nesting_target;
	uint8_t is_last;		/* all passes were made */
};

struct kb_cupti_decode {
	size_t size;
	void *reserved;
	kb_cupti_ranges ranges;
	size_t dropped_count;		/* out */
};

struct kb_cupti_data_info {
	size_t size;
	void *reserved;
	const uint8_t *data;
	size_t data_bytes;
	size_t range_count;		/* out */
};

#define KB_CUPTI_ARGS(type, last, ...)					\
	(struct type){ .size = offsetof(struct type, last) +		\
			       sizeof(((struct type *)0)->last), __VA_ARGS__ }

/* X(member, symbol, arguments) */
#define KB_CUPTI_FUNCTIONS(X)						\
	X(GetVersion, "cuptiGetVersion", (uint32_t *version))		\
	X(GetResultString, "cuptiGetResultString",			\
	  (kb_cupti_result result, const char **text))			\
	X(Subscribe, "cuptiSubscribe",					\
	  (kb_cupti_subscriber *subscriber, kb_cupti_callback *callback, \
	   void *user))							\
	X(Unsubscribe, "cuptiUnsubscribe",				\
	  (kb_cupti_subscriber subscriber))				\
	X(EnableCallback, "cuptiEnableCallback",			\
	  (uint32_t enable, kb_cupti_subscriber subscriber, int domain,	\
	   uint32_t id))						\
	X(ProfilerInitialize, "cuptiProfilerInitialize",		\
	  (struct kb_cupti_initialize *a))				\
	X(DeviceGetChipName, "cuptiDeviceGetChipName",			\
	  (struct kb_cupti_chip_name *a))				\
	X(HostInitialize, "cuptiProfilerHostInitialize",		\
	  (struct kb_cupti_host_initialize *a))				\
	X(HostDeinitialize, "cuptiProfilerHostDeinitialize",		\
	  (struct kb_cupti_host_deinitialize *a))			\
	X(HostConfigAddMetrics, "cuptiProfilerHostConfigAddMetrics",	\
	  (struct kb_cupti_add_metrics *a))				\
	X(HostGetConfigImageSize, "cuptiProfilerHostGetConfigImageSize", \
	  (struct kb_cupti_config_size *a))				\
	X(HostGetConfigImage, "cuptiProfilerHostGetConfigImage",	\
	  (struct kb_cupti_config *a))					\
	X(HostGetNumOfPasses, "cuptiProfilerHostGetNumOfPasses",	\
	  (struct kb_cupti_passes *a))					\
	X(HostEvaluateToGpuValues, "cuptiProfilerHostEvaluateToGpuValues", \
	  (struct kb_cupti_evaluate *a))				\
	X(RangeProfilerEnable, "cuptiRangeProfilerEnable",		\
	  (struct kb_cupti_enable *a))					\
	X(RangeProfilerDisable, "cuptiRangeProfilerDisable",		\
	  (struct kb_cupti_plain *a))					\
	X(RangeProfilerGetCounterDataSize,				\
	  "cuptiRangeProfilerGetCounterDataSize",			\
	  (struct kb_cupti_data_size *a))				\
	X(RangeProfilerCounterDataImageInitialize,			\
	  "cuptiRangeProfilerCounterDataImageInitialize",		\
	  (struct kb_cupti_data_initialize *a))				\
	X(RangeProfilerSetConfig, "cuptiRangeProfilerSetConfig",	\
	  (struct kb_cupti_set_config *a))				\
	X(RangeProfilerStart, "cuptiRangeProfilerStart",		\
	  (struct kb_cupti_plain *a))					\
	X(RangeProfilerStop, "cuptiRangeProfilerStop",			\
	  (struct kb_cupti_stop *a))					\
	X(RangeProfilerDecodeData, "cuptiRangeProfilerDecodeData",	\
	  (struct kb_cupti_decode *a))					\
	X(RangeProfilerGetCounterDataInfo,				\
	  "cuptiRangeProfilerGetCounterDataInfo",			\
	  (struct kb_cupti_data_info *a))

struct kb_cupti_api {
#define KB_CUPTI_MEMBER(member, symbol, arguments) \
	kb_cupti_result (*member) arguments;
	KB_CUPTI_FUNCTIONS(KB_CUPTI_MEMBER)
#undef KB_CUPTI_MEMBER
};

/*
 * CUPTI, loaded once and never unloaded. One that the process has mapped
 * already, as torch has, is used; two of them would both want the device's
 * counters. NULL if there is none, which fails with KB_ERR_MISSING. Not for
 * threads.
 */
const struct kb_cupti_api *kb_cupti_api(struct kb_err *err);

/*
 * Record a failed call: `what` finishes "cannot ...", in lower case. Returns
 * -KB_ERR_DEVICE; who has no permission is told what a site can do.
 */
int kb_cupti_err(struct kb_err *err, const struct kb_cupti_api *cupti,
		 kb_cupti_result result, const char *what);

#endif
