#ifndef KB_DEVICE_NVML_H
#define KB_DEVICE_NVML_H

#include <stdbool.h>
#include <stdint.h>

struct kb_buf;
struct kb_err;

/*
 * NVIDIA's management library: what a GPU is made of and how it is doing.
 * It is loaded when it is wanted and always optional: whatever is missing,
 * the library, the device or one function of an old library, costs the
 * facts that it would have told and nothing else. Not for threads.
 */

/* "GPU-01234567-89ab-cdef-0123-456789abcdef", as all of NVIDIA's tools
 * call a device; also understood in CUDA_VISIBLE_DEVICES. */
#define KB_NVML_UUID_SIZE 41		/* with the NUL */

void kb_nvml_uuid_format(char out[KB_NVML_UUID_SIZE], const uint8_t uuid[16]);

/* A value that the driver does not report. */
#define KB_NVML_UNKNOWN (-1)

struct kb_nvml;

/*
 * The device with this UUID. Fails with KB_ERR_MISSING if there is no
 * library, if it does not start, or if it has no such device.
 */
int kb_nvml_open(struct kb_nvml **out, const uint8_t uuid[16],
		 struct kb_err *err);
void kb_nvml_close(struct kb_nvml *n);		/* NULL is allowed */

/* The same with the library in this file. */
int kb_nvml_open_at(struct kb_nvml **out, const char *path,
		    const uint8_t uuid[16], struct kb_err *err);

/* Are these two linked by NVLink, and not by PCIe alone? Fails with KB_ERR_MISSING,
 * KB_ERR_DEVICE. */
int kb_nvml_has_nvlink(const struct kb_nvml *a, const struct kb_nvml *b,
		       bool *has, struct kb_err *err);

/* --- what does not change while we look -------------------------------- */

enum kb_nvml_text {
	KB_NVML_DRIVER_VERSION,
	KB_NVML_LIBRARY_VERSION,
	KB_NVML_SERIAL,
	KB_NVML_VBIOS,
	KB_NVML_INFOROM,
	KB_NVML_BOARD_PART_NUMBER,
	KB_NVML_GSP_FIRMWARE,
	KB_NVML_TEXT_COUNT
};

enum kb_nvml_number {
	KB_NVML_MEMORY_BUS_WIDTH_BITS,
	KB_NVML_ECC,			/* 0 or 1, as are the next two */
	KB_NVML_MIG,
	KB_NVML_PERSISTENCE,
	KB_NVML_COMPUTE_MODE,		/* of the driver's enumeration */
	KB_NVML_POWER_LIMIT_MW,		/* in force, whoever set it */
	KB_NVML_POWER_DEFAULT_LIMIT_MW,
	KB_NVML_MAX_SM_CLOCK_MHZ,
	KB_NVML_MAX_MEMORY_CLOCK_MHZ,
	KB_NVML_PCIE_GENERATION,	/* as negotiated now */
	KB_NVML_PCIE_GENERATION_MAX,
	KB_NVML_PCIE_WIDTH,
	KB_NVML_SM_CLOCK_MHZ,		/* now, as are the next three */
	KB_NVML_MEMORY_CLOCK_MHZ,
	KB_NVML_TEMPERATURE_C,
	KB_NVML_POWER_MW,
	KB_NVML_NUMBER_COUNT
};

/*
 * Fail with KB_ERR_MISSING if the library is too old to tell, or the text
 * is empty; with KB_ERR_DEVICE if it refuses to; and with KB_ERR_INPUT if
 * a text is not printable ASCII. A text is appended to `out`.
 */
int kb_nvml_text(const struct kb_nvml *n, enum kb_nvml_text which,
		 struct kb_buf *out, struct kb_err *err);
int kb_nvml_number(const struct kb_nvml *n, enum kb_nvml_number which,
		   int64_t *out, struct kb_err *err);

/*
 * How many processes other than this one have a compute context on the
 * device, as far as the library shows: in a container it may not show
 * those outside. Fails with KB_ERR_MISSING and KB_ERR_DEVICE, as above.
 */
int kb_nvml_processes(const struct kb_nvml *n, uint32_t *count,
		      struct kb_err *err);

/*
 * How many processes that have ended still have a compute context on it;
 * KB_NVML_UNKNOWN if this one, which must have one, is not listed: then the
 * numbers are not those of this PID namespace. Fails as above.
 */
int kb_nvml_dead_processes(const struct kb_nvml *n, int64_t *count,
			   struct kb_err *err);

/* --- how it is doing now ----------------------------------------------- */

struct kb_nvml_sample {			/* KB_NVML_UNKNOWN if not told */
	int64_t sm_clock_mhz;
	int64_t memory_clock_mhz;
	int64_t temperature_c;
	int64_t power_mw;
	int64_t reasons;		/* why clocks are low, as bits */
};

/* The driver's bits; others say that clocks are as somebody set them. */
#define KB_NVML_POWER_CAP		INT64_C(0x04)
#define KB_NVML_HARDWARE_SLOWDOWN	INT64_C(0x08)
#define KB_NVML_SOFTWARE_THERMAL	INT64_C(0x20)
#define KB_NVML_HARDWARE_THERMAL	INT64_C(0x40)
#define KB_NVML_POWER_BRAKE		INT64_C(0x80)

void kb_nvml_sample(const struct kb_nvml *n, struct kb_nvml_sample *out);

/*
 * Is the device slower than it is made to be, so that a time taken now is
 * not its own? At its power cap it is not: that is how it is made.
 * KB_NVML_UNKNOWN is no slowdown.
 */
bool kb_nvml_is_slowdown(int64_t reasons);

#endif
