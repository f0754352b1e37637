#include "crew/shown.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/progress.h"
#include "crew/members.h"
#include "json/json.h"
#include "manifest/submission.h"

static const char *name_of(enum kb_stage stage)
{
	static const char *const names[] = {
		[KB_STAGE_BUILDING] = "building",
		[KB_STAGE_WAITING] = "waiting",
		[KB_STAGE_SCREENING] = "screening",
		[KB_STAGE_TIMING] = "timing",
	};

	return stage < KB_STAGE_COUNT ? names[stage] : NULL;
}

static void show_device(const struct kb_crew *c, const struct kb_job *job,
			size_t device, bool is_busy)
{
	const char *name = c->members[device].name;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char key[KB_KEY_SIZE];

	kb_key_format(key, job->key);
	kb_buf_addf(&text, "%s on %s", key, name);
	kb_progress_device(c->work.progress, device, is_busy ? text.data : NULL);
}

static struct kb_json *samples_of(const struct kb_job *job)
{
	struct kb_json *samples = kb_json_array();

	for (size_t i = 0; i < job->candidate_count; i++)
		kb_json_append(samples,
			       kb_json_int(job->candidates[i]->sample_id));
	return samples;
}

static bool is_on_device(enum kb_stage stage)
{
	return stage == KB_STAGE_SCREENING || stage == KB_STAGE_TIMING;
}

void kb_crew_show_move(const struct kb_crew *c, const struct kb_job *job,
		       enum kb_stage from, size_t device)
{
	const enum kb_stage to = (enum kb_stage)job->stage;
	kb_auto(json) struct kb_json *event = kb_json_object();
	char key[KB_KEY_SIZE];

	if (!c->work.progress)
		return;
	if (is_on_device(from) || is_on_device(to))
		show_device(c, job, device, is_on_device(to));
	if (c->work.hides_stages)
		return;
	kb_progress_move(c->work.progress, name_of(from), name_of(to));
	if (to == KB_STAGE_COUNT)
		return;
	kb_key_format(key, job->key);
	kb_json_set_string(event, "event", "stage");
	kb_json_set_string(event, "key", key);
	if (job->candidate_count)
		kb_json_set(event, "samples", samples_of(job));
	kb_json_set_string(event, "stage", name_of(to));
	if (to == KB_STAGE_WAITING && job->doubt)
		kb_json_set_string(event, "doubt", job->doubt);
	if (is_on_device(to))
		kb_json_set_string(event, "device",
				   c->members[device].name);
	kb_progress_event(c->work.progress, event);
}

void kb_crew_show_taken_out(const struct kb_crew *c, size_t device,
			    const char *reason, const char *key)
{
	kb_auto(json) struct kb_json *event = kb_json_object();
	const char *id = c->members[device].id;

	if (!c->work.progress)
		return;
	kb_json_set_string(event, "event", "taken_out");
	kb_json_set_string(event, "device", c->members[device].name);
	if (id)
		kb_json_set_string(event, "gpu", id);
	kb_json_set_string(event, "reason", reason);
	if (*key)
		kb_json_set_string(event, "key", key);
	kb_progress_event(c->work.progress, event);
}
