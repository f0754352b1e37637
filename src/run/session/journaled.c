#include "session/journaled.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "session/session.h"

static int take_lines(struct kb_journaled *j,
		      const struct kb_journaled_work *work, void *context,
		      struct kb_err *err)
{
	const char *path = j->session->run.journal.path;
	size_t count;
	struct kb_json **lines = kb_session_lines(j->session, &count);
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i++)
		ret = work->take(context, lines[i], path, err);
	return ret;
}

int kb_journaled_run(struct kb_journaled *j, struct kb_session *s,
		     size_t total, const struct kb_journaled_work *work,
		     void *context, struct kb_err *err)
{
	int ret = kb_progress_begin(&j->progress, total, s->asked.events, err);

	if (ret < 0)
		return ret;
	j->session = s;
	ret = take_lines(j, work, context, err);
	if (ret >= 0)
		ret = kb_session_check_merge(s, j->done.count, total, err);
	if (ret >= 0)
		ret = work->make(context, err);
	return kb_progress_end_run(&j->progress, ret, work->items, err);
}

static void note_timed(struct kb_journaled *j,
		       const struct kb_journaled_item *item)
{
	if (item->is_timed)
		kb_progress_timed(&j->progress);
}

bool kb_journaled_resume(struct kb_journaled *j,
			 const struct kb_journaled_item *item)
{
	if (!kb_done_add(&j->done, item->key, item->sample_id))
		return false;
	note_timed(j, item);
	kb_progress_resume(&j->progress, item->status);
	return true;
}

int kb_journaled_add(struct kb_journaled *j,
		     const struct kb_journaled_item *item,
		     const struct kb_json *line, const char *event,
		     const char *text, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = kb_json_object();
	int ret;

	/* The journal before the progress: what was said to be done is on disk. */
	kb_done_add(&j->done, item->key, item->sample_id);
	ret = kb_journal_write(&j->session->run.journal, line, err);
	if (ret < 0)
		return ret;
	kb_json_set_string(v, "event", event);
	kb_json_set(v, "result", kb_json_copy(line));
	note_timed(j, item);
	kb_progress_item(&j->progress, item->status, text, v);
	return 0;
}
