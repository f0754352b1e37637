/* The names of the confinements in force. */

#include "confine/confine.h"

#include "base/buf.h"
#include "json/json.h"

static const char *const feature_names[KB_FEATURE_COUNT] = {
	[KB_FEATURE_PID_NAMESPACE] = "pid_namespace",
	[KB_FEATURE_NET_NAMESPACE] = "net_namespace",
	[KB_FEATURE_IPC_NAMESPACE] = "ipc_namespace",
	[KB_FEATURE_OWN_ROOT] = "own_root",
	[KB_FEATURE_PRIVATE_PROC] = "private_proc",
	[KB_FEATURE_READ_ONLY_FILES] = "read_only_files",
	[KB_FEATURE_PRIVATE_SHM] = "private_shm",
	[KB_FEATURE_PRIVATE_TMP] = "private_tmp",
	[KB_FEATURE_OTHER_USER] = "other_user",
	[KB_FEATURE_LANDLOCK] = "landlock",
	[KB_FEATURE_SYSCALL_FILTER] = "syscall_filter",
	[KB_FEATURE_CGROUP_MEMORY] = "cgroup_memory",
	[KB_FEATURE_CGROUP_PIDS] = "cgroup_pids",
};

struct kb_json *kb_features_to_json(uint32_t features)
{
	struct kb_json *v = kb_json_object();

	for (int f = 0; f < KB_FEATURE_COUNT; f++)
		kb_json_set_bool(v, feature_names[f], features & (1u << f));
	return v;
}

void kb_features_missing(struct kb_buf *out, uint32_t features, bool is_root)
{
	const char *separator = "";

	if (!is_root)
		features |= 1u << KB_FEATURE_OTHER_USER;
	for (int f = 0; f < KB_FEATURE_COUNT; f++) {
		if (features & (1u << f))
			continue;
		kb_buf_addf(out, "%s%s", separator, feature_names[f]);
		separator = ", ";
	}
}
