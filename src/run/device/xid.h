#ifndef KB_DEVICE_XID_H
#define KB_DEVICE_XID_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_err;
struct kb_nvml;

/*
 * Xids: errors that NVIDIA's driver reports of a GPU, by number. Most are the
 * fault of the program that ran, and are over when it is. Some say that the GPU
 * is of no use before it is reset; which, is by NVIDIA's catalogue.
 *
 * NVML gathers them from when this is opened, for whoever asks; they are asked
 * for between runs.
 */
struct kb_xids;

/* The XIDs of the device of `n`, which is borrowed until close. NULL if NVML
 * does not report them, or `n` is NULL; the functions below then do nothing. */
struct kb_xids *kb_xids_open(const struct kb_nvml *n);
void kb_xids_close(struct kb_xids *x);

/* Ask for what there has been since it was last asked for. Of many the first
 * KB_XIDS_MAX are kept, each number once, and those that condemn the GPU for
 * good. */
#define KB_XIDS_MAX 16
void kb_xids_read(struct kb_xids *x);

/* Append a line that names what was read last, if that is anything. */
void kb_xids_print(struct kb_buf *out, const struct kb_xids *x);

/* Fails with KB_ERR_DEVICE if any that was ever read condemns the GPU. */
int kb_xids_check(const struct kb_xids *x, struct kb_err *err);

/* The name of an XID, for people; NULL if it is not known here. */
const char *kb_xid_name(unsigned number);

/* Is the GPU of no more use after it? */
bool kb_xid_condemns(unsigned number);

#endif
