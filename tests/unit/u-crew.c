#include "crew/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/progress.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "session/session.h"

/* What is to happen to a lane in the middle of a job, when it has said one of
 * the two things that it says of each. */
enum fate {
	NOTHING,
	KILLED_AT_START,
	KILLED_ONCE,
	KILLED_ALWAYS,
	DEVICE_LOST,
	KILLED_SCREENING,
	ALL_KILLED_SCREENING,		/* at the first of their jobs */
	BUILT_LATE,			/* nothing happens to lanes */
	ALL_PASS,			/* the screen, and there are many */
	COME_LATER,			/* there are many, from a source */
	ONE_TWICE,			/* many, and the first problem has two jobs */
	KEPT_OFF,			/* a build runs, that is kept off a processor */
	NOT_MOVED,			/* or that may not be told to */
};

#define PROBLEMS 4
#define MANY 40
#define SCREENERS_MAX 3
#define SAYS 2				/* of a job */
#define AFFLICTED 2			/* the problem that it happens at */

struct run {
	struct kb_session session;
	enum fate fate;
	int taken[MANY + 1][SAYS];
	struct kb_progress progress;
	struct kb_build *late;		/* done when the afflicted job is */
	pid_t build;			/* what stands for its compiler */
	bool can_share;			/* at the end */
	struct kb_crew *crew;
};

/* In place of libc's: one process is another user's. */
static pid_t unmovable;

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (pid && pid == unmovable) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_sched_setaffinity, pid, size, set);
}

static int count_problems(enum fate fate)
{
	return fate == ALL_PASS || fate == COME_LATER || fate == ONE_TWICE ?
		MANY : PROBLEMS;
}

static int note_conditions(void *context, struct kb_err *err)
{
	struct run *run = context;
	struct kb_conditions *c = &run->session.run.conditions;

	(void)err;
	if (run->fate == KILLED_AT_START)
		raise(SIGKILL);
	c->environment = kb_json_object();
	c->match_key = kb_json_object();
	c->policy = kb_json_object();
	c->options = kb_json_object();
	return 0;
}

static int say(int fd, int what, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "what", what);
	return kb_crew_say(fd, v, err);
}

static int meet_fate(const struct run *run, struct kb_err *err)
{
	if (run->fate == KILLED_ALWAYS ||
	    (run->fate == KILLED_ONCE && access("killed", F_OK) < 0)) {
		scratch_print("killed", "");
		raise(SIGKILL);
	}
	return run->fate == DEVICE_LOST ?
		kb_err(err, KB_ERR_DEVICE, "the device is gone") : 0;
}

/* In the order in which lanes do it; their own processes know no more of it. */
static void note(const char *what, struct kb_key key)
{
	FILE *f = fopen("noted", "a");

	check(f && fprintf(f, "%s %d\n", what, key.problem_id) > 0);
	check(f && !fclose(f));
}

/* A lane that screens is another process than one that does jobs, and none is
 * left when these begin. */
static void note_screener(void)
{
	FILE *f = fopen("screeners", "a");

	check(f && fprintf(f, "%d\n", (int)getpid()) > 0);
	check(f && !fclose(f));
}

static void check_alone(void)
{
	FILE *f = fopen("screeners", "r");
	int pid;

	while (f && fscanf(f, "%d", &pid) == 1)
		check(kill(pid, 0) < 0);
	if (f)
		fclose(f);
}

/* What fails in a lane's process is to fail the run: it is not seen here otherwise. */
static int and_checks(int ret, struct kb_err *err)
{
	return ret >= 0 && tap_failed ?
		kb_err(err, KB_ERR_SYS, "a check failed in a lane") : ret;
}

static int count_processors(pid_t pid)
{
	cpu_set_t set;

	check_int(sched_getaffinity(pid, sizeof(set), &set), 0);
	return CPU_COUNT(&set);
}

/* The coordinator moves builds when it has handed out a job. */
static int await_kept_off(const struct run *run, int count, struct kb_err *err)
{
	const struct timespec moment = { .tv_nsec = 10000000 };
	const int all = count_processors(0);
	const int moved = run->fate == KEPT_OFF ? count : 0;

	if (run->build < 0)
		return 0;
	for (int i = 0; i < 3000; i++) {
		if (count_processors(run->build) == all - moved &&
		    count_processors(getppid()) == all - count)
			return 0;
		(void)nanosleep(&moment, NULL);
	}
	return kb_err(err, KB_ERR_SYS, "builds have not lost %d of %d processors",
		      count, all);
}

/* What is odd is done with that; one of four is doubted. */
static int screen(void *context, struct kb_key key,
		  const struct kb_json *job, uint32_t others, int fd,
		  char **doubt, struct kb_err *err)
{
	const struct run *run = context;
	const bool ends = key.problem_id % 2 && run->fate != ALL_PASS;
	int ret = await_kept_off(run, 0, err);

	check_int(kb_json_count(kb_json_find(job, "samples")), 0);
	check(others > 0 && others < SCREENERS_MAX);
	note("screen", key);
	note_screener();
	if ((run->fate == KILLED_SCREENING && key.problem_id == AFFLICTED) ||
	    (run->fate == ALL_KILLED_SCREENING && key.problem_id <= AFFLICTED))
		raise(SIGKILL);
	if (key.problem_id % 4 == 0)
		*doubt = kb_xstrdup("mismatch");
	for (int i = 0; i < SAYS && ret >= 0 && ends; i++)
		ret = say(fd, i, err);
	ret = and_checks(ret, err);
	return ret < 0 ? ret : ends;
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *job, int fd, struct kb_err *err)
{
	const struct kb_json *doubt = kb_json_find(job, "doubt");
	int ret = say(fd, 0, err);

	check_int(kb_json_count(kb_json_find(job, "samples")), 0);
	note("do", key);
	if (ret >= 0)
		ret = await_kept_off(context, 1, err);
	if (kb_json_type(doubt) == KB_JSON_STRING &&
	    !strcmp(kb_json_string_value(doubt), "mismatch"))
		note("doubt", key);
	check_alone();
	if (ret >= 0 && key.problem_id == AFFLICTED)
		ret = meet_fate(context, err);
	ret = and_checks(ret, err);
	return ret < 0 ? ret : say(fd, 1, err);
}

static int take(void *context, const struct kb_job *job, size_t device,
		const struct kb_json *said, struct kb_err *err)
{
	const int64_t what = kb_json_int_value(kb_json_find(said, "what"));
	struct run *run = context;

	(void)err;
	check(device <= SCREENERS_MAX);
	run->taken[job->key.problem_id][what]++;
	if (run->fate == COME_LATER && !what && !job->is_screened)
		kb_crew_note_look(run->crew, true);
	if (run->late && job->key.problem_id == AFFLICTED)
		run->late->is_done = true;
	return 0;
}

static const struct kb_lane_kind lane_kind = {
	.note_conditions = note_conditions, .do_job = do_job, .screen = screen,
};

/* The job waits for a build, which somebody has begun. */
static void build_late(struct run *run, struct kb_crew *c, struct kb_job *job)
{
	run->late = kb_xcalloc(1, sizeof(*run->late));
	run->late->is_begun = true;
	c->builds.items = run->late;
	c->builds.count = 1;
	job->builds[job->build_count++] = 0;
}

static struct kb_job *add_job(struct kb_crew *c, int i)
{
	const struct kb_key key = { .level = 1, .problem_id = i };

	return kb_jobs_add(&c->jobs,
			   kb_jobs_add_group(&c->jobs, key, KB_UNKNOWN), 0, 1);
}

/* All come at once. */
static int look(void *context, struct kb_err *err)
{
	struct kb_crew *c = ((struct run *)context)->crew;

	(void)err;
	if (c->jobs.added_count)
		return 0;
	for (int i = 1; i <= MANY; i++)
		kb_crew_add(c, add_job(c, i));
	return 1;
}

static int note_synced(void *context, struct kb_err *err)
{
	(void)context;
	(void)err;
	return 0;
}

static size_t watch_nothing(void *context, struct pollfd fds[], size_t most)
{
	(void)context;
	(void)fds;
	(void)most;
	return 0;
}

static void forget_nothing(void *context)
{
	(void)context;
}

/* On the CPU, without builds: nobody has said that workers are confined. */
static int run_crew_by(struct run *run, enum fate fate, size_t screeners,
		       struct kb_err *err)
{
	struct kb_crew c = { .jobs = KB_JOBS_INIT, .builds = KB_BUILDS_INIT,
			     .screeners = screeners,
			     .chooses = fate == ALL_PASS ||
					fate == COME_LATER };
	const struct kb_crew_source source = {
		.look = look, .synced = note_synced, .watch = watch_nothing,
		.forget = forget_nothing, .context = run,
	};
	struct kb_session *s = &run->session;
	const int problems = count_problems(fate);
	int ret;

	*run = (struct run){ .session = KB_SESSION_INIT, .fate = fate,
			     .crew = &c };
	check_int(setenv("TMPDIR", scratch_path, 1), 0);
	check_int(kb_scratch_open(&s->machine.launcher.scratch, NULL), 0);
	check_int(kb_progress_begin(&run->progress, (size_t)problems,
				    "events", err), 0);
	run->build = fate == KEPT_OFF || fate == NOT_MOVED ? fork() : -1;
	while (!run->build)
		(void)pause();
	unmovable = fate == NOT_MOVED ? run->build : 0;
	ret = kb_crew_open(&c, s, &(struct kb_crew_work){
			.kind = &lane_kind, .lane = run, .take = take,
			.context = run, .progress = &run->progress,
			.source = fate == COME_LATER ? &source : NULL,
		}, err);
	for (int i = 1; i <= problems && ret >= 0 && fate != COME_LATER; i++) {
		struct kb_job *job = add_job(&c, i);

		if (fate == BUILT_LATE && i == problems)
			build_late(run, &c, job);
	}
	if (run->build > 0) {
		c.can_share = c.has_shared = true;
		c.kept_off = 1;
	}
	if (fate == ONE_TWICE)
		kb_jobs_add(&c.jobs, &c.jobs.groups[0], 0, 1);
	if (fate != COME_LATER)
		kb_crew_screen(&c);
	if (ret >= 0)
		ret = kb_crew_run(&c, err);
	run->can_share = c.can_share;
	kb_crew_close(&c);
	if (run->build > 0) {
		(void)kill(run->build, SIGKILL);
		(void)waitpid(run->build, NULL, 0);
	}
	kb_progress_end(&run->progress);
	kb_session_release(s);
	return ret;
}

static int run_crew(struct run *run, enum fate fate, struct kb_err *err)
{
	return run_crew_by(run, fate, 0, err);
}

/* Each problem up to the last is taken whole and once, all others not at all; the
 * one at which lanes are lost waits for another. */
static void check_taken(const struct run *run, int last)
{
	size_t at_a_stage = 0;

	for (int i = 0; i < KB_PROGRESS_STAGES; i++)
		at_a_stage += run->progress.stage_counts[i];
	check_int(at_a_stage, last == AFFLICTED - 1);
	for (int i = 1; i <= MANY; i++)
		for (int k = 0; k < SAYS; k++)
			check_int(run->taken[i][k], i <= last);
}

static void test_all_that_is_said_is_taken(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew(&run, NOTHING, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	scratch_leave();
}

static void test_what_a_lane_said_before_it_was_lost_is_not(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew(&run, KILLED_ONCE, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	scratch_leave();
}

static void check_taken_out(int devices)
{
	kb_auto(buf) struct kb_buf events = KB_BUF_INIT;
	const char *taken_out;

	check_int(kb_file_read(&events, AT_FDCWD, "events", 1 << 20, NULL), 0);
	taken_out = strstr(events.data, "\"event\":\"taken_out\",\"key\":\"1/2\","
			   "\"reason\":\"the device is gone\"");
	check_int(taken_out != NULL, devices);
}

/* It ends, with this message, when all problems up to the last were taken. */
static void check_ended(enum fate fate, enum kb_err_kind kind, const char *msg,
			int taken_out, int last)
{
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew(&run, fate, &err), -(int)kind);
	check_str(err.msg, msg);
	check_taken_out(taken_out);
	check_taken(&run, last);
	scratch_leave();
}

static void test_a_job_at_which_lanes_are_lost_ends_the_run(void)
{
	check_ended(KILLED_ALWAYS, KB_ERR_SYS,
		    "problem '1/2': 2 lanes were lost at it", 0, AFFLICTED - 1);
}

static void test_the_last_device_that_fails_ends_the_run(void)
{
	check_ended(DEVICE_LOST, KB_ERR_DEVICE, "the device is gone", 1,
		    AFFLICTED - 1);
}

static void test_a_run_does_not_begin_without_a_lane(void)
{
	check_ended(KILLED_AT_START, KB_ERR_SYS,
		    "cpu: ended by signal 9 when it was started", 0, 0);
}

/* --- screening ---------------------------------------------------------- */

static int count_noted(const struct kb_buf *noted, const char *what)
{
	int count = 0;

	for (const char *p = noted->data; (p = strstr(p, what)); p++)
		count++;
	return count;
}

static void check_screened(enum fate fate, size_t screeners)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew_by(&run, fate, screeners, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	scratch_read(&noted, "noted");
	check_int(count_noted(&noted, "screen "),
		  screeners > 1 ? PROBLEMS : 0);
	check_int(count_noted(&noted, "do "),
		  (screeners > 1 ? PROBLEMS / 2 : PROBLEMS) +
			  (fate == KILLED_ONCE));
	check_int(count_noted(&noted, "doubt "),
		  screeners > 1 ? PROBLEMS / 4 : 0);
	/* Nothing is screened any more when something is done. */
	if (screeners > 1)
		check(!strstr(strstr(noted.data, "do "), "screen "));
	scratch_leave();
}

static void test_what_a_screen_ends_is_not_done(void)
{
	check_screened(NOTHING, 2);
	check_screened(NOTHING, SCREENERS_MAX);
}

static void test_who_has_one_lane_does_not_screen(void)
{
	check_screened(NOTHING, 0);
	check_screened(NOTHING, 1);
}

static void test_what_a_screen_was_lost_at_is_done(void)
{
	check_screened(KILLED_SCREENING, 2);
}

static void test_lanes_that_screen_are_started_again(void)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew_by(&run, ALL_KILLED_SCREENING, 2, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	scratch_read(&noted, "noted");
	check_int(count_noted(&noted, "screen "), PROBLEMS);
	check(!strstr(noted.data, "do 3"));
	scratch_leave();
}

/* A job is timed while another one is being built, and that is screened
 * afterwards. */
static void test_nobody_waits_for_a_build_to_time(void)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew_by(&run, BUILT_LATE, 2, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	scratch_read(&noted, "noted");
	check_int(count_noted(&noted, "screen "), PROBLEMS);
	check(strstr(noted.data, "do 2\nscreen 4\ndo 4\n"));
	scratch_leave();
}

/* Four candidates in a row passed it, beside those that other lanes had then. */
static void test_a_screen_that_ends_nothing_is_given_up(void)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;
	size_t count;

	scratch_enter();
	check_int(run_crew_by(&run, ALL_PASS, 2, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, MANY);
	scratch_read(&noted, "noted");
	count = count_noted(&noted, "screen ");
	check(count >= 4 && count <= 6);
	check_int(count_noted(&noted, "do "), MANY);
	scratch_leave();
}

/* Nothing was looked at before, and the run does not end. */
static void test_many_that_a_source_adds_are_screened(void)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	scratch_enter();
	check_int(run_crew_by(&run, COME_LATER, 2, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, MANY);
	scratch_read(&noted, "noted");
	check(!strncmp(noted.data, "screen ", strlen("screen ")));
	check_int(count_noted(&noted, "screen "), MANY);
	scratch_leave();
}

/* It would gain nothing by it: another lane may be free long before. */
static void test_a_lane_that_screens_does_not_stay_with_a_problem(void)
{
	kb_auto(buf) struct kb_buf noted = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct run run;
	char *again;

	scratch_enter();
	check_int(run_crew_by(&run, ONE_TWICE, 2, &err), 0);
	check_str(err.msg, "");
	scratch_read(&noted, "noted");
	again = strstr(strstr(noted.data, "screen 1\n") + 1, "screen 1\n");
	check(again);
	*again = '\0';
	check(count_noted(&noted, "screen ") >= MANY - 2);
	scratch_leave();
}

static void test_a_lane_that_times_may_be_lost_behind_a_screen(void)
{
	check_screened(KILLED_ONCE, 2);
}

static void test_builds_keep_off_processors_while_a_lane_times(void)
{
	const int all = count_processors(0);

	if (all > 1)
		check_screened(KEPT_OFF, 2);
	check_int(count_processors(0), all);
}

static void test_builds_that_may_not_be_moved_are_left(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct run run;

	if (count_processors(0) < 2)
		return;
	scratch_enter();
	check_int(run_crew_by(&run, NOT_MOVED, 2, &err), 0);
	check_str(err.msg, "");
	check_taken(&run, PROBLEMS);
	check(!run.can_share);
	scratch_leave();
}

static void test_several_ranks_are_not_screened(void)
{
	static struct kb_session session;
	struct kb_crew crew = KB_CREW_INIT;

	session.asked.screen = 4;
	for (uint32_t ranks = 1; ranks <= 2; ranks++) {
		session.machine.launcher.ranks = ranks;
		kb_crew_choose_screeners(&crew, &session);
		check_int((int)crew.screeners, ranks == 1 ? 4 : 0);
	}
}

TAP_MAIN(
	TAP(test_all_that_is_said_is_taken),
	TAP(test_what_a_lane_said_before_it_was_lost_is_not),
	TAP(test_a_job_at_which_lanes_are_lost_ends_the_run),
	TAP(test_the_last_device_that_fails_ends_the_run),
	TAP(test_a_run_does_not_begin_without_a_lane),
	TAP(test_what_a_screen_ends_is_not_done),
	TAP(test_who_has_one_lane_does_not_screen),
	TAP(test_what_a_screen_was_lost_at_is_done),
	TAP(test_lanes_that_screen_are_started_again),
	TAP(test_nobody_waits_for_a_build_to_time),
	TAP(test_a_screen_that_ends_nothing_is_given_up),
	TAP(test_many_that_a_source_adds_are_screened),
	TAP(test_a_lane_that_screens_does_not_stay_with_a_problem),
	TAP(test_a_lane_that_times_may_be_lost_behind_a_screen),
	TAP(test_builds_keep_off_processors_while_a_lane_times),
	TAP(test_builds_that_may_not_be_moved_are_left),
	TAP(test_several_ranks_are_not_screened),
);
