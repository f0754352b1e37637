/* kb-pack: turn loose files into bundles, and bundles into archives and other
 * tools' files. */

#include "base/alloc.h"
#include "cmd/cmd.h"
#include "cmd/pack_verbs.h"

static const struct kb_verb verbs[] = {
	{ .name = "suite", .operands = "DIR|FILE...",
	  .options = kb_pack_suite_options, .run = kb_pack_suite },
	{ .name = "submission", .operands = "DIR|FILE.json|FILE...",
	  .options = kb_pack_submission_options, .run = kb_pack_submission },
	{ .name = "report", .operands = "FILE",
	  .options = kb_pack_report_options, .run = kb_pack_report },
	{ .name = "archive", .operands = "BUNDLE",
	  .options = kb_pack_archive_options, .run = kb_pack_archive },
	{ .name = "unpack", .operands = "FILE.tar.gz",
	  .options = kb_pack_unpack_options, .run = kb_pack_unpack },
	{ .name = "export", .operands = "FORMAT BUNDLE...",
	  .options = kb_pack_export_options, .run = kb_pack_export },
	{ .name = "publish", .operands = "BUNDLE...",
	  .options = kb_pack_publish_options, .run = kb_pack_publish },
};

const struct kb_command kb_command = {
	.name = "kb-pack",
	.about = "Turn problems and candidates into bundles, and bundles into "
		 "archives and other tools' files.",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
};
