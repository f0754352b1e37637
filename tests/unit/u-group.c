/* Who leads a group, between a supervisor and ranks that are all played here. */

#include "runtime/lib/kbrt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"
#include "confine/pass_fd.h"
#include "lib/tap.h"
#include "runtime/lib/internal.h"
#include "worker/control.h"

#define RANKS 3
#define FDS (1 + 2 * RANKS)

struct group {
	int supervisor;			/* our end of the leader's channel */
	int ranks[RANKS];		/* and of each rank's */
	pid_t leader;
};

static void lead(int channel_fd, const int fds[], const int pids[])
{
	struct kb_err err = KB_ERR_INIT;
	int ret = kbrt_lead(kbrt_new(channel_fd), fds, pids, RANKS, &err);

	int status = ret % KBRT_RANK_ENDED;

	if (ret < 0)
		_exit(99);
	if (!ret)
		_exit(0);
	_exit(50 * (ret / KBRT_RANK_ENDED) +
	      (WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

/* The processes of ranks are the leader's children, and end as they are told. */
static void begin(struct group *g, const char *how)
{
	int channel[2], pairs[RANKS][2];

	check_int(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel), 0);
	for (int i = 0; i < RANKS; i++)
		check_int(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pairs[i]), 0);
	g->leader = fork();
	if (!g->leader) {
		int fds[RANKS], pids[RANKS];

		close(channel[0]);
		for (int i = 0; i < RANKS; i++) {
			fds[i] = pairs[i][0];
			pids[i] = fork();
			if (!pids[i] && how[i] == 'k')
				raise(SIGKILL);
			if (!pids[i])
				_exit(how[i] - '0');
			close(pairs[i][1]);
		}
		lead(channel[1], fds, pids);
	}
	close(channel[1]);
	g->supervisor = channel[0];
	for (int i = 0; i < RANKS; i++) {
		close(pairs[i][0]);
		g->ranks[i] = pairs[i][1];
	}
}

/* The leader's exit status: 99 for a failure; 50 times 1 + i and how rank i ended. */
static int end(struct group *g)
{
	int status = -1;

	close(g->supervisor);
	waitpid(g->leader, &status, 0);
	for (int i = 0; i < RANKS; i++)
		close(g->ranks[i]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask(const struct group *g, enum kb_op op, size_t fd_count)
{
	struct kb_request r = { .nonce = 7, .op = op, .slot_count = 1 };
	int fds[FDS] = { -1 };

	memset(r.seed, 0x5a, sizeof(r.seed));
	for (size_t i = 0; i < fd_count; i++)
		fds[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	check_int(kb_pass_fds(g->supervisor, &r, sizeof(r), fds, fd_count, 0),
		  sizeof(r));
	for (size_t i = 0; i < fd_count; i++)
		close(fds[i]);
}

/* What rank `i` is asked, and how many descriptors come with it. */
static struct kb_request asked(const struct group *g, int i, size_t *fd_count)
{
	struct kb_request r = { .op = 0 };
	int fds[KB_TAKEN_MAX];

	check_int(kb_take_fds(g->ranks[i], &r, sizeof(r), fds, KB_TAKEN_MAX, 0),
		  sizeof(r));
	*fd_count = 0;
	for (int k = 0; k < KB_TAKEN_MAX; k++)
		if (fds[k] >= 0) {
			close(fds[k]);
			++*fd_count;
		}
	return r;
}

static void say(const struct group *g, int i, enum kb_op op, uint32_t code)
{
	const struct kb_ack ack = { .nonce = 7, .op = op, .code = code };

	check_int(send(g->ranks[i], &ack, sizeof(ack), 0), sizeof(ack));
}

/* The leader's answer: its code, or -1 when it has ended without one. */
static int heard(const struct group *g)
{
	struct kb_ack ack;

	return recv(g->supervisor, &ack, sizeof(ack), 0) == sizeof(ack)
		       ? (int)ack.code : -1;
}

/* Not for sure, since it may be slow. */
static bool is_silent(const struct group *g)
{
	char byte;

	usleep(20000);
	return recv(g->supervisor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

static void test_each_rank_has_its_share(void)
{
	static const struct {
		enum kb_op op;
		size_t fds, each;
	} cases[] = {
		{ KB_OP_LOAD, 1 + 2 * RANKS, 3 },
		{ KB_OP_SLOT, RANKS, 1 },
		{ KB_OP_GENERATE, 0, 0 },
	};
	struct group g;

	begin(&g, "000");
	for (size_t c = 0; c < KB_ARRAY_LEN(cases); c++) {
		struct kb_request r[RANKS];
		size_t count;

		ask(&g, cases[c].op, cases[c].fds);
		for (int i = 0; i < RANKS; i++) {
			r[i] = asked(&g, i, &count);
			check_int(r[i].op, cases[c].op);
			check_int(r[i].nonce, 7);
			check_int(count, cases[c].each);
		}
		/* Only inputs differ. */
		check_int(!memcmp(r[0].seed, r[1].seed, KB_SEED_BYTES),
			  cases[c].op != KB_OP_GENERATE);
		check_int(!memcmp(r[1].seed, r[2].seed, KB_SEED_BYTES),
			  cases[c].op != KB_OP_GENERATE);
	}
	check_int(end(&g), 0);
}

static void test_the_last_answer_is_the_group_s(void)
{
	struct group g;

	begin(&g, "000");
	say(&g, 2, KB_OP_RUN, KB_ACK_OK);
	/* Its second answer has to wait for the others' first. */
	say(&g, 2, KB_OP_RUN, KB_ACK_WRONG_SHAPE);
	say(&g, 0, KB_OP_RUN, KB_ACK_OK);
	check(is_silent(&g));
	say(&g, 1, KB_OP_RUN, KB_ACK_OK);
	check_int(heard(&g), KB_ACK_OK);
	check_int(heard(&g), KB_ACK_WRONG_SHAPE);
	check_int(end(&g), 0);
}

static void test_who_fails_is_heard_at_once(void)
{
	struct group g;

	begin(&g, "000");
	say(&g, 1, KB_OP_RUN, KB_ACK_RUN_FAILED);
	check_int(heard(&g), KB_ACK_RUN_FAILED);
	check_int(end(&g), 0);

	begin(&g, "000");
	say(&g, 0, KB_OP_RUN, KB_ACK_OK);
	say(&g, 1, KB_OP_RUN, KB_ACK_NO_GATE);
	check(is_silent(&g));
	say(&g, 2, KB_OP_RUN, KB_ACK_OK);
	check_int(heard(&g), KB_ACK_NO_GATE);
	check_int(end(&g), 0);
}

static void test_a_group_ends_as_its_rank(void)
{
	static const struct {
		const char *how;
		int rank, status;
	} cases[] = {
		{ "030", 1, 100 + 3 }, { "00k", 2, 150 + SIGKILL },
		{ "000", 0, 50 },
	};

	for (size_t c = 0; c < KB_ARRAY_LEN(cases); c++) {
		struct group g;

		begin(&g, cases[c].how);
		shutdown(g.ranks[cases[c].rank], SHUT_RDWR);
		check_int(heard(&g), -1);
		check_int(end(&g), cases[c].status);
	}
}

static void test_an_end_counts_before_a_failure(void)
{
	struct group g;

	begin(&g, "030");
	/* So that it finds both. */
	kill(g.leader, SIGSTOP);
	waitpid(g.leader, NULL, WUNTRACED);
	say(&g, 0, KB_OP_RUN, KB_ACK_RUN_FAILED);
	shutdown(g.ranks[1], SHUT_RDWR);
	kill(g.leader, SIGCONT);
	check_int(heard(&g), -1);
	check_int(end(&g), 100 + 3);
}

static void test_shares_that_do_not_come_out_end_it(void)
{
	struct group g;

	begin(&g, "000");
	ask(&g, KB_OP_SLOT, RANKS - 1);
	check_int(heard(&g), -1);
	check_int(end(&g), 99);
}

static void test_each_rank_has_a_word(void)
{
	static struct kb_control page;
	struct kbrt rt = {
		.rank = 1, .rank_count = RANKS, .control = &page,
		.request.go = 5,
	};

	kbrt_gate_done(&rt);
	check_int(*kb_control_word(&page, 0), 0);
	check_int(*kb_control_word(&page, 1), 5);
	check(!kb_control_is_done(&page, 5, RANKS));
	rt.rank = 0;
	kbrt_gate_done(&rt);
	check(kb_control_is_done(&page, 5, 2));
	check(!kb_control_is_done(&page, 5, RANKS));
	rt.request.go = 6;
	kbrt_gate_failed(&rt);
	check(kb_control_is_done(&page, 6, RANKS));
	check_int(*kb_control_word(&page, RANKS), 0);
	kb_control_set_done(&page, 7);
	check(kb_control_is_done(&page, 7, KB_RANKS_MAX));
}

static rlim_t most_files(void)
{
	struct rlimit r;

	check_int(getrlimit(RLIMIT_NOFILE, &r), 0);
	check_int(r.rlim_cur, r.rlim_max);
	return r.rlim_max;
}

static void test_several_ranks_have_half_the_files(void)
{
	const struct rlimit few = { 64, 64 };
	struct kbrt rt = { .rank_count = 1 };
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		check_int(setrlimit(RLIMIT_NOFILE, &few), 0);
		kbrt_set_rank(&rt, 0, 1);
		check_int(most_files(), 64);
		kbrt_set_rank(&rt, 1, RANKS);
		check_int(most_files(), 32);
		fflush(stdout);
		_exit(tap_failed);
	}
	check_int(waitpid(pid, &status, 0), pid);
	check_int(status, 0);
}

TAP_MAIN(TAP(test_each_rank_has_its_share),
	 TAP(test_the_last_answer_is_the_group_s),
	 TAP(test_who_fails_is_heard_at_once),
	 TAP(test_a_group_ends_as_its_rank),
	 TAP(test_an_end_counts_before_a_failure),
	 TAP(test_shares_that_do_not_come_out_end_it),
	 TAP(test_each_rank_has_a_word),
	 TAP(test_several_ranks_have_half_the_files));
