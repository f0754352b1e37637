/* What the kernel says of control groups: nothing of it is read past its end,
 * and a path is one. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "confine/cgroup_files.h"
#include "device/granted.h"
#include "fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const controllers[] = { NULL, "memory", "cpu" };
	const char *text = (const char *)data;

	for (int i = 0; i < 3; i++) {
		char *path = kb_cgroup_path(text, size, controllers[i]);

		must(!path || *path == '/');
		must(!path || !strchr(path, '\n'));
		free(path);
	}
	(void)kb_cgroup_limit(text, size);
	(void)kb_cgroup_count(text, size, "oom");
	must(!kb_cgroup_has_word(text, size, "pids") || size >= 4);
	must(kb_cgroup_cpus(text, size) >= 1);
	return 0;
}
