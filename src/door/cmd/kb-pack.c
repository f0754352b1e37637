/* kb-pack: turn loose files into bundles, and bundles into archives and other
 * tools' files. */

#include <stdio.h>

#include "base/alloc.h"
#include "cmd/cmd.h"
#include "cmd/pack_verbs.h"
#include "export/export.h"

static void print_formats(FILE *out)
{
	fputs("\nFormats of export, and the kind of bundle each needs:\n", out);
	for (size_t i = 0; kb_export_format_name(i); i++)
		fprintf(out, "  %-22s %s\n", kb_export_format_name(i),
			kb_export_format_source(i));
}

static const struct kb_verb verbs[] = {
	{ .name = "suite",
	  .about = "make a suite of problems, or derive one from a suite",
	  .operands = "DIR|FILE...",
	  .options = kb_pack_suite_options, .run = kb_pack_suite },
	{ .name = "submission",
	  .about = "make a submission of candidates, in any layout",
	  .operands = "DIR|FILE.json|FILE...",
	  .options = kb_pack_submission_options, .run = kb_pack_submission },
	{ .name = "report",
	  .about = "pack results that another tool measured",
	  .operands = "FILE",
	  .options = kb_pack_report_options, .run = kb_pack_report },
	{ .name = "archive",
	  .about = "write a bundle as one file",
	  .operands = "BUNDLE",
	  .options = kb_pack_archive_options, .run = kb_pack_archive },
	{ .name = "unpack",
	  .about = "put the bundle of an archive into the store",
	  .operands = "FILE.tar.gz",
	  .options = kb_pack_unpack_options, .run = kb_pack_unpack },
	{ .name = "export",
	  .about = "write a bundle in another tool's format",
	  .operands = "FORMAT BUNDLE...",
	  .operand_word = kb_export_format_name,
	  .options = kb_pack_export_options, .run = kb_pack_export },
	{ .name = "publish",
	  .about = "write bundles and their ancestors as one archive",
	  .operands = "BUNDLE...",
	  .options = kb_pack_publish_options, .run = kb_pack_publish },
};

const struct kb_command kb_command = {
	.name = "kb-pack",
	.about = "Turn problems and candidates into bundles, and bundles into "
		 "archives and other\ntools' files.",
	.example = "kb-pack export csv @last:score",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
	.print_more = print_formats,
};
