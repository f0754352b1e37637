#ifndef KB_JSON_SCAN_H
#define KB_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "json/json.h"

struct kb_err;

/*
 * The judge of JSON bytes. cJSON builds good trees, but takes duplicate
 * keys, bytes after the value, lone surrogates and invalid UTF-8, ends
 * strings at an escaped NUL and reads no more than 63 bytes of a number.
 * So the bytes are scanned first, and cJSON only ever sees what this
 * accepts: one value of RFC 8259, within the limits in json.h.
 *
 * KB_JSON_CANONICAL is scanned as KB_JSON_OURS, and `canonical` receives
 * whether the bytes are the value's canonical encoding; for the other two it
 * says nothing. For KB_JSON_FOREIGN the calling thread must be in the C
 * locale, in which numbers have a point.
 *
 * Takes time in n log n of the length, whatever the bytes, and memory only
 * for where the keys of open objects are. Fails with KB_ERR_INPUT, saying
 * what is wrong at which byte.
 */
int kb_json_scan(bool *canonical, const void *data, size_t len,
		 enum kb_json_dialect dialect, const char *name,
		 struct kb_err *err);

#endif
