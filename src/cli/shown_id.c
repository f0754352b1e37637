#include "cli/shown_id.h"

#include <unistd.h>

void kb_shown_id(char hex[KB_DIGEST_HEX_SIZE], const struct kb_digest *id)
{
	kb_digest_format(id, hex);
	if (isatty(STDOUT_FILENO))
		hex[KB_SHOWN_ID_DIGITS] = '\0';
}
