#include "device/sys_fact.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "device/text_fact.h"
#include "json/json.h"
#include "manifest/conditions.h"

/* /proc/cpuinfo has some 1500 bytes for each core. */
#define TEXT_MAX_BYTES (8 * 1024 * 1024)

static int read_text(struct kb_buf *out, const char *root, const char *path,
		     struct kb_err *err)
{
	kb_auto(mem) char *full = kb_xasprintf("%s%s", root, path);

	return kb_file_read(out, AT_FDCWD, full, TEXT_MAX_BYTES, err);
}

static int read_line(struct kb_buf *out, const char *root, const char *path,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = read_text(&text, root, path, err);

	if (ret < 0)
		return ret;
	return kb_text_fact_line(out, text.data, text.len, path, err);
}

static int read_field(struct kb_buf *out, const char *root, const char *path,
		      const char *field, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = read_text(&text, root, path, err);

	if (ret < 0)
		return ret;
	return kb_text_fact_field(out, text.data, text.len, field, path, err);
}

/* "<digits><unit>", in units of `unit_size`. */
static int parse_number(int64_t *out, const char *s, const char *unit,
			int64_t unit_size, struct kb_err *err)
{
	size_t digits = strspn(s, "0123456789");
	intmax_t n;

	errno = 0;
	n = strtoimax(s, NULL, 10);
	if (digits == 0 || strcmp(s + digits, unit) || errno ||
	    n > KB_JSON_INT_MAX / unit_size)
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a number%s%s", s,
			      *unit ? " of" : "", unit);
	*out = n * unit_size;
	return 0;
}

static struct kb_json *number_or_reason(int ret, int64_t n,
					const struct kb_err *err)
{
	return ret < 0 ? kb_unavailable(err->msg) : kb_json_int(n);
}

static struct kb_json *text_or_reason(int ret, const struct kb_buf *text,
				      const struct kb_err *err)
{
	return ret < 0 ? kb_unavailable(err->msg) : kb_json_string(text->data);
}

struct kb_json *kb_sys_fact_line(const char *root, const char *path)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = read_line(&line, root, path, &err);

	return text_or_reason(ret, &line, &err);
}

struct kb_json *kb_sys_fact_number(const char *root, const char *path)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int64_t n = 0;
	int ret = read_line(&line, root, path, &err);

	if (ret >= 0)
		ret = parse_number(&n, line.data, "", 1, &err);
	return number_or_reason(ret, n, &err);
}

struct kb_json *kb_sys_fact_switch(const char *root, const char *path,
				   const char *on, const char *off)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (read_line(&line, root, path, &err) < 0)
		return kb_unavailable(err.msg);
	if (!strcmp(line.data, on))
		return kb_json_bool(true);
	if (!strcmp(line.data, off))
		return kb_json_bool(false);
	(void)kb_err(&err, KB_ERR_INPUT, "'%s' says '%s'", path, line.data);
	return kb_unavailable(err.msg);
}

struct kb_json *kb_sys_fact_field(const char *root, const char *path,
				  const char *field)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = read_field(&value, root, path, field, &err);

	return text_or_reason(ret, &value, &err);
}

struct kb_json *kb_sys_fact_field_kb(const char *root, const char *path,
				     const char *field)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int64_t n = 0;
	int ret = read_field(&value, root, path, field, &err);

	if (ret >= 0)
		ret = parse_number(&n, value.data, " kB", 1024, &err);
	return number_or_reason(ret, n, &err);
}

struct kb_json *kb_sys_fact_variable(const char *root, const char *path,
				     const char *variable)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, value = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = read_text(&text, root, path, &err);

	if (ret >= 0)
		ret = kb_text_fact_variable(&value, text.data, text.len,
					    variable, path, &err);
	return text_or_reason(ret, &value, &err);
}

/* One line about cache number `index` of the first core. */
static int read_cache(struct kb_buf *out, const char *root, int index,
		      const char *what, struct kb_err *err)
{
	kb_auto(mem) char *path =
		kb_xasprintf("/sys/devices/system/cpu/cpu0/cache/index%d/%s",
			     index, what);

	kb_buf_clear(out);
	return read_line(out, root, path, err);
}

/* 1 if it is of that level and holds data, 0 if not. */
static int is_data_cache(const char *root, int index, const char *level,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	int ret = read_cache(&line, root, index, "level", err);

	if (ret < 0 || strcmp(line.data, level))
		return ret;
	ret = read_cache(&line, root, index, "type", err);
	if (ret < 0)
		return ret;
	return strcmp(line.data, "Instruction") != 0;
}

struct kb_json *kb_sys_fact_cache_bytes(const char *root, const char *level)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int64_t bytes = 0;
	int index = 0, ret;

	/* Ends with an error at the latest where there is no such file. */
	while ((ret = is_data_cache(root, index, level, &err)) == 0)
		index++;
	if (ret > 0)
		ret = read_cache(&line, root, index, "size", &err);
	if (ret >= 0)
		ret = parse_number(&bytes, line.data, "K", 1024, &err);
	return number_or_reason(ret, bytes, &err);
}
