/* Text to values: the scanner refuses, and build.c builds. */

#include "json/json.h"

#include <locale.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/build.h"
#include "json/scan.h"

/* The text to parse; all borrowed. */
struct input {
	const char *data;
	size_t len;
	enum kb_json_dialect dialect;
	const char *name;
};

/* A value that can be changed and put into others. */
static struct kb_json *build_copy(const struct input *in)
{
	struct kb_json_pool *pool = kb_json_pool_new();
	struct kb_json *v = kb_json_copy(kb_json_build(pool, in->data,
						       in->len));

	kb_json_pool_free(pool);
	return v;
}

/* The scanner has seen that it is not; the printer sees where. */
static int not_canonical(const struct input *in, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = build_copy(in);
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
		*out = build_copy(in);
	return ret;
}

/* strtod() reads "1.5" as the locale has it. */
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
