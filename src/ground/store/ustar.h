#ifndef KB_STORE_USTAR_H
#define KB_STORE_USTAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The bytes of a ustar stream between the files: headers and padding. A reader
 * that looks at what it needs leaves places for what nobody sees: behind a
 * name's end, in a link's name where there is no link, behind a file, in a
 * number that has another spelling. Here each header has but what POSIX's has:
 * fields of text end in zeros, numbers are octal digits and at most two ends,
 * spaces or zeros, no file has a link's name, the check sum is of unsigned
 * bytes, and all padding is zero. The contents of a pax header are ignored.
 * Pure: bytes in, a fault out.
 */
#define KB_USTAR_BLOCK_BYTES 512

struct kb_ustar {
	uint8_t header[KB_USTAR_BLOCK_BYTES];
	size_t header_len;
	uint64_t content_left, padding_left;
	bool takes_pax;			/* headers of pax as well, which long
					   names need */
	bool has_ended;			/* a block of zeros came */
	const char *fault;		/* the first; NULL: none */
};

/* The next `len` bytes of the stream. Begun with zeros. */
void kb_ustar_take(struct kb_ustar *u, const void *data, size_t len);

#endif
