#include "worker/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "base/pause.h"
#include "confine/below.h"
#include "confine/log.h"
#include "confine/pass_fd.h"
#include "cuda/patience.h"
#include "worker/control.h"
#include "worker/limit.h"

_Static_assert(KB_SPAWN_CHANNEL_FD == KB_CHANNEL_FD,
	       "a worker looks for its channel where it is put");

#define FDS_MAX (KB_GROUP_INPUTS_MAX + KB_GROUP_OUTPUTS_MAX)

/* How often a wait looks whether the worker has died. */
#define LOOK_NS KB_PAUSE_LOOK_NS

int kb_worker_start(struct kb_worker *w, const struct kb_spawn *spawn,
		    size_t log_limit_bytes, struct kb_err *err)
{
	kb_auto(fd) int theirs = -1;
	struct kb_spawn s = *spawn;
	int fds[2], ret;

	ret = kb_log_open(&w->log_fd, log_limit_bytes, err);
	if (ret < 0)
		return ret;
	ret = kb_control_make(&w->control, &w->control_fd, err);
	if (ret < 0)
		return ret;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return kb_err_sys(err, "cannot make a socket");
	w->channel_fd = fds[0];
	theirs = fds[1];

	s.channel_fd = theirs;
	s.log_fd = w->log_fd;
	w->phase = KB_PHASE_LOAD;
	return kb_process_start(&w->process, &s, err);
}

int64_t kb_worker_end(struct kb_worker *w)
{
	int64_t cpu_ns;

	kb_process_end(&w->process);
	cpu_ns = w->process.cpu_ns;
	kb_control_unmap(w->control);
	if (w->control_fd >= 0)
		close(w->control_fd);
	if (w->channel_fd >= 0)
		close(w->channel_fd);
	if (w->log_fd >= 0)
		close(w->log_fd);
	*w = (struct kb_worker)KB_WORKER_INIT;
	return cpu_ns;
}

/* By what it has printed, all of which is in the log once it has stopped. */
static void explain_end(struct kb_worker *w, struct kb_fault *fault)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	bool truncated;

	(void)kb_process_stop(&w->process, NULL);
	kb_log_read(&log, w->log_fd, &truncated);
	kb_fault_explain(fault, w->ranks, log.data, log.len);
}

static int blame_protocol(struct kb_worker *w, struct kb_fault *fault,
			  const char *what)
{
	kb_fault_set(fault, w->side, KB_STATUS_PROTOCOL_VIOLATION, w->phase,
		     "%s", what);
	return 0;
}

/* For what it is asked now; see worker.h. */
static void begin_limit(struct kb_limit *l, const struct kb_worker *w)
{
	const bool loads = w->phase != KB_PHASE_RUN;
	const int64_t quiet_ns = loads ? w->quiet_load_ns : w->run_timeout_ns;
	int64_t most_ns = quiet_ns;

	if (loads)
		most_ns = w->load_timeout_ns;
	else if (w->first_run)
		most_ns = kb_max_i64(w->load_timeout_ns, w->run_timeout_ns);
	kb_limit_begin(l, kb_awake_ns(),
		       w->side == KB_SIDE_REFERENCE ? 0 : quiet_ns, most_ns);
}

static void look_for_compiler(struct kb_worker *w, struct kb_limit *l,
			      int64_t now_ns)
{
	int64_t granted_ns;

	if (!kb_limit_wants_look(l, now_ns))
		return;
	granted_ns = kb_limit_note(l, now_ns,
				   kb_control_compiles(w->control) ||
				   kb_is_busy_below(w->process.monitor,
						    w->ranks > 1 ? 2 : 1));
	w->end_ns += w->end_ns ? granted_ns : 0;
}

/* Returns 1 if there is time left. */
static int check_time(struct kb_worker *w, struct kb_limit *l,
		      struct kb_fault *fault)
{
	const int64_t now_ns = kb_awake_ns();
	int64_t over_ns;

	look_for_compiler(w, l, now_ns);
	over_ns = kb_limit_over_ns(l, now_ns);
	if (over_ns)
		kb_fault_set(fault, w->side, KB_STATUS_TIMED_OUT, w->phase,
			     "no answer within %lld s",
			     (long long)(over_ns / KB_NS_PER_S));
	else if (w->end_ns && now_ns >= w->end_ns)
		kb_fault_set(fault, w->side, KB_STATUS_TIMED_OUT, w->phase,
			     "all that it was asked took too long together");
	else
		return 1;
	return 0;
}

/* It ended: why. Returns 0. A reference does nothing to its monitor, so that a
 * lost one is the machine's or somebody's doing: KB_ERR_SYS. */
static int blame_end(struct kb_worker *w, struct kb_fault *fault,
		     struct kb_err *err)
{
	const char *why = kb_process_out_of_memory(&w->process);

	if (w->process.unstoppable)
		return blame_protocol(w, fault, "could not be stopped");
	if (w->process.unwatched && w->side == KB_SIDE_REFERENCE) {
		errno = ECHILD;
		return kb_err_sys(err, "the monitor of a worker is gone");
	}
	if (w->process.unwatched && !why)
		return blame_protocol(w, fault, "ended its monitor");
	kb_fault_of_end(fault, w->side, w->process.wait_status, w->phase);
	explain_end(w, fault);
	if (fault->signal == SIGKILL && why)
		kb_fault_set(fault, w->side, KB_STATUS_OUT_OF_MEMORY,
			     w->phase, "%s", why);
	return 0;
}

/*
 * Events while the worker has the word: it ends, time is up, the user has had
 * enough. Returns 1 to wait on.
 */
static int look_worker(struct kb_worker *w, struct kb_limit *limit,
		       struct kb_fault *fault, struct kb_err *err)
{
	int ret = kb_process_poll(&w->process, err);

	if (ret < 0)
		return ret;
	if (!ret)
		return blame_end(w, fault, err);
	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	return check_time(w, limit, fault);
}

static int stop_worker(struct kb_worker *w, struct kb_fault *fault,
		       struct kb_err *err)
{
	int ret = kb_process_stop(&w->process, err);

	return ret ? ret : blame_end(w, fault, err);
}

/* There is room for all that is ever sent before an answer, unless the worker
 * answers and takes nothing: nobody may wait for that to change. */
static int send_request(struct kb_worker *w, const struct kb_request *request,
			const int fds[], size_t fd_count,
			struct kb_fault *fault, struct kb_err *err)
{
	if (fd_count > FDS_MAX)
		KB_BUG("too many descriptors for one request");
	if (kb_pass_fds(w->channel_fd, request, sizeof(*request), fds,
			fd_count, MSG_DONTWAIT) >= 0)
		return 1;
	switch (errno) {
	case EPIPE:		/* a worker that is gone is found out */
	case ECONNRESET:	/* when it is waited for */
		return 1;
	case EAGAIN:
	case ETOOMANYREFS:
		return blame_protocol(w, fault,
				      "leaves requests in its channel");
	default:
		return kb_err_sys(err, "cannot send to a worker");
	}
}

/* The worker has closed its end or will not say anything more. */
static bool is_shut(const struct kb_worker *w)
{
	struct pollfd fd = { .fd = w->channel_fd, .events = POLLRDHUP };

	return poll(&fd, 1, 0) > 0;
}

/* Take the ack that is there to be read. Returns 1, 0, or -1 for none. */
static int take_ack(struct kb_worker *w, const struct kb_request *asked,
		    struct kb_fault *fault)
{
	struct kb_ack ack;
	ssize_t n = recv(w->channel_fd, &ack, sizeof(ack),
			 MSG_DONTWAIT | MSG_TRUNC);

	/* An empty message is not the end, though it reads like it. */
	if (n < 0 || (!n && is_shut(w)))
		return -1;
	if (n != sizeof(ack))
		return blame_protocol(w, fault, "an answer of the wrong size");
	if (ack.nonce != asked->nonce || ack.op != asked->op)
		return blame_protocol(w, fault, "an answer to no question");
	if (ack.code >= KB_ACK_CODE_COUNT ||
	    (ack.code == KB_ACK_DIFFERS && ack.op != KB_OP_TRY))
		/* kbrt_ack() sends none: the code itself spoke. */
		return blame_protocol(w, fault, "an answer that no worker of "
				      "kb's gives");
	if (ack.code == KB_ACK_OK)
		return 1;

	w->refused_gate = ack.code == KB_ACK_NO_GATE;
	kb_fault_of_ack(fault, w->side, ack.code, w->phase);
	if (!w->refused_gate)
		explain_end(w, fault);
	return 0;
}

/* The channel was closed: is that the whole process, or only a trick? */
static int blame_closed(struct kb_worker *w, struct kb_fault *fault,
			struct kb_err *err)
{
	int ret = kb_process_wait(&w->process, kb_clock_ns() + KB_NS_PER_S,
				  err);

	if (ret < 0)
		return ret;
	return ret ? blame_protocol(w, fault, "closed its channel")
		   : blame_end(w, fault, err);
}

/* Limits of a wait for an answer. */
struct patience {
	int64_t until_ns;
	bool over;			/* the gate was opened */
};

/* It runs, until it has answered. If patience ends before that, open the
 * gate. */
static int await_ack(struct kb_worker *w, const struct kb_request *asked,
		     struct patience *patience, struct kb_fault *fault,
		     struct kb_err *err)
{
	struct kb_limit limit;
	int ret = 1;

	kb_pause_begin();
	begin_limit(&limit, w);
	while (ret > 0) {
		struct pollfd fds[] = {
			{ .fd = w->channel_fd, .events = POLLIN },
			{ .fd = w->process.monitor_fd, .events = POLLIN },
		};

		if (poll(fds, 2, LOOK_NS / KB_NS_PER_MS) < 0 && errno != EINTR)
			return kb_err_sys(err, "cannot wait for a worker");
		kb_pause_look();
		if (fds[0].revents) {
			int taken = take_ack(w, asked, fault);

			if (taken >= 0)
				return taken;
			if (is_shut(w))
				return blame_closed(w, fault, err);
		}
		if (patience && !patience->over &&
		    kb_awake_ns() >= patience->until_ns) {
			patience->over = true;
			kb_control_set_go(w->control, ++w->go);
		}
		ret = look_worker(w, &limit, fault, err);
	}
	if (!ret && w->process.ended)
		return blame_end(w, fault, err);
	return ret;
}

/* And then stop it. */
static int await_answer(struct kb_worker *w, const struct kb_request *asked,
			struct patience *patience, struct kb_fault *fault,
			struct kb_err *err)
{
	int ret = await_ack(w, asked, patience, fault, err);

	return ret <= 0 ? ret : stop_worker(w, fault, err);
}

/* Nothing may lie in the channel that was not asked for. */
static int check_silent(struct kb_worker *w, struct kb_fault *fault)
{
	char byte;

	if (recv(w->channel_fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0)
		return blame_protocol(w, fault, "spoke without being asked");
	return 1;
}

/* Let a stopped worker run. */
static int let_run(struct kb_worker *w, struct kb_fault *fault,
		   struct kb_err *err)
{
	int ret = kb_process_continue(&w->process, err);

	return ret || !w->process.ended ? ret : blame_end(w, fault, err);
}

static int put_request(struct kb_worker *w, struct kb_request *request,
		       const int fds[], size_t fd_count,
		       struct kb_fault *fault, struct kb_err *err)
{
	if (getrandom(&request->nonce, sizeof(request->nonce), 0) !=
	    sizeof(request->nonce))
		return kb_err_sys(err, "cannot draw random bytes");
	return send_request(w, request, fds, fd_count, fault, err);
}

static int begin_request(struct kb_worker *w, struct kb_request *request,
			 const int fds[], size_t fd_count,
			 struct kb_fault *fault, struct kb_err *err)
{
	int ret = check_silent(w, fault);

	if (ret <= 0)
		return ret;
	ret = put_request(w, request, fds, fd_count, fault, err);
	return ret <= 0 ? ret : let_run(w, fault, err);
}

int kb_worker_ask(struct kb_worker *w, struct kb_request *request,
		  const int fds[], size_t fd_count, struct kb_fault *fault,
		  struct kb_err *err)
{
	int ret = begin_request(w, request, fds, fd_count, fault, err);

	return ret <= 0 ? ret : await_answer(w, request, NULL, fault, err);
}

/* It finds them all when it is let go, and is waited for in the end. */
static int ask_some(struct kb_worker *w, struct kb_request requests[],
		    size_t count, const int fds[], size_t fd_count,
		    struct kb_fault *fault, struct kb_err *err)
{
	int ret = check_silent(w, fault);

	for (size_t i = 0; i < count && ret > 0; i++)
		ret = put_request(w, &requests[i], fds + i * fd_count,
				  fd_count, fault, err);
	if (ret > 0)
		ret = let_run(w, fault, err);
	for (size_t i = 0; i < count && ret > 0; i++)
		ret = await_ack(w, &requests[i], NULL, fault, err);
	return ret;
}

/* Descriptors on their way count as open ones of their sender's, of which there
 * may be few. */
static size_t at_a_time(size_t fd_count)
{
	return fd_count > FDS_MAX / 2 ? 1 : FDS_MAX / (fd_count ? fd_count : 1);
}

int kb_worker_ask_all(struct kb_worker *w, struct kb_request requests[],
		      size_t count, const int fds[], size_t fd_count,
		      struct kb_fault *fault, struct kb_err *err)
{
	const size_t most = at_a_time(fd_count);
	int ret = 1;

	for (size_t i = 0; i < count && ret > 0; i += most)
		ret = ask_some(w, requests + i,
			       count - i < most ? count - i : most,
			       fds + i * fd_count, fd_count, fault, err);
	return ret <= 0 ? ret : stop_worker(w, fault, err);
}

int kb_worker_load(struct kb_worker *w, const uint8_t seed[KB_SEED_BYTES],
		   const int fds[], size_t fd_count, struct kb_fault *fault,
		   struct kb_err *err)
{
	struct kb_request request = { .op = KB_OP_LOAD, .side = w->side };
	int all[FDS_MAX];
	int ret;

	if (fd_count >= FDS_MAX)
		KB_BUG("too many descriptors for one request");
	all[0] = w->control_fd;
	for (size_t i = 0; i < fd_count; i++)
		all[i + 1] = fds[i];
	memcpy(request.seed, seed, KB_SEED_BYTES);
	ret = kb_worker_ask(w, &request, all, fd_count + 1, fault, err);
	if (ret > 0)
		w->phase = KB_PHASE_RUN;
	return ret;
}

static void publish_go(struct kb_worker *w)
{
	kb_control_set_seed(w->control, w->gate_seed);
	kb_control_set_go(w->control, ++w->go);
	kb_control_wake(w->control);
}

/* The next value of `go`, which is not published yet. */
static void plan_run(struct kb_worker *w, uint32_t first_slot, uint32_t count,
		     enum kb_gate gate, const uint8_t seed[KB_SEED_BYTES])
{
	w->asked = (struct kb_request){
		.op = KB_OP_RUN,
		.first_slot = first_slot,
		.slot_count = count,
		.go = w->go + 1,
		.gate = gate,
	};
	w->gate_seed = 0;
	if (gate != KB_GATE_HOST)
		memcpy(w->asked.seed, seed, KB_SEED_BYTES);
	else
		for (int i = 7; i >= 0; i--)
			w->gate_seed = w->gate_seed << 8 | seed[i];
	kb_control_set_done(w->control, w->go);
}

int kb_worker_queue(struct kb_worker *w, uint32_t first_slot, uint32_t count,
		    const uint8_t seed[KB_SEED_BYTES], struct kb_fault *fault,
		    struct kb_err *err)
{
	plan_run(w, first_slot, count, KB_GATE_HOST, seed);
	return kb_worker_ask(w, &w->asked, NULL, 0, fault, err);
}

int kb_worker_settle_and_queue(struct kb_worker *w, uint32_t first_slot,
			       uint32_t count,
			       const uint8_t seed[KB_SEED_BYTES],
			       struct kb_fault *fault, struct kb_err *err)
{
	const struct kb_request before = w->asked;
	int ret;

	publish_go(w);
	plan_run(w, first_slot, count, KB_GATE_HOST, seed);
	ret = begin_request(w, &w->asked, NULL, 0, fault, err);
	if (ret > 0)
		ret = await_ack(w, &before, NULL, fault, err);
	return ret <= 0 ? ret : await_answer(w, &w->asked, NULL, fault, err);
}

int kb_worker_queue_begin(struct kb_worker *w, uint32_t count,
			  enum kb_gate gate,
			  const uint8_t seed[KB_SEED_BYTES],
			  struct kb_fault *fault, struct kb_err *err)
{
	plan_run(w, 0, count, gate, seed);
	w->refused_gate = false;
	return begin_request(w, &w->asked, NULL, 0, fault, err);
}

int kb_worker_queue_finish(struct kb_worker *w, int64_t patience_ns,
			   enum kb_queued *how, struct kb_fault *fault,
			   struct kb_err *err)
{
	struct patience patience = { .until_ns = kb_awake_ns() + patience_ns };
	const bool on_stream = w->asked.gate == KB_GATE_STREAM;
	int ret = await_answer(w, &w->asked, on_stream ? &patience : NULL,
			       fault, err);

	*how = patience.over ? KB_QUEUED_LATE : KB_QUEUED;
	if (!ret && w->refused_gate) {
		*how = KB_QUEUE_REFUSED;
		return stop_worker(w, fault, err);
	}
	return ret;
}

uint32_t kb_worker_gate_value(struct kb_worker *w)
{
	return ++w->go;
}

uint64_t kb_worker_gate_seed(const struct kb_worker *w)
{
	return w->gate_seed;
}

int kb_worker_let_go(struct kb_worker *w, struct kb_fault *fault,
		     struct kb_err *err)
{
	/* It may have waited for so long that it sleeps, or did so when it
	 * was stopped. */
	kb_control_wake(w->control);
	return let_run(w, fault, err);
}

bool kb_worker_await_done(const struct kb_worker *w, int64_t patience_ns)
{
	int64_t deadline_ns = kb_clock_ns() + patience_ns;
	int64_t looked_ns = kb_clock_ns();

	/* Asking whether there was a pause takes longer than a look. */
	while (!kb_control_is_done(w->control, w->go, w->ranks)) {
		const int64_t now_ns = kb_clock_ns();
		const int64_t paused_ns = kb_paused_ns();

		if (now_ns - looked_ns >= KB_PAUSE_LOOK_NS)
			kb_pause_look();
		deadline_ns += kb_paused_ns() - paused_ns;
		looked_ns = now_ns;
		if (now_ns >= deadline_ns)
			return false;
		kb_patience_look();
	}
	return true;
}

int kb_worker_halt(struct kb_worker *w, struct kb_fault *fault,
		   struct kb_err *err)
{
	return stop_worker(w, fault, err);
}

/* The others have all that they need of a rank that is late alone. */
static void name_late_rank(struct kb_worker *w, struct kb_fault *fault)
{
	const int late = w->ranks > 1 ? kb_control_late_rank(w->control, w->go,
							     w->ranks) : -1;

	if (fault->status == KB_STATUS_TIMED_OUT && late >= 0)
		kb_fault_name_rank(fault, late);
}

int kb_worker_go(struct kb_worker *w, int64_t *elapsed_ns,
		 struct kb_fault *fault, struct kb_err *err)
{
	struct kb_limit limit;
	int64_t start_ns;
	int ret = check_silent(w, fault);

	if (ret <= 0)
		return ret;

	/* The gate opens while the worker is stopped: letting it go is one
	 * event. Inputs may be there already, since nothing of it has run
	 * after they were copied in. */
	kb_pause_begin();
	begin_limit(&limit, w);
	start_ns = kb_clock_ns();
	publish_go(w);
	ret = kb_process_continue(&w->process, err);
	while (ret > 0) {
		kb_control_await_done(w->control, w->go, w->ranks, LOOK_NS);
		kb_pause_look();
		if (kb_control_is_done(w->control, w->go, w->ranks))
			break;
		ret = look_worker(w, &limit, fault, err);
	}
	if (ret < 0)
		return ret;
	if (!ret && w->process.ended)
		return blame_end(w, fault, err);
	if (!ret) {
		name_late_rank(w, fault);
		return 0;
	}
	ret = stop_worker(w, fault, err);
	*elapsed_ns = kb_clock_ns() - start_ns;
	return ret;
}

int kb_worker_settle(struct kb_worker *w, struct kb_fault *fault,
		     struct kb_err *err)
{
	int ret = check_silent(w, fault);

	if (ret <= 0)
		return ret;
	publish_go(w);
	ret = let_run(w, fault, err);
	return ret <= 0 ? ret : await_answer(w, &w->asked, NULL, fault, err);
}
