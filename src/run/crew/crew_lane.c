/* A crew's lane, from within: jobs come in, and what they come to goes out. */

#include "crew/crew.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "base/pause.h"
#include "crew/lane.h"
#include "json/json.h"
#include "session/in_lane.h"
#include "session/session.h"
#include "source/runtime.h"

static int send_named(int fd, const char *name, struct kb_json *value,
		      struct kb_err *err)
{
	kb_auto(json) struct kb_json *message = kb_json_object();

	kb_json_set(message, name, value);
	return kb_lane_send(fd, message, err);
}

int kb_crew_say(int fd, const struct kb_json *said, struct kb_err *err)
{
	return send_named(fd, "said", kb_json_copy(said), err);
}

static int read_prepared(struct kb_preparations *p, const struct kb_json *list,
			 struct kb_err *err)
{
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v)) {
		struct kb_prepared item;
		const char *source, *key, *runtime;
		int ret = kb_json_read_string(&source, v, "source", "job", err);

		if (ret >= 0)
			ret = kb_json_read_string(&key, v, "key", "job", err);
		if (ret >= 0)
			ret = kb_json_read_string(&runtime, v, "runtime", "job",
						  err);
		if (ret >= 0)
			ret = kb_digest_parse(&item.source, source, err);
		if (ret >= 0)
			ret = kb_digest_parse(&item.key, key, err);
		if (ret >= 0)
			ret = kb_runtime_parse(&item.runtime, runtime, err);
		if (ret < 0)
			return ret;
		kb_preparations_add(p, &item);
	}
	return 0;
}

static int read_key(struct kb_key *key, const struct kb_json *job,
		    struct kb_err *err)
{
	const char *text;
	int ret = kb_json_read_string(&text, job, "key", "job", err);

	return ret < 0 ? ret : kb_key_parse(key, text, err);
}

static void note_pause(const struct kb_session *s, struct kb_key key,
		       int64_t paused_ns)
{
	char text[KB_KEY_SIZE];

	kb_key_format(text, key);
	kb_session_say(s, "note: this job was paused for %.1f s at problem %s; what "
		       "was under way was made again", (double)paused_ns / 1e9,
		       text);
}

static int do_job(const struct kb_crew *c, int fd, const struct kb_json *job,
		  struct kb_err *err)
{
	const bool screens = kb_json_bool_value(kb_json_find(job, "screen"));
	const struct kb_lane_kind *kind = c->work.kind;
	const int64_t paused_ns = kb_paused_ns();
	kb_auto(mem) char *doubt = NULL;
	bool is_done;
	struct kb_key key;
	int ret = read_key(&key, job, err);

	if (ret >= 0)
		ret = screens ? kind->screen(c->work.lane, key, job,
					     (uint32_t)c->screeners - 1, fd,
					     &doubt, err)
			      : kind->do_job(c->work.lane, key, job, fd, err);
	is_done = !screens || ret > 0;
	if (ret >= 0 && kb_paused_ns() > paused_ns)
		note_pause(c->session, key, kb_paused_ns() - paused_ns);
	/* A result of a GPU that has gone bad is not taken. */
	if (ret >= 0)
		ret = kb_session_device_check(c->session, err);
	if (ret < 0)
		return ret;
	return is_done ? send_named(fd, "done", kb_json_bool(true), err) :
		send_named(fd, "doubted", doubt ? kb_json_string(doubt) :
			   kb_json_null(), err);
}

/* With what was built for it. */
static int do_prepared(const struct kb_crew *c, int fd,
		       const struct kb_json *job, struct kb_err *err)
{
	struct kb_preparations prepared = { .items = NULL };
	int ret = kb_json_read_string_or_null(&prepared.dirs[0], job, "builds",
					      "job", err);

	if (ret >= 0)
		ret = kb_json_read_string_or_null(&prepared.dirs[1], job,
						  "kept_builds", "job", err);
	if (ret >= 0)
		ret = read_prepared(&prepared, kb_json_find(job, "prepared"),
				    err);
	c->session->machine.launcher.prepared = &prepared;
	if (ret >= 0)
		ret = do_job(c, fd, job, err);
	c->session->machine.launcher.prepared = NULL;
	kb_preparations_release(&prepared);
	return ret;
}

int kb_crew_serve(const struct kb_crew *c, int fd, struct kb_err *err)
{
	int ret = c->work.kind->note_conditions(c->work.lane, err);

	if (ret >= 0)
		ret = send_named(fd, "report", kb_session_lane_report(c->session),
				 err);
	while (ret >= 0) {
		kb_auto(json) struct kb_json *job = NULL;

		ret = kb_lane_receive(fd, &job, err);
		if (ret <= 0)
			return ret;
		if (!kb_json_find(job, "rest"))
			ret = do_prepared(c, fd, job, err);
		else if (c->work.kind->leave)
			c->work.kind->leave(c->work.lane);
	}
	return ret;
}
