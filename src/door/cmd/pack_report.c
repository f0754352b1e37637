/* kb-pack report: what others say of their results into a report. */

#include "cmd/pack_verbs.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/made.h"
#include "cli/terminal.h"
#include "import/report_in.h"
#include "manifest/key.h"
#include "manifest/record.h"
#include "manifest/report.h"
#include "store/store.h"
#include "tables/claims_table.h"

static const char *store = KB_STORE_DEFAULT;
static struct kb_made_options made;
static const char *report_format = "kernelbench", *report_baseline;
static const char *report_run;
static int64_t report_level = KB_UNKNOWN;

const struct kb_option kb_pack_report_options[] = {
	KB_PACK_STORE,
	KB_MADE_OPTIONS(made),
	KB_PACK_TEXT("format", "NAME", "kernelbench or v3",
		     report_format),
	{ .name = "level", .arg = "L",
	  .help = "level of KernelBench's results",
	  .type = KB_OPTION_INT, .value = &report_level,
	  .min = 1, .max = KB_LEVEL_MAX },
	KB_PACK_TEXT("baseline-times", "FILE",
		     "KernelBench's times of the references", report_baseline),
	KB_PACK_TEXT("run", "NAME", "run to take from v3's published table",
		     report_run),
	KB_OPTION_END,
};

/* KernelBench's file does not say its level, and v3's rows say theirs. */
static int check_report_options(const struct kb_report_source *s,
				struct kb_err *err)
{
	if (s->format == KB_REPORT_KERNELBENCH && !s->level)
		return kb_err(err, KB_ERR_USAGE, "no --level given: the level of KernelBench's "
			      "problems that these results are of");
	if (s->format == KB_REPORT_V3 && (s->level || s->baseline))
		return kb_err(err, KB_ERR_USAGE,
			      "format 'v3' has no use for '--%s'",
			      s->level ? "level" : "baseline-times");
	if (s->format != KB_REPORT_V3 && s->run)
		return kb_err(err, KB_ERR_USAGE,
			      "format '%s' has no use for '--run'",
			      kb_report_format_name(s->format));
	return 0;
}

int kb_pack_report(int argc, char *argv[], struct kb_err *err)
{
	struct kb_report_source source = {
		.level = report_level == KB_UNKNOWN ? 0 : (int)report_level,
		.results = argv[0], .baseline = report_baseline,
		.run = report_run,
	};
	kb_auto(report) struct kb_report r = KB_REPORT_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct kb_digest id;
	int ret;

	(void)argc;
	if (kb_report_format_parse(&source.format, report_format, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	ret = check_report_options(&source, err);
	if (ret == 0)
		ret = kb_made_check(&made, err);
	if (ret == 0)
		ret = kb_report_pack(&r, &id, &source, store, err);
	if (ret < 0)
		return ret;
	kb_claims_table_print(&text, &r, kb_stdout_look());
	kb_buf_addch(&text, '\n');
	kb_stdout_print(text.data);
	return kb_made_print(&made, store, KB_KIND_REPORT, &id, err);
}
