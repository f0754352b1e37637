/* kb-pack export: bundles into other tools' files. */

#include "cmd/pack_verbs.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/output.h"
#include "cmd/cmd.h"
#include "export/export.h"
#include "export/made_files.h"
#include "store/store.h"

static const char *store = KB_STORE_DEFAULT, *output;
static struct kb_export export_to;

const struct kb_option kb_pack_export_options[] = {
	{ .name = "output", .letter = 'o', .arg = "PATH",
	  .help = "file, or KernelBench's folder, to write",
	  .type = KB_OPTION_STRING, .value = &output,
	  .otherwise = "standard output" },
	KB_PACK_STORES,
	KB_PACK_TEXT("baseline", "BUNDLE", "export this baseline, too",
		     export_to.baseline),
	KB_PACK_TEXT("clock", "CLOCK", "clock of times: call or device",
		     export_to.clock, .otherwise = "call"),
	KB_PACK_TEXT("statistic", "NAME",
		     "number exported as the mean: median or mean",
		     export_to.statistic, .otherwise = "median"),
	KB_PACK_TEXT("hardware", "NAME", "KernelBench's name of the hardware",
		     export_to.hardware),
	KB_PACK_TEXT("run-name", "NAME", "the submitter's name for the run",
		     export_to.run_name),
	KB_OPTION_END,
};

/* One file can be printed; several need names. */
static int print_files(const struct kb_made_files *files, struct kb_err *err)
{
	if (files->count != 1)
		return kb_err(err, KB_ERR_USAGE,
			      "this makes %zu files: name a folder for them "
			      "with --output", files->count);
	fwrite(files->items[0].text.data, 1, files->items[0].text.len, stdout);
	return KB_EXIT_OK;
}

static int write_files(struct kb_made_files *files, struct kb_err *err)
{
	int ret = kb_made_files_write(files, output, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < files->count; i++)
		if (!kb_output_is_stdout(files->items[i].path))
			printf("%s\n", files->items[i].path);
	return KB_EXIT_OK;
}

int kb_pack_export(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(made_files) struct kb_made_files files = KB_MADE_FILES_INIT;
	struct kb_export e = export_to;
	int ret;

	e.format = argv[0];
	e.bundles = (const char *const *)argv + 1;
	e.bundle_count = (size_t)argc - 1;
	e.store = store;
	e.with_paths = output;
	ret = kb_export_make(&files, &e, err);
	if (ret < 0)
		return ret;
	return output ? write_files(&files, err)
		      : print_files(&files, err);
}
