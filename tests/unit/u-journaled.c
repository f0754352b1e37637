#include "session/journaled.h"

#include "base/err.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "session/session.h"

#define PROBLEMS 4

/* A stage whose results are the numbers of problems, 1 to PROBLEMS. */
struct stage {
	struct kb_session session;
	struct kb_journaled journaled;
	int taken[PROBLEMS], taken_count;	/* from the journal */
	int made_count;
	int most;				/* then it is interrupted */
};

#define STAGE_INIT { .session = KB_SESSION_INIT, \
		     .journaled = KB_JOURNALED_INIT, .most = PROBLEMS }

static struct kb_journaled_item item_of(int problem)
{
	return (struct kb_journaled_item){
		.key = { 1, problem }, .status = KB_STATUS_CORRECT,
	};
}

static int take(void *context, const struct kb_json *line, const char *path,
		struct kb_err *err)
{
	struct stage *s = context;
	struct kb_journaled_item item;
	int64_t problem;
	int ret = kb_json_read_int(&problem, line, "problem", 1, PROBLEMS,
				   path, err);

	if (ret < 0)
		return ret;
	item = item_of((int)problem);
	if (kb_journaled_resume(&s->journaled, &item))
		s->taken[s->taken_count++] = (int)problem;
	return 0;
}

static int add(struct stage *s, int problem, struct kb_err *err)
{
	const struct kb_journaled_item item = item_of(problem);
	kb_auto(json) struct kb_json *line = kb_json_object();

	kb_json_set_int(line, "problem", problem);
	return kb_journaled_add(&s->journaled, &item, line, "problem", NULL,
				err);
}

static int make(void *context, struct kb_err *err)
{
	struct stage *s = context;
	int ret = 0;

	for (int i = 1; i <= PROBLEMS && ret >= 0; i++) {
		const struct kb_journaled_item item = item_of(i);

		if (kb_done_has(&s->journaled.done, item.key, 0))
			continue;
		if (s->made_count == s->most)
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		s->made_count++;
		ret = add(s, i, err);
	}
	return ret;
}

static const struct kb_journaled_work work = {
	.items = "problems", .take = take, .make = make,
};

static int run(struct stage *s, struct kb_err *err)
{
	kb_auto(json) struct kb_json *identity = kb_json_object();
	int ret = kb_journal_open(&s->session.run.journal, "store", identity,
				  NULL, err);

	return ret < 0 ? ret : kb_journaled_run(&s->journaled, &s->session,
						PROBLEMS, &work, s, err);
}

static void end(struct stage *s)
{
	kb_cleanup_journaled(&s->journaled);
	kb_journal_release(&s->session.run.journal);
}

static void test_what_was_made_is_taken_by_the_next_run(void)
{
	struct stage first = STAGE_INIT, second = STAGE_INIT, third = STAGE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	first.most = 3;
	check_int(run(&first, &err), -KB_ERR_INTERRUPTED);
	check_str(err.msg, "interrupted after 3 of 4 problems; the same command "
			   "goes on from there");
	check_int(first.taken_count, 0);
	end(&first);

	check_int(run(&second, NULL), 0);
	check_int(second.taken_count, 3);
	check_int(second.taken[2], 3);
	check_int(second.made_count, 1);
	check_int((int)second.journaled.done.count, PROBLEMS);
	check_int((int)second.journaled.progress.done, PROBLEMS);
	end(&second);

	check_int(run(&third, NULL), 0);
	check_int(third.taken_count, PROBLEMS);
	check_int(third.made_count, 0);
	end(&third);
	scratch_leave();
}

static void test_a_line_that_is_there_twice_counts_once(void)
{
	struct stage first = STAGE_INIT, second = STAGE_INIT;
	kb_auto(json) struct kb_json *line = kb_json_object();

	scratch_enter();
	first.most = 1;
	check_int(run(&first, NULL), -KB_ERR_INTERRUPTED);
	kb_json_set_int(line, "problem", 1);
	check_int(kb_journal_append(&first.session.run.journal, line, NULL), 0);
	end(&first);

	check_int(run(&second, NULL), 0);
	check_int(second.taken_count, 1);
	check_int(second.made_count, 3);
	end(&second);
	scratch_leave();
}

static void test_a_line_that_makes_no_sense_ends_the_run(void)
{
	struct stage first = STAGE_INIT, second = STAGE_INIT;
	kb_auto(json) struct kb_json *line = kb_json_object();
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	first.most = 1;
	check_int(run(&first, NULL), -KB_ERR_INTERRUPTED);
	kb_json_set_int(line, "problem", PROBLEMS + 1);
	check_int(kb_journal_append(&first.session.run.journal, line, NULL), 0);
	end(&first);

	check_int(run(&second, &err), -KB_ERR_INPUT);
	check_str(err.msg, "store/.journal-44136fa355b3678a1146ad16f7e8649e94f"
			   "b4fc21fe77e8310c060f61caaff8a: 'problem' is 5, "
			   "want 1 to 4");
	check_int(second.made_count, 0);
	end(&second);
	scratch_leave();
}

static void test_a_merge_makes_nothing(void)
{
	struct stage first = STAGE_INIT, second = STAGE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	first.most = 2;
	check_int(run(&first, NULL), -KB_ERR_INTERRUPTED);
	end(&first);

	second.session.asked.merge_only = true;
	check_int(run(&second, &err), -KB_ERR_INPUT);
	check_str(err.msg, "--merge-only: shards have done 2 of 4: run "
		  "those that are left");
	check_int(second.made_count, 0);
	end(&second);
	scratch_leave();
}

static void test_events_that_have_no_place_are_refused_first(void)
{
	struct stage s = STAGE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	s.session.asked.events = "no/such/file";
	check_int(run(&s, &err), -KB_ERR_SYS);
	check_str(err.msg, "cannot open 'no/such/file': No such file or "
			   "directory");
	check_int(s.made_count, 0);
	end(&s);
	scratch_leave();
}

TAP_MAIN(TAP(test_what_was_made_is_taken_by_the_next_run),
	 TAP(test_a_line_that_is_there_twice_counts_once),
	 TAP(test_a_line_that_makes_no_sense_ends_the_run),
	 TAP(test_a_merge_makes_nothing),
	 TAP(test_events_that_have_no_place_are_refused_first));
