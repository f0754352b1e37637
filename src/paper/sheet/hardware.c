#include "sheet/hardware.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/json.h"
#include "manifest/conditions.h"

const char *kb_environment_text(const struct kb_json *environment,
				const char *section, const char *fact)
{
	return kb_json_text(kb_json_find(environment, section), fact);
}

const char *kb_hardware_name(const struct kb_json *environment)
{
	const char *kind = kb_environment_text(environment, "device", "kind");
	const bool is_cuda = kind && !strcmp(kind, "cuda");
	const char *name = is_cuda
		? kb_environment_text(environment, "gpu", "name")
		: kb_environment_text(environment, "cpu", "model");

	return name && *name ? name : "unknown";
}

const char *kb_device_name(const struct kb_conditions *c)
{
	const char *said = kb_json_text(c->options, "device");
	const char *kind = kb_environment_text(c->environment, "device",
					       "kind");

	return said ? said : kind ? kind : "unknown";
}

void kb_stack_print(struct kb_buf *out, const struct kb_json *environment)
{
	static const struct {
		const char *section, *fact, *before;
	} facts[] = {
		{ "driver", "version", "driver " },
		{ "cuda", "runtime_version", "CUDA " },
		{ "torch", "version", "torch " },
		{ "torch", "precision", "" },
		{ "torch", "triton_version", "Triton " },
		{ "python", "version", "Python " },
		{ "compiler", "version", "" },
		{ "os", "distribution", "" },
	};
	const char *separator = "";

	for (size_t i = 0; i < KB_ARRAY_LEN(facts); i++) {
		const char *text = kb_environment_text(environment,
						       facts[i].section,
						       facts[i].fact);

		if (!text)
			continue;
		kb_buf_addf(out, "%s%s%s", separator, facts[i].before, text);
		separator = ", ";
	}
	if (!*separator)
		kb_buf_addstr(out, "not recorded");
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

void kb_path_word_print(struct kb_buf *out, const char *text)
{
	const size_t start = out->len;
	bool has_gap = false;

	for (; *text && out->len - start < KB_PATH_WORD_BYTES_MAX - 1; text++) {
		if (!is_word(*text) || (*text == '.' && out->len == start)) {
			has_gap = true;
			continue;
		}
		if (has_gap)
			kb_buf_addch(out, '_');
		kb_buf_addch(out, *text);
		has_gap = false;
	}
	if (out->len == start)
		kb_buf_addch(out, '_');
}
