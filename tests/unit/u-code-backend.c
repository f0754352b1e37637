#include "source/code_backend.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "source/code_words.h"

/* Names and characters, those of strings behind a quote; statements and strings
 * begin behind a bar. */
static void check_words(const char *code, const char *want)
{
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_code_words_read(&w, code, strlen(code));
	for (size_t i = 0; i < w.count; i++)
		kb_buf_addf(&text, "%s%s%.*s ", w.items[i].is_first ? "|" : "",
			    w.items[i].in_string ? "'" : "",
			    (int)w.items[i].len, w.items[i].text);
	check_str(text.data ? text.data : "", want);
}

static void test_words_of_python(void)
{
	static const struct {
		const char *code, *words;
	} table[] = {
		{ "", "" },
		{ "a = b1", "|a = b1 " },
		{ "a; b\nc", "|a |b |c " },
		{ "f(a,\nb)\nc", "|f ( a , b ) |c " },
		{ "a \\\nb", "|a b " },
		{ "if a: b", "|if a : |b " },
		{ "a # b 'c\nd", "|a |d " },
		{ "\"doc\"\na", "|a " },
		{ "def f():\n  '''doc\n\"'''\n  a", "|def f ( ) : |a " },
		{ "f('a b')", "|f ( |'a 'b ) " },
		{ "x = 'a' # b", "|x = |'a " },
		{ "x = r'a\\' b", "|x = |'a '\\ '' 'b " },
		{ "x = rb\"\"\"a\n\"b\"\"\"\ny", "|x = |'a |y " },
		{ "x = '''a", "|x = |'a " },
		{ "x = 'a\ny", "|x = |'a |y " },
		{ "'a' + 'b'", "|'a + |'b " },
		{ ")", "|) " },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		check_words(table[i].code, table[i].words);
}

static void test_words_of_strings_are_those_of_c(void)
{
	static const struct {
		const char *code, *words;
	} table[] = {
		{ "x = '''// a\nb'''", "|x = |'b " },
		{ "x = '''/* a\n b */c'''", "|x = |'c " },
		{ "x = '''/* a'''", "|x = " },
		{ "x = '''f(\"a b\") c'''", "|x = |'f '( ') 'c " },
		{ "x = '''#include <a.h>'''",
		  "|x = |'# 'include '< 'a '. 'h '> " },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		check_words(table[i].code, table[i].words);
}

#define KERNEL "src = '''__global__ void f() {}'''\n"
#define LOAD "from torch.utils.cpp_extension import load_inline\n"

static const struct {
	const char *code, *backend;
} backends[] = {
	{ "", "torch" },
	{ "import torch\nclass ModelNew: pass", "torch" },
	{ "import torch\nmodel = torch.compile(model)", "torch-compile" },
	{ "import re, torch\ng = torch.cuda.CUDAGraph()", "cuda-graph" },
	{ LOAD "load_inline(cpp_sources='at::add')", "cpp" },
	{ LOAD KERNEL, "cuda" },
	{ LOAD "s = '''#include <hip/hip_runtime.h>\n__global__'''", "hip" },
	{ LOAD KERNEL "t = '#include <cute/tensor.hpp>'", "cute" },
	{ LOAD KERNEL "t = 'using namespace kittens;'", "thunderkittens" },
	{ "import cupy as cp\nk = cp.RawKernel('__global__ void f', 'f')",
	  "cupy" },
	{ "import triton, triton.language as tl\n@triton.jit\ndef f(): pass",
	  "triton" },
	{ "import torch\n\n  from triton import jit\n@jit\ndef f(): pass",
	  "triton" },
	{ "import helion\n@helion.kernel()\ndef f(x): pass", "helion" },
	{ "import cuda.tile as ct", "cuda-tile" },
	{ "from cuda import tile as ct", "cuda-tile" },
	{ "from cuda.tile import kernel", "cuda-tile" },
	{ "from cuda.bindings import driver", "torch" },
	{ "from cutlass import cute", "cute" },
	{ "import tilelang.language as T\n@T.prim_func\ndef f(): pass",
	  "tilelang" },
	{ "import tilelang, triton\n@triton.jit\ndef f(): pass", "tilelang" },

	/* What is no code of theirs. */
	{ "# import triton\n# @triton.jit\nx = 1", "torch" },
	{ "'''\nimport triton\n@triton.jit\n'''\nx = 1", "torch" },
	{ "def f():\n  \"\"\"__global__\"\"\"\n  return 1", "torch" },
	{ LOAD "s = '''// __global__\n/* __global__ */ at::add'''", "cpp" },
	{ "s = '''puts(\"__global__\")'''", "torch" },
	{ "import triton", "torch" },
	{ "from mytriton import jit", "torch" },
	{ "import my.triton\njit", "torch" },
	{ "x = 'import tilelang'", "torch" },
	{ "triton = 1\njit = 2", "torch" },
	{ "import re\nre.compile('x')", "torch" },
};

static bool is_listed(const char *backend)
{
	for (size_t i = 0; kb_code_backends[i]; i++)
		if (!strcmp(kb_code_backends[i], backend))
			return true;
	return false;
}

static void test_backends_by_their_marks(void)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(*backends); i++) {
		const char *got = kb_code_backend(KB_RUNTIME_TORCH,
						  backends[i].code,
						  strlen(backends[i].code));

		check_str(got, backends[i].backend);
		check(is_listed(got));
	}
}

static void test_native_code_is_told_by_its_runtime(void)
{
	check_str(kb_code_backend(KB_RUNTIME_NATIVE, "import triton", 13),
		  "native-c");
	check_str(kb_code_backend(KB_RUNTIME_CUDA, "__global__", 10),
		  "native-cuda");
	check(is_listed("native-c") && is_listed("native-cuda"));
}

static void test_every_backend_is_seen_above(void)
{
	for (size_t i = 0; kb_code_backends[i]; i++) {
		bool seen = !strncmp(kb_code_backends[i], "native-", 7);

		for (size_t k = 0; k < sizeof(backends) / sizeof(*backends); k++)
			seen = seen || !strcmp(backends[k].backend,
					       kb_code_backends[i]);
		if (!seen)
			tap_fail("'%s' is in no case\n", kb_code_backends[i]);
	}
}

static void test_any_bytes_will_do(void)
{
	static const char bytes[] = "a\0'\0\xff\\";

	for (size_t len = 0; len <= sizeof(bytes); len++)
		check(is_listed(kb_code_backend(KB_RUNTIME_TORCH, bytes, len)));
}

TAP_MAIN(TAP(test_words_of_python), TAP(test_words_of_strings_are_those_of_c),
	 TAP(test_backends_by_their_marks),
	 TAP(test_native_code_is_told_by_its_runtime),
	 TAP(test_every_backend_is_seen_above), TAP(test_any_bytes_will_do));
