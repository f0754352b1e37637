#ifndef KB_ANSWERS_MESSAGES_H
#define KB_ANSWERS_MESSAGES_H

struct kb_json;

/* Append {"content", "role"} to an array of messages. `content` is UTF-8. */
void kb_message_add(struct kb_json *messages, const char *role,
		    const char *content);

#endif
