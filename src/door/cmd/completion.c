#include "cmd/completion.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/stages.h"

static const char *const names[KB_SHELL_COUNT] = {
	[KB_SHELL_BASH] = "bash", [KB_SHELL_ZSH] = "zsh",
	[KB_SHELL_FISH] = "fish",
};

int kb_shell_parse(enum kb_shell *out, const char *name, struct kb_err *err)
{
	for (int i = 0; i < KB_SHELL_COUNT; i++) {
		if (strcmp(names[i], name))
			continue;
		*out = (enum kb_shell)i;
		return 0;
	}
	return kb_err(err, KB_ERR_USAGE,
		      "no completion for shell '%s': there is bash, zsh and "
		      "fish", name);
}

/* "eval" of "kb-eval"; NULL for kb itself. */
static const char *stage_of(const struct kb_command *c)
{
	return !strncmp(c->name, "kb-", 3) ? c->name + 3 : NULL;
}

static void add_stages(struct kb_buf *out)
{
	for (size_t i = 0; i < kb_stage_program_count; i++)
		kb_buf_addf(out, "%s ", kb_stage_programs[i].name);
}

/* The form without a verb, which there may be beside others. */
static const struct kb_verb *unnamed_verb(const struct kb_command *c)
{
	return c->verbs[0].name ? NULL : &c->verbs[0];
}

static bool has_first_words(const struct kb_command *c)
{
	return c->verb_count > 1 || c->verbs[0].name;
}

/* Words that follow the name of a program that has verbs. */
static void add_first_words(struct kb_buf *out, const struct kb_command *c)
{
	for (int i = 0; i < c->verb_count; i++)
		if (c->verbs[i].name)
			kb_buf_addf(out, "%s ", c->verbs[i].name);
	if (!stage_of(c))
		add_stages(out);
}

/* The words that an option takes, or a device. Are there any? */
static bool add_values(struct kb_buf *out, const struct kb_option *o)
{
	const size_t before = out->len;
	char *word;

	if (o->arg && !strcmp(o->arg, "DEVICE"))
		kb_buf_addstr(out, "cpu cuda:0 ");
	for (size_t i = 0; (word = kb_option_word(o, i)); i++) {
		kb_buf_addf(out, "%s ", word);
		free(word);
	}
	return out->len > before;
}

/* An operand that is one of few words: "[COMMAND]", or "bash|zsh|fish". */
static bool has_operand_words(const struct kb_verb *v)
{
	return v->operand_word || !strcmp(v->operands, "[COMMAND]") ||
	       (v->operands[0] >= 'a' && v->operands[0] <= 'z');
}

static void add_operand_words(struct kb_buf *out, const struct kb_verb *v)
{
	if (!has_operand_words(v))
		return;
	if (v->operand_word) {
		for (size_t i = 0; v->operand_word(i); i++)
			kb_buf_addf(out, "%s ", v->operand_word(i));
		return;
	}
	if (v->operands[0] == '[') {
		add_stages(out);
		return;
	}
	for (const char *p = v->operands; *p; p++)
		kb_buf_addch(out, *p == '|' ? ' ' : *p);
	kb_buf_addch(out, ' ');
}

/* "kb-pack" and "kb-eval"... */
static void add_programs(struct kb_buf *out)
{
	kb_buf_addstr(out, "kb");
	for (size_t i = 0; i < kb_stage_program_count; i++)
		kb_buf_addf(out, " kb-%s", kb_stage_programs[i].name);
}

/* Between single quotes, as all three shells read them; what `also` has is
 * preceded by a backslash, for whom reads it after the shell. */
static void add_quoted(struct kb_buf *out, const char *text, const char *quote,
		       const char *also)
{
	for (; *text; text++) {
		if (*text == '\'') {
			kb_buf_addstr(out, quote);
			continue;
		}
		if (strchr(also, *text))
			kb_buf_addch(out, '\\');
		kb_buf_addch(out, *text);
	}
}

/* --- bash ------------------------------------------------------------- */

static const char bash_head[] =
	"# Completion of kb's command lines in bash: kb completion bash\n"
	"\n"
	"# Names in the store; what is none of them is a file's.\n"
	"_kb_names() {\n"
	"\tkb name 2>/dev/null | sed 's/.* //'\n"
	"}\n"
	"\n"
	"# The words that may follow those given, or nothing.\n"
	"_kb_words() {\n"
	"\tcase $1 in\n";

static const char bash_foot[] =
	"\tesac\n"
	"}\n"
	"\n"
	"_kb() {\n"
	"\tlocal form=${COMP_WORDS[0]##*/} current=${COMP_WORDS[COMP_CWORD]}\n"
	"\tlocal before=${COMP_WORDS[COMP_CWORD - 1]} at=1 longer values whole\n"
	"\n"
	"\tform=${form/#kb-/kb }\n"
	"\twhile ((at < COMP_CWORD)) && [[ ${COMP_WORDS[at]} != -* ]]\n"
	"\tdo\n"
	"\t\tlonger=\"$form ${COMP_WORDS[at]}\"\n"
	"\t\ttest -n \"$(_kb_words \"$longer\")\" || break\n"
	"\t\tform=$longer\n"
	"\t\tat=$((at + 1))\n"
	"\tdone\n"
	"\tCOMPREPLY=()\n"
	"\tvalues=$(_kb_words \"$form $before\")\n"
	"\tif [[ $before == -* && $values ]]\n"
	"\tthen\n"
	"\t\tCOMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tcase $current in\n"
	"\t-*)\tCOMPREPLY=($(compgen -W \"$(_kb_words \"$form\")\" -- \"$current\")) ;;\n"
	"\t*)\t((at < COMP_CWORD)) ||\n"
	"\t\tCOMPREPLY=($(compgen -W \"$(_kb_words \"$form\")\" -X '-*' -- \"$current\")) ;;\n"
	"\tesac\n"
	"\tcase $current in\n"
	"\t-*)\treturn ;;\n"
	"\tesac\n"
	"\ttest \"$form\" != kb && test ${#COMPREPLY[@]} = 0 || return 0\n"
	"\t# Bash takes @ and : for ends of words.\n"
	"\twhole=${COMP_LINE:0:COMP_POINT}\n"
	"\twhole=${whole##*[[:space:]]}\n"
	"\tCOMPREPLY=($(compgen -W \"$(_kb_names)\" -- \"$whole\"))\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"${whole%\"${whole##*[@:]}\"}\"}\")\n"
	"\ttest -n \"$COMPREPLY\" || COMPREPLY=()\n"
	"}\n"
	"\n"
	"complete -o default -F _kb ";

static void bash_words(struct kb_buf *out, const struct kb_verb *v)
{
	add_operand_words(out, v);
	for (const struct kb_option *o = v->options; o->name; o++)
		kb_buf_addf(out, "--%s ", o->name);
	kb_buf_addstr(out, "--help --version' ;;\n");
}

/* Behind an option, as if that were a verb. */
static void bash_values(struct kb_buf *out, const struct kb_command *c,
			const struct kb_verb *v)
{
	kb_auto(buf) struct kb_buf form = KB_BUF_INIT, words = KB_BUF_INIT;
	const char *stage = stage_of(c);

	kb_buf_addf(&form, "kb%s%s%s%s", stage ? " " : "", stage ? stage : "",
		    v->name ? " " : "", v->name ? v->name : "");
	for (const struct kb_option *o = v->options; o->name; o++) {
		kb_buf_clear(&words);
		if (!add_values(&words, o))
			continue;
		kb_buf_addf(out, "\t'%s --%s'", form.data, o->name);
		if (o->letter)
			kb_buf_addf(out, " | '%s -%c'", form.data, o->letter);
		kb_buf_addf(out, ") echo '%s' ;;\n", words.data);
	}
}

static void bash_part(struct kb_buf *out, const struct kb_command *c)
{
	const char *stage = stage_of(c);
	const struct kb_verb *unnamed = unnamed_verb(c);

	kb_buf_addf(out, "\t'kb%s%s') echo '", stage ? " " : "",
		    stage ? stage : "");
	if (has_first_words(c))
		add_first_words(out, c);
	if (unnamed)
		bash_words(out, unnamed);
	else
		kb_buf_addstr(out, "--help --version' ;;\n");
	for (int i = 0; i < c->verb_count; i++) {
		const struct kb_verb *v = &c->verbs[i];

		bash_values(out, c, v);
		if (!v->name)
			continue;
		kb_buf_addf(out, "\t'kb%s%s %s') echo '", stage ? " " : "",
			    stage ? stage : "", v->name);
		bash_words(out, v);
	}
}

/* --- zsh -------------------------------------------------------------- */

static const char zsh_foot[] =
	"_kb_bundles() {\n"
	"\tlocal -a names=(${${(f)\"$(kb name 2>/dev/null)\"}##* })\n"
	"\t_alternative 'names:name:compadd -a names' 'files:file:_files'\n"
	"}\n"
	"\n"
	"_kb() {\n"
	"\tlocal program=${service:t}\n"
	"\n"
	"\tif [[ $program == kb && $CURRENT -gt 2 ]] &&\n"
	"\t   (( $+functions[_kb_of_kb-$words[2]] ))\n"
	"\tthen\n"
	"\t\tprogram=kb-$words[2]\n"
	"\t\tshift words\n"
	"\t\t(( CURRENT-- ))\n"
	"\tfi\n"
	"\t_kb_of_$program\n"
	"}\n"
	"\n"
	"if [[ $funcstack[1] == _kb ]]\n"
	"then _kb \"$@\"\n"
	"else compdef _kb ";

static void zsh_values(struct kb_buf *out, const struct kb_option *o)
{
	kb_auto(buf) struct kb_buf words = KB_BUF_INIT;

	if (add_values(&words, o)) {
		kb_buf_addf(out, ":%s:(", o->arg);
		add_quoted(out, words.data, "", ":");
		kb_buf_addstr(out, ")");
	} else {
		kb_buf_addf(out, ":%s:%s", o->arg, strcmp(o->arg, "BUNDLE") ?
			    "_files" : "_kb_bundles");
	}
}

/* '(-s --suite)'{-s+,--suite=}'[help]:SUITE:_files' */
static void zsh_option(struct kb_buf *out, const struct kb_option *o)
{
	const char *plus = o->arg ? "+" : "", *equals = o->arg ? "=" : "";
	const bool is_list = kb_option_repeats(o);

	kb_buf_addstr(out, " \\\n\t\t");
	if (o->letter && is_list)
		kb_buf_addstr(out, "'*'");
	else if (o->letter)
		kb_buf_addf(out, "'(-%c --%s)'", o->letter, o->name);
	if (o->letter)
		kb_buf_addf(out, "{-%c%s,--%s%s}'[", o->letter, plus, o->name,
			    equals);
	else
		kb_buf_addf(out, "'%s--%s%s[", is_list ? "*" : "", o->name,
			    equals);
	add_quoted(out, o->help, "'\\''", "[]:\\");
	kb_buf_addstr(out, "]");
	if (o->arg)
		zsh_values(out, o);
	kb_buf_addstr(out, "'");
}

static void zsh_arguments(struct kb_buf *out, const struct kb_verb *v)
{
	kb_buf_addstr(out, "_arguments -S");
	for (const struct kb_option *o = v->options; o->name; o++)
		zsh_option(out, o);
	kb_buf_addstr(out, " \\\n\t\t'--help[print this and exit]'"
		      " \\\n\t\t'--version[print the version and exit]'"
		      " \\\n\t\t'");
	kb_buf_addstr(out, v->operand_word ? "1:operand:" : "*:operand:");
	if (has_operand_words(v)) {
		kb_buf_addch(out, '(');
		add_operand_words(out, v);
		kb_buf_addstr(out, v->operand_word ?
			      ")' '*:operand:_kb_bundles'" : ")'");
	} else {
		kb_buf_addstr(out, "_kb_bundles'");
	}
}

static void zsh_verbs(struct kb_buf *out, const struct kb_command *c)
{
	const struct kb_verb *unnamed = unnamed_verb(c);

	kb_buf_addstr(out, "\tif (( CURRENT == 2 ))\n"
		      "\tthen compadd -- ");
	add_first_words(out, c);
	kb_buf_addf(out, "--help --version%s\n"
		    "\tfi\n", unnamed && stage_of(c) ? "" : "; return");
	if (unnamed && stage_of(c)) {
		kb_buf_addstr(out, "\tif [[ $CURRENT -eq 2 || (");
		for (int i = 1; i < c->verb_count; i++)
			kb_buf_addf(out, "%s$words[2] != %s",
				    i > 1 ? " && " : "", c->verbs[i].name);
		kb_buf_addstr(out, ") ]]\n\tthen ");
		zsh_arguments(out, unnamed);
		kb_buf_addstr(out, "; return\n\tfi\n");
	}
	kb_buf_addstr(out, "\tlocal verb=$words[2]\n"
		      "\tshift words\n"
		      "\t(( CURRENT-- ))\n"
		      "\tcase $verb in\n");
	for (int i = 0; i < c->verb_count; i++) {
		if (!c->verbs[i].name)
			continue;
		kb_buf_addf(out, "\t%s)\n\t\t", c->verbs[i].name);
		zsh_arguments(out, &c->verbs[i]);
		kb_buf_addstr(out, "\n\t\t;;\n");
	}
	kb_buf_addstr(out, "\tesac\n");
}

static void zsh_part(struct kb_buf *out, const struct kb_command *c)
{
	kb_buf_addf(out, "_kb_of_%s() {\n", c->name);
	if (has_first_words(c)) {
		zsh_verbs(out, c);
	} else {
		kb_buf_addch(out, '\t');
		zsh_arguments(out, &c->verbs[0]);
		kb_buf_addch(out, '\n');
	}
	kb_buf_addstr(out, "}\n\n");
}

/* --- fish ------------------------------------------------------------- */

static const char fish_head[] =
	"# Completion of kb's command lines in fish: kb completion fish\n"
	"\n"
	"# The words before the cursor, the program's as two.\n"
	"function __kb_words\n"
	"\tset -l words (commandline -opc)\n"
	"\tstring replace -r '.*/' '' -- $words[1] |\n"
	"\t\tstring replace -r '^kb-' 'kb ' | string split ' '\n"
	"\ttest (count $words) -gt 1\n"
	"\tand printf '%s\\n' $words[2..]\n"
	"end\n"
	"\n"
	"# Do they begin with these?\n"
	"function __kb_after\n"
	"\tset -l words (__kb_words)\n"
	"\tset -l count (count $argv)\n"
	"\ttest \"$words[1..$count]\" = \"$argv\"\n"
	"end\n"
	"\n"
	"# Are they these?\n"
	"function __kb_at\n"
	"\tset -l words (__kb_words)\n"
	"\ttest \"$words\" = \"$argv\"\n"
	"end\n"
	"\n";

static void fish_begin(struct kb_buf *out, const struct kb_command *c,
		       const char *question, const char *verb)
{
	const char *stage = stage_of(c);

	kb_buf_addf(out, "complete -c kb%s%s -n '%s kb%s%s%s%s'",
		    stage ? " -c kb-" : "", stage ? stage : "", question,
		    stage ? " " : "", stage ? stage : "", verb ? " " : "",
		    verb ? verb : "");
}

static void fish_option(struct kb_buf *out, const struct kb_command *c,
			const struct kb_verb *v, const struct kb_option *o)
{
	kb_auto(buf) struct kb_buf words = KB_BUF_INIT;

	fish_begin(out, c, "__kb_after", v->name);
	kb_buf_addf(out, " -l %s", o->name);
	if (o->letter)
		kb_buf_addf(out, " -s %c", o->letter);
	kb_buf_addf(out, "%s -d '", o->arg ? " -r" : "");
	add_quoted(out, o->help, "\\'", "\\");
	kb_buf_addstr(out, "'");
	if (add_values(&words, o))
		kb_buf_addf(out, " -f -a '%s'", words.data);
	kb_buf_addch(out, '\n');
}

static void fish_operands(struct kb_buf *out, const struct kb_command *c,
			  const struct kb_verb *v)
{
	fish_begin(out, c, "__kb_at", v->name);
	kb_buf_addstr(out, " -f -a '");
	add_operand_words(out, v);
	kb_buf_addstr(out, "'\n");
}

/* Beside files. */
static void fish_names(struct kb_buf *out, const struct kb_command *c,
		       const struct kb_verb *v)
{
	fish_begin(out, c, "__kb_after", v->name);
	kb_buf_addstr(out, " -a '(kb name 2>/dev/null | "
		      "string replace -r \".* \" \"\")'\n");
}

static void fish_part(struct kb_buf *out, const struct kb_command *c)
{
	if (has_first_words(c)) {
		fish_begin(out, c, "__kb_at", NULL);
		kb_buf_addstr(out, " -f -a '");
		add_first_words(out, c);
		kb_buf_addstr(out, "'\n");
	}
	for (int i = 0; i < c->verb_count; i++) {
		const struct kb_verb *v = &c->verbs[i];

		for (const struct kb_option *o = v->options; o->name; o++)
			fish_option(out, c, v, o);
		if (v->name && has_operand_words(v))
			fish_operands(out, c, v);
		else if (*v->operands && stage_of(c))
			fish_names(out, c, v);
	}
	fish_begin(out, c, stage_of(c) ? "__kb_after" : "__kb_at", NULL);
	kb_buf_addstr(out, " -l help -d 'print this and exit'\n");
	fish_begin(out, c, stage_of(c) ? "__kb_after" : "__kb_at", NULL);
	kb_buf_addstr(out, " -l version -d 'print the version and exit'\n");
}

/* --- all -------------------------------------------------------------- */

void kb_completion_head(struct kb_buf *out, enum kb_shell shell)
{
	if (shell == KB_SHELL_BASH)
		kb_buf_addstr(out, bash_head);
	if (shell == KB_SHELL_FISH)
		kb_buf_addstr(out, fish_head);
	if (shell != KB_SHELL_ZSH)
		return;
	kb_buf_addstr(out, "#compdef ");
	add_programs(out);
	kb_buf_addstr(out, "\n# Completion of kb's command lines in zsh: "
		      "kb completion zsh\n\n");
}

void kb_completion_part(struct kb_buf *out, enum kb_shell shell,
			const struct kb_command *c)
{
	if (shell == KB_SHELL_BASH)
		bash_part(out, c);
	if (shell == KB_SHELL_ZSH)
		zsh_part(out, c);
	if (shell == KB_SHELL_FISH)
		fish_part(out, c);
}

void kb_completion_foot(struct kb_buf *out, enum kb_shell shell)
{
	if (shell == KB_SHELL_FISH)
		return;
	kb_buf_addstr(out, shell == KB_SHELL_BASH ? bash_foot : zsh_foot);
	add_programs(out);
	kb_buf_addstr(out, shell == KB_SHELL_BASH ? "\n" : "\nfi\n");
}
