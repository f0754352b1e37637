#ifndef KB_TESTS_FAKE_NVML_H
#define KB_TESTS_FAKE_NVML_H

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * A stand-in for NVIDIA's management library, with one device, an H200. It
 * is built twice, beside the tests: as of today, and "old", without the
 * functions of newer drivers. Tests bend it through the symbol `fake_nvml`; of
 * a program that is not theirs by its environment: FAKE_NVML_UUID is what the
 * device is called as well, or how its name begins; FAKE_NVML_BOARD its board;
 * FAKE_NVML_GPM what reading a sample answers; FAKE_NVML_BAD, such as "01:3",
 * how the name of one ends whose memory has had an error when that is asked for
 * the third time, and later; FAKE_NVML_XID, such as "01:3:79", the same of an
 * Xid that there is once, by the third time that events are asked for until
 * there are no more.
 */

#define FAKE_NVML_PIDS_MAX 64
#define FAKE_NVML_EVENTS_MAX 64

/* Errors of the library that tests ask for. */
#define FAKE_NVML_NOT_SUPPORTED 3
#define FAKE_NVML_NO_PERMISSION 4
#define FAKE_NVML_DRIVER_NOT_LOADED 9
#define FAKE_NVML_TIMEOUT 10
#define FAKE_NVML_GPU_IS_LOST 15
#define FAKE_NVML_RESET_REQUIRED 16

struct fake_nvml {
	int init_result;
	int result;			/* of all that tells facts */
	int users;			/* starts less stops */
	const char *serial;
	unsigned ecc;
	unsigned compute_mode;
	unsigned long long reasons;
	unsigned long long errors;	/* of ECC, uncorrected */
	unsigned rows_pending, rows_failed, pages_pending;
	int rows_result;
	unsigned pids[FAKE_NVML_PIDS_MAX];
	unsigned pid_count;
	bool wants_ever_more_room;

	/* Events: what making a set, adding a device to it and waiting answer;
	 * how many sets there are; and what is still to be told. */
	int set_result, register_result, wait_result;
	int sets;
	struct fake_nvml_event {
		unsigned long long type, data;
	} events[FAKE_NVML_EVENTS_MAX];
	unsigned event_count;
	bool has_endless_events;	/* the first, again and again */

	/* GPM: what it answers, and how many samples there are. It tells the
	 * id of a metric plus a quarter as its percentage, but of those that
	 * are named here. */
	int gpm_query_result, gpm_alloc_result, gpm_sample_result;
	int gpm_metrics_result;
	bool gpm_is_unsupported;
	int gpm_samples;
	unsigned gpm_id_refused, gpm_id_wild;
	double gpm_wild;
};

#define FAKE_NVML_INIT { .serial = "1650000000001", .ecc = 1 }

static const uint8_t fake_nvml_uuid[16] = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
	0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe,
};
#define FAKE_NVML_XID_EVENT 8
#define FAKE_NVML_UUID "GPU-01234567-89ab-cdef-1032-547698badcfe"

#define FAKE_NVML "libnvidia-ml.so.1"
#define FAKE_NVML_OLD "libnvidia-ml-old.so.1"

/* Where it is; good until the next call. */
static inline const char *fake_nvml_path(const char *name)
{
	static char path[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);

	if (len < 0)
		return "";
	path[len] = '\0';
	snprintf(strrchr(path, '/'), 64, "/../fake-nvml/%s", name);
	return path;
}

/* Its state, as at first; it stays loaded from now on. */
static inline struct fake_nvml *fake_nvml_reset(const char *name)
{
	void *library = dlopen(fake_nvml_path(name), RTLD_NOW | RTLD_LOCAL);
	struct fake_nvml *state = library ? dlsym(library, "fake_nvml") : NULL;

	if (!state) {
		fprintf(stderr, "cannot load %s\n", fake_nvml_path(name));
		_exit(1);
	}
	*state = (struct fake_nvml)FAKE_NVML_INIT;
	return state;
}

#endif
