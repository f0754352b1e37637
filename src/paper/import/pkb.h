#ifndef KB_IMPORT_PKB_H
#define KB_IMPORT_PKB_H

#include <stdbool.h>
#include <stddef.h>

struct kb_bundle_writer;
struct kb_err;
struct kb_source_file;
struct kb_suite;

/*
 * ParallelKernelBench's files. A problem or a candidate is a function solution()
 * in a file "<N>_<name>.py" of a folder without levels. The inputs of every
 * problem are made by create_input_tensor() in utils/input_output_tensors.py
 * beside that folder.
 */

/* Is a file of this name and text one? Then key, runtime and name of `out` are
 * filled in, as by kb_source_name_parse(): the problem is of level 1. */
bool kb_pkb_recognise(struct kb_source_file *out, const char *path,
		      const char *text);

/* Append to a problem's text the arguments of create_input_tensor(), as constants
 * that a derived suite can change. */
void kb_pkb_append(struct kb_source_file *problem);

/*
 * Add the modules of utils/ beside `folder` to the suite and its bundle. Fails with
 * KB_ERR_MISSING if it has none that makes inputs, KB_ERR_INPUT if one is too large
 * or there are too many, and KB_ERR_SYS.
 */
int kb_pkb_add_modules(struct kb_bundle_writer *w, struct kb_suite *s,
		       const char *folder, struct kb_err *err);

#endif
