#ifndef KB_DEVICE_NVML_INTERNAL_H
#define KB_DEVICE_NVML_INTERNAL_H

struct kb_err;
struct kb_nvml;

/*
 * Inside the room: what a file needs that calls further functions of the
 * library. Every one of them returns 0 or an error.
 */
typedef int kb_nvml_result;

/* NULL: this library has no such function. Good until it is closed. */
void *kb_nvml_symbol(const struct kb_nvml *n, const char *symbol);

/* The device's handle. */
void *kb_nvml_handle(const struct kb_nvml *n);

/* Says that the library has no such function: KB_ERR_MISSING. */
int kb_nvml_too_old(struct kb_err *err, const char *symbol);

/* Says what the function answered instead of 0: KB_ERR_DEVICE. */
int kb_nvml_refused(struct kb_err *err, const struct kb_nvml *n,
		    const char *symbol, kb_nvml_result r);

#endif
