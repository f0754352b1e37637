#include "sheet/sandbox_note.h"

#include <string.h>

#include "base/buf.h"
#include "json/json.h"
#include "manifest/score.h"

void kb_sandbox_note_print(struct kb_buf *out, const struct kb_score *s)
{
	const struct kb_json *v = kb_json_find(s->definition, "sandbox");
	const char *mode = v && kb_json_type(v) == KB_JSON_STRING ?
				kb_json_string_value(v) : KB_SANDBOX_USUAL;

	kb_buf_addstr(out, mode);
	if (!strcmp(mode, "off"))
		kb_buf_addstr(out, ": nothing confined the candidates");
}
