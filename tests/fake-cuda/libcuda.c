/*
 * A stand-in for the CUDA driver: the functions of cuda/cuda_api.h, with the
 * signatures of that table, and of more.h. Nothing is done here. The
 * device is another process, device.c, as a GPU is another processor: what
 * was queued goes on when this process is stopped.
 */

#include "fake-cuda/libcuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define DEVICE_NAME "Stand-in GPU"
#define PCI_BUS_ID "0000:FF:00.0"
/* Its last byte is the first of FAKE_GPU, for two that stand in one after the
 * other; of FAKE_GPUS at a time, each later one has the next. These are all the
 * same processor, and so take turns; each has memory of its own. */
#define UUID_TEXT "GPU-6b622d73-7461-6e64-2d69-6e2d67707500"

/* Any address will do for the one context. */
static char context;

static const struct kb_cu_uuid device_uuid = { "kb-stand-in-gpu" };

static const struct {
	kb_cu_result result;
	const char *name;
	const char *text;
} errors[] = {
#define ERROR(code, name, text) { code, "CUDA_" #name, text }
	ERROR(FAKE_OK, SUCCESS, "no error"),
	ERROR(FAKE_INVALID_VALUE, ERROR_INVALID_VALUE, "invalid argument"),
	ERROR(FAKE_OUT_OF_MEMORY, ERROR_OUT_OF_MEMORY, "out of memory"),
	ERROR(FAKE_NOT_INITIALIZED, ERROR_NOT_INITIALIZED,
	      "initialization error"),
	ERROR(FAKE_NO_DEVICE, ERROR_NO_DEVICE,
	      "no CUDA-capable device is detected"),
	ERROR(FAKE_INVALID_DEVICE, ERROR_INVALID_DEVICE,
	      "invalid device ordinal"),
	ERROR(FAKE_INVALID_CONTEXT, ERROR_INVALID_CONTEXT,
	      "invalid device context"),
	ERROR(FAKE_INVALID_HANDLE, ERROR_INVALID_HANDLE,
	      "invalid resource handle"),
	ERROR(FAKE_NOT_FOUND, ERROR_NOT_FOUND, "named symbol not found"),
	ERROR(FAKE_ILLEGAL_ADDRESS, ERROR_ILLEGAL_ADDRESS,
	      "an illegal memory access was encountered"),
	ERROR(FAKE_ALREADY_REGISTERED, ERROR_HOST_MEMORY_ALREADY_REGISTERED,
	      "part or all of the requested memory range is already mapped"),
	ERROR(FAKE_NOT_REGISTERED, ERROR_HOST_MEMORY_NOT_REGISTERED,
	      "pointer does not correspond to a registered memory region"),
	ERROR(FAKE_NOT_READY, ERROR_NOT_READY, "device not ready"),
	ERROR(FAKE_NOT_SUPPORTED, ERROR_NOT_SUPPORTED,
	      "operation not supported"),
	ERROR(FAKE_CAPTURE_UNSUPPORTED, ERROR_STREAM_CAPTURE_UNSUPPORTED,
	      "operation not permitted when stream is capturing"),
	ERROR(FAKE_CAPTURE_INVALIDATED, ERROR_STREAM_CAPTURE_INVALIDATED,
	      "operation failed due to a previous error during capture"),
	ERROR(FAKE_UNKNOWN, ERROR_UNKNOWN, "unknown error"),
#undef ERROR
};

static bool is_visible(void)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");

	return !visible || !strcmp(visible, "0") ||
	       (strlen(visible) > strlen("GPU-") &&
		!strncmp(visible, UUID_TEXT, strlen(visible) - 2));
}

/* A process to which one was shown sees that alone. */
static int gpus(void)
{
	const char *count = getenv("FAKE_GPUS");

	return count && !getenv("CUDA_VISIBLE_DEVICES") ? atoi(count) : 1;
}

kb_cu_result fake_Init(unsigned flags)
{
	if (flags)
		return FAKE_INVALID_VALUE;
	return link_is_open() || is_visible() ? link_open() : FAKE_NO_DEVICE;
}

kb_cu_result fake_DriverGetVersion(int *version)
{
	*version = 13000;
	return FAKE_OK;
}

kb_cu_result fake_GetErrorName(kb_cu_result result, const char **name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		if (errors[i].result == result) {
			*name = errors[i].name;
			return FAKE_OK;
		}
	}
	*name = NULL;
	return FAKE_INVALID_VALUE;
}

kb_cu_result fake_GetErrorString(kb_cu_result result, const char **text)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		if (errors[i].result == result) {
			*text = errors[i].text;
			return FAKE_OK;
		}
	}
	*text = NULL;
	return FAKE_INVALID_VALUE;
}

kb_cu_result check_device(kb_cu_device device)
{
	if (!link_is_open())
		return FAKE_NOT_INITIALIZED;
	return device < 0 || device >= gpus() ? FAKE_INVALID_DEVICE : FAKE_OK;
}

kb_cu_result fake_DeviceGetCount(int *count)
{
	*count = gpus();
	return check_device(0);
}

kb_cu_result fake_DeviceGet(kb_cu_device *device, int ordinal)
{
	*device = ordinal;
	return check_device(ordinal);
}

kb_cu_result fake_DeviceGetName(char *name, int size, kb_cu_device device)
{
	snprintf(name, (size_t)size, "%s", DEVICE_NAME);
	return check_device(device);
}

kb_cu_result fake_DeviceGetUuid(struct kb_cu_uuid *uuid, kb_cu_device device)
{
	const char *last = getenv("FAKE_GPU");

	*uuid = device_uuid;
	if (last)
		uuid->bytes[sizeof(uuid->bytes) - 1] = last[0];
	uuid->bytes[sizeof(uuid->bytes) - 1] += (char)device;
	return check_device(device);
}

kb_cu_result fake_DeviceGetPCIBusId(char *id, int size, kb_cu_device device)
{
	snprintf(id, (size_t)size, "%s", PCI_BUS_ID);
	return check_device(device);
}

kb_cu_result fake_DeviceTotalMem(size_t *bytes, kb_cu_device device)
{
	const struct fake_request r = { .op = FAKE_MEMORY };
	struct fake_reply reply = { .bytes = 0 };
	kb_cu_result result = check_device(device);

	if (!result)
		result = link_call_without_context(&r, &reply);
	*bytes = reply.bytes;
	return result;
}

kb_cu_result fake_DeviceGetAttribute(int *value, int attribute,
				     kb_cu_device device)
{
	const struct {
		enum kb_cu_attribute attribute;
		int value;
	} known[] = {
		{ KB_CU_MULTIPROCESSOR_COUNT, 4 },
		{ KB_CU_L2_CACHE_BYTES, 1 << 16 },
		{ KB_CU_CAPABILITY_MAJOR, 9 },
		{ KB_CU_CAPABILITY_MINOR, 0 },
		{ KB_CU_HOST_PAGE_TABLES, getenv("FAKE_ATS") != NULL },
		{ KB_CU_CAN_SHARE_FDS, 1 },
		{ KB_CU_MPS_ENABLED, getenv("FAKE_MPS") != NULL },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		if ((int)known[i].attribute == attribute) {
			*value = known[i].value;
			return check_device(device);
		}
	}
	return FAKE_INVALID_VALUE;
}

/* Of all that there are: the last byte of the UUID, which a process to which one
 * is shown is told. */
static unsigned gpu_number(kb_cu_device device)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	const char *last = getenv("FAKE_GPU");

	if (visible && strlen(visible) == strlen(UUID_TEXT))
		return (unsigned)strtoul(visible + strlen(visible) - 2, NULL,
					 16);
	return (unsigned char)((last ? last[0] : 0) + device);
}

kb_cu_result fake_DevicePrimaryCtxRetain(kb_cu_context *out,
					 kb_cu_device device)
{
	const struct fake_request r = {
		.op = FAKE_USE, .value = gpu_number(device),
	};
	struct fake_reply reply;

	*out = (kb_cu_context)&context;
	link_retain(device);
	return check_device(device) ? check_device(device) :
				      link_call_without_context(&r, &reply);
}

kb_cu_result fake_DevicePrimaryCtxRelease(kb_cu_device device)
{
	return check_device(device);
}

kb_cu_result fake_CtxSetCurrent(kb_cu_context c)
{
	if (c && c != (kb_cu_context)&context)
		return FAKE_INVALID_CONTEXT;
	link_set_current(c);
	return check_device(0);
}

kb_cu_result fake_CtxSynchronize(void)
{
	return CALL(NULL, .op = FAKE_SYNCHRONIZE_ALL);
}
