#include "answers/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"

#define ID_DIGITS 16

/* Append the text between the braces, which the reader of records checked. */
static void add_members(struct kb_buf *out, const char *object)
{
	const char *begin = strchr(object, '{') + 1;
	const char *end = strrchr(object, '}');

	while (begin < end && strchr(" \t\r\n", *begin))
		begin++;
	while (end > begin && strchr(" \t\r\n", end[-1]))
		end--;
	if (begin == end)
		return;
	kb_buf_addch(out, ',');
	kb_buf_add(out, begin, (size_t)(end - begin));
}

void kb_request_body(struct kb_buf *out, const struct kb_asked *a,
		     const struct kb_generated *line,
		     const struct kb_json *messages)
{
	kb_buf_addstr(out, "{\"model\":");
	kb_json_print_string(out, a->model);
	kb_buf_addstr(out, ",\"messages\":");
	kb_json_print(out, messages);
	if (line->seed != KB_UNKNOWN)
		kb_buf_addf(out, ",\"seed\":%" PRId64, line->seed);
	add_members(out, a->sampling);
	kb_buf_addch(out, '}');
}

void kb_request_name(struct kb_generated *line, const struct kb_asked *a,
		     const struct kb_prompt *prompt)
{
	kb_auto(buf) struct kb_buf body = KB_BUF_INIT;

	line->seed = a->seed == KB_UNKNOWN ? KB_UNKNOWN
					   : a->seed + line->sample_id;
	line->prompt = prompt->digest;
	kb_request_body(&body, a, line, prompt->messages);
	kb_digest_of(&line->request, body.data, body.len);
}

void kb_custom_id_format(char out[KB_CUSTOM_ID_SIZE],
			 const struct kb_generated *line)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&line->request, hex);
	snprintf(out, KB_CUSTOM_ID_SIZE, "l%d-p%d-s%d-t%d-%.*s",
		 line->key.level, line->key.problem_id, line->sample_id,
		 line->turn, ID_DIGITS, hex);
}

static int compare_lines(const void *a, const void *b)
{
	return kb_generated_compare(a, b);
}

static struct kb_generated *find_by_id(const struct kb_generation *g,
				       const char *id)
{
	struct kb_generated key = KB_GENERATED_INIT;

	if (!g->line_count ||
	    sscanf(id, "l%2d-p%6d-s%6d-t%3d-", &key.key.level,
		   &key.key.problem_id, &key.sample_id, &key.turn) != 4)
		return NULL;
	return bsearch(&key, g->lines, g->line_count, sizeof(key),
		       compare_lines);
}

int kb_custom_id_find(struct kb_generated **out,
		      const struct kb_generation *g, const char *id,
		      struct kb_err *err)
{
	char want[KB_CUSTOM_ID_SIZE];

	*out = find_by_id(g, id);
	if (!*out)
		return kb_err(err, KB_ERR_INPUT,
			      "nothing was asked under the id '%s'", id);
	kb_custom_id_format(want, *out);
	if (strcmp(want, id))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' answers another request than '%s'", id,
			      want);
	return 0;
}

void kb_request_line(struct kb_buf *out, const struct kb_asked *a,
		     const struct kb_generated *line,
		     const struct kb_json *messages)
{
	char id[KB_CUSTOM_ID_SIZE];

	kb_custom_id_format(id, line);
	kb_buf_addf(out, "{\"custom_id\":\"%s\",\"method\":\"POST\","
		    "\"url\":\"%s\",\"body\":", id, KB_REQUEST_URL);
	kb_request_body(out, a, line, messages);
	kb_buf_addstr(out, "}\n");
}
