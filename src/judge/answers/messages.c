#include "answers/messages.h"

#include "json/json.h"

void kb_message_add(struct kb_json *messages, const char *role,
		    const char *content)
{
	struct kb_json *m = kb_json_object();

	kb_json_set_string(m, "role", role);
	kb_json_set_string(m, "content", content);
	kb_json_append(messages, m);
}
