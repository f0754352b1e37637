#include "store/name.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "store/bundle.h"
#include "store/quote.h"

#define PREFIX "data/"
#define PREFIX_LEN (sizeof(PREFIX) - 1)

_Static_assert(KB_BUNDLE_NAME_BYTES_MAX ==
	       KB_NAME_DIR_BYTES_MAX + 1 + KB_NAME_BASE_BYTES_MAX,
	       "the longest name is the longest directory, '/', longest base");

/* Not isalnum(): what is a letter must not depend on the locale. */
static bool is_allowed(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' ||
	       c == '/';
}

static const char *component_fault(const char *s, size_t len)
{
	if (len == 0)
		return "has an empty component";
	/* In its own directory it would be taken for an option. */
	if (s[0] == '-')
		return "has a component that starts with '-'";
	if (s[0] == '.' && (len == 1 || (len == 2 && s[1] == '.')))
		return "has a component '.' or '..'";
	return NULL;
}

/* The fault of a name, or NULL. */
static const char *name_fault(const char *name, size_t len)
{
	const char *end = name + len;
	const char *part = name;

	for (const char *p = name; p < end; p++)
		if (!is_allowed(*p))
			return "has a character other than A-Z a-z 0-9 . _ - /";
	if (len < PREFIX_LEN || memcmp(name, PREFIX, PREFIX_LEN))
		return "does not start with '" PREFIX "'";

	for (;;) {
		const char *slash = memchr(part, '/', (size_t)(end - part));
		const char *stop = slash ? slash : end;
		const char *fault = component_fault(part,
						    (size_t)(stop - part));

		if (fault)
			return fault;
		if (!slash)
			break;
		part = slash + 1;
	}

	if (end - part > KB_NAME_BASE_BYTES_MAX ||
	    part - name > KB_NAME_DIR_BYTES_MAX + 1)
		return "is too long";
	return NULL;
}

int kb_name_check(const void *name, size_t len, struct kb_err *err)
{
	const char *fault = name_fault(name, len);

	if (fault)
		return kb_err(err, KB_ERR_INPUT, "name '%s' %s",
			      kb_quote(name, len).text, fault);
	return 0;
}

int kb_bundle_check_name(const char *name, struct kb_err *err)
{
	return kb_name_check(name, strlen(name), err);
}

/* '/' before all other characters, so that what is below a directory comes
 * right behind a file of the directory's name, and the pair is compared. */
static int char_rank(char c)
{
	if (c == '/')
		return 1;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int kb_name_order(const char *a, const char *b)
{
	while (*a && char_rank(*a) == char_rank(*b)) {
		a++;
		b++;
	}
	return char_rank(*a) - char_rank(*b);
}

int kb_name_check_pair(const char *a, const char *b, struct kb_err *err)
{
	bool same_case = true;
	size_t i;

	for (i = 0; a[i] && char_rank(a[i]) == char_rank(b[i]); i++) {
		same_case &= a[i] == b[i];
		/* Where file systems ignore case the two directories are
		 * one. */
		if (a[i] == '/' && !same_case)
			break;
	}

	if (a[i] == '\0' && b[i] == '\0' && same_case)
		return kb_err(err, KB_ERR_INPUT, "name '%s' is there twice", a);
	if (a[i] == b[i] && !same_case)
		return kb_err(err, KB_ERR_INPUT,
			      "names '%s' and '%s' differ only in case", a, b);
	if (a[i] == '\0' && b[i] == '/')
		return kb_err(err, KB_ERR_INPUT,
			      "name '%s' is a file and a directory", a);
	if (b[i] == '\0' && a[i] == '/')
		return kb_err(err, KB_ERR_INPUT,
			      "name '%s' is a file and a directory", b);
	return 0;
}
