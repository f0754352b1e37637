#include "import/answers.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "import/cuda_l1.h"
#include "import/leaderboard.h"
#include "import/sources.h"
#include "manifest/submission.h"

#define BYTES_MAX ((size_t)256 << 20)

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool has_extension(const char *path, const char *extension)
{
	size_t len = strlen(path), ext_len = strlen(extension);

	return len > ext_len && !strcmp(path + len - ext_len, extension);
}

bool kb_answers_is(const char *path)
{
	return (has_extension(path, ".json") ||
		has_extension(path, ".jsonl")) && is_file(path);
}

int kb_answers_read(struct kb_submission *s, struct kb_sources *sources,
		    const char *path, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret = kb_file_read(&buf, AT_FDCWD, path, BYTES_MAX, err);

	if (ret < 0)
		return ret;
	if (kb_cuda_l1_is(buf.data, buf.len)) {
		s->source_format = KB_FORMAT_CUDA_L1;
		return kb_cuda_l1_parse(sources, buf.data, buf.len, path, err);
	}
	s->source_format = KB_FORMAT_LEADERBOARD_JSON;
	return kb_leaderboard_parse(&s->provenance, sources, buf.data,
				    buf.len, path, err);
}
