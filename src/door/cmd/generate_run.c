/* kb-generate run: ask a server for what is missing. */

#include "cmd/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/request.h"
#include "asking/asking.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "cli/time_left.h"
#include "cmd/cmd.h"
#include "json/utf8.h"
#include "runs/turn_steps.h"
#include "turns/turns.h"

static const char *api_key_file;
static int64_t concurrency = 8, tries = 8, pause_ms = 1000, timeout_s = 3600;

const struct kb_option kb_generate_run_options[] = {
	TEXT_OPTION("api-key-file", "FILE", "send its first line as a bearer token",
		    api_key_file),
	INT_OPTION("concurrency", "N", "requests at a time", concurrency, 1,
		   1024),
	INT_OPTION("tries", "N", "tries of each request, at most", tries, 1, 1000),
	INT_OPTION("pause-ms", "MS", "milliseconds before the second try, then doubled",
		   pause_ms, 1, 600000),
	INT_OPTION("timeout", "SECONDS", "seconds for each try", timeout_s, 1,
		   86400),
	SAID_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

static struct kb_time_left time_left = KB_TIME_LEFT_INIT;
static const char *asked_server;

#define API_KEY_BYTES_MAX 4096

/* The first line of the file; the caller frees. */
static int read_api_key(char **out, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read_named(&text, api_key_file, API_KEY_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	*out = kb_xstrndup(text.data, strcspn(text.data, "\r\n"));
	/* The key becomes a header. With a blank or a control character in it,
	 * it could become another one. */
	for (const char *p = *out; *p; p++)
		if (*p < '!' || *p > '~')
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' does not hold a key in its first line",
				      api_key_file);
	return 0;
}

/* An estimate from the answers so far, if there are any. */
static void print_rate(const struct kb_asking *a)
{
	const int64_t now_ns = kb_clock_ns(), ns = now_ns - a->start_ns;
	const size_t left = a->total - a->done;
	int64_t left_ns;
	char time[KB_TIME_LEFT_SIZE];

	kb_time_left_begin(&time_left, a->start_ns);
	kb_time_left_add(&time_left, now_ns);
	left_ns = kb_time_left_ns(&time_left, now_ns, left);
	if (ns && a->output_tokens)
		fprintf(stderr, "; %" PRId64 " tokens/s",
			(int64_t)((double)a->output_tokens * 1e9 / (double)ns));
	if (left && left_ns != KB_TIME_LEFT_UNKNOWN) {
		kb_time_left_format(time, left_ns);
		fprintf(stderr, ", about %s left", time);
	}
	fputc('\n', stderr);
}

/* A server's words, of which a line has the beginning. */
static void print_message(const char *message)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, message, strlen(message));
	fprintf(stderr, ", %.*s", (int)strcspn(text.data, "\n"), text.data);
}

static void say_progress(const struct kb_asking *a,
			 const struct kb_generated *line, const char *trouble)
{
	char id[KB_CUSTOM_ID_SIZE];

	if (!line) {
		kb_auto(mem) char *text = kb_xasprintf(
			"'%s': %s: again, after a pause of %" PRId64 " ms; try %d of "
			"%d", asked_server, trouble, a->again.pause_ms,
			a->again.try, a->tries);

		kb_generate_say(text);
		return;
	}
	kb_custom_id_format(id, line);
	fprintf(stderr, "[%zu/%zu] %s: %s", a->done, a->total, id,
		kb_reply_outcomes[line->reply.outcome]);
	if (line->reply.message)
		print_message(line->reply.message);
	print_rate(a);
}

/* One that loads says nothing of itself yet, so that it is asked again when it
 * has answered. */
static int keep_models(struct kb_work *w, struct kb_asking *a,
		       struct kb_err *err)
{
	kb_auto(mem) char *models = NULL;
	int ret = 0;

	if (!w->g.server_models)
		ret = kb_asking_models(&models, a, err);
	return ret == 0 && models ? kb_work_keep_models(w, models, err) : ret;
}

static int ask_server(struct kb_work *w, const struct kb_http_address *server,
		      struct kb_err *err)
{
	kb_auto(http) struct kb_http *http = NULL;
	struct kb_asking a = {
		.work = w, .concurrency = (int)concurrency,
		.tries = (int)tries, .pause_ms = pause_ms,
		.say = say_progress,
	};
	int ret = kb_http_new(&http, server, err);

	if (ret < 0)
		return ret;
	a.http = http;
	asked_server = server->server;
	kb_time_left_release(&time_left);
	/* From here on answers are paid for: an interrupt ends the run between
	 * two of them. */
	kb_interrupt_catch();
	ret = keep_models(w, &a, err);
	if (ret == 0)
		ret = kb_asking_run(&a, err);
	if (ret == 0)
		ret = keep_models(w, &a, err);
	kb_time_left_release(&time_left);
	if (ret == -KB_ERR_INTERRUPTED)
		return kb_err(err, KB_ERR_INTERRUPTED,
			      "interrupted: %zu of %zu requests are answered; the same command goes on",
			      w->g.line_count - kb_work_open_count(w),
			      w->g.line_count);
	return ret;
}

/* One turn after the other, until no sample goes on. */
static int run_turns(struct kb_work *w, const struct kb_http_address *server,
		     char *const more[], struct kb_err *err)
{
	int ret = 0;

	while (ret == 0 && !kb_turns_are_over(&w->g)) {
		ret = ask_server(w, server, err);
		if (ret == 0)
			ret = kb_turn_step(w, kb_generate_place.store,
					   more, err);
	}
	return ret;
}

static int check_more(const struct kb_work *w, int argc, char *argv[],
		      struct kb_err *err)
{
	if (argc && argv[0][0] != '-')
		return kb_err(err, KB_ERR_USAGE, "unexpected operand '%s'",
			      argv[0]);
	if (argc && !w->g.asked.has_refinement)
		return kb_err(err, KB_ERR_USAGE,
			      "options for kb-eval want a generation of several turns");
	argv[argc] = NULL;
	return 0;
}

int kb_generate_run(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	struct kb_http_address server = { .server = argv[0] };
	kb_auto(mem) char *api_key = NULL;
	int ret;

	if (argv[0][0] == '-')		/* of what follows a '--' */
		return kb_err(err, KB_ERR_USAGE, "no SERVER given");
	ret = kb_made_check(&kb_generate_said.made, err);
	if (ret == 0 && api_key_file)
		ret = read_api_key(&api_key, err);
	if (ret == 0)
		ret = kb_work_open(&w, kb_generate_place.dir, err);
	if (ret == 0)
		ret = check_more(&w, argc - 1, argv + 1, err);
	if (ret < 0)
		return ret;
	server.api_key = api_key;
	server.timeout_ms = timeout_s * 1000;
	ret = w.g.asked.has_refinement ? run_turns(&w, &server, argv + 1, err)
				       : ask_server(&w, &server, err);
	return ret ? ret : kb_generate_submit(&w, err);
}
