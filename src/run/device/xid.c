#include "device/xid.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include "device/nvml_internal.h"

/* NVML's numbers. */
#define XID_CRITICAL_ERROR 0x8ULL

/* A driver that reports without end is not listened to for ever. */
#define READS_MAX 256

/*
 * Numbers and what to do are NVIDIA's (docs.nvidia.com, "Analyzing Xid Errors
 * with the Xid Catalog"): a GPU is condemned where that says at once to reset
 * it or to restart the machine, and of 48, where only a reset clears it.
 *
 * There are three exceptions. After 109 the catalogue wants a reset, but a
 * kernel that never ends may come to it, so that any candidate could end a run;
 * NVIDIA's device plugin for Kubernetes counts it among those of applications.
 * A GPU that does want a reset then says so when it is asked. 74, 136 and 155
 * are of links to other GPUs, which are not used here.
 */
static const struct {
	unsigned number;
	bool condemns;
	const char *name;
} catalogue[] = {
	{ 13, false, "graphics engine exception" },
	{ 31, false, "memory page fault" },
	{ 32, false, "invalid or corrupted push buffer stream" },
	{ 43, false, "GPU stopped processing" },
	{ 45, false, "preemptive cleanup" },
	{ 46, true, "GPU stopped processing" },
	{ 48, true, "uncorrectable memory error" },
	{ 62, true, "internal micro-controller halt" },
	{ 63, false, "memory is remapped" },
	{ 64, true, "memory cannot be remapped" },
	{ 68, false, "video decoder exception" },
	{ 69, false, "graphics engine class error" },
	{ 74, false, "NVLink error" },
	{ 79, true, "GPU has fallen off the bus" },
	{ 92, false, "high rate of corrected memory errors" },
	{ 94, false, "contained memory error" },
	{ 95, true, "uncontained memory error" },
	{ 109, false, "context switch timeout" },
	{ 110, true, "security fault" },
	{ 119, true, "GSP does not answer" },
	{ 120, true, "GSP error" },
	{ 140, true, "unrecovered memory error" },
	{ 143, true, "GPU initialization error" },
	{ 151, true, "key rotation error" },
	{ 154, false, "recovery action changed" },
	{ 156, true, "resource retirement" },
	{ 158, true, "fatal timeout" },
};

struct event {
	void *device;
	unsigned long long type, number;
	unsigned gpu_instance, compute_instance;
};

struct kb_xids {
	const struct kb_nvml *nvml;
	void *set;
	kb_nvml_result (*wait)(void *set, struct event *e, unsigned timeout_ms);
	unsigned last[KB_XIDS_MAX];	/* that were read last */
	size_t last_count;
	unsigned condemning;		/* the first of all; 0: none */
};

const char *kb_xid_name(unsigned number)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(catalogue); i++)
		if (catalogue[i].number == number)
			return catalogue[i].name;
	return NULL;
}

bool kb_xid_condemns(unsigned number)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(catalogue); i++)
		if (catalogue[i].number == number)
			return catalogue[i].condemns;
	return false;
}

/* The second has room for more than its predecessor fills in. */
static void find_wait(struct kb_xids *x)
{
	x->wait = kb_nvml_symbol(x->nvml, "nvmlEventSetWait_v2");
	if (!x->wait)
		x->wait = kb_nvml_symbol(x->nvml, "nvmlEventSetWait");
}

static bool begin_events(struct kb_xids *x)
{
	kb_nvml_result (*create)(void **set) =
		kb_nvml_symbol(x->nvml, "nvmlEventSetCreate");
	kb_nvml_result (*add)(void *device, unsigned long long types,
			      void *set) =
		kb_nvml_symbol(x->nvml, "nvmlDeviceRegisterEvents");

	find_wait(x);
	if (!create || !add || !x->wait)
		return false;
	if (create(&x->set)) {
		x->set = NULL;
		return false;
	}
	return !add(kb_nvml_handle(x->nvml), XID_CRITICAL_ERROR, x->set);
}

struct kb_xids *kb_xids_open(const struct kb_nvml *n)
{
	struct kb_xids *x;

	if (!n)
		return NULL;
	x = kb_xcalloc(1, sizeof(*x));
	x->nvml = n;
	if (begin_events(x))
		return x;
	kb_xids_close(x);
	return NULL;
}

void kb_xids_close(struct kb_xids *x)
{
	kb_nvml_result (*end)(void *set);

	if (!x)
		return;
	end = kb_nvml_symbol(x->nvml, "nvmlEventSetFree");
	if (x->set && end)
		(void)end(x->set);
	free(x);
}

static void note_xid(struct kb_xids *x, unsigned number)
{
	if (!x->condemning && kb_xid_condemns(number))
		x->condemning = number;
	for (size_t i = 0; i < x->last_count; i++)
		if (x->last[i] == number)
			return;
	if (x->last_count < KB_XIDS_MAX)
		x->last[x->last_count++] = number;
}

void kb_xids_read(struct kb_xids *x)
{
	struct event e = { .type = 0 };

	if (!x)
		return;
	x->last_count = 0;
	/* Whatever it answers but an event, there is none now. */
	for (int i = 0; i < READS_MAX && !x->wait(x->set, &e, 0); i++)
		if (e.type == XID_CRITICAL_ERROR && e.number <= 0xffff)
			note_xid(x, (unsigned)e.number);
}

static void print_one(struct kb_buf *out, unsigned number)
{
	const char *name = kb_xid_name(number);

	kb_buf_addf(out, "Xid %u", number);
	if (name)
		kb_buf_addf(out, " (%s)", name);
}

void kb_xids_print(struct kb_buf *out, const struct kb_xids *x)
{
	if (!x || !x->last_count)
		return;
	if (out->len && out->data[out->len - 1] != '\n')
		kb_buf_addch(out, '\n');
	kb_buf_addf(out, "[the driver reported ");
	for (size_t i = 0; i < x->last_count; i++) {
		kb_buf_addf(out, "%s", i ? ", " : "");
		print_one(out, x->last[i]);
	}
	kb_buf_addf(out, "]\n");
}

int kb_xids_check(const struct kb_xids *x, struct kb_err *err)
{
	if (!x || !x->condemning)
		return 0;
	return kb_err(err, KB_ERR_DEVICE, "the GPU has gone bad: Xid %u: %s",
		      x->condemning, kb_xid_name(x->condemning));
}
