/* Text to values: the scanner refuses, cJSON builds, or build.c in a pool. */

#include "json/json.h"

#include <cjson/cJSON.h>
#include <locale.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/build.h"
#include "json/scan.h"

_Static_assert(CJSON_NESTING_LIMIT > KB_JSON_DEPTH_MAX,
	       "cJSON must parse whatever the scanner accepts");

/* cJSON says NULL when memory runs out. */
static struct kb_json *checked_item(cJSON *item)
{
	if (!item)
		KB_BUG("cJSON made no item");
	return (struct kb_json *)item;
}

/* What is to be parsed; all borrowed. */
struct input {
	const char *data;
	size_t len;
	enum kb_json_dialect dialect;
	const char *name;
};

/* The scanner has seen that it is not; the printer sees where. */
static int not_canonical(const struct input *in, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v =
		checked_item(cJSON_ParseWithLength(in->data, in->len));
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT;
	size_t at = 0;

	kb_json_print(&want, v);
	while (at < in->len && at < want.len && in->data[at] == want.data[at])
		at++;
	return kb_err(err, KB_ERR_INPUT,
		      "cannot parse '%s': not canonical at byte %zu", in->name,
		      at);
}

/* Scanned, and as canonical as it must be. */
static int scan_input(const struct input *in, struct kb_err *err)
{
	bool canonical = false;
	int ret = kb_json_scan(&canonical, in->data, in->len, in->dialect,
			       in->name, err);

	if (ret == 0 && in->dialect == KB_JSON_CANONICAL && !canonical)
		return not_canonical(in, err);
	return ret;
}

static int parse_input(struct kb_json **out, const struct input *in,
		       struct kb_err *err)
{
	int ret = scan_input(in, err);

	if (ret == 0)
		*out = checked_item(cJSON_ParseWithLength(in->data, in->len));
	return ret;
}

/* strtod(), ours and cJSON's, reads "1.5" as the locale has it. */
static int parse_in_c_locale(struct kb_json **out, const struct input *in,
			     struct kb_err *err)
{
	locale_t c, before;
	int ret;

	if (in->dialect != KB_JSON_FOREIGN)
		return parse_input(out, in, err);	/* integers only */
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		KB_BUG("there is no C locale");
	before = uselocale(c);
	ret = parse_input(out, in, err);
	uselocale(before);
	freelocale(c);
	return ret;
}

int kb_json_parse(struct kb_json **out, const void *data, size_t len,
		  enum kb_json_dialect dialect, const char *name,
		  struct kb_err *err)
{
	return parse_in_c_locale(out, &(struct input){
		data, len, dialect, name }, err);
}

int kb_json_parse_in(const struct kb_json **out, struct kb_json_pool *pool,
		     const void *data, size_t len, const char *name,
		     struct kb_err *err)
{
	int ret = scan_input(&(struct input){ data, len, KB_JSON_CANONICAL, name },
			     err);

	if (ret == 0)
		*out = kb_json_build(pool, data, len);
	return ret;
}
