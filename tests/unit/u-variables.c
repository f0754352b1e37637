#include "worker/variables.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "confine/root.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"

/* No others than these. */
static void set_all(const char *const variables[])
{
	clearenv();
	for (size_t i = 0; variables[i]; i++)
		putenv((char *)(uintptr_t)variables[i]);
}

static void check_passed_on(const char *want)
{
	char **list = kb_variables_new();
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (size_t i = 0; list[i]; i++)
		kb_buf_addf(&text, "%s\n", list[i]);
	check_str(text.data ? text.data : "", want);
	kb_variables_free(list);
}

static void check_told(const char *want)
{
	kb_auto(json) struct kb_json *v = kb_variables_to_json();
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (v)
		kb_json_print(&text, v);
	check_str(v ? text.data : "nothing", want);
}

static void test_without_any_nothing_is_passed_on(void)
{
	set_all((const char *const[]){ NULL });
	check_passed_on("");
	check_told("nothing");
}

static void test_empty_ones_are_not_set(void)
{
	set_all((const char *const[]){ "CXX=", "PATH=", "VIRTUAL_ENV=", NULL });
	check_passed_on("");
}

/* Packages of `pip install --user` are below a home that a worker has not. */
static void test_user_packages_are_found(void)
{
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT;
	char here[4096];

	scratch_enter();
	check(getcwd(here, sizeof(here)));
	set_all((const char *const[]){ NULL });
	setenv("HOME", here, 1);
	check_passed_on("");
	check(!mkdir(".local", 0700) && !mkdir(".local/lib", 0700));
	kb_buf_addf(&want, "PYTHONUSERBASE=%s/.local\n", here);
	check_passed_on(want.data);
	setenv("PYTHONUSERBASE", "/elsewhere", 1);
	check_passed_on("PYTHONUSERBASE=/elsewhere\n");
	unsetenv("PYTHONUSERBASE");
	setenv("PYTHONNOUSERSITE", "1", 1);
	check_passed_on("PYTHONNOUSERSITE=1\n");
	scratch_leave();
}

static void test_others_are_not_passed_on(void)
{
	set_all((const char *const[]){
		"SECRET=1", "CCC=1", "C=1", "LD_PRELOAD=x", "TILELANG=1",
		"MY_TILELANG_X=1", "TORCH_CUDA_ARCH_LIST=9.0", NULL });
	check_passed_on("");
}

static void test_places_are_passed_on_and_not_told(void)
{
	set_all((const char *const[]){ "PATH=/bin", "CUDA_HOME=/cuda",
				       "EBPYTHONPREFIXES=/a:/b", NULL });
	check_passed_on("CUDA_HOME=/cuda\nEBPYTHONPREFIXES=/a:/b\nPATH=/bin\n");
	check_told("nothing");
}

static void test_what_decides_builds_is_told_in_order(void)
{
	set_all((const char *const[]){
		"TILELANG_B=2", "CXX=g++ -v", "TILELANG_A=", "PATH=/bin",
		"CUTE_DSL_ARCH=sm_90a", "NVCC_APPEND_FLAGS=-O1 -lineinfo",
		NULL });
	check_passed_on("CUTE_DSL_ARCH=sm_90a\nCXX=g++ -v\n"
			"NVCC_APPEND_FLAGS=-O1 -lineinfo\nPATH=/bin\n"
			"TILELANG_A=\nTILELANG_B=2\n");
	check_told("{\"CUTE_DSL_ARCH\":\"sm_90a\",\"CXX\":\"g++ -v\","
		   "\"NVCC_APPEND_FLAGS\":\"-O1 -lineinfo\","
		   "\"TILELANG_B\":\"2\"}");
}

static void test_what_no_record_can_hold_is_not_told(void)
{
	set_all((const char *const[]){ "CC=\xff", NULL });
	check_passed_on("CC=\xff\n");
	check_told("nothing");
}

static void test_caches_stay_private(void)
{
	set_all((const char *const[]){
		"TILELANG_CACHE_DIR=/x", "TILELANG_TMP_DIR=/x",
		"TILELANG_CACHE_DIRECTORY=/x", NULL });
	check_passed_on("TILELANG_CACHE_DIRECTORY=/x\n");
}

/* Of the paths below the working directory, in order. */
static void check_shown(const char *want)
{
	kb_auto(root) struct kb_root r = KB_ROOT_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char here[4096];

	check(getcwd(here, sizeof(here)));
	kb_variables_show(&r);
	for (size_t i = 0; i < r.count; i++)
		if (!strncmp(r.entries[i].path, here, strlen(here)))
			kb_buf_addf(&text, "%s ",
				    r.entries[i].path + strlen(here) + 1);
	check_str(text.data ? text.data : "", want);
}

static void set_here(const char *name, const char *before, const char *path)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT;
	char here[4096];

	check(getcwd(here, sizeof(here)));
	kb_buf_addf(&value, "%s%s/%s", before, here, path);
	setenv(name, value.data, 1);
}

static void test_what_they_name_is_shown(void)
{
	static const struct {
		const char *name, *before, *path, *shown;
	} table[] = {
		{ "THUNDERKITTENS_ROOT", "", "kittens", "kittens " },
		{ "CUTLASS_PATH", "", "kittens", "kittens " },
		{ "CC", "", "gcc/bin/cc", "gcc/bin gcc " },
		{ "CXX", "ccache ", "gcc/bin/cc", "gcc/bin gcc " },
		{ "TRITON_PTXAS_PATH", "", "gcc/bin/cc", "gcc/bin gcc " },
		{ "TILELANG_X", "", "kittens", "kittens " },
		{ "EBPYTHONPREFIXES", "/nowhere:", "kittens", "kittens " },
		{ "CC", "", "nowhere/cc", "" },
		{ "CUTE_DSL_ARCH", "", "kittens", "" },
		{ "NVCC_CCBIN", "", "gcc/bin/cc", "gcc/bin gcc " },
		{ "NVCC_APPEND_FLAGS", "", "kittens", "kittens " },
		{ "NVCC_APPEND_FLAGS", "-O1 -I", "kittens", "kittens " },
		{ "NVCC_APPEND_FLAGS", "-Xcompiler -O1,-L", "kittens",
		  "kittens " },
		{ "NVCC_APPEND_FLAGS", "-isystem=\"", "kittens\"", "kittens " },
		{ "NVCC_APPEND_FLAGS", "-ccbin ", "gcc/bin/cc", "gcc/bin gcc " },
		{ "NVCC_APPEND_FLAGS", "-ccbin=", "gcc/bin", "gcc/bin gcc " },
		{ "NVCC_APPEND_FLAGS", "-Inear", "kittens", "" },
	};

	scratch_enter();
	scratch_write("kittens/include/kittens.cuh", "", 0);
	scratch_write("gcc/bin/cc", "", 0);
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		clearenv();
		set_here(table[i].name, table[i].before, table[i].path);
		check_shown(table[i].shown);
	}
	scratch_leave();
}

TAP_MAIN(TAP(test_without_any_nothing_is_passed_on),
	 TAP(test_empty_ones_are_not_set),
	 TAP(test_user_packages_are_found),
	 TAP(test_others_are_not_passed_on),
	 TAP(test_places_are_passed_on_and_not_told),
	 TAP(test_what_decides_builds_is_told_in_order),
	 TAP(test_what_no_record_can_hold_is_not_told),
	 TAP(test_caches_stay_private),
	 TAP(test_what_they_name_is_shown));
