#ifndef KB_WORKER_VIEW_H
#define KB_WORKER_VIEW_H

#include <stdbool.h>

struct kb_launcher;
struct kb_root;

/*
 * The files of the machine that a launcher's workers see, where they can have a
 * root of their own: the system; Python, with all that it finds modules in; the
 * compilers; what the variables name that a worker inherits, and KB_READABLE, a
 * list of paths; weights; and the nodes of the GPU that the worker is to use.
 */

/*
 * Decide that, before the first worker and after kb_launcher_choose_user();
 * anew when what it is made from has changed. With `python` that is run,
 * confined without such a root, to say where its modules are.
 */
void kb_launcher_plan_root(struct kb_launcher *l, bool python);

/* Add where the loader finds libraries, by the text of a file of ld.so.conf(5). */
void kb_view_add_loader_paths(struct kb_root *r, const char *text);

/* The nodes of the GPUs that `visible` lists, as CUDA_VISIBLE_DEVICES has it; of
 * all if that is NULL or names another thing; of none if it is empty. */
void kb_view_add_gpus(struct kb_root *r, const char *visible);

/* The minor number in the text of a file that the driver has about a GPU in
 * /proc/driver/nvidia/gpus, if it is the one with this UUID, else -1. */
int kb_view_gpu_minor(const char *text, const char *uuid);

#endif
