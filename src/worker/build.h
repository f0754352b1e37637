#ifndef KB_WORKER_BUILD_H
#define KB_WORKER_BUILD_H

#include "worker/launch.h"

struct kb_private_tmp;

/*
 * Run a helper program (a compiler, a version query) confined in `dir`,
 * to its end. What it prints is appended to `log`, cleaned. Returns 1 if
 * it ended with status 0, 0 if not (`fault`, phase build), or fails.
 */
int kb_build_run(struct kb_launcher *l, const char *const argv[],
		 const struct kb_scratch_dir *dir, struct kb_buf *log,
		 struct kb_fault *fault, struct kb_err *err);

/*
 * Compile one file of C or CUDA C++ with the fixed command line for it, in
 * a scratch directory of its own. `*program_fd` becomes a sealed copy of
 * the shared object, which is the only thing that leaves that directory;
 * the caller closes it. Code that is not for the launcher's device is not
 * compiled. Returns and fails as kb_launch().
 */
int kb_build_native(int *program_fd, struct kb_launcher *l,
		    const struct kb_source *source, struct kb_buf *log,
		    struct kb_fault *fault, struct kb_err *err);

/* The limits that a confined program runs under. */
struct kb_limits kb_launcher_limits(const struct kb_launcher *l,
				    uint64_t slot_bytes);

/* What it sees of the files; `tmp` is room for a part of that, and all is
 * borrowed from the launcher and `dir`. */
struct kb_files kb_launcher_files(const struct kb_launcher *l,
				  const struct kb_scratch_dir *dir,
				  struct kb_private_tmp *tmp);

/* Note what of /tmp its programs need. */
void kb_launcher_keep_in_tmp(struct kb_launcher *l);

/* The environment of a confined program: an allow-list, NULL-terminated,
 * freed with kb_env_free(). */
char **kb_env_new(const struct kb_launcher *l,
		  const struct kb_scratch_dir *dir);
void kb_env_free(char **env);

#endif
