#include "manifest/problem_lines.h"

#include "base/err.h"
#include "manifest/lines.h"
#include "manifest/record.h"

struct taken {
	const struct kb_problem_lines *p;
	size_t count;
};

static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct taken *taken = into;
	const struct kb_problem_lines *p = taken->p;

	if (taken->count == p->problem_count)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is one more than there are problems",
			      where);
	return p->take(p->into, p->problems[taken->count++], line, where, err);
}

int kb_problem_lines_load(const struct kb_problem_lines *p,
			  const struct kb_bundle *b, struct kb_err *err)
{
	struct taken taken = { .p = p };
	int ret = kb_lines_load(b, KB_RESULTS_MEMBER, take_line, &taken, err);

	if (ret < 0)
		return ret;
	if (taken.count != p->problem_count)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has %zu lines for %zu problems",
			      KB_RESULTS_MEMBER, taken.count,
			      p->problem_count);
	return kb_record_members(b, 2, err);
}
