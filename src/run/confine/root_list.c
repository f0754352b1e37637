/* The list of what a candidate's root holds, with the targets of links. */

#include "confine/root.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"

/* As many as Linux itself follows (path_resolution(7)). */
#define LINKS_MAX 40

/* Directories with everybody's files, which are never shown because a path
 * names them. */
static const char *const common[] = {
	"/", "/dev", "/etc", "/home", "/media", "/mnt", "/opt", "/proc", "/root",
	"/run", "/srv", "/sys", "/tmp", "/var", "/var/tmp",
};

static const char *const system_paths[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/nix/store", "/gnu/store", "/run/opengl-driver",
	"/run/current-system/sw",
	/* The files that the loader, libc, compilers and libraries read
	 * there. */
	"/etc/alternatives", "/etc/crypto-policies", "/etc/env.d",
	"/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf",
	"/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime",
	"/etc/mime.types", "/etc/nsswitch.conf", "/etc/OpenCL",
	"/etc/os-release", "/etc/pki/tls/openssl.cnf", "/etc/python*",
	"/etc/ssl/openssl.cnf", "/etc/vulkan",
	"/sys/devices/system",
};

static const char *const device_paths[] = {
	"/sys/bus", "/sys/class", "/sys/dev", "/sys/devices", "/sys/module",
};

/* The folders of an installation. */
static const char *const prefix_names[] = {
	"bin", "compiler_compat", "etc", "include", "lib", "lib32", "lib64",
	"libexec", "nvvm", "pyvenv.cfg", "share", "targets",
	"x86_64-conda-linux-gnu", "aarch64-conda-linux-gnu",
};

void kb_root_release(struct kb_root *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->entries[i].path);
		free(r->entries[i].target);
	}
	for (size_t i = 0; i < r->home_count; i++)
		free(r->homes[i]);
	free(r->entries);
	free(r->homes);
	*r = (struct kb_root)KB_ROOT_INIT;
}

/* Is `path` the same as `above`, or below it? Neither ends with a slash. */
static bool is_below(const char *path, const char *above)
{
	const size_t len = strlen(above);

	return !strcmp(above, "/") ||
	       (!strncmp(path, above, len) &&
		(path[len] == '/' || !path[len]));
}

static bool is_shown(const struct kb_root *r, const char *path)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->entries[i].kind == KB_ROOT_SHOWN &&
		    is_below(path, r->entries[i].path))
			return true;
	return false;
}

static bool is_private(const struct kb_root *r, const char *path)
{
	if (!strncmp(path, "/home/", 6) && !strchr(path + 6, '/'))
		return true;
	for (size_t i = 0; i < KB_ARRAY_LEN(common); i++)
		if (!strcmp(path, common[i]))
			return true;
	for (size_t i = 0; i < r->home_count; i++)
		if (is_below(r->homes[i], path))
			return true;
	return false;
}

/* Takes `target`. */
static void add_entry(struct kb_root *r, enum kb_root_kind kind,
		      const char *path, char *target)
{
	r->entries = kb_grow(r->entries, r->count, &r->capacity,
			     sizeof(*r->entries));
	r->entries[r->count++] = (struct kb_root_entry){
		.kind = kind, .path = kb_xstrdup(path), .target = target,
	};
}

static void add_link(struct kb_root *r, const char *path, const char *target)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->entries[i].path, path))
			return;
	if (!is_shown(r, path))
		add_entry(r, KB_ROOT_LINK, path, kb_xstrdup(target));
}

void kb_root_add_home(struct kb_root *r, const char *path)
{
	char *real = path && path[0] == '/' ? realpath(path, NULL) : NULL;

	if (!real)
		return;
	r->homes = kb_grow(r->homes, r->home_count, &r->home_capacity,
			   sizeof(*r->homes));
	r->homes[r->home_count++] = real;
}

/* --- the way to a path ------------------------------------------------- */

/* A way that is gone link by link: `done` has none, `ahead` may have some. */
struct way {
	char done[PATH_MAX];
	char ahead[PATH_MAX];
	int links;
	bool is_closed;		/* to others, before its end */
};

/* Take the next name of what is ahead; false if there is none. */
static bool next_name(struct way *w, char name[NAME_MAX + 1])
{
	const char *from = w->ahead + strspn(w->ahead, "/");
	const size_t len = strcspn(from, "/");

	if (!len || len > NAME_MAX)
		return false;
	memcpy(name, from, len);
	name[len] = '\0';
	memmove(w->ahead, from + len, strlen(from + len) + 1);
	return true;
}

/* realpath(3) would say where a path ends, and not which links lead there. In a
 * root of its own a worker needs each of them, so they are followed here. */
static void go_up(struct way *w)
{
	char *slash = strrchr(w->done, '/');

	if (slash)
		*slash = '\0';
}

/* Put where the link at `at` leads before what is ahead. */
static bool follow_link(struct kb_root *r, struct way *w, const char *at)
{
	char target[PATH_MAX], rest[PATH_MAX];
	const ssize_t len = readlink(at, target, sizeof(target) - 1);

	if (len < 0 || w->links++ == LINKS_MAX)
		return false;
	target[len] = '\0';
	add_link(r, at, target);
	memcpy(rest, w->ahead, sizeof(rest));
	if (strlen(target) + strlen(rest) + 2 > sizeof(w->ahead))
		return false;
	strcpy(w->ahead, target);
	strcat(w->ahead, "/");
	strcat(w->ahead, rest);
	if (target[0] == '/')
		w->done[0] = '\0';
	return true;
}

static bool step_into(struct kb_root *r, struct way *w, const char *name)
{
	char at[PATH_MAX + NAME_MAX + 2];
	struct stat st;

	if (!strcmp(name, "."))
		return true;
	if (!strcmp(name, "..")) {
		go_up(w);
		return true;
	}
	strcpy(at, w->done);
	strcat(at, "/");
	strcat(at, name);
	if (strlen(at) >= sizeof(w->done) || lstat(at, &st) < 0)
		return false;
	if (S_ISLNK(st.st_mode))
		return follow_link(r, w, at);
	w->is_closed |= w->ahead[strspn(w->ahead, "/")] &&
			!(st.st_mode & S_IXOTH);
	strcpy(w->done, at);
	return true;
}

/* Links on the way are noted; false if it leads nowhere. */
static bool walk_path(struct kb_root *r, struct way *w, const char *path)
{
	char name[NAME_MAX + 1];

	if (!path || path[0] != '/' || strlen(path) >= sizeof(w->ahead))
		return false;
	w->done[0] = '\0';
	strcpy(w->ahead, path);
	w->links = 0;
	w->is_closed = false;
	while (next_name(w, name))
		if (!step_into(r, w, name))
			return false;
	return w->done[0] && !(r->others && w->is_closed);
}

/* `path` without its last name; false if that was all. */
static bool cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

/* Is there a database of Spack's in `dir`, by who owns the directory? A link is none:
 * whoever may write there can have one that leads to a directory of the owner. */
static bool is_store(const char *dir)
{
	kb_auto(mem) char *database = kb_xasprintf("%s/.spack-db", dir);
	struct stat of_dir, of_database;

	return !stat(dir, &of_dir) && !lstat(database, &of_database) &&
	       S_ISDIR(of_database.st_mode) &&
	       of_database.st_uid == of_dir.st_uid;
}

/* Spack's packages name each other in their files, as links of a view and as RPATHs,
 * so each needs the store that holds them all. NULL if `path` lies in none. The caller
 * frees. */
static char *store_of(const struct kb_root *r, const char *path)
{
	kb_auto(mem) char *at = kb_xstrdup(path);

	do {
		if (is_store(at))
			return is_private(r, at) ? NULL : kb_steal(at);
	} while (cut_name(at));
	return NULL;
}

static void show_path(struct kb_root *r, const char *path)
{
	kb_auto(mem) char *store = is_shown(r, path) ? NULL : store_of(r, path);

	if (store)
		add_entry(r, KB_ROOT_SHOWN, store, NULL);
	else if (!is_shown(r, path))
		add_entry(r, KB_ROOT_SHOWN, path, NULL);
}

/* --- what to add ------------------------------------------------------- */

void kb_root_add(struct kb_root *r, const char *path)
{
	struct way w;

	if (walk_path(r, &w, path) && !is_private(r, w.done))
		show_path(r, w.done);
}

void kb_root_add_list(struct kb_root *r, const char *paths)
{
	kb_auto(mem) char *list = kb_xstrdup(paths ? paths : "");
	char *save = NULL;

	for (char *path = strtok_r(list, ":", &save); path;
	     path = strtok_r(NULL, ":", &save))
		kb_root_add(r, path);
}

void kb_root_add_prefix(struct kb_root *r, const char *path)
{
	struct way w;

	if (!walk_path(r, &w, path))
		return;
	if (!is_private(r, w.done)) {
		show_path(r, w.done);
		return;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(prefix_names); i++) {
		kb_auto(mem) char *part = kb_xasprintf("%s/%s", w.done,
						       prefix_names[i]);

		kb_root_add(r, part);
	}
}

static void add_around(struct kb_root *r, const char *program)
{
	kb_auto(mem) char *dir = kb_xstrdup(program);
	const char *name;

	if (!cut_name(dir))
		return;
	kb_root_add(r, dir);
	name = strrchr(dir, '/');
	if (!strcmp(name, "/bin") && cut_name(dir))
		kb_root_add_prefix(r, dir);
}

void kb_root_add_program(struct kb_root *r, const char *path)
{
	struct way w;

	if (!walk_path(r, &w, path))
		return;
	add_around(r, path);
	add_around(r, w.done);
	show_path(r, w.done);
}

static void add_each(struct kb_root *r, const char *const paths[],
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		glob_t found = { .gl_pathc = 0 };
		struct way w;

		(void)glob(paths[i], 0, NULL, &found);
		for (size_t k = 0; k < found.gl_pathc; k++)
			if (walk_path(r, &w, found.gl_pathv[k]))
				show_path(r, w.done);
		globfree(&found);
	}
}

void kb_root_add_system(struct kb_root *r, bool devices)
{
	add_each(r, system_paths, KB_ARRAY_LEN(system_paths));
	if (devices)
		add_each(r, device_paths, KB_ARRAY_LEN(device_paths));
}

void kb_root_add_node(struct kb_root *r, const char *path)
{
	struct stat st;

	if (!lstat(path, &st) && S_ISCHR(st.st_mode))
		add_entry(r, KB_ROOT_NODE, path, NULL);
}

void kb_root_add_closed(struct kb_root *r, const char *path)
{
	kb_auto(mem) char *real = path ? realpath(path, NULL) : NULL;
	struct stat st;

	if (!real || stat(real, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    !is_shown(r, real))
		return;
	for (size_t i = 0; i < r->count; i++)
		if (is_below(r->entries[i].path, real))
			return;
	add_entry(r, KB_ROOT_CLOSED, real, NULL);
}
