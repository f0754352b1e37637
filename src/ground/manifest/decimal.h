#ifndef KB_MANIFEST_DECIMAL_H
#define KB_MANIFEST_DECIMAL_H

#include <stdbool.h>

#define KB_DECIMAL_SIZE 32		/* with the NUL */

/* Decimals of records are what "%.9g" prints. */
void kb_decimal_print(char out[KB_DECIMAL_SIZE], double x);

/*
 * Is this text certainly what is printed of the double that it is nearest to?
 * Up to 15 digits come back from a double as they were, so that it is a question
 * of form alone: at most nine digits that count, no zero at the end of a
 * fraction, an exponent where there must be one and nowhere else. False says
 * nothing; such are numbers at the ends of the range, infinity, and what is no
 * number.
 */
bool kb_decimal_is_printed(const char *text);

#endif
