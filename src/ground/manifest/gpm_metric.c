#include "manifest/gpm_metric.h"

static const char *const names[KB_GPM_METRIC_COUNT] = {
	[KB_GPM_GRAPHICS] = "graphics",
	[KB_GPM_SM] = "sm",
	[KB_GPM_SM_OCCUPANCY] = "sm_occupancy",
	[KB_GPM_DRAM_BANDWIDTH] = "dram_bandwidth",
	[KB_GPM_TENSOR] = "tensor",
	[KB_GPM_TENSOR_FP64] = "tensor_fp64",
	[KB_GPM_TENSOR_FLOAT] = "tensor_float",
	[KB_GPM_TENSOR_INTEGER] = "tensor_integer",
	[KB_GPM_FP64] = "fp64",
	[KB_GPM_FP32] = "fp32",
	[KB_GPM_FP16] = "fp16",
	[KB_GPM_INTEGER] = "integer",
};

const char *kb_gpm_metric_name(enum kb_gpm_metric m)
{
	return names[m];
}
