#ifndef KB_TESTS_UNIT_AUDIT_EVIDENCE_H
#define KB_TESTS_UNIT_AUDIT_EVIDENCE_H

/* Evidence of one problem, for the tests of audits. */

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/audit.h"

#define NEAR(equal, near, loose)					\
	"{\"1e-2\":" #loose ",\"1e-4\":" #near ",\"equal\":" #equal "}"
#define DIFFERENCE(abs, rel, within)					\
	"{\"max_abs\":\"" abs "\",\"max_rel\":\"" rel "\",\"within\":" within "}"
#define SAME DIFFERENCE("0", "0", NEAR(100, 100, 100))

/* Nothing is the matter with this one. */
#define OUTPUT								\
	"{\"dtype\":\"float32\",\"elements\":100,\"finite\":100,"	\
	"\"identity\":null,\"max\":\"2\",\"mean\":\"0.5\",\"min\":\"-1\"," \
	"\"near\":{\"mean\":" NEAR(0, 0, 2) ",\"midrange\":"		\
	NEAR(0, 1, 2) ",\"zero\":" NEAR(1, 1, 3) "},\"other_input\":"	\
	DIFFERENCE("3", "1.5", NEAR(0, 0, 4)) ",\"redraw\":" SAME	\
	",\"repeat\":" SAME ",\"std\":\"0.7\"}"
#define ERROR(scaled)							\
	"{\"max_abs\":\"2e-06\",\"max_scaled\":\"" scaled "\",\"rms\":\"1e-07\"}"
#define DISTRIBUTION(outputs, errors, operations)			\
	"{\"float64\":{\"outputs\":[" errors "]},\"outputs\":[" outputs	\
	"],\"removal\":{\"operations\":[" operations "],\"untried\":0}}"
/* By noise of both sizes, and how far at most beside 1 + |b|. */
#define MOVED(abs, scaled)						\
	"{\"max_abs\":\"" abs "\",\"max_scaled\":\"" scaled	\
	"\",\"rms\":\"0\"}"
#define NOISE_OF(small, large) "{\"large\":" large ",\"small\":" small "}"
#define NOISE(outputs) "\"noise\":{\"outputs\":[" outputs "]},\"outputs\""
#define OPERATION(call, name, module, rel)				\
	"{\"call\":" #call ",\"max_rel\":\"" rel "\",\"module\":\"" module \
	"\",\"name\":\"" name "\"}"

#define SOUND "{\"signed\":null,\"stated\":" \
	DISTRIBUTION(OUTPUT, ERROR("1e-06"), "") "}"
#define TWO "{\"signed\":null,\"stated\":" \
	DISTRIBUTION(OUTPUT "," OUTPUT, ERROR("1e-06") "," ERROR("1e-06"), \
		     "") "}"

static const char sound_text[] = SOUND;
static const char two_text[] = TWO;

/* The text with the first `from` replaced, of which there must be one. */
static inline char *change(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at)
		KB_BUG("a test changes what is not there");
	return kb_xasprintf("%.*s%s%s", (int)(at - text), text, to,
			    at + strlen(from));
}

static inline struct kb_json *parse(const char *text)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *v;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "text",
			  &err) < 0) {
		printf("# %s: %s\n", err.msg, text);
		KB_BUG("a test's own text does not parse");
	}
	return v;
}

static inline void read_evidence(struct kb_evidence *e, const char *text)
{
	kb_auto(json) struct kb_json *v = parse(text);
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_evidence_from_json(e, v, "evidence", &err), 0);
	check_str(err.msg, "");
}

#endif
