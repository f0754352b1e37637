#ifndef KB_IMPORT_FOLDER_H
#define KB_IMPORT_FOLDER_H

struct kb_err;
struct kb_sources;

/*
 * A folder of problems or of candidates, or one such file.
 *
 * In a folder, files whose names end in ".py", ".c" or ".cu" and begin with
 * a digit or "level" must be named as kb_source_name_parse() wants, and others
 * may be; folders
 * named "level<L>" are entered, one deep. Other files and folders are
 * somebody's notes and scripts and passed over, which is noted of such files
 * and of the folders beside levels, and so is everything whose name begins
 * with a dot. A symbolic link where a source file or a level is expected is
 * followed if what it leads to is in the folder, and else refused, so that
 * nothing from outside gets in.
 *
 * Adds to `out`, unsorted. Fails with KB_ERR_INPUT (a bad name, a file
 * that is too large), KB_ERR_MISSING, KB_ERR_SYS.
 */
int kb_folder_read(struct kb_sources *out, const char *path,
		   struct kb_err *err);

#endif
