#include "crew/lane.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"

static struct kb_json *text(const char *s)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "text", s);
	return v;
}

/* Sends back what it gets. */
static int echo(void *context, int fd, struct kb_err *err)
{
	int ret = 1;

	(void)context;
	while (ret > 0) {
		kb_auto(json) struct kb_json *message = NULL;

		ret = kb_lane_receive(fd, &message, err);
		if (ret > 0 && kb_lane_send(fd, message, err) < 0)
			return -KB_ERR_SYS;
	}
	return ret;
}

static int refuse(void *context, int fd, struct kb_err *err)
{
	(void)fd;
	return kb_err(err, KB_ERR_DEVICE, "no such '%s'", (char *)context);
}

static int leave(void *context, int fd, struct kb_err *err)
{
	(void)fd;
	(void)err;
	_exit(*(int *)context);
}

/* The next message, whenever that comes. */
static int await(struct kb_lane *lane, struct kb_json **message,
		 struct kb_err *err)
{
	int ret;

	while (!(ret = kb_lane_take(lane, message, err))) {
		struct pollfd fd = { .fd = lane->fd, .events = POLLIN };

		(void)poll(&fd, 1, -1);
	}
	return ret;
}

static void check_echo(struct kb_lane *lane, const char *s)
{
	kb_auto(json) struct kb_json *sent = text(s), *got = NULL;
	const char *back = NULL;

	check_int(kb_lane_send(lane->fd, sent, NULL), 0);
	check_int(await(lane, &got, NULL), 1);
	check_int(kb_json_read_string(&back, got, "text", "it", NULL), 0);
	check_str(back, s);
}

static void test_messages_go_both_ways(void)
{
	static char large[3000000];
	struct kb_lane lane;

	check_int(kb_lane_start(&lane, echo, NULL, NULL), 0);
	check_echo(&lane, "");
	check_echo(&lane, "a");
	check_echo(&lane, "a \"line\"\n and another");
	memset(large, 'x', sizeof(large) - 1);
	check_echo(&lane, large);
	check_echo(&lane, "after");
	kb_lane_end(&lane);
	check_int(lane.pid, 0);
	check_int(lane.fd, -1);
}

/* Several that come together are taken one by one. */
static void test_messages_are_taken_in_order(void)
{
	static const char *const words[] = { "one", "two", "", "three" };
	struct kb_lane lane;

	check_int(kb_lane_start(&lane, echo, NULL, NULL), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++) {
		kb_auto(json) struct kb_json *sent = text(words[i]);

		check_int(kb_lane_send(lane.fd, sent, NULL), 0);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++) {
		kb_auto(json) struct kb_json *got = NULL;
		const char *back = NULL;

		check_int(await(&lane, &got, NULL), 1);
		check_int(kb_json_read_string(&back, got, "text", "it", NULL),
			  0);
		check_str(back, words[i]);
	}
	kb_lane_end(&lane);
}

static void test_what_failed_is_told(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *message = NULL;
	struct kb_lane lane;

	check_int(kb_lane_start(&lane, refuse, (char[]){ "thing" }, NULL), 0);
	check_int(await(&lane, &message, &err), -KB_ERR_DEVICE);
	check_str(err.msg, "no such 'thing'");
	check(!message);
	check_int(lane.pid, 0);
	kb_lane_end(&lane);
}

static void test_who_is_gone_is_missed(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *message = NULL;
	struct kb_lane lane;
	int status = 7;

	check_int(kb_lane_start(&lane, leave, &status, NULL), 0);
	check_int(await(&lane, &message, &err), -KB_ERR_TIMEOUT);
	check_str(err.msg, "ended with status 7");

	check_int(kb_lane_start(&lane, echo, NULL, NULL), 0);
	check_echo(&lane, "here");
	kill(lane.pid, SIGKILL);
	check_int(await(&lane, &message, &err), -KB_ERR_TIMEOUT);
	check_str(err.msg, "ended by signal 9");
	kb_lane_end(&lane);
	kb_lane_end(&lane);
}

/* A message that was cut off by the end is none. */
static int send_half(void *context, int fd, struct kb_err *err)
{
	static const char half[] = { 100, 0, 0, 0, '{', '"' };

	(void)context;
	(void)err;
	(void)!write(fd, half, sizeof(half));
	_exit(0);
}

static void test_half_a_message_is_none(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *message = NULL;
	struct kb_lane lane;

	check_int(kb_lane_start(&lane, send_half, NULL, NULL), 0);
	check_int(await(&lane, &message, &err), -KB_ERR_TIMEOUT);
	check(!message);
}

TAP_MAIN(
	TAP(test_messages_go_both_ways),
	TAP(test_messages_are_taken_in_order),
	TAP(test_what_failed_is_told),
	TAP(test_who_is_gone_is_missed),
	TAP(test_half_a_message_is_none)
);
