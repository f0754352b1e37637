#include "import/pkb.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "import/sources.h"
#include "manifest/suite.h"
#include "store/bundle.h"

#define INPUTS "input_output_tensors.py"

/* The shape that its runners pass if they are given none. */
#define ARGUMENTS							\
	"\n\n# ParallelKernelBench calls create_input_tensor() with these.\n"	\
	"PROBLEM_ID = %d\nROWS = 1024\nCOLUMNS = 1024\n"

/* Is there a line that begins so? */
static bool has_line(const char *text, const char *start)
{
	while (text && strncmp(text, start, strlen(start))) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text;
}

bool kb_pkb_recognise(struct kb_source_file *out, const char *path,
		      const char *text)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char *end;
	size_t stem_len;
	long number;

	out->runtime = kb_runtime_of_file(base, &stem_len);
	if (out->runtime != KB_RUNTIME_TORCH || *base < '1' || *base > '9' ||
	    !has_line(text, "def solution("))
		return false;
	number = strtol(base, &end, 10);
	if (*end != '_' || number > KB_PROBLEM_ID_MAX)
		return false;
	out->key = (struct kb_key){ .level = 1, .problem_id = (int)number };
	out->sample_id = 0;
	out->is_solution = true;
	out->name = kb_xstrndup(base, stem_len);
	if (kb_problem_name_check(out->name, out->key, NULL) == 0)
		return true;
	free(out->name);
	out->name = NULL;
	return false;
}

void kb_pkb_append(struct kb_source_file *problem)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_buf_add(&text, problem->data, problem->size_bytes);
	kb_buf_addf(&text, ARGUMENTS, problem->key.problem_id);
	problem->size_bytes = text.len;
	free(problem->data);
	problem->data = kb_buf_detach(&text);
}

static int is_module(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return e->d_name[0] != '.' && dot && !strcmp(dot, ".py");
}

static int compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Links may lead anywhere, and are none of its files. */
static int read_module(struct kb_buf *data, int dirfd, const char *name,
		       const char *path, struct kb_err *err)
{
	kb_auto(fd) int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC |
				    O_NONBLOCK | O_NOFOLLOW);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a regular file",
			      path);
	return kb_file_read_fd(data, fd, path, KB_PROBLEM_BYTES_MAX, err);
}

static int add_module(struct kb_bundle_writer *w, struct kb_suite *s, int dirfd,
		      const char *folder, const char *name, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder, name);
	kb_auto(buf) struct kb_buf data = KB_BUF_INIT;
	struct kb_suite_module *m = &s->modules[s->module_count];
	int ret = read_module(&data, dirfd, name, path, err);

	if (ret < 0)
		return ret;
	m->file = kb_xasprintf("%sutils/%s", KB_SUITE_MODULES, name);
	s->module_count++;
	if (!kb_suite_module_file_is_valid(m->file))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has a name that no module may have: it is of "
			      "A to Z, a to z, 0 to 9 and '_'", path);
	kb_digest_of(&m->digest, data.data, data.len);
	m->size_bytes = data.len;
	return kb_bundle_writer_add(w, m->file, data.data, data.len, err);
}

static int add_modules(struct kb_bundle_writer *w, struct kb_suite *s, int fd,
		       const char *folder, struct dirent *entries[], int count,
		       struct kb_err *err)
{
	bool has_inputs = false;
	int ret = 0;

	if (count > KB_SUITE_MODULES_MAX)
		return kb_err(err, KB_ERR_INPUT, "'%s' has %d modules, want %d "
			      "at most", folder, count, KB_SUITE_MODULES_MAX);
	s->modules = kb_xcalloc((size_t)count, sizeof(*s->modules));
	for (int i = 0; i < count && ret == 0; i++) {
		has_inputs |= !strcmp(entries[i]->d_name, INPUTS);
		ret = add_module(w, s, fd, folder, entries[i]->d_name, err);
	}
	return ret || has_inputs ? ret :
		kb_err(err, KB_ERR_MISSING, "'%s' has no '" INPUTS "', which "
		       "makes the inputs of problems that define solution()",
		       folder);
}

int kb_pkb_add_modules(struct kb_bundle_writer *w, struct kb_suite *s,
		       const char *folder, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/../utils", folder);
	kb_auto(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entries = NULL;
	int ret, count = 0;

	if (fd < 0 && errno != ENOENT)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (fd >= 0)
		count = scandirat(fd, ".", &entries, is_module, compare);
	if (count < 0)
		return kb_err_sys(err, "cannot read '%s'", path);
	ret = add_modules(w, s, fd, path, entries, count, err);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	return ret;
}
