#include "worker/torch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "manifest/suite.h"
#include "torch_files.h"
#include "worker/launch.h"

int kb_torch_put(const struct kb_scratch_dir *dir, const struct kb_launcher *l,
		 struct kb_err *err)
{
	static const char *const files[] = { KB_TORCH_FILES };
	int ret = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(files) && ret >= 0; i++)
		ret = kb_scratch_copy(dir, l->libexec, files[i], err);
	for (size_t i = 0; i < l->suite_module_count && ret >= 0; i++) {
		const struct kb_suite_module *m = &l->suite_modules[i];

		ret = kb_scratch_put(dir, m->file + strlen(KB_SUITE_MODULES),
				     m->data, m->size_bytes, err);
	}
	return ret;
}

void kb_arguments_add(struct kb_arguments *a, const char *argument)
{
	if (argument)
		a->argv[a->count++] = argument;
}

void kb_arguments_add_option(struct kb_arguments *a, const char *name,
			     const char *value)
{
	if (!value)
		return;
	kb_arguments_add(a, name);
	kb_arguments_add(a, value);
}

void kb_arguments_add_torch(struct kb_arguments *a, const struct kb_launcher *l,
			    const char *alternate, bool reference)
{
	if (l->cuda)
		kb_arguments_add(a, "--cuda");
	kb_arguments_add_option(a, "--precision", l->precision);
	kb_arguments_add_option(a, "--tf32", l->tf32);
	kb_arguments_add_option(a, "--deterministic", l->deterministic);
	kb_arguments_add_option(a, "--conventions", l->conventions);
	kb_arguments_add_option(a, "--candidate-weights",
				reference ? NULL : l->candidate_weights);
	kb_arguments_add_option(a, "--mode", reference ? l->mode : NULL);
	kb_arguments_add_option(a, "--alternate", reference ? alternate : NULL);
}

int kb_torch_missing(struct kb_err *err)
{
	return kb_err(err, KB_ERR_MISSING,
		      "no Python for the torch runtime: there is no 'python3' "
		      "in PATH");
}
