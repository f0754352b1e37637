#ifndef KB_CREW_MEMBERS_H
#define KB_CREW_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "crew/crew.h"
#include "crew/lane.h"
#include "session/device.h"

struct kb_err;

/* The lanes of a crew: started, listened to, and started anew when they are
 * lost. For crew.c. */

enum kb_member_state {
	KB_MEMBER_RESTING,		/* not started before its turn */
	KB_MEMBER_STARTING,
	KB_MEMBER_IDLE,
	KB_MEMBER_BUSY,
	KB_MEMBER_GONE,
};

struct kb_member {
	struct kb_lane lane;
	char name[KB_SESSION_DEVICE_NAME_SIZE];
	enum kb_member_state state;
	struct kb_job *job;		/* what it is at */
	struct kb_json *said;		/* of that: taken when it is done */
	struct kb_key key;		/* of the problem whose reference it may
					   have running; level 0: none */
	const char *id;			/* the session's */
	int losses;			/* since it did a job */
	bool is_taken_out;		/* its device is, by what it said */
};

/* The first of the members, which time; the others screen. */
size_t kb_crew_count_timers(const struct kb_crew *c);

static inline bool kb_crew_is_screener(const struct kb_crew *c, size_t member)
{
	return member >= kb_crew_count_timers(c);
}

/* Is it the member's turn on its device? See crew/screen.h. */
bool kb_crew_has_turn(const struct kb_crew *c, size_t member);

/* End the members that screen on a device: their turn is over. */
void kb_crew_rest(struct kb_crew *c, size_t device);

/* Have an idle member give up its reference. Fails as kb_lane_send(). */
int kb_crew_lay_down(struct kb_crew *c, size_t member, struct kb_err *err);

/* The number of devices of the session. */
size_t kb_crew_count_devices(const struct kb_crew *c);

/* The place among them of the device of a lane, which has a number. */
size_t kb_crew_device_of(const struct kb_crew *c, size_t lane);

int kb_crew_start_member(struct kb_crew *c, size_t number, struct kb_err *err);

size_t kb_crew_count(const struct kb_crew *c, enum kb_member_state state);

/* A job gets to a stage, by a member or by none. */
void kb_crew_move(struct kb_crew *c, struct kb_job *job, enum kb_stage to,
		  const struct kb_member *m);

/*
 * Wait until something happens, or builds are to be looked at, and take what
 * lanes said: reports, results, and that they are lost, which is told on
 * standard error. Fails if the run cannot go on: with any kind.
 */
int kb_crew_wait(struct kb_crew *c, struct kb_err *err);

#endif
