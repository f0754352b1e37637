/* The journal of a session: what makes a run the same, what it has done, and
 * on which GPUs. */

#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/record.h"
#include "manifest/taken_out.h"
#include "session/environment.h"
#include "session/shard_notes.h"

/* The members of lines that are no results but name a GPU. */
#define GPU_NOTE "gpu_uuid"
#define TAKEN_OUT_NOTE "gpu_taken_out"

struct kb_json *kb_session_asked_policy(const struct kb_session *s,
					const struct kb_json *policy)
{
	const struct kb_session_options *o = &s->asked;
	struct kb_json *out = kb_json_object();

	for (const struct kb_json *v = kb_json_first(policy); v;
	     v = kb_json_next(v)) {
		const char *key = kb_json_key(v);

		if ((o->memory_is_asked || strcmp(key, "memory_bytes")) &&
		    (o->tensors_are_asked || strcmp(key, "tensor_bytes_max")))
			kb_json_set(out, key, kb_json_copy(v));
	}
	return out;
}

struct kb_json *kb_session_extras(const struct kb_session *s,
				  const struct kb_json *environment)
{
	const struct kb_session_run *run = &s->run;
	const struct kb_division_side side = {
		&run->conditions, run->selected, run->selected_count,
	};
	const struct kb_division d = {
		.left = side, .right = side,
		.mode = run->mode, .suite = &run->suite,
	};
	struct kb_json *all = kb_division_extras(&d, environment);
	kb_auto(json) struct kb_json *languages = run->has_python ?
		kb_environment_languages(environment) : kb_json_object();

	for (const struct kb_json *v = kb_json_first(languages); v;
	     v = kb_json_next(v))
		if (!kb_json_find(all, kb_json_key(v)))
			kb_json_set(all, kb_json_key(v), kb_json_copy(v));
	return all;
}

/* Two runs are the same run if all that decides their results is the same: what
 * is measured, by which program, under which policy and on what stack. Anything
 * else, as where the store is, may change between a kill and the next try. */
static struct kb_json *identity_of(const struct kb_session *s, enum kb_kind kind,
				   const struct kb_digest parents[])
{
	const struct kb_session_run *run = &s->run;
	const struct kb_conditions *c = &run->conditions;
	struct kb_json *v = kb_record_new(kind, parents);
	struct kb_json *problems = kb_json_array();

	for (size_t i = 0; i < run->selected_count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, run->selected[i]);
		kb_json_append(problems, kb_json_string(key));
	}
	kb_json_set(v, "problems", problems);
	kb_json_set(v, "tool", kb_json_copy(c->tool));
	kb_json_set(v, "policy", kb_session_asked_policy(s, c->policy));
	kb_json_set(v, "match_key", kb_json_copy(c->match_key));
	kb_json_set(v, "versions", kb_session_extras(s, c->environment));
	kb_json_set_string(v, "mode", kb_mode_name(run->mode));
	return v;
}

/* "2-of-4", or NULL. */
static const char *shard_name(struct kb_session_run *run)
{
	if (!run->shard_count)
		return NULL;
	snprintf(run->shard_name, sizeof(run->shard_name), "%zu-of-%zu",
		 run->shard_index + 1, run->shard_count);
	return run->shard_name;
}

/* An earlier run's, checked like everything that was read from a disk. */
static int take_environment(struct kb_session_run *run, struct kb_err *err)
{
	int ret = kb_environment_check(run->journal.lines[0],
				       run->journal.path, err);

	if (ret < 0)
		return ret;
	kb_json_free(run->conditions.environment);
	run->conditions.environment = kb_json_copy(run->journal.lines[0]);
	return 0;
}

/*
 * A run begins in the environment of who begins it; but of shards that are
 * taken together, in that of the first of them, which has measured: the same
 * shards are the same bundle, whoever takes them and when.
 */
static int begin_journal(struct kb_session_run *run, struct kb_err *err)
{
	struct kb_journal *j = &run->journal;
	const struct kb_json *environment = run->conditions.environment;
	size_t i = 0;
	int ret = 0;

	while (i < j->shard_count && !j->shards[i].count)
		i++;
	if (i < j->shard_count) {
		environment = j->shards[i].lines[0];
		ret = kb_environment_check(environment, j->shards[i].path, err);
	}
	if (ret >= 0)
		ret = kb_journal_append(j, environment, err);
	return ret < 0 ? ret : take_environment(run, err);
}

static const char *gpu_id(const struct kb_json *environment)
{
	return kb_json_text(kb_json_find(environment, "gpu"), "uuid");
}

const char *kb_session_add_gpu(struct kb_session *s,
			       const struct kb_json *environment)
{
	const char *id = gpu_id(environment);
	struct kb_session_run *run = &s->run;

	if (!id)
		return NULL;
	for (size_t i = 0; i < run->gpu_id_count; i++)
		if (!strcmp(run->gpu_ids[i], id))
			return run->gpu_ids[i];
	run->gpu_ids = kb_xreallocarray(run->gpu_ids, run->gpu_id_count + 1,
					sizeof(*run->gpu_ids));
	run->gpu_ids[run->gpu_id_count] = kb_xstrdup(id);
	return run->gpu_ids[run->gpu_id_count++];
}

static struct kb_json *gpu_with_ids(const struct kb_json *gpu,
				    const char *const ids[], size_t count)
{
	struct kb_json *out = kb_json_object(), *list = kb_json_array();

	for (const struct kb_json *v = kb_json_first(gpu); v;
	     v = kb_json_next(v))
		if (strcmp(kb_json_key(v), "uuids"))
			kb_json_set(out, kb_json_key(v), kb_json_copy(v));
	for (size_t i = 0; i < count; i++)
		kb_json_append(list, kb_json_string(ids[i]));
	kb_json_set(out, "uuids", list);
	return out;
}

/* The environment with the ids of every GPU that took part; the mode before
 * may have left some there. */
static struct kb_json *with_gpu_ids(const struct kb_json *environment,
				    const char *const ids[], size_t count)
{
	struct kb_json *out = kb_json_object();

	for (const struct kb_json *v = kb_json_first(environment); v;
	     v = kb_json_next(v))
		kb_json_set(out, kb_json_key(v),
			    strcmp(kb_json_key(v), "gpu") ?
				    kb_json_copy(v) :
				    gpu_with_ids(v, ids, count));
	return out;
}

/* Adds `id` unless it is there, or is not known. */
static size_t add_id(const char *ids[], size_t count, const char *id)
{
	for (size_t i = 0; i < count; i++)
		if (id && !strcmp(ids[i], id))
			return count;
	if (id)
		ids[count++] = id;
	return count;
}

/* The line of a journal that says that the run went on on this GPU. */
static const char *noted_gpu(const struct kb_json *line)
{
	return kb_json_text(line, GPU_NOTE);
}

/* The ids of the GPU that a journal was begun on, and of GPUs that went on.
 * There is room for one a line. */
static size_t add_ids(const char *ids[], size_t count,
		      const struct kb_journal *j)
{
	if (j->count)
		count = add_id(ids, count, gpu_id(j->lines[0]));
	for (size_t i = 1; i < j->count; i++)
		count = add_id(ids, count, noted_gpu(j->lines[i]));
	return count;
}

/* The journal knows the GPU of whoever began it; there may be others. */
static int note_gpus(struct kb_session_run *run, struct kb_err *err)
{
	kb_auto(mem) const char **ids = kb_xcalloc(
		run->journal.count + run->gpu_id_count + 1, sizeof(*ids));
	size_t known = add_ids(ids, 0, &run->journal);
	int ret = 0;

	for (size_t i = 0; i < run->gpu_id_count && ret >= 0; i++) {
		kb_auto(json) struct kb_json *note = kb_json_object();
		const size_t before = known;

		known = add_id(ids, known, run->gpu_ids[i]);
		if (known == before)
			continue;
		kb_json_set_string(note, GPU_NOTE, run->gpu_ids[i]);
		ret = kb_journal_append(&run->journal, note, err);
	}
	return ret;
}

/* The journal of the whole run takes the results of shards. */
static int take_shards(struct kb_session_run *run, struct kb_err *err)
{
	for (size_t i = 0; i < run->journal.shard_count; i++) {
		const struct kb_journal *shard = &run->journal.shards[i];
		int ret = 0;

		if (!shard->count)
			continue;
		ret = kb_environment_check(shard->lines[0], shard->path, err);
		for (size_t k = 1; k < shard->count && ret >= 0; k++)
			ret = kb_journal_append(&run->journal,
						shard->lines[k], err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static void take_gpu_ids(struct kb_session_run *run)
{
	const struct kb_journal *j = &run->journal;
	kb_auto(mem) const char **ids = NULL;
	struct kb_json *environment;
	size_t room = j->count, count;

	for (size_t i = 0; i < j->shard_count; i++)
		room += j->shards[i].count;
	ids = kb_xcalloc(room, sizeof(*ids));
	count = add_ids(ids, 0, j);
	for (size_t i = 0; i < j->shard_count; i++)
		count = add_ids(ids, count, &j->shards[i]);
	if (count < 2)
		return;
	environment = with_gpu_ids(run->conditions.environment, ids, count);
	kb_json_free(run->conditions.environment);
	run->conditions.environment = environment;
}

/* The line of a journal that says that a GPU was taken out. */
static const struct kb_json *noted_taken_out(const struct kb_json *line)
{
	return kb_json_text(line, TAKEN_OUT_NOTE) ?
		kb_json_find(line, TAKEN_OUT_NOTE) : NULL;
}

/* GPUs that this run lost, in all of its processes so far. An earlier record
 * may have left others there. */
static void note_taken_out(struct kb_session_run *run)
{
	const struct kb_journal *j = &run->journal;
	kb_auto(json) struct kb_json *texts = kb_json_array();
	struct kb_json *environment;

	for (size_t i = 1; i < j->count; i++)
		if (noted_taken_out(j->lines[i]))
			kb_json_append(texts, kb_json_copy(noted_taken_out(
						      j->lines[i])));
	environment = kb_taken_out_replace(run->conditions.environment, texts);
	kb_json_free(run->conditions.environment);
	run->conditions.environment = environment;
}

int kb_session_take_out_gpu(struct kb_session *s, const char *id,
			    const char *reason, struct kb_err *err)
{
	kb_auto(json) struct kb_json *note = kb_json_object();
	kb_auto(mem) char *text = kb_taken_out_text(id, reason);
	int ret;

	if (!s->run.journal.path)
		return 0;
	kb_json_set_string(note, TAKEN_OUT_NOTE, text);
	ret = kb_journal_append(&s->run.journal, note, err);
	if (ret >= 0)
		note_taken_out(&s->run);
	return ret;
}

void kb_session_set_gpus(struct kb_session *s)
{
	struct kb_session_run *run = &s->run;
	struct kb_json *environment;

	if (run->gpu_id_count < 2)
		return;
	environment = with_gpu_ids(run->conditions.environment,
				   (const char *const *)run->gpu_ids,
				   run->gpu_id_count);
	kb_json_free(run->conditions.environment);
	run->conditions.environment = environment;
}

/* Sort other lines of the journal before results. */
static void sort_lines(struct kb_session_run *run)
{
	struct kb_json **lines = run->journal.lines;

	run->facts_count = 1;
	for (size_t i = 1; i < run->journal.count; i++) {
		struct kb_json *line = lines[i];

		if (!noted_gpu(line) && !noted_taken_out(line))
			continue;
		memmove(lines + run->facts_count + 1, lines + run->facts_count,
			(i - run->facts_count) * sizeof(*lines));
		lines[run->facts_count++] = line;
	}
}

/* Note absent shards. Their work is done now, or with --merge-only refused, and
 * users should not find that out by the time it takes. */
static int note_shards(const struct kb_session *s,
		       const struct kb_json *identity, struct kb_err *err)
{
	kb_auto(shard_notes) struct kb_shard_notes notes = KB_SHARD_NOTES_INIT;
	int ret = s->run.shard_count ? 0 :
		kb_shard_notes_take(&notes, s->asked.store, &s->run.journal,
				    identity, err);

	if (ret < 0 || !(notes.absent + notes.different))
		return ret;
	kb_session_say(s, "%.*s", (int)notes.text.len - 1, notes.text.data);
	return !s->asked.merge_only || !notes.absent ? 0 :
		kb_err(err, KB_ERR_INPUT,
		       "--merge-only: shards that are absent: %zu; copy "
		       "their journals into the store, or run them",
		       notes.absent);
}

int kb_session_resume(struct kb_session *s, enum kb_kind kind,
		      const struct kb_digest parents[], struct kb_err *err)
{
	kb_auto(json) struct kb_json *identity = identity_of(s, kind, parents);
	struct kb_session_run *run = &s->run;
	struct kb_journal *j = &run->journal;
	int ret;

	/* Before the first mode alone: later the environment is a journal's. */
	if (!run->gpu_id_count)
		kb_session_add_gpu(s, run->conditions.environment);
	kb_journal_release(j);
	ret = kb_journal_open(j, s->asked.store, identity, shard_name(run),
			      err);
	if (ret < 0)
		return ret;
	ret = note_shards(s, identity, err);
	if (ret >= 0)
		ret = j->count ? take_environment(run, err) : begin_journal(run, err);
	/* A merge of shards measures nothing. */
	if (ret >= 0 && !s->asked.merge_only)
		ret = note_gpus(run, err);
	if (ret >= 0)
		ret = take_shards(run, err);
	if (ret < 0)
		return ret;
	take_gpu_ids(run);
	note_taken_out(run);
	sort_lines(run);
	return 0;
}

struct kb_json **kb_session_lines(const struct kb_session *s, size_t *count)
{
	const struct kb_session_run *run = &s->run;

	*count = run->journal.count - run->facts_count;
	return run->journal.lines + run->facts_count;
}
