#include "worker/variables.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/variable.h"
#include "confine/root.h"
#include "json/json.h"
#include "json/utf8.h"

enum names {
	NOTHING,
	DIRECTORIES,			/* colons between them */
	INSTALLATION,
	COMMAND,			/* a program, maybe behind another such
					   as ccache, and arguments */
	FLAGS,				/* arguments, with paths in them */
};

static const struct variable {
	const char *name;
	enum names names;
	bool is_told;			/* in records */
} variables[] = {
	{ "PATH", DIRECTORIES, false },
	{ "LD_LIBRARY_PATH", DIRECTORIES, false },
	{ "PYTHONPATH", DIRECTORIES, false },
	{ "EBPYTHONPREFIXES", DIRECTORIES, false },	/* EasyBuild's modules */
	{ "PYTHONUSERBASE", NOTHING, false },	/* Python says it itself */
	{ "PYTHONNOUSERSITE", NOTHING, false },
	{ "VIRTUAL_ENV", INSTALLATION, false },
	{ "CPATH", DIRECTORIES, false },
	{ "LIBRARY_PATH", DIRECTORIES, false },
	{ "CUDA_HOME", INSTALLATION, false },
	{ "NIX_CC", NOTHING, false },
	{ "NIX_LDFLAGS", NOTHING, false },
	{ "NIX_CFLAGS_COMPILE", NOTHING, false },

	{ "CC", COMMAND, true },
	{ "CXX", COMMAND, true },
	{ "PYTORCH_NVCC", COMMAND, true },
	{ "NVCC_CCBIN", COMMAND, true },
	{ "NVCC_PREPEND_FLAGS", FLAGS, true },
	{ "NVCC_APPEND_FLAGS", FLAGS, true },
	{ "TRITON_PTXAS_PATH", COMMAND, true },
	{ "CUTLASS_PATH", INSTALLATION, true },
	{ "THUNDERKITTENS_ROOT", INSTALLATION, true },
	{ "CUTE_DSL_ARCH", NOTHING, true },
};

static const char tilelang[] = "TILELANG_";
static const struct variable of_tilelang = { tilelang, DIRECTORIES, true };

/* But for where it writes: a worker's caches are its own. */
static const char *const private[] = {
	"TILELANG_CACHE_DIR=", "TILELANG_TMP_DIR=",
};

static bool is_of_tilelang(const char *entry)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(private); i++)
		if (!strncmp(entry, private[i], strlen(private[i])))
			return false;
	return !strncmp(entry, tilelang, strlen(tilelang)) &&
	       strchr(entry, '=');
}

/* Values in a record are UTF-8, and an empty value says nothing. */
static bool is_told(const struct variable *v, const char *value)
{
	return v->is_told && *value && kb_utf8_valid(value, strlen(value));
}

/* --- each of them ------------------------------------------------------ */

/* A variable that is set: an empty CXX would be a compiler without a name. */
struct found {
	const struct variable *of;
	char *name;			/* owned, as the next */
	char *value;
};

struct all {
	struct found *items;
	size_t count;
};

static void add_variable(struct all *a, const struct variable *of,
			 const char *name, size_t len, const char *value)
{
	a->items = kb_xreallocarray(a->items, a->count + 1, sizeof(*a->items));
	a->items[a->count++] = (struct found){
		of, kb_xstrndup(name, len), kb_xstrdup(value),
	};
}

static int compare_variables(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	return strcmp(a->name, b->name);
}

static const struct variable of_user_base = { "PYTHONUSERBASE", NOTHING, false };

/* A worker has another home, in which Python would look for them. */
static void add_user_base(struct all *a)
{
	kb_auto(mem) char *base = kb_variables_user_base();

	if (base && !kb_variable(of_user_base.name))
		add_variable(a, &of_user_base, of_user_base.name,
			     strlen(of_user_base.name), base);
}

/* In one order, wherever they stand in the environment. */
static struct all find_all(void)
{
	struct all a = { NULL, 0 };

	for (size_t i = 0; i < KB_ARRAY_LEN(variables); i++) {
		const char *value = kb_variable(variables[i].name);

		if (value)
			add_variable(&a, &variables[i], variables[i].name,
				     strlen(variables[i].name), value);
	}
	for (char **e = environ; e && *e; e++)
		if (is_of_tilelang(*e))
			add_variable(&a, &of_tilelang, *e, strcspn(*e, "="),
				     strchr(*e, '=') + 1);
	add_user_base(&a);
	if (a.count)
		qsort(a.items, a.count, sizeof(*a.items), compare_variables);
	return a;
}

static void release_all(struct all *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->items[i].name);
		free(a->items[i].value);
	}
	free(a->items);
}

char *kb_variables_user_base(void)
{
	const char *told = kb_variable("PYTHONUSERBASE");
	const char *home = kb_variable("HOME");
	kb_auto(mem) char *base = told ? kb_xstrdup(told) :
		kb_xasprintf("%s/.local", home ? home : "");
	kb_auto(mem) char *lib = kb_xasprintf("%s/lib", base);

	if (kb_variable("PYTHONNOUSERSITE") || base[0] != '/' ||
	    (!told && !home) || access(lib, F_OK) < 0)
		return NULL;
	return kb_steal(base);
}

/* --- what is made of them ---------------------------------------------- */

char **kb_variables_new(void)
{
	struct all a = find_all();
	char **list = kb_xcalloc(a.count + 1, sizeof(*list));

	for (size_t i = 0; i < a.count; i++)
		list[i] = kb_xasprintf("%s=%s", a.items[i].name,
				       a.items[i].value);
	release_all(&a);
	return list;
}

void kb_variables_free(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static void show_command(struct kb_root *r, const char *command)
{
	kb_auto(mem) char *words = kb_xstrdup(command);
	char *rest = words, *word;

	while ((word = strsep(&rest, " \t")))
		if (word[0] == '/')
			kb_root_add_program(r, word);
}

/* A directory of headers, libraries or programs, or a file. */
static void show_place(struct kb_root *r, const char *path)
{
	kb_auto(mem) char *above = kb_xasprintf("%s/..", path);
	const char *name = strrchr(path, '/');
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		kb_root_add_program(r, path);
		return;
	}
	kb_root_add(r, path);
	if (!strcmp(name, "/bin"))
		kb_root_add_prefix(r, above);
}

/* As in "-I/a -isystem=/b -Xcompiler -I/c,-L/d -ccbin /e/bin/g++": of a word the
 * path is what stands alone or behind an option that takes one. */
static void show_flags(struct kb_root *r, const char *flags)
{
	kb_auto(mem) char *words = kb_xstrdup(flags);
	char *rest = words, *word;

	while ((word = strsep(&rest, " \t\n=,\"'"))) {
		if (!strncmp(word, "-I", 2) || !strncmp(word, "-L", 2))
			word += 2;
		if (word[0] == '/')
			show_place(r, word);
	}
}

void kb_variables_show(struct kb_root *r)
{
	struct all a = find_all();

	for (size_t i = 0; i < a.count; i++) {
		const char *value = a.items[i].value;

		switch (a.items[i].of->names) {
		case DIRECTORIES:
			kb_root_add_list(r, value);
			break;
		case INSTALLATION:
			kb_root_add_prefix(r, value);
			break;
		case COMMAND:
			show_command(r, value);
			break;
		case FLAGS:
			show_flags(r, value);
			break;
		case NOTHING:
			break;
		}
	}
	release_all(&a);
}

struct kb_json *kb_variables_to_json(void)
{
	struct all a = find_all();
	struct kb_json *v = NULL;

	for (size_t i = 0; i < a.count; i++) {
		if (!is_told(a.items[i].of, a.items[i].value))
			continue;
		if (!v)
			v = kb_json_object();
		kb_json_set_string(v, a.items[i].name, a.items[i].value);
	}
	release_all(&a);
	return v;
}
