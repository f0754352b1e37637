/* The GPUs that a worker sees, as files of its /dev. */

#include "worker/view.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "confine/root.h"

/* The files that the driver opens for any GPU. */
static const char *const common[] = {
	"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
	"/dev/nvidia-modeset", "/dev/dxg",
};

#define FILE_BYTES_MAX ((size_t)16 * 1024)

/* The value in a line "Name: \t value", or NULL. */
static const char *value_of(const char *text, const char *name)
{
	const char *p = strstr(text, name);

	return p ? p + strlen(name) + strspn(p + strlen(name), ": \t") : NULL;
}

int kb_view_gpu_minor(const char *text, const char *uuid)
{
	const char *has = value_of(text, "GPU UUID");
	const char *minor = value_of(text, "Device Minor");

	if (!has || !minor || strncmp(has, uuid, strlen(uuid)) ||
	    !strchr(" \t\n", has[strlen(uuid)]) ||
	    *minor < '0' || *minor > '9')
		return -1;
	return atoi(minor);
}

static int find_minor(const char *uuid)
{
	glob_t found = { .gl_pathc = 0 };
	int minor = -1;

	(void)glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && minor < 0; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		if (kb_file_read(&text, AT_FDCWD, found.gl_pathv[i],
				 FILE_BYTES_MAX, NULL) >= 0)
			minor = kb_view_gpu_minor(text.data, uuid);
	}
	globfree(&found);
	return minor;
}

static void add_matching(struct kb_root *r, const char *pattern)
{
	glob_t found = { .gl_pathc = 0 };

	(void)glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		kb_root_add_node(r, found.gl_pathv[i]);
	globfree(&found);
}

/* The node of each GPU in the list, or false if one is not known. */
static bool add_listed(struct kb_root *r, const char *visible)
{
	kb_auto(mem) char *list = kb_xstrdup(visible);
	char *next = list, *one;

	while ((one = strsep(&next, ","))) {
		const int minor = find_minor(one);
		kb_auto(mem) char *node = kb_xasprintf("/dev/nvidia%d", minor);

		if (minor < 0)
			return false;
		kb_root_add_node(r, node);
	}
	return true;
}

/* Slices of a GPU are opened by way of capabilities. */
void kb_view_add_gpus(struct kb_root *r, const char *visible)
{
	if (visible && !*visible)
		return;
	for (size_t i = 0; i < KB_ARRAY_LEN(common); i++)
		kb_root_add_node(r, common[i]);
	if (visible && add_listed(r, visible))
		return;
	add_matching(r, "/dev/nvidia[0-9]*");
	if (visible && !strncmp(visible, "MIG-", 4))
		add_matching(r, "/dev/nvidia-caps/*");
}
