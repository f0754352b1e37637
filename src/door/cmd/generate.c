#include "cmd/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "asking/request_files.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/terminal.h"
#include "cmd/cmd.h"
#include "json/utf8.h"
#include "manifest/generation.h"
#include "store/store.h"
#include "tables/generation_table.h"
#include "tables/turns_table.h"
#include "turns/submit.h"

struct kb_generate_place kb_generate_place = {
	.store = KB_STORE_DEFAULT, .dir = KB_WORK_DEFAULT,
};
struct kb_generate_said kb_generate_said;
struct kb_generate_files kb_generate_files = {
	.requests = 50000, .mib = 200,
};

void kb_generate_say(const char *message)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, message, strlen(message));
	fprintf(stderr, "kb-generate: %s\n", text.data);
}

static int print_generation(const struct kb_generation *g,
			    const struct kb_digest *generation,
			    const struct kb_digest *submission,
			    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_generation_table_print(&text, g, kb_stdout_look());
	if (g->asked.has_refinement) {
		kb_buf_addch(&text, '\n');
		kb_turns_table_print(&text, g, kb_stdout_look());
	}
	kb_buf_addch(&text, '\n');
	kb_stdout_print(text.data);
	kb_made_print_part(&kb_generate_said.made, kb_generate_place.store,
			   KB_KIND_GENERATION, generation);
	return kb_made_print(&kb_generate_said.made, kb_generate_place.store,
			     KB_KIND_SUBMISSION, submission, err);
}

int kb_generate_submit(struct kb_work *w, struct kb_err *err)
{
	kb_auto(provenance) struct kb_provenance over = {
		.display_name = kb_xstrdup(kb_generate_said.display_name),
		.organization = kb_xstrdup(kb_generate_said.organization),
		.server_type = kb_xstrdup(kb_generate_said.server_type),
		.date = kb_xstrdup(kb_generate_said.date),
		.run_name = kb_xstrdup(kb_generate_said.run_name),
		.notes = kb_xstrdup(kb_generate_said.notes), .max_tokens = KB_UNKNOWN,
		.seed = KB_UNKNOWN, .samples_per_problem = KB_UNKNOWN,
	};
	struct kb_digest generation, submission;
	int64_t open;
	int ret = kb_generation_submit(&w->g, &over, kb_generate_place.store, &generation,
				       &submission, err);

	if (ret < 0)
		return ret;
	ret = print_generation(&w->g, &generation, &submission, err);
	if (ret < 0)
		return ret;
	open = w->g.totals.outcomes[KB_REPLY_FAILED] +
	       w->g.totals.outcomes[KB_REPLY_MISSING];
	if (open)
		fprintf(stderr, "kb-generate: %" PRId64 " of %zu requests %s no "
			"answer\n", open, w->g.line_count,
			open == 1 ? "has" : "have");
	return open ? KB_EXIT_NO : KB_EXIT_OK;
}

int kb_generate_write_requests(const struct kb_work *w, struct kb_err *err)
{
	const struct kb_request_limits limits = {
		.requests = (size_t)kb_generate_files.requests,
		.bytes = (size_t)kb_generate_files.mib << 20,
	};
	size_t count = 0;
	int ret = kb_request_files_write(w, &limits, &count, err);

	if (ret < 0)
		return ret;
	fprintf(stderr, "%zu of %zu requests are to be answered\n",
		kb_work_open_count(w), w->g.line_count);
	for (size_t i = 1; i <= count; i++) {
		kb_auto(mem) char *path = kb_request_file_path(w, i);

		printf("%s\n", path);
	}
	return KB_EXIT_OK;
}
