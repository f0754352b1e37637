#ifndef KB_WORKER_BUILD_H
#define KB_WORKER_BUILD_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "source/runtime.h"
#include "worker/launch.h"

struct kb_private_tmp;
struct kb_task;

/* The fault of a compiler that printed `log` and failed, unless it was
 * ended. */
void kb_build_blame(struct kb_fault *fault, const char *log, size_t len);

/* Can code for `runtime` be compiled for the launcher's device: is it for that,
 * and is there a compiler? Returns 1; 0 (`fault`); or fails with
 * KB_ERR_MISSING. */
int kb_build_check(const struct kb_launcher *l, enum kb_runtime runtime,
		   struct kb_fault *fault, struct kb_err *err);

/* Start the fixed command line for it, in `dir`, where it leaves
 * KB_BUILD_OUTPUT. Returns 1 or fails. */
#define KB_BUILD_OUTPUT "out.so"
int kb_build_start(struct kb_task *t, struct kb_launcher *l,
		   const struct kb_source *source,
		   struct kb_scratch_dir *dir, struct kb_err *err);

/* The same once more, of the source that is there already. */
int kb_build_again(struct kb_task *t, struct kb_launcher *l,
		   struct kb_scratch_dir *dir, struct kb_err *err);

/* The limits that a confined program runs under. */
struct kb_limits kb_launcher_limits(const struct kb_launcher *l,
				    uint64_t slot_bytes);

/* The files that a build sees, and how much it may leave if that is `limited`;
 * `tmp` is room for a part of that, and all is borrowed from the launcher and
 * `dir`. */
struct kb_files kb_launcher_files(const struct kb_launcher *l, bool limited,
				  const struct kb_scratch_dir *dir,
				  struct kb_private_tmp *tmp);

/* Take down what is in force for a process that was started. Fails with
 * KB_ERR_SYS if that is less than for those before it, by the same choice of user
 * and root; the process is ended then. */
int kb_launcher_note_features(struct kb_launcher *l, struct kb_process *p,
			      struct kb_err *err);

/* Several ranks need a network namespace: on the machine's loopback those of
 * several workers would meet. Fails with KB_ERR_MISSING if `p` has none, unless the
 * sandbox is off; the process is ended then. */
int kb_launcher_check_ranks(const struct kb_launcher *l, struct kb_process *p,
			    struct kb_err *err);

/* Absolute path of `name`, looked up in PATH unless it has a slash; NULL if
 * there is no such program. The caller frees. */
char *kb_find_program(const char *name);

/* Note what of /tmp its programs need. */
void kb_launcher_keep_in_tmp(struct kb_launcher *l);

/* The environment of a confined program: an allow-list, NULL-terminated,
 * freed with kb_env_free(). */
char **kb_env_new(const struct kb_launcher *l,
		  const struct kb_scratch_dir *dir);
/* The same of one that may write to `work`. */
char **kb_env_of(const struct kb_launcher *l, const char *work);
void kb_env_free(char **env);
KB_DEFINE_CLEANUP(env, char **, kb_env_free);

#endif
