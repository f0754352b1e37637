#ifndef KB_SERVING_SERVER_H
#define KB_SERVING_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "crew/crew.h"
#include "crew/eval_lane.h"
#include "serving/spool.h"
#include "store/bundle.h"

struct kb_client;
struct kb_err;
struct kb_memory;
struct kb_reward;
struct kb_session;

/*
 * Verdicts for whoever asks, by the lanes of one session, which stay warm: requests
 * come from standard input, from clients of a Unix socket, or from a spool folder,
 * become jobs of a crew, and are answered in the order in which they are done, each
 * when its verdict is on the disk.
 *
 * What is bounded: requests that wait, and their code; lines; answers that nobody
 * reads; clients. Where there is no room nothing is read. A request whose client is
 * gone is dropped, unless a lane has it: then its verdict is evidence, and answered
 * to nobody.
 */
struct kb_serve_asked {
	const char *socket;		/* NULL: none */
	const char *spool;		/* NULL: none; without both, standard
					   input */
	int64_t lease_s;		/* of claims in the spool */
	int64_t queue_max;		/* requests that wait */
	int64_t bundle_every;		/* verdicts in one evaluation */
	bool has_memory;
	const struct kb_reward *reward;	/* NULL: none */
};

struct kb_waiting;

struct kb_serve {
	struct kb_session *session;	/* borrowed */
	struct kb_serve_asked asked;
	struct kb_crew crew;
	struct kb_crew_source source;
	struct kb_eval_lane lane;
	struct kb_bundle loose;		/* where candidates lie */
	struct kb_client **clients;
	size_t client_count;
	size_t turn;			/* whose line is first */
	int lost_errno;			/* why answers to standard output
					   were lost; 0: none were */
	int listen_fd;
	struct stat socket;		/* its file */
	struct kb_spool spool;
	bool has_spool;
	size_t spooled;			/* requests of it without an answer */
	struct kb_waiting **requests;	/* in the order they came */
	size_t request_count, request_capacity;
	size_t code_bytes;		/* of all of these */
	int64_t *attempts;		/* at each problem of the suite */
	struct kb_memory *memory;	/* NULL: none */
	size_t verdict_count;		/* since the evidence was begun */
	int64_t touched_ns;		/* see kb_evidence_touch() */
};

#define KB_SERVE_INIT { .crew = KB_CREW_INIT, .lane = KB_EVAL_LANE_INIT, \
	.loose = KB_BUNDLE_INIT, .listen_fd = -1, .spool = KB_SPOOL_INIT }

/* For a session that is prepared: start its lanes, and open what clients find it
 * by. Fails as kb_crew_open(), and with KB_ERR_INPUT, KB_ERR_SYS. Release it in any
 * case. */
int kb_serve_open(struct kb_serve *s, struct kb_session *session,
		   const struct kb_serve_asked *asked, struct kb_err *err);
void kb_serve_release(struct kb_serve *s);

/* Serve until nobody can ask any more, or somebody asks it to stop; then the
 * evidence is in the store. Fails with any kind. */
int kb_serve_run(struct kb_serve *s, struct kb_err *err);

#endif
