#include "serving/evidence.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "cli/made.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/taken_out.h"
#include "measure/policy.h"
#include "random/random.h"
#include "session/session.h"
#include "store/bundle.h"
#include "store/journal.h"

static const char prefix[] = ".journal-";

/* A lock may hold among the processes of one node only (store/journal.h). So a server
 * touches its journal, and the journal of another node is left alone meanwhile. */
#define TOUCH_NS (60 * KB_NS_PER_S)
#define ALONE_S 600
#define HOST_SIZE 65

/* Leave out unprintable characters: they do not identify a node. */
static void name_host(char host[HOST_SIZE])
{
	memset(host, 0, HOST_SIZE);
	(void)gethostname(host, HOST_SIZE - 1);
	for (char *c = host; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

/* --- the journal ------------------------------------------------------- */

static struct kb_json *conditions_to_json(const struct kb_conditions *c)
{
	struct kb_json *v = kb_json_object();

	kb_conditions_to_json(v, c);
	return v;
}

int kb_evidence_begin(struct kb_session *s, const char *reward,
		      struct kb_err *err)
{
	kb_auto(json) struct kb_json *identity = kb_json_object();
	kb_auto(json) struct kb_json *line = kb_json_object();
	uint8_t random[KB_RANDOM_SEED_BYTES];
	char suite[KB_DIGEST_HEX_SIZE], nonce[2 * KB_RANDOM_SEED_BYTES + 1];
	char host[HOST_SIZE];
	int ret = kb_random_seed(random, err);

	if (ret < 0)
		return ret;
	kb_hex_format(nonce, random, sizeof(random));
	kb_digest_format(&s->run.bundle.id, suite);
	name_host(host);
	kb_json_set_string(identity, "host", host);
	kb_json_set_string(identity, "kind", "served");
	kb_json_set_string(identity, "nonce", nonce);
	kb_json_set_string(identity, "suite", suite);
	kb_session_set_gpus(s);
	kb_json_set(line, "conditions", conditions_to_json(&s->run.conditions));
	kb_json_set_string(line, "suite", suite);
	kb_json_set_string(line, "reward", reward);
	kb_journal_release(&s->run.journal);
	ret = kb_journal_open(&s->run.journal, s->asked.store, identity, NULL,
			      err);
	return ret < 0 ? ret : kb_journal_append(&s->run.journal, line, err);
}

void kb_evidence_touch(const struct kb_session *s, int64_t *touched_ns)
{
	const int64_t now_ns = kb_clock_ns();

	if (now_ns - *touched_ns < TOUCH_NS || s->run.journal.fd < 0)
		return;
	*touched_ns = now_ns;
	(void)futimens(s->run.journal.fd, NULL);
}

int kb_evidence_add(struct kb_session *s, const struct kb_result *r,
		    enum kb_runtime runtime, const char *code, bool is_quick,
		    struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_json_object();

	kb_json_set_string(line, "code", code);
	kb_json_set_bool(line, "quick", is_quick);
	kb_json_set(line, "result", kb_result_to_json(r));
	kb_json_set_string(line, "runtime", kb_runtime_name(runtime));
	return kb_journal_write(&s->run.journal, line, err);
}

int kb_evidence_note(struct kb_session *s, const char *why, bool is_quick,
		     struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = kb_json_object();

	kb_json_set_bool(line, "quick", is_quick);
	kb_json_set_string(line, "unjudged", why);
	return kb_journal_write(&s->run.journal, line, err);
}

/* --- one pair of bundles ------------------------------------------------ */

/* The requests under one policy. */
struct pair {
	const struct kb_journal *journal;
	bool is_quick;
	struct kb_submission submission;
	const char **codes;		/* of its candidates, borrowed */
	struct kb_evaluation evaluation;
};

static void release_pair(struct pair *p)
{
	kb_submission_release(&p->submission);
	kb_evaluation_release(&p->evaluation);
	free(p->codes);
}

static bool is_of_pair(const struct pair *p, const struct kb_json *line)
{
	const struct kb_json *quick = kb_json_find(line, "quick");

	return quick && kb_json_type(quick) == KB_JSON_BOOL &&
	       kb_json_bool_value(quick) == p->is_quick;
}

static void add_candidate(struct pair *p, const struct kb_result *r,
			  enum kb_runtime runtime, const char *code)
{
	struct kb_submission *s = &p->submission;
	struct kb_candidate *c = &s->candidates[s->candidate_count];

	*c = (struct kb_candidate){
		.key = r->key, .sample_id = r->sample_id, .runtime = runtime,
		.digest = r->candidate, .size_bytes = strlen(code),
		.file = kb_candidate_file(r->key, r->sample_id, runtime),
	};
	p->codes[s->candidate_count++] = code;
}

static int next_sample(const struct kb_evaluation *e, struct kb_key key)
{
	int count = 0;

	for (size_t i = 0; i < e->result_count; i++)
		count += !kb_key_compare(e->results[i].key, key);
	return count;
}

static int take_line(struct pair *p, const struct kb_json *line,
		     struct kb_err *err)
{
	const char *where = p->journal->path, *code, *runtime_name;
	struct kb_evaluation *e = &p->evaluation;
	struct kb_result *r = &e->results[e->result_count];
	enum kb_runtime runtime;
	int ret = kb_json_read_string(&code, line, "code", where, err);

	if (ret >= 0)
		ret = kb_json_read_string(&runtime_name, line, "runtime", where,
					  err);
	if (ret >= 0)
		ret = kb_runtime_parse(&runtime, runtime_name, err);
	*r = (struct kb_result)KB_RESULT_INIT;
	if (ret >= 0)
		ret = kb_result_from_json(r, kb_json_find(line, "result"), where,
					  err);
	if (ret < 0)
		return ret;
	r->sample_id = next_sample(e, r->key);
	if (!r->sample_id)
		e->problems[e->problem_count++] = r->key;
	e->result_count++;
	add_candidate(p, r, runtime, code);
	return 0;
}

static int take_lines(struct pair *p, struct kb_err *err)
{
	const struct kb_journal *j = p->journal;
	struct kb_asked_of_server *s = &p->evaluation.served;
	int ret = 0;

	p->submission.candidates = kb_xcalloc(
		j->count, sizeof(*p->submission.candidates));
	p->codes = kb_xcalloc(j->count, sizeof(*p->codes));
	p->evaluation.results = kb_xcalloc(j->count,
					   sizeof(*p->evaluation.results));
	p->evaluation.problems = kb_xcalloc(j->count,
					    sizeof(*p->evaluation.problems));
	for (size_t i = 1; i < j->count && ret >= 0; i++) {
		const char *unjudged = kb_json_text(j->lines[i], "unjudged");

		if (!is_of_pair(p, j->lines[i]))
			continue;
		s->asked++;
		if (!unjudged)
			ret = take_line(p, j->lines[i], err);
		else if (!strcmp(unjudged, "memory"))
			s->remembered++;
		else
			s->withdrawn++;
	}
	return ret;
}

/* --- conditions --------------------------------------------------------- */

/* A copy of an object in which members have the values of `with`, which may have
 * members of its own. */
static struct kb_json *replace_members(const struct kb_json *object,
				       const struct kb_json *with)
{
	struct kb_json *out = kb_json_copy(with);

	for (const struct kb_json *v = kb_json_first(object); v;
	     v = kb_json_next(v))
		if (!kb_json_find(with, kb_json_key(v)))
			kb_json_set(out, kb_json_key(v), kb_json_copy(v));
	return out;
}

static void replace_in(struct kb_json **object, const struct kb_json *with)
{
	struct kb_json *out = replace_members(*object, with);

	kb_json_free(*object);
	*object = out;
}

static void set_option(struct kb_json *options, const char *name, int64_t value)
{
	kb_auto(mem) char *text = kb_xasprintf("%" PRId64, value);

	kb_json_set_string(options, name, text);
}

/* The differences of a quick policy, as policy and as options of kb-serve that
 * would have asked for it. */
static void quicken_conditions(struct kb_conditions *c)
{
	const struct kb_policy asked = {
		.trials = kb_json_int_or(c->policy, "trials", 0),
		.interval_ppm = kb_json_int_or(c->policy, "interval_ppm", 0),
		.pool_bytes =
			(uint64_t)kb_json_int_or(c->policy,
						 "output_pool_bytes", 0),
	};
	kb_auto(json) struct kb_json *policy = kb_json_object();
	kb_auto(json) struct kb_json *options = kb_json_object();
	struct kb_policy quick = asked;

	kb_policy_quicken(&quick, &asked, true);
	kb_json_set_int(policy, "trials", quick.trials);
	set_option(options, "trials", quick.trials);
	if (asked.pool_bytes) {
		kb_json_set_int(policy, "interval_ppm", quick.interval_ppm);
		kb_json_set_string(policy, "clock", "device");
		set_option(options, "interval-ppm", quick.interval_ppm);
	}
	replace_in(&c->policy, policy);
	replace_in(&c->options, options);
}

/* List the problems with requests. */
static void set_problems(struct kb_conditions *c, struct kb_key *keys,
			 size_t count)
{
	kb_auto(json) struct kb_json *with = kb_json_object();
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;

	kb_keys_sort(keys, count);
	for (size_t i = 0; i < count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, keys[i]);
		kb_buf_addf(&list, "%s%s", i ? "," : "", key);
	}
	kb_json_set_string(with, "problems", list.data);
	replace_in(&c->options, with);
}

/* GPUs that were taken out since the journal was begun. */
static void note_taken_out(struct kb_conditions *c, const struct kb_journal *j)
{
	kb_auto(json) struct kb_json *texts = kb_json_array();
	struct kb_json *environment;

	for (size_t i = 1; i < j->count; i++)
		if (kb_json_text(j->lines[i], "gpu_taken_out"))
			kb_json_append(texts, kb_json_copy(kb_json_find(
						      j->lines[i],
						      "gpu_taken_out")));
	environment = kb_taken_out_replace(c->environment, texts);
	kb_json_free(c->environment);
	c->environment = environment;
}

static int set_conditions(struct pair *p, struct kb_err *err)
{
	const struct kb_journal *j = p->journal;
	const struct kb_json *from = kb_json_find(j->lines[0], "conditions");
	struct kb_conditions *c = &p->evaluation.conditions;
	const struct {
		const char *member;
		struct kb_json **to;
	} parts[] = {
		{ "tool", &c->tool }, { "options", &c->options },
		{ "environment", &c->environment },
		{ "match_key", &c->match_key }, { "policy", &c->policy },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(parts); i++) {
		const struct kb_json *v;
		int ret = kb_json_read(&v, from, parts[i].member,
				       KB_JSON_OBJECT, j->path, err);

		if (ret < 0)
			return ret;
		*parts[i].to = kb_json_copy(v);
	}
	if (p->is_quick)
		quicken_conditions(c);
	set_problems(c, p->evaluation.problems, p->evaluation.problem_count);
	note_taken_out(c, j);
	return kb_environment_check(c->environment, j->path, err);
}

/* --- writing ------------------------------------------------------------ */

static int compare_candidates(const void *pa, const void *pb)
{
	const struct kb_candidate *a = pa, *b = pb;

	return kb_sample_compare(a->key, a->sample_id, b->key, b->sample_id);
}

static int write_submission(struct pair *p, const char *store,
			    struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_submission *s = &p->submission;
	int ret = kb_bundle_writer_new(&w, store, err);

	for (size_t i = 0; i < s->candidate_count && ret >= 0; i++)
		ret = kb_bundle_writer_add(w, s->candidates[i].file, p->codes[i],
					   s->candidates[i].size_bytes, err);
	if (ret < 0)
		return ret;
	s->source_format = KB_FORMAT_SERVED;
	qsort(s->candidates, s->candidate_count, sizeof(*s->candidates),
	      compare_candidates);
	ret = kb_record_write(w, kb_submission_to_json(s), err);
	return ret < 0 ? ret : kb_bundle_writer_commit(
				       w, &p->evaluation.submission, err);
}

static int write_evaluation(struct pair *p, const char *store,
			    struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	const char *suite = kb_json_text_or(p->journal->lines[0], "suite", "");
	int ret = kb_digest_parse(&p->evaluation.suite, suite, err);

	if (ret >= 0)
		ret = set_conditions(p, err);
	if (ret >= 0)
		ret = kb_bundle_writer_new(&w, store, err);
	if (ret >= 0)
		ret = kb_evaluation_write(w, &p->evaluation, err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}

static int close_pair(const struct kb_session *s, const struct kb_journal *j,
		      bool is_quick, struct kb_err *err)
{
	struct pair p = {
		.journal = j, .is_quick = is_quick,
		.submission = KB_SUBMISSION_INIT,
		.evaluation = KB_EVALUATION_INIT,
	};
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;
	int ret = take_lines(&p, err);

	if (ret >= 0 && p.evaluation.result_count) {
		ret = write_submission(&p, s->asked.store, err);
		if (ret >= 0)
			ret = write_evaluation(&p, s->asked.store, &id, err);
		if (ret >= 0) {
			kb_made_name_last(s->asked.store, KB_KIND_SUBMISSION,
					  &p.evaluation.submission);
			kb_made_name_last(s->asked.store, KB_KIND_EVALUATION,
					  &id);
			kb_digest_format(&id, hex);
			kb_session_say(s, "evaluation %s: %zu verdicts by '%s' on "
				       "%zu problems", hex,
				       p.evaluation.result_count,
				       is_quick ? "screen" : "full",
				       p.evaluation.problem_count);
		}
	}
	release_pair(&p);
	return ret;
}

/* The journal goes last: killed before that, the next server writes the same
 * bundles again. */
static int close_journal(const struct kb_session *s, struct kb_journal *j,
			 struct kb_err *err)
{
	int ret = 0;

	if (j->count) {
		ret = close_pair(s, j, false, err);
		if (ret >= 0)
			ret = close_pair(s, j, true, err);
	}
	return ret < 0 ? ret : kb_journal_delete(j, err);
}

int kb_evidence_close(struct kb_session *s, struct kb_err *err)
{
	return s->run.journal.path ? close_journal(s, &s->run.journal, err) : 0;
}

/* --- what others left --------------------------------------------------- */

static bool may_be_open(const char *path, const struct kb_json *identity)
{
	char host[HOST_SIZE];
	struct stat st;

	name_host(host);
	return !kb_json_text_is(identity, "host", host) &&
	       (stat(path, &st) < 0 || time(NULL) - st.st_mtime < ALONE_S);
}

static bool has_verdicts(const struct kb_journal *j)
{
	for (size_t i = 1; i < j->count; i++)
		if (kb_json_find(j->lines[i], "result"))
			return true;
	return false;
}

static int recover_journal(const struct kb_session *s, const char *name,
			   struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", s->asked.store, name);
	kb_auto(json) struct kb_json *identity = kb_journal_identity(path);
	kb_auto(journal) struct kb_journal j = KB_JOURNAL_INIT;

	if (!identity || !kb_json_text_is(identity, "kind", "served") ||
	    may_be_open(path, identity))
		return 0;
	/* Somebody has it open, who is alive. */
	if (kb_journal_open(&j, s->asked.store, identity, NULL, NULL) < 0)
		return 0;
	if (has_verdicts(&j))
		kb_session_say(s, "note: a server was killed; what it had "
			       "answered:");
	return close_journal(s, &j, err);
}

int kb_evidence_recover(struct kb_session *s, struct kb_err *err)
{
	kb_auto(dir) DIR *dir = opendir(s->asked.store);
	const struct dirent *e;
	int ret = 0;

	while (dir && ret >= 0 && (e = readdir(dir)))
		if (!strncmp(e->d_name, prefix, strlen(prefix)))
			ret = recover_journal(s, e->d_name, err);
	return ret;
}
