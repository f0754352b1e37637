#ifndef KB_DEVICE_SYS_FACT_H
#define KB_DEVICE_SYS_FACT_H

struct kb_json;

/*
 * Facts that the kernel tells in small files, as values for a record: a
 * string, an integer or a boolean, or {"unavailable": "<reason>"}. `root`
 * stands before `path` when the file is opened. The caller owns the result.
 */

/* The first line. */
struct kb_json *kb_sys_fact_line(const char *root, const char *path);

/* The first line as a number, 0 or more. */
struct kb_json *kb_sys_fact_number(const char *root, const char *path);

/* True if the first line is `on`, false if it is `off`. */
struct kb_json *kb_sys_fact_switch(const char *root, const char *path,
				   const char *on, const char *off);

/* A line "<field> : <value>"; the second one where the value is in kB, as
 * a number of bytes. */
struct kb_json *kb_sys_fact_field(const char *root, const char *path,
				  const char *field);
struct kb_json *kb_sys_fact_field_kb(const char *root, const char *path,
				     const char *field);

/* A variable of a file like /etc/os-release. */
struct kb_json *kb_sys_fact_variable(const char *root, const char *path,
				     const char *variable);

/* Bytes of the data or unified cache of a level ("1", "2", ...) that the
 * first core uses. */
struct kb_json *kb_sys_fact_cache_bytes(const char *root, const char *level);

#endif
