#include "crew/builds.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "crew/compilers.h"
#include "crew/headers.h"
#include "device/granted.h"
#include "json/json.h"
#include "manifest/outcome.h"
#include "manifest/tool.h"
#include "session/session.h"
#include "store/bundle.h"
#include "store/kept.h"
#include "worker/build.h"

#define SLOTS_MIN 64
#define PUTS_A_TRIM 64
#define PARTS_A_TRIM 4		/* of what may be kept */
#define MIB ((uint64_t)1 << 20)

/* Compiling torch's header takes as long as the files of four extensions do with it,
 * and leaves 650 MiB, which is twice in this process for a moment. */
#define HEADERS_WORTH 16
#define HEADERS_BYTES_MAX ((size_t)1 << 30)
#define HEADERS_MEMORY_BYTES ((uint64_t)16 << 30)

struct running {
	struct kb_building building;
	size_t number;
	int64_t start_ns;
};

/* --- keys -------------------------------------------------------------- */

/* A program: another one may lie there tomorrow. */
static void add_program(struct kb_json *v, const char *name, const char *path)
{
	struct kb_json *program = kb_json_object();
	struct stat st;

	if (path && !stat(path, &st)) {
		kb_json_set_string(program, "path", path);
		kb_json_set_int(program, "size_bytes", (int64_t)st.st_size);
		kb_json_set_int(program, "changed_s",
				(int64_t)st.st_mtim.tv_sec);
		kb_json_set_int(program, "changed_ns",
				(int64_t)st.st_mtim.tv_nsec);
	}
	kb_json_set(v, name, program);
}

static void add_section(struct kb_json *v, const struct kb_json *environment,
			const char *name)
{
	const struct kb_json *section = kb_json_find(environment, name);

	if (section)
		kb_json_set(v, name, kb_json_copy(section));
}

/* The variables that programs are started with, but for where they work. */
static struct kb_json *variables_of(const struct kb_launcher *l)
{
	const struct kb_scratch_dir nowhere = { .work = (char[]){ "/" } };
	char **env = kb_env_new(l, &nowhere);
	struct kb_json *list = kb_json_array();

	for (size_t i = 0; env[i]; i++)
		if (strncmp(env[i], "MAX_JOBS=", strlen("MAX_JOBS=")))
			kb_json_append(list, kb_json_string(env[i]));
	kb_env_free(env);
	return list;
}

/* All that decides what comes of a source, beside that. */
static void print_base(char hex[KB_DIGEST_HEX_SIZE],
		       const struct kb_session *s)
{
	static const char *const sections[] = { "cpu", "compiler", "python",
						"torch", "cuda" };
	const struct kb_json *environment = s->run.conditions.environment;
	kb_auto(mem) char *flags = kb_native_build_flags(&s->machine.launcher);
	kb_auto(json) struct kb_json *v = kb_json_object();
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_digest digest;

	kb_json_set(v, "tool", kb_tool_json("kb"));
	kb_json_set_string(v, "native_flags", flags);
	kb_json_set(v, "variables", variables_of(&s->machine.launcher));
	kb_json_set_string(v, "gpu_facts", s->machine.launcher.gpu_facts);
	add_program(v, "cc_file", s->machine.launcher.cc);
	add_program(v, "nvcc_file", s->machine.launcher.nvcc);
	add_program(v, "python_file", s->machine.launcher.python);
	for (size_t i = 0; i < KB_ARRAY_LEN(sections); i++)
		add_section(v, environment, sections[i]);
	kb_json_print(&text, v);
	kb_digest_of(&digest, text.data, text.len);
	kb_digest_format(&digest, hex);
}

static void key_of(struct kb_digest *out, const struct kb_builds *b,
		   const struct kb_code_file *code,
		   const struct kb_code_file *problem)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&code->digest, hex);
	kb_buf_addf(&text, "%s %s %s", b->base, kb_runtime_name(code->runtime),
		    hex);
	if (problem) {
		kb_digest_format(&problem->digest, hex);
		kb_buf_addf(&text, " %s", hex);
	}
	kb_digest_of(out, text.data, text.len);
}

/* --- opening and closing ----------------------------------------------- */

static const char *const device_files[] = {
	"/dev/nvidia*", "/dev/nvidia-caps/*", "/dev/dri/*", "/dev/dxg",
};

/* All by which a process could get at a GPU. */
static char **list_devices(void)
{
	char **list = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(device_files); i++) {
		glob_t found = { .gl_pathc = 0 };
		struct stat st;

		(void)glob(device_files[i], 0, NULL, &found);
		for (size_t k = 0; k < found.gl_pathc; k++) {
			if (stat(found.gl_pathv[k], &st) < 0 ||
			    !S_ISCHR(st.st_mode))
				continue;
			list = kb_grow(list, count, &capacity, sizeof(*list));
			list[count++] = kb_xstrdup(found.gl_pathv[k]);
		}
		globfree(&found);
	}
	list = kb_grow(list, count, &capacity, sizeof(*list));
	list[count] = NULL;
	return list;
}

int kb_builds_open(struct kb_builds *b, struct kb_session *s, size_t room,
		   struct kb_err *err)
{
	*b = (struct kb_builds){
		.launcher = &s->machine.launcher, .room = room,
		.kept_bytes_max = (uint64_t)s->asked.build_cache_mib * MIB,
	};
	print_base(b->base, s);
	if (s->machine.gpu.is_cuda)
		b->devices = list_devices();
	b->running = kb_xcalloc(room + 1, sizeof(*b->running));
	b->own = kb_xasprintf("%s/builds", s->machine.launcher.scratch.root);
	if (!s->asked.no_build_cache)
		b->kept = kb_xasprintf("%s/" KB_BUILDS_DIR, s->asked.store);
	if (mkdir(b->own, 0700) < 0)
		return kb_err_sys(err, "cannot make directory '%s'", b->own);
	return 0;
}

void kb_builds_close(struct kb_builds *b)
{
	for (size_t i = 0; i < b->running_count; i++)
		kb_building_end(&b->running[i].building);
	for (size_t i = 0; i < b->count; i++)
		free(b->items[i].in_place);
	if (b->kept)
		kb_kept_trim(b->kept, b->kept_bytes_max);
	for (size_t i = 0; b->devices && b->devices[i]; i++)
		free(b->devices[i]);
	/* Another crew of this process has builds of its own. */
	if (b->own)
		(void)kb_dir_remove(AT_FDCWD, b->own, NULL);
	free(b->devices);
	free(b->running);
	free(b->items);
	free(b->slots);
	free(b->kept);
	if (b->headers)
		b->launcher->headers = NULL;
	free(b->headers);
	free(b->own);
	*b = (struct kb_builds)KB_BUILDS_INIT;
}

void kb_builds_forget_all(struct kb_builds *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->items[i].in_place);
	free(b->slots);
	b->slots = NULL;
	b->count = b->slot_count = b->done_count = 0;
}

void kb_builds_forget(struct kb_builds *b)
{
	for (size_t i = 0; i < b->running_count; i++) {
		struct kb_task *t = &b->running[i].building.task;

		close(t->process.monitor_fd);
		close(t->log_fd);
	}
	b->running_count = 0;
}

/* --- which there are --------------------------------------------------- */

/* Where the key is, or would be. */
static size_t slot_of(const struct kb_builds *b, const struct kb_digest *key)
{
	size_t slot;

	/* Bytes of a digest are as good as random: no other hash is wanted. */
	memcpy(&slot, key->bytes, sizeof(slot));
	for (slot &= b->slot_count - 1; b->slots[slot];
	     slot = (slot + 1) & (b->slot_count - 1))
		if (kb_digest_equal(&b->items[b->slots[slot] - 1].id.key, key))
			break;
	return slot;
}

static void grow_slots(struct kb_builds *b)
{
	free(b->slots);
	b->slot_count = b->slot_count ? 2 * b->slot_count : SLOTS_MIN;
	b->slots = kb_xcalloc(b->slot_count, sizeof(*b->slots));
	for (size_t i = 0; i < b->count; i++)
		b->slots[slot_of(b, &b->items[i].id.key)] = i + 1;
}

size_t kb_builds_add(struct kb_builds *b, const struct kb_code_file *code,
		     const struct kb_code_file *problem)
{
	struct kb_build x = {
		.id = { .source = code->digest, .runtime = code->runtime },
		.code = *code,
	};
	size_t slot;

	/* At most half full: searches end at an empty slot, so that there must
	 * be one, and soon. */
	if (2 * (b->count + 1) > b->slot_count)
		grow_slots(b);
	if (problem)
		x.problem = *problem;
	key_of(&x.id.key, b, code, problem);
	slot = slot_of(b, &x.id.key);
	if (b->slots[slot])
		return b->slots[slot] - 1;
	b->items = kb_grow(b->items, b->count, &b->capacity,
			   sizeof(*b->items));
	b->items[b->count++] = x;
	b->slots[slot] = b->count;
	return b->count - 1;
}

void kb_build_add_time(const struct kb_build *x, struct kb_outcome *o)
{
	if (x && !x->in_place && o->phase == KB_PHASE_BUILD)
		o->wall_ns += x->wall_ns;
}

bool kb_builds_are_done(const struct kb_builds *b, const size_t numbers[],
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!b->items[numbers[i]].is_done)
			return false;
	return true;
}

/* --- making them ------------------------------------------------------- */

bool kb_builds_have_room(const struct kb_builds *b)
{
	return b->running_count < b->room;
}

static void note_outcome(struct kb_builds *b, struct kb_build *x,
			 const struct kb_kept *k)
{
	x->is_done = true;
	b->done_count++;
	if (!strcmp(k->outcome, KB_BUILT_IN_PLACE))
		x->in_place = kb_xstrdup(k->detail ? k->detail : "");
}

/* There is nothing of it: it is built where it runs. */
static void build_in_place(struct kb_builds *b, struct kb_build *x,
			   const char *why)
{
	x->is_done = true;
	b->done_count++;
	x->in_place = kb_xstrdup(why);
}

static int read_code(struct kb_source *source, struct kb_buf *bytes,
		     const struct kb_code_file *f, struct kb_err *err)
{
	int ret;

	if (!f->file) {
		kb_headers_source(source);
		return 0;
	}
	ret = kb_bundle_read(bytes, f->bundle, f->file, f->bytes_max, err);
	*source = (struct kb_source){
		.runtime = f->runtime, .data = bytes->data, .len = bytes->len,
	};
	return ret;
}

static int start_build(struct kb_builds *b, size_t number, struct kb_err *err)
{
	struct kb_build *x = &b->items[number];
	struct running *r = &b->running[b->running_count];
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT, beside = KB_BUF_INIT;
	struct kb_source code, problem;
	int ret = read_code(&code, &bytes, &x->code, err);

	if (ret >= 0)
		ret = read_code(&problem, &beside, &x->problem, err);
	if (ret < 0)
		return ret;
	*r = (struct running){ .building = KB_BUILDING_INIT, .number = number,
			       .start_ns = kb_clock_ns() };
	if (x->is_headers)
		r->building.left_bytes_max = HEADERS_BYTES_MAX;
	b->launcher->max_jobs = kb_builds_compilers(b);
	ret = kb_building_start(&r->building, b->launcher, &code,
				x->code.runtime == KB_RUNTIME_TORCH ? &problem :
								      NULL,
				(const char *const *)b->devices, err);
	if (ret < 0)
		kb_building_end(&r->building);
	else
		b->running_count++;
	return ret;
}

/* Builds may leave much, so that the store's are counted while there are few. */
static void trim_kept(struct kb_builds *b, const struct kb_kept *k)
{
	b->put_count++;
	for (size_t i = 0; i < k->count; i++)
		b->put_bytes += k->entries[i].len;
	if (b->put_count < PUTS_A_TRIM &&
	    b->put_bytes < b->kept_bytes_max / PARTS_A_TRIM)
		return;
	kb_kept_trim(b->kept, b->kept_bytes_max);
	b->put_count = b->put_bytes = 0;
}

/* Only what was made is so another time. What cannot be written to the store
 * can be to our own folder. */
static int keep_build(struct kb_builds *b, const struct kb_build *x,
		      const struct kb_kept *k, struct kb_err *err)
{
	if (b->kept && !strcmp(k->outcome, KB_BUILT_MADE) &&
	    kb_kept_put(b->kept, &x->id.key, k, NULL) >= 0) {
		trim_kept(b, k);
		return 0;
	}
	return kb_kept_put(b->own, &x->id.key, k, err);
}

static void end_build(struct kb_builds *b, size_t i)
{
	kb_building_end(&b->running[i].building);
	b->running[i] = b->running[--b->running_count];
}

/* Builds do without it if it cannot be had. */
static void use_headers(struct kb_builds *b, const struct kb_kept *k)
{
	b->headers = kb_xasprintf("%s/headers", b->own);
	if (!strcmp(k->outcome, KB_BUILT_MADE) &&
	    kb_headers_unpack(k, b->headers, NULL) >= 0)
		b->launcher->headers = b->headers;
}

static int take_build(struct kb_builds *b, size_t i, struct kb_err *err)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	struct running *r = &b->running[i];
	struct kb_build *x = &b->items[r->number];
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_building_take(&r->building, &k, err);

	x->wall_ns = kb_clock_ns() - r->start_ns;
	if (ret >= 0 && kb_built_is_of_machine(&k)) {
		build_in_place(b, x, k.detail);
	} else if (ret >= 0) {
		if (keep_build(b, x, &k, &why) < 0)
			build_in_place(b, x, why.msg);
		else
			note_outcome(b, x, &k);
		if (x->is_headers)
			use_headers(b, &k);
	}
	end_build(b, i);
	return ret;
}

int kb_builds_begin(struct kb_builds *b, size_t number, struct kb_err *err)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	struct kb_build *x = &b->items[number];
	struct kb_err why = KB_ERR_INIT;
	int ret;

	x->is_begun = true;
	if (b->kept && kb_kept_find(&k, b->kept, &x->id.key)) {
		note_outcome(b, x, &k);
		if (x->is_headers)
			use_headers(b, &k);
		return 0;
	}
	ret = start_build(b, number, &why);
	if (ret > 0)
		return 0;
	if (!ret)
		return take_build(b, b->running_count - 1, err);
	/* Its monitor was killed, for example. */
	if (ret != -KB_ERR_SYS)
		return kb_err_take(err, &why);
	build_in_place(b, x, why.msg);
	return 0;
}

/* --- torch's header ----------------------------------------------------- */

static bool is_extension_to_come(const struct kb_builds *b,
				 const struct kb_build *x)
{
	return !x->is_begun && x->code.runtime == KB_RUNTIME_TORCH &&
	       !(b->kept && kb_kept_has(b->kept, &x->id.key));
}

static bool are_many_to_come(const struct kb_builds *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->count && count < HEADERS_WORTH; i++)
		count += is_extension_to_come(b, &b->items[i]);
	return count == HEADERS_WORTH;
}

int kb_builds_begin_headers(struct kb_builds *b, struct kb_err *err)
{
	struct kb_code_file code = { .runtime = KB_RUNTIME_TORCH };
	struct kb_source source;
	size_t number;

	if (b->has_begun_headers || b->looked_count == b->count ||
	    !kb_builds_have_room(b))
		return 0;
	b->looked_count = b->count;
	if (kb_granted_memory_bytes("") < HEADERS_MEMORY_BYTES ||
	    !are_many_to_come(b))
		return 0;
	b->has_begun_headers = true;
	kb_headers_source(&source);
	kb_digest_of(&code.digest, source.data, source.len);
	number = kb_builds_add(b, &code, NULL);
	b->items[number].is_headers = true;
	return kb_builds_begin(b, number, err);
}

size_t kb_builds_watch(const struct kb_builds *b, struct pollfd fds[])
{
	for (size_t i = 0; i < b->running_count; i++)
		fds[i] = (struct pollfd){
			.fd = b->running[i].building.task.process.monitor_fd,
			.events = POLLIN,
		};
	return b->running_count;
}

int kb_builds_look(struct kb_builds *b, struct kb_err *err)
{
	int ended = 0;

	for (size_t i = 0; i < b->running_count;) {
		struct kb_err why = KB_ERR_INIT;
		int ret = kb_building_poll(&b->running[i].building, &why);

		if (ret > 0) {
			i++;
			continue;
		}
		if (ret == -KB_ERR_SYS) {
			build_in_place(b, &b->items[b->running[i].number],
				       why.msg);
			end_build(b, i);
		} else if (ret < 0) {
			return kb_err_take(err, &why);
		} else {
			ret = take_build(b, i, err);
			if (ret < 0)
				return ret;
		}
		ended++;
	}
	return ended;
}
