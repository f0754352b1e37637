#ifndef KB_JSON_SCAN_H
#define KB_JSON_SCAN_H

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
 * KB_JSON_CANONICAL is scanned as KB_JSON_OURS: order and spacing are for
 * the printer to judge. The calling thread must be in the C locale, in
 * which numbers have a point.
 *
 * Takes time in n log n of the length, whatever the bytes. Fails with
 * KB_ERR_INPUT, saying what is wrong at which byte.
 */
int kb_json_scan(const void *data, size_t len, enum kb_json_dialect dialect,
		 const char *name, struct kb_err *err);

#endif
