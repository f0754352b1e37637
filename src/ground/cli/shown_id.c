#include "cli/shown_id.h"

#include <unistd.h>

bool kb_wants_whole_ids(void)
{
	return !isatty(STDOUT_FILENO);
}

void kb_shown_id(char hex[KB_DIGEST_HEX_SIZE], const struct kb_digest *id)
{
	kb_digest_format(id, hex);
	if (!kb_wants_whole_ids())
		hex[KB_SHOWN_ID_DIGITS] = '\0';
}
