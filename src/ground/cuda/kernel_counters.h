#ifndef KB_CUDA_KERNEL_COUNTERS_H
#define KB_CUDA_KERNEL_COUNTERS_H

#include <stdbool.h>

/*
 * The counters of a kernel, by the names that records and CUPTI have for it. A
 * Hopper GPU counts all of them in two passes (CUPTI 13.0).
 *
 * X(counter, name, metric): what ends in _ppm is a share of what the GPU can
 * do, which CUPTI tells in percent; the rest are sums.
 */
#define KB_KERNEL_COUNTERS(X)						\
	X(TIME, "time_ns", "gpu__time_duration.sum")			\
	X(DRAM_READ, "dram_read_bytes", "dram__bytes_read.sum")		\
	X(DRAM_WRITE, "dram_write_bytes", "dram__bytes_write.sum")	\
	X(DRAM, "dram_ppm",						\
	  "dram__throughput.avg.pct_of_peak_sustained_elapsed")		\
	X(L2, "l2_bytes", "lts__t_bytes.sum")				\
	X(FP32_ADD, "fp32_add_count",					\
	  "sm__sass_thread_inst_executed_op_fadd_pred_on.sum")		\
	X(FP32_MUL, "fp32_mul_count",					\
	  "sm__sass_thread_inst_executed_op_fmul_pred_on.sum")		\
	X(FP32_FMA, "fp32_fma_count",					\
	  "sm__sass_thread_inst_executed_op_ffma_pred_on.sum")		\
	X(TENSOR_COUNT, "tensor_count", "sm__inst_executed_pipe_tensor.sum") \
	X(TENSOR, "tensor_ppm",						\
	  "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed") \
	X(OCCUPANCY, "occupancy_ppm",					\
	  "sm__warps_active.avg.pct_of_peak_sustained_active")

enum kb_kernel_counter {
#define KB_KERNEL_COUNTER(counter, name, metric) KB_KERNEL_##counter,
	KB_KERNEL_COUNTERS(KB_KERNEL_COUNTER)
#undef KB_KERNEL_COUNTER
	KB_KERNEL_COUNTER_COUNT
};

/* The name in records. */
const char *kb_kernel_counter_name(enum kb_kernel_counter c);

/* CUPTI's name. */
const char *kb_kernel_counter_metric(enum kb_kernel_counter c);

/* Is it a share, in millionths? Else it is a sum. */
bool kb_kernel_counter_is_share(enum kb_kernel_counter c);

#endif
