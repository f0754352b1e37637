/* The leader of a group passes requests to every rank, and their answers back as
 * one. */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random/random.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

/* How long a rank that has closed its channel may take to end. */
#define END_PATIENCE_MS 1000

struct group {
	struct kbrt *rt;
	const int *fds, *pids;
	uint32_t count;
	struct kb_ack acks[KB_RANKS_MAX];	/* of the question that is
						   answered next */
	bool has_answered[KB_RANKS_MAX];
	uint32_t answer_count;
};

/* The descriptors that a rank sends to itself count for the leader, which is of the
 * same user: so a rank may have fewer on their way. */
static void halve_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return;
	r.rlim_max /= 2;
	r.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);	/* a limit may be lowered */
}

void kbrt_set_rank(struct kbrt *rt, uint32_t rank, uint32_t count)
{
	if (count > 1)
		halve_files();
	rt->rank = rank;
	rt->rank_count = count;
}

/* --- requests --------------------------------------------------------- */

static ssize_t send_with(int fd, const struct kb_request *request,
			 const int fds[], size_t count)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(KBRT_FDS_MAX * sizeof(int))];
	} control;
	struct iovec iov = { (void *)(uintptr_t)request, sizeof(*request) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;
	ssize_t n;

	if (count) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.space;
		msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	}
	do
		n = sendmsg(fd, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n;
}

/* All ranks draw the same weights, and the same numbers in a run, whose seed may be
 * on the control page. They draw different inputs. */
static void make_own(struct kb_request *request, uint32_t rank)
{
	uint8_t seed[KB_SEED_BYTES];

	if (request->op != KB_OP_GENERATE && request->op != KB_OP_FP64_ERROR)
		return;
	kb_random_derive(seed, request->seed, KB_SEED_RANK, rank);
	memcpy(request->seed, seed, sizeof(seed));
}

/* The common descriptors, then the rank's share. A rank that has ended is found
 * later, by its answer. */
static int hand_on(struct group *g, uint32_t rank, struct kb_err *err)
{
	const struct kbrt *rt = g->rt;
	const uint32_t common = rt->request.op == KB_OP_LOAD;
	const uint32_t share = (rt->fd_count - common) / g->count;
	struct kb_request request = rt->request;
	int fds[KBRT_FDS_MAX];

	memcpy(fds, rt->fds, common * sizeof(*fds));
	memcpy(fds + common, rt->fds + common + rank * share,
	       share * sizeof(*fds));
	make_own(&request, rank);
	if (send_with(g->fds[rank], &request, fds, common + share) < 0 &&
	    errno != EPIPE && errno != ECONNRESET)
		return kb_err_sys(err, "cannot send to a rank");
	return 0;
}

/* Returns 1, 0 if there will be no more, or fails. */
static int take_request(struct group *g, struct kb_err *err)
{
	const struct kbrt *rt = g->rt;
	int ret = kbrt_receive(g->rt, err);
	const uint32_t common = ret == KB_OP_LOAD;

	if (ret <= 0)
		return ret;
	if (rt->fd_count < common || (rt->fd_count - common) % g->count)
		return kb_err(err, KB_ERR_CORRUPT,
			      "%u descriptors for %u ranks", rt->fd_count,
			      g->count);
	ret = 0;
	for (uint32_t i = 0; i < g->count && ret >= 0; i++)
		ret = hand_on(g, i, err);
	return ret < 0 ? ret : 1;
}

/* --- answers ---------------------------------------------------------- */

/* Its wait status, in the form of kbrt_lead(). A rank that has only closed its
 * channel can answer no more. */
static int end_of(const struct group *g, uint32_t rank)
{
	int status = KBRT_EXIT_LOST << 8;

	for (int i = 0; i < END_PATIENCE_MS &&
			!waitpid(g->pids[rank], &status, WNOHANG); i++)
		(void)poll(NULL, 0, 1);
	return KBRT_RANK_ENDED * (1 + (int)rank) + status;
}

static int answer_supervisor(struct group *g, const struct kb_ack *ack,
			     struct kb_err *err)
{
	if (send(g->rt->channel_fd, ack, sizeof(*ack), MSG_NOSIGNAL) !=
	    sizeof(*ack))
		return kb_err_sys(err, "cannot send an ack");
	return 0;
}

/* Can the others still answer after this? They may wait for a rank that failed. */
static bool is_waited_for(const struct kb_ack *ack)
{
	return ack->code == KB_ACK_OK || ack->code == KB_ACK_NO_GATE;
}

/* OK, or the first refusal. */
static const struct kb_ack *common_answer(const struct group *g)
{
	for (uint32_t i = 0; i < g->count; i++)
		if (g->acks[i].code != KB_ACK_OK)
			return &g->acks[i];
	return &g->acks[0];
}

/* Returns 0, its wait status likewise if it has ended, or fails. */
static int take_answer(struct group *g, uint32_t rank, struct kb_err *err)
{
	struct kb_ack *ack = &g->acks[rank];
	const ssize_t n = recv(g->fds[rank], ack, sizeof(*ack), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n != sizeof(*ack))
		return end_of(g, rank);
	if (!is_waited_for(ack))
		return answer_supervisor(g, ack, err);
	g->has_answered[rank] = true;
	if (++g->answer_count < g->count)
		return 0;
	g->answer_count = 0;
	memset(g->has_answered, 0, sizeof(g->has_answered));
	return answer_supervisor(g, common_answer(g), err);
}

/* When a rank ends, the others' calls fail, and they may report this at the same
 * time. The end came first. Returns its wait status, or 0. */
static int find_ended(const struct group *g, const struct pollfd watched[])
{
	char byte;

	for (uint32_t i = 0; i < g->count; i++)
		if (watched[i].revents & POLLHUP &&
		    !recv(g->fds[i], &byte, 1, MSG_PEEK | MSG_DONTWAIT))
			return end_of(g, i);
	return 0;
}

int kbrt_lead(struct kbrt *rt, const int fds[], const int pids[],
	      uint32_t count, struct kb_err *err)
{
	struct group g = { .rt = rt, .fds = fds, .pids = pids, .count = count };
	struct pollfd watched[1 + KB_RANKS_MAX];
	int ret = 1;

	if (!count || count > KB_RANKS_MAX)
		return kb_err(err, KB_ERR_INPUT, "%u ranks", count);
	rt->leads = true;
	while (ret >= 0) {
		watched[0] = (struct pollfd){ rt->channel_fd, POLLIN, 0 };
		for (uint32_t i = 0; i < count; i++)
			/* A second answer belongs to the next question. */
			watched[1 + i] = (struct pollfd){
				g.has_answered[i] ? -1 : fds[i], POLLIN, 0,
			};
		if (poll(watched, 1 + count, -1) < 0 && errno != EINTR)
			return kb_err_sys(err, "cannot wait for ranks");
		ret = find_ended(&g, watched + 1);
		if (ret)
			return ret;
		for (uint32_t i = 0; i < count; i++) {
			if (watched[1 + i].fd < 0 || !watched[1 + i].revents)
				continue;
			ret = take_answer(&g, i, err);
			if (ret)
				return ret;
		}
		if (watched[0].revents) {
			ret = take_request(&g, err);
			if (ret <= 0)
				return ret;
		}
	}
	return ret;
}
