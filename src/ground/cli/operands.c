#include "cli/operands.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* The word at `*usage`, which is moved to the next; its length. */
static size_t next_word(const char **usage, const char **word)
{
	const size_t len = strcspn(*usage, " ");

	*word = *usage;
	*usage += len + ((*usage)[len] == ' ');
	return len;
}

/* "DIR|FILE..." as "DIR or FILE". */
static void print_word(struct kb_buf *out, const char *word, size_t len)
{
	for (size_t i = 0; i < len && word[i] != '.'; i++) {
		if (word[i] == '|')
			kb_buf_addstr(out, " or ");
		else
			kb_buf_addch(out, word[i]);
	}
}

static int refuse_few(const char *word, size_t len, int argc,
		      char *const argv[], struct kb_err *err)
{
	kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

	print_word(&name, word, len);
	if (argc == 0)
		return kb_err(err, KB_ERR_USAGE, "no %s given", name.data);
	return kb_err(err, KB_ERR_USAGE, "no %s given after '%s'", name.data,
		      argv[argc - 1]);
}

static int refuse_empty(const char *word, size_t len, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

	print_word(&name, word, len);
	return kb_err(err, KB_ERR_USAGE, "%s is empty", name.data);
}

/* Check against the usage text itself, so that both agree. */
int kb_operands_check(const char *usage, int argc, char *const argv[],
		      struct kb_err *err)
{
	const bool has_more = strstr(usage, "...");
	const char *word;
	int most = 0;

	while (*usage && *usage != '[') {
		const size_t len = next_word(&usage, &word);

		if (most++ == argc)
			return refuse_few(word, len, argc, argv, err);
		/* "$(cat file)" of an empty file is such an operand. */
		if (!*argv[most - 1])
			return refuse_empty(word, len, err);
	}
	while ((usage = strchr(usage, '['))) {
		usage++;
		most++;
	}
	if (has_more || argc <= most)
		return 0;
	return kb_err(err, KB_ERR_USAGE, "unexpected operand '%s'", argv[most]);
}
